"""Questions of yes or no that somebody's own words deny."""

import pytest

from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask
from tests.recall.chats import store_chat

ANA, BEN = "Ana Ruiz", "Ben Holt"


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("I don't have kids! It's just me.", "Does Ana have children?"),
        ("I don’t really own a car", "Does Ana own a car?"),
        ("I never played chess", "Did Ana ever play chess?"),
        ("no dogs in this flat", "Does Ana have a dog?"),
    ],
)
def test_a_denial_is_a_no(vault: Vault, said: str, question: str) -> None:
    store_chat(vault, [(ANA, "2024-03-01T10:00", said), (BEN, "2024-03-01T10:01", "ok")])
    answer = ask(vault, question, Model())
    assert answer.answer == "No"
    assert [one.quote for one in answer.citations] == [said]
    assert ask(vault, question, Model(told="no")).abstained


@pytest.mark.parametrize(
    "said",
    [
        "I have kids, not that you asked",
        "don't you have kids?",
        "if I had no kids I'd travel",
        "no, my kids are fine",
    ],
)
def test_what_denies_nothing_is_left_to_the_model(vault: Vault, said: str) -> None:
    store_chat(vault, [(ANA, "2024-03-01T10:00", said)])
    assert ask(vault, "Does Ana have children?", Model()).abstained


def test_what_somebody_else_denies_is_not_theirs(vault: Vault) -> None:
    store_chat(
        vault,
        [(BEN, "2024-03-01T10:00", "I don't have kids"), (ANA, "2024-03-01T10:01", "mine are 5")],
    )
    assert ask(vault, "Does Ana have children?", Model()).abstained


def test_the_user_is_whose_memory_it_is(vault: Vault) -> None:
    store_chat(
        vault,
        [("You", "2024-03-01T10:00", "I don't have kids"), ("Bot", "2024-03-01T10:01", "I see")],
        user="You",
    )
    model = Model()
    assert ask(vault, "Does the user have children?", model).answer == "No"
    assert "(the user = You)" in model.support_prompts[0]
