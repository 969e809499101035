"""A slider over a stretch of time whose right end means: no moment in particular."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QVBoxLayout, QWidget

from apexmem_desktop.ui.dates import day_text
from apexmem_desktop.ui.parts import icon_button, row, short_label

_STEPS = 1000


class MomentSlider(QWidget):
    """Names the day it stands on; a button leads back to the right end.

    Args:
        name: What the moment is of.
        off: What is said at the right end.
        back: What the button does, for its hint.
    """

    moved = Signal(object)  # int, UTC milliseconds; None at the right end

    def __init__(self, name: str, off: str, back: str) -> None:
        super().__init__()
        self._off = off
        self._first_ms = self._last_ms = 0
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _STEPS)
        self.slider.setValue(_STEPS)
        # As time runs on the axis above, in a mirrored window too.
        self.slider.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.slider.setPageStep(_STEPS // 20)
        self.slider.setAccessibleName(name)
        self.moment = short_label(off, tone="muted")
        self.back = icon_button("close", back, self.reset)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        title = short_label(name)
        for words in (title, self.moment):
            words.setMinimumWidth(1)  # they may be cut sooner than the window be scrolled
        layout.addLayout(row(title, self.moment, 0, self.back))
        layout.addWidget(self.slider)
        self.slider.valueChanged.connect(self._on_value)
        policy = self.back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(policy)
        self.back.hide()

    def set_extent(self, first_ms: int, last_ms: int) -> None:
        """Span another stretch of time."""
        self._first_ms, self._last_ms = first_ms, last_ms

    def at_ms(self) -> int | None:
        """The moment it stands on; None at the right end."""
        value = self.slider.value()
        if value >= _STEPS:
            return None
        return self._first_ms + (self._last_ms - self._first_ms) * value // _STEPS

    def reset(self) -> None:
        """Go back to the right end."""
        self.slider.setValue(_STEPS)

    def _on_value(self, _: int) -> None:
        at_ms = self.at_ms()
        self.moment.setText(self._off if at_ms is None else day_text(at_ms))
        self.back.setVisible(at_ms is not None)
        self.moved.emit(at_ms)
