"""Timeline: one person's or thing's life in lanes, and what held at any moment."""

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFrame,
    QSlider,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.reports import Changes, TimelineItem
from apexmem_desktop.ui.dates import day_text, offset_of
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.history_panel import HistoryPanel
from apexmem_desktop.ui.parts import (
    PAGE_MARGIN,
    button,
    column,
    empty_page,
    find_anywhere,
    row,
    short_label,
)
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.timeline_picture import save_picture
from apexmem_desktop.ui.timeline_plot import TimelinePlot
from apexmem_desktop.ui.timeline_words import without_name
from apexmem_desktop.ui.translation import tr, tr_count

_STEPS = 1000
_HISTORY_SHARE = 46
_PICKER_CHARS = 26


class TimelinePlace(Place):
    """Pick an entity, see its lanes; a click opens proof and history."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._entity: Entity | None = None
        self._items: tuple[TimelineItem, ...] = ()
        self._wanted_id: int | None = None
        self.picker = QComboBox()
        self._count = short_label(tone="muted")
        self.plot = TimelinePlot(offset_of(desk.memory.zone(), desk.memory.now_ms()))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self._moment = short_label(tr("timeline.as_of_off"), tone="muted")
        self._now = button(tr("timeline.now"), self._show_now, kind="plain")
        self.history = HistoryPanel(desk)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._stack = QStackedWidget()
        self._lay_out()
        self._wire()

    def refresh(self) -> None:
        """Fetch the names to pick from, then the timeline shown."""
        self._desk.read(self._desk.memory.entities, self, self._fill_picker)

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.facts or changes.entities

    def open_entity(self, entity_id: int) -> None:
        """Show one entity's timeline."""
        self._wanted_id = entity_id
        memory = self._desk.memory
        self._desk.read(
            lambda: memory.timeline(entity_id),
            self,
            lambda got: self._show(*got) if self._wanted_id == entity_id else None,
        )

    def open_history(self, entity_id: int, prop: str, fact_id: int | None = None) -> None:
        """Show the versions of a property below the lanes."""
        if self._wanted_id != entity_id:
            self.open_entity(entity_id)
        if self.history.isHidden():
            self.history.show()
            room = max(1, self._split.height())
            self._split.setSizes(
                [room * (100 - _HISTORY_SHARE) // 100, room * _HISTORY_SHARE // 100]
            )
        self.history.open(entity_id, prop, fact_id)

    def save_png(self, path: Path) -> None:
        """Save what is seen."""
        save_picture(self.plot, path)

    def _lay_out(self) -> None:
        page = QWidget()
        layout = column(page, spacing=12)
        layout.setContentsMargins(PAGE_MARGIN, 26, PAGE_MARGIN, 16)
        layout.addLayout(self._head())
        frame = QFrame()
        frame.setObjectName("card")
        column(frame, margin=6).addWidget(self.plot)
        upper = QWidget()
        above = column(upper, spacing=8)
        above.addWidget(frame, 1)
        above.addLayout(self._moment_row())
        self._split.addWidget(upper)
        self._split.addWidget(self.history)
        self._split.setStretchFactor(0, 100 - _HISTORY_SHARE)
        self._split.setStretchFactor(1, _HISTORY_SHARE)
        self._split.setChildrenCollapsible(False)
        self.history.hide()
        layout.addWidget(self._split, 1)
        self._stack.addWidget(page)
        self._stack.addWidget(_empty(self._desk))
        column(self).addWidget(self._stack)

    def _head(self) -> QVBoxLayout:
        layout = QVBoxLayout()
        layout.setSpacing(10)
        title = short_label(tr("place.timeline"), size=1.75, bold=True)
        self.picker.setMinimumContentsLength(_PICKER_CHARS)
        self.picker.setAccessibleName(tr("timeline.pick"))
        find_anywhere(self.picker)
        fit = button(tr("timeline.fit"), self.plot.fit)
        to_now = button(tr("timeline.to_now"), self.plot.fit_to_now)
        save = button(tr("timeline.save"), self._on_save)
        layout.addLayout(row(title, 0, fit, to_now, save, spacing=8))
        layout.addLayout(row(self.picker, self._count, 0, spacing=10))
        return layout

    def _moment_row(self) -> QVBoxLayout:
        self.slider.setRange(0, _STEPS)
        self.slider.setValue(_STEPS)
        self.slider.setAccessibleName(tr("timeline.as_of"))
        self.slider.setPageStep(_STEPS // 20)
        layout = QVBoxLayout()
        layout.addLayout(row(short_label(tr("timeline.as_of")), self._moment, 0, self._now))
        layout.addWidget(self.slider)
        return layout

    def _wire(self) -> None:
        self.picker.activated.connect(self._on_picked)
        self.plot.chosen.connect(self._on_chosen)
        self.slider.valueChanged.connect(self._on_moment)
        self.history.closed.connect(self.history.hide)

    def _fill_picker(self, entities: tuple[Entity, ...]) -> None:
        self._stack.setCurrentIndex(0 if entities else 1)
        self.picker.blockSignals(True)
        self.picker.clear()
        for entity in entities:
            self.picker.addItem(entity.name, entity.id)
        self.picker.blockSignals(False)
        if not entities:
            return
        if self._wanted_id is None:
            self._wanted_id = entities[0].id
        self._point_picker()
        self.open_entity(self._wanted_id)

    def _point_picker(self) -> None:
        index = self.picker.findData(self._wanted_id)
        if index >= 0:
            self.picker.setCurrentIndex(index)
        elif self._entity is not None:
            self.picker.setEditText(self._entity.name)

    def _show(self, entity: Entity, items: tuple[TimelineItem, ...]) -> None:
        if entity == self._entity and items == self._items:
            return
        same = self._entity is not None and entity.id == self._entity.id
        self._entity, self._items = entity, items
        self._point_picker()
        self._count.setText(tr_count("timeline.items", len(items)))
        shown = without_name(items, entity.name)
        self.plot.show_items(shown, self._desk.memory.now_ms(), keep_view=same)
        if not same:
            self._show_now()

    def _on_picked(self, index: int) -> None:
        entity_id = self.picker.itemData(index)
        if entity_id is not None:
            self.history.hide()
            self.open_entity(entity_id)

    def _on_chosen(self, item: TimelineItem) -> None:
        if item.evidence:
            self._desk.spot_asked.emit(Spot.of(item.evidence[0]))
        if item.kind == "fact" and self._entity is not None:
            self.open_history(self._entity.id, item.lane, item.fact_id)

    def _on_moment(self, value: int) -> None:
        if value >= _STEPS:
            self.plot.show_as_of(None)
            self._moment.setText(tr("timeline.as_of_off"))
            return
        first_ms, last_ms = self.plot.extent_ms
        at_ms = first_ms + (last_ms - first_ms) * value // _STEPS
        self.plot.show_as_of(at_ms)
        self._moment.setText(day_text(at_ms))

    def _show_now(self) -> None:
        self.slider.setValue(_STEPS)

    def _on_save(self) -> None:
        if self._entity is None:
            return
        day = datetime.now(UTC).date().isoformat()
        wished = str(Path.home() / f"{self._entity.name} {day}.png")
        name, _ = QFileDialog.getSaveFileName(self, tr("timeline.save"), wished, "PNG (*.png)")
        if name:
            self.save_png(Path(name))


def _empty(desk: Desk) -> QWidget:
    bring = button(tr("import.title"), lambda: desk.place_asked.emit("imports"))
    return empty_page("timeline", tr("place.timeline"), tr("timeline.empty"), bring)
