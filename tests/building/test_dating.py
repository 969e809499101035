"""When something held: by the turn's own clock, never by today's, and never made up."""

import pytest

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.dating import date_candidate
from apexmem_desktop.building.deriving import with_consequences
from apexmem_desktop.domain.graph import Modality
from apexmem_desktop.domain.interval import Precision, TimeSource
from apexmem_desktop.domain.turn import Turn
from tests.building.telling import SAID, day, ms, read, said, spell


def _one(turn: Turn, told: str) -> Candidate:
    [found] = [one for one in read(turn) if spell(one) == told]
    return found


def _start(text: str, told: str, **when: str) -> tuple[str, str]:
    """First and last possible day of the start."""
    turn = said(text, **when)
    start = date_candidate(turn, _one(turn, told)).validity.start
    return day(start.earliest_ms), day(start.latest_ms)


def test_yesterday_is_the_day_before_it_was_said() -> None:
    there = _start("I visited Genoa yesterday", "Ana Ruiz visited Genoa", at="2023-05-08T18:00")
    assert there == ("2023-05-07", "2023-05-07")


def test_last_week_is_the_week_before_it_was_said() -> None:
    told = "Ana Ruiz lives_in Rome"
    assert _start("I moved to Rome last week", told) == ("2024-06-03", "2024-06-09")


def test_each_clause_has_its_own_time() -> None:
    text = "I moved to Rome in May 2021 and I started at Lumo in March 2023"
    assert _start(text, "Ana Ruiz lives_in Rome") == ("2021-05-01", "2021-05-31")
    assert _start(text, "Ana Ruiz works_at Lumo") == ("2023-03-01", "2023-03-31")


def test_the_time_of_another_sentence_is_not_taken() -> None:
    turn = said("I moved to Rome. We sold the boat in 2019")
    start = date_candidate(turn, _one(turn, "Ana Ruiz lives_in Rome")).validity.start
    assert start.earliest_ms is None


def test_without_time_words_it_held_when_it_was_said() -> None:
    turn = said("I live in Rome")
    dated = date_candidate(turn, _one(turn, "Ana Ruiz lives_in Rome"))
    start = dated.validity.start
    assert (start.earliest_ms, start.latest_ms) == (None, ms(SAID))
    assert (start.precision, start.source) == (Precision.UNKNOWN, TimeSource.MESSAGE_TIME)
    assert dated.modality is Modality.ASSERTED


def test_what_is_to_come_is_planned() -> None:
    turn = said("I'm starting at Lumo on 1 July")
    dated = date_candidate(turn, _one(turn, "Ana Ruiz works_at Lumo"))
    assert dated.modality is Modality.PLANNED
    assert day(dated.validity.start.earliest_ms) == "2024-07-01"


def test_what_was_booked_is_planned_even_without_a_date() -> None:
    turn = said("We booked a cabin in Norway")
    dated = date_candidate(turn, _one(turn, "Ana Ruiz plans cabin in Norway"))
    assert dated.modality is Modality.PLANNED


def test_what_was_cancelled_is_no_plan() -> None:
    turn = said("Cancelled the Crete trip")
    dated = date_candidate(turn, _one(turn, "Ana Ruiz not plans Crete trip"))
    assert dated.modality is Modality.ASSERTED


def test_what_holds_already_does_not_begin_later() -> None:
    turn = said("I work at Lumo, two years in November")
    dated = date_candidate(turn, _one(turn, "Ana Ruiz works_at Lumo"))
    assert dated.modality is Modality.ASSERTED
    assert (dated.validity.start.latest_ms or 0) <= ms(SAID)


def test_a_turn_without_a_time_has_only_the_dates_that_it_states() -> None:
    absolute = said("I moved to Rome in May 2021", at=None)
    start = date_candidate(absolute, _one(absolute, "Ana Ruiz lives_in Rome")).validity.start
    assert day(start.earliest_ms) == "2021-05-01"
    relative = said("I moved to Rome last week", at=None)
    start = date_candidate(relative, _one(relative, "Ana Ruiz lives_in Rome")).validity.start
    assert (start.earliest_ms, start.latest_ms) == (None, None)


def test_a_day_without_its_year_needs_the_turns_time() -> None:
    turn = said("I moved to Rome on 3 February", at=None)
    start = date_candidate(turn, _one(turn, "Ana Ruiz lives_in Rome")).validity.start
    assert (start.earliest_ms, start.latest_ms) == (None, None)


def test_the_turns_own_clock_decides_which_day_yesterday_was() -> None:
    late = said("I visited Genoa yesterday", at="2024-06-12T23:30", offset_minutes=120)
    start = date_candidate(late, _one(late, "Ana Ruiz visited Genoa")).validity.start
    # There it is 13 June already; yesterday began at 22:00 UTC of the 11th.
    assert start.earliest_ms == ms("2024-06-11T22:00")


def test_the_date_of_an_appointment_is_the_value_and_no_bound() -> None:
    turn = said("The wedding was on 3 May")
    start = date_candidate(turn, _one(turn, "wedding took_place_on 3 May")).validity.start
    assert start.earliest_ms is None


def _both(text: str, told: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """First and last possible day of the start, and of the end."""
    turn = said(text)
    validity = date_candidate(turn, _one(turn, told)).validity
    assert validity.end is not None
    sides = (validity.start, validity.end)
    start, end = ((day(one.earliest_ms), day(one.latest_ms)) for one in sides)
    return start, end


def test_a_range_tells_since_when_and_until_when() -> None:
    years = ("2015-01-01", "2015-12-31"), ("2018-01-01", "2018-12-31")
    assert _both("I worked at Lumo from 2015 to 2018", "Ana Ruiz worked_at Lumo") == years
    assert _both("I worked at Lumo (2015–2018)", "Ana Ruiz worked_at Lumo") == years
    assert _both("我从2015年到2018年在华为工作", "Ana Ruiz works_at 华为") == years
    told = "Ana Ruiz lived_in Porto"
    text = "I lived in Porto between March and May 2021"
    assert _both(text, told) == (("2021-03-01", "2021-03-31"), ("2021-05-01", "2021-05-31"))


def test_a_stay_lasted_from_its_first_day_to_its_last() -> None:
    text = "We were in Rome from 3 to 5 June"
    days = ("2024-06-03", "2024-06-03"), ("2024-06-05", "2024-06-05")
    assert _both(text, "Ana Ruiz visited Rome") == days


def test_the_days_of_every_week_are_no_range() -> None:
    turn = said("I work at Harrow from Monday to Friday")
    validity = date_candidate(turn, _one(turn, "Ana Ruiz works_at Harrow")).validity
    assert (validity.start.earliest_ms, validity.end) == (None, None)


def test_something_resumed_is_dated_by_the_rest_of_the_turn() -> None:
    told = "Ana Ruiz practises climbing"
    text = "I'm climbing again! first session was on Monday"
    assert _start(text, told) == ("2024-06-10", "2024-06-10")


def test_chinese_time_words_are_read_by_the_same_clock() -> None:
    assert _start("我昨天重新开始游泳", "Ana Ruiz practises 游泳") == ("2024-06-11", "2024-06-11")


def test_leaving_a_job_ends_it_at_the_same_time() -> None:
    turn = said("I left Lumo yesterday")
    for told in ("Ana Ruiz left_job Lumo", "Ana Ruiz not works_at Lumo"):
        start = date_candidate(turn, _one(turn, told)).validity.start
        assert day(start.earliest_ms) == "2024-06-11"


def _follows(shape: str, value: str, *, holds: bool = True) -> list[str]:
    told = Candidate(
        turn_id=1,
        who="Ana Ruiz",
        of_speaker=False,
        property=shape,
        shape=shape,
        value=value,
        value_start=0,
        value_end=len(value),
        sentence=value,
        sentence_start=0,
        by="model",
        confidence=0.7,
        holds=holds,
    )
    return [spell(one) for one in with_consequences([told])]


def test_what_follows_for_certain() -> None:
    assert "Ana Ruiz not practises running" in _follows("stopped", "running")
    assert "Ana Ruiz practises yoga" in _follows("started", "yoga")
    assert "Ana Ruiz not plans Crete trip" in _follows("cancelled", "the Crete trip")
    assert "Ana Ruiz not owns Polo" in _follows("sold", "my Polo")


def test_nothing_follows_from_what_did_not_happen() -> None:
    assert _follows("left_job", "Lumo", holds=False) == ["Ana Ruiz not left_job Lumo"]


def test_a_clause_is_no_practice() -> None:
    assert _follows("stopped", "worrying about the whole affair") == [
        "Ana Ruiz stopped worrying about the whole affair"
    ]


def test_a_pet_goes_by_the_name_that_its_turn_tells() -> None:
    turn = said("I adopted a cat yesterday! she's called Miso")
    one = _one(turn, "Ana Ruiz pet Miso")
    assert turn.text[one.value_start : one.value_end] == "Miso"
    assert one.sentence == turn.text[one.sentence_start : one.sentence_end] == turn.text


def test_a_feeling_or_advice_is_not_dated_by_what_it_is_about() -> None:
    """What is felt today about tomorrow is felt today; an opinion keeps a time of its own."""
    (felt,) = read(said("I'm determined to win the regatta tomorrow"))
    dated = date_candidate(said("I'm determined to win the regatta tomorrow"), felt)
    assert dated.modality is Modality.ASSERTED
    assert dated.validity.start.earliest_ms is None


def test_a_plan_does_not_begin_with_its_cause() -> None:
    turn = said("Sold the mill yesterday, so I'm gonna open a tea house")
    (plan,) = [one for one in read(turn) if one.shape == "plans"]
    dated = date_candidate(turn, plan)
    assert dated.modality is Modality.PLANNED
    assert dated.validity.start.earliest_ms is None


@pytest.mark.parametrize(
    ("text", "name", "on"),
    [
        ("I had a quiet break after we moved last week", "had", None),
        ("I got some great news for the club - I joined the choir last week", "got", None),
        ("Last week was busy - I volunteered at a library", "volunteered_at", "2024-06-03"),
        ("Seven years now, and I've found my real calling", "found", None),
        ("I found a splendid atlas from the 1900s with old maps", "found", None),
        ("I visited Genoa when we had the week off last week", "visited", "2024-06-03"),
    ],
)
def test_time_words_of_another_clause_date_nothing(text: str, name: str, on: str | None) -> None:
    turn = said(text)
    [one] = [found for found in read(turn) if found.property == name]
    start = date_candidate(turn, one).validity.start
    assert (None if start.earliest_ms is None else day(start.earliest_ms)) == on
