"""One model of the catalogue: what it is, whether it is here, and the button that fetches it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QProgressBar

from apexmem_desktop.domain.progress import Progress
from apexmem_desktop.domain.reading import Machine, SelfTest
from apexmem_desktop.domain.reports import Changes, ModelSummary
from apexmem_desktop.ui.dates import day_text, duration_text, size_text
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.error_words import error_text
from apexmem_desktop.ui.long_jobs import LongJob
from apexmem_desktop.ui.parts import button, column, label, restyle, row
from apexmem_desktop.ui.rows import badge
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr

_STEPS = 1000
_USUAL_BYTES = (800_000_000, 2_000_000_000)


class ModelRow(QFrame):
    """Shows a model and fetches it; the download goes on while other places are open."""

    def __init__(self, desk: Desk, model: ModelSummary) -> None:
        super().__init__()
        self.setObjectName("card")
        self._desk = desk
        self.model = model
        self._state = badge("")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, _STEPS)
        self._note = label(tone="muted", size=0.92)
        self._facts = label(tone="muted", size=0.92)
        self._pull = button("", self.pull, kind="main" if model.in_use else "")
        self._use = button(tr("models.use"), self._on_use)
        self._cancel = button(tr("common.cancel"), self._on_cancel)
        self._check = button(tr("models.check"), self.check, kind="link")
        self._test = button(tr("models.test"), self.test, kind="link")
        self._told = label(tone="muted", size=0.92)
        self._told.hide()
        self._fits = label(tone="warn", size=0.92)
        self._fits.hide()
        self._lay_out(model)
        self._show_facts()
        self.show_model(model)
        desk.jobs.changed.connect(self._on_jobs)
        desk.jobs.over.connect(self._on_over)

    def show_model(self, model: ModelSummary) -> None:
        """Show the newest state of the model."""
        self.model = model
        pulling = self._job("pull") is not None
        language = model.use == "language"
        state = _state(model)
        self._state.setText(tr(f"models.{state}"))
        self._state.setProperty("tone", "" if state == "in_use" else "muted")
        restyle(self._state)
        begun, size = model.pulled_bytes, size_text(model.bytes)
        self._pull.setText(
            tr("models.go_on", here=size_text(begun), size=size)
            if begun
            else tr("models.pull", size=size)
        )
        self._use.setVisible(language and model.present and not model.in_use)
        self._show_pulling(pulling=pulling)
        self._check.setVisible(model.present and not pulling)
        self._test.setVisible(language and model.present and self._job("test") is None)

    def pull(self) -> None:
        """Fetch the model."""
        if self._job("pull") is not None:
            return
        desk, name, title = self._desk, self.model.name, self._title
        desk.jobs.run(
            tr("tray.pulling", name=title),
            f"pull:{name}",
            Lane.READ,
            lambda progress, token: desk.memory.pull_model(name, progress, token),
            spell=lambda _: tr("models.pulled", name=title),
            after=lambda: desk.changed.emit(Changes(models=True)),
        )

    def show_machine(self, machine: Machine) -> None:
        """Say so where the model needs more memory than there is."""
        needs, has = self.model.memory_bytes, machine.memory_bytes
        tight = bool(needs and machine.free_bytes and needs > machine.free_bytes)
        too_big = bool(needs and has and needs > has)
        self._fits.setVisible(too_big or tight)
        if too_big or tight:
            key = "models.too_big" if too_big else "models.tight"
            room = has if too_big else machine.free_bytes
            self._fits.setText(tr(key, needs=size_text(needs), has=size_text(room)))
        self._show_facts("models.fits" if needs and has and not (too_big or tight) else "")

    def _show_facts(self, fits: str = "") -> None:
        """Tell its size and licence, and whether it fits into the memory that is free."""
        model = self.model
        facts = [size_text(model.bytes), model.licence]
        if model.memory_bytes:
            facts.append(tr("models.memory", size=size_text(model.memory_bytes)))
        facts.append(tr(fits) if fits else "")
        self._facts.setText(" · ".join(filter(None, facts)))

    def check(self) -> None:
        """Look whether the file on the disk is the one that the catalogue names."""
        memory, name = self._desk.memory, self.model.name
        self._tell(tr("models.checking"))
        self._desk.tasks.submit(
            Lane.READ,
            lambda _: memory.verify_model(name),
            owner=self,
            on_done=lambda whole: self._tell(
                tr("models.whole" if whole else "models.damaged"), warn=not whole
            ),
            on_failed=self._on_failed,
        )

    def test(self) -> None:
        """Try the model on this machine."""
        desk, name, title = self._desk, self.model.name, self._title
        self._tell(tr("models.testing"))
        desk.build_held.emit()
        desk.jobs.run(
            tr("tray.testing", name=title),
            f"test:{name}",
            Lane.MODEL,
            lambda progress, token: desk.memory.self_test(name, progress, token),
            spell=lambda _: tr("models.test_ended", name=title),
            after=desk.build_asked.emit,
        )

    def show_test(self, test: SelfTest) -> None:
        """Show how the model did when it was last tried."""
        if self._told.isHidden():
            self._tell(_test_text(test))

    def show_progress(self, progress: Progress) -> None:
        """Tell how much of the model is here while it is fetched."""
        self._show_pulling(pulling=True)
        self._bar.setValue(progress.done * _STEPS // (progress.total or 1))
        self._note.setText(progress_text(progress))

    def _show_pulling(self, *, pulling: bool) -> None:
        for part in (self._cancel, self._bar, self._note):
            part.setVisible(pulling)
        self._state.setVisible(not pulling)
        self._pull.setVisible(not self.model.present and self.model.can_pull and not pulling)

    @property
    def _title(self) -> str:
        return self.model.title or self.model.name

    def _job(self, what: str) -> LongJob | None:
        return self._desk.jobs.find(f"{what}:{self.model.name}")

    def _on_jobs(self) -> None:
        """Follow what runs, also where another page, or a window before this one, began it."""
        self.show_model(self.model)
        pulling, testing = self._job("pull"), self._job("test")
        if pulling is not None:
            self.show_progress(pulling.progress)
        if testing is not None and testing.progress.total:
            self._tell(f"{tr('models.testing')} {progress_text(testing.progress)}")

    def _on_over(self, job: LongJob) -> None:
        if job.key != f"test:{self.model.name}":
            return
        if job.error is not None:
            self._tell(error_text(job.error), warn=True)
        elif job.result is not None:
            self._tell(_test_text(job.result))

    def _tell(self, words: str, *, warn: bool = False) -> None:
        self._told.setText(words)
        self._told.setProperty("tone", "warn" if warn else "muted")
        restyle(self._told)
        self._told.show()

    def _on_failed(self, error: BaseException) -> None:
        self._tell(error_text(error), warn=True)

    def _lay_out(self, model: ModelSummary) -> None:
        layout = column(self, spacing=8, margin=18)
        title = label(self._title, bold=True, size=1.05)
        head = row(title, self._state, self._use, self._pull, self._cancel)
        head.setStretch(0, 1)
        head.setAlignment(self._state, Qt.AlignmentFlag.AlignVCenter)
        layout.addLayout(head)
        layout.addWidget(label(tr(f"models.use_{model.use}{_size_class(model)}")))
        layout.addWidget(self._facts)
        layout.addWidget(self._bar)
        layout.addWidget(self._note)
        layout.addWidget(self._fits)
        layout.addWidget(self._told)
        layout.addLayout(row(self._check, self._test, 0, spacing=18))

    def _on_cancel(self) -> None:
        if job := self._job("pull"):
            job.stop()

    def _on_use(self) -> None:
        memory, name = self._desk.memory, self.model.name
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.use_model(name),
            owner=self,
            on_done=lambda _: self._desk.changed.emit(Changes(models=True)),
        )


def _test_text(test: SelfTest) -> str:
    when = tr("models.tested_when", day=day_text(test.at_ms), machine=test.machine)
    return when + tr(
        "models.tested",
        right=test.right,
        asked=test.asked,
        reading=f"{test.reading_per_s:.0f}",
        writing=f"{test.writing_per_s:.0f}",
        time=duration_text(test.seconds),
    )


def progress_text(progress: Progress) -> str:
    """Write how far a job is, how fast, and how long it will still take."""
    write = size_text if progress.unit == "bytes" else "{:,}".format
    parts = [write(progress.done)]
    if progress.total:
        parts = [tr("progress.of", done=write(progress.done), total=write(progress.total))]
    if progress.per_s >= 1 and progress.unit == "bytes":
        parts.append(tr("progress.rate", rate=size_text(round(progress.per_s))))
    if progress.remaining_s is not None and progress.done:
        parts.append(tr("progress.left", time=duration_text(progress.remaining_s)))
    return " · ".join(parts)


def _size_class(model: ModelSummary) -> str:
    """Tell small and large language models from the usual ones."""
    if model.use != "language" or _USUAL_BYTES[0] <= model.bytes < _USUAL_BYTES[1]:
        return ""
    return "_small" if model.bytes < _USUAL_BYTES[0] else "_large"


def _state(model: ModelSummary) -> str:
    if not model.present:
        return "absent"
    return "in_use" if model.in_use else "present"
