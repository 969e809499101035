"""Faults that users of neighbouring programs met, by their numbers (29, 30, 31, 34, 36, 37, 40)."""

import time
import warnings

import pytest

from apexmem_desktop.chronology.spell import annotate, spell_instant
from apexmem_desktop.chronology.validity import validity_from_spans
from apexmem_desktop.chronology.words import find_time_spans
from apexmem_desktop.domain.interval import Precision, TimeSource
from tests.chronology.reading import OFFSET, anchor_ms, find, told


def test_29_an_old_chat_is_read_by_its_own_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 4_000_000_000.0)
    spans = find("We went to the vet yesterday.", "2023-05-08T13:56")
    assert [told(span) for span in spans] == ["2023-05-07"]


def test_30_words_without_a_date_give_no_date() -> None:
    said = anchor_ms()
    validity = validity_from_spans(
        find("I work at the bakery"), said_at_ms=said, offset_minutes=OFFSET
    )
    assert validity.start.precision is Precision.UNKNOWN
    assert validity.start.source is TimeSource.MESSAGE_TIME
    assert (validity.start.earliest_ms, validity.start.latest_ms) == (None, said)
    assert validity.end is None


def test_31_an_evening_stays_an_evening() -> None:
    evening = anchor_ms("2026-06-05T20:36", 480)
    assert spell_instant(evening, 480, with_time=True) == "5 June 2026, 20:36"


def test_34_yesterday_holds_its_evening_and_not_midnight() -> None:
    (span,) = find("I saw it yesterday")
    assert span.start_ms <= anchor_ms("2023-06-08T18:00") < span.end_ms
    assert span.start_ms == anchor_ms("2023-06-08T00:00")
    assert span.end_ms == anchor_ms("2023-06-09T00:00")


def test_34_the_local_day_is_meant_and_not_that_of_utc() -> None:
    early = anchor_ms("2023-06-09T03:00", 600)  # still the 8th in UTC
    (span,) = find_time_spans("yesterday", anchor_ms=early, offset_minutes=600)
    assert span.start_ms == anchor_ms("2023-06-08T00:00", 600)


@pytest.mark.parametrize("language", ["", "en", "de", "fr", "es", "pt", "it", "ru", "ja", "zh"])
@pytest.mark.parametrize("text", ["02/07/18", "02.07.18", "2/7/18", "18-07-02"])
def test_37_a_year_of_two_digits_is_no_date(text: str, language: str) -> None:
    assert find(text, language=language) == []


def test_37_years_stay_sane() -> None:
    for text in ("in 0001", "in 9999", "3000 years ago", "in 2500 years", "9999年", "99999天前"):
        for span in find(text):
            assert anchor_ms("1500-01-02T00:00") < span.start_ms < anchor_ms("2200-12-31T00:00")


def test_40_the_words_are_kept_with_what_they_meant() -> None:
    text = "Sure, we met last Friday, remember?"
    (span,) = find(text)
    assert text[span.phrase_start :].startswith(span.phrase)
    assert span.anchor_ms == anchor_ms()


def test_other_languages_work_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [told(span) for span in find("12 marzo", language="it")] == ["2023-03-12"]


def test_annotation_leaves_stated_dates_alone() -> None:
    text = "On 5 May 2023 we met; last week we met again."
    assert annotate(text, anchor_ms=anchor_ms(), offset_minutes=OFFSET) == (
        "On 5 May 2023 we met; last week [= the week before 9 June 2023] we met again."
    )
