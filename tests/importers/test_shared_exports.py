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


# Turns, and rows left out with a reason, as counted in the raw files by hand.
COUNTED = {
    "imessage/ios_sms.db": ("imessage", 9, 3),
    "signal/signal_desktop_2024-08_plaintext.sql": ("signal", 5, 0),
    "whatsapp_db/ios_ChatStorage-personal.sqlite": ("whatsapp-database", 8, 0),
    "whatsapp_db/ios_ChatStorage-business.sqlite": ("whatsapp-database", 1, 0),
    "whatsapp_db/whatsapp-android_2023-10_msgstore.sql": ("whatsapp-database", 4, 0),
    "whatsapp_db/whatsapp-android_2026-01_msgstore.sql": ("whatsapp-database", 1, 0),
    "whatsapp_db/whatsapp-android_2026-05_msgstore.sql": ("whatsapp-database", 4, 1),
    "wechat/zh_nodate.txt": ("wechat", 23, 0),
    "other/test_email.eml": ("email", 1, 0),
    "other/kakaotalk_pc_2.txt": ("kakaotalk", 13, 0),
    "other/ru_generic_bracket_iso.txt": ("whatsapp", 26, 0),
    "ai_exports/gemini_aistudio_branching_session.json": ("gemini", 3, 1),
}


@pytest.mark.parametrize("name", COUNTED)
def test_counts_agree_with_the_raw_file(name: str) -> None:
    got = read_path(SHARED / "exports" / name)
    left_out = sum(got.skipped.values())
    assert (got.facts.format, len(got.turns), left_out) == COUNTED[name]
    assert len(set(got.keys)) == len(got.keys)
