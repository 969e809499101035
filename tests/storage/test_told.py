"""Values of what was told of somebody: of them alone, of these properties, in this time."""

import pytest

from apexmem_desktop.storage.told import find_values
from apexmem_desktop.storage.vault import Vault
from tests.building.telling import append, ms, tell, told_facts


@pytest.fixture
def numbers(vault: Vault) -> dict[str, int]:
    told = [
        ("Ana Ruiz", "I moved to Turin", "2024-06-01T10:00"),
        ("Ben Mori", "I moved to Oslo", "2024-06-02T10:00"),
        ("Ana Ruiz", "I visited Porto", "2024-06-05T10:00"),
        ("Ana Ruiz", "I moved to Rome", "2024-09-01T10:00"),
    ]
    for speaker, text, at in told:
        append(vault, tell(vault, (speaker, text), at=at))
    return {fact.value: fact.id for fact in told_facts(vault)}


def _ana(vault: Vault) -> int:
    return next(fact.subject_id for fact in told_facts(vault) if fact.subject == "Ana Ruiz")


def test_the_last_recorded_come_first_and_are_hers(vault: Vault, numbers: dict[str, int]) -> None:
    names = ["lives_in", "visited"]
    with vault.read() as db:
        found = find_values(db, subject_ids=[_ana(vault)], property_names=names)
        few = find_values(db, subject_ids=[_ana(vault)], property_names=names, limit=1)
    assert list(found.values()) == ["Rome", "Porto", "Turin"]
    assert found == {numbers[value]: value for value in found.values()}
    assert list(few.values()) == ["Rome"]


def test_only_these_properties_and_what_was_said_in_time(
    vault: Vault, numbers: dict[str, int]
) -> None:
    with vault.read() as db:
        found = find_values(
            db,
            subject_ids=[_ana(vault)],
            property_names=["lives_in"],
            said_from_ms=ms("2024-06-01T10:00"),
            said_to_ms=ms("2024-09-01T10:00"),
        )
    assert found == {numbers["Turin"]: "Turin"}
