"""The import dialog: look into a file, let the user decide what cannot be known, store, report."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.progress import CancelToken, Progress
from apexmem_desktop.domain.reports import Changes, FileReport, ImportChoices
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.error_words import error_text
from apexmem_desktop.ui.import_preview import ImportPreview
from apexmem_desktop.ui.long_jobs import LongJob
from apexmem_desktop.ui.model_row import progress_text
from apexmem_desktop.ui.parts import button, clear, column, label, restyle, row
from apexmem_desktop.ui.problem_list import problem_list
from apexmem_desktop.ui.roomy_dialog import RoomyArea, RoomyDialog
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr, tr_count

_STEPS = 1000
_BREATH_MS = 20
_WIDTH, _WIDEST = 620, 980  # not wider than a small screen, however large the text


class ImportDialog(RoomyDialog):
    """Takes files one after the other. Closing it cancels what runs; nothing is half stored."""

    def __init__(
        self,
        desk: Desk,
        files: Sequence[Path],
        parent: QWidget | None = None,
        *,
        replaces: int | None = None,
    ) -> None:
        super().__init__(parent, width_px=_WIDTH)
        self._replaces = replaces  # an import that is read again, with other choices
        self.setWindowTitle(tr("import.title"))
        self._desk = desk
        self._files = list(files)
        self._number = 0
        self._token: CancelToken | None = None
        self._job: LongJob | None = None  # while something is stored
        self.report: FileReport | None = None
        self._title = label(size=1.35, bold=True)
        self._state = label(tone="muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._body = QVBoxLayout()
        self._preview = ImportPreview(desk.memory.zone(), whole=False)
        self._preview.changed.connect(self._look)
        self._is_whole = False
        self.store = button(tr("import.store"), self.start, kind="main")
        self.next = button(tr("import.next"), self._next_file, kind="main")
        self.leave = button(tr("common.cancel"), self._on_leave)
        self._lay_out()
        self._look(ImportChoices(zone=desk.memory.zone()))
        # It is not seen before the file was looked into, and both at once would halt the window.
        self._go_on()

    @property
    def file(self) -> Path:
        """The file at hand."""
        return self._files[self._number]

    @property
    def preview(self) -> ImportPreview:
        """What the file holds, and the choices; made piece by piece after the dialog."""
        if not self._is_whole:
            self._preview.complete()
            self._on_whole()
        return self._preview

    def _go_on(self) -> None:
        if self._is_whole:
            return
        if self._preview.go_on():
            QTimer.singleShot(_BREATH_MS, self, self._go_on)
        else:
            self._on_whole()

    def _on_whole(self) -> None:
        """Let the keyboard come to the preview before the buttons, which are older."""
        self._is_whole = True
        self.setTabOrder(self._preview.branches, self.store)
        self.setTabOrder(self.store, self.next)
        self.setTabOrder(self.next, self.leave)

    def start(self) -> None:
        """Store what the preview showed."""
        memory, file, choices = self._desk.memory, self.file, self.preview.choices()
        self._wait(tr("import.storing"))
        self._job = self._desk.jobs.begin(tr("tray.importing", file=file.name))
        if self._replaces is not None:
            self._read_again(self._replaces)
            return
        self._run(
            Lane.WRITE,
            lambda progress, token: memory.import_file(file, choices, progress, token),
            self._on_stored,
        )

    def _read_again(self, source_id: int) -> None:
        memory, file, choices = self._desk.memory, self.file, self.preview.choices()
        self._desk.build_held.emit()
        self._run(
            Lane.MODEL,  # what takes something out must not meet a build
            lambda progress, token: memory.read_again(source_id, file, choices, progress, token),
            self._on_stored,
        )

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel what runs."""
        if self._token is not None:
            self._token.cancel()
        self._tell_end("")
        super().closeEvent(event)

    def _lay_out(self) -> None:
        layout = column(self, spacing=12, margin=24)
        layout.addWidget(self._title)
        layout.addWidget(self._state)
        layout.addWidget(self._bar)
        self._preview_area = RoomyArea(self._preview)
        layout.addWidget(self._preview_area)
        self._preview_area.hide()  # an empty form says nothing; to paint it halts
        layout.addLayout(self._body)
        layout.addStretch(1)
        layout.addLayout(row(0, self.leave, self.store, self.next))

    def _look(self, choices: ImportChoices) -> None:
        memory, file = self._desk.memory, self.file
        look = memory.preview if self._replaces is None else memory.preview_alone
        count = tr("import.count", n=self._number + 1, total=len(self._files))
        self._title.setText(f"{file.name}{count if len(self._files) > 1 else ''}")
        self._wait(tr("import.looking"))
        self._run(
            Lane.READ,
            lambda progress, token: look(file, choices, progress, token),
            self._on_previewed,
        )

    def _run(self, lane: Lane, work: object, on_done: object) -> None:
        progress = self._desk.tasks.teller(self, self._on_progress, only_newest=True)
        self._token = CancelToken()  # stands in while an inline runner is already at work
        token = self._desk.tasks.submit(
            lane,
            lambda token: work(progress, token),  # type: ignore[operator]
            owner=self,
            on_done=on_done,  # type: ignore[arg-type]
            on_failed=self._on_failed,
        )
        if self._token is not None:
            self._token = token

    def _wait(self, words: str) -> None:
        self._say(words)
        self._bar.setRange(0, 0)
        self._bar.show()
        self._preview.setEnabled(False)
        self.store.setEnabled(False)
        self.next.hide()
        self.leave.setText(tr("common.cancel"))
        clear(self._body)

    def _say(self, words: str, *, tone: str = "muted") -> None:
        self._state.setText(words)
        self._state.setProperty("tone", tone)
        restyle(self._state)

    def _on_progress(self, progress: Progress) -> None:
        if self._token is None:
            return
        if self._job is not None:
            self._job.show(progress)
        if progress.total:
            self._bar.setRange(0, _STEPS)
            self._bar.setValue(min(_STEPS, progress.done * _STEPS // progress.total))
        self._state.setText(f"{tr('import.working')} {progress_text(progress)}")

    def _on_previewed(self, report: FileReport) -> None:
        self._token = None
        self.report = report
        self._bar.hide()
        self.preview.setEnabled(True)
        self.preview.show_report(report)
        self._preview_area.show()
        would = tr("import.again_would") if self._replaces is not None else ""
        self._state.setText(f"{_would_text(report)} {would}".strip())
        self.store.setEnabled(report.turns_new > 0)
        (self.store if report.turns_new else self.leave).setFocus()
        self._shrink()

    def _on_stored(self, report: FileReport) -> None:
        self._token = None
        self.report = report
        self._bar.hide()
        self._preview_area.hide()
        self.store.hide()
        text = tr_count("import.done", report.turns_new)
        if report.turns_known:
            text += " " + tr_count("import.known", report.turns_known)
        self._state.setText(text)
        self._body.addWidget(label(tr("import.then"), tone="muted"))
        if told := (*report.problems, *report.skipped):
            self._body.addWidget(problem_list(told))
        self._offer_end()
        replaced = self._replaces is not None
        changes = Changes(turns=True, sources=True, facts=replaced, entities=replaced)
        self._desk.changed.emit(changes)
        self._tell_end(text)
        self._desk.build_asked.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._token = None
        self._bar.hide()
        self._preview_area.hide()
        self.store.hide()
        text = error_text(error)
        self._say(text, tone="danger")
        self._tell_end(text)
        self._body.addWidget(label(tr("import.nothing_lost"), tone="muted"))
        self._offer_end()
        if not isinstance(error, UserError):
            self._desk.failed.emit(error)

    def _tell_end(self, words: str) -> None:
        """Let who went away meanwhile hear of it."""
        job, self._job = self._job, None
        if job is not None:
            job.end(f"{self.file.name}: {words}" if words else "")

    def _offer_end(self) -> None:
        more = self._number + 1 < len(self._files)
        self.next.setVisible(more)
        self.leave.setText(tr("common.close"))
        (self.next if more else self.leave).setFocus()
        self._shrink()

    def _shrink(self) -> None:
        """Give back the room of what is hidden now."""
        self.fit(shrink=True)
        QTimer.singleShot(0, self, self.fit)  # wrapped words tell what they need a little later

    def _on_leave(self) -> None:
        self.close()

    def _next_file(self) -> None:
        self._number += 1
        self.preview.forget()
        self._preview_area.hide()
        self.store.show()
        self._look(self.preview.choices())


def _would_text(report: FileReport) -> str:
    if report.turns_known and not report.turns_new:
        return tr("import.nothing_new")
    known = tr_count("import.known", report.turns_known) if report.turns_known else ""
    return f"{tr_count('import.would', report.turns_new)} {known}".strip()
