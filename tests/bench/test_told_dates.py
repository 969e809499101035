"""Dates of answers are read, and judged against the gold."""

from datetime import date

import pytest

from apexmem_desktop.bench.told_dates import is_right, read_told


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("7 May 2023", (2023, 5, 7), (2023, 5, 7)),
        ("on May 7th, 2023.", (2023, 5, 7), (2023, 5, 7)),
        ("2023-05-07", (2023, 5, 7), (2023, 5, 7)),
        ("19 January, 2023", (2023, 1, 19), (2023, 1, 19)),
        ("21Janury, 2022", (2022, 1, 21), (2022, 1, 21)),
        ("June 2023", (2023, 6, 1), (2023, 6, 30)),
        ("April.2023", (2023, 4, 1), (2023, 4, 30)),
        ("since 2016", (2016, 1, 1), (2016, 12, 31)),
        ("The summer of 2022", (2022, 6, 1), (2022, 8, 31)),
        ("The sunday before 25 May 2023", (2023, 5, 21), (2023, 5, 21)),
        ("the Tuesday before 20 July 2023", (2023, 7, 18), (2023, 7, 18)),
        ("The week before 9 June 2023", (2023, 6, 2), (2023, 6, 8)),
        ("The week of 23 August 2023", (2023, 8, 21), (2023, 8, 27)),
        ("the weekend before 17 July 2023", (2023, 7, 15), (2023, 7, 16)),
        ("two weekends before 17 July 2023", (2023, 7, 8), (2023, 7, 9)),
        ("The weekend after 3June, 2022.", (2022, 6, 4), (2022, 6, 5)),
        ("first weekend of August 2023", (2023, 8, 5), (2023, 8, 6)),
        ("29 May 2023 to 4 June 2023", (2023, 5, 29), (2023, 6, 4)),
        ("the day before 1 March 2024", (2024, 2, 29), (2024, 2, 29)),
    ],
)
def test_reading(text: str, first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
    told = read_told(text)
    assert told is not None
    assert (told.first, told.last) == (date(*first), date(*last))


@pytest.mark.parametrize("text", ["", "last week", "four years", "she may go"])
def test_what_is_no_date(text: str) -> None:
    assert read_told(text) is None


@pytest.mark.parametrize(
    ("gold", "answer", "expected"),
    [
        ("7 May 2023", "on Sunday, 7 May 2023", True),
        ("7 May 2023", "8 May 2023", False),
        ("7 May 2023", "May 2023", False),  # coarser than what was asked for
        ("June 2023", "27 June 2023", True),
        ("2022", "last year", False),
        ("2022", "in 2022", True),
        ("The week before 9 June 2023", "9 June 2023", False),  # the day it was said
        ("The week before 9 June 2023", "29 May 2023 to 4 June 2023", True),
        ("The week before 9 June 2023", "June 2023", False),
        ("The friday before 15 July 2023", "14 July 2023", True),
        ("13 August", "13 August 2023", True),
        ("13 August", "14 August 2023", False),
        ("7 May 2023", "", False),
        ("10 years ago", "2013", None),  # the gold tells no date
        ("her mother", "7 May 2023", None),
    ],
)
def test_judging(gold: str, answer: str, expected: bool | None) -> None:
    assert is_right(gold, answer) is expected
