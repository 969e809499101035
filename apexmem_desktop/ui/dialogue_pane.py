"""What was asked, a line for each dialogue: to be read again, gone on with, or thrown away."""

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QListView, QWidget

from apexmem_desktop.domain.answers import DialogueSummary
from apexmem_desktop.ui.card_list import VALUE_ROLE, CardDelegate, CardListModel
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import LIST_MARGIN, button, column, icon_button, label, row
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr

_LEAST_CHARS = 26


class DialoguePane(QWidget):
    """The list at the left of Ask."""

    opened = Signal(int)  # dialogue id
    begun = Signal()  # somebody wants to ask about something else
    removed = Signal(int)  # dialogue id

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._shown_id = 0
        self._last_removed: tuple[int, object] | None = None
        self.dialogues = CardListModel()
        self.list = QListView()
        self.new = button(tr("dialogue.new"), self.begun.emit)
        self.remove = icon_button("trash", tr("dialogue.remove"), self._on_remove)
        self._nothing = label(tr("dialogue.none"), tone="muted")
        self.gone = QFrame()
        self._lay_out()
        self._wire()

    def refresh(self) -> None:
        """Fetch the list anew."""
        self._desk.read(self._desk.memory.dialogues, self, self._show)

    def choose(self, dialogue_id: int) -> None:
        """Mark the dialogue that is shown beside; 0 for a new one."""
        self._shown_id = dialogue_id
        self._mark()

    def _lay_out(self) -> None:
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * _LEAST_CHARS)
        self.list.setModel(self.dialogues)
        self.list.setItemDelegate(CardDelegate(self.list, with_sign=False))
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(tr("dialogue.list"))
        self.new.setToolTip(tr("dialogue.new_tip"))
        self.gone.setObjectName("quiet")
        inside = column(self.gone, margin=10, spacing=4)
        undo = button(tr("ruling.undo_button"), self._on_undo, kind="plain")
        inside.addLayout(row(label(tr("dialogue.gone"), tone="muted"), undo))
        self.gone.hide()
        layout = column(self, spacing=10)
        layout.setContentsMargins(LIST_MARGIN, 26, LIST_MARGIN, 10)
        layout.addWidget(label(tr("place.ask"), size=1.75, bold=True))
        layout.addLayout(row(self.new, 0, self.remove))
        layout.addWidget(self._nothing)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.gone)
        layout.addStretch(0)  # while there is no list yet, all keeps to the top

    def _wire(self) -> None:
        self.list.selectionModel().selectionChanged.connect(self._on_selected)
        keys = QShortcut(QKeySequence("Del"), self.list)
        keys.setContext(Qt.ShortcutContext.WidgetShortcut)
        keys.activated.connect(self._on_remove)

    def _show(self, dialogues: tuple[DialogueSummary, ...]) -> None:
        self.dialogues.show(dialogues)
        self._nothing.setVisible(not dialogues)
        self.list.setVisible(bool(dialogues))
        self._mark()

    def _mark(self) -> None:
        line = self.dialogues.find_row(self._shown_id)
        self.remove.setEnabled(line >= 0)
        marks = self.list.selectionModel()
        if line < 0:
            marks.clear()
        else:
            index = self.dialogues.index(line)
            marks.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.list.scrollTo(index)

    def _on_selected(self, chosen: QItemSelection, _before: QItemSelection) -> None:
        indexes = chosen.indexes()
        dialogue: DialogueSummary | None = indexes[0].data(VALUE_ROLE) if indexes else None
        if dialogue is not None and dialogue.id != self._shown_id:
            self.choose(dialogue.id)
            self.opened.emit(dialogue.id)

    def _on_remove(self) -> None:
        number, memory = self._shown_id, self._desk.memory
        if self.dialogues.find_row(number) < 0:
            return
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.remove_dialogue(number),
            owner=self,
            on_done=lambda taken: self._on_removed(number, taken),
        )

    def _on_removed(self, number: int, taken: object) -> None:
        self._last_removed = (number, taken)
        self.gone.show()
        self.choose(0)
        self.removed.emit(number)
        self.refresh()

    def _on_undo(self) -> None:
        if self._last_removed is None:
            return
        (number, taken), memory = self._last_removed, self._desk.memory
        self._last_removed = None
        self.gone.hide()
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.bring_back_dialogue(taken),  # type: ignore[arg-type]
            owner=self,
            on_done=lambda _: self._on_back(number),
        )

    def _on_back(self, number: int) -> None:
        self.choose(number)
        self.refresh()
        self.opened.emit(number)
