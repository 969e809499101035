"""When chats may be read: always, while nobody uses the computer, or only on mains power."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from apexmem_desktop.domain.reading import Machine
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.idle_clock import IdleClock

IDLE_MS = 120_000
_LOOK_MS = 20_000
_LOOK_WHILE_IDLE_MS = 3_000  # who comes back shall not wait for what is read meanwhile
_INPUT = {
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.TouchBegin,
}


class ReadingHours(QObject):
    """Tells when reading becomes allowed and when not any more; looks only where it matters.

    "Nobody uses the computer" is what the system's clock of the last input says. Where nothing
    tells that (some Wayland desktops), it is that nobody used this window.
    """

    changed = Signal(bool)  # whether chats may be read now

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._on_battery = False
        self._used = True
        self._allowed = True
        self.clock = IdleClock(desk, self)
        self.clock.told.connect(self._on_clock)
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(self._on_idle)
        self._looks = QTimer(self, interval=_LOOK_MS)
        self._looks.timeout.connect(self.look)
        self._knows = False  # whether the system tells how long nobody used it
        self._watching = False
        self.look()

    @property
    def allowed(self) -> bool:
        """Whether chats may be read now."""
        when = self._desk.memory.settings().build_when
        if when == "idle":
            return not self._used
        return not (when == "mains" and self._on_battery)

    @property
    def waits_for(self) -> str:
        """What has to come first: "idle", "mains", or "" where reading is always allowed."""
        return self._desk.memory.settings().build_when

    def look(self) -> None:
        """Look at the settings, and at the power supply or the clock of the last input."""
        when = self._desk.memory.settings().build_when
        if not when:
            self._looks.stop()
        elif not self._looks.isActive():
            self._looks.start()
        self._watch(when == "idle")
        if when == "idle" and not self._idle.isActive() and self._used:
            self._idle.start()
        if when == "mains":
            self._looks.setInterval(_LOOK_MS)
            self._desk.read(self._desk.memory.machine, self, self._on_machine)
        elif when == "idle":
            self.clock.ask()
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
        self._used = True  # whatever was the case before, somebody just chose this
        app.installEventFilter(self) if wanted else app.removeEventFilter(self)

    def _on_idle(self) -> None:
        """Nobody used the window for long; that says little where the whole computer is known."""
        if not self._knows:
            self._used = False
            self._tell()

    def _on_clock(self, idle_ms: int | None) -> None:
        self._knows = idle_ms is not None
        if idle_ms is not None:
            self._used = idle_ms < IDLE_MS
        self._looks.setInterval(_LOOK_MS if self._used else _LOOK_WHILE_IDLE_MS)
        self._tell()

    def _on_machine(self, machine: Machine) -> None:
        self._on_battery = machine.on_battery
        self._tell()

    def _tell(self) -> None:
        if self.allowed != self._allowed:
            self._allowed = self.allowed
            self.changed.emit(self._allowed)
