"""Processes that are killed in the middle: nothing is lost, nothing is there twice."""

import os
import select
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import ModelCrashedError
from apexmem_desktop.domain.progress import CancelToken, ignore_progress
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.services import browsing, building, importing, maintenance, samples
from apexmem_desktop.services.asking import ask
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage.facts import find_facts
from tests.live.conftest import MODELS
from tests.live.gold import read_questions

pytestmark = pytest.mark.live

ROOT = Path(__file__).resolve().parents[2]
MANY_TURNS = 20_000
BOOKS = "Which books did Jonas lend to whom, and what did they think?"
SETTINGS = Settings(zone=samples.ZONE)


def test_a_model_that_is_killed_while_it_answers(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = read_questions()[0]
    assert not ask(ws, home.question, home.options).abstained
    language = ws.language()
    generate, killed = language.generate, []

    def generate_and_die(*requests: object, **choices: object) -> object:
        if not killed:
            assert language.pid is not None
            killed.append(language.pid)
            threading.Timer(0.2, os.kill, (language.pid, signal.SIGKILL)).start()
        return generate(*requests, **choices)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(language, "generate", generate_and_die)
        with pytest.raises(ModelCrashedError) as told:
            ask(ws, BOOKS, home.options)
    assert killed
    assert told.value.message
    assert told.value.hint
    again = ask(ws, home.question, home.options)
    assert again.answer == "Glasgow"  # worked out from facts, without the model
    asked = ask(ws, BOOKS, home.options)
    assert asked.usage.model_calls > 0
    assert language.pid not in (None, killed[0])


def test_a_build_that_is_killed_goes_on_where_it_was(
    needs_models: None, tmp_path: Path, environment: dict[str, str]
) -> None:
    vault = tmp_path / "memory.apexmem"
    (chat,) = (file for file in samples.sample_files() if "Elbtal" in file.name)
    with Workspace(vault, models_dir=MODELS, settings=SETTINGS) as opened:
        choices = ImportChoices(zone="Europe/Berlin")
        importing.import_file(opened, chat, choices, ignore_progress, CancelToken())
        pending = browsing.status(opened).pending
    with _worker(environment, "build", vault) as worker:
        model_pid = int(_next_line(worker, "model "))
        done = int(_next_line(worker, "Reading conversations "))
        worker.kill()
    _wait_until_gone(model_pid)
    assert 0 < done < pending
    with Workspace(vault, models_dir=MODELS, settings=SETTINGS) as opened:
        assert browsing.status(opened).pending <= pending - done
        before = _facts(opened)
        report = building.build(opened)
        assert report.turns_read <= pending - done
        assert browsing.status(opened).pending == 0
        after = _facts(opened)
        assert before <= after
        assert max(after.values()) == 1
        assert [check for check in maintenance.verify(opened) if not check.ok] == []


def test_an_import_that_is_killed_leaves_nothing(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    vault, chat = tmp_path / "memory.apexmem", tmp_path / "WhatsApp Chat with Ana.txt"
    lines = (
        f"{1 + n // 1440 % 28:02}/03/2024, {n // 60 % 24:02}:{n % 60:02} - Ana: word {n}\n"
        for n in range(MANY_TURNS)
    )
    chat.write_text("".join(lines), encoding="utf-8")
    with _worker(environment, "import", vault, chat) as worker:
        assert 0 < int(_next_line(worker, "Storing ")) < MANY_TURNS  # in the middle of it
        worker.kill()
    with Workspace(vault, models_dir=MODELS, settings=SETTINGS) as opened:
        assert browsing.status(opened).turns == 0
        assert browsing.sources(opened) == ()
        choices = ImportChoices(zone="Europe/Berlin")
        report = importing.import_file(opened, chat, choices, ignore_progress, CancelToken())
        assert report.turns_new == MANY_TURNS
        assert [check for check in maintenance.verify(opened) if not check.ok] == []


@contextmanager
def _worker(
    environment: dict[str, str], job: str, *paths: Path
) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "tests.live.worker", job, *map(str, paths)]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as worker:
        try:
            yield worker
        finally:
            worker.kill()


def _next_line(worker: "subprocess.Popen[str]", start: str) -> str:
    """Read on to the line that begins so, and give the rest of it."""
    assert worker.stdout is not None
    for line in worker.stdout:
        if line.startswith(start):
            return line.removeprefix(start).strip()
    raise AssertionError(f"it ended without {start!r}, with status {worker.wait()}")


def _wait_until_gone(pid: int) -> None:
    """Wait for a process that is not ours: a model must not outlive the program it serves."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        gone, _, _ = select.select([handle], [], [], 30)
    finally:
        os.close(handle)
    assert gone, f"the model's process {pid} is still there"


def _facts(opened: Workspace) -> Counter[tuple[object, ...]]:
    """Count the facts by all that tells one from another."""
    with opened.vault.read() as db:
        facts = find_facts(db, limit=100_000)
    return Counter(
        (f.subject, f.property, f.value, f.polarity, f.modality, f.evidence[0].turn_id)
        for f in facts
    )
