"""Reads a conversation of any length: a stretch of it is loaded, the bar at the side is the whole.

Of a million turns a few hundred are ever here. What is scrolled towards is fetched before it is
reached, and what lies far behind is let go; the words on the screen stay where they are meanwhile.
"""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QScrollBar, QStyleOptionViewItem

from apexmem_desktop.domain.reading import ALL_TURNS, MarginFact, TurnFilter
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.turn_list import MARGIN_ROLE, TURN_ROLE
from apexmem_desktop.ui.turn_view import TurnView

T = TypeVar("T")

_NEAR_EDGE_PX = 1500
_MOST_LOADED = 300
_DRAG_PAUSE_MS = 60


class ReadingView(TurnView):
    """One conversation, some of its turns loaded; words can be selected by mouse."""

    words_chosen = Signal(object)  # Spot, or None when nothing is selected any more
    fact_asked = Signal(object)  # MarginFact
    top_changed = Signal(object)  # Turn: the first that is seen

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._chat: int | None = None
        self._only = ALL_TURNS
        self._visit = 0  # grows with each jump: late pages of an earlier one are dropped
        self._loading = False
        self._at_start = self._at_end = False
        self._first_number = 0  # how many turns stand before the first that is loaded
        self._total = 0
        self._anchor: tuple[int, int] | None = None  # turn and offset where a selection begins
        self.whole = QScrollBar(Qt.Orientation.Vertical)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._soon = QTimer(self, singleShot=True, interval=_DRAG_PAUSE_MS)
        self._soon.timeout.connect(self._jump_to_bar)
        self.whole.sliderMoved.connect(lambda _: self._soon.start())
        self.whole.actionTriggered.connect(self._on_bar_action)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._on_scrolled())

    def open_chat(self, chat: int, only: TurnFilter, *, turn_id: int | None = None) -> None:
        """Show a conversation, or what a filter lets through, from a turn or the beginning."""
        self._chat, self._only = chat, only
        self._total = 0
        memory = self._desk.memory
        visit = self._begin_visit()
        self._desk.read(
            lambda: memory.count_turns(chat, only), self, lambda count: self._count(visit, count)
        )
        if turn_id is None:
            self._fetch(lambda: memory.turn_page(chat, only, None, backwards=False), self._start)
        else:
            self.jump_to(turn_id)

    def jump_to(self, turn_id: int) -> None:
        """Bring a turn into the middle, wherever in the conversation it stands."""
        if self.turn_list.find_row(turn_id) >= 0 and not self._loading:
            self._show_turn(turn_id)
            return
        chat, only, memory = self._chat, self._only, self._desk.memory
        if chat is None:
            return
        self._begin_visit()

        def look() -> tuple[tuple[Turn, ...], int]:
            turns = memory.turns_about(chat, only, turn_id)
            first = turns[0].id if turns else turn_id
            return turns, memory.number_of_turn(chat, only, first)

        self._fetch(look, lambda found: self._land(*found, turn_id))

    def jump_to_instant(self, at_ms: int) -> None:
        """Go to the first turn from a UTC instant on."""
        chat, only, memory = self._chat, self._only, self._desk.memory
        if chat is not None:
            self._ask_turn(lambda: memory.turn_from(chat, only, at_ms))

    def jump_to_number(self, number: int) -> None:
        """Go to the turn that so many stand before."""
        chat, only, memory = self._chat, self._only, self._desk.memory
        if chat is not None:
            self._ask_turn(lambda: memory.turn_at(chat, only, number))

    def jump_to_end(self, *, end: bool) -> None:
        """Go to the last turn, or to the first."""
        self.jump_to_number(self._total - 1 if end else 0)

    def current_turn(self) -> Turn | None:
        """The turn that the keyboard is at, or the first that is seen."""
        index = self.currentIndex()
        if not index.isValid():
            index = self.indexAt(QPoint(self.viewport().width() // 2, 4))
        turn: Turn | None = index.data(TURN_ROLE) if index.isValid() else None
        return turn

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End are those of the whole conversation."""
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.jump_to_end(end=event.key() == Qt.Key.Key_End)
        else:
            super().keyPressEvent(event)

    def copied(self, *, markdown: bool = False) -> str:
        """Write words that are selected by mouse alone, else whole turns."""
        return (not markdown and self.chosen_words()) or super().copied(markdown=markdown)

    def chosen_words(self) -> str:
        """The words that are selected by mouse, or ""."""
        spot = self.turn_list.chosen
        row = self.turn_list.find_row(spot.turn_id) if spot is not None else -1
        if spot is None or row < 0:
            return ""
        return self.turn_list.turns[row].text[spot.start : spot.end]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to select words, or open the fact of a margin sign."""
        found = self._character(event.position())
        fact = self._fact_at(event.position())
        if fact is not None:
            self.fact_asked.emit(fact)
            return
        self._anchor = found if event.button() == Qt.MouseButton.LeftButton else None
        self._choose(None)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select words of one turn."""
        if self._anchor is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        found = self._character(event.position())
        if found is not None and found[0] == self._anchor[0]:
            start, end = sorted((self._anchor[1], found[1]))
            self._choose(Spot(found[0], start, end) if end > start else None)

    def _choose(self, spot: Spot | None) -> None:
        if spot != self.turn_list.chosen:
            self.turn_list.choose(spot)
            self.words_chosen.emit(spot)

    def _place(self, at: QPointF) -> tuple[QStyleOptionViewItem, QModelIndex, QPointF] | None:
        index = self.indexAt(at.toPoint())
        if not index.isValid():
            return None
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = self.visualRect(index)
        return option, index, at - QPointF(option.rect.topLeft())

    def _character(self, at: QPointF) -> tuple[int, int] | None:
        place = self._place(at)
        if place is None or (self._anchor is None and not self.delegate.is_in_bubble(*place)):
            return None
        offset = self.delegate.character_at(*place)
        return None if offset is None else (place[1].data(TURN_ROLE).id, offset)

    def _fact_at(self, at: QPointF) -> MarginFact | None:
        place = self._place(at)
        if place is None or not self.delegate.is_in_margin(*place):
            return None
        facts: tuple[MarginFact, ...] = place[1].data(MARGIN_ROLE)
        return facts[0]

    def _begin_visit(self) -> int:
        self._visit += 1
        self._loading = self._at_start = self._at_end = False
        self.turn_list.show(())
        return self._visit

    def _count(self, visit: int, count: int) -> None:
        if visit == self._visit or not self._total:
            self._total = count
            self._move_bar()

    def _fetch(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        visit, self._loading = self._visit, True

        def take(found: T) -> None:
            if visit == self._visit:
                self._loading = False
                then(found)

        self._desk.read(work, self, take)

    def _ask_turn(self, work: Callable[[], int | None]) -> None:
        visit = self._visit
        self._desk.read(
            work,
            self,
            lambda found: self.jump_to(found) if found and visit == self._visit else None,
        )

    def _start(self, turns: tuple[Turn, ...]) -> None:
        self._first_number = 0
        self._at_start = True
        self._show(turns)
        self.scrollToTop()
        self._on_scrolled()

    def _land(self, turns: tuple[Turn, ...], first_number: int, turn_id: int) -> None:
        self._first_number = first_number
        self._at_start = first_number == 0
        self._show(turns)
        self._show_turn(turn_id)

    def _show(self, turns: tuple[Turn, ...]) -> None:
        self.turn_list.show(turns)
        self._ask_margin(turns)

    def _show_turn(self, turn_id: int) -> None:
        self.turn_list.mark(Spot(turn_id))
        self.go_to(turn_id)
        row = self.turn_list.find_row(turn_id)
        if row >= 0:
            self.setCurrentIndex(self.turn_list.index(row))
        self._on_scrolled()

    def _on_scrolled(self) -> None:
        bar, turns = self.verticalScrollBar(), self.turn_list.turns
        if turns and not self._loading and self._chat is not None:
            chat, only, memory = self._chat, self._only, self._desk.memory
            last, first = turns[-1].id, turns[0].id
            if bar.maximum() - bar.value() < _NEAR_EDGE_PX and not self._at_end:
                self._fetch(
                    lambda: memory.turn_page(chat, only, last, backwards=False), self._behind
                )
            elif bar.value() < _NEAR_EDGE_PX and not self._at_start:
                self._fetch(
                    lambda: memory.turn_page(chat, only, first, backwards=True), self._before
                )
        self._move_bar()

    def _behind(self, turns: tuple[Turn, ...]) -> None:
        self._at_end = not turns
        if not turns:
            return
        with_kept = self._keeping_place()
        self.turn_list.append(turns)
        too_many = len(self.turn_list.turns) - _MOST_LOADED
        if too_many > 0:
            self.turn_list.drop(first=too_many)
            self._first_number += too_many
            self._at_start = False
        with_kept()
        self._ask_margin(turns)

    def _before(self, turns: tuple[Turn, ...]) -> None:
        self._at_start = not turns
        if not turns:
            self._first_number = 0
            return
        with_kept = self._keeping_place()
        self.turn_list.prepend(turns)
        self._first_number = max(0, self._first_number - len(turns))
        too_many = len(self.turn_list.turns) - _MOST_LOADED
        if too_many > 0:
            self.turn_list.drop(last=too_many)
            self._at_end = False
        with_kept()
        self._ask_margin(turns)

    def _keeping_place(self) -> Callable[[], None]:
        """Note which turn is where; what is given puts it there again."""
        index = self._top_index()
        turn: Turn | None = index.data(TURN_ROLE) if index.isValid() else None
        top = self.visualRect(index).top() if index.isValid() else 0

        def put_back() -> None:
            self.doItemsLayout()
            row = self.turn_list.find_row(turn.id) if turn is not None else -1
            if row >= 0:
                now = self.visualRect(self.turn_list.index(row)).top()
                bar = self.verticalScrollBar()
                bar.setValue(bar.value() + now - top)

        return put_back

    def _top_index(self) -> QModelIndex:
        return self.indexAt(QPoint(self.viewport().width() // 2, 1))

    def _ask_margin(self, turns: tuple[Turn, ...]) -> None:
        if not turns:
            return
        memory, numbers, visit = self._desk.memory, [turn.id for turn in turns], self._visit
        self._desk.read(
            lambda: memory.margin(numbers),
            self,
            lambda margin: self.turn_list.add_margin(margin) if visit == self._visit else None,
        )

    def renew_margin(self) -> None:
        """Look anew what the turns here prove: facts were found, or ruled on."""
        memory, numbers = self._desk.memory, [turn.id for turn in self.turn_list.turns]
        if numbers:
            self._desk.read(lambda: memory.margin(numbers), self, self.turn_list.renew_margin)

    def _move_bar(self) -> None:
        """Let the bar of the whole conversation show where we are."""
        index = self._top_index()
        row = max(0, index.row())
        seen = max(1, self.viewport().height() // 60)
        self.whole.setRange(0, max(0, self._total - seen))
        self.whole.setPageStep(seen)
        if not self.whole.isSliderDown():
            bar = self.verticalScrollBar()
            at_bottom = self._at_end and bar.value() == bar.maximum()
            number = self.whole.maximum() if at_bottom else self._first_number + row
            self.whole.setValue(number)
        self.whole.setVisible(self._total > len(self.turn_list.turns) or bool(self._total > seen))
        if index.isValid():
            self.top_changed.emit(index.data(TURN_ROLE))

    def _jump_to_bar(self) -> None:
        self.jump_to_number(self.whole.value())

    def _on_bar_action(self, action: int) -> None:
        """A click beside the handle turns a page, as everywhere."""
        steps = {
            QScrollBar.SliderAction.SliderSingleStepAdd.value: 1,
            QScrollBar.SliderAction.SliderSingleStepSub.value: -1,
            QScrollBar.SliderAction.SliderPageStepAdd.value: 10,
            QScrollBar.SliderAction.SliderPageStepSub.value: -10,
        }
        bar = self.verticalScrollBar()
        if action in steps:
            bar.setValue(bar.value() + steps[action] * bar.singleStep() * 3)
            self.whole.setSliderPosition(self.whole.value())
