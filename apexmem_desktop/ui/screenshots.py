"""Pictures of every place, light and dark, in each language, and mirrored, without a screen."""

import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from apexmem_desktop.domain.answers import Answer, AskNews, AskOptions
from apexmem_desktop.domain.errors import ModelMissingError
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.build_job import BuildJob
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.import_dialog import ImportDialog
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.sidebar import PLACES
from apexmem_desktop.ui.tasks import TaskRunner
from apexmem_desktop.ui.theme import THEMES, apply_theme
from apexmem_desktop.ui.timeline_lanes import count_successions
from apexmem_desktop.ui.timeline_picture import offscreen_app, save_picture
from apexmem_desktop.ui.translation import LANGUAGES, set_language, set_mirrored

_SIZE = (1360, 860)
_LONGEST_MS = 120_000
_ROUNDS = 4
_COMPARED_ENTITIES = 12
# Pictures that are not places: a property's versions below the timeline, the dialog that looks
# into a file, and what somebody sees who begins.
_HISTORY, _IMPORT, _FIRST_RUN = "history", "import", "first-run"
_EMPTY = "-empty"  # behind the name of a place that has nothing to show yet
_USUAL_PERCENT = 100


@dataclass(frozen=True, slots=True)
class _Look:
    """One language and one theme, how large the window is, and which way it runs."""

    language: str
    theme: str
    size: tuple[int, int]
    mirrored: bool = False
    text_percent: int = 100

    @property
    def name(self) -> str:
        """What its files are called by."""
        large = f"-{self.text_percent}" if self.text_percent != _USUAL_PERCENT else ""
        return f"{self.theme}-{self.language}{'-mirrored' * self.mirrored}{large}"


def write_screenshots(
    vault_path: Path,
    folder: Path,
    *,
    places: Sequence[str] = PLACES,
    question: str = "",
    passphrase: str = "",
    text_percent: int = _USUAL_PERCENT,
) -> list[Path]:
    """Write a PNG of each place in each look and return the files.

    Args:
        places: Which of the places; "timeline" gives the fact history too, "imports" the import
            dialog, and each what somebody sees there who has nothing yet.
        text_percent: Size of all text, in percent of what is usual.
        question: Asked for the picture of Ask where a model is there; otherwise, and when it is
            "", the answer given last is shown.

    Raises:
        UserError: The memory file cannot be opened, or a picture cannot be written.
    """
    from apexmem_desktop.services.workspace import Workspace

    app = offscreen_app()
    with tempfile.TemporaryDirectory() as nothing:
        empty = Path(nothing) / vault_path.name
        with (
            closing(Memory(Workspace(vault_path, passphrase=passphrase), vault_path)) as memory,
            closing(Memory(Workspace(empty, models_dir=empty.parent), empty)) as newcomer,
        ):
            return picture_all(
                app,
                memory,
                folder,
                places=places,
                question=question,
                newcomer=newcomer,
                text_percent=text_percent,
            )


def picture_all(
    app: QApplication,
    memory: Memory,
    folder: Path,
    *,
    places: Sequence[str],
    question: str = "",
    newcomer: Memory | None = None,
    size: tuple[int, int] = _SIZE,
    text_percent: int = _USUAL_PERCENT,
) -> list[Path]:
    """Take the pictures of a memory that is open.

    Args:
        newcomer: An empty memory, for what somebody sees who begins.
    """
    answer = _find_answer(memory, question)
    written: list[Path] = []
    looks = [_Look(language, theme, size) for language in LANGUAGES for theme in THEMES]
    looks.append(_Look("en", "light", size, mirrored=True))
    for look in (replace(one, text_percent=text_percent) for one in looks):
        _turn(app, mirrored=look.mirrored)
        written += _picture_look(app, memory, folder, places, look, answer)
        begins = _begins(places) if newcomer is not None else []
        begins += [_IMPORT] if "imports" in places else []
        written += _picture_look(app, newcomer or memory, folder, begins, look, None)
    _turn(app, mirrored=False)
    return written


def _begins(places: Sequence[str]) -> list[str]:
    """Name the pictures of what somebody sees who has nothing yet; Ask begins with three steps."""
    return [_FIRST_RUN if place == "ask" else f"{place}{_EMPTY}" for place in places]


def _turn(app: QApplication, *, mirrored: bool) -> None:
    """Let the window run as for a reader of Arabic, or as for one of English."""
    way = Qt.LayoutDirection.RightToLeft if mirrored else Qt.LayoutDirection.LeftToRight
    app.setLayoutDirection(way)
    set_mirrored(mirrored=mirrored)


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
    apply_theme(app, look.theme, look.text_percent)
    tasks = TaskRunner()
    desk = Desk(memory, tasks)
    window = MainWindow(desk, BuildJob(desk))
    window.resize(*look.size)
    window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    window.show()
    settle(tasks)
    shots = _Shots(folder, window, tasks, look)
    for place in places:
        named = {_FIRST_RUN: "ask", _IMPORT: "imports"}
        window.go_to(named.get(place, place.removesuffix(_EMPTY)))
        settle(tasks)
        if place == _IMPORT:
            shots.take(_IMPORT, _import_dialog(desk, window, look))
            continue
        if place == "ask" and answer is not None:
            window.ask.show_dialogue(answer.dialogue_id, memory.dialogue(answer.dialogue_id))
        shots.take(place)
        if place == "timeline":
            _open_history(window, memory, tasks)
            shots.take(_HISTORY)
            window.timeline.history.hide()
            window.evidence.hide()
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

    def take(self, name: str, what: QWidget | None = None) -> None:
        """Wait until all is there, then save what the window or something else looks like."""
        settle(self._tasks)
        path = self._folder / f"{name}-{self._look.name}.png"
        save_picture(what or self._window, path)
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
    for _ in range(_ROUNDS):  # one layout after the other asks for more room
        QApplication.processEvents()


def _import_dialog(desk: Desk, window: MainWindow, look: _Look) -> ImportDialog:
    """Look into one of the sample exports; nothing is stored."""
    samples = sorted((resources_dir() / "samples").glob("*Chat with*.txt"))
    dialog = ImportDialog(desk, samples[:1], window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    dialog.resize(min(dialog.width(), look.size[0]), dialog.height())
    dialog.show()
    return dialog


def _open_history(window: MainWindow, memory: Memory, tasks: TaskRunner) -> None:
    """Choose the property whose values gave way to one another most often."""
    entity_id = _most_changed(memory)
    if entity_id is None:
        return
    window.timeline.open_entity(entity_id)
    settle(tasks)
    item = window.timeline.plot.first_changed_item()
    if item is not None:
        window.timeline.plot.choose(item)


def _most_changed(memory: Memory) -> int | None:
    """Find the entity that has the lane with the most successions."""
    most: dict[int, int] = {}
    for entity in memory.entities()[:_COMPARED_ENTITIES]:
        lanes: dict[str, list[TimelineItem]] = {}
        for item in memory.timeline(entity.id)[1]:
            lanes.setdefault(item.lane, []).append(item)
        most[entity.id] = max(map(count_successions, lanes.values()), default=0)
    return max(most, key=lambda entity_id: most[entity_id], default=None)
