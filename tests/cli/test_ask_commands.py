"""The commands `ask`, `build` and `trace`: shapes, options, and what goes wrong with the model."""

from pathlib import Path

import pytest

from apexmem_desktop.domain.answers import Answer, AskOptions, Citation, Conflict, Step, Usage
from apexmem_desktop.domain.errors import CancelledError, ModelCrashedError, UserError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.services import asking
from apexmem_desktop.services.workspace import Workspace
from tests.cli.running import Run
from tests.recall.builders import make_fact, ms

LYON, PORTO = make_fact(2, "Lyon", "2023-05-01"), make_fact(1, "Porto", "2023-03-01")
ANSWER = Answer(
    question="Where does Ben live?",
    answer="In Lyon, since May 2023 [1].",
    abstained=False,
    summary="Ben moved.",
    citations=(Citation(1, 7, 3, "Ben", "Ben Roth", ms("2023-05-01"), 120, "I moved to Lyon!"),),
    facts=(LYON,),
    conflicts=(Conflict("lives_in", (LYON, PORTO)),),
    steps=(Step("EntityLookup", '{"name": "Ben"}', "Ben Roth: Lyon", 4),),
    usage=Usage(1, 900, 30, 40, 2100),
    dropped=("turn 9: too far",),
)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[AskOptions]:
    """Answer every question the same way and keep what was asked."""
    seen: list[AskOptions] = []

    def ask(
        ws: Workspace, question: str, options: AskOptions, *, cancel: CancelToken, **_: object
    ) -> Answer:
        seen.append(options)
        return ANSWER

    monkeypatch.setattr(asking, "ask", ask)
    return seen


@pytest.mark.usefixtures("asked")
def test_the_shape_of_an_answer(imported: Run) -> None:
    ran = imported("ask", "Where does Ben live?", "--json").json
    assert ran.keys() >= {
        "answer", "abstained", "summary", "citations", "facts", "conflicts", "steps", "usage",
    }  # fmt: skip
    (citation,) = ran["citations"]
    assert citation.keys() >= {"turn_id", "session", "speaker", "said_at", "quote"}
    assert citation["said_at"] == "2023-05-01T02:00:00+02:00"
    assert [fact["value"] for fact in ran["conflicts"][0]["sides"]] == ["Lyon", "Porto"]
    assert ran["steps"] == [
        {"tool": "EntityLookup", "arguments": '{"name": "Ben"}', "result_chars": 14, "ms": 4,
         "error": None}
    ]  # fmt: skip
    assert ran["usage"].keys() >= {
        "model_calls", "prompt_tokens", "output_tokens", "ms_first_evidence", "ms_total",
    }  # fmt: skip


@pytest.mark.usefixtures("asked")
def test_people_get_the_answer_and_its_proof(imported: Run) -> None:
    out = imported("ask", "Where does Ben live?").out
    assert "In Lyon, since May 2023 [1]." in out
    assert '"I moved to Lyon!" (turn 7)' in out
    assert "In conflict about lives_in" in out


def test_dates_mean_the_end_of_their_local_day(
    imported: Run, asked: list[AskOptions], profile: Path
) -> None:
    profile.mkdir(exist_ok=True)
    (profile / "settings.toml").write_text('zone = "Asia/Tokyo"\n', encoding="utf-8")
    imported("ask", "x", "--as-of", "2023-05-01", "--now", "2023-06", "--no-model")
    (options,) = asked
    assert options.as_of_ms == ms("2023-05-01T15:00") - 1
    assert options.now_ms == ms("2023-06-30T15:00") - 1
    assert options.known_at_ms is None
    assert options.use_model is False


def test_an_empty_question_is_told(imported: Run) -> None:
    ran = imported("ask", "  ")
    assert (ran.status, ran.out) == (1, "")
    assert "empty" in ran.err


@pytest.mark.parametrize(
    ("error", "status"),
    [(ModelCrashedError("killed"), 1), (UserError("a", hint="b"), 1), (CancelledError(), 130),
     (KeyboardInterrupt(), 130)],
)  # fmt: skip
def test_what_goes_wrong_is_told(
    imported: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int
) -> None:
    def fail(*_: object, **__: object) -> Answer:
        raise error

    monkeypatch.setattr(asking, "ask", fail)
    ran = imported("ask", "Where?", "--json")
    assert (ran.status, ran.out) == (status, "")
    assert "Traceback" not in ran.err
    assert 1 <= len(ran.err.splitlines()) <= 2


def test_a_bug_is_not_hidden(imported: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Answer:
        raise ZeroDivisionError

    monkeypatch.setattr(asking, "ask", fail)
    with pytest.raises(ZeroDivisionError):
        imported("ask", "Where?")


def test_without_the_model_building_and_asking_say_how_to_get_it(imported: Run) -> None:
    for command in (["ask", "Where does Ben live?"], ["build"]):
        ran = imported(*command, "--quiet")
        assert ran.status == 1
        assert "apexmem models pull" in ran.err
        assert "Traceback" not in ran.err


def test_evidence_needs_no_model(imported: Run) -> None:
    ran = imported("ask", "Where does Ben live?", "--no-model", "--json").json
    assert any("Porto" in hit["text"] for hit in ran["evidence"])
    assert ran["usage"]["model_calls"] == 0


def test_the_trace_of_the_last_answer(imported: Run) -> None:
    imported("ask", "Where does Ben live?", "--no-model")
    trace = imported("trace", "--json").json
    assert trace["question"] == "Where does Ben live?"
    assert trace.keys() >= {"question", "steps", "evidence", "dropped", "usage"}
    assert imported("trace", "99").status == 1
