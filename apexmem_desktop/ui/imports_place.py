"""Imports: what came in, from where, with which problems; and the way for more to come in."""

from PySide6.QtCore import QItemSelection
from PySide6.QtWidgets import QVBoxLayout

from apexmem_desktop.domain.reports import Changes, SourceSummary
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.drop_zone import DropZone
from apexmem_desktop.ui.parts import PAGE_MARGIN, clear, column, heading, label
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.source_model import SourceModel
from apexmem_desktop.ui.table import Table
from apexmem_desktop.ui.translation import tr, tr_count

_SHOWN_PROBLEMS = 12


class ImportsPlace(Place):
    """A drop zone above, the imports below, the problems of the chosen one under them."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.sources = SourceModel()
        self.table = Table(self.sources, tr("place.imports"))
        self._empty = label(tr("imports.empty"), tone="muted")
        self._problems = QVBoxLayout()
        self._lay_out()

    def refresh(self) -> None:
        """Fetch the list anew."""
        self._desk.read(self._desk.memory.sources, self, self._show)

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.sources

    def _lay_out(self) -> None:
        layout = column(self, spacing=18)
        layout.setContentsMargins(PAGE_MARGIN, 26, PAGE_MARGIN, 20)
        layout.addLayout(heading(tr("place.imports"), tr("imports.subtitle")))
        layout.addWidget(DropZone(self._desk))
        layout.addWidget(self._empty)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        layout.addWidget(self.table, 1)
        layout.addLayout(self._problems)
        layout.addStretch(0)

    def _show(self, sources: tuple[SourceSummary, ...]) -> None:
        self.sources.show(sources)
        self.table.setVisible(bool(sources))
        self._empty.setVisible(not sources)
        clear(self._problems)

    def _on_selected(self, chosen: QItemSelection, _before: QItemSelection) -> None:
        clear(self._problems)
        if not chosen.indexes():
            return
        source = self.sources.source(chosen.indexes()[0].row())
        self._problems.addWidget(
            label(tr_count("imports.problem_count", len(source.problems)), bold=True)
        )
        for problem in source.problems[:_SHOWN_PROBLEMS]:
            self._problems.addWidget(label(f"{problem.where}: {problem.what}", tone="muted"))
