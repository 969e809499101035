"""The frame: places at the left, the place in the middle, the evidence at the right."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QScrollArea, QSplitter, QWidget

from apexmem_desktop.ui.build_job import BuildJob
from apexmem_desktop.ui.decision_bar import DecisionBar
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.drop_zone import dropped_files
from apexmem_desktop.ui.evidence_panel import EvidencePanel
from apexmem_desktop.ui.import_dialog import ImportDialog
from apexmem_desktop.ui.list_split import ListSplit
from apexmem_desktop.ui.notice_bar import NoticeBar
from apexmem_desktop.ui.parts import column
from apexmem_desktop.ui.place_makers import (
    CHEAP,
    MAKERS,
    begin_timeline,
    load_modules,
    load_timeline,
)
from apexmem_desktop.ui.place_stack import PlaceStack, Unhurried
from apexmem_desktop.ui.seek_dialog import SeekDialog
from apexmem_desktop.ui.shortcut_sheet import ShortcutSheet
from apexmem_desktop.ui.sidebar import PLACES, Sidebar
from apexmem_desktop.ui.status_strip import StatusStrip
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr

if TYPE_CHECKING:
    from apexmem_desktop.ui.ask_place import AskPlace
    from apexmem_desktop.ui.clarify_place import ClarifyPlace
    from apexmem_desktop.ui.conversations_place import ConversationsPlace
    from apexmem_desktop.ui.imports_place import ImportsPlace
    from apexmem_desktop.ui.people_place import PeoplePlace
    from apexmem_desktop.ui.timeline_place import TimelinePlace

_SIZE = (1360, 860)
_BREATH_MS = 20
_MOST_BREATHS = 100  # for which places wait until nothing else is fetched
_LATER_MS = 600  # nobody is likely to be at the timeline before
_MIDDLE, _RIGHT = 760, 360
_LEAST_CHARS = 28  # of a place; what needs more is scrolled
_NARROW_CHARS = 135  # a window narrower than so many characters shows its places as icons


class MainWindow(QMainWindow):
    """Builds the places and carries their wishes between them; knows no service itself."""

    def __init__(self, desk: Desk, job: BuildJob) -> None:
        super().__init__()
        self._desk = desk
        self.setWindowTitle(tr("app.name"))
        self.setAcceptDrops(True)
        self.resize(*_SIZE)
        self.sidebar = Sidebar()
        self.stack = PlaceStack({place: partial(MAKERS[place], desk) for place in PLACES})
        self.evidence = EvidencePanel(desk)
        self.notice = NoticeBar()
        self.decision = DecisionBar(desk)
        self.strip = StatusStrip(desk, job)
        self.is_put_away: Callable[[], bool] = lambda: False  # asked when the window is closed
        self.dialog: ImportDialog | None = None
        self.search: SeekDialog | None = None
        self._lay_out()
        self._wire()
        self.go_to("ask")

    @property
    def ask(self) -> "AskPlace":
        """The place to ask in."""
        return cast("AskPlace", self.stack.get("ask"))

    @property
    def timeline(self) -> "TimelinePlace":
        """The place of timelines."""
        return cast("TimelinePlace", self.stack.get("timeline"))

    @property
    def people(self) -> "PeoplePlace":
        """The place of people and things."""
        return cast("PeoplePlace", self.stack.get("people"))

    @property
    def clarify(self) -> "ClarifyPlace":
        """The place of open questions."""
        return cast("ClarifyPlace", self.stack.get("clarify"))

    @property
    def imports(self) -> "ImportsPlace":
        """The place of imports, and of how far they were read."""
        return cast("ImportsPlace", self.stack.get("imports"))

    @property
    def conversations(self) -> "ConversationsPlace":
        """The place to read chats in."""
        return cast("ConversationsPlace", self.stack.get("conversations"))

    def go_to(self, place: str) -> None:
        """Show a place."""
        self.sidebar.choose(place)

    def warm_up(self) -> None:
        """Make the places that are cheap, piece after piece, while nobody waits for anything.

        Their modules are loaded by a thread, and so is the timeline's drawing library after them:
        whoever goes there first must not wait for it.
        """
        self._when_quiet(
            lambda: self._desk.read(load_modules, self, lambda _: self._warm_next(list(CHEAP)))
        )

    def _when_quiet(self, act: Callable[[], object], breaths: int = _MOST_BREATHS) -> None:
        """Do something once nothing is fetched, or after some time.

        A thread that loads modules and the making of a page take the interpreter from each other,
        and both halt the window for as long as the two need together.
        """
        if breaths and self._desk.tasks.is_busy(Lane.READ):
            QTimer.singleShot(_BREATH_MS, self, lambda: self._when_quiet(act, breaths - 1))
        else:
            act()

    def _warm_next(self, places: list[str]) -> None:
        if places:
            if not self.stack.make_piece(places[0]):
                places.pop(0)
            again = partial(self._warm_next, places)
            QTimer.singleShot(_BREATH_MS, self, lambda: self._when_quiet(again))
        elif self.stack.made("timeline") is None:
            QTimer.singleShot(_LATER_MS, self, self._warm_timeline)

    def _warm_timeline(self) -> None:
        self._desk.read(load_timeline, self, self._make_timeline)

    def _make_timeline(self, _: None) -> None:
        """Make it in steps: at once it would halt whoever works meanwhile."""
        if self.stack.made("timeline") is None:
            begin_timeline(self._desk, self.stack)
            QTimer.singleShot(_BREATH_MS, self, lambda: self._warm_next(["timeline"]))

    def keep_geometry(self) -> None:
        """Remember size, position, the place and how wide the evidence is for the next start."""
        kept = QSettings()
        kept.setValue("window/geometry", self.saveGeometry())
        kept.setValue("window/split", self._split.saveState())
        kept.setValue("window/place", PLACES[self.stack.currentIndex()])

    def restore_geometry(self) -> None:
        """Take the size and position of the last time, and go to where the user was."""
        kept = QSettings()
        geometry, split = kept.value("window/geometry"), kept.value("window/split")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if isinstance(split, QByteArray):
            self._split.restoreState(split)
        place = kept.value("window/place")
        if place in PLACES:
            self.go_to(str(place))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember how the window stood; where a long job goes on, only put it away."""
        self.keep_geometry()
        if self.is_put_away():
            event.ignore()
            self.hide()
            return
        super().closeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give up the names of the places before anything else gets too narrow."""
        super().resizeEvent(event)
        narrow = self.fontMetrics().averageCharWidth() * _NARROW_CHARS
        self.sidebar.make_compact(compact=event.size().width() < narrow)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files anywhere in the window."""
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Import what was dropped."""
        event.acceptProposedAction()
        self._desk.files_dropped.emit(dropped_files(event.mimeData()))

    def _lay_out(self) -> None:
        middle = QWidget()
        inner = column(middle, spacing=0)
        inner.addWidget(self.notice)
        inner.addWidget(self._room_for_stack(), 1)
        inner.addWidget(self.decision)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.addWidget(middle)
        self._split.addWidget(self.evidence)
        self._split.setStretchFactor(0, 1)
        self._split.setSizes([_MIDDLE, _RIGHT])
        self._split.setChildrenCollapsible(False)
        self.evidence.hide()  # until there is something to show
        upper = QWidget()
        across = QHBoxLayout(upper)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self.sidebar)
        across.addWidget(self._split, 1)
        whole = QWidget()
        layout = column(whole, spacing=0)
        layout.addWidget(upper, 1)
        layout.addWidget(self.strip)
        self.setCentralWidget(whole)

    def _room_for_stack(self) -> QScrollArea:
        """Let a place be scrolled where large letters make it larger than the window."""
        room = QScrollArea()
        room.setObjectName("room")
        room.setWidgetResizable(True)
        room.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is inside takes the keyboard
        room.setMinimumWidth(self.fontMetrics().averageCharWidth() * _LEAST_CHARS)
        room.setWidget(Unhurried(self.stack))
        return room

    def _wire(self) -> None:
        desk = self._desk
        self.sidebar.chosen.connect(self._on_place)
        self.evidence.closed.connect(self.evidence.hide)
        desk.spot_asked.connect(self._on_spot)
        desk.place_asked.connect(self.go_to)
        desk.source_asked.connect(self._on_source)
        desk.queue_asked.connect(self._on_queue)
        desk.timeline_asked.connect(self._on_timeline)
        desk.history_asked.connect(self._on_history)
        desk.entity_asked.connect(self._on_entity)
        desk.conversation_asked.connect(self._on_conversation)
        desk.files_dropped.connect(self.open_import)
        desk.failed.connect(self.notice.show_error)
        for number in range(len(PLACES)):
            self._on_key(f"Ctrl+{number + 1}", partial(self.go_to, PLACES[number]))
        self._on_key("Ctrl+L", self._to_question)
        self._on_key("Ctrl+N", self._to_new_question)
        self._on_key("Ctrl+E", lambda: self.evidence.setVisible(self.evidence.isHidden()))
        self._on_key("Ctrl+F", self._to_search)
        self._on_key("Ctrl+K", self.open_search)
        self._on_key("Ctrl+P", self._to_box)
        self._on_key("Esc", self._close_panel)
        for keys in ("F1", "Ctrl+/"):
            self._on_key(keys, self.show_keys)
        self._on_key("Ctrl+Q", self.close)
        self._on_key("Ctrl+Z", self.decision.undo)
        self._on_key("Ctrl+Shift+Z", self.decision.redo)
        self._on_key("Ctrl+O", lambda: self.go_to("imports"))

    def show_keys(self) -> None:
        """Show the sheet of keys."""
        self.sheet = ShortcutSheet(self)
        self.sheet.setModal(True)
        self.sheet.show()

    def _on_key(self, keys: str, act: object) -> None:
        QShortcut(QKeySequence(keys), self).activated.connect(act)

    def open_search(self) -> None:
        """Search everywhere."""
        self.search = SeekDialog(self._desk, self)
        self.search.show()
        self.search.words.setFocus()

    def open_import(self, files: tuple[Path, ...]) -> None:
        """Open the import dialog for some files."""
        if not files:
            return
        if self.dialog is not None and self.dialog.isVisible():
            self.dialog.raise_()
            return
        self.dialog = ImportDialog(self._desk, files, self)
        self.dialog.setModal(True)
        self.dialog.show()

    def _on_place(self, place: str) -> None:
        self.stack.show_place(place)
        if place == "ask":
            self.ask.question.setFocus()

    def _on_spot(self, _spot: Spot) -> None:
        self.evidence.show()

    def _on_source(self, source_id: int) -> None:
        self.go_to("imports")
        self.imports.choose(source_id)

    def _on_queue(self) -> None:
        self.go_to("imports")
        self.imports.show_queue()

    def _on_timeline(self, entity_id: int) -> None:
        self.go_to("timeline")
        self.timeline.open_entity(entity_id)

    def _on_entity(self, entity_id: int) -> None:
        self.go_to("people")
        self.people.open_entity(entity_id)

    def _on_history(self, entity_id: int, prop: str) -> None:
        self.go_to("timeline")
        self.timeline.open_history(entity_id, prop)

    def _on_conversation(self, conversation_id: int, turn_id: int) -> None:
        self.go_to("conversations")
        self.conversations.open_conversation(conversation_id, turn_id)

    def _to_question(self) -> None:
        self.go_to("ask")
        self.ask.question.setFocus()

    def _to_new_question(self) -> None:
        self.go_to("ask")
        self.ask.begin()

    def _to_box(self) -> None:
        """Go to the box of this place that one types into; to the question where there is none."""
        place = self.stack.currentWidget()
        if isinstance(split := getattr(place, "split", None), ListSplit):
            split.show_list()  # the box is above the list
        box = getattr(place, "words", None) or getattr(place, "picker", None)
        if box is None or not box.isVisible():
            self._to_question()
            return
        box.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _close_panel(self) -> None:
        """Close the history below the timeline first, then the evidence."""
        been_there = self.stack.made("timeline") is not None
        if been_there and self.timeline.history.isVisible():
            self.timeline.hide_history()
        elif self.evidence.isVisible():
            self.evidence.hide()

    def _to_search(self) -> None:
        reading = self.stack.currentWidget() is self.stack.made("conversations")
        if reading and self.conversations.find_here():
            return
        self.go_to("conversations")
        self.conversations.split.show_list()
        self.conversations.words.setFocus()
