"""Imports: what came in, from where, with which problems; and how far it has been read."""

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import (
    QButtonGroup,
    QFileDialog,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from apexmem_desktop.domain.reports import Changes, EraseScope, SourceSummary
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.drop_zone import DropZone
from apexmem_desktop.ui.erase_dialog import EraseDialog
from apexmem_desktop.ui.import_dialog import ImportDialog
from apexmem_desktop.ui.parts import PAGE_MARGIN, button, clear, column, heading, label, row
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.problem_list import problem_list
from apexmem_desktop.ui.queue_page import QueuePage
from apexmem_desktop.ui.roomy_dialog import RoomyArea
from apexmem_desktop.ui.source_model import SourceModel, date_order_text
from apexmem_desktop.ui.table import Table
from apexmem_desktop.ui.translation import tr, tr_count


class ImportsPlace(Place):
    """Two pages: the imports with a drop zone above, and the work of reading them."""

    def __init__(self, desk: Desk, parent: QWidget | None = None, *, whole: bool = True) -> None:
        """Begin the page, and go on to its end unless somebody does that piece by piece."""
        super().__init__(desk, parent)
        self.sources = SourceModel()
        self.table = Table(self.sources, tr("place.imports"))
        self.dialog: ImportDialog | EraseDialog | None = None
        self.drop = DropZone(desk)
        self._empty = label(tr("imports.empty"), tone="muted")
        self._details = QVBoxLayout()
        self._pages = QStackedWidget()
        self._tabs = QButtonGroup(self)
        self._wanted = 0  # an import to be chosen once the list is there
        self._rest = self._pieces()
        if whole:
            self.complete()

    def _pieces(self) -> Iterator[None]:
        self._lay_out()
        yield
        self.queue = QueuePage(self._desk, self._pages)
        self._pages.addWidget(self.queue)

    def refresh(self) -> None:
        """Fetch the list anew."""
        self._desk.read(self._desk.memory.sources, self, self._show)
        self.queue.refresh()

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.sources or changes.facts

    def choose(self, source_id: int) -> None:
        """Show an import and what was told of it, now or as soon as the list is there."""
        self._tabs.button(0).click()
        self._wanted = source_id
        self._choose_wanted()

    def _choose_wanted(self) -> None:
        for number in range(self.sources.rowCount()):
            if self.sources.row(number).id == self._wanted:
                self._wanted = 0
                self.table.selectRow(number)
                return

    def show_queue(self) -> None:
        """Show how far reading is."""
        self._tabs.button(1).click()

    def remove(self) -> None:
        """Ask whether the chosen import shall go, showing what that takes."""
        source = self._chosen()
        if source is not None:
            self.dialog = EraseDialog(self._desk, self.window(), EraseScope("source", source.id))
            self.dialog.show()

    def read_again(self) -> None:
        """Ask for the file of the chosen import, and read it with other choices."""
        source = self._chosen()
        if source is None:
            return
        name, _ = QFileDialog.getOpenFileName(
            self, tr("imports.choose_again", file=source.file), source.file
        )
        if name:
            self.dialog = ImportDialog(self._desk, [Path(name)], self.window(), replaces=source.id)
            self.dialog.setModal(True)
            self.dialog.show()

    def _lay_out(self) -> None:
        layout = column(self, spacing=16)
        layout.setContentsMargins(PAGE_MARGIN, 26, PAGE_MARGIN, 20)
        layout.addLayout(heading(tr("place.imports"), tr("imports.subtitle")))
        tabs = [_tab(tr("imports.tab_list")), _tab(tr("queue.title"))]
        for number, tab in enumerate(tabs):
            self._tabs.addButton(tab, number)
        tabs[0].setChecked(True)
        self._tabs.idClicked.connect(self._pages.setCurrentIndex)
        layout.addLayout(row(*tabs, 0))
        self._pages.addWidget(self._list_page())
        layout.addWidget(self._pages, 1)

    def _list_page(self) -> QWidget:
        page = QWidget()
        layout = column(page, spacing=14)
        layout.addWidget(self.drop)
        layout.addWidget(self._empty)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_details())
        layout.addWidget(self.table, 1)
        details = QWidget()
        details.setObjectName("page")
        details.setLayout(self._details)
        self._details.setContentsMargins(0, 0, 0, 0)
        self._area = RoomyArea(details)
        self._area.hide()
        layout.addWidget(self._area)
        layout.addStretch(0)
        return page

    def _show(self, sources: tuple[SourceSummary, ...]) -> None:
        self.sources.show(sources)
        self.table.setVisible(bool(sources))
        self._empty.setVisible(not sources)
        self.drop.make_compact(compact=bool(sources))
        self._choose_wanted()
        self._show_details()

    def _chosen(self) -> SourceSummary | None:
        rows = self.table.selectionModel().selectedRows()
        return self.sources.row(rows[0].row()) if rows else None

    def _show_details(self) -> None:
        clear(self._details)
        source = self._chosen()
        self._area.setVisible(source is not None)
        if source is None:
            return
        self._details.addWidget(label(source.file, bold=True))
        order = date_order_text(source.date_order, certain=source.date_order_certain)
        known = tr_count("import.known", source.turns_known) if source.turns_known else ""
        parts = [tr_count("import.done", source.turns_new), known, order, source.zone]
        self._details.addWidget(label(" · ".join(filter(None, parts)), tone="muted"))
        if source.problems:
            self._details.addWidget(problem_list(source.problems))
        again = button(tr("imports.again"), self.read_again)
        self._details.addLayout(row(again, button(tr("imports.remove"), self.remove), 0))


def _tab(text: str) -> QPushButton:
    made = QPushButton(text)
    made.setCheckable(True)
    made.setProperty("kind", "tab")
    return made
