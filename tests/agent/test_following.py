"""Follow-up questions: read with the question and the answer before them."""

import pytest

from apexmem_desktop.domain.answers import AskOptions
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask, know, on
from tests.recall.chats import store_chat

ANA, BEN = "Ana Ruiz", "Ben Holt"


@pytest.fixture
def homes(vault: Vault) -> Vault:
    """Ana lived in Rome, Turin and Genoa; Ben lives in Bonn."""
    ids = store_chat(
        vault,
        [
            (ANA, "2023-03-01T10:00", "I live in Rome"),
            (ANA, "2024-05-10T10:00", "I moved to Turin"),
            (ANA, "2025-02-02T10:00", "moved to Genoa"),
            (BEN, "2025-02-02T10:01", "Bonn is where I live"),
        ],
    )
    know(vault, ids[0], ANA, "lives_in", "Rome")
    know(vault, ids[1], ANA, "lives_in", "Turin", start=on("2024-05-10"))
    know(vault, ids[2], ANA, "lives_in", "Genoa", start=on("2025-02-01"))
    know(vault, ids[3], BEN, "lives_in", "Bonn")
    return vault


def _chat(vault: Vault, *questions: str) -> list[str]:
    told: list[tuple[str, str]] = []
    for question in questions:
        answer = ask(vault, question, Model(), options=AskOptions(earlier=tuple(told)))
        told.append((question, answer.answer))
    return [answer for _, answer in told]


def test_and_before_that(homes: Vault) -> None:
    assert _chat(
        homes, "Where does Ana live now?", "and before that?", "And before that?", "before that?"
    ) == ["Genoa", "Turin", "Rome", "This is not in your memory."]


def test_and_somebody_else(homes: Vault) -> None:
    assert _chat(homes, "Where does Ana live now?", "And Ben?") == ["Genoa", "Bonn"]


def test_a_pronoun_is_who_was_named(homes: Vault) -> None:
    asked = ("When did Ana move to Turin?", "Where does she live now?")
    assert _chat(homes, *asked) == ["10 May 2024", "Genoa"]


def test_a_question_of_its_own_is_read_alone(homes: Vault) -> None:
    assert _chat(homes, "Where does Ana live now?", "Who lives in Bonn?") == ["Genoa", BEN]


def test_the_model_sees_what_a_follow_up_is_about(homes: Vault) -> None:
    model = Model()
    options = AskOptions(earlier=(("What does Ana think of Genoa?", "hot"),))
    answer = ask(homes, "And why?", model, options=options)
    assert "What does Ana think of Genoa? (hot) And why?" in model.decide_prompts[0]
    assert answer.question == "And why?"


def test_hits_say_that_the_chat_so_far_found_them(homes: Vault) -> None:
    alone = ask(homes, "Where did Ana live before?", Model())
    earlier = AskOptions(earlier=(("Where does Ana live?", "Turin"),))
    after = ask(homes, "And before that?", Model(), options=earlier)
    assert not any("dialogue" in hit.why for hit in alone.evidence)
    assert after.evidence
    assert all("dialogue" in hit.why for hit in after.evidence)
    assert any("person" in hit.why for hit in alone.evidence)
