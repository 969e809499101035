"""Which names can be one person's, and which never are."""

import pytest

from apexmem_desktop.building.nicknames import why_one_person
from apexmem_desktop.storage import entities
from apexmem_desktop.storage.vault import Vault
from tests.building.telling import append, spell_fact, tell, told_facts


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Lizzie", "Elizabeth"),
        ("Bob Hale", "Robert Hale"),
        ("Kate", "Katherine Moss"),
        ("José", "Jose"),
        ("Tommy", "Tom"),
        ("小明", "王小明"),
        ("明明", "小明"),
        ("阿强", "王强"),
    ],
)
def test_forms_of_one_name_can_be_one_person(a: str, b: str) -> None:
    assert why_one_person(a, b)
    assert why_one_person(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Bob Hale", "Robert Weber"),
        ("Beth", "Liz"),
        ("Maria Lopez", "Maria Weber"),
        ("小王", "老王"),
        ("李明", "王小明"),
    ],
)
def test_other_names_are_not(a: str, b: str) -> None:
    assert not why_one_person(a, b)


def test_a_nickname_is_joined_in_either_order(vault: Vault) -> None:
    append(vault, tell(vault, "Lizzie moved to Ghent", at="2024-09-01T10:00"))
    append(vault, tell(vault, "My sister Elizabeth works at Lumo", at="2024-06-01T10:00"))
    told = {spell_fact(one).split(" ", 1)[1] for one in told_facts(vault)}
    assert {"lives_in Ghent", "works_at Lumo"} <= told
    assert len({one.subject_id for one in told_facts(vault) if one.property != "sibling"}) == 1


def test_two_of_a_name_from_two_places_stay_apart(vault: Vault) -> None:
    append(vault, tell(vault, "Alex from work moved to Ghent", at="2024-06-01T10:00"))
    append(vault, tell(vault, "Alex from the choir moved to Turin", at="2024-06-02T10:00"))
    with vault.read() as db:
        assert len(entities.find_entities_named(db, "Alex")) == 2
