"""What a new user sees: what this is, that nothing leaves the machine, and three things to do."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from apexmem_desktop.domain.reports import Changes, ModelSummary, VaultStatus
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.drop_zone import DropZone
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.model_row import ModelRow
from apexmem_desktop.ui.parts import PAGE_MARGIN, button, card, clear, column, label, row, scrolling
from apexmem_desktop.ui.passphrase_dialog import NewPassphraseDialog
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.theme import scaled
from apexmem_desktop.ui.translation import tr, tr_count

_ICON_PX = 28
_SETTLED_MS = 400


class FirstRun(QWidget):
    """Shown until the first question, which may be asked while the chats are still being read."""

    asked = Signal(str)  # one of the questions offered
    left = Signal()  # to ask something else

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._models = QVBoxLayout()
        self.held = label(tone="accent", bold=True)
        self.here = label(tr("first.model_here"), tone="accent", bold=True)
        self.other_model = button(
            tr("first.model_other"), lambda: desk.place_asked.emit("models"), kind="link"
        )
        self._drop = DropZone(desk)
        self._questions = QVBoxLayout()
        self._then = label(tr("first.then"), tone="muted")
        self._rows: dict[str, ModelRow] = {}
        self.protect = button(tr("first.protect"), self._on_protect, kind="link")
        self._state = label(tr("settings.protected"), tone="accent", size=0.92)
        self._state.hide()
        self.dialog: NewPassphraseDialog | None = None
        self._lay_out()
        desk.changed.connect(self._on_changed)

    def refresh(self) -> None:
        """Look which of the needed models are here."""
        self._desk.read(self._desk.memory.models, self, self._show_models)
        self._ask_state()

    def offer(self, turns: int, questions: Sequence[str]) -> None:
        """Let the first question be asked: there is something to ask about now."""
        waited = self.held.isHidden()
        self.held.setText(tr_count("first.held", turns))
        self.held.setVisible(bool(turns))
        self._drop.setVisible(not turns)  # more is brought in under Imports
        self._then.setText(tr("first.ask_more" if turns else "first.then"))
        clear(self._questions)
        if not turns:
            return
        for text in questions:
            self._questions.addWidget(button(text, partial(self.asked.emit, text), kind="example"))
        own = button(tr("first.ask_own"), self.left.emit, kind="plain")
        self._questions.addLayout(row(own, 0))
        if waited:  # once: afterwards the user may look where they like
            self._third_wanted = True
            QTimer.singleShot(_SETTLED_MS, self, self._stop_following)
            self._show_third()

    def _show_third(self) -> None:
        """Bring the third step into view, also as the page grows by its questions."""
        if self._third_wanted:
            bar = self._area.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _stop_following(self) -> None:
        self._third_wanted = False

    def _lay_out(self) -> None:
        content = QWidget()
        self._area = scrolling(content)
        column(self).addWidget(self._area)
        layout = column(content, spacing=18, margin=PAGE_MARGIN)
        layout.addSpacing(12)
        layout.addWidget(label(tr("first.title"), size=2.0, bold=True))
        layout.addWidget(label(tr("first.what"), size=1.1, tone="muted"))
        layout.addWidget(self._promise())
        layout.addWidget(label(tr("first.import"), size=1.25, bold=True))
        layout.addWidget(self._drop)
        layout.addWidget(self.held)
        layout.addWidget(label(tr("first.model"), size=1.25, bold=True))
        self._more = label(tr("first.model_more"), tone="muted")
        layout.addWidget(self._more)
        layout.addWidget(self.here)
        layout.addLayout(self._models)
        layout.addLayout(row(self.other_model, 0))
        self._third = label(tr("first.ask"), size=1.25, bold=True)
        layout.addWidget(self._third)
        layout.addWidget(self._then)
        layout.addLayout(self._questions)
        layout.addStretch(1)
        self.held.hide()
        self.here.hide()
        self._third_wanted = False
        self._area.verticalScrollBar().rangeChanged.connect(lambda *_: self._show_third())

    def _promise(self) -> QWidget:
        frame, layout = card("quiet", margin=16)
        sign = label()
        sign.setPixmap(icon("lock", "accent").pixmap(scaled(_ICON_PX), scaled(_ICON_PX)))
        told = QWidget()
        line = row(sign, told, spacing=14)
        line.setAlignment(sign, Qt.AlignmentFlag.AlignTop)
        line.setStretch(1, 1)
        layout.addLayout(line)
        words = column(told, spacing=6)
        words.addWidget(label(tr("first.private")))
        path = str(self._desk.memory.vault_path)
        words.addWidget(label(tr("first.where", path=path), tone="muted", size=0.92))
        words.addWidget(self._state)
        words.addLayout(row(self.protect, 0))
        return frame

    def _on_protect(self) -> None:
        """Ask for a passphrase, twice, and make the memory anew under it."""
        self.dialog = NewPassphraseDialog(self.window())
        self.dialog.chosen.connect(self._protect)
        self.dialog.setModal(True)
        self.dialog.show()

    def _protect(self, words: str) -> None:
        memory = self._desk.memory
        self.protect.setEnabled(False)
        self._desk.build_held.emit()
        self._desk.tasks.submit(
            Lane.MODEL,
            lambda _: memory.protect(words),
            owner=self,
            on_done=lambda _: self._ask_state(),
            on_ended=lambda: self.protect.setEnabled(True),
        )

    def _ask_state(self) -> None:
        self._desk.read(self._desk.memory.status, self, self._show_state)

    def _show_state(self, status: VaultStatus) -> None:
        self.protect.setVisible(not status.encrypted and not status.turns)
        self._state.setVisible(status.encrypted)

    def _show_models(self, models: tuple[ModelSummary, ...]) -> None:
        needed = [model for model in needed_models(models) if not model.present]
        self.here.setVisible(not needed)
        self._more.setVisible(bool(needed))
        if set(self._rows) != {model.name for model in needed}:
            clear(self._models)
            self._rows = {model.name: ModelRow(self._desk, model) for model in needed}
            for made in self._rows.values():
                self._models.addWidget(made)
        for model in needed:
            self._rows[model.name].show_model(model)

    def _on_changed(self, changes: Changes) -> None:
        if changes.models and self.isVisible():
            self.refresh()


def needed_models(models: tuple[ModelSummary, ...]) -> list[ModelSummary]:
    """Give the language model in use and the one that finds by meaning."""
    chosen = []
    for use in ("language", "embedding"):
        of_use = [model for model in models if model.use == use]
        chosen += [model for model in of_use if model.in_use][:1] or of_use[:1]
    return chosen
