"""All about one person or thing: names, what holds now, what is planned, what was before."""

from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from apexmem_desktop.domain.graph import Entity, Fact
from apexmem_desktop.domain.reports import Neighbour
from apexmem_desktop.ui.avatar import Avatar
from apexmem_desktop.ui.changes_dialog import ChangesDialog
from apexmem_desktop.ui.dates import day_text
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.entity_words import lately_text, sources_of
from apexmem_desktop.ui.fact_view import FactView
from apexmem_desktop.ui.flow_layout import FlowLayout
from apexmem_desktop.ui.merge_dialog import MergeDialog
from apexmem_desktop.ui.neighbour_graph import NeighbourGraph
from apexmem_desktop.ui.parts import (
    PAGE_MARGIN,
    as_it_is,
    button,
    clear,
    column,
    label,
    needed_height,
    row,
)
from apexmem_desktop.ui.split_dialog import SplitDialog
from apexmem_desktop.ui.translation import tr, tr_count, tr_name

_LEAST_LINES = 8
_LOW_LINES = 32  # a window lower than so many lines has no room for the graph


class EntityCard(QWidget):
    """Shows one entity after the other; the window's widgets stay."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._shown: tuple[Entity, tuple[Fact, ...]] | None = None
        self._avatar = Avatar()
        self._name = label(size=1.7, bold=True)
        self._about = label(tone="muted")
        self._aliases = label(tone="muted", size=0.92)
        self._lately = label()
        self.sources = QWidget()
        self._source_flow = FlowLayout(self.sources)
        self._nothing = label(tr("people.no_facts"), tone="muted")
        self.facts = FactView(desk)
        self._timeline = button(
            tr("people.timeline"), self._on_timeline, kind="main", icon_name="timeline"
        )
        self.graph = NeighbourGraph()
        self.graph.chosen.connect(desk.entity_asked)
        self.graph.hide()
        self._changes = button(tr("people.changes"), self.open_changes)
        self.changes: ChangesDialog | None = None
        self._merge = button(tr("people.merge"), self.open_merge)
        self._split = QPushButton(tr("people.split"))
        self._split.setMenu(QMenu(self._split))
        self.dialog: MergeDialog | None = None
        self.split_dialog: SplitDialog | None = None
        self._desk = desk
        self._lay_out()

    def show_entity(self, entity: Entity, facts: tuple[Fact, ...]) -> None:
        """Show an entity; where it stands is kept while the facts are the same."""
        if (entity, facts) == self._shown:
            return
        self._shown = (entity, facts)
        self._avatar.show_name(entity.name)
        self._name.setText(entity.name)
        self._about.setText(_about(entity))
        self._aliases.setText(tr("people.aliases", names=tr("common.joint").join(entity.aliases)))
        self._aliases.setVisible(bool(entity.aliases))
        self.facts.facts.show(facts)
        self._nothing.setVisible(not facts)
        self._lately.setText(lately_text(facts))
        self._lately.setVisible(bool(self._lately.text()))
        self._show_sources(facts)
        self._split.hide()
        self.graph.hide()
        memory = self._desk.memory
        self._desk.read(
            lambda: memory.neighbours(entity.id), self, lambda got: self._show_graph(entity, got)
        )
        self._desk.read(
            lambda: memory.members_of(entity.id), self, lambda got: self._offer_split(entity, got)
        )

    def minimumSizeHint(self) -> QSize:
        """Ask for all the lines that the words above the facts take up."""
        wide = super().minimumSizeHint().width()
        return QSize(wide, needed_height(self._column, self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask anew: at another width there are more lines, or fewer."""
        super().resizeEvent(event)
        self._fold()
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _fold(self) -> None:
        """Give the room of the small graph to the facts where large letters leave too little."""
        low = self.window().height() < self.fontMetrics().height() * _LOW_LINES
        self.graph.setVisible(bool(self.graph.around) and not low)

    def _lay_out(self) -> None:
        layout = self._column = column(self, spacing=10)
        layout.setContentsMargins(PAGE_MARGIN, 26, PAGE_MARGIN, 10)
        names = QWidget()
        inner = column(names, spacing=3)
        for part in (self._name, self._about, self._aliases):
            inner.addWidget(part)
        head = row(self._avatar, names, spacing=16)
        head.setStretch(1, 1)
        layout.addLayout(head)
        buttons = QWidget()
        flow = FlowLayout(buttons)
        for made in (self._timeline, self._changes, self._merge, self._split):
            flow.addWidget(made)
        layout.addWidget(buttons)
        layout.addWidget(self._lately)
        layout.addWidget(self.graph)
        layout.addWidget(self._nothing)
        # What is known is what one comes for: some of it is seen whatever stands above.
        self.facts.setMinimumHeight(self.fontMetrics().height() * _LEAST_LINES)
        layout.addWidget(self.facts, 1)
        layout.addWidget(self.sources)
        self.facts.setAccessibleName(tr("place.people"))

    def open_merge(self) -> None:
        """Ask who this is the same as."""
        if self._shown is not None:
            self.dialog = MergeDialog(self._desk, self._shown[0], self)
            self.dialog.open()

    def open_changes(self) -> None:
        """Ask between which days, and show what changed."""
        if self._shown is not None:
            self.changes = ChangesDialog(self._desk, self._shown[0], self)
            self.changes.open()

    def _show_sources(self, facts: tuple[Fact, ...]) -> None:
        """Name the conversations that what is known comes from; each opens where it was said."""
        clear(self._source_flow)
        told = sources_of(facts)
        if told:
            self._source_flow.addWidget(label(tr("people.known_from"), tone="muted"))
        for title, (count, proof) in told.items():
            # A bound default: each chip keeps its own proof.
            opens = lambda one=proof: self._desk.spot_asked.emit(Spot.of(one))  # noqa: E731
            made = button(f"{title} · {count}", opens, kind="chip")
            made.setAccessibleName(f"{title}: {tr_count('people.facts', count)}")
            self._source_flow.addWidget(made)
        self.sources.setVisible(bool(told))

    def _show_graph(self, entity: Entity, around: tuple[Neighbour, ...]) -> None:
        if self._shown is not None and self._shown[0] == entity:
            self.graph.show_neighbours(entity.name, around)
            self._fold()

    def _offer_split(self, entity: Entity, members: tuple[tuple[int, str], ...]) -> None:
        """Offer to take each name out again that was merged into this one."""
        if self._shown is None or self._shown[0] != entity:
            return
        menu = self._split.menu()
        menu.clear()
        for number, name in members:
            menu.addAction(
                as_it_is(tr("people.split_one", name=name)), partial(self._on_split, number, name)
            )
        self._split.setVisible(len(members) > 1)

    def _on_split(self, member_id: int, name: str) -> None:
        self.split_dialog = SplitDialog(self._desk, member_id, name, self)
        self.split_dialog.open()

    def _on_timeline(self) -> None:
        if self._shown is not None:
            self._desk.timeline_asked.emit(self._shown[0].id)


def _about(entity: Entity) -> str:
    parts = [tr_name("type", entity.type), tr_count("people.mentions", entity.mention_count)]
    if entity.first_at_ms is not None:
        parts.append(tr("people.first", day=day_text(entity.first_at_ms)))
    if entity.last_at_ms is not None:
        parts.append(tr("people.last", day=day_text(entity.last_at_ms)))
    return " · ".join(parts)
