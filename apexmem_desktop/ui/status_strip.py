"""The strip along the bottom: what is being read, how fast, how long still; pause and cancel."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar

from apexmem_desktop.domain.progress import Progress
from apexmem_desktop.ui.build_job import BuildJob, BuildState
from apexmem_desktop.ui.dates import duration_text
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.parts import button, icon_button, short_label
from apexmem_desktop.ui.translation import tr, tr_count

_STEPS = 1000
_BAR_PX = 180


class StatusStrip(QFrame):
    """Shows a BuildJob; hidden while there is nothing to tell."""

    def __init__(self, desk: Desk, job: BuildJob) -> None:
        super().__init__()
        self.setObjectName("strip")
        self._job = job
        self._text = short_label()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, _STEPS)
        self._bar.setMaximumWidth(_BAR_PX)
        self._numbers = short_label(tone="muted")
        self._hold = icon_button("pause", tr("strip.pause"), self._on_hold)
        self._stop = icon_button("close", tr("strip.cancel"), job.cancel)
        self._models = button(
            tr("ask.get_model"), lambda: desk.place_asked.emit("models"), kind="plain"
        )
        self._settings = button(
            tr("strip.change"), lambda: desk.place_asked.emit("settings"), kind="plain"
        )
        self._lay_out()
        job.changed.connect(self.show_state)
        self.show_state(job.state)

    def show_state(self, state: BuildState) -> None:
        """Show what the job is at."""
        self.setVisible(state.phase != "idle")
        if state.phase == "idle":
            return
        self._text.setText(phase_text(state))
        self._numbers.setText(_numbers(state))
        total = state.progress.total
        self._bar.setVisible(state.phase in {"reading", "paused"} and bool(total))
        if total:
            self._bar.setValue(state.progress.done * _STEPS // total)
        self._show_buttons(state.phase)

    def _show_buttons(self, phase: str) -> None:
        going = phase in {"reading", "meaning"}
        self._hold.setVisible(going or phase in {"paused", "failed"})
        self._hold.setIcon(icon("pause" if going else "resume"))
        tip = tr("strip.pause" if going else "strip.resume")
        self._hold.setToolTip(tip)
        self._hold.setAccessibleName(tip)
        waits = phase == "waiting"
        self._stop.setVisible(going or phase in {"paused", "failed"})
        self._models.setVisible(phase == "no_model")
        self._settings.setVisible(waits)

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 5, 16, 5)
        layout.setSpacing(12)
        layout.addWidget(self._text)
        layout.addWidget(self._bar)
        layout.addWidget(self._numbers)
        layout.addStretch(1)
        layout.addWidget(self._models)
        layout.addWidget(self._settings)
        layout.addWidget(self._hold)
        layout.addWidget(self._stop)

    def _on_hold(self) -> None:
        if self._job.state.phase in {"reading", "meaning"}:
            self._job.pause()
        else:
            self._job.start()


def phase_text(state: BuildState) -> str:
    """Say what reading is at, or what it waits for."""
    key = f"waiting_{state.waits_for}" if state.waits_for else state.phase
    return f"{tr(f'strip.{key}')} {state.error}".strip()


def _numbers(state: BuildState) -> str:
    progress = state.progress
    if state.phase not in {"reading", "paused"} or progress.total is None:
        return ""
    parts = [tr("strip.turns", done=f"{progress.done:,}", total=f"{progress.total:,}")]
    if state.facts_new:
        parts.append(tr_count("strip.facts", state.facts_new))
    if state.phase == "reading" and progress.done:
        parts += _speed(progress)
    return " · ".join(parts)


def _speed(progress: Progress) -> list[str]:
    parts = [tr("strip.rate", rate=f"{progress.per_s:.1f}")]
    if progress.remaining_s is not None:
        parts.append(tr("progress.left", time=duration_text(progress.remaining_s)))
    return parts
