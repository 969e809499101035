"""The part of Settings about the passphrase: give the memory one, another one, or none."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QDialog, QFrame

from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import button, column, label, row
from apexmem_desktop.ui.passphrase_dialog import NewPassphraseDialog, PassphraseDialog
from apexmem_desktop.ui.task_dialog import TaskDialog
from apexmem_desktop.ui.translation import tr


class PassphraseCard(QFrame):
    """Says whether the memory is encrypted; who wants to change that, must know the passphrase."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setObjectName("card")
        self._desk = desk
        self.dialog: QDialog | None = None
        self.task: TaskDialog | None = None
        self.state = label(tone="muted")
        self.protect = button(tr("passphrase.give"), self._ask_new)
        self.change = button(tr("passphrase.change"), partial(self._ask_old, self._ask_new))
        self.remove = button(tr("passphrase.remove"), partial(self._ask_old, self._take_away))
        layout = column(self, spacing=8, margin=20)
        layout.addWidget(label(tr("passphrase.title"), bold=True))
        layout.addWidget(self.state)
        layout.addWidget(label(tr("passphrase.copies"), tone="muted", size=0.92))
        layout.addLayout(row(self.protect, self.change, self.remove, 0))
        self.show_state(encrypted=False)

    def show_state(self, *, encrypted: bool) -> None:
        """Offer what can be done."""
        self.state.setText(tr("settings.protected" if encrypted else "settings.unprotected"))
        self.protect.setHidden(encrypted)
        self.change.setVisible(encrypted)
        self.remove.setVisible(encrypted)

    def _ask_old(self, then: Callable[[], None], *, wrong: bool = False) -> None:
        name = self._desk.memory.vault_path.name
        asked = PassphraseDialog(name, wrong=wrong, parent=self.window())
        asked.accepted.connect(lambda: self._on_old(asked.field.text(), then))
        self._show(asked)

    def _on_old(self, words: str, then: Callable[[], None]) -> None:
        if self._desk.memory.is_passphrase(words):
            then()
        else:
            self._ask_old(then, wrong=True)

    def _ask_new(self) -> None:
        asked = NewPassphraseDialog(self.window())
        asked.chosen.connect(lambda words: self._begin(tr("passphrase.new_title"), words))
        self._show(asked)

    def _take_away(self) -> None:
        self._begin(tr("passphrase.removing"), "")

    def _show(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.setModal(True)
        dialog.show()

    def _begin(self, title: str, words: str) -> None:
        memory = self._desk.memory
        self.task = TaskDialog(
            self._desk,
            title,
            lambda _progress, _token: memory.change_passphrase(words),
            lambda _: tr("passphrase.done" if words else "passphrase.removed"),
            self.window(),
        )
        self.task.done_with.connect(lambda _: self.show_state(encrypted=bool(words)))
        self.task.begin()
