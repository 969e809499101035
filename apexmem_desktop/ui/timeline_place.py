"""Timeline: one person's or thing's life in lanes, and what held at any moment."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFileDialog,
    QFrame,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.reports import Changes, TimelineItem
from apexmem_desktop.ui.card_list import VALUE_ROLE, CardListModel
from apexmem_desktop.ui.dates import offset_of
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.flow_layout import FlowLayout
from apexmem_desktop.ui.history_panel import HistoryPanel
from apexmem_desktop.ui.moment_slider import MomentSlider
from apexmem_desktop.ui.parts import (
    PAGE_MARGIN,
    column,
    find_anywhere,
    icon_button,
    row,
    short_label,
)
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.theme import scaled
from apexmem_desktop.ui.timeline_blank import LanesOrWords, nothing_at_all
from apexmem_desktop.ui.timeline_filter import TimelineFilter
from apexmem_desktop.ui.timeline_picture import save_picture, write_calendar, write_svg
from apexmem_desktop.ui.timeline_plot import TimelinePlot
from apexmem_desktop.ui.timeline_words import without_name
from apexmem_desktop.ui.translation import tr, tr_count

_KNOWN_PAUSE_MS = 120
_HISTORY_SHARE = 46
_GAP_PX, _BELOW_PX = 24, 8
_LOW_LINES = 36  # a page lower than so many lines has no room for all beside a history
_NARROW_CHARS = 70
_PICKER_CHARS = 8
_WIDEST_PICKER_CHARS = 48


class TimelinePlace(Place):
    """Pick an entity, see its lanes; a click opens proof and history."""

    def __init__(
        self,
        desk: Desk,
        parent: QWidget | None = None,
        plot: TimelinePlot | None = None,
        *,
        whole: bool = True,
    ) -> None:
        """Begin the page, and go on to its end unless somebody does that piece by piece.

        Args:
            plot: Made ahead, by `make_plot`; without it one is made now.
        """
        super().__init__(desk, parent)
        self._entity: Entity | None = None
        self._items: tuple[TimelineItem, ...] = ()
        self._wanted_id: int | None = None
        self.picker = QComboBox()
        self._names = CardListModel()
        self._count = short_label(tone="muted")
        self.plot = plot or make_plot(desk)
        self.filter = TimelineFilter(self)
        self.lanes = LanesOrWords(self.plot, desk, self.filter.show_all)
        off, back = tr("timeline.as_of_off"), tr("timeline.now")
        self.as_of = MomentSlider(tr("timeline.as_of"), off, back)
        self.known_at = MomentSlider(tr("timeline.known_at"), tr("timeline.known_off"), back)
        self._known_soon = QTimer(self, singleShot=True, interval=_KNOWN_PAUSE_MS)
        self._moments = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._stack = QStackedWidget()
        self._tools = QWidget()
        self._is_learned = True
        self._rest = self._pieces()
        if whole:
            self.complete()

    def _pieces(self) -> Iterator[None]:
        self._lay_out()
        yield
        self._hang_history()
        self._wire()

    def refresh(self) -> None:
        """Fetch the names to pick from, then the timeline shown."""
        self._desk.read(self._desk.memory.entities, self, self._fill_picker)

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.facts or changes.entities

    def open_entity(self, entity_id: int) -> None:
        """Show one entity's timeline."""
        if entity_id != self._wanted_id:
            self.known_at.reset()
        self._wanted_id = entity_id
        self.fetch()

    def fetch(self) -> None:
        """Fetch the timeline by what was known at the chosen moment."""
        memory, entity_id, known_ms = self._desk.memory, self._wanted_id, self.known_at.at_ms()
        if entity_id is None:
            return
        self._desk.read(
            lambda: (*memory.timeline(entity_id, known_ms), memory.learned(entity_id)),
            self,
            lambda got: self._show(*got) if self._wants(entity_id, known_ms) else None,
        )

    def _wants(self, entity_id: int, known_ms: int | None) -> bool:
        return self._wanted_id == entity_id and self.known_at.at_ms() == known_ms

    def open_history(self, entity_id: int, prop: str, fact_id: int | None = None) -> None:
        """Show the versions of a property below the lanes."""
        if self._wanted_id != entity_id:
            self.open_entity(entity_id)
        if self.history.isHidden():
            self._show_history(shown=True)
            room = max(1, self._split.height())
            self._split.setSizes(
                [room * (100 - _HISTORY_SHARE) // 100, room * _HISTORY_SHARE // 100]
            )
        self.history.open(entity_id, prop, fact_id)

    def hide_history(self) -> None:
        """Close the history, and show again what gave way to it."""
        self._show_history(shown=False)

    def save(self, path: Path) -> None:
        """Save what is seen as a picture, or as a calendar, by the file's ending."""
        if path.suffix.lower() == ".ics":
            name = self._entity.name if self._entity is not None else ""
            items, now_ms = self.filter.admitted(self._items), self._desk.memory.now_ms()
            write_calendar(name, items, now_ms, path)
        elif path.suffix.lower() == ".svg":
            write_svg(self.plot, path)
        else:
            save_picture(self.plot, path)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set one slider below the other where large letters leave no room beside it."""
        super().resizeEvent(event)
        self._fold()
        narrow = self.fontMetrics().averageCharWidth() * _NARROW_CHARS
        below = event.size().width() < narrow
        way = QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight
        self._moments.setDirection(way)
        self._moments.setSpacing(0 if below else scaled(_GAP_PX))

    def _fold(self) -> None:
        """Give up tools and sliders while a history is open and letters leave no room for all."""
        low = self.height() < self.fontMetrics().height() * _LOW_LINES
        folded = low and not self.history.isHidden()
        for one in (self._tools, self.as_of):
            one.setHidden(folded)
        self.known_at.setHidden(folded or not self._is_learned)

    def _show_history(self, *, shown: bool) -> None:
        self.history.setVisible(shown)
        self._fold()

    def _lay_out(self) -> None:
        # From the outside in: to hang up a full page dresses all that is on it once more.
        column(self).addWidget(self._stack)
        page = QWidget()
        self._stack.addWidget(page)
        layout = column(page, spacing=12)
        layout.setContentsMargins(PAGE_MARGIN, 26, PAGE_MARGIN, 16)
        layout.addLayout(self._head())
        layout.addWidget(self._split, 1)
        frame = QFrame()
        frame.setObjectName("card")
        upper = QWidget()
        self._split.addWidget(upper)
        above = column(upper, spacing=8)
        above.setContentsMargins(0, 0, 0, _BELOW_PX)
        above.addWidget(frame, 1)
        column(frame, margin=6).addWidget(self.lanes)
        self._moments.setSpacing(scaled(_GAP_PX))
        self._moments.addWidget(self.as_of, 1)
        self._moments.addWidget(self.known_at, 1)
        above.addLayout(self._moments)
        self._split.setChildrenCollapsible(False)
        self._stack.addWidget(nothing_at_all(self._desk))

    def _hang_history(self) -> None:
        self.history = HistoryPanel(self._desk)
        self._split.addWidget(self.history)
        self._split.setStretchFactor(0, 100 - _HISTORY_SHARE)
        self._split.setStretchFactor(1, _HISTORY_SHARE)
        self.history.hide()

    def _head(self) -> QVBoxLayout:
        layout = QVBoxLayout()
        layout.setSpacing(10)
        title = short_label(tr("place.timeline"), size=1.75, bold=True)
        line_px = self.fontMetrics().height()
        self.picker.setIconSize(QSize(line_px, line_px))
        self.picker.setMaximumWidth(self.fontMetrics().averageCharWidth() * _WIDEST_PICKER_CHARS)
        self.picker.setAccessibleName(tr("timeline.pick"))
        self.picker.setModel(self._names)
        find_anywhere(self.picker, _PICKER_CHARS)
        first = row(title, self.picker, spacing=18)
        first.setStretch(1, 1)
        first.addStretch(0)
        layout.addLayout(first)
        flow = FlowLayout(self._tools)
        acts = (
            icon_button("fit", tr("timeline.fit"), self.plot.fit),
            icon_button("now", tr("timeline.to_now"), self.plot.fit_to_now),
            icon_button("save", tr("timeline.save"), self._on_save),
        )
        for made in (*self.filter.widgets(), self._count, *acts):
            flow.addWidget(made)
        layout.addWidget(self._tools)
        return layout

    def _wire(self) -> None:
        self.picker.activated.connect(self._on_picked)
        self.plot.chosen.connect(self._on_chosen)
        self.as_of.moved.connect(self.plot.show_as_of)
        self.known_at.moved.connect(lambda _: self._known_soon.start())
        self._known_soon.timeout.connect(self.fetch)
        self.filter.changed.connect(self._show_items)
        self.filter.grouped.connect(self.plot.group_by)
        self.history.closed.connect(self.hide_history)

    def _fill_picker(self, entities: tuple[Entity, ...]) -> None:
        self._stack.setCurrentIndex(0 if entities else 1)
        self.picker.blockSignals(True)
        self._names.show(entities)
        self.picker.blockSignals(False)
        if not entities:
            return
        if self._wanted_id is None:
            self._wanted_id = entities[0].id
        self._point_picker()
        self.open_entity(self._wanted_id)

    def _point_picker(self) -> None:
        index = -1 if self._wanted_id is None else self._names.find_row(self._wanted_id)
        if index >= 0:
            self.picker.setCurrentIndex(index)
            if line := self.picker.lineEdit():
                line.setCursorPosition(0)  # a long name shows its beginning
        elif self._entity is not None:
            self.picker.setEditText(self._entity.name)

    def _show(
        self, entity: Entity, items: tuple[TimelineItem, ...], learned: tuple[int, int] | None
    ) -> None:
        now_ms = self._desk.memory.now_ms()
        if learned is not None:
            self.known_at.set_extent(learned[0], min(now_ms, learned[1]))
        self._is_learned = learned is not None
        self._fold()
        if entity == self._entity and items == self._items:
            return
        same = self._entity is not None and entity.id == self._entity.id
        self._entity, self._items = entity, items
        self._point_picker()
        self._show_items(keep_view=same)
        if not same:
            self.as_of.reset()

    def _show_items(self, *, keep_view: bool = True) -> None:
        admitted = self.filter.admitted(self._items)
        self._count.setText(tr_count("timeline.items", len(admitted)))
        self.lanes.tell(known=len(self._items), shown=len(admitted))
        name = self._entity.name if self._entity is not None else ""
        shown = without_name(admitted, name)
        self.plot.show_items(shown, self._desk.memory.now_ms(), keep_view=keep_view)
        self.as_of.set_extent(*self.plot.extent_ms)

    def _on_picked(self, index: int) -> None:
        entity: Entity | None = self.picker.itemData(index, VALUE_ROLE)
        if entity is not None:
            self.hide_history()
            self.open_entity(entity.id)

    def _on_chosen(self, item: TimelineItem) -> None:
        if item.evidence:
            self._desk.spot_asked.emit(Spot.of(item.evidence[0]))
        if item.kind == "fact" and self._entity is not None:
            self.open_history(self._entity.id, item.deed or item.lane, item.fact_id)

    def _on_save(self) -> None:
        if self._entity is None:
            return
        day = datetime.now(UTC).date().isoformat()
        wished = str(Path.home() / f"{self._entity.name} {day}.png")
        kinds = f"PNG (*.png);;SVG (*.svg);;{tr('timeline.calendar')} (*.ics)"
        name, kind = QFileDialog.getSaveFileName(self, tr("timeline.save"), wished, kinds)
        if not name:
            return
        path = Path(name)
        if not path.suffix:  # not every desktop adds what was chosen
            path = path.with_suffix(kind.partition("*")[2].rstrip(")") or ".png")
        try:
            self.save(path)
        except UserError as error:
            self._desk.failed.emit(error)


def make_plot(desk: Desk, parent: QWidget | None = None) -> TimelinePlot:
    """Make the part of the place that takes longest to make."""
    return TimelinePlot(offset_of(desk.memory.zone(), desk.memory.now_ms()), parent)
