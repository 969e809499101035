"""The parent's side of a child process, tried on a child without a model."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from apexmem_desktop.domain.errors import CancelledError, ModelCrashedError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference import host as host_module
from apexmem_desktop.inference.frames import read_frame
from apexmem_desktop.inference.host import ChildHost, ChildRefusedError

COMMAND = (sys.executable, "-m", "tests.inference.scripted_child")


@pytest.fixture
def host() -> Iterator[ChildHost]:
    with ChildHost(COMMAND, cancel_timeout_s=0.2) as one:
        yield one


def _gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_no_process_before_the_first_call(host: ChildHost) -> None:
    assert host.pid is None
    assert host.call({"op": "echo", "text": "é 你"}) == ({"text": "é 你"}, "é 你".encode())
    assert host.pid is not None


def test_a_lone_surrogate_gets_through(host: ChildHost) -> None:
    with pytest.raises(ChildRefusedError):  # the child cannot encode it; it lives on
        host.call({"op": "echo", "text": "\ud83d"})
    assert host.call({"op": "echo", "text": "ok"})[0] == {"text": "ok"}


def test_events_come_in_order(host: ChildHost) -> None:
    seen: list[str] = []
    host.call(
        {"op": "say", "words": ["a", "b", "c"]}, on_event=lambda one: seen.append(one["word"])
    )
    assert seen == ["a", "b", "c"]


@pytest.mark.parametrize(("op", "kind"), [("refuse", "too_long"), ("value", "value")])
def test_a_refusal_leaves_the_child_alive(host: ChildHost, op: str, kind: str) -> None:
    host.call({"op": "echo", "text": ""})
    before = host.pid
    with pytest.raises(ChildRefusedError) as caught:
        host.call({"op": op})
    assert caught.value.kind == kind
    host.call({"op": "echo", "text": ""})
    assert host.pid == before


def test_a_crash_is_told_once_and_the_next_call_works(host: ChildHost) -> None:
    with pytest.raises(ModelCrashedError) as caught:
        host.call({"op": "die"})
    assert "exit 3" in caught.value.message
    assert "out of memory" in caught.value.message
    assert host.pid is None
    assert host.log()[-1] == "out of memory"
    assert host.call({"op": "echo", "text": "back"})[0] == {"text": "back"}


def test_killed_in_the_middle(host: ChildHost) -> None:
    def kill(_: object) -> None:
        assert host.pid is not None
        os.kill(host.pid, signal.SIGKILL)

    with pytest.raises(ModelCrashedError, match="signal 9"):
        host.call({"op": "deaf"}, on_event=kill)
    assert host.call({"op": "echo", "text": "back"})[0] == {"text": "back"}


def test_killed_between_calls_goes_unnoticed(host: ChildHost) -> None:
    host.call({"op": "echo", "text": ""})
    pid = host.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    while host.pid is not None:
        pass
    assert host.call({"op": "echo", "text": "back"})[0] == {"text": "back"}
    assert host.pid != pid


def test_a_child_that_hears_a_cancel_stays(host: ChildHost) -> None:
    cancel = CancelToken()
    result, _ = host.call(
        {"op": "until_cancelled"}, on_event=lambda _: cancel.cancel(), cancel=cancel
    )
    before = host.pid
    assert result == {"cancelled": True}
    host.call({"op": "echo", "text": ""})
    assert host.pid == before


def test_a_child_that_does_not_hear_a_cancel_is_killed(host: ChildHost) -> None:
    cancel = CancelToken()
    pids: list[int | None] = []

    def stop(_: object) -> None:
        pids.append(host.pid)
        cancel.cancel()

    with pytest.raises(CancelledError):
        host.call({"op": "deaf"}, on_event=stop, cancel=cancel)
    [pid] = pids
    assert pid is not None
    assert _gone(pid)
    assert host.call({"op": "echo", "text": "back"})[0] == {"text": "back"}


def test_cancelled_before_it_began_starts_nothing(host: ChildHost) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CancelledError):
        host.call({"op": "echo", "text": ""}, cancel=cancel)
    assert host.pid is None


def test_a_sink_that_fails_stops_the_work(host: ChildHost) -> None:
    def fail(_: object) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        host.call({"op": "until_cancelled"}, on_event=fail)
    assert host.call({"op": "echo", "text": "next"})[0] == {"text": "next"}


def test_a_child_that_cannot_start_is_told() -> None:
    with ChildHost((*COMMAND, "broken")) as host, pytest.raises(ModelCrashedError, match="load"):
        host.call({"op": "echo", "text": ""})


def test_close_leaves_no_process_and_may_be_repeated(host: ChildHost) -> None:
    host.call({"op": "echo", "text": ""})
    pid = host.pid
    assert pid is not None
    host.close()
    host.close()
    assert _gone(pid)


def test_the_child_ends_with_its_parent() -> None:
    environment = host_module.child_environment()
    child = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment,
    )  # fmt: skip
    with child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert read_frame(child.stdout) == ({"ready": True}, b"")
        child.stdin.close()  # what the system does when the parent dies
        assert child.wait(timeout=60) == 0


def test_nothing_heavy_is_loaded_in_the_parent() -> None:
    code = (
        "import sys\n"
        "from apexmem_desktop.inference import language, embedder, pulling\n"
        "print([one for one in ('torch', 'llama_cpp', 'transformers') if one in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, env=host_module.child_environment(),
    )  # fmt: skip
    assert found.stdout.strip() == "[]"
