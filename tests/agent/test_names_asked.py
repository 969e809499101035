"""Names in a question that no turn has."""

import pytest

from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask
from tests.recall.chats import store_chat


@pytest.fixture
def talk(vault: Vault) -> Vault:
    store_chat(
        vault,
        [
            ("Ana Ruiz", "2024-03-01T10:00", "I see Doctor Keller every week"),
            ("Ana Ruiz", "2024-03-02T10:00", "the Portuguese class is fun"),
        ],
    )
    return vault


def test_who_is_not_mentioned_anywhere_is_not_answered_about(talk: Vault) -> None:
    answer = ask(talk, "How often does Ana see Doctor Meyer?", Model(finds="every week"))
    assert answer.abstained
    assert any("meyer" in one for one in answer.dropped)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How often does Ana see Doctor Keller?", "every week"),
        ("How often does Ana see Keller's?", "every week"),
        ("How is the Portugal class of Ana?", "is fun"),
        ("How often does Ana see her doctor in March 2024?", "every week"),
    ],
)
def test_a_name_that_is_there_in_some_form_is_answered(
    talk: Vault, question: str, found: str
) -> None:
    assert ask(talk, question, Model(finds=found)).answer == found
