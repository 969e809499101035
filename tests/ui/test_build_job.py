"""Reading chats in the background: rounds, pause, cancel, and what the strip says."""

from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.errors import ModelMissingError, UserError
from apexmem_desktop.domain.progress import Progress
from apexmem_desktop.domain.reports import BuildReport, Changes
from apexmem_desktop.ui.build_job import BuildJob, BuildState
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.status_strip import StatusStrip
from tests.ui.fake_memory import FakeMemory, HeldRunner


def phases(job: BuildJob) -> list[str]:
    seen: list[str] = []
    job.changed.connect(lambda state: seen.append(state.phase))
    return seen


def test_it_reads_until_nothing_waits(qtbot: QtBot, desk: Desk) -> None:
    job = BuildJob(desk)
    seen = phases(job)
    with qtbot.waitSignal(desk.changed, check_params_cb=lambda changes: changes.facts):
        desk.build_asked.emit()
    assert seen[0] == "meaning"
    assert "reading" in seen
    assert job.state.phase == "idle"
    assert job.state.facts_new == 3
    assert job.state.progress.done == 20


def test_a_pause_keeps_what_was_read_and_it_goes_on_later(qtbot: QtBot, memory: FakeMemory) -> None:
    runner = HeldRunner()
    job = BuildJob(Desk(memory, runner))
    job.start()
    for _ in ("status", "vectors"):
        runner.let_go()
    job.pause()
    runner.let_go()  # the round under way ends
    assert job.state.phase == "paused"
    assert runner.held == []
    job.start()
    assert len(runner.held) == 1


def test_a_cancel_stops_the_round(qtbot: QtBot, memory: FakeMemory) -> None:
    runner = HeldRunner()
    job = BuildJob(Desk(memory, runner))
    job.start()
    for _ in ("status", "vectors"):
        runner.let_go()
    (_, token) = runner.held[0]
    job.cancel()
    assert token.cancelled
    runner.let_go()
    assert not job.running
    assert job.state.phase == "idle"
    assert len(memory.to_read) == 2


def test_without_a_model_it_waits_and_begins_when_one_comes(desk: Desk, memory: FakeMemory) -> None:
    job = BuildJob(desk)
    memory.error = ModelMissingError("Not here.")
    job.start()
    assert job.state.phase == "no_model"
    memory.error = None
    desk.changed.emit(Changes(models=True))
    assert job.state.phase == "idle"
    assert memory.to_read == []


def test_an_error_is_told_and_it_can_be_tried_again(
    qtbot: QtBot, desk: Desk, memory: FakeMemory
) -> None:
    job = BuildJob(desk)
    strip = StatusStrip(desk, job)
    qtbot.addWidget(strip)
    memory.error = UserError("The disk is full.", hint="Free some space.")
    job.start()
    assert "The disk is full. Free some space." in strip._text.text()
    memory.error = None
    strip._hold.click()
    assert job.state.phase == "idle"


def test_the_strip_tells_rate_and_time_left(qtbot: QtBot, desk: Desk) -> None:
    job = BuildJob(desk)
    strip = StatusStrip(desk, job)
    qtbot.addWidget(strip)
    assert strip.isHidden()
    job.changed.emit(BuildState("reading", Progress("reading", 120, 450, "turns", "", 60), 17))
    assert not strip.isHidden()
    assert (
        strip._numbers.text()
        == "120 of 450 messages · 17 facts found · 2.0 a second · about 3 minutes left"
    )
    job.changed.emit(BuildState())
    assert strip.isHidden()


def test_nothing_waiting_needs_no_model(desk: Desk, memory: FakeMemory) -> None:
    memory.empty = True
    memory.error = ModelMissingError("Not here.")
    job = BuildJob(desk)
    job.start()
    assert job.state.phase == "idle"
    assert memory.to_read == [BuildReport(turns_read=16, facts_new=3), BuildReport(turns_read=4)]


def test_a_round_in_which_all_failed_is_not_the_end(desk: Desk, memory: FakeMemory) -> None:
    failed = BuildReport(turns_failed={"the reply was cut off": 16})
    memory.to_read = [failed, BuildReport(turns_read=4)]
    job = BuildJob(desk)
    told: list[BuildState] = []
    desk.build_told.connect(told.append)
    job.start()
    assert memory.to_read == []
    assert job.state.progress.done == 20
    assert told[-1] == job.state
