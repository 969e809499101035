"""Pictures of every place, light and dark, in each language, and mirrored, without a screen."""

import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from apexmem_desktop.domain.answers import Answer, AskNews, AskOptions
from apexmem_desktop.domain.errors import ModelMissingError, UserError
from apexmem_desktop.domain.progress import CancelToken, Progress
from apexmem_desktop.domain.reading import SelfTest
from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.answer_card import AnswerCard
from apexmem_desktop.ui.build_job import BuildJob
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.dialog_pictures import Maker, makers, makers_for_newcomers
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.sidebar import PLACES
from apexmem_desktop.ui.tasks import TaskRunner
from apexmem_desktop.ui.theme import THEMES, apply_theme
from apexmem_desktop.ui.timeline_lanes import count_successions
from apexmem_desktop.ui.timeline_picture import offscreen_app, save_picture
from apexmem_desktop.ui.translation import LANGUAGES, set_language, set_mirrored

if TYPE_CHECKING:
    from apexmem_desktop.ui.imports_place import ImportsPlace
    from apexmem_desktop.ui.models_place import ModelsPlace

_SIZE = (1360, 860)
_LONGEST_MS = 120_000
_ROUNDS = 4
_COMPARED_ENTITIES = 12
# Pictures that are not places: a property's versions below the timeline, how far reading is, what
# somebody sees who begins, how an answer was found and what is offered where it is wrong, a model
# on its way. Each dialog is named in `dialog_pictures`.
_HISTORY, _FIRST_RUN, _READING = "history", "first-run", "reading"
_TRACE, _WRONG, _PULLING = "trace", "wrong", "model-download"
_LOWER = "-below"  # behind the name of a place whose lower end is shown
_SHOWN_DIALOGS_WITH = "imports"  # the dialogs are taken with this place
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
    looks: Sequence[str] = (),
) -> list[Path]:
    """Write a PNG of each place in each look and return the files.

    Args:
        places: Which of the places; "timeline" gives the fact history too, "imports" the
            dialogs, and each what somebody sees there who has nothing yet.
        text_percent: Size of all text, in percent of what is usual.
        looks: Such as "dark-zh" or "light-en-mirrored"; none for all.
        question: Asked for the picture of Ask where a model is there; otherwise, and when it is
            "", the answer given last is shown.

    Raises:
        UserError: The memory file cannot be opened, a picture cannot be written, or no look is
            called so.
    """
    _check_looks(looks)
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
                looks=looks,
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
    looks: Sequence[str] = (),
) -> list[Path]:
    """Take the pictures of a memory that is open.

    Args:
        newcomer: An empty memory, for what somebody sees who begins.
        looks: Such as "dark-zh" or "light-en-mirrored"; none for all.
    """
    answer = _find_answer(memory, question)
    written: list[Path] = []
    wanted = [one for one in _every_look(size) if not looks or one.name in looks]
    for look in (replace(one, text_percent=text_percent) for one in wanted):
        _turn(app, mirrored=look.mirrored)
        written += _picture_look(app, memory, folder, places, look, answer)
        begins = _begins(places) if newcomer is not None else []
        written += _picture_look(app, newcomer or memory, folder, begins, look, None)
    _turn(app, mirrored=False)
    return written


def _every_look(size: tuple[int, int]) -> list[_Look]:
    every = [_Look(language, theme, size) for language in LANGUAGES for theme in THEMES]
    return [*every, _Look("en", "light", size, mirrored=True)]


def _check_looks(looks: Sequence[str]) -> None:
    known = [one.name for one in _every_look(_SIZE)]
    unknown = next((one for one in looks if one not in known), None)
    if unknown is not None:
        raise UserError(f"No look is called {unknown!r}.", hint=f"There are: {', '.join(known)}.")


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
        window.go_to("ask" if place == _FIRST_RUN else place.removesuffix(_EMPTY))
        settle(tasks)
        if place == "ask" and answer is not None:
            window.ask.show_dialogue(answer.dialogue_id, memory.dialogue(answer.dialogue_id))
        shots.take(place)
        if place == "ask" and answer is not None:
            _open_answer(window, shots)
        if place in ("models", "settings"):
            _scroll_down(window.stack.get(place))
            shots.take(f"{place}{_LOWER}")
        if place == "models":
            _show_model_states(window, shots)
        if place == "imports":
            cast("ImportsPlace", window.stack.get(place)).show_queue()
            shots.take(_READING)
        if place == "timeline":
            _open_history(window, memory, tasks)
            shots.take(_HISTORY)
            window.timeline.hide_history()
            window.evidence.hide()
    if _SHOWN_DIALOGS_WITH in places:
        shots.take_dialogs(makers(desk, window))
    if f"{_SHOWN_DIALOGS_WITH}{_EMPTY}" in places:
        shots.take_dialogs(makers_for_newcomers(desk, window))
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

    def take_dialogs(self, dialogs: Iterable[tuple[str, Maker]]) -> None:
        """Open one after the other over the window, and take it."""
        for name, make in dialogs:
            dialog = make()
            dialog.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
            dialog.show()
            settle(self._tasks)
            self.take(f"dialog-{name}", dialog)
            dialog.close()
            dialog.deleteLater()


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


def _open_answer(window: MainWindow, shots: _Shots) -> None:
    """Open what an answer hides at first, each by itself; a card may be higher than the window."""
    for card in window.ask.findChildren(AnswerCard)[-1:]:
        card.trace.toggle()
        shots.take(_TRACE, card)
        card.trace.toggle()
        card.wrong.show()
        shots.take(_WRONG, card)
        card.wrong.hide()


def _show_model_states(window: MainWindow, shots: _Shots) -> None:
    """Show a model half fetched and one that was tried, without fetching or trying any."""
    place = cast("ModelsPlace", window.stack.get("models"))
    for area in place.findChildren(QScrollArea):
        area.verticalScrollBar().setValue(0)
    rows = list(place.rows.values())
    rows[0].show_test(SelfTest(rows[0].model.name, 7, 8, 166.0, 37.0, 21.0))
    rows[1].show_progress(
        Progress("", 214_000_000, rows[1].model.bytes, unit="bytes", elapsed_s=38.0)
    )
    shots.take(_PULLING)


def _scroll_down(place: QWidget) -> None:
    for area in place.findChildren(QScrollArea):
        area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())


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
