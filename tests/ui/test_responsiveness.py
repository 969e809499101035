"""The window stays alive while real services import and read: no gap of its event loop is long."""

import gc
import logging
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.ui.app import Shell
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.import_dialog import ImportDialog
from apexmem_desktop.ui.memory import Memory
from tests.fakes import HashEmbedder, ScriptedLanguage

LONGEST_GAP_MS = 100.0
BEAT_MS = 5
IDLE_MS = 1000
LONGEST_WAIT_MS = 120_000
TRIES = 5
MESSAGES = 1500


class Heartbeat(QObject):
    """Measures how long the event loop leaves a short timer waiting.

    Asserted is the processor time that this program itself used meanwhile: what another program
    takes from a busy machine is no fault of ours, and what holds our event loop up (a slow slot,
    a thread that keeps the interpreter) uses processor time of ours. The time by the clock is
    measured too, less the time for which this thread stood in the queue for a processor (where
    Linux tells it): `--log-cli-level=INFO` shows it, beside the gap of the same loop when idle.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last_s, self._last_wall_s = time.process_time(), time.perf_counter()
        self.longest_ms = self.longest_wall_ms = 0.0
        self._timer = QTimer(self, interval=BEAT_MS)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        self._last_s, self._last_wall_s = time.process_time(), time.perf_counter() - queued_s()
        self.longest_ms = self.longest_wall_ms = 0.0
        self._timer.start()

    def stop(self) -> float:
        self._timer.stop()
        return self.longest_ms

    def _beat(self) -> None:
        now_s, wall_s = time.process_time(), time.perf_counter() - queued_s()
        self.longest_ms = max(self.longest_ms, (now_s - self._last_s) * 1000)
        self.longest_wall_ms = max(self.longest_wall_ms, (wall_s - self._last_wall_s) * 1000)
        self._last_s, self._last_wall_s = now_s, wall_s


def queued_s() -> float:
    """Tell how long this thread has been ready to run while others ran; 0 where nobody tells."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


class ModellessWorkspace(Workspace):
    """A real workspace with stand-ins for the two model processes."""

    def language(self) -> ScriptedLanguage:  # type: ignore[override]
        return ScriptedLanguage(_reply)

    def embedder(self) -> HashEmbedder:  # type: ignore[override]
        return self.__dict__.setdefault("_hash", HashEmbedder())


def _reply(request: GenerateRequest) -> str:
    """Say no to every question, and nothing about every sentence."""
    return request.choices[0] if request.choices else "-"


@pytest.fixture
def shell(qapp: QApplication, tmp_path: Path) -> Iterator[Shell]:
    path = tmp_path / "memory.apexmem"
    settings = Settings(zone="Europe/Berlin", theme="light", ui_language="en")
    made = Shell(qapp, Memory(ModellessWorkspace(path, settings=settings), path))
    yield made
    made.close()
    if made.window is not None:
        made.window.deleteLater()
    gc.unfreeze()


def long_chat(folder: Path, number: int) -> Path:
    """A chat of many messages without facts."""
    lines = [
        f"{1 + n // 120 % 28:02}/{1 + n // 3360 % 12:02}/2023, {8 + n // 60 % 12:02}:{n % 60:02} - "
        f"{'Ada Quill' if n % 2 else 'Tom Reed'}: number {n} of chat {number}, and some more words"
        for n in range(MESSAGES)
    ]
    path = folder / f"WhatsApp Chat with Tom {number}.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_an_import_and_a_build_leave_no_long_gap(
    qtbot: QtBot, tmp_path: Path, shell: Shell
) -> None:
    desk, job = shell.desk, shell.job
    window = shell.open()
    errors: list[BaseException] = []
    desk.failed.connect(errors.append)
    heartbeat = Heartbeat()
    sample = next((resources_dir() / "samples").glob("WhatsApp Chat with *.txt"))
    heartbeat.start()
    idle = QTimer(interval=IDLE_MS, singleShot=True)
    with qtbot.waitSignal(idle.timeout):
        idle.start()
    heartbeat.stop()
    idle_ms = heartbeat.longest_wall_ms
    gaps: list[float] = []
    wall_gaps: list[float] = []
    # A gap that we make comes each time; one that a busy machine makes does not. So the best of
    # a few tries counts, each with new files to read.
    for number in range(TRIES):
        # The sample is known after the first try, and then there is nothing of it to store.
        files = (long_chat(tmp_path, number), *([sample] if number == 0 else []))
        heartbeat.start()
        window.go_to("imports")
        import_all(qtbot, desk, files)
        window.go_to("people")
        desk.build_asked.emit()
        qtbot.waitUntil(lambda: not shell.tasks.busy and not job.running, timeout=LONGEST_WAIT_MS)
        # Processor time counts our other threads too, the clock counts other programs: what the
        # window itself does not answer for is the lesser of the two.
        worked_ms = heartbeat.stop()
        wall_gaps.append(heartbeat.longest_wall_ms)
        gaps.append(min(worked_ms, heartbeat.longest_wall_ms))
        if gaps[-1] < LONGEST_GAP_MS:
            break
    logging.getLogger(__name__).info(
        "longest gaps: %.0f ms, %.0f ms by the clock (%.0f ms when idle)",
        min(gaps),
        min(wall_gaps),
        idle_ms,
    )
    assert errors == []
    assert desk.memory.status().turns > MESSAGES
    assert min(gaps) < LONGEST_GAP_MS, gaps


def import_all(qtbot: QtBot, desk: Desk, files: tuple[Path, ...]) -> None:
    """Bring files in as a user does, by the dialog."""
    dialog = ImportDialog(desk, files)
    qtbot.addWidget(dialog)
    dialog.show()
    for number in range(len(files)):
        qtbot.waitUntil(dialog.store.isEnabled, timeout=LONGEST_WAIT_MS)
        assert dialog.preview.choices() == ImportChoices(zone="Europe/Berlin")
        dialog.start()
        qtbot.waitUntil(dialog.store.isHidden, timeout=LONGEST_WAIT_MS)
        if number + 1 < len(files):
            dialog.next.click()
    dialog.close()
