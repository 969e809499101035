"""The chats of one file whose clock was another than that of the rest."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from apexmem_desktop.domain.reports import ReadChat
from apexmem_desktop.ui.parts import column, find_anywhere, grow_from, label, row
from apexmem_desktop.ui.translation import tr
from apexmem_desktop.ui.zone_names import ZONE_CHARS

_CHAT_CHARS = 20
_SHOWN_CHATS = 6
_LEAST_BOX_PX = 120


class ChatZonePicker(QWidget):
    """Pick a chat, then its zone; what was given is listed below."""

    changed = Signal()

    def __init__(self, zones: Sequence[str]) -> None:
        super().__init__()
        self._chats: tuple[ReadChat, ...] = ()
        self._given: dict[str, str] = {}
        self.chat = QComboBox()
        self.zone = QComboBox()
        self._told = label(tone="muted", size=0.92)
        self.chat.setAccessibleName(tr("import.chat_zone"))
        self.zone.setAccessibleName(tr("import.zone"))
        find_anywhere(self.chat, _CHAT_CHARS)
        self.zone.addItems(list(zones))
        find_anywhere(self.zone, ZONE_CHARS)
        layout = column(self, spacing=4)
        layout.addLayout(row(self.chat, self.zone))
        for box in (self.chat, self.zone):
            grow_from(box, _LEAST_BOX_PX)
        layout.addWidget(self._told)
        self.chat.activated.connect(lambda _: self._show_zone())
        self.zone.activated.connect(lambda _: self._on_zone())

    def given(self) -> tuple[tuple[str, str], ...]:
        """Which chats were given which zone."""
        return tuple(self._given.items())

    def give_only_chat(self, zone: str) -> None:
        """Where the file is one chat, what is said of the file is said of it."""
        if len(self._chats) == 1:
            self._given = {_name(self._chats[0]): zone}

    def forget(self) -> None:
        """Forget all: the next file is another."""
        self._given = {}
        self._chats = ()

    def show_chats(self, chats: Sequence[ReadChat], zone: str) -> None:
        """Show the chats of a file.

        Args:
            zone: That of the file.
        """
        if tuple(map(_name, chats)) != tuple(map(_name, self._chats)):
            self.chat.clear()
            self.chat.addItems([one.title for one in chats])
            if line := self.chat.lineEdit():
                line.setCursorPosition(0)  # a long name shows its beginning
        self._chats = tuple(chats)
        own = [f"{one.title}: {one.zone}" for one in chats if one.zone != zone]
        more = "…" if len(own) > _SHOWN_CHATS else ""
        self._told.setText("\n".join(own[:_SHOWN_CHATS]) + more)
        self._told.setVisible(bool(own))
        self._show_zone()

    def _show_zone(self) -> None:
        number = self.chat.currentIndex()
        if 0 <= number < len(self._chats):
            self.zone.setCurrentIndex(self.zone.findText(self._chats[number].zone))

    def _on_zone(self) -> None:
        number, zone = self.chat.currentIndex(), self.zone.currentText()
        if 0 <= number < len(self._chats) and self.zone.findText(zone) >= 0:
            self._given[_name(self._chats[number])] = zone
            self.changed.emit()


def _name(chat: ReadChat) -> str:
    return chat.external_id or chat.title
