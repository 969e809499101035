"""A number that was told is read; what nobody numbered is counted."""

import pytest

from apexmem_desktop.agent.copying import is_copied
from apexmem_desktop.domain.graph import MemoryType
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask, know, on
from tests.recall.chats import store_chat

ANA = "Ana Ruiz"


@pytest.fixture
def bikes(vault: Vault) -> Vault:
    ids = store_chat(
        vault,
        [
            (ANA, "2024-03-01T10:00", "I own four bikes by now, and ride each of them"),
            (ANA, "2024-03-02T10:00", "I bought a kayak"),
            (ANA, "2024-05-02T10:00", "I bought a second kayak"),
        ],
    )
    kept = {"memory_type": MemoryType.ACTION, "single_valued": False}
    know(vault, ids[0], ANA, "bought", "bike", start=on("2024-03-01"), **kept)
    know(vault, ids[1], ANA, "bought", "kayak", start=on("2024-03-02"), **kept)
    know(vault, ids[2], ANA, "bought", "kayak", start=on("2024-05-02"), **kept)
    return vault


def test_a_told_number_is_read(bikes: Vault) -> None:
    assert ask(bikes, "How many bikes did Ana buy?", Model(finds="four")).answer == "four"


@pytest.mark.parametrize(
    "question", ["How many kayaks did Ana buy?", "How many times did Ana buy?"]
)
def test_what_nobody_numbered_is_counted(bikes: Vault, question: str) -> None:
    model = Model(finds="four")
    assert ask(bikes, question, model).answer.isdigit()


@pytest.mark.parametrize("question", ["How much did Ana buy?", "How often does Ana buy a kayak?"])
def test_an_amount_and_a_habit_are_not_counted(bikes: Vault, question: str) -> None:
    assert not ask(bikes, question, Model()).answer.isdigit()


@pytest.mark.parametrize(
    ("answer", "told"),
    [("5", "my fifth project"), ("five", "the 5th one")],
)
def test_an_ordinal_tells_how_many(answer: str, told: str) -> None:
    assert is_copied(answer, told)
