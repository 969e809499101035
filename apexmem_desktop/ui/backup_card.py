"""The part of Settings about copies of the memory: make one, bring one back, make them by plan."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QFrame, QMessageBox, QSpinBox

from apexmem_desktop.domain.reports import BackupSummary, RestoreReport
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.ui.dates import day_text, size_text
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import button, column, label, row, short_label
from apexmem_desktop.ui.passphrase_dialog import PassphraseDialog
from apexmem_desktop.ui.task_dialog import TaskDialog
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr, tr_count

_EVERY_DAYS = (0, 1, 7, 30)
_MOST_KEPT = 50


class BackupCard(QFrame):
    """Keeps each choice as soon as it is made."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setObjectName("card")
        self._desk = desk
        self.dialog: TaskDialog | None = None
        self.question: QDialog | None = None
        self.last = label(tone="muted")
        self.every = QComboBox()
        self.kept = QSpinBox()
        self.folder = label()
        self._lay_out()
        self.show_settings(desk.memory.settings())
        self.every.activated.connect(lambda _: self._on_every())
        self.kept.valueChanged.connect(lambda kept: self._save(backups_kept=kept))

    def refresh(self) -> None:
        """Look which copies there are."""
        self._desk.read(self._desk.memory.backups, self, self._show_backups)

    def show_settings(self, settings: Settings) -> None:
        """Show the plan."""
        planned = settings.backup_every_days if settings.backup_folder else 0
        self.every.setCurrentIndex(max(0, self.every.findData(planned)))
        self.kept.blockSignals(True)
        self.kept.setValue(settings.backups_kept)
        self.kept.blockSignals(False)
        self.folder.setText(tr("backup.folder", path=settings.backup_folder) if planned else "")
        self.folder.setVisible(bool(planned))
        self._kept_row.setVisible(bool(planned))

    def back_up(self) -> None:
        """Ask where to, and copy the memory there."""
        memory = self._desk.memory
        day = day_text(memory.now_ms()).replace(" ", "-")
        proposed = f"{memory.vault_path.stem}-{day}.apexmem"
        name, _ = QFileDialog.getSaveFileName(self, tr("backup.now"), proposed)
        if not name:
            return
        self._run(
            tr("backup.now"),
            lambda progress, token: memory.back_up(Path(name), progress, token),
            _spell_backup,
        )

    def restore(self) -> None:
        """Ask for a copy, and put it in the memory's place."""
        memory = self._desk.memory
        name, _ = QFileDialog.getOpenFileName(self, tr("backup.restore"))
        if not name:
            return
        backup = Path(name)
        if memory.needs_passphrase(backup):
            asked = PassphraseDialog(
                backup.name, more=tr("backup.restore_more"), parent=self.window()
            )
            asked.accepted.connect(lambda: self._begin_restore(backup, asked.field.text()))
            self.question = asked
        else:
            self.question = self._ask_whether(backup)
        self.question.open()

    def _ask_whether(self, backup: Path) -> QMessageBox:
        kinds = QMessageBox.StandardButton
        asked = QMessageBox(self.window())
        asked.setWindowTitle(tr("backup.restore"))
        asked.setText(f"{backup.name}\n\n{tr('backup.restore_more')}")
        asked.setStandardButtons(kinds.Yes | kinds.Cancel)
        asked.button(kinds.Yes).setText(tr("backup.restore_yes"))
        asked.button(kinds.Cancel).setText(tr("common.cancel"))
        asked.setDefaultButton(kinds.Cancel)
        asked.button(kinds.Yes).clicked.connect(lambda: self._begin_restore(backup, ""))
        return asked

    def _begin_restore(self, backup: Path, words: str) -> None:
        memory = self._desk.memory
        dialog = self._run(
            tr("backup.restore"),
            lambda progress, token: memory.restore(backup, words, progress, token),
            _spell_restore,
        )
        dialog.finished.connect(lambda _: self._desk.look_changed.emit())

    def _lay_out(self) -> None:
        layout = column(self, spacing=10, margin=20)
        layout.addWidget(label(tr("backup.title"), bold=True))
        layout.addWidget(label(tr("backup.more"), tone="muted"))
        layout.addWidget(self.last)
        now = button(tr("backup.now"), self.back_up)
        layout.addLayout(row(now, button(tr("backup.restore"), self.restore), 0))
        for days in _EVERY_DAYS:
            self.every.addItem(tr(f"backup.every_{days}"), days)
        self.every.setAccessibleName(tr("backup.every"))
        layout.addLayout(row(short_label(tr("backup.every")), self.every, 0))
        self.kept.setRange(1, _MOST_KEPT)
        self.kept.setAccessibleName(tr("backup.kept"))
        self._kept_row = QFrame()
        kept = row(label(tr("backup.kept")), self.kept, 0)
        self._kept_row.setLayout(kept)
        layout.addWidget(self._kept_row)
        layout.addWidget(self.folder)

    def _show_backups(self, found: tuple[BackupSummary, ...]) -> None:
        if not found:
            self.last.setText(tr("backup.none"))
            return
        newest = found[0]
        when, size = day_text(newest.made_at_ms), size_text(newest.bytes)
        self.last.setText(tr("backup.last", day=when, size=size, path=newest.path))

    def _on_every(self) -> None:
        days = self.every.currentData()
        folder = self._desk.memory.settings().backup_folder
        if days and not folder:
            folder = QFileDialog.getExistingDirectory(self, tr("backup.choose_folder"))
        if not folder:
            self.show_settings(self._desk.memory.settings())
            return
        self._save(backup_every_days=days, backup_folder=folder if days else "")

    def _save(self, **changes: object) -> None:
        memory = self._desk.memory
        new = replace(memory.settings(), **changes)  # type: ignore[arg-type]  # one of ours
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.save_settings(new),
            owner=self,
            on_done=lambda _: self.show_settings(new),
        )

    def _run(self, title: str, work: object, spell: object) -> TaskDialog:
        self.dialog = TaskDialog(self._desk, title, work, spell, self.window())  # type: ignore[arg-type]
        self.dialog.done_with.connect(lambda _: self.refresh())
        self.dialog.begin()
        return self.dialog


def _spell_backup(made: BackupSummary) -> str:
    return tr("backup.made", path=made.path, size=size_text(made.bytes))


def _spell_restore(report: RestoreReport) -> str:
    turns = tr_count("conversations.turns", report.turns)
    facts = tr_count("people.facts", report.facts)
    kept = tr("backup.kept_aside", path=report.kept_aside) if report.kept_aside else ""
    return f"{tr('backup.restored', turns=turns, facts=facts)} {kept}".strip()
