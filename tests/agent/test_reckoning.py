"""Two events: each is dated by a question of its own, and the rest is reckoned."""

from datetime import date

import pytest

from apexmem_desktop.agent.reckoning import Dated, read_reckoning, reckon
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask
from tests.recall.chats import store_chat

TODAY = date(2024, 6, 20)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "Which event happened first, the sale of the boat or the flood?",
            ("When was the sale of the boat?", "When was the flood?"),
        ),
        (
            "Which course did Ana take first, pottery or welding?",
            ("When did Ana take pottery?", "When did Ana take welding?"),
        ),
        (
            "Who moved to Porto first, Ana or Ben?",
            ("When was it that Ana moved to Porto?", "When was it that Ben moved to Porto?"),
        ),
        (
            "How many days passed between the day I sold the boat and the day I bought a kiln?",
            ("When was it that I sold the boat?", "When was it that I bought a kiln?"),
        ),
        (
            "How many weeks had passed since I sold the boat when I bought the kiln?",
            ("When was it that I sold the boat?", "When was it that I bought the kiln?"),
        ),
        ("How many months ago did Ana sell the boat?", ("When did Ana sell the boat?",)),
        (
            "李雪先学了钢琴还是先学了吉他？",
            ("李雪什么时候学了钢琴？", "李雪什么时候学了吉他？"),
        ),
        ("从我搬家到我换工作之间隔了几个月？", ("什么时候我搬家？", "什么时候我换工作？")),
    ],
)
def test_a_question_about_two_events_is_taken_apart(question: str, asked: tuple[str, ...]) -> None:
    found = read_reckoning(question)
    assert found is not None
    assert found.questions == asked


@pytest.mark.parametrize(
    "question",
    [
        "When did Ana sell the boat?",
        "How many kilns does Ana have?",
        "How many weeks does the course last?",
        "What was the first boat that Ana had, and is it blue or green?",
        "李雪住在哪里？",
    ],
)
def test_any_other_question_is_left_alone(question: str) -> None:
    assert read_reckoning(question) is None


def _on(first: date, last: date | None = None) -> Dated:
    return Dated(first, last or first, ())


def _reckoned(question: str, dates: dict[str, Dated | None], language: str = "en") -> str | None:
    what = read_reckoning(question)
    assert what is not None

    def find_date(asked: str) -> Dated | None:
        return next(found for words, found in dates.items() if words in asked)

    proved = reckon(what, find_date, today=TODAY, language=language)
    return proved.answer if proved is not None else None


@pytest.mark.parametrize(
    ("unit", "start", "end", "answer"),
    [
        ("days", date(2024, 2, 28), date(2024, 3, 1), "2 days"),
        ("days", date(2024, 3, 1), date(2024, 2, 29), "1 day"),
        ("weeks", date(2024, 3, 1), date(2024, 3, 22), "3 weeks"),
        ("months", date(2023, 11, 15), date(2024, 5, 20), "6 months"),
        ("months", date(2023, 11, 15), date(2024, 5, 2), "5 months"),
        ("years", date(2020, 6, 1), date(2024, 5, 30), "4 years"),
    ],
)
def test_what_lies_between_is_counted_on_the_calendar(
    unit: str, start: date, end: date, answer: str
) -> None:
    question = f"How many {unit} passed between the sale and the purchase?"
    assert _reckoned(question, {"sale": _on(start), "purchase": _on(end)}) == answer


def test_what_is_not_known_to_the_day_is_about() -> None:
    week = _on(date(2024, 3, 4), date(2024, 3, 10))
    question = "How many days passed between the sale and the purchase?"
    assert (
        _reckoned(question, {"sale": week, "purchase": _on(date(2024, 3, 17))}) == "about 10 days"
    )


def test_how_long_ago_is_counted_to_today() -> None:
    question = "How many days ago did I sell it?"
    assert _reckoned(question, {"sell": _on(date(2024, 6, 17))}) == "3 days"


def test_the_first_of_two_is_the_one_that_ended_before_the_other_began() -> None:
    question = "Which did I do first, the sale or the purchase?"
    early, late = _on(date(2024, 3, 1)), _on(date(2024, 4, 1))
    assert _reckoned(question, {"sale": late, "purchase": early}) == "the purchase"
    assert _reckoned(question, {"sale": early, "purchase": late}) == "the sale"
    month = _on(date(2024, 3, 1), date(2024, 3, 31))
    assert _reckoned(question, {"sale": early, "purchase": month}) is None


def test_without_the_one_date_nothing_is_reckoned() -> None:
    question = "How many days passed between the sale and the purchase?"
    assert _reckoned(question, {"sale": _on(TODAY), "purchase": None}) is None


def test_it_is_answered_from_the_turns_with_both_as_proof(vault: Vault) -> None:
    store_chat(
        vault,
        [
            ("Ana Ruiz", "2024-03-01T10:00", "I sold the boat yesterday"),
            ("Ana Ruiz", "2024-04-01T10:00", "I bought a kiln last Monday"),
        ],
    )

    def find(prompt: str) -> str:
        question = prompt.rsplit("Question:", 1)[-1]
        return "yesterday" if "boat" in question else "last Monday"

    asked = "How many days passed between the day Ana sold the boat and the day Ana bought a kiln?"
    answer = ask(vault, asked, Model(finds=find))
    assert answer.answer == "25 days"
    assert {one.quote for one in answer.citations} == {
        "I sold the boat yesterday",
        "I bought a kiln last Monday",
    }


def test_an_event_that_nobody_told_is_not_reckoned_with(vault: Vault) -> None:
    store_chat(vault, [("Ana Ruiz", "2024-03-01T10:00", "I sold the boat yesterday")])

    def find(prompt: str) -> str:
        return "yesterday" if "boat" in prompt.rsplit("Question:", 1)[-1] else "none"

    asked = "Which did Ana sell first, the boat or the kiln?"
    assert ask(vault, asked, Model(finds=find)).abstained


def test_anothers_deed_is_not_reckoned_with(vault: Vault) -> None:
    store_chat(
        vault,
        [
            ("Ana Ruiz", "2024-03-01T10:00", "my cello lesson was long"),
            ("Ben Holt", "2024-03-02T10:00", "I repaired the garden gate yesterday"),
            ("Ana Ruiz", "2024-03-02T10:01", "that gate squeaked for years, well done"),
        ],
    )
    asked = "How many days ago did Ana repair the garden gate?"
    theirs = ask(vault, asked, Model(finds="yesterday", whose="Ben Holt"))
    assert theirs.abstained
    assert "Ben Holt on 2 March 2024" in theirs.summary
    own = ask(vault, asked.replace("Ana", "Ben"), Model(finds="yesterday", whose="Ben Holt"))
    assert own.answer == "517 days"
