"""Exports that people really had. They are not ours to copy; the test skips where they are not."""

import re
from pathlib import Path

import pytest

from apexmem_desktop.domain.turn import TurnKind
from tests.importers.conftest import read_path

SHARED = Path(__file__).parents[3] / "shared" / "data"
WHATSAPP = sorted(
    path for path in (SHARED / "exports" / "whatsapp").glob("*") if path.suffix in (".txt", ".zip")
)
CHATGPT = sorted((SHARED / "exports" / "ai_exports").rglob("*chatgpt*.json"))
CHATGPT += sorted((SHARED / "exports" / "ai_exports" / "chatgpt_split").glob("conv*.json"))
CHATGPT = [path for path in CHATGPT if "polylogue_card" not in path.name]
OTHERS = {"telegram": "telegram", "discord": "discord", "messenger": "messenger"}

# What a name of a person never looks like: a date, a sentence of the messenger, a half of the day.
NOT_A_NAME = re.compile(
    r"\d[/.]\d+[/.]\d|\d:\d\d|encrypt|omitted|joined|created group| added |^[ap]\.? ?m\.?\b"
    r"|^System$|^Système$|^Sistema$",
    re.IGNORECASE,
)

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="no shared exports here")


@pytest.mark.parametrize("path", WHATSAPP, ids=lambda path: path.name)
def test_whatsapp(path: Path) -> None:
    got = read_path(path)
    assert got.facts.format == "whatsapp"
    assert got.turns
    assert [name for name in got.speakers if NOT_A_NAME.search(name)] == []
    assert len(set(got.keys)) == len(got.keys)
    assert all(turn.speaker for turn in got.turns if turn.kind is not TurnKind.NOTICE)


@pytest.mark.parametrize("path", CHATGPT, ids=lambda path: path.name)
def test_chatgpt(path: Path) -> None:
    got = read_path(path)
    assert got.facts.format == "chatgpt"
    assert got.turns
    assert any(turn.kind is TurnKind.MESSAGE for turn in got.turns)


@pytest.mark.parametrize("folder", OTHERS)
def test_messengers(folder: str) -> None:
    for path in sorted((SHARED / "exports" / folder).glob("*.json")):
        got = read_path(path)
        assert (got.facts.format, bool(got.turns)) == (OTHERS[folder], True)


def test_benchmarks() -> None:
    locomo = read_path(SHARED / "locomo" / "dev.json")
    assert locomo.facts.format == "locomo"
    assert len({turn.external_id for turn in locomo.conversations[0].turns}) == len(
        locomo.conversations[0].turns
    )
    oracle = read_path(SHARED / "longmemeval" / "oracle_dev.json.gz")
    assert (oracle.facts.format, oracle.problems) == ("longmemeval", [])
