"""Saved vaults of earlier versions, and what stands in them.

A new step in storage/steps needs a saved vault of the version it makes:
`python -m tests.storage.old_vaults` writes the one of today's version. Files of released versions
are never made anew: they show what users have on their disks.

Those of versions 4 and 5 were made by the program as it stood at the last change with so many
steps. No change ever had the first three alone: the one of version 3 is that of version 2, opened
by the program that brought step 003, with its first three steps.
"""

import sys
import tempfile
from contextlib import closing
from pathlib import Path

from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.services import building, importing
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, facts, rulings, traces, turns
from apexmem_desktop.storage.copies import write_copy
from apexmem_desktop.storage.migrations import load_steps
from apexmem_desktop.storage.vault import Vault, connect
from tests.fakes import HashEmbedder, ScriptedLanguage

OLD_FILES = Path(__file__).with_name("old_files")
RELEASED = (*range(1, 12), 13)
MADE_AT_MS = 1_718_186_400_000  # 12 June 2024, 10:00 UTC
CHAT = """\
03/04/2024, 10:00 - Ana Lima: good morning
03/04/2024, 10:01 - Ben Roth: I moved to Porto last week
03/04/2024, 10:02 - Ana Lima: I moved to Turin
05/04/2024, 08:30 - 王芳: 早上好 👋
05/04/2024, 08:31 - Ana Lima: I have a cat named Miso
"""
TEXTS = [line.split(": ", 1)[1] for line in CHAT.splitlines()]
TOWNS = {("Ben Roth", "Porto"), ("Ana Lima", "Turin")}


class ScriptedWorkspace(Workspace):
    """A workspace whose models are stand-ins; the language model finds nothing."""

    def language(self) -> ScriptedLanguage:  # type: ignore[override]
        return ScriptedLanguage(_nothing)

    def embedder(self) -> HashEmbedder:  # type: ignore[override]
        return HashEmbedder()


def _nothing(_: GenerateRequest) -> str:
    return "-"


def fill(path: Path) -> None:
    """Import, build, rule and answer, as a user of this version does."""
    chat = path.with_name("WhatsApp Chat with Ben Roth.txt")
    chat.write_text(CHAT, encoding="utf-8")
    settings = Settings(zone="UTC")
    with ScriptedWorkspace(path, settings=settings, clock=lambda: MADE_AT_MS) as ws:
        importing.import_file(ws, chat, ImportChoices(zone="UTC"))
        building.build(ws)
        with ws.vault.write() as db:
            rulings.append_ruling(db, kind="confirm", ruled_at_ms=MADE_AT_MS, fact_id=1)
            traces.append_trace(db, question="who?", answer_json="{}", asked_at_ms=MADE_AT_MS)


def check_content(vault: Vault) -> None:
    """See that all of it is there."""
    with vault.read() as db:
        said = turns.find_turns(db, range(1, len(TEXTS) + 1))
        assert [turn.text for turn in said] == TEXTS
        known = facts.find_facts(db)
        assert {(f.subject, f.value) for f in known} >= TOWNS
        assert all(f.evidence[0].quote in TEXTS[f.evidence[0].turn_id - 1] for f in known)
        assert {e.name for e in entities.find_entities(db)} >= {"Ben Roth", "Ana Lima", "Porto"}
        assert rulings.find_rulings(db, [1]) == {1: "confirm"}
        assert traces.get_trace(db).question == "who?"
        assert db.exec_driver_sql("SELECT count(*) FROM v_facts").scalar_one() == len(known)
        for table, of in (("turn_vectors", len(TEXTS)), ("fact_vectors", len(known))):
            assert db.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() == of


def copy_of(version: int, folder: Path) -> Path:
    """Copy a saved file, to be opened."""
    path = folder / f"v{version}.sqlite"
    path.write_bytes((OLD_FILES / path.name).read_bytes())
    return path


def save(version: int) -> Path:
    """Write the file of today's version."""
    target = OLD_FILES / f"v{version}.sqlite"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.sqlite"
        fill(path)
        with closing(connect(path, "rw")) as db:
            db.execute("VACUUM")
            write_copy(db, target)
    return target


if __name__ == "__main__":
    sys.stdout.write(f"{save(len(load_steps()))}\n")
