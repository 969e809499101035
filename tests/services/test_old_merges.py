"""Whom an earlier version merged through a third: such a memory opens, comes apart, and asks."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from apexmem_desktop.domain.clarifying import OpenKind
from apexmem_desktop.domain.rulings import LinkState
from apexmem_desktop.services import browsing, clarifying, maintenance, rulings
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities
from apexmem_desktop.storage.canon_history import ALWAYS_MS, NEVER_MS
from apexmem_desktop.storage.migrations import load_steps, migrate
from tests.services.test_rulings import NOW, Clock

_LAST_OF_BEFORE = 11  # the newest step that is older than decision 0020
_NAMES = ("Beth", "Elizabeth", "Liz")  # 1 = 2 and 2 = 3; nobody said that 1 is 3
_LINKED_AT = (1_000, 2_000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A vault as the older code left it: two links of rules, and all three one by them."""
    file = tmp_path / "old.apexmem"
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        migrate(db, file, load_steps()[:_LAST_OF_BEFORE])
        for number, name in enumerate(_NAMES, start=1):
            db.execute(
                "INSERT INTO entities VALUES (?, 'person', ?, 0, 0, NULL, 'mentioned')",
                (number, name),
            )
            db.execute(
                "INSERT INTO entity_names VALUES (?, ?, ?, ?, NULL)",
                (number, number, name, name.casefold()),
            )
            db.execute("INSERT INTO entity_canon VALUES (?, 1)", (number,))
            begun = ALWAYS_MS if number == 1 else _LINKED_AT[number - 2]
            if number > 1:
                row = (number, ALWAYS_MS, begun, number)
                db.execute("INSERT INTO entity_stood VALUES (?, ?, ?, ?)", row)
            db.execute("INSERT INTO entity_stood VALUES (?, ?, ?, 1)", (number, begun, NEVER_MS))
        for number, at_ms in enumerate(_LINKED_AT, start=1):
            db.execute(
                "INSERT INTO entity_links VALUES (?, ?, ?, 'same_as', 'rule', '', NULL, ?)",
                (number, number, number + 1, at_ms),
            )
    return file


@pytest.fixture
def ws(path: Path, tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(
        path, models_dir=tmp_path, settings=Settings(zone="UTC"), clock=Clock(NOW)
    ) as opened:
        yield opened


def stand_for(ws: Workspace) -> dict[int, int]:
    """Name who stands for whom."""
    with ws.vault.read() as db:
        return entities.canonical_ids(db)


def asked(ws: Workspace) -> list[tuple[str, str]]:
    """List the pairs of names that are asked about."""
    questions = clarifying.open_questions(ws)
    pairs = [q.entities for q in questions if q.kind is OpenKind.SAME]
    return [(one.name, other.name) for one, other in pairs]


def test_once_opened_nobody_is_one_through_a_third(ws: Workspace) -> None:
    assert stand_for(ws) == {1: 1, 2: 1, 3: 3}
    assert sorted(e.name for e in browsing.list_entities(ws)) == ["Beth", "Liz"]
    assert asked(ws) == [("Beth", "Liz")]
    assert [check for check in maintenance.verify(ws) if not check.ok] == []
    assert stand_for(ws) == {1: 1, 2: 1, 3: 3}


def test_the_link_is_kept_held_back_and_asked_about(ws: Workspace) -> None:
    maintenance.verify(ws)
    with ws.vault.read() as db:
        states = {link.id: link.state for link in entities.find_links(db, 3)}
    assert states == {2: LinkState.HELD_BACK}
    assert asked(ws) == [("Beth", "Liz")]


@pytest.mark.parametrize(("choice", "canon"), [(0, {1: 1, 2: 1, 3: 1}), (1, {1: 1, 2: 1, 3: 3})])
def test_one_word_of_the_user_settles_it(ws: Workspace, choice: int, canon: dict[int, int]) -> None:
    maintenance.verify(ws)
    [question] = clarifying.open_questions(ws)
    clarifying.decide(ws, question, choice)
    assert stand_for(ws) == canon
    assert asked(ws) == []
    rulings.undo(ws)
    assert stand_for(ws) == {1: 1, 2: 1, 3: 3}
    assert asked(ws) == [("Beth", "Liz")]
