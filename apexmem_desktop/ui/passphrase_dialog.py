"""Asks for the passphrase of an encrypted memory, before there is a window."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from apexmem_desktop.domain.errors import PassphraseNeededError, WrongPassphraseError
from apexmem_desktop.services.settings import load_settings
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.theme import apply_theme
from apexmem_desktop.ui.translation import set_language, tr

if TYPE_CHECKING:
    from apexmem_desktop.services.workspace import Workspace

_WIDTH = 420


class PassphraseDialog(QDialog):
    """One line for the passphrase, and above it what went wrong with the one before."""

    def __init__(self, name: str, *, wrong: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("app.name"))
        self.setMinimumWidth(_WIDTH)
        self.field = QLineEdit(self)
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.words = QLabel(tr("passphrase.ask", name=name), self)
        self.words.setBuddy(self.field)
        self.problem = QLabel(tr("passphrase.wrong") if wrong else "", self)
        self.problem.setVisible(wrong)
        for label in (self.words, self.problem):
            label.setWordWrap(True)
        self.field.setAccessibleName(self.words.text())
        self.buttons = QDialogButtonBox(self)
        self._open = self.buttons.addButton(
            tr("passphrase.open"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.buttons.addButton(tr("common.cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.field.textChanged.connect(self._on_typed)
        self._open.setEnabled(False)
        layout = QVBoxLayout(self)
        for part in (self.problem, self.words, self.field, self.buttons):
            layout.addWidget(part)

    def _on_typed(self, text: str) -> None:
        self._open.setEnabled(bool(text))


def ask(name: str, wrong: bool) -> str | None:
    """Show the dialog, dressed as the window is; None when the user gives up."""
    settings = load_settings()
    set_language(settings.ui_language)
    app = QApplication.instance()
    if isinstance(app, QApplication):
        apply_theme(app, settings.theme)
        app.setWindowIcon(icon("apexmem", "accent"))
    dialog = PassphraseDialog(name, wrong=wrong)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    words = dialog.field.text()
    dialog.deleteLater()
    return words if accepted else None


def open_workspace(
    path: Path, passphrase: str = "", ask: Callable[[str, bool], str | None] = ask
) -> "Workspace | None":
    """Open a memory, asking for its passphrase until one fits; None when the user gives up.

    Raises:
        UserError: The memory cannot be opened, for another reason.
    """
    from apexmem_desktop.services.workspace import Workspace

    while True:
        try:
            return Workspace(path, passphrase=passphrase)
        except (PassphraseNeededError, WrongPassphraseError) as error:
            given = ask(path.name, isinstance(error, WrongPassphraseError))
            if given is None:
                return None
            passphrase = given
