"""One conversation to read: its head, a search within it, filters, and the words themselves."""

from PySide6.QtCore import QDate, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDateEdit, QFrame, QWidget

from apexmem_desktop.domain.reading import MarginFact
from apexmem_desktop.domain.reports import ConversationSummary
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services.dates import TypedDate
from apexmem_desktop.ui.chat_filters import ChatFilters
from apexmem_desktop.ui.dates import local, range_text
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.directions import one_way
from apexmem_desktop.ui.parts import (
    LIST_MARGIN,
    button,
    column,
    icon_button,
    label,
    row,
    short_label,
)
from apexmem_desktop.ui.reading_view import ReadingView
from apexmem_desktop.ui.remember_dialog import RememberDialog
from apexmem_desktop.ui.rows import shortened
from apexmem_desktop.ui.search_box import SearchBox
from apexmem_desktop.ui.translation import tr, tr_count

_TYPING_PAUSE_MS = 250
_SHOWN_PEOPLE = 8
_SHOWN_CHARS = 60


class ChatReader(QWidget):
    """Shows the conversation that it is given."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.chat: ConversationSummary | None = None
        self._matches: tuple[int, ...] = ()
        self._match = -1
        self.title = label(size=1.3, bold=True)
        self.note = label(tone="muted")
        self.turns = ReadingView(desk)
        self.day = QDateEdit()
        self.words = SearchBox(tr("chat.find"))
        self.found = short_label(tone="muted")
        self.filters = ChatFilters(desk.memory.zone())
        self.nothing = label(tr("filter.nothing"), tone="muted")
        self.dialog: RememberDialog | None = None
        self._chosen_words = short_label(tone="muted")
        self._chosen_bar = QFrame()
        self._soon = QTimer(self, singleShot=True, interval=_TYPING_PAUSE_MS)
        self._lay_out()
        self._wire()

    def show_chat(self, chat: ConversationSummary, turn_id: int | None = None) -> None:
        """Show a conversation from a turn on, or from its beginning."""
        if self.chat is not None and self.chat.id == chat.id and turn_id is not None:
            self.turns.jump_to(turn_id)
            return
        self.chat = chat
        self.title.setText(chat.title)
        self.note.setText(about_chat(chat))
        self.filters.show_chat(chat)
        self.words.clear()
        self._forget_matches()
        self.turns.open_chat(chat.id, self.filters.chosen(), turn_id=turn_id)

    def find_words(self) -> None:
        """Look for the words in the box in this conversation."""
        self._soon.stop()  # else it would search once more, and the walk begin anew
        words, chat, memory = self.words.text().strip(), self.chat, self._desk.memory
        self.turns.turn_list.find(words)
        if not words or chat is None:
            self._forget_matches()
            return
        only = self.filters.chosen()
        self._desk.read(
            lambda: memory.find_within(chat.id, words, only),
            self,
            lambda got: self._show_matches(words, got),
        )

    def next_match(self, step: int = 1) -> None:
        """Go to the next place found, or with -1 to the one before; around at the ends."""
        if not self._matches:
            return
        self._match = (self._match + step) % len(self._matches)
        self.found.setText(
            tr("chat.match", n=f"{self._match + 1:,}", total=f"{len(self._matches):,}")
        )
        self.turns.jump_to(self._matches[self._match])

    def remember(self) -> None:
        """Make a fact of the selected words, or of words of the turn at hand."""
        spot = self.turns.turn_list.chosen
        row = self.turns.turn_list.find_row(spot.turn_id) if spot is not None else -1
        turn = self.turns.turn_list.turns[row] if row >= 0 else self.turns.current_turn()
        if turn is None or not turn.text:
            return
        self.dialog = RememberDialog(self._desk, turn, spot, self.window())
        self.dialog.remembered.connect(self._on_remembered)
        self.dialog.show()

    def _lay_out(self) -> None:
        layout = column(self, spacing=6)
        layout.setContentsMargins(LIST_MARGIN, 24, LIST_MARGIN, 8)
        self.day.setCalendarPopup(True)
        # First this: the parts of a format are turned around as it is taken.
        self.day.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.day.setDisplayFormat(tr("date.edit_format"))
        self.day.setAccessibleName(tr("chat.go_to_day"))
        self.day.setToolTip(tr("chat.go_to_day"))
        self.day.setKeyboardTracking(False)
        head = row(self.title, self.day)
        head.setStretch(0, 1)
        head.setAlignment(self.day, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(head)
        layout.addWidget(self.note)
        self._steps = [
            icon_button("up", tr("chat.before"), lambda: self.next_match(-1)),
            icon_button("down", tr("chat.next"), lambda: self.next_match(1)),
        ]
        self._more = button(tr("chat.filter"), self._toggle_filters, kind="plain")
        find = row(self.words, self.found, *self._steps, self._more)
        find.setStretch(0, 1)
        layout.addLayout(find)
        self.filters.hide()
        layout.addWidget(self.filters)
        layout.addWidget(self.nothing)
        self.nothing.hide()
        reading = row(self.turns, self.turns.whole, spacing=2)
        reading.setStretch(0, 1)
        layout.addLayout(reading, 1)
        layout.addWidget(self._chosen_bar)
        self.turns.setAccessibleName(tr("place.conversations"))
        self.turns.whole.setAccessibleName(tr("chat.whole"))
        self._lay_out_bar()
        self._forget_matches()

    def _lay_out_bar(self) -> None:
        self._chosen_bar.setObjectName("quiet")
        keep = button(tr("remember.open"), self.remember, kind="main")
        copy = button(tr("chat.copy"), lambda: self.turns.copy(self.turns.chosen_words()))
        line = row(self._chosen_words, 0, copy, keep)
        line.setContentsMargins(12, 6, 12, 6)
        self._chosen_bar.setLayout(line)
        self._chosen_bar.hide()

    def _wire(self) -> None:
        self.words.textChanged.connect(lambda _: self._soon.start())
        self.words.returnPressed.connect(lambda: self.next_match(1))
        self._soon.timeout.connect(self.find_words)
        self.filters.changed.connect(self._on_filtered)
        self.turns.words_chosen.connect(self._on_chosen)
        self.turns.fact_asked.connect(self._on_fact)
        self.turns.top_changed.connect(self._on_top)
        self.turns.activated.connect(self._on_activated)
        self.day.dateChanged.connect(self._on_day)
        model = self.turns.turn_list
        model.modelReset.connect(self._on_loaded)
        model.rowsInserted.connect(self._on_loaded)
        for keys, act in (
            ("F3", lambda: self.next_match(1)),
            ("Shift+F3", lambda: self.next_match(-1)),
            ("Ctrl+G", self.day.setFocus),
            ("Ctrl+R", self.remember),
        ):
            made = QShortcut(QKeySequence(keys), self)
            made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            made.activated.connect(act)

    def _toggle_filters(self) -> None:
        self.filters.setVisible(self.filters.isHidden())

    def _on_filtered(self) -> None:
        if self.chat is not None:
            self.turns.open_chat(self.chat.id, self.filters.chosen())
            self.find_words()

    def _on_loaded(self) -> None:
        self.nothing.setVisible(not self.turns.turn_list.turns and not self.filters.isHidden())

    def _show_matches(self, words: str, found: tuple[int, ...]) -> None:
        if words != self.words.text().strip():
            return  # a newer search is on its way
        self._matches, self._match = found, -1
        for one in self._steps:
            one.setEnabled(bool(found))
        if found:
            self.next_match()
        else:
            self.found.setText(tr("chat.no_match"))

    def _forget_matches(self) -> None:
        self._matches, self._match = (), -1
        self.found.setText("")
        for one in self._steps:
            one.setEnabled(False)

    def _on_chosen(self, spot: Spot | None) -> None:
        self._chosen_bar.setVisible(spot is not None)
        words = shortened(self.turns.chosen_words())
        cut = words if len(words) <= _SHOWN_CHARS else f"{words[:_SHOWN_CHARS]}…"
        self._chosen_words.setText(tr("chat.chosen", words=cut))

    def _on_remembered(self, fact_id: int) -> None:
        self.turns.turn_list.choose(None)
        self._chosen_bar.hide()
        turns = [turn.id for turn in self.turns.turn_list.turns]
        memory = self._desk.memory
        self._desk.read(lambda: memory.margin(turns), self, self.turns.turn_list.add_margin)

    def _on_fact(self, fact: MarginFact) -> None:
        self._desk.history_asked.emit(fact.subject_id, fact.property)

    def _on_top(self, turn: Turn) -> None:
        if turn.said_at_ms is None:
            return
        on = local(turn.said_at_ms, turn.offset_minutes).date()
        self.day.blockSignals(True)
        self.day.setDate(QDate(on.year, on.month, on.day))
        self.day.blockSignals(False)

    def _on_day(self, day: QDate) -> None:
        on = TypedDate(first_on=day.toPython())  # type: ignore[arg-type]  # a date
        self.turns.jump_to_instant(on.start_ms(self._desk.memory.zone()))

    def _on_activated(self) -> None:
        turn = self.turns.current_turn()
        if turn is not None:
            self._desk.spot_asked.emit(Spot(turn.id))


def about_chat(chat: ConversationSummary) -> str:
    """Write who speaks in a conversation, how much, and when."""
    people = tr("common.joint").join(map(one_way, chat.speakers[:_SHOWN_PEOPLE]))
    when = range_text(chat.first_at_ms, chat.last_at_ms)
    parts = [people, tr_count("conversations.turns", chat.turns), when]
    return " · ".join(part for part in parts if part)
