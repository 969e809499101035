"""The places at the left."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QWidget

from apexmem_desktop.ui.icons import icon, sidebar_icon
from apexmem_desktop.ui.parts import column, label, row, short_label
from apexmem_desktop.ui.theme import scaled
from apexmem_desktop.ui.translation import tr

PLACES = ("ask", "timeline", "people", "clarify", "conversations", "imports", "models", "settings")
_LOGO_PX, _ICON_PX = 26, 20
_ITEM_PADDING_PX = 23
_LEAST_CHARS = 19
_COMPACT_PX = 48  # around an icon


class Sidebar(QWidget):
    """Chooses a place; Ctrl+1 to Ctrl+8 do it from anywhere. In a narrow window only icons."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.list = QListWidget()
        self.list.setObjectName("sidebar")
        self.list.setIconSize(QSize(scaled(_ICON_PX), scaled(_ICON_PX)))
        self.list.setAccessibleName(tr("place.places"))
        height = self.fontMetrics().height() + _ITEM_PADDING_PX
        for place in PLACES:
            item = QListWidgetItem(sidebar_icon(place), tr(f"place.{place}"))
            item.setSizeHint(QSize(0, height))
            item.setToolTip(tr(f"place.{place}"))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, tr(f"place.{place}"))
            self.list.addItem(item)
        self.list.currentRowChanged.connect(lambda number: self.chosen.emit(PLACES[number]))
        self._words: list[QLabel] = []
        layout = column(self, spacing=14)
        layout.setContentsMargins(4, 20, 4, 14)
        layout.addLayout(self._brand())
        layout.addWidget(self.list, 1)
        layout.addLayout(self._promise())
        widest = max(self.fontMetrics().horizontalAdvance(tr(f"place.{one}")) for one in PLACES)
        least = self.fontMetrics().averageCharWidth() * _LEAST_CHARS
        self._full_px = max(least, widest) + 84
        self._compact = False
        self.setFixedWidth(self._full_px)

    def make_compact(self, *, compact: bool) -> None:
        """Show icons only, or icons with their names."""
        if compact == self._compact:
            return
        self._compact = compact
        for number, place in enumerate(PLACES):
            self.list.item(number).setText("" if compact else tr(f"place.{place}"))
        for words in self._words:
            words.setHidden(compact)
        self.setFixedWidth(scaled(_ICON_PX) + _COMPACT_PX if compact else self._full_px)

    def choose(self, place: str) -> None:
        """Go to a place."""
        self.list.setCurrentRow(PLACES.index(place))

    def _brand(self) -> QHBoxLayout:
        logo = label()
        logo.setPixmap(icon("apexmem", "accent").pixmap(scaled(_LOGO_PX), scaled(_LOGO_PX)))
        self._words.append(short_label("APEX-MEM", bold=True, size=1.1))
        line = row(logo, self._words[-1], 0, spacing=10)
        line.setContentsMargins(16, 0, 8, 4)
        return line

    def _promise(self) -> QHBoxLayout:
        sign = label()
        sign.setPixmap(icon("lock", "faint").pixmap(scaled(16), scaled(16)))
        sign.setToolTip(tr("place.private"))
        words = label(tr("place.private"), tone="faint", size=0.85)
        self._words.append(words)
        line = row(sign, words, spacing=8)
        line.setStretch(1, 1)
        line.setContentsMargins(16, 0, 8, 0)
        return line
