"""LongMemEval and SealQA from file to figures, with a scripted model and data of our own."""

import gzip
import json
from pathlib import Path

import pytest

from apexmem_desktop.bench import longmemeval, sealqa
from apexmem_desktop.bench.catalogue import Choices, run_longmemeval, run_sealqa
from apexmem_desktop.bench.shapes import DataShapeError
from apexmem_desktop.inference.language import GenerateRequest
from tests.bench.conftest import MakeOpener
from tests.fakes import Reply


def _entry(name: str, kind: str, question: str, answer: object) -> dict[str, object]:
    return {
        "question_id": name,
        "question_type": kind,
        "question": question,
        "answer": answer,
        "question_date": "2023/08/09 (Wed) 07:46",
        "haystack_dates": ["2023/07/20 (Thu) 15:27", "2023/01/18 (Wed) 04:42"],
        "haystack_session_ids": ["team", "cooking"],
        "haystack_sessions": [
            [{"role": "user", "content": "There are six women on my team now"},
             {"role": "assistant", "content": "That is a good team."}],
            [{"role": "user", "content": "How do I boil an egg?"}],
        ],
        "answer_session_ids": ["cooking" if "cook" in question else "team"],
    }  # fmt: skip


ENTRIES = [
    _entry("q1", "knowledge-update", "How many women are on my team?", 6),
    _entry("q2_abs", "knowledge-update", "How many men are on my team?", "Not enough is told."),
    _entry("q3", "preference", "What do I cook?", "They would like advice on eggs, boiled soft"),
]


@pytest.fixture
def choices(tmp_path: Path, opener: MakeOpener) -> Choices:
    data = tmp_path / "own.json.gz"
    data.write_bytes(gzip.compress(json.dumps(ENTRIES).encode()))

    def answer(request: GenerateRequest) -> Reply:
        return "six women" if "How many women" in request.messages[-1].text else "not mentioned"

    return Choices(tmp_path / "vaults", data, ("rag",), open_workspace=opener(answer))


def test_longmemeval_is_judged_by_kind(choices: Choices) -> None:
    result = run_longmemeval(choices)
    scores = {one["name"]: one["score"]["value"]
              for one in result.document["systems"]["rag"]["groups"]}  # fmt: skip
    assert scores["abstention"] == 1.0
    assert "preference, long" in scores
    first = next(one for one in result.scored if one.question.id == "q1")
    assert first.question.gold == "6"
    assert first.reply.answer == "six women"


def test_longmemeval_counts_sessions(choices: Choices) -> None:
    sessions = run_longmemeval(choices).document["sessions"]
    assert [(one["at"], one["any"]["value"], one["all"]["value"]) for one in sessions] == [
        (5, 1.0, 1.0),
        (10, 1.0, 1.0),
    ]
    recall = run_longmemeval(choices).document["systems"]["rag"]["groups"][0]["recall"]
    assert {one["n"] for one in recall.values()} == {0}  # turns are not what the data names
    # The question that has no answer has no sessions to be found either.
    assert {one["any"]["n"] for one in sessions} == {2}


def test_a_date_that_is_none_is_named_with_its_place(tmp_path: Path) -> None:
    data = tmp_path / "own.jsonl"
    data.write_text(json.dumps(ENTRIES[0] | {"question_date": "2023/02/31"}), encoding="utf-8")
    with pytest.raises(DataShapeError, match="entry 1, question_date"):
        longmemeval.read_entries_of(data)


def test_the_question_is_asked_at_the_end_of_its_day(choices: Choices) -> None:
    assert choices.data is not None
    (question, *_) = longmemeval.read_entries_of(choices.data).questions
    assert question.now_ms == 1_691_625_599_999  # 9 August 2023, the last instant, UTC
    assert question.evidence == ("team",)


def test_a_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    data = tmp_path / "own.jsonl"
    entry = ENTRIES[0] | {"question": "How many\u2028women are on my team?\x85"}
    data.write_text(json.dumps(entry, ensure_ascii=False) + "\n", encoding="utf-8")
    (question,) = longmemeval.read_entries_of(data).questions
    assert question.text == entry["question"]


def test_right_or_wrong_and_f1_are_never_added_up(choices: Choices) -> None:
    groups = {one["name"]: one["n"]
              for one in run_longmemeval(choices).document["systems"]["rag"]["groups"]}  # fmt: skip
    assert (groups["short answers"], groups["long answers"]) == (1, 1)
    assert "answerable" not in groups


def test_pages_are_sessions_of_their_dates(tmp_path: Path, opener: MakeOpener) -> None:
    page = {
        "seal0_id": "11", "question": "How many legs has it?", "answer": "8", "title": "Spiders",
        "date": "Mar 21, 2024", "context": "A spider has 8 legs.\n\nIt spins.",
    }  # fmt: skip
    other = page | {"title": "Insects", "date": "", "context": "Six.\nPublished Time: Tue, 09 Jun "
                    "2020 12:47:02 GMT"}  # fmt: skip
    data = tmp_path / "pages.jsonl"
    data.write_text("\n".join(map(json.dumps, (page, other))), encoding="utf-8")
    (export,), _ = sealqa.read_pages(data)
    assert export.entries[0]["haystack_dates"] == [
        "2024/03/21 (Thu) 12:00",
        "2020/06/09 (Tue) 12:00",
    ]
    choices = Choices(
        tmp_path / "vaults", data, ("rag",), open_workspace=opener(lambda _: "it has eight")
    )
    (scored,) = run_sealqa(choices).scored
    assert scored.score == 1.0


@pytest.mark.parametrize(
    ("line", "place"),
    [("{", "line 1: it is not JSON"), ('{"seal0_id": 1}', "line 1: context is missing")],
)
def test_another_shape_is_refused(line: str, place: str, tmp_path: Path) -> None:
    data = tmp_path / "pages.jsonl"
    data.write_text(line, encoding="utf-8")
    with pytest.raises(DataShapeError, match=place):
        sealqa.read_pages(data)
