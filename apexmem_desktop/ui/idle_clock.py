"""How long nobody has used the computer, asked of the system or, under Wayland, of the desktop."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from apexmem_desktop.ui.desk import Desk

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusConnection, QDBusMessage

_LONGEST_MS = 2000
# GNOME's own clock, in milliseconds.
_GNOME = (
    *("org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core"),
    *("org.gnome.Mutter.IdleMonitor", "GetIdletime"),
)
# The hint that desktops of all kinds give to the system's login service.
_LOGIN = (
    *("org.freedesktop.login1", "/org/freedesktop/login1/session/auto"),
    *("org.freedesktop.DBus.Properties", "GetAll"),
)
_SESSION = "org.freedesktop.login1.Session"


class IdleClock(QObject):
    """Asked with `ask`, it answers with `told`, always once, and never makes anybody wait."""

    told = Signal(object)  # int: milliseconds since the last input anywhere; None: nobody tells

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk

    def ask(self) -> None:
        """Ask the system; `told` comes at once or some time later."""
        self._desk.read(self._desk.memory.idle_ms, self, self._on_system)

    def _on_system(self, idle_ms: int | None) -> None:
        if idle_ms is None and has_bus():
            self._ask_gnome()
        else:
            self.told.emit(idle_ms)

    def _ask_gnome(self) -> None:
        try:
            from PySide6.QtDBus import QDBusConnection, QDBusMessage
        except ImportError:  # a Qt without it
            self.told.emit(None)
            return
        message = QDBusMessage.createMethodCall(*_GNOME)
        self._call(QDBusConnection.sessionBus(), message, self._on_gnome)

    def _on_gnome(self, answer: list[object]) -> None:
        if answer and isinstance(answer[0], int):
            self.told.emit(answer[0])
        else:
            self._ask_login()

    def _ask_login(self) -> None:
        from PySide6.QtDBus import QDBusConnection, QDBusMessage

        message = QDBusMessage.createMethodCall(*_LOGIN)
        message.setArguments([_SESSION])
        self._call(QDBusConnection.systemBus(), message, self._on_login)

    def _on_login(self, answer: list[object]) -> None:
        hint = answer[0] if answer and isinstance(answer[0], dict) else {}
        self.told.emit(hinted_ms(hint, time.time_ns() // 1_000_000))

    def _call(self, bus: "QDBusConnection", message: "QDBusMessage", then: object) -> None:
        from PySide6.QtDBus import QDBusMessage, QDBusPendingCallWatcher

        def answered() -> None:
            reply = watcher.reply()
            failed = reply.type() is not QDBusMessage.MessageType.ReplyMessage
            watcher.deleteLater()
            then([] if failed else reply.arguments())  # type: ignore[operator]

        if not bus.isConnected():
            then([])  # type: ignore[operator]
            return
        watcher = QDBusPendingCallWatcher(bus.asyncCall(message, _LONGEST_MS), self)
        watcher.finished.connect(answered)


def hinted_ms(hint: dict[str, object], now_ms: int) -> int | None:
    """Read the login service's hint. Many a desktop never sets it, so only "idle" tells anything.

    Args:
        hint: The session's properties; `IdleSinceHint` is in microseconds since 1970.
    """
    since_us = hint.get("IdleSinceHint")
    if hint.get("IdleHint") is not True or not isinstance(since_us, int):
        return None
    return max(0, now_ms - since_us // 1000)


def has_bus() -> bool:
    """Whether there is a desktop to ask by D-Bus: where there is none, Qt would start one."""
    if os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return True
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return bool(runtime) and (Path(runtime or "") / "bus").exists()
