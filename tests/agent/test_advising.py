"""Questions for advice: answered with what was told on their topic, and never with advice."""

import pytest

from apexmem_desktop.agent.own_words import as_told, told_of_you
from apexmem_desktop.domain.answers import Answer, AskOptions, SummaryPart
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask, know
from tests.recall.chats import store_chat

ALLERGIC = "I am allergic to hazelnuts and mustard."
ADORES = "I adore slow films and I watch a film every Sunday."


def _store(vault: Vault) -> list[int]:
    return store_chat(
        vault,
        [
            ("Mia", "2024-03-01T10:00", ADORES),
            (
                "Bot",
                "2024-03-01T10:01",
                "My favourite film is a fast film: I watch films every day.",
            ),
            (
                "Mia",
                "2024-03-02T10:00",
                "Where do I find the film programme? My tent needs a new pole.",
            ),
            ("Mia", "2024-03-03T10:00", "The weather was grey."),
        ],
        user="Mia",
    )


def _ask(vault: Vault, question: str, options: AskOptions | None = None) -> tuple[Answer, Model]:
    model = Model(finds="a fast film", reads="a fast film")
    return ask(vault, question, model, options=options), model


def test_it_is_answered_with_what_the_asker_told(vault: Vault) -> None:
    first, *_ = _store(vault)
    answer, model = _ask(vault, "Can you recommend a film for Sunday?")
    assert answer.answer.startswith(f"I can only tell you what was told: “{ADORES}”")
    assert not answer.abstained
    assert answer.citations[0].turn_id == first
    assert answer.citations[0].quote == ADORES
    assert "1 March 2024: “I adore slow films" in answer.summary
    assert "[1]" in answer.summary
    assert dict(answer.understood)["kind"] == "advice"
    assert [step.tool for step in answer.steps if step.tool == "Search"] == ["Search"]
    assert not model.language.requests, "no model is asked for what it would only invent"


def test_no_word_of_the_assistant_is_among_it(vault: Vault) -> None:
    _store(vault)
    answer, _ = _ask(vault, "What film should I watch?")
    assert {one.speaker for one in answer.citations} == {"Mia"}
    assert "fast" not in answer.answer


def test_each_line_stands_in_its_turn(vault: Vault) -> None:
    numbers = dict(zip(_store(vault), range(4), strict=True))
    answer, _ = _ask(vault, "I need a new tent for my film evenings. Any ideas?")
    assert answer.citations
    for number, one in enumerate(answer.citations, start=1):
        assert one.number == number
        assert one.turn_id in numbers
        assert one.quote in answer.answer
    assert "My tent needs a new pole." in answer.answer
    assert "Where do I find" not in answer.answer


def test_where_nothing_bears_on_it_that_is_said(vault: Vault) -> None:
    _store(vault)
    answer, model = _ask(vault, "Which accordion would you recommend?")
    assert answer.abstained
    assert answer.answer == "This is not in your memory."
    assert not answer.citations
    assert not model.language.requests


def test_what_is_known_is_said_in_few_words(vault: Vault) -> None:
    (told,) = store_chat(vault, [("Mia", "2024-03-01T10:00", ALLERGIC)], user="Mia")
    fact = know(vault, told, "Mia", "allergic_to", "hazelnuts", single_valued=False)
    answer, _ = _ask(vault, "Any ideas for something with hazelnuts?")
    assert answer.answer == "I can only tell you what was told: you are allergic to hazelnuts"
    assert [one.id for one in answer.facts] == [fact]
    assert answer.citations[0].quote == ALLERGIC


def test_what_the_words_of_its_proof_do_not_tell_is_left_out(vault: Vault) -> None:
    (told,) = store_chat(vault, [("Mia", "2024-03-01T10:00", ALLERGIC)], user="Mia")
    know(vault, told, "Mia", "allergic_to", "Piedmont hazelnuts", single_valued=False)
    answer, _ = _ask(vault, "Any ideas for something with hazelnuts?")
    assert "Piedmont" not in answer.answer
    assert any("Piedmont" in one for one in answer.dropped)


@pytest.mark.parametrize("stale", ["denied", "unowned"])
def test_what_no_longer_holds_or_is_anothers_is_no_line(vault: Vault, stale: str) -> None:
    said = "Ben loves oysters, they say."
    (told,) = store_chat(vault, [("Mia", "2024-03-01T10:00", said)], user="Mia")
    subject = "Mia" if stale == "denied" else "Ben"
    know(vault, told, subject, "likes", "oysters", polarity=stale != "denied")
    answer, _ = _ask(vault, "Should I order oysters?")
    assert "you like oysters" not in answer.answer


def test_in_chinese(vault: Vault) -> None:
    store_chat(
        vault,
        [
            ("小李", "2024-03-01T10:00", "我最喜欢看慢节奏的电影。今天好热。"),
            ("Bot", "2024-03-01T10:01", "我推荐动作电影。"),
        ],
        user="小李",
    )
    answer, _ = _ask(vault, "你能推荐一部电影吗？")
    assert answer.answer == "我只能告诉你说过的话：“我最喜欢看慢节奏的电影。”"
    assert answer.citations[0].speaker == "小李"
    declined, _ = _ask(vault, "我该买哪一款相机？")
    assert declined.abstained
    assert declined.answer == "你的记忆里没有这件事。"


def test_without_vectors_words_must_do(vault: Vault) -> None:
    _store(vault)
    answer = ask(vault, "What film should I watch?", Model(), embedder=None)
    assert ADORES in answer.answer


def test_without_search_there_is_nothing_to_tell(vault: Vault) -> None:
    _store(vault)
    answer, _ = _ask(vault, "What film should I watch?", AskOptions(tools=("EntityLookup",)))
    assert answer.abstained


def test_each_line_is_told_with_its_proof(vault: Vault) -> None:
    _store(vault)
    parts = []
    ask(vault, "What film should I watch?", Model(), on_news=parts.append)
    told = [part for part in parts if isinstance(part, SummaryPart)]
    assert told
    assert all(len(part.citations) == 1 for part in told)


def test_words_of_the_program() -> None:
    assert told_of_you("likes", "tea", "en") == "you like tea"
    assert told_of_you("likes", "茶", "zh") == "你喜欢茶"
    assert told_of_you("favourite_ice_cream", "mango", "en") == "your favourite ice cream is mango"
    assert told_of_you("thinks", "tea", "en") == ""
    assert told_of_you("likes", "Tee", "de") == ""
    assert as_told([("you own a kayak", False), ("I row.", True)], "en") == (
        "I can only tell you what was told: you own a kayak; “I row.”"
    )
