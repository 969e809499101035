"""Somebody else after all? Shows what would be known of each before a name is taken out again."""

from PySide6.QtWidgets import QWidget

from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.rulings import SplitPreview
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import button, card, column, label, row
from apexmem_desktop.ui.roomy_dialog import RoomyDialog
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr, tr_count

_WIDTH = 560


class SplitDialog(RoomyDialog):
    """See what goes and what stays; take it apart, or leave it."""

    def __init__(self, desk: Desk, member_id: int, name: str, parent: QWidget) -> None:
        super().__init__(parent, width_px=_WIDTH, snug=True)
        title = tr("split.title", name=name)
        self.setWindowTitle(title)
        self._desk = desk
        self._member_id = member_id
        self.preview = label()
        self.take = button(tr("split.do"), self._on_take, kind="main")
        self.take.setEnabled(False)
        layout = column(self, spacing=14, margin=24)
        layout.addWidget(label(title, size=1.3, bold=True))
        frame, inside = card("quiet")
        inside.addWidget(self.preview)
        layout.addWidget(frame)
        layout.addStretch(1)
        layout.addLayout(row(0, button(tr("common.cancel"), self.reject), self.take))
        memory = desk.memory
        # The look tries it out, and so has its turn among what is written.
        desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.preview_split(member_id),
            owner=self,
            on_done=self._show,
        )

    def _show(self, preview: SplitPreview) -> None:
        goes = tr("split.goes", name=preview.goes.name, what=_known_of(preview.goes))
        stay = [tr("split.stays", name=one.name, what=_known_of(one)) for one in preview.stays]
        self.preview.setText("\n".join((goes, *stay, tr("merge.undoable"))))
        self.take.setEnabled(True)
        self.take.setFocus()
        self.fit(shrink=True)

    def _on_take(self) -> None:
        memory, member_id = self._desk.memory, self._member_id
        self._desk.decide(lambda: memory.split(member_id))
        self.accept()


def _known_of(entity: Entity) -> str:
    facts = tr_count("people.facts", entity.fact_count)
    return f"{facts} · {tr_count('people.mentions', entity.mention_count)}"
