"""A dialog that is as wide and as high as its words need, in whatever size these are."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QScrollArea, QSizePolicy, QWidget

from apexmem_desktop.ui.theme import scaled

_SHARE_OF_SCREEN = 0.92
_LEAST_LINES = 8


class RoomyArea(QScrollArea):
    """As high as what it holds, but scrolled where the screen has no room for that."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setWidget(inside)
        self._inside = inside
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # words wrap
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is inside takes the keyboard
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell what is around where the wishes of what is inside change; Qt looks here already."""
        if event.type() == QEvent.Type.LayoutRequest and watched is self._inside:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def hasHeightForWidth(self) -> bool:
        """Wrapped words inside are higher where they are narrower."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Ask what is inside."""
        inside = self._inside
        wanted = inside.heightForWidth(width) if inside.hasHeightForWidth() else -1
        return max(wanted, inside.sizeHint().height())

    def sizeHint(self) -> QSize:
        """Ask what is inside."""
        return self._inside.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Be as wide as what is inside; a few lines high at least."""
        least = self._inside.minimumSizeHint()
        wide = least.width() + self.verticalScrollBar().sizeHint().width()
        return QSize(wide, min(least.height(), _LEAST_LINES * self.fontMetrics().height()))


class RoomyDialog(QDialog):
    """Qt asks wrapped words for their height too early; this asks once their width is known."""

    def __init__(
        self, parent: QWidget | None = None, *, width_px: int = 0, snug: bool = False
    ) -> None:
        """Make an empty dialog.

        Args:
            width_px: How wide it is at least, at the usual size of text.
            snug: Be no higher than what is in it, which has nothing that could grow.
        """
        super().__init__(parent)
        self._snug = snug
        if width_px:
            self.setMinimumWidth(min(scaled(width_px), self._most_width()))

    def showEvent(self, event: QShowEvent) -> None:
        """Take the room that the words need."""
        super().showEvent(event)
        self.fit(shrink=self._snug)
        # Once more when the labels have told what they need.
        QTimer.singleShot(0, self, lambda: self.fit(shrink=self._snug))

    def fit(self, *, shrink: bool = False) -> None:
        """Grow to what is shown now, or with `shrink` become just as high as that."""
        layout = self.layout()
        if layout is None:
            return
        layout.activate()
        width = max(self.width(), layout.minimumSize().width())
        wanted = layout.minimumSize().height()
        if layout.hasHeightForWidth():
            wanted = max(wanted, layout.totalHeightForWidth(width))
        height = min(wanted if shrink else max(self.height(), wanted), self._most_height())
        self.resize(min(width, self._most_width()), height)

    def _most_width(self) -> int:
        return round(self.screen().availableGeometry().width() * _SHARE_OF_SCREEN)

    def _most_height(self) -> int:
        return round(self.screen().availableGeometry().height() * _SHARE_OF_SCREEN)
