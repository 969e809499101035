"""A line above the place that says what went wrong and what to do; it waits to be closed."""

import traceback

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.ui.error_words import error_text
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.parts import button, icon_button, label
from apexmem_desktop.ui.theme import scaled
from apexmem_desktop.ui.translation import tr

_ICON_PX = 20


class NoticeBar(QFrame):
    """Hidden until an error is shown. Errors of ours can be copied for a report."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("notice")
        self._detail = ""
        self._words = label()
        self._copy = button(tr("notice.copy"), self._on_copy, kind="plain")
        sign = label()
        sign.setPixmap(icon("warning", "warn").pixmap(scaled(_ICON_PX), scaled(_ICON_PX)))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 8)
        layout.setSpacing(12)
        layout.addWidget(sign)
        layout.addWidget(self._words, 1)
        layout.addWidget(self._copy)
        layout.addWidget(icon_button("close", tr("common.close"), self.hide))
        self.hide()

    def show_error(self, error: BaseException) -> None:
        """Say an error of the world in its own words, one of ours as such."""
        ours = not isinstance(error, UserError)
        self._detail = "".join(traceback.format_exception(error)) if ours else ""
        self._words.setText(error_text(error))
        self._copy.setVisible(ours)
        self.show()

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._detail)
