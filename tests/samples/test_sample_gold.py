"""The gold beside the samples is true: every quote occurs, every date is the one the words mean."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from reading_samples import CHATGPT, FILES, Message, read_gold, read_sample

MESSAGES = {file: read_sample(file) for file in FILES}
GOLD = read_gold("expected_facts.toml")["sample"]
QUESTIONS: list[dict[str, Any]] = read_gold("questions.toml")["question"]
FACTS = [(sample["file"], fact) for sample in GOLD for fact in sample["facts"]]
NOT_FACTS = [(sample["file"], fact) for sample in GOLD for fact in sample["not_facts"]]

_DAYS_AWAY = {
    "today": 0, "since today": 0, "this morning": 0, "今天": 0,
    "yesterday": -1, "last night": -1, "gestern": -1, "昨天": -1,
    "the day before yesterday": -2, "vorgestern": -2,
    "three days ago": -3, "two weeks ago": -14, "three weeks ago": -21, "morgen": 1,
}  # fmt: skip
_LATEST_WEEKDAY = {"last saturday": 5, "on saturday": 5, "last sunday": 6, "letzten sonntag": 6}
_WEEKDAY_OF_LAST_WEEK = {"上周六": 5, "上周日": 6}


def _turn_with(file: str, gold: dict[str, Any]) -> Message:
    branch = gold.get("branch", "current")
    turns = [
        message
        for message in MESSAGES[file]
        if gold["quote"] in message.text
        and message.speaker == gold["speaker"]
        and message.branch == branch
    ]
    assert len(turns) == 1, f"{len(turns)} turns hold {gold['quote']!r}"
    return turns[0]


def _month_before(day: date) -> str:
    return (day.replace(day=1) - timedelta(days=1)).strftime("%Y-%m")


def _days(first: date, last: date) -> str:
    return f"{first}/{last}"


def _meant(words: str, said: date) -> str:
    """What the words mean on the day they were said, reckoned apart from chronology/."""
    monday = said - timedelta(days=said.weekday())
    if words in _DAYS_AWAY:
        return str(said + timedelta(days=_DAYS_AWAY[words]))
    if words in _LATEST_WEEKDAY:
        back = (said.weekday() - _LATEST_WEEKDAY[words] - 1) % 7 + 1
        return str(said - timedelta(days=back))
    if words in _WEEKDAY_OF_LAST_WEEK:
        return str(monday + timedelta(days=_WEEKDAY_OF_LAST_WEEK[words] - 7))
    spans = {
        "last weekend": _days(monday - timedelta(days=2), monday - timedelta(days=1)),
        "at the weekend": _days(monday - timedelta(days=2), monday - timedelta(days=1)),
        "last week": _days(monday - timedelta(days=7), monday - timedelta(days=1)),
        "上个星期": _days(monday - timedelta(days=7), monday - timedelta(days=1)),
        "last month": _month_before(said),
        "上个月": _month_before(said),
        "since january": f"{said.year}-01",
        "since new year": f"{said.year}-01-01",
        "since new year's day": f"{said.year}-01-01",
        "seit letztem herbst": f"{said.year - 1}-09-01/{said.year - 1}-11-30",
        "去年夏天": f"{said.year - 1}-06-01/{said.year - 1}-08-31",
        "seit zwei jahren": f"{said.year - 2}",
    }
    return spans[words]


@pytest.mark.parametrize(("file", "gold"), FACTS + NOT_FACTS)
def test_each_quote_stands_in_one_turn_of_its_speaker(file: str, gold: dict[str, Any]) -> None:
    assert _turn_with(file, gold).text


@pytest.mark.parametrize(("file", "fact"), [pair for pair in FACTS if "time_words" in pair[1]])
def test_each_relative_date_is_the_one_meant(file: str, fact: dict[str, Any]) -> None:
    turn = _turn_with(file, fact)
    assert fact["time_words"] in turn.text
    assert fact["valid_from"] == _meant(fact["time_words"].casefold(), turn.said.date())


@pytest.mark.parametrize(("file", "fact"), FACTS)
def test_each_fact_is_well_formed(file: str, fact: dict[str, Any]) -> None:
    bounds = [bound for bound in fact["valid_from"].split("/") if bound]
    assert all(re.fullmatch(r"\d{4}(-\d\d){0,2}", bound) for bound in bounds)
    assert bounds == sorted(bounds)
    assert all(date.fromisoformat(bound) for bound in bounds if len(bound) == 10)
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", fact["property"])
    assert fact["modality"] in {"asserted", "planned"}
    assert isinstance(fact["polarity"], bool)


@pytest.mark.parametrize(("file", "fact"), FACTS)
def test_each_value_stands_in_the_words_that_prove_it(file: str, fact: dict[str, Any]) -> None:
    assert fact["value"] in _turn_with(file, fact).text


def test_there_is_enough_gold() -> None:
    assert len(FACTS) >= 60
    assert len(NOT_FACTS) >= 60
    assert {file for file, _ in FACTS} == {file for file, _ in NOT_FACTS} == set(FILES)


def test_facts_and_not_facts_do_not_share_words() -> None:
    for file, gold in NOT_FACTS:
        for other, fact in FACTS:
            if file == other and fact["speaker"] == gold["speaker"]:
                assert gold["quote"] not in fact["quote"]
                assert fact["quote"] not in gold["quote"]


def test_nothing_an_assistant_says_is_gold() -> None:
    speakers = {fact["speaker"] for file, fact in FACTS if file == CHATGPT}
    assert speakers == {"user"}


def test_the_questions_cover_every_kind() -> None:
    kinds = {question["kind"] for question in QUESTIONS}
    assert len(QUESTIONS) >= 12
    assert kinds >= {
        "now", "before", "when_changed", "why", "how_many", "who", "declined", "chinese",
        "as_of", "plan", "third_person", "contradiction",
    }  # fmt: skip


def test_the_demo_asks_at_least_eight_kinds() -> None:
    kinds = {question["kind"] for question in QUESTIONS if question.get("demo")}
    assert kinds >= {
        "now", "when_changed", "before", "why", "how_many", "who", "declined", "chinese",
    }  # fmt: skip


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked["question"])
def test_each_question_can_be_checked(asked: dict[str, Any]) -> None:
    assert date.fromisoformat(asked["now"]) >= date(2025, 7, 31)
    assert asked["must_abstain"] != bool(asked.get("any_of") or asked.get("all_of"))
    assert asked["must_abstain"] or asked.get("may_abstain") or asked["evidence"]


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked["question"])
def test_the_evidence_of_each_question_is_in_one_turn_each(asked: dict[str, Any]) -> None:
    current = [m for turns in MESSAGES.values() for m in turns if m.branch == "current"]
    for quote in asked["evidence"]:
        assert sum(quote in message.text for message in current) == 1


def test_nobody_ever_speaks_of_what_must_be_declined() -> None:
    everything = " ".join(m.text.casefold() for turns in MESSAGES.values() for m in turns)
    assert "shoe" not in everything
    assert not re.search(r"\bada (works|is a|is an|has a job)\b", everything)
