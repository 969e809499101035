"""A hundred kills at random moments, and disks that fill up.

The file is whole each time, nothing is twice, and nothing that was told is lost. The moments are
drawn from a seed, over the time that the job took undisturbed.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from apexmem_desktop.services.settings import Settings
from apexmem_desktop.storage import integrity
from apexmem_desktop.storage.vault import Vault
from tests.services.killed import FULL
from tests.storage.old_vaults import ScriptedWorkspace

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux's pidfd_open")

ROOT = Path(__file__).resolve().parents[2]
KILLS = {"import": 34, "build": 33, "rule": 33}
ERASURES = 15
TURNS = 48
_TOWNS = ("Rome", "Turin", "Genoa", "Parma", "Siena", "Bari", "Lecce", "Pisa")
# What must not be there twice, and must be the same in the end however often one was killed.
ROWS = {
    "turns": "SELECT conversation_id, speaker, said_at_ms, text FROM turns_said",
    "keys": "SELECT id, conversation_id, keys FROM key_packs",
    "words": "SELECT id FROM turn_words_docsize",
    "facts": "SELECT f.subject_id, f.property_id, f.value, f.from_latest_ms, e.turn_id, e.quote "
    "FROM facts_told f JOIN fact_quotes e ON e.fact_id = f.id",
    "events": "SELECT v.type, v.summary, e.turn_id "
    "FROM events_told v JOIN event_quotes e ON e.event_id = v.id",
    "entities": "SELECT type, name FROM entities",
    "links": "SELECT from_id, to_id, kind FROM fact_links",
    "rulings": "SELECT id, kind, fact_id FROM rulings",
    "sources": "SELECT file_name, turns_new FROM sources",
}
Rows = dict[str, Counter[tuple[Any, ...]]]


@dataclass(frozen=True)
class Killer:
    """Runs jobs in processes that end when they are told to."""

    server: "subprocess.Popen[str]"
    chat: Path

    def run(self, job: str, vault: Path, **how: float) -> dict[str, Any]:
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        wanted = {"job": job, "vault": str(vault), "chat": str(self.chat)}
        self.server.stdin.write(json.dumps(wanted | how) + "\n")
        self.server.stdin.flush()
        told: dict[str, Any] = json.loads(self.server.stdout.readline())
        return told


@pytest.fixture(scope="module")
def killer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killer]:
    folder = tmp_path_factory.mktemp("kills")
    chat = folder / "WhatsApp Chat with Ben.txt"
    lines = (
        f"{1 + n // 60:02}/04/2024, 10:{n % 60:02} - {('Ana', 'Ben')[n % 2]}: "
        + (f"I moved to {_TOWNS[n // 3 % 8]}" if n % 3 == 0 else f"words {n} about nothing much")
        for n in range(TURNS)
    )
    chat.write_text("\n".join(lines) + "\n", encoding="utf-8")
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "APEXMEM_HOME": str(folder)}
    with subprocess.Popen(
        [sys.executable, "-m", "tests.services.killed", str(chat)],
        cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as server:  # fmt: skip
        try:
            yield Killer(server, chat)
        finally:
            server.kill()


@pytest.fixture(scope="module")
def done(killer: Killer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, float]]:
    """Each job undisturbed, one upon the other: the vault before it, and how long it took."""
    vault = tmp_path_factory.mktemp("done") / "memory.sqlite"
    Vault.open(vault).close()
    found = {}
    for job in KILLS:
        before = vault.with_name(f"before-{job}.sqlite")
        shutil.copyfile(vault, before)
        ended = killer.run(job, vault)
        assert ended["status"] == 0
        found[job] = (before, ended["ms"])
    return found | {"end": (vault, 0.0)}


def rows_of(vault: Vault) -> Rows:
    with vault.read() as db:
        return {
            name: Counter(tuple(row) for row in db.exec_driver_sql(sql))
            for name, sql in ROWS.items()
        }


def check_whole(path: Path, wanted: Rows, told: dict[str, int]) -> None:
    """Open what a killed process left: all in order, nothing twice, what it told of is there."""
    with Vault.open(path) as vault:
        assert not vault.damage
        # Without the last `ok`, an index was mended: it had been written apart from its rows.
        assert [c for c in integrity.check(vault) if not c.ok or "anew" in c.detail] == []
        found = rows_of(vault)
        with vault.read() as db:
            read = "SELECT count(*) FROM jobs WHERE state IN ('read', 'gated')"
            assert db.exec_driver_sql(read).scalar_one() >= told.get("read", 0)
    for name, rows in found.items():
        assert not rows - wanted[name], name
    assert found["rulings"].total() >= told.get("ruled", 0)
    corrections = sum(n for (_, kind, _), n in found["rulings"].items() if kind == "correct")
    imported = found["turns"].total() - corrections  # the words of each are a turn too
    assert imported >= told.get("turns", 0)
    assert imported in (0, TURNS)
    assert sum(kind == "supersedes" for _, _, kind in found["links"].elements()) >= corrections
    corrected = [row for row in found["facts"].elements() if row[2].startswith("corrected")]
    assert len(corrected) == corrections


def rows_after(job: str, done: dict[str, tuple[Path, float]]) -> Rows:
    """Read what stands there after the job, undisturbed."""
    after = [*KILLS, "end"][list(KILLS).index(job) + 1]
    with Vault.open(done[after][0]) as vault:
        return rows_of(vault)


@pytest.mark.parametrize("job", KILLS)
def test_killed_at_random_moments(
    job: str, killer: Killer, done: dict[str, tuple[Path, float]], tmp_path: Path
) -> None:
    before, took_ms = done[job]
    wanted = rows_after(job, done)
    moments, killed = random.Random(f"kills of {job}"), 0  # noqa: S311
    path = tmp_path / "memory.sqlite"
    shutil.copyfile(before, path)
    while killed < KILLS[job]:
        ended = killer.run(job, path, kill_after_ms=moments.uniform(0, took_ms))
        assert ended["status"] in (0, -signal.SIGKILL)
        check_whole(path, wanted, ended["told"])
        killed += ended["status"] != 0
        if ended["status"] == 0:
            for file in tmp_path.iterdir():
                file.unlink()
            shutil.copyfile(before, path)
    assert killer.run(job, path)["status"] == 0
    with Vault.open(path) as vault:
        assert rows_of(vault) == wanted


def test_an_erasure_that_is_killed_is_none_or_whole(
    killer: Killer, done: dict[str, tuple[Path, float]], tmp_path: Path
) -> None:
    path, end = tmp_path / "home" / "memory.sqlite", done["end"][0]
    path.parent.mkdir()
    with Vault.open(end) as vault:
        before = rows_of(vault)
    shutil.copyfile(end, path)
    took_ms = killer.run("erase", path)["ms"]
    with Vault.open(path) as vault:
        after = rows_of(vault)
    # The user's own words, by which facts were corrected, came with no import.
    assert all("corrected" in text for *_, text in after["turns"])
    assert all(row[2].startswith("corrected") for row in after["facts"])
    moments, killed = random.Random("kills of erase"), 0  # noqa: S311
    while killed < ERASURES:
        for file in path.parent.iterdir():
            file.unlink()
        shutil.copyfile(end, path)
        ended = killer.run("erase", path, kill_after_ms=moments.uniform(0, took_ms))
        killed += ended["status"] != 0
        # Opened as a user opens it, which finishes what was begun.
        with ScriptedWorkspace(path, settings=Settings(zone="UTC")) as ws:
            found = rows_of(ws.vault)
            assert found in (before, after)
            assert found == after or not ended["told"]
            assert all(check.ok for check in integrity.check(ws.vault))
        if found == after:
            held = [f.name for f in path.parent.iterdir() if b"I moved to" in f.read_bytes()]
            assert held == []


@pytest.mark.parametrize("job", KILLS)
def test_a_disk_that_fills_up(
    job: str, killer: Killer, done: dict[str, tuple[Path, float]], tmp_path: Path
) -> None:
    before, wanted = done[job][0], rows_after(job, done)
    path = tmp_path / "memory.sqlite"
    shutil.copyfile(before, path)
    statuses = []
    for kilobytes in (0, 12, 40, 70, 100, 150):
        ended = killer.run(job, path, largest_file=1024 * kilobytes)
        statuses.append(ended["status"])
        assert statuses[-1] in (0, FULL)
        check_whole(path, wanted, ended["told"])
    assert statuses[0] == statuses[2] == FULL
    assert killer.run(job, path)["status"] == 0
    with Vault.open(path) as vault:
        assert rows_of(vault) == wanted


def test_a_disk_that_fills_up_while_a_backup_is_made(
    killer: Killer, done: dict[str, tuple[Path, float]], tmp_path: Path
) -> None:
    path = tmp_path / "memory.sqlite"
    shutil.copyfile(done["end"][0], path)
    for kilobytes in (40, 200, path.stat().st_size // 1024 - 4):
        assert killer.run("backup", path, largest_file=1024 * kilobytes)["status"] == FULL
        assert [file.name for file in tmp_path.iterdir() if "copy" in file.name] == []
    assert killer.run("backup", path)["told"] == {
        "copied": (tmp_path / "copy.sqlite").stat().st_size
    }
    with Vault.open(path) as vault, Vault.open(tmp_path / "copy.sqlite") as copy:
        assert rows_of(copy) == rows_of(vault)
