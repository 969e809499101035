"""The part of Settings about where the memory lies: what it holds, and another folder for it."""

from functools import partial
from itertools import count
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QLabel,
    QMenu,
    QMessageBox,
    QPushButton,
    QWidget,
)

from apexmem_desktop.domain.reports import ExportReport, VaultStatus
from apexmem_desktop.ui.dates import size_text
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.flow_layout import FlowLayout
from apexmem_desktop.ui.parts import button, column, label, row
from apexmem_desktop.ui.task_dialog import TaskDialog
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr, tr_count

FORMS = ("markdown", "json", "ics")  # as `services.exporting` names them


class DataCard(QFrame):
    """Shows the files; moves the memory, and deletes what the move left only when told to."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setObjectName("card")
        self._desk = desk
        self.task: TaskDialog | None = None
        self.question: QMessageBox | None = None
        self.vault = _path()
        self.left = _path()
        self._models = _path()
        self._held = label(tone="muted")
        self.move_it = button(tr("data.move"), self.choose_folder)
        self.export = QPushButton(tr("data.export"))
        self.export.setMenu(QMenu(self.export))
        for form in FORMS:
            self.export.menu().addAction(tr(f"data.export_{form}"), partial(self.export_as, form))
        self.remove = button(tr("data.remove_left"), self.ask_to_remove)
        layout = column(self, spacing=8, margin=20)
        layout.addWidget(label(tr("settings.data"), bold=True))
        layout.addWidget(label(tr("first.private"), tone="muted"))
        for line in (self.vault, self._models, self._held):
            layout.addWidget(line)
        acts = QWidget()
        flow = FlowLayout(acts)
        for made in (button(tr("settings.open_folder"), self._open), self.move_it, self.export):
            flow.addWidget(made)
        layout.addWidget(acts)
        layout.addWidget(self.left)
        layout.addLayout(row(self.remove, 0))
        self._show_paths()
        self._show_left(("", 0))

    def refresh(self) -> None:
        """Look where the memory lies, and whether an old copy of it is there."""
        self._show_paths()
        self._desk.read(self._desk.memory.left_behind, self, self._show_left)

    def show_status(self, status: VaultStatus) -> None:
        """Tell what the memory holds."""
        parts = [
            tr_count("conversations.turns", status.turns),
            tr_count("people.facts", status.facts),
            tr_count("settings.entities", status.entities),
            size_text(status.vault_bytes),
        ]
        self._held.setText(" · ".join(parts))

    def choose_folder(self) -> None:
        """Ask for a folder, and take the memory there."""
        folder = QFileDialog.getExistingDirectory(self, tr("data.choose"))
        if not folder:
            return
        memory = self._desk.memory
        self.task = TaskDialog(
            self._desk,
            tr("data.moving"),
            lambda progress, token: memory.move_to(Path(folder), progress, token),
            lambda path: tr("data.moved", path=path),
            self.window(),
        )
        self.task.done_with.connect(lambda _: self.refresh())
        self.task.begin()

    def export_as(self, form: str) -> None:
        """Ask where to, and write all of the memory into a new folder there."""
        where = QFileDialog.getExistingDirectory(self, tr("data.export_where"))
        if not where:
            return
        memory = self._desk.memory
        folder = _new_folder(Path(where), f"{memory.vault_path.stem} {form}")
        self.task = TaskDialog(
            self._desk,
            tr("data.export"),
            lambda progress, token: memory.export(folder, form, progress, token),
            _spell_export,
            self.window(),
        )
        self.task.begin()

    def ask_to_remove(self) -> None:
        """Ask before the old file is deleted: it is a whole copy of the memory."""
        kinds = QMessageBox.StandardButton
        asked = QMessageBox(self.window())
        asked.setWindowTitle(tr("data.remove_left"))
        asked.setText(tr("data.remove_sure", path=self._desk.memory.left_behind()[0]))
        asked.setStandardButtons(kinds.Yes | kinds.Cancel)
        asked.button(kinds.Yes).setText(tr("data.remove_yes"))
        asked.button(kinds.Cancel).setText(tr("common.cancel"))
        asked.setDefaultButton(kinds.Cancel)
        asked.button(kinds.Yes).clicked.connect(self._remove)
        asked.setModal(True)
        self.question = asked
        asked.show()

    def _remove(self) -> None:
        memory = self._desk.memory
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.remove_left(),
            owner=self,
            on_done=lambda _: self.refresh(),
        )

    def _show_paths(self) -> None:
        memory = self._desk.memory
        self.vault.setText(tr("settings.vault", path=memory.vault_path))
        self._models.setText(tr("settings.models", path=memory.models_folder()))

    def _show_left(self, left: tuple[str, int]) -> None:
        path, size = left
        self.left.setText(tr("data.left", path=path, size=size_text(size)))
        self.left.setVisible(bool(path))
        self.remove.setVisible(bool(path))

    def _open(self) -> None:
        folder = str(self._desk.memory.vault_path.parent)
        QDesktopServices.openUrl(QUrl.fromLocalFile(folder))


def _new_folder(where: Path, name: str) -> Path:
    """Give a folder that is not there yet."""
    numbered = (where / (f"{name} {number}" if number > 1 else name) for number in count(1))
    return next(folder for folder in numbered if not folder.exists())


def _spell_export(report: ExportReport) -> str:
    return tr_count("data.exported", len(report.files), path=report.folder)


def _path() -> QLabel:
    """Show a path so that it can be selected by keyboard too."""
    made = label()
    flags = Qt.TextInteractionFlag
    made.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
    return made
