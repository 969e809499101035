"""The first minutes with a memory: an empty window, a dropped export, an answer; all real."""

import gc
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.ui.app import Shell
from apexmem_desktop.ui.memory import Memory
from tests.fakes import HashEmbedder, ScriptedLanguage

LONGEST_MS = 15_000


class SlowReader:
    """Reads one thing, then waits to be let go on: chats are being read for as long as wished."""

    def __init__(self) -> None:
        self.reading = threading.Event()
        self.go_on = threading.Event()
        self.asked: list[str] = []

    def reply(self, request: GenerateRequest) -> str:
        self.asked.append(request.messages[-1].text)
        self.reading.set()
        self.go_on.wait(LONGEST_MS / 1000)
        return request.choices[0] if request.choices else "-"


@pytest.fixture
def reader() -> SlowReader:
    return SlowReader()


@pytest.fixture
def shell(qapp: QApplication, tmp_path: Path, reader: SlowReader) -> Iterator[Shell]:
    class ModellessWorkspace(Workspace):
        def language(self) -> ScriptedLanguage:  # type: ignore[override]
            return self.__dict__.setdefault("_scripted", ScriptedLanguage(reader.reply))

        def embedder(self) -> HashEmbedder:  # type: ignore[override]
            return self.__dict__.setdefault("_hash", HashEmbedder())

    path = tmp_path / "memory.apexmem"
    settings = Settings(zone="Europe/Berlin", theme="light", ui_language="en")
    made = Shell(qapp, Memory(ModellessWorkspace(path, settings=settings), path))
    yield made
    reader.go_on.set()
    made.close()
    if made.window is not None:
        made.window.deleteLater()
    gc.unfreeze()


@pytest.fixture
def export() -> Path:
    """One of the samples, of which reading takes some rounds."""
    return next((resources_dir() / "samples").glob("WhatsApp Chat with *.txt"))


def examples(page: QWidget) -> list[QPushButton]:
    found = (one for one in page.findChildren(QPushButton) if one.property("kind") == "example")
    return [one for one in found if one.isVisible()]


def test_three_keys_and_a_click_lead_from_nothing_to_an_answer(
    qtbot: QtBot, shell: Shell, reader: SlowReader, export: Path
) -> None:
    window = shell.open()
    errors: list[BaseException] = []
    shell.desk.failed.connect(errors.append)
    first = window.ask._first_run
    qtbot.waitUntil(first.isVisible, timeout=LONGEST_MS)
    assert examples(first) == []
    shell.desk.files_dropped.emit((export,))  # 1: a file is dropped
    dialog = window.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.store.isEnabled, timeout=LONGEST_MS)
    assert dialog.store.hasFocus() or dialog.focusWidget() is dialog.store
    qtbot.keyClick(dialog.store, Qt.Key.Key_Space)  # 2: Bring in, which has the focus
    qtbot.waitUntil(dialog.store.isHidden, timeout=LONGEST_MS)
    assert dialog.focusWidget() is dialog.leave
    qtbot.keyClick(dialog.leave, Qt.Key.Key_Space)  # 3: Close
    qtbot.waitUntil(lambda: bool(examples(first)), timeout=LONGEST_MS)
    qtbot.waitUntil(reader.reading.is_set, timeout=LONGEST_MS)
    assert shell.job.running  # the graph only begins to grow
    about = examples(first)[0].text()
    examples(first)[0].click()  # 4: one of the questions offered
    card = window.ask._cards[-1]
    qtbot.waitUntil(lambda: card._evidence.count() > 0, timeout=LONGEST_MS)
    assert card.answer is None
    assert not reader.go_on.is_set()  # messages are shown while the model is still busy
    reader.go_on.set()
    qtbot.waitUntil(lambda: card.answer is not None, timeout=LONGEST_MS)
    assert card.answer is not None
    assert card.answer.question == about
    # It was answered between two rounds of reading, and not after all of it.
    assert shell.desk.memory.status().pending > 0
    qtbot.waitUntil(lambda: not shell.job.running and not shell.tasks.busy, timeout=LONGEST_MS)
    assert shell.desk.memory.status().pending == 0
    assert errors == []
