"""Removing an import takes away exactly what came with it: the memory is as it was before."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.reports import EraseScope, ImportChoices
from apexmem_desktop.services import browsing, importing, maintenance
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace

SAMPLES = Path(__file__).parents[1] / "importers" / "samples"
# Whether its owner speaks in it without a name: then what you said of yourself goes with it too.
KINDS = {
    "chatgpt_branches.in.json": True, "imessage.in.sql": True, "mailbox.in.mbox": False,
    "sms_backup.in.xml": True, "whatsapp_de_group.in.txt": False,
}  # fmt: skip
LENIENT = settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
FIRST = "".join(
    f"14.03.24, 10:{n:02} - {name}: {words} {n}\n"
    for n, (name, words) in enumerate((("Ida", "where are we?"), ("Max", "in Rome"), ("Ida", "ok")))
)
TELLS_OF_ERASING = {"erasures", "erased_turns"}
OF_THE_FILE = {"sqlite_schema"}  # where in the file what lies
# What SQLite keeps of an index of words, which need not be the same bytes for the same words.
INDEX = ("_config", "_data", "_docsize", "_idx", "_content", "sqlite_stat1", "sqlite_stat4")


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "m.apexmem", settings=Settings(), clock=lambda: 7) as workspace:
        yield workspace


def everything(ws: Workspace) -> dict[str, list[tuple[Any, ...]]]:
    """Read every row of every table, but for those that tell of erasures."""
    with ws.vault.read() as db:
        names = db.exec_driver_sql(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        ).scalars()
        tables = [
            n for n in names if n not in TELLS_OF_ERASING | OF_THE_FILE and not n.endswith(INDEX)
        ]
        return {
            name: sorted(map(tuple, db.exec_driver_sql(f"SELECT * FROM {name}")), key=repr)
            for name in tables
        }


def bring(ws: Workspace, path: Path, choices: ImportChoices) -> int:
    report = importing.import_file(ws, path, choices)
    assert report.source_id is not None
    return report.source_id


@pytest.mark.parametrize("kind", KINDS)
def test_of_every_kind(ws: Workspace, tmp_path: Path, kind: str) -> None:
    sample = SAMPLES / kind
    first = tmp_path / "WhatsApp Chat with Max.txt"
    first.write_text(FIRST, encoding="utf-8")
    bring(ws, first, ImportChoices(zone="UTC"))
    before = everything(ws)
    chat = importing.preview_file(sample, ImportChoices(zone="UTC")).chats[0]
    own = ((chat.external_id or chat.title, "Asia/Tokyo"),)
    owner = "Jo Who" if KINDS[kind] else ""
    number = bring(ws, sample, ImportChoices(zone="UTC", owner=owner, chat_zones=own))
    assert everything(ws) != before
    maintenance.erase(ws, EraseScope("source", number))
    left = everything(ws)
    assert {name: rows for name, rows in left.items() if rows != before[name]} == {}


def test_the_report_accounts_for_every_message(ws: Workspace, tmp_path: Path) -> None:
    said = ["hello", "", "how are you?", "  ", "fine"]
    messages = [
        {"id": f"{n}", "type": "Default", "timestamp": f"2024-03-14T10:0{n}:00+00:00",
         "content": words, "author": {"id": "1", "name": "ana"}}
        for n, words in enumerate(said)
    ]  # fmt: skip
    path = tmp_path / "c.json"
    export = {"guild": {"name": "g"}, "channel": {"id": "9", "name": "c"}, "messages": messages}
    path.write_text(json.dumps(export), encoding="utf-8")
    for new in (3, 0):
        report = importing.import_file(ws, path, ImportChoices(zone="UTC"))
        assert (report.turns_new, report.turns_skipped, report.turns_read) == (new, 2, 5)
        assert report.skipped[0].what == "2 left out: messages without words or files"
    maintenance.erase(ws, EraseScope("source", browsing.sources(ws)[0].id))
    report = importing.import_file(ws, path, ImportChoices(zone="UTC"))
    assert (report.turns_new, report.turns_erased, report.turns_read) == (0, 3, 5)


@LENIENT
@given(
    lines=st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from(["Ida", "Max", "You"])), min_size=1
    ),
    owner=st.sampled_from(["", "Max", "Jo"]),
)
def test_of_a_chat_that_goes_on(tmp_path: Path, lines: list[tuple[int, str]], owner: str) -> None:
    path = tmp_path / "WhatsApp Chat with Max.txt"
    memory = tmp_path / "m.apexmem"
    memory.unlink(missing_ok=True)
    with Workspace(memory, settings=Settings(), clock=lambda: 7) as ws:
        path.write_text(FIRST, encoding="utf-8")
        bring(ws, path, ImportChoices(zone="UTC"))
        before = everything(ws)
        more = sorted(f"15.03.24, 10:{minute:02} - {name}: more\n" for minute, name in lines)
        path.write_text(FIRST + "".join(more), encoding="utf-8")
        number = bring(ws, path, ImportChoices(zone="UTC", owner=owner))
        maintenance.erase(ws, EraseScope("source", number))
        left = everything(ws)
    changed = {name: rows for name, rows in left.items() if rows != before[name]}
    if owner:  # the user's own word, which goes only with the last who is called so
        changed.pop("rulings", None)
    assert changed == {}
