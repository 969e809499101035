"""What the program says itself is said in the language of the question."""

import pytest

from apexmem_desktop.agent import composing
from apexmem_desktop.domain.answers import AnswerPart, AskNews, SummaryPart
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask, know
from tests.recall.chats import store_chat

ANA, BEN = "Ana Ruiz", "Ben Holt"


@pytest.fixture
def talk(vault: Vault) -> Vault:
    first, _ = store_chat(
        vault,
        [
            (ANA, "2024-03-01T10:00", "I moved into the green house at the lake"),
            (BEN, "2024-03-02T10:00", "the bread was great"),
        ],
    )
    know(vault, first, ANA, "pet", "Tofu", single_valued=False)
    return vault


@pytest.mark.parametrize(
    ("question", "declined"),
    [
        ("What instrument does Ana play?", "This is not in your memory."),
        ("Welches Instrument spielt Ana?", "Das steht nicht in deinem Gedächtnis."),
        ("De quel instrument joue Ana dans la maison ?", "Ce n'est pas dans ta mémoire."),
        ("¿Qué instrumento toca Ana en la casa de su madre?", "Esto no está en tu memoria."),
        ("Ana はどの楽器を弾きますか", "それはあなたの記憶にありません。"),
        ("Ana 弹什么乐器？", "你的记忆里没有这件事。"),
        ("На чём играет Ana?", "Этого нет в вашей памяти."),
        ("What instrument does Иван play?", "This is not in your memory."),
        ("Would Ana see writing as a career?", "This is not in your memory."),
    ],
)
def test_it_declines_in_the_language_of_the_question(
    talk: Vault, question: str, declined: str
) -> None:
    answer = ask(talk, question, Model(told="no"))
    assert answer.abstained
    assert answer.answer == declined


def test_the_trace_tells_the_language_it_is_answered_in(talk: Vault) -> None:
    asked = ("Does Ana play?", "Wo ist die Katze von Ana und was macht sie?", "李雪住在哪里？")
    told = [dict(ask(talk, question, Model(told="no")).understood) for question in asked]
    assert [one["language"] for one in told] == ["en", "de", "zh"]


def test_a_german_noun_is_no_name_that_the_turns_must_have(vault: Vault) -> None:
    store_chat(vault, [(ANA, "2024-03-01T10:00", "ich spiele seit Jahren Geige im Orchester")])
    model = Model(finds="Geige")
    assert ask(vault, "Welches Instrument spielt Ana seit Jahren?", model).answer == "Geige"


@pytest.mark.parametrize(
    ("question", "yes"),
    [
        ("Does Ana live at the lake?", "Yes"),
        ("Ist Ana in das Haus am See gezogen und ist es nicht grün?", "Ja"),
        ("Est-ce que la maison de Ana est dans la ville ?", "Oui"),
    ],
)
def test_a_bare_yes_is_said_in_it_too(talk: Vault, question: str, yes: str) -> None:
    assert ask(talk, question, Model(["turns: 1\nanswer: Yes"])).answer == yes


def test_the_answer_is_told_before_its_citations_and_sentences_are_made(
    talk: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First words come with the last check; nothing that is made after it holds them back."""
    heard: list[AskNews] = []
    heard_when_cited: list[list[AskNews]] = []
    cite = composing.cite_turns

    def citing(*args: object) -> object:
        heard_when_cited.append([one for one in heard if isinstance(one, AnswerPart)])
        return cite(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(composing, "cite_turns", citing)
    model = Model(finds="the green house")
    answer = ask(talk, "Which house did Ana move into?", model, on_news=heard.append)
    assert answer.answer == "the green house"
    assert heard_when_cited == [[AnswerPart("the green house")]]
    assert isinstance(heard[-1], SummaryPart)
