"""Dates are written no more finely than they are known."""

import pytest

from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.ui.date_axis import DateAxis, tick_text
from apexmem_desktop.ui.dates import bound_text, day_text, duration_text, range_text, size_text
from apexmem_desktop.ui.translation import set_language
from tests.ui.made_up import at, bound, said_by

YEAR_S = 365.25 * 86_400


@pytest.mark.parametrize(
    ("given", "english", "chinese"),
    [
        (bound("2023-06-09"), "9 Jun 2023", "2023年6月9日"),
        (bound("2023-06-05", precision=Precision.WEEK), "week of 5 Jun 2023", "2023年6月5日那一周"),
        (bound("2023-06-01", precision=Precision.MONTH), "June 2023", "2023年6月"),
        (bound("2022-01-01", "2022-12-31", Precision.YEAR), "2022", "2022年"),
        (said_by("2021-06-01"), "by 1 Jun 2021", "不晚于2021年6月1日"),
        (
            Bound(None, None, Precision.UNKNOWN, TimeSource.MESSAGE_TIME),
            "not known",
            "不清楚",
        ),
    ],
)
def test_bounds(given: Bound, english: str, chinese: str) -> None:
    assert bound_text(given) == english
    set_language("zh")
    assert bound_text(given) == chinese


def test_a_day_is_that_of_the_clock_it_was_said_by() -> None:
    late = at("2023-02-10T23:30")
    assert day_text(late, 60) == "11 Feb 2023"
    assert day_text(late, -60) == "10 Feb 2023"


def test_old_times_are_no_error() -> None:
    assert day_text(at("1911-03-04")) == "4 Mar 1911"


def test_one_day_is_written_once() -> None:
    assert range_text(at("2023-02-10"), at("2023-02-10T20:00")) == "10 Feb 2023"


def test_durations_and_sizes() -> None:
    assert duration_text(20) == "20 seconds"
    assert duration_text(61) == "one minute"
    assert size_text(1_117_320_768) == "1.1 GB"


@pytest.mark.parametrize(
    "span_s", [3600.0, 86_400.0, 30 * 86_400.0, YEAR_S, 12 * YEAR_S, 200 * YEAR_S]
)
def test_the_axis_leaves_room_for_its_labels(span_s: float) -> None:
    middle_s = at("2010-05-05") / 1000
    axis = DateAxis()
    ((_, ticks),) = axis.tickValues(middle_s - span_s / 2, middle_s + span_s / 2, 800)
    assert len(ticks) <= 10
    texts = axis.tickStrings(ticks, 1, 1)
    assert all(texts)
    assert len(set(texts)) >= min(2, len(texts))


def test_a_new_year_is_named() -> None:
    assert tick_text(at("2023-01-01") / 1000, "month") == "2023"
    assert tick_text(at("2023-02-01") / 1000, "month") == "Feb"
