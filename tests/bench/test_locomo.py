"""LoCoMo's questions from file to figures, with a scripted model."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apexmem_desktop.bench import locomo
from apexmem_desktop.bench.cases import sample_questions
from apexmem_desktop.bench.catalogue import Choices, run_locomo
from apexmem_desktop.bench.shapes import DataShapeError
from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.inference.language import GenerateRequest
from tests.bench.conftest import SAMPLE, MakeOpener
from tests.fakes import Reply

REPLIES = {
    "When did Ben go": "7 May 2023",
    "What did Ben paint": "a lighthouse",
    "Where does Ana live": "not mentioned",
    "the name of Ben's dog": "not mentioned",
}


def _answer(request: GenerateRequest) -> Reply:
    question = request.messages[-1].text.rpartition("Question:")[2]
    return next((reply for part, reply in REPLIES.items() if part in question), "-")


@pytest.fixture
def choices(data: Path, tmp_path: Path, opener: MakeOpener) -> Choices:
    return Choices(tmp_path / "vaults", data, ("rag",), open_workspace=opener(_answer))


def _groups(document: dict[str, Any], system: str) -> dict[str, Any]:
    return {one["name"]: one for one in document["systems"][system]["groups"]}


@pytest.mark.parametrize("system", ["rag", "full-context"])
def test_answers_are_scored_by_category(choices: Choices, system: str) -> None:
    groups = _groups(run_locomo(replace(choices, systems=(system,))).document, system)
    assert groups["temporal"]["score"]["value"] == 1.0
    assert groups["temporal"]["date_right"]["value"] == 1.0
    assert groups["multi-hop"]["score"]["value"] == 0.5  # the heron is missing
    assert groups["single-hop"]["abstained"]["value"] == 1.0
    assert groups["adversarial"]["score"]["value"] == 1.0
    assert groups["answerable"]["n"] == 3
    assert groups["answerable"]["score"]["value"] == pytest.approx(0.5, abs=1e-3)


def test_evidence_is_found_by_the_ids_of_the_data(choices: Choices) -> None:
    groups = _groups(run_locomo(choices).document, "rag")
    assert groups["answerable"]["recall"]["25"] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 3}


def test_the_memory_is_ranked_as_far_as_the_alternative(choices: Choices, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    run_locomo(replace(choices, systems=("apex", "rag"), build=False, out=out))
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    ours, theirs = (
        [line["found"] for line in lines if line["system"] == system] for system in ("apex", "rag")
    )
    assert all(len(found) == len(set(found)) for found in ours)
    assert [set(found) for found in ours] == [set(found) for found in theirs]


def test_who_reads_everything_has_no_recall(choices: Choices) -> None:
    full = run_locomo(replace(choices, systems=("full-context",))).document
    recall = _groups(full, "full-context")["answerable"]["recall"]
    assert {one["n"] for one in recall.values()} == {0}


def test_the_full_conversation_is_a_prefix_with_its_dates(
    choices: Choices, opener: MakeOpener
) -> None:
    asked: list[GenerateRequest] = []

    def note(request: GenerateRequest) -> Reply:
        asked.append(request)
        return "x"

    run_locomo(replace(choices, systems=("full-context",), open_workspace=opener(note)))
    prefixes = {request.messages[: request.static_messages] for request in asked}
    assert len(asked) == 4
    assert len(prefixes) == 1
    text = prefixes.pop()[0].text
    assert "8 May 2023\nAna: Hey Ben!" in text
    assert "3 June 2023\nBen: I painted" in text


def test_every_answer_is_written_down(choices: Choices, tmp_path: Path) -> None:
    out = tmp_path / "out" / "answers.jsonl"
    run_locomo(replace(choices, systems=("apex",), build=False, out=out))
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["question_id"] for line in lines] == [f"own-1/{n}" for n in (1, 2, 3, 4)]
    assert lines[0]["gold"] == "7 May 2023"
    assert lines[0]["evidence"] == ["D1:2"]
    assert lines[0]["steps"][0]["tool"] == "Search"
    assert {"answer", "cited", "dropped", "usage", "abstained"} <= set(lines[0])


def test_a_run_resumes_without_asking_again(
    choices: Choices, tmp_path: Path, opener: MakeOpener
) -> None:
    out = tmp_path / "answers.jsonl"
    whole = run_locomo(replace(choices, out=out)).document
    kept = out.read_text(encoding="utf-8").splitlines()[:2]
    out.write_text("\n".join(kept) + "\n", encoding="utf-8")
    asked: list[str] = []

    def note(request: GenerateRequest) -> Reply:
        asked.append(request.messages[-1].text)
        return _answer(request)

    again = run_locomo(replace(choices, out=out, resume=True, open_workspace=opener(note)))
    assert len(asked) == 2
    assert _groups(again.document, "rag") == _groups(whole, "rag")
    assert len(out.read_text(encoding="utf-8").splitlines()) == 4


def test_answers_of_other_code_are_asked_again(
    choices: Choices, tmp_path: Path, opener: MakeOpener
) -> None:
    out = tmp_path / "answers.jsonl"
    run_locomo(replace(choices, out=out))
    other = [json.loads(line) | {"stamp": "other"} for line in out.read_text("utf-8").splitlines()]
    out.write_text("\n".join(map(json.dumps, other)), encoding="utf-8")
    asked: list[str] = []

    def note(request: GenerateRequest) -> Reply:
        asked.append(request.messages[-1].text)
        return _answer(request)

    again = replace(choices, out=out, resume=True, open_workspace=opener(note))
    run_locomo(replace(again, any_code=True))
    assert asked == []
    out.write_text("\n".join(map(json.dumps, other)), encoding="utf-8")
    run_locomo(again)
    assert len(asked) == 4


def test_a_built_vault_is_kept_with_what_it_cost(choices: Choices) -> None:
    apex = replace(choices, systems=("apex",))
    first = run_locomo(apex).document["systems"]["apex"]["build_costs"]
    again = run_locomo(apex).document["systems"]["apex"]["build_costs"]
    assert first["total"]["turns_read"] > 0
    assert first == again
    assert list(choices.vaults.glob("own-1.injected.*.apexmem"))


def test_an_ablation_uses_only_its_tools(choices: Choices, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    run_locomo(replace(choices, systems=("facts-only", "no-search"), build=False, out=out))
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    used = {line["system"]: set() for line in lines}
    for line in lines:
        used[line["system"]] |= {step["tool"] for step in line["steps"]}
    assert used["facts-only"] <= {"EntityLookup", "SchemaViewer"}
    assert used["no-search"] <= {"EntityLookup", "SchemaViewer", "GraphSQL"}
    assert all(line["found"] is None for line in lines)  # who may not search ranks nothing


def test_a_sample_keeps_the_categories_and_its_seed(data: Path) -> None:
    questions = locomo.read_questions(data, locomo.read_conversations(data))
    many = [replace(q, id=f"{q.id}-{n}") for n in range(10) for q in questions]
    drawn = sample_questions(many, 8, seed=1)
    assert drawn == sample_questions(many, 8, seed=1)
    assert drawn != sample_questions(many, 8, seed=2)
    assert sorted(q.category for q in drawn) == ["1", "1", "2", "2", "4", "4", "5", "5"]


def _broken(**changes: object) -> list[object]:
    return [SAMPLE | changes]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ({"a": 1}, "the top: there is no list"),
        ([7], "entry 1: there is no object"),
        (_broken(conversation={"speaker_a": "Ana"}), "session_1 is missing"),
        (
            _broken(conversation={"session_1": [{"speaker": "Ana", "text": "x"}]}),
            "session_1 1: dia_id is missing",
        ),
        (_broken(qa=[{"question": "?"}]), "own-1, qa 1: category is missing"),
        (_broken(qa=[{"question": "?", "category": 9}]), "9 is none of 1 to 5"),
    ],
)
def test_another_shape_is_refused_with_its_place(
    content: object, place: str, choices: Choices, data: Path
) -> None:
    data.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(DataShapeError, match=place):
        run_locomo(choices)


def test_an_unknown_conversation_is_refused(choices: Choices) -> None:
    with pytest.raises(UserError, match="conv-99"):
        run_locomo(replace(choices, conversations=("conv-99",)))


def test_a_missing_file_is_refused(choices: Choices, tmp_path: Path) -> None:
    with pytest.raises(DataShapeError, match="cannot be read"):
        run_locomo(replace(choices, data=tmp_path / "none.json"))
