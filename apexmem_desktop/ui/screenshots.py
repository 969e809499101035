"""Pictures of every place, light and dark, in each language, without a screen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

from apexmem_desktop.domain.answers import Answer, AskNews, AskOptions
from apexmem_desktop.domain.errors import ModelMissingError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.ui.build_job import BuildJob
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.sidebar import PLACES
from apexmem_desktop.ui.tasks import TaskRunner
from apexmem_desktop.ui.theme import THEMES, apply_theme
from apexmem_desktop.ui.timeline_picture import offscreen_app, save_picture
from apexmem_desktop.ui.translation import LANGUAGES, set_language

_SIZE = (1360, 860)
_LONGEST_MS = 120_000
_TELLING = "history"  # a picture that is not a place: a property's versions below the timeline


@dataclass(frozen=True, slots=True)
class _Look:
    """One language and one theme."""

    language: str
    theme: str


def write_screenshots(
    vault_path: Path, folder: Path, *, places: Sequence[str] = PLACES, question: str = ""
) -> list[Path]:
    """Write a PNG of each place in each look and return the files.

    Args:
        places: Which of the places; "timeline" gives the fact history too.
        question: Asked for the picture of Ask where a model is there; otherwise, and when it is
            "", the answer given last is shown.

    Raises:
        UserError: The memory file cannot be opened, or a picture cannot be written.
    """
    from apexmem_desktop.services.workspace import Workspace

    app = offscreen_app()
    memory = Memory(Workspace(vault_path), vault_path)
    try:
        return picture_all(app, memory, folder, places=places, question=question)
    finally:
        memory.close()


def picture_all(
    app: QApplication, memory: Memory, folder: Path, *, places: Sequence[str], question: str = ""
) -> list[Path]:
    """Take the pictures of a memory that is open."""
    answer = _find_answer(memory, question)
    written: list[Path] = []
    for language in LANGUAGES:
        for theme in THEMES:
            written += _picture_look(app, memory, folder, places, _Look(language, theme), answer)
    return written


def _find_answer(memory: Memory, question: str) -> Answer | None:
    if question:
        try:
            return memory.ask(question, AskOptions(), _ignore_news, CancelToken())
        except ModelMissingError:
            pass
    return memory.latest_answer()


def _ignore_news(_: AskNews) -> None:
    pass


def _picture_look(
    app: QApplication,
    memory: Memory,
    folder: Path,
    places: Sequence[str],
    look: _Look,
    answer: Answer | None,
) -> list[Path]:
    set_language(look.language)
    apply_theme(app, look.theme)
    tasks = TaskRunner()
    desk = Desk(memory, tasks)
    window = MainWindow(desk, BuildJob(desk))
    window.resize(*_SIZE)
    window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    window.show()
    settle(tasks)
    shots = _Shots(folder, window, tasks, look)
    for place in places:
        window.go_to(place)
        settle(tasks)
        shots.take(place, lambda p=place: _prepare(window, desk, p, answer))  # type: ignore[misc]
        if place == "timeline":
            shots.take(_TELLING, lambda: _open_history(window))
            window.timeline.history.hide()
    tasks.close()
    window.close()
    window.deleteLater()
    # There is no event loop that would do it, and the next look would dress this window again.
    QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
    return shots.files


class _Shots:
    """Takes pictures of one window and keeps their names."""

    def __init__(self, folder: Path, window: MainWindow, tasks: TaskRunner, look: _Look) -> None:
        self._folder = folder
        self._window = window
        self._tasks = tasks
        self._look = look
        self.files: list[Path] = []

    def take(self, name: str, prepare: Callable[[], None]) -> None:
        """Prepare what is to be seen, wait until it is there, save it."""
        prepare()
        settle(self._tasks)
        path = self._folder / f"{name}-{self._look.theme}-{self._look.language}.png"
        save_picture(self._window, path)
        self.files.append(path)


def settle(tasks: TaskRunner) -> None:
    """Let events run until no task is left: woken by the runner's own signal, no sleeping."""
    QApplication.processEvents()
    while tasks.busy:
        loop = QEventLoop()
        tasks.drained.connect(loop.quit)
        # Only so that a hanging service ends in a picture and not in a wait without end.
        timer = QTimer(loop, singleShot=True, interval=_LONGEST_MS)
        timer.timeout.connect(loop.quit)
        timer.start()
        loop.exec()
        if not timer.isActive():
            return
        QApplication.processEvents()


def _prepare(window: MainWindow, desk: Desk, place: str, answer: Answer | None) -> None:
    if place == "ask" and answer is not None:
        window.ask.show_stored(answer)
        proofs = answer.citations or answer.evidence
        if proofs:
            desk.spot_asked.emit(Spot.of(proofs[0]))


def _open_history(window: MainWindow) -> None:
    """Choose the lane that changed most."""
    item = window.timeline.plot.first_changed_item()
    if item is not None:
        window.timeline.plot.choose(item)
