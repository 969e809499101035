"""Questions of which no word is left to check are answered before any model call."""

import pytest

from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask, know, on
from tests.recall.chats import store_chat

ANA = "Ana Ruiz"


@pytest.fixture
def homes(vault: Vault) -> Vault:
    first, second = store_chat(
        vault,
        [
            (ANA, "2023-03-01T10:00", "I live in Rome"),
            (ANA, "2024-05-10T10:00", "I moved to Turin with my sister"),
        ],
    )
    know(vault, first, ANA, "lives_in", "Rome", start=on("2023-02-01"))
    know(vault, second, ANA, "lives_in", "Turin", start=on("2024-05-10"))
    return vault


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where does Ana live now?", "Turin"),
        ("Where did Ana live before Turin?", "Rome"),
        ("Where did Ana live previously?", "Rome"),
    ],
)
def test_the_model_is_not_asked(homes: Vault, question: str, answer: str) -> None:
    model = Model(told="no")
    assert ask(homes, question, model).answer == answer
    assert model.language.requests == []


@pytest.mark.parametrize(
    "question",
    ["Where does Ana live with her sister?", "Where does Ana's sister live?", "李雪现在住在哪里？"],
)
def test_a_word_that_is_left_over_is_put_to_the_model(homes: Vault, question: str) -> None:
    model = Model(told="no")
    assert ask(homes, question, model).abstained
