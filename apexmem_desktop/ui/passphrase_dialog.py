"""Asks for the passphrase of an encrypted memory, before there is a window."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDialog,
    QLineEdit,
    QWidget,
)

from apexmem_desktop.domain.errors import PassphraseNeededError, WrongPassphraseError
from apexmem_desktop.services.settings import load_settings
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.parts import begin_at_start, button, column, label, row
from apexmem_desktop.ui.roomy_dialog import RoomyDialog
from apexmem_desktop.ui.theme import apply_theme
from apexmem_desktop.ui.translation import set_language, tr

if TYPE_CHECKING:
    from apexmem_desktop.services.workspace import Workspace

_WIDTH = 420
_LEAST_CHARS = 8


class PassphraseDialog(RoomyDialog):
    """One line for the passphrase, and above it what went wrong with the one before."""

    def __init__(
        self, name: str, *, wrong: bool = False, more: str = "", parent: QWidget | None = None
    ) -> None:
        """Ask.

        Args:
            more: What happens once it is opened, where the user should know that first.
        """
        super().__init__(parent, width_px=_WIDTH, snug=True)
        self.setWindowTitle(tr("app.name"))
        self.field = QLineEdit(self)
        self.words = label(tr("passphrase.ask", name=name), tone="muted")
        self.words.setBuddy(self.field)
        self.problem = label(tr("passphrase.wrong") if wrong else "", tone="danger")
        self.problem.setVisible(wrong)
        self.more = label(more, tone="muted")
        self.more.setVisible(bool(more))
        self.shown = shown_box(self.field)
        self.field.setAccessibleName(self.words.text())
        begin_at_start(self.field)
        self.unlock = button(tr("passphrase.open"), self.accept, kind="main")
        self.unlock.setDefault(True)
        self.field.textChanged.connect(self._on_typed)
        self.unlock.setEnabled(False)
        layout = column(self, spacing=12, margin=24)
        layout.addWidget(label(tr("passphrase.title"), size=1.35, bold=True))
        for part in (self.more, self.words, self.field, self.shown, self.problem):
            layout.addWidget(part)
        layout.addStretch(1)
        layout.addLayout(row(0, button(tr("common.cancel"), self.reject), self.unlock))
        self.field.setFocus()

    def _on_typed(self, text: str) -> None:
        self.unlock.setEnabled(bool(text))


class NewPassphraseDialog(RoomyDialog):
    """Asks for a new passphrase twice; nobody can open the memory without it."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, width_px=_WIDTH, snug=True)
        self.setWindowTitle(tr("passphrase.new_title"))
        self.first, self.second = QLineEdit(), QLineEdit()
        self.problem = label(tone="warn", size=0.92)
        self.keep = button(tr("passphrase.protect"), self._on_keep, kind="main")
        layout = column(self, spacing=12, margin=24)
        layout.addWidget(label(tr("passphrase.new_title"), size=1.35, bold=True))
        layout.addWidget(label(tr("passphrase.new_more"), tone="muted"))
        for field, key in ((self.first, "passphrase.new"), (self.second, "passphrase.again")):
            field.setPlaceholderText(tr(key))
            field.setAccessibleName(tr(key))
            field.textChanged.connect(lambda _: self._look())
            layout.addWidget(field)
        self.shown = shown_box(self.first, self.second)
        layout.addWidget(self.shown)
        layout.addWidget(self.problem)
        layout.addLayout(row(0, button(tr("common.cancel"), self.reject), self.keep))
        self._look()

    def _look(self) -> None:
        first, second = self.first.text(), self.second.text()
        short = len(first) < _LEAST_CHARS
        self.keep.setEnabled(not short and first == second)
        words = tr("passphrase.short") if first and short else ""
        if second and not short and first != second:
            words = tr("passphrase.differ")
        self.problem.setText(words)
        self.problem.setVisible(bool(words))
        self.fit(shrink=True)

    def _on_keep(self) -> None:
        self.chosen.emit(self.first.text())
        self.accept()


def shown_box(*fields: QLineEdit) -> QCheckBox:
    """Make a box that shows what is typed into fields, which hide it until then."""
    box = QCheckBox(tr("passphrase.show"))

    def show_words(shown: bool) -> None:
        echo = QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password
        for field in fields:
            field.setEchoMode(echo)

    show_words(shown=False)
    box.toggled.connect(show_words)
    return box


def ask(name: str, wrong: bool) -> str | None:
    """Show the dialog, dressed as the window is; None when the user gives up."""
    settings = load_settings()
    set_language(settings.ui_language)
    app = QApplication.instance()
    if isinstance(app, QApplication):
        apply_theme(app, settings.theme, settings.text_percent)
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
