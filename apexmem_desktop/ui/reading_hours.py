"""When chats may be read: always, while nobody uses the window, or only on mains power."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from apexmem_desktop.domain.reading import Machine
from apexmem_desktop.ui.desk import Desk

IDLE_MS = 120_000
_LOOK_MS = 20_000
_INPUT = {
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.TouchBegin,
}


class ReadingHours(QObject):
    """Tells when reading becomes allowed and when not any more; looks only where it matters."""

    changed = Signal(bool)  # whether chats may be read now

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._on_battery = False
        self._used = True
        self._allowed = True
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(self._on_idle)
        self._power = QTimer(self, interval=_LOOK_MS)
        self._power.timeout.connect(self.look)
        self._watching = False
        self.look()

    @property
    def allowed(self) -> bool:
        """Whether chats may be read now."""
        when = self._desk.memory.settings().build_when
        if when == "idle":
            return not self._used
        return not (when == "mains" and self._on_battery)

    def look(self) -> None:
        """Look at the settings and the power supply."""
        when = self._desk.memory.settings().build_when
        self._power.start() if when == "mains" else self._power.stop()
        if when == "idle" and not self._idle.isActive() and self._used:
            self._idle.start()
        self._watch(when == "idle")
        if when == "mains":
            self._desk.read(self._desk.memory.machine, self, self._on_machine)
        self._tell()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """See that somebody uses the window; no event is held back."""
        if event.type() in _INPUT:
            self._used = True
            self._idle.start()
            self._tell()
        return False

    def _watch(self, wanted: bool) -> None:
        """See each event of the window only where it matters: that costs time with each."""
        app = QApplication.instance()
        if app is None or wanted == self._watching:
            return
        self._watching = wanted
        app.installEventFilter(self) if wanted else app.removeEventFilter(self)

    def _on_idle(self) -> None:
        self._used = False
        self._tell()

    def _on_machine(self, machine: Machine) -> None:
        self._on_battery = machine.on_battery
        self._tell()

    def _tell(self) -> None:
        if self.allowed != self._allowed:
            self._allowed = self.allowed
            self.changed.emit(self._allowed)
