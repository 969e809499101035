"""A small data set of our own in LoCoMo's shape, and vaults whose models are stand-ins."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from apexmem_desktop.bench.vaults import OpenWorkspace
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from tests.fakes import HashEmbedder, Reply, ScriptedLanguage


class ScriptedWorkspace(Workspace):
    """A workspace whose models are stand-ins."""

    scripted: ScriptedLanguage

    def language(self) -> ScriptedLanguage:  # type: ignore[override]
        return self.scripted

    def embedder(self) -> HashEmbedder:  # type: ignore[override]
        return HashEmbedder()


def said(session: int, number: int, speaker: str, text: str) -> dict[str, str]:
    return {"dia_id": f"D{session}:{number}", "speaker": speaker, "text": text}


SAMPLE = {
    "sample_id": "own-1",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            said(1, 1, "Ana", "Hey Ben! How are you?"),
            said(1, 2, "Ben", "Great, I went to the harbour museum yesterday."),
            said(1, 3, "Ana", "I live in Porto now, with a dog called Rufus."),
        ],
        "session_2_date_time": "9:10 am on 3 June, 2023",
        "session_2": [
            said(2, 1, "Ben", "I painted a lighthouse and a heron."),
            said(2, 2, "Ana", "Lovely, send me a picture!"),
        ],
    },
    "qa": [
        {"question": "When did Ben go to the harbour museum?", "answer": "7 May 2023",
         "evidence": ["D1:2"], "category": 2},
        {"question": "What did Ben paint?", "answer": "lighthouse, heron",
         "evidence": ["D2:1"], "category": 1},
        {"question": "Where does Ana live?", "answer": "Porto", "evidence": ["D1:3"],
         "category": 4},
        {"question": "What is the name of Ben's dog?", "adversarial_answer": "Rufus",
         "evidence": ["D1:3"], "category": 5},
    ],
}  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "own.json"
    path.write_text(json.dumps([SAMPLE]), encoding="utf-8")
    return path


def first_choice(request: GenerateRequest) -> str:
    """Choose what the program takes for the likeliest, where it leaves a choice."""
    if request.answer_start:
        return request.grammar.split('"')[1]
    return "no" if request.choices else "unknown"


MakeOpener = Callable[[Callable[[GenerateRequest], Reply]], OpenWorkspace]


@pytest.fixture
def opener() -> MakeOpener:
    """Make an opener whose language model answers by a function of the request."""

    def make(answer: Callable[[GenerateRequest], Reply]) -> OpenWorkspace:
        def opened(path: Path, context_tokens: int) -> Workspace:
            ws = ScriptedWorkspace(path, settings=Settings(zone="UTC"))
            ws.scripted = ScriptedLanguage(answer)
            ws.scripted.context_tokens = context_tokens
            return ws

        return opened

    return make
