"""A scrolling conversation, used by the evidence panel and the Conversations place."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView

from apexmem_desktop.ui.copying import offer_copies, turns_markdown
from apexmem_desktop.ui.turn_delegate import TurnDelegate
from apexmem_desktop.ui.turn_list import TURN_ROLE, TurnListModel


class TurnView(QListView):
    """Shows a TurnListModel; the selected turns can be copied as text."""

    def __init__(self) -> None:
        super().__init__()
        self.turn_list = TurnListModel()
        self.delegate = TurnDelegate()
        self.setModel(self.turn_list)
        self.setItemDelegate(self.delegate)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.verticalScrollBar().setSingleStep(24)
        offer_copies(self, self.copied, lambda: self.copied(markdown=True))

    def go_to(self, turn_id: int) -> None:
        """Bring a turn into the middle."""
        row = self.turn_list.find_row(turn_id)
        if row >= 0:
            self.scrollTo(self.turn_list.index(row), QListView.ScrollHint.PositionAtCenter)

    def copied(self, *, markdown: bool = False) -> str:
        """Write the selected turns, with who said them and when."""
        rows = sorted(self.selectedIndexes(), key=lambda index: index.row())
        if markdown:
            return turns_markdown([row.data(TURN_ROLE) for row in rows])
        return "\n".join(str(row.data()) for row in rows)

    @staticmethod
    def copy(words: str) -> None:
        """Put words on the clipboard."""
        QGuiApplication.clipboard().setText(words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask all heights again: words wrap anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()
