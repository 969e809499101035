"""The three lanes, with real threads."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.ui.tasks import Lane, TaskRunner


@pytest.fixture
def runner() -> Iterator[TaskRunner]:
    made = TaskRunner()
    yield made
    made.close()
    for thread in threading.enumerate():
        if thread.name.startswith("apexmem-"):
            thread.join(10)
            assert not thread.is_alive()


def test_work_is_done_elsewhere_and_told_here(qtbot: QtBot, runner: TaskRunner) -> None:
    threads: list[threading.Thread] = []
    owner = QObject()
    with qtbot.waitSignal(runner.drained):
        runner.submit(
            Lane.READ,
            lambda _: threading.current_thread(),
            owner=owner,
            on_done=lambda thread: threads.extend((thread, threading.current_thread())),
        )
    worker, told = threads
    assert worker.name.startswith("apexmem-read")
    assert told is threading.main_thread()


def test_an_error_reaches_who_asked(qtbot: QtBot, runner: TaskRunner) -> None:
    owner, errors = QObject(), []
    with qtbot.waitSignal(runner.drained):
        runner.submit(
            Lane.WRITE, _fail, owner=owner, on_done=errors.append, on_failed=errors.append
        )
    assert [str(error) for error in errors] == ["No room."]


def test_an_error_nobody_took_is_told_to_all(qtbot: QtBot, runner: TaskRunner) -> None:
    owner = QObject()
    with qtbot.waitSignal(runner.failed) as told:
        runner.submit(Lane.WRITE, _fail, owner=owner, on_done=lambda _: None)
    assert str(told.args[0]) == "No room."


def test_nothing_is_told_to_an_owner_that_is_gone(qtbot: QtBot, runner: TaskRunner) -> None:
    owner, told = QObject(), []
    go_on = threading.Event()
    runner.submit(Lane.READ, lambda _: go_on.wait(10), owner=owner, on_done=told.append)
    owner.deleteLater()
    qtbot.waitUntil(lambda: not _alive(owner))
    with qtbot.waitSignal(runner.drained):
        go_on.set()
    assert told == []


def test_a_cancel_is_no_error(qtbot: QtBot, runner: TaskRunner) -> None:
    owner, ended = QObject(), []
    started = threading.Event()

    def work(token: CancelToken) -> None:
        started.set()
        while True:
            token.check()

    with qtbot.assertNotEmitted(runner.failed), qtbot.waitSignal(runner.drained):
        token = runner.submit(
            Lane.MODEL,
            work,
            owner=owner,
            on_done=ended.append,
            on_ended=lambda: ended.append("ended"),
        )
        started.wait(10)
        token.cancel()
    assert ended == ["ended"]


def test_news_come_in_order(qtbot: QtBot, runner: TaskRunner) -> None:
    owner, told = QObject(), []
    tell = runner.teller(owner, told.append)
    with qtbot.waitSignal(runner.drained):
        runner.submit(
            Lane.READ,
            lambda _: [tell(number) for number in range(50)],
            owner=owner,
            on_done=lambda _: None,
        )
    assert told == list(range(50))


def test_progress_is_thinned_but_its_end_arrives(qtbot: QtBot, runner: TaskRunner) -> None:
    owner, told = QObject(), []
    tell = runner.teller(owner, told.append, only_newest=True)
    with qtbot.waitSignal(runner.drained):
        runner.submit(
            Lane.READ,
            lambda _: [tell(number) for number in range(10_000)],
            owner=owner,
            on_done=lambda _: None,
        )
    assert told[-1] == 9_999
    assert told == sorted(told)
    assert len(told) < 10_000


def test_closing_cancels_what_runs(qtbot: QtBot) -> None:
    runner, owner = TaskRunner(), QObject()
    started = threading.Event()

    def work(token: CancelToken) -> None:
        started.set()
        while True:
            token.check()

    token = runner.submit(Lane.WRITE, work, owner=owner, on_done=lambda _: None)
    started.wait(10)
    runner.close()
    assert token.cancelled
    assert not runner.busy


def test_after_closing_no_thread_is_left_that_could_still_tell(qtbot: QtBot) -> None:
    runner, owner = TaskRunner(), QObject()
    before = set(threading.enumerate())
    for lane in Lane:
        runner.submit(lane, lambda _: None, owner=owner, on_done=lambda _: None)
    runner.close()
    assert set(threading.enumerate()) <= before


def _fail(_: CancelToken) -> None:
    raise UserError("No room.")


def _alive(thing: QObject) -> bool:
    from shiboken6 import isValid

    return isValid(thing)
