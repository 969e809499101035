"""Why something was: the clause that tells it, from a turn about what was asked."""

import pytest

from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask
from tests.recall.chats import Said, store_chat

ANA, BEN = "Ana Ruiz", "Ben Holt"
CHAT: list[Said] = [
    (ANA, "2024-03-01T10:00", "I left Lumo because they cut our team. It rained."),
    (ANA, "2024-03-02T10:00", "I left Lumo, since 2020 I had wanted to"),
    (BEN, "2024-03-03T10:00", "I left Rome because it was too hot"),
    ("李雪", "2024-03-04T10:00", "我离开出版社，是因为天天加班。累。"),
]


@pytest.fixture
def talk(vault: Vault) -> Vault:
    store_chat(vault, CHAT)
    return vault


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Why did Ana leave Lumo?", "they cut our team"),
        ("Why did Ben leave Rome?", "it was too hot"),
        ("李雪为什么离开出版社？", "天天加班"),
    ],
)
def test_the_clause_after_because(talk: Vault, question: str, reason: str) -> None:
    answer = ask(talk, question, Model())
    assert answer.answer == reason
    assert reason in answer.citations[0].quote


def test_somebody_elses_reason_is_not_given(talk: Vault) -> None:
    assert ask(talk, "Why did Ana leave Rome?", Model(told=_only_rome)).abstained


def test_a_reason_for_something_else_is_put_to_the_model(talk: Vault) -> None:
    assert ask(talk, "Why did Ana leave Lumo?", Model(told="no")).abstained


def _only_rome(prompt: str) -> str:
    return "yes" if "too hot" in prompt.split("Proof")[-1] else "no"
