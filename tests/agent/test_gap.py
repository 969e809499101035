"""A question that gives one person another's deed is declined, and the nearest true thing named."""

import pytest

from apexmem_desktop.agent.whose import About
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import ANA, BEN, Model, ask, store_two_friends
from tests.recall.chats import store_chat


@pytest.fixture
def talk(vault: Vault) -> Vault:
    store_two_friends(vault)
    return vault


def _copy(prompt: str) -> str:
    return "with my aunt" if "my aunt" in prompt else "long"


def test_anothers_deed_is_declined_with_who_did_it(talk: Vault) -> None:
    answer = ask(talk, "How did Ana's repair of the gate go?", Model(reads=_copy, whose=BEN))
    assert answer.abstained
    assert answer.answer == "This is not in your memory."
    assert "Ben Holt on 1 March 2024" in answer.summary
    assert answer.citations == ()  # it proves nothing of what was asked


def test_it_is_said_in_the_language_of_the_question(vault: Vault) -> None:
    store_chat(
        vault,
        [
            ("李雪", "2024-03-01T10:00", "昨天修了花园的门"),
            ("王明", "2024-03-01T10:01", "花园的门终于修好了，真棒"),
        ],
    )
    answer = ask(vault, "王明什么时候修了花园的门？", Model(whose="李雪"))
    assert answer.abstained
    assert answer.summary.startswith("最接近的是：李雪")


def test_the_model_is_not_shown_whom_the_question_named(talk: Vault) -> None:
    model = Model(reads=_copy)
    ask(talk, "How did Ana's repair of the gate go?", model)
    assert model.gap_prompts
    for prompt in model.gap_prompts:
        assert "Question: How did ___'s repair of the gate go?" in prompt
    ends = [prompt.splitlines()[-1] for prompt in model.gap_prompts]
    assert ends == ["Ana Ruiz or Ben Holt?", "Ben Holt or Ana Ruiz?"]


def test_who_is_surely_meant_is_not_asked_about(talk: Vault) -> None:
    model = Model(reads=_copy, whose=ANA)
    answer = ask(talk, "How was Ana's cello lesson?", model)
    assert not model.gap_prompts
    assert answer.answer == "long"


def test_nobody_else_leaves_nothing_to_ask(vault: Vault) -> None:
    store_chat(vault, [(ANA, "2024-03-01T10:00", "my lesson was long")])
    model = Model(reads="long")
    assert ask(vault, "How was Ana's own lesson?", model).answer == "long"
    assert not model.gap_prompts


def test_a_list_may_be_of_what_both_did(talk: Vault) -> None:
    model = Model(reads=_copy, whose=BEN)
    answer = ask(talk, "What gates has Ana repaired with a lesson?", model)
    assert not model.gap_prompts
    assert "somebody else" not in " ".join(answer.dropped)


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("That's great, Ana! Iron Man is my favourite", False),
        ("Hey Ana! I bought a gate", False),
        ("Ana, what do you think of mine", False),
        ("I bought a gate, thanks Ana", False),
        ("Ana repaired the gate", True),
        ("I saw Ana.", True),
        ("Thanks, Ben! Ana's gate is green", True),
    ],
)
def test_who_is_only_spoken_to_is_not_told_of(text: str, tells: bool) -> None:
    hit = TurnHit(1, 1, "", BEN, None, 0, text, 1.0)
    assert About(names=("Ana",), speakers=(ANA,)).admits(hit) is tells
