"""A name that is a pet's, by what is said of it. All invented."""

import pytest

from apexmem_desktop.building.pets import speaks_of_pet
from apexmem_desktop.storage import entities
from apexmem_desktop.storage.vault import Vault
from tests.building.telling import append, tell


@pytest.mark.parametrize(
    ("text", "pet"),
    [
        ("We miss Rufus. He always wagged his tail at the gate", True),
        ("Sorry about Rufus. It is never easy to lose a pet", True),
        ("Our dog Rufus ate the cake", True),
        ("I took Rufus for a walk by the canal", True),
        ("Rufus was our cat for ten years", True),
        ("Rufus and I went camping by the lake", False),
        ("Rufus walks to work. My cat sleeps all day", False),
        ("Rufus took the cat to the vet", False),
        ("Rufus is the vet of our village", False),
        ("Rufus's dog always wags its tail at me", False),
        ("Rufus walks his neighbour's dogs on a leash", False),
        ("We took Rufus to the vet", True),
        ("My dog barked at Rufus. We laughed. The paws were muddy", False),
    ],
)
def test_what_is_said_of_a_name_tells_a_pet(text: str, *, pet: bool) -> None:
    assert speaks_of_pet(text, "Rufus") is pet


def _kind_of(vault: Vault, *texts: str) -> list[str]:
    append(vault, tell(vault, *texts))
    with vault.read() as db:
        return [one.type for one in entities.find_entities_named(db, "Rufus")]


def test_whoever_goes_along_is_a_pet_where_another_message_says_so(vault: Vault) -> None:
    told = "It is odd without Rufus, who wagged his tail at the postman"
    assert _kind_of(vault, told, "Rufus and I had a picnic on the dunes last summer") == ["animal"]


def test_otherwise_a_person(vault: Vault) -> None:
    assert _kind_of(vault, "Rufus and I had a picnic on the dunes last summer") == ["person"]
