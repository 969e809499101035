"""Search everywhere, as somebody types: turns by the beginning of a word, the newest first."""

from pathlib import Path

from apexmem_desktop.services.seeking import seek
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from tests.recall.chats import store_chat


def test_a_word_half_typed_finds_the_newest_first(tmp_path: Path) -> None:
    with Workspace(tmp_path / "memory.apexmem", settings=Settings(zone="UTC")) as ws:
        store_chat(
            ws.vault,
            [
                ("Ana Ruiz", "2024-03-01T10:00", "the telescope arrived"),
                ("Ben Holt", "2024-03-02T10:00", "lovely"),
                ("Ana Ruiz", "2024-03-03T10:00", "looked at Saturn, this telescope is a wonder"),
                ("李雪", "2024-03-04T10:00", "昨天买了望远镜"),
            ],
        )
        found = [hit.text for hit in seek(ws, "teles").turns]
        assert found == ["looked at Saturn, this telescope is a wonder", "the telescope arrived"]
        assert [hit.speaker for hit in seek(ws, "望远镜").turns] == ["李雪"]
        assert seek(ws, "  ").turns == ()
