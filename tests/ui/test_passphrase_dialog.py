"""The question for the passphrase, which comes before there is a window."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.ui.passphrase_dialog import PassphraseDialog, open_workspace


@pytest.fixture
def encrypted(tmp_path: Path) -> Path:
    path = tmp_path / "memory.apexmem"
    Workspace(path, passphrase="correct horse").close()
    return path


def test_it_is_asked_until_it_fits(encrypted: Path) -> None:
    answers = iter(["wrong", "wrong again", "correct horse"])
    asked: list[tuple[str, bool]] = []

    def ask(name: str, wrong: bool) -> str:
        asked.append((name, wrong))
        return next(answers)

    opened = open_workspace(encrypted, ask=ask)
    assert opened is not None
    opened.close()
    assert asked == [("memory.apexmem", False), ("memory.apexmem", True), ("memory.apexmem", True)]


def test_who_gives_up_gets_no_window(encrypted: Path) -> None:
    assert open_workspace(encrypted, ask=lambda _name, _wrong: None) is None


def test_nobody_is_asked_needlessly(encrypted: Path, tmp_path: Path) -> None:
    def ask(name: str, wrong: bool) -> str:
        raise AssertionError(f"asked for {name}, {wrong}")

    for path, words in ((encrypted, "correct horse"), (tmp_path / "clear.apexmem", "")):
        opened = open_workspace(path, words, ask=ask)
        assert opened is not None
        opened.close()
    with pytest.raises(VaultError, match="folder"):
        open_workspace(tmp_path, ask=ask)


def test_the_dialog_hides_what_is_typed(qtbot: QtBot) -> None:
    dialog = PassphraseDialog("memory.apexmem", wrong=True)
    qtbot.addWidget(dialog)
    dialog.show()
    assert "memory.apexmem" in dialog.words.text()
    assert dialog.problem.isVisibleTo(dialog)
    assert dialog.field.echoMode() == QLineEdit.EchoMode.Password
    assert not dialog.unlock.isEnabled()
    qtbot.keyClicks(dialog.field, "words")
    assert dialog.unlock.isEnabled()
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.result() == PassphraseDialog.DialogCode.Accepted
    assert dialog.field.text() == "words"
    first = PassphraseDialog("memory.apexmem")
    qtbot.addWidget(first)
    assert not first.problem.isVisibleTo(first)
