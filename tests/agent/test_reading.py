"""Turn by turn: the answer is copied from one turn, weighed, and given with that turn."""

import pytest

from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask
from tests.recall.chats import store_chat


@pytest.fixture
def chat(vault: Vault) -> Vault:
    store_chat(
        vault,
        [
            ("Ana Ruiz", "2024-03-01T10:00", "the new kiln arrived, it is bright orange"),
            ("Ben Holt", "2024-03-02T10:00", "my kiln is blue"),
        ],
    )
    return vault


def _copy(prompt: str) -> str:
    return "bright orange" if "bright orange" in prompt else "none"


def test_an_answer_is_copied_and_its_turn_cited(chat: Vault) -> None:
    answer = ask(chat, "What colour is Ana's kiln?", Model(reads=_copy))
    assert answer.answer == "bright orange"
    assert [one.speaker for one in answer.citations] == ["Ana Ruiz"]
    assert not answer.abstained


def test_what_does_not_stand_in_the_turn_is_no_reading(chat: Vault) -> None:
    answer = ask(chat, "What colour is Ana's kiln?", Model(reads="purple"))
    assert answer.abstained
    assert any("purple" in one for one in answer.dropped)


def test_what_the_model_does_not_take_for_told_is_declined(chat: Vault) -> None:
    answer = ask(chat, "What colour is Ana's kiln?", Model(reads=_copy, told="no"))
    assert answer.abstained


def test_another_persons_turn_is_not_read(chat: Vault) -> None:
    answer = ask(
        chat,
        "What colour is Ana's kiln?",
        Model(reads=lambda prompt: "blue" if "kiln is blue" in prompt else "none"),
    )
    assert answer.abstained
