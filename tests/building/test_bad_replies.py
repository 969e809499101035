"""What makes a reply of no use, and that a turn of which the model gives none is never lost."""

from collections.abc import Callable
from typing import Any

import pytest

from apexmem_desktop.building import extraction
from apexmem_desktop.building.bad_replies import (
    CUT_OFF,
    EMPTY,
    OTHER_LANGUAGE,
    OUT_OF_FORM,
    REPEATED,
    why_bad_choice,
)
from apexmem_desktop.building.reader import BatchReader, Tally
from apexmem_desktop.building.statements import Saying, Sentence
from apexmem_desktop.domain.errors import ModelCrashedError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.language import GenerateRequest, Generation, PromptTooLongError
from apexmem_desktop.storage import jobs, queue
from apexmem_desktop.storage.vault import Vault
from tests.building.telling import ms, said, spell_fact, tell, told_facts
from tests.fakes import Reply, ScriptedLanguage

# Neither a pattern nor a clause reads these, but they have a cue.
OPEN = "My new thing with Lena is fencing, started in spring"
OTHER = "And my other thing, sewing, started there too"
GOOD = "Ana Ruiz | started | fencing"
CIRCLES = "\n".join([GOOD] * 3)
BAD: dict[str, tuple[Reply, str]] = {
    "cut off": (Generation(text="Ana Ruiz | started | fen", finish="length"), CUT_OFF),
    "the same line again": (CIRCLES, REPEATED),
    "the same words again": ("Ana Ruiz | started | " + "fencing with " * 5, REPEATED),
    "in circles": (Generation(text="Ana | likes | tea tea tea tea", finish="length"), REPEATED),
    "empty": ("", EMPTY),
    "white space": (" \n", EMPTY),
    "no line": ("She started fencing.", OUT_OF_FORM),
    "JSON": ('{"facts": [{"who"', OUT_OF_FORM),
    "no such property": ("Ana Ruiz | shoe_size_of | fencing", OUT_OF_FORM),
    "Chinese of English": ("Ana Ruiz | started | 击剑", OTHER_LANGUAGE),
    "Russian of English": ("Ana Ruiz | started | фехтование", OTHER_LANGUAGE),
}


def _sentence(text: str) -> Sentence:
    return Sentence(text, 0, len(text), Saying.STATEMENT)


def _why(text: str, reply: Reply) -> str:
    given = reply if isinstance(reply, Generation) else Generation(text=str(reply), finish="stop")
    return extraction.why_bad(said(text), _sentence(text), given)


@pytest.mark.parametrize("name", BAD)
def test_each_kind_is_told_by_its_name(name: str) -> None:
    reply, reason = BAD[name]
    assert _why(OPEN, reply) == reason


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        (OPEN, "-"),
        (OPEN, GOOD),
        (OPEN, f"{GOOD}\nLena | started | fencing"),
        ("I said ha ha ha ha!", "Ana Ruiz | likes | ha ha ha ha"),
        ("I started tea tea tea tea club", "Ana Ruiz | started | tea tea tea tea club"),
        ("我开始学击剑了", "Ana Ruiz | started | 击剑"),
    ],
)
def test_what_can_be_read_is_not_called_bad(text: str, reply: str) -> None:
    assert _why(text, reply) == ""


def test_a_choice_without_weights_is_empty() -> None:
    request = GenerateRequest(messages=(), choices=("yes", "no"))
    weighed = Generation(text="yes", finish="stop", choice_probabilities={"yes": 0.9, "no": 0.1})
    assert why_bad_choice(request, weighed) == ""
    assert why_bad_choice(request, Generation(text="", finish="stop")) == EMPTY
    wild = Generation(text="", finish="stop", choice_probabilities={"yes": 3.0, "no": 0.1})
    assert why_bad_choice(request, wild) == OUT_OF_FORM


def _read(vault: Vault, ids: list[int], answer: Callable[[GenerateRequest], Reply]) -> Tally:
    language = ScriptedLanguage(answer)
    reader = BatchReader(vault, language, now_ms=lambda: ms("2024-08-01"))
    return reader.read(ids, cancel=CancelToken())


def _is_narrow(request: GenerateRequest) -> bool:
    return request.grammar.startswith('root ::= "-" | line\n')


def _jobs(vault: Vault) -> list[Any]:
    with vault.read() as db:
        found = db.exec_driver_sql("SELECT state, reason FROM jobs ORDER BY turn_id")
        return [tuple(row) for row in found]


@pytest.mark.parametrize("name", BAD)
def test_what_is_bad_once_is_asked_in_a_narrower_form(vault: Vault, name: str) -> None:
    def answer(request: GenerateRequest) -> Reply:
        if request.choices:
            return "yes"
        return GOOD if _is_narrow(request) else BAD[name][0]

    tally = _read(vault, tell(vault, OPEN), answer)
    assert "Ana Ruiz started fencing" in [spell_fact(one) for one in told_facts(vault)]
    assert _jobs(vault) == [("read", "")]
    assert tally.failed == {}
    assert tally.model_calls == 3  # two replies and a check were paid for


@pytest.mark.parametrize("name", BAD)
def test_what_is_bad_twice_is_parked_with_its_reason_and_stops_nothing(
    vault: Vault, name: str
) -> None:
    reply, reason = BAD[name]

    def answer(request: GenerateRequest) -> Reply:
        if request.choices:
            return "yes"
        if "sewing" in request.messages[-1].text:
            return "Ana Ruiz | started | sewing"
        return reply

    tally = _read(vault, tell(vault, OPEN, OTHER), answer)
    assert _jobs(vault) == [("failed", reason), ("read", "")]
    assert tally.failed == {reason: 1}
    assert tally.read == 1
    assert "Ana Ruiz started sewing" in [spell_fact(one) for one in told_facts(vault)]


def test_what_the_rules_read_of_a_failed_turn_is_kept(vault: Vault) -> None:
    _read(vault, tell(vault, f"I moved to Rome. {OPEN}"), lambda _: "")
    assert [spell_fact(one) for one in told_facts(vault)] == ["Ana Ruiz lives_in Rome"]
    assert _jobs(vault) == [("failed", EMPTY)]


def test_a_failed_turn_is_read_again_when_it_is_asked_for(vault: Vault) -> None:
    ids = tell(vault, f"I moved to Rome. {OPEN}")
    _read(vault, ids, lambda _: "")
    with vault.write() as db:
        assert jobs.find_jobs(db, limit=9) == []
        [failed] = queue.find_failed(db, limit=9)
        assert (failed.reason, failed.attempts) == (EMPTY, 1)
        assert queue.queue_failed_again(db, now_ms=1) == 1
        assert jobs.find_jobs(db, limit=9) == ids
    _read(vault, ids, lambda request: "yes" if request.choices else GOOD)
    told = [spell_fact(one) for one in told_facts(vault)]
    assert told.count("Ana Ruiz lives_in Rome") == 1
    assert "Ana Ruiz started fencing" in told


def test_a_turn_that_kills_the_model_is_parked_and_the_rest_is_read(vault: Vault) -> None:
    def answer(request: GenerateRequest) -> Reply:
        if request.choices:
            return "yes"
        if "fencing" in request.messages[-1].text:
            return ModelCrashedError("signal 11")
        return "Ana Ruiz | started | sewing"

    tally = _read(vault, tell(vault, OPEN, OTHER, "I moved to Rome"), answer)
    [(state, reason), *others] = _jobs(vault)
    assert state == "failed"
    assert reason == "the model's process ended on it, tried twice (signal 11)"
    assert others == [("read", ""), ("read", "")]
    assert tally.failed == {reason: 1}
    told = [spell_fact(one) for one in told_facts(vault)]
    assert {"Ana Ruiz started sewing", "Ana Ruiz lives_in Rome"} <= set(told)


def test_a_turn_that_kills_the_model_once_is_read_the_second_time(vault: Vault) -> None:
    deaths = [ModelCrashedError("killed"), ModelCrashedError("killed")]

    def answer(request: GenerateRequest) -> Reply:
        if request.choices:
            return "yes"
        return deaths.pop() if deaths else GOOD  # once in the batch, once alone

    _read(vault, tell(vault, OPEN), answer)
    assert _jobs(vault) == [("read", "")]
    assert "Ana Ruiz started fencing" in [spell_fact(one) for one in told_facts(vault)]


def test_a_check_that_kills_the_model_parks_the_turn_and_stores_nothing_unchecked(
    vault: Vault,
) -> None:
    def answer(request: GenerateRequest) -> Reply:
        if request.choices:
            healthy = request.messages[-1].text == "Say yes."
            return "yes" if healthy else ModelCrashedError("signal 6")
        return GOOD

    _read(vault, tell(vault, OPEN), answer)
    assert [state for state, _ in _jobs(vault)] == ["failed"]
    assert told_facts(vault) == []


@pytest.mark.parametrize("error", [PromptTooLongError("9000 tokens"), ValueError("grammar")])
def test_what_the_model_cannot_be_asked_about_harms_no_other(
    vault: Vault, error: Exception
) -> None:
    def answer(request: GenerateRequest) -> Reply:
        if request.choices:
            return "yes"
        return error if "fencing" in request.messages[-1].text else "Ana Ruiz | started | sewing"

    _read(vault, tell(vault, OPEN, OTHER), answer)
    assert [state for state, _ in _jobs(vault)] == ["failed", "read"]
    assert "Ana Ruiz started sewing" in [spell_fact(one) for one in told_facts(vault)]


def test_the_narrow_form_allows_one_short_fact() -> None:
    text = "I started " + " ".join(f"word{n}" for n in range(40))
    grammar = extraction.reply_grammar(
        ["Ana"], ["started"], text, most_facts=1, most_units=extraction.NARROW_UNITS
    )
    first_value = next(line for line in grammar.split("\n") if line.startswith("w2 ::="))
    assert first_value.count('"word') == extraction.NARROW_UNITS
    assert '"\\n" line' not in grammar
