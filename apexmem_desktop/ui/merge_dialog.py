"""One and the same? Shows what a merge would bring together before it is done."""

from collections.abc import Callable

from PySide6.QtWidgets import QComboBox, QWidget

from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.rulings import MergePreview, RulingResult, SaidOfTwo
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import button, card, column, find_anywhere, label, row
from apexmem_desktop.ui.roomy_dialog import RoomyDialog
from apexmem_desktop.ui.translation import tr, tr_count

_WIDTH = 600


class MergeDialog(RoomyDialog):
    """Pick another name; see what moves; merge, or say that they are two."""

    def __init__(self, desk: Desk, entity: Entity, parent: QWidget | None = None) -> None:
        super().__init__(parent, width_px=_WIDTH, snug=True)
        self.setWindowTitle(tr("merge.title", name=entity.name))
        self._desk = desk
        self._entity = entity
        self.picker = QComboBox()
        self.preview = label()
        self._warning = label(tone="warn")
        self.merge = button(tr("merge.do"), self._on_merge, kind="main")
        self.apart = button(tr("merge.apart"), self._on_apart)
        self._lay_out()
        self.picker.currentIndexChanged.connect(lambda _: self._look())
        desk.read(desk.memory.entities, self, self._fill)

    def _lay_out(self) -> None:
        self.picker.setAccessibleName(tr("merge.with"))
        find_anywhere(self.picker)
        layout = column(self, spacing=14, margin=24)
        title = tr("merge.title", name=self._entity.name)
        layout.addWidget(label(title, size=1.3, bold=True))
        layout.addWidget(label(tr("merge.with"), tone="muted"))
        layout.addWidget(self.picker)
        frame, inside = card("quiet")
        inside.addWidget(self.preview)
        inside.addWidget(self._warning)
        layout.addWidget(frame)
        cancel = button(tr("common.cancel"), self.reject)
        layout.addStretch(1)
        layout.addLayout(row(0, cancel, self.apart, self.merge))

    def _fill(self, entities: tuple[Entity, ...]) -> None:
        """Offer everybody else, those of the same kind first."""
        others = [one for one in entities if one.id != self._entity.id]
        others.sort(key=lambda one: one.type != self._entity.type)
        for one in others:
            self.picker.addItem(one.name, one.id)
        self._look()

    def _look(self) -> None:
        other_id = self.picker.currentData()
        for made in (self.merge, self.apart):
            made.setEnabled(other_id is not None)
        if other_id is None:
            self.preview.setText(tr("merge.nobody"))
            return
        memory, own_id = self._desk.memory, self._entity.id
        self._desk.read(
            lambda: memory.preview_merge(own_id, other_id),
            self,
            lambda shown: self._show(other_id, shown),
        )

    def _show(self, other_id: int, preview: MergePreview) -> None:
        if self.picker.currentData() != other_id:
            return
        facts = tr_count("people.facts", preview.facts_moved)
        mentions = tr_count("people.mentions", preview.mentions_moved)
        lines = [
            tr("merge.moves", moves=preview.moves, stays=preview.stays),
            f"{facts} · {mentions}",
            tr("people.aliases", names=tr("common.joint").join(preview.names)),
            tr("merge.undoable"),
        ]
        self.preview.setText("\n".join(lines))
        warnings = warning_lines(preview)
        self._warning.setText("\n".join(warnings))
        self._warning.setVisible(bool(warnings))
        self.merge.setEnabled(not preview.is_done and preview.refused_by is None)
        self.fit(shrink=True)

    def _on_merge(self) -> None:
        memory = self._desk.memory
        self._decide(memory.merge)

    def _on_apart(self) -> None:
        memory = self._desk.memory
        self._decide(memory.tell_apart)

    def _decide(self, rule: Callable[[int, int], RulingResult]) -> None:
        own_id, other_id = self._entity.id, self.picker.currentData()
        self._desk.decide(lambda: rule(own_id, other_id))
        self.accept()


def warning_lines(preview: MergePreview) -> list[str]:
    """Say why a merge cannot be made, or else what it would overrule."""
    if preview.is_done:
        return [tr("merge.done")]
    if preview.refused_by is not None:
        return [tr("merge.refused", said=_said_text(preview.refused_by))]
    return [tr("merge.overrules", said=_said_text(one)) for one in preview.takes_back]


def _said_text(said: SaidOfTwo) -> str:
    what = "merge.said_same" if said.is_same else "merge.said_apart"
    return tr(what, a=said.a, b=said.b, who=tr(f"merge.by_{said.by}"))
