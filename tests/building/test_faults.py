"""Faults that other programs of this kind had, by the number in our list of them."""

import pytest

from apexmem_desktop.building.reader import BatchReader
from apexmem_desktop.domain.graph import FactStatus
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.recall import holding
from apexmem_desktop.storage import entities
from apexmem_desktop.storage.vault import Vault
from tests.building.telling import day, ms, spell_fact, tell, told_facts
from tests.fakes import ScriptedLanguage

# A model that makes something up of whatever it is shown, and is sure of it.
INVENTIONS = (
    "John Doe | works_at | Google\nAna Ruiz | likes | Obsidian\nAna Ruiz | lives_in | Oslo\n"
    '{"facts": [{"who": "Ana'
)


def _read(vault: Vault, *told: tuple[str, str] | str, at: str = "2024-06-12T10:00") -> list[str]:
    """Read turns with the model that makes things up."""
    language = ScriptedLanguage(lambda request: "yes" if request.choices else INVENTIONS)
    reader = BatchReader(vault, language, now_ms=lambda: ms("2026-01-01"))
    reader.read(tell(vault, *told, at=at), cancel=CancelToken())
    return [spell_fact(one) for one in told_facts(vault)]


def _current(vault: Vault) -> list[str]:
    held = holding.judge(told_facts(vault), as_of_ms=ms("2025-01-01"), rulings={})
    return [spell_fact(one) for one in held if one.status is FactStatus.CURRENT]


def test_29_an_old_chat_is_dated_by_its_own_day(vault: Vault) -> None:
    _read(vault, "I visited Genoa yesterday", at="2023-05-08T10:00")
    [fact] = told_facts(vault)
    assert day(fact.valid_from.earliest_ms) == "2023-05-07"


def test_30_what_has_no_date_gets_none(vault: Vault) -> None:
    _read(vault, "I live in Rome")
    [fact] = told_facts(vault)
    assert fact.valid_from.earliest_ms is None
    assert day(fact.valid_from.latest_ms) == "2024-06-12"


@pytest.mark.parametrize(
    "text",
    ["Would Obsidian suit me?", "What are Chris's KPIs?", "should I move to Oslo", "你住在上海吗"],
)
def test_42_and_60_a_question_tells_nothing_of_anybody(vault: Vault, text: str) -> None:
    assert _read(vault, text) == []
    with vault.read() as db:
        assert [one.name for one in entities.find_entities(db)] == ["Ana Ruiz"]


def test_43_what_nobody_said_is_not_stored_however_often_it_is_said_so(vault: Vault) -> None:
    assert _read(vault, *["Fencing with Lena, started in spring"] * 5) == []


def test_45_a_change_of_mind_keeps_both(vault: Vault) -> None:
    told = _read(vault, "I love tofu", "I hate tofu")
    assert told == ["Ana Ruiz likes tofu", "Ana Ruiz dislikes tofu"]


def test_50_many_things_hold_at_once(vault: Vault) -> None:
    _read(vault, "I work at Lumo", "I play chess", "I play the cello", "I like figs")
    assert len(_current(vault)) == 4


def test_51_one_acronym_is_one_entity(vault: Vault) -> None:
    for month in ("03", "04", "05", "06"):
        _read(vault, "I still work at DGIA", at=f"2024-{month}-01T10:00")
    with vault.read() as db:
        assert len(entities.find_entities(db, matching="dgia")) == 1


def test_53_names_that_are_alike_stay_apart(vault: Vault) -> None:
    _read(vault, "I work at Lumo", "Lena works at Lumon", "Omar works at Luma")
    with vault.read() as db:
        assert len(entities.find_entities(db, type="organization")) == 3


def test_56_two_of_a_first_name_are_told_apart(vault: Vault) -> None:
    told = ["Alex Brandt lives in Hull", "Alex Nwosu lives in Cardiff", "Alex moved to Rome"]
    assert _read(vault, *told) == ["Alex Brandt lives_in Hull", "Alex Nwosu lives_in Cardiff"]
