"""What an answer of the model's must pass: its proof says it, and says it of the right one."""

import pytest

from apexmem_desktop.agent.grounding import find_unsupported, shares_words
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask, know
from tests.recall.chats import store_chat

ANA, BEN = "Ana Ruiz", "Ben Holt"
SAID = "I bought 3 kites at Harlow Market yesterday"


@pytest.fixture
def talk(vault: Vault) -> Vault:
    store_chat(
        vault,
        [
            (ANA, "2024-03-09T10:00", SAID),
            (BEN, "2024-03-09T10:01", "I bought 12 lamps in Tunbridge"),
        ],
    )
    return vault


def _number_of(vault: Vault, question: str, words: str) -> int:
    evidence = ask(vault, question).evidence
    return next(n for n, hit in enumerate(evidence, start=1) if words in hit.text)


def _answered(vault: Vault, question: str, words: str, answer: str, told: str = "yes") -> str:
    number = _number_of(vault, question, words)
    given = ask(vault, question, Model([f"turns: {number}\nanswer: {answer}"], told=told))
    assert given.abstained != bool(given.citations)
    return "" if given.abstained else given.answer


@pytest.mark.parametrize("answer", ["3 kites", "three kites", "at Harlow Market", "kites"])
def test_what_the_turn_says_is_given(talk: Vault, answer: str) -> None:
    assert _answered(talk, "What kites or lamps did Ana buy?", "kites", answer) == answer


@pytest.mark.parametrize(
    "answer",
    [
        "4 kites",  # a number that is not there
        "2 kites",  # nor is it in the year of the date beside it
        "kites at Selby Fair",  # a name
        "kites in August 1999",  # a date
        "an umbrella",  # nothing of it at all
    ],
)
def test_what_the_turn_does_not_say_is_declined(talk: Vault, answer: str) -> None:
    assert _answered(talk, "What kites or lamps did Ana buy?", "kites", answer) == ""


def test_what_somebody_else_did_is_declined(talk: Vault) -> None:
    assert _answered(talk, "What kites or lamps did Ana buy?", "lamps", "12 lamps") == ""


def test_what_the_model_does_not_find_told_is_declined(talk: Vault) -> None:
    assert _answered(talk, "What kites or lamps did Ana buy?", "kites", "3 kites", told="no") == ""


def test_what_is_known_as_something_else_is_declined(vault: Vault) -> None:
    ids = store_chat(
        vault,
        [(ANA, "2024-03-09T10:00", "I work a lot"), (ANA, "2024-03-09T10:01", "vegan, that is me")],
    )
    know(vault, ids[1], ANA, "diet", "vegan")
    for number in (1, 2):
        reply = f"turns: {number}\nanswer: vegan"
        assert ask(vault, "What does Ana do for a living?", Model([reply])).abstained
        assert not ask(vault, "What is said of Ana, vegan?", Model([reply])).abstained


def test_a_number_of_no_turn_is_declined(talk: Vault) -> None:
    answer = ask(
        talk, "What kites or lamps did Ana buy?", Model(["turns: 77\nanswer: something else"])
    )
    assert answer.abstained
    assert answer.dropped


def test_the_turn_that_tells_it_is_cited_where_the_number_is_wrong(talk: Vault) -> None:
    wrong = _number_of(talk, "What kites or lamps did Ana buy?", "lamps")
    answer = ask(
        talk, "What kites or lamps did Ana buy?", Model([f"turns: {wrong}\nanswer: 3 kites"])
    )
    assert [one.quote for one in answer.citations] == [SAID]


def test_the_date_is_worked_out_whatever_the_model_wrote(talk: Vault) -> None:
    for written in ("9 March 2024", "yesterday", "5 May 1999"):
        assert _answered(talk, "When did Ana buy the kites?", "kites", written) == "8 March 2024"


def test_a_turn_without_time_words_tells_only_when_it_was_said(talk: Vault) -> None:
    given = _answered(talk, "When did Ben buy lamps?", "lamps", "9 March 2024")
    assert given == "around 9 March 2024"


def test_what_was_counted_by_a_query_may_be_said(talk: Vault) -> None:
    question = "In total, what kites did Ana buy and say?"
    number = _number_of(talk, question, "kites")
    query = "GraphSQL: SELECT count(*) + 40 AS n FROM v_turns WHERE speaker = 'Ana Ruiz'"
    reply = f"turns: {number}\nanswer: 41 kites"
    assert ask(talk, question, Model([query, reply])).answer == "41 kites"
    assert ask(talk, question, Model([reply])).abstained


@pytest.mark.parametrize(
    ("answer", "proof", "missing"),
    [
        ("2", "two of them", []),
        ("2", "it was 2024", ["2"]),
        ("5", "on the 25th", ["5"]),
        ("1:58", "in 1:58!", []),
        ("Al", "also called", ["Al"]),
        ("Tobias", "Tobias' stove", []),
        ("杭州", "我搬到了杭州", []),
        ("北京", "我搬到了杭州", ["北京"]),
    ],
)
def test_numbers_and_names_are_looked_up_whole(answer: str, proof: str, missing: list[str]) -> None:
    assert find_unsupported(answer, [proof], "") == missing


def test_yes_and_no_need_no_words_of_their_own() -> None:
    assert shares_words("Yes", ["anything"])
    assert not shares_words("umbrella", ["anything"])
