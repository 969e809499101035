"""Things in a question that no turn near it speaks of."""

import pytest

from apexmem_desktop.domain.answers import AskOptions
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask
from tests.recall.chats import store_chat


@pytest.fixture
def talk(vault: Vault) -> Vault:
    store_chat(
        vault,
        [
            ("Ana Ruiz", "2024-03-01T10:00", "we play tennis in the park every Friday"),
            ("Ana Ruiz", "2024-03-02T10:00", "I baked a lemon cake for my niece's birthday"),
            ("Ana Ruiz", "2024-03-03T10:00", "my aquarium has 20 gallons and nine fish"),
            ("Ana Ruiz", "2024-03-04T10:00", "the bank pays me 2,000 a month, mum is proud"),
        ],
    )
    return vault


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("How often does Ana play table tennis in the park?", "table"),
        ("What did Ana bake for her uncle's birthday?", "uncle"),
        ("How many fish does Ana have in her 30-gallon aquarium?", "30"),
        ("For how long has Ana had her snakes?", "snakes"),
    ],
)
def test_a_thing_of_which_nobody_speaks_is_not_answered_about(
    talk: Vault, question: str, thing: str
) -> None:
    answer = ask(talk, question, Model(finds="every Friday"))
    assert answer.abstained
    assert answer.summary == f"None of the messages near it speaks of: {thing}"
    assert answer.usage.model_calls == 0


@pytest.mark.parametrize(
    "question",
    [
        "How often does Ana play tenis in the park?",
        "What kind of exercise does Ana typically participate in at the park?",
        "What did Ana bake for her niece?",
        "What is Ana's salary at the bank?",
        "Which dessert did Ana bake for the birthday?",
        "How does Ana entertain herself in the park?",
        "What makes Ana's mother proud?",
        "I feel nostalgic. What does Ana play in the park?",
    ],
)
def test_what_is_put_in_other_words_is_not_declined_for_it(talk: Vault, question: str) -> None:
    answer = ask(talk, question, Model())
    assert not any("in no turn near it" in one for one in answer.dropped)


def test_what_an_assistant_says_is_nothing_that_the_user_told(vault: Vault) -> None:
    store_chat(
        vault,
        [
            ("Ana Ruiz", "2024-03-01T10:00", "I play tennis every Friday"),
            ("Assistant", "2024-03-01T10:01", "Table tennis is a fine sport, too"),
        ],
        user="Ana Ruiz",
    )
    for begins in ("How often", "Can you remind me how often"):
        answer = ask(vault, f"{begins} do I play table tennis?", Model(finds="every Friday"))
        assert answer.summary.endswith(": table")
    asked = "What did you say to me about table tennis?"
    told = ask(vault, asked, Model(finds="Table tennis is a fine sport"))
    assert told.answer == "Table tennis is a fine sport"


def test_facts_alone_are_not_held_to_turns_that_nobody_looked_for(talk: Vault) -> None:
    answer = ask(talk, "How does Ana like her snakes?", Model(), options=AskOptions(tools=()))
    assert not any("in no turn near it" in one for one in answer.dropped)
