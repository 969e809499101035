"""A batch is written whole or not at all, with what it cost and what did not stand."""

import json
from typing import Any

import pytest

from apexmem_desktop.building.reader import BatchReader, Tally
from apexmem_desktop.domain.errors import CancelledError, ModelCrashedError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.inference.prompts import load_prompt
from apexmem_desktop.storage import jobs
from apexmem_desktop.storage.vault import Vault
from tests.building.telling import ms, spell_fact, tell, told_facts
from tests.fakes import Reply, ScriptedLanguage
from tests.storage.builders import count

NOW = ms("2024-08-01")
# Neither a pattern nor a clause reads this, but it has a cue.
OPEN = "My new thing with Lena is fencing, started in spring"
CLEAR = "I moved to Rome"


def answering(lines: str, verdict: str = "yes") -> ScriptedLanguage:
    """A model that proposes these lines of any sentence and passes one verdict on all."""
    return ScriptedLanguage(lambda request: verdict if request.choices else lines)


def _read(
    vault: Vault, ids: list[int], language: ScriptedLanguage, cancel: CancelToken | None = None
) -> Tally:
    reader = BatchReader(vault, language, now_ms=lambda: NOW)
    return reader.read(ids, cancel=cancel or CancelToken())


def _rows(vault: Vault, sql: str) -> list[Any]:
    with vault.read() as db:
        return list(db.exec_driver_sql(sql))


def _states(vault: Vault) -> dict[str, int]:
    with vault.read() as db:
        return {state: n for state, n in jobs.counts(db).items() if n}


def test_what_a_pattern_reads_costs_no_model_call(vault: Vault) -> None:
    language = ScriptedLanguage([])
    tally = _read(vault, tell(vault, CLEAR, "ok", "Do you live in Rome?"), language)
    assert [spell_fact(one) for one in told_facts(vault)] == ["Ana Ruiz lives_in Rome"]
    assert (tally.read, tally.gated_out, tally.model_calls) == (3, 2, 0)
    assert _states(vault) == {"read": 1, "gated": 2}


def test_what_no_pattern_reads_is_asked_and_then_checked(vault: Vault) -> None:
    language = answering("Ana Ruiz | started | fencing")
    tally = _read(vault, tell(vault, OPEN), language)
    assert [spell_fact(one) for one in told_facts(vault)] == [
        "Ana Ruiz started fencing",
        "Ana Ruiz practises fencing",
    ]
    assert [bool(request.choices) for request in language.requests] == [False, True]
    assert tally.model_calls == 2
    assert tally.prompt_tokens > 0
    assert tally.output_tokens > 0


def test_a_name_that_was_never_said_is_dropped_and_kept_to_be_looked_at(vault: Vault) -> None:
    language = answering("John Doe | works_at | fencing\nAna Ruiz | started | fencing", "no")
    tally = _read(vault, tell(vault, OPEN), language)
    assert told_facts(vault) == []
    reasons = {"subject not in the turn": 1, "the message does not say so": 1}
    assert tally.dropped == reasons
    kept = _rows(vault, "SELECT reason, candidate, run_id FROM drops ORDER BY reason")
    assert {reason for reason, _, _ in kept} == set(reasons)
    assert "Ana Ruiz | started | fencing" in [candidate for _, candidate, _ in kept]
    assert all(run_id is not None for _, _, run_id in kept)


def test_nothing_lasting_is_an_answer_too(vault: Vault) -> None:
    _read(vault, tell(vault, OPEN), answering("-"))
    assert told_facts(vault) == []
    assert _states(vault) == {"read": 1}
    assert _rows(vault, "SELECT purpose FROM runs") == [("extract",)]


def test_every_call_is_recorded_with_what_made_it(vault: Vault) -> None:
    [turn_id] = tell(vault, OPEN)
    language = answering("Ana Ruiz | started | fencing")
    _read(vault, [turn_id], language)
    recorded = _rows(
        vault,
        "SELECT purpose, prompt_version, prompt_sha256, model_sha256, turn_ids, started_at_ms,"
        " schema_sha256 FROM runs ORDER BY id",
    )
    for row, name in zip(recorded, ("extract", "check"), strict=True):
        prompt = load_prompt(name)
        assert row[:4] == (name, prompt.version, prompt.sha256, "scripted")
        assert json.loads(row[4]) == [turn_id]
        assert row[5] == NOW
    schemas = [row[6] for row in recorded]
    assert schemas == [request.schema_sha256 for request in language.requests]
    assert len(set(schemas)) == 2
    assert all(len(digest) == 64 for digest in schemas)
    outputs = [output for (output,) in _rows(vault, "SELECT output FROM runs ORDER BY id")]
    assert outputs[0] == "Ana Ruiz | started | fencing"
    assert outputs[1]


def test_each_sentences_facts_name_the_call_that_proposed_them(vault: Vault) -> None:
    def reply(request: GenerateRequest) -> Reply:
        words = "fencing" if "fencing" in request.messages[-1].text else "sewing"
        return "yes" if request.choices else f"Ana Ruiz | started | {words}"

    [turn_id] = tell(vault, f"{OPEN}. And my other thing, sewing, started there too!")
    _read(vault, [turn_id], ScriptedLanguage(reply))
    proposed = _rows(
        vault,
        "SELECT facts.value, runs.output FROM facts JOIN runs ON runs.id = facts.run_id"
        " WHERE runs.purpose = 'extract'",
    )
    assert {value for value, _ in proposed} == {"fencing", "sewing"}
    assert all(output.endswith(value) for value, output in proposed)


def test_a_model_that_crashes_of_anything_leaves_nothing_behind(vault: Vault) -> None:
    def dies(_: GenerateRequest) -> Reply:
        return ModelCrashedError("gone")

    def dies_of_checks(request: GenerateRequest) -> Reply:
        return ModelCrashedError("gone") if request.choices else "Ana Ruiz | started | fencing"

    ids = tell(vault, CLEAR, OPEN)
    for script in (dies, dies_of_checks):
        with pytest.raises(ModelCrashedError):
            _read(vault, ids, ScriptedLanguage(script))
        for table in ("facts", "events", "entities", "runs", "drops", "mentions"):
            assert count(vault, table) == 0
        assert _states(vault) == {"pending": 2}


def test_a_cancel_while_the_model_thinks_marks_nothing_as_read(vault: Vault) -> None:
    ids = tell(vault, CLEAR, OPEN)
    token = CancelToken()

    def reply(_: GenerateRequest) -> Reply:
        token.cancel()
        return Generation(text="Ana Ruiz | started | fen", finish="cancelled")

    with pytest.raises(CancelledError):
        _read(vault, ids, ScriptedLanguage(reply), token)
    assert count(vault, "facts") == 0
    assert _states(vault) == {"pending": 2}


def test_reading_twice_adds_no_fact(vault: Vault) -> None:
    ids = tell(vault, CLEAR, OPEN)
    language = answering("Ana Ruiz | started | fencing")
    _read(vault, ids, language)
    tally = _read(vault, ids, language)
    assert (tally.facts, tally.events, tally.entities) == ([], 0, 0)
    assert len(told_facts(vault)) == 3


def test_known_people_are_found_in_the_words_of_the_batch(vault: Vault) -> None:
    told = tell(vault, ("Lena Vos", "I like tea"), "Coffee with Lena Vos at the harbour, lovely")
    _read(vault, told, answering("-"))
    found = _rows(
        vault,
        "SELECT mentions.turn_id FROM mentions JOIN entities ON entities.id = entity_id"
        " WHERE name = 'Lena Vos' AND mentions.role = 0",
    )
    assert found == [(told[1],)]
