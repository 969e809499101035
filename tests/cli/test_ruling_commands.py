"""The commands that decide who is whom and which facts are right."""

from pathlib import Path

import pytest

from apexmem_desktop.storage import entities
from apexmem_desktop.storage.vault import Vault
from tests.cli.running import Ran, Run
from tests.recall.chats import entity, store_chat, store_fact

LINES = [
    ("Robert", "2023-03-01T10:00", "I live in Paris."),
    ("Bob", "2023-05-01T10:00", "I moved to Lyon!"),
    ("Ana", "2023-06-01T10:00", "I live in Porto."),
]


@pytest.fixture
def told(run: Run, vault: Path) -> Run:
    """A command line on a memory of Robert (1), Bob (2) and Ana (3), each with a home."""
    opened = Vault.open(vault)
    turns = store_chat(opened, LINES)
    with opened.write() as db:
        for name, _, _ in LINES:
            entity(db, name)
    for turn, (name, _, text) in zip(turns, LINES, strict=True):
        store_fact(opened, turn, name, "lives_in", text.split()[-1].strip(".!"))
    opened.close()
    return run


def homes(run: Run, name: str) -> list[tuple[str, str]]:
    found = run("facts", name, "--history", "--json").json["facts"]
    return [(one["value"], one["status"]) for one in found]


def shape(ran: Ran) -> tuple[str, list[int], list[int]]:
    assert ran.status == 0, ran.err
    assert ran.json.keys() == {"ruling", "changed"}
    assert ran.json["ruling"].keys() >= {"id", "kind", "at", "says", "reason"}
    changed = ran.json["changed"]
    return ran.json["ruling"]["kind"], changed["entities"], changed["facts"]


def test_merge_split_undo_and_redo(told: Run) -> None:
    assert shape(told("entity", "merge", "Bob", "1", "--json")) == ("merge", [1, 2], [])
    assert homes(told, "Robert") == [("Lyon", "current"), ("Paris", "past")]
    assert shape(told("entity", "split", "Bob", "--json")) == ("split", [1, 2], [])
    assert homes(told, "Bob") == [("Lyon", "current")]
    assert shape(told("undo", "--json")) == ("undo", [1, 2], [])
    assert shape(told("undo", "--json")) == ("undo", [1, 2], [])
    assert homes(told, "Robert") == [("Paris", "current")]
    assert shape(told("redo", "--json")) == ("merge", [1, 2], [])
    assert told("undo").out == "Took back: merged Bob (2) and Robert (1).\n"
    listed = told("rulings", "--json").json["rulings"]
    assert [one["kind"] for one in listed] == ["undo", "merge", "undo", "undo", "split", "merge"]
    assert len(told("rulings", "--limit", "2", "--json").json["rulings"]) == 2
    assert "merged Bob (2) and Robert (1)" in told("rulings").out


def test_a_merge_can_be_looked_at_first(told: Run) -> None:
    shown = told("entity", "merge", "Bob", "Robert", "--dry-run", "--json").json["preview"]
    assert (shown["stays"], shown["moves"], shown["facts_moved"]) == ("Robert", "Bob", 1)
    assert "Bob (2) would become one with Robert (1)" in told(
        "entity", "merge", "Bob", "Robert", "--dry-run"
    ).out  # fmt: skip
    assert homes(told, "Bob") == [("Lyon", "current")]


def test_what_was_told_apart_shows_why_a_link_is_held_back(told: Run, vault: Path) -> None:
    assert shape(told("entity", "apart", "Robert", "Bob", "--json"))[0] == "split"
    opened = Vault.open(vault)
    with opened.write() as db:
        entities.append_link(db, 1, 2, "same_as", "model", "near names", 5)
    opened.close()
    shown = told("entity", "show", "Bob", "--json").json
    assert shown["members"] == [{"id": 2, "name": "Bob"}]
    assert [one["state"] for one in shown["links"]] == ["stands", "held back"]
    assert "were said not to be the same by you" in told("entity", "show", "2").out


def test_facts_are_ruled_on(told: Run) -> None:
    for name, status in (("confirm", "current"), ("reject", "rejected"), ("pin", "current"),
                         ("hide", "rejected"), ("prefer", "current")):  # fmt: skip
        ran = told("fact", name, 3, "--reason", "I know her", "--json")
        assert shape(ran) == (name, [], [3])
        assert ran.json["ruling"]["reason"] == "I know her"
        assert homes(told, "Ana") == [("Porto", status)]


def test_a_fact_is_corrected_by_ones_own_words(told: Run) -> None:
    kind, _, (old, new) = shape(told("fact", "correct", 3, "Braga", "--from", "2020-5", "--json"))
    assert (kind, old) == ("correct", 3)
    assert homes(told, "Ana") == [("Porto", "rejected"), ("Braga", "current")]
    found = told("facts", "Ana", "--json").json["facts"][0]
    assert (found["id"], found["evidence"][0]["session"]) == (new, "Your notes")
    assert found["valid_from"]["precision"] == "month"
    assert found["valid_from"]["source"] == "user"
    assert f"fact {new})" in told("facts", "Ana").out
    assert told("undo").status == 0
    assert told("facts", "Ana", "--json").json["facts"][0]["value"] == "Porto"
    assert told("verify").status == 0


@pytest.mark.parametrize(
    "wrong",
    [
        ("entity", "merge", "Bob", "Bob"),
        ("entity", "merge", "Bob", "Nobody"),
        ("entity", "split", "Ana"),
        ("entity", "split", "77"),
        ("fact", "confirm", "77"),
        ("fact", "correct", "3", "Porto"),
        ("undo",),
        ("redo",),
    ],
)
def test_what_cannot_be_done_is_told_in_two_lines(told: Run, wrong: tuple[str, ...]) -> None:
    ran = told(*wrong)
    assert ran.status == 1
    assert 1 <= len(ran.err.splitlines()) <= 2
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    "wrong", [("entity",), ("fact",), ("fact", "confirm", "x"), ("fact", "correct", "3")]
)
def test_wrong_usage(run: Run, wrong: tuple[str, ...]) -> None:
    assert run(*wrong).status == 2
