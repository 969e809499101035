"""Worked examples chosen for a sentence: the nearest two, and each of them true."""

import pytest

from apexmem_desktop.building.examples import (
    NOTHING,
    Example,
    load_examples,
    similar_example,
)
from apexmem_desktop.building.extraction import MAX_FACTS, extract_request, read_reply
from apexmem_desktop.building.ontology import find_cued
from apexmem_desktop.building.statements import Saying, Sentence
from apexmem_desktop.inference.prompts import load_prompt
from tests.building.telling import said

EXAMPLES = load_examples()
NOTING = [one for one in EXAMPLES if one.notes != NOTHING]


def _sentence(text: str) -> Sentence:
    return Sentence(text, 0, len(text), Saying.STATEMENT)


@pytest.mark.parametrize("example", NOTING, ids=lambda one: one.notes)
def test_an_example_notes_what_the_grammar_would_allow(example: Example) -> None:
    speaker = example.message.split(": ", 1)[0]
    sentence = _sentence(example.words)
    lines = example.notes.split("\n")
    told = read_reply(said(example.words, speaker=speaker), sentence, example.notes)
    assert [f"{one.who} | {one.property} | {one.value}" for one in told] == lines
    assert {one.property for one in told} <= {shape.name for shape in find_cued(example.words)}
    assert len(lines) <= MAX_FACTS


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("We adopted a second dog from the shelter, Rex", "Muffin"),
        ("My knee surgery is over and I'm on crutches", "torn meniscus"),
        ("I won the chess cup", "sailing exam"),
        ("我弟弟在北京上大学", "小雨"),
    ],
)
def test_a_sentence_is_shown_the_example_that_is_most_like_it(sentence: str, words: str) -> None:
    _, shown = similar_example(sentence)
    assert words in shown.text


def test_the_nearest_may_be_one_that_notes_nothing() -> None:
    shown, noted = similar_example("I love how you wrote that")
    assert (shown.role, noted.role, noted.text) == ("user", "assistant", NOTHING)


def test_what_is_like_none_of_them_is_shown_none() -> None:
    assert similar_example("Ωμέγα ψ") == ()
    assert similar_example("") == ()


def test_they_come_after_what_the_model_keeps_and_before_the_sentence() -> None:
    sentence = _sentence("We adopted a second dog, Rex")
    request = extract_request(
        said(sentence.text, speaker="Ana"), sentence, find_cued(sentence.text)
    )
    static = load_prompt("extract").static
    assert request.messages[: request.static_messages] == static
    assert request.messages[len(static) : -1] == similar_example(sentence.text)
    assert request.messages[-1].text.endswith("Ana: We adopted a second dog, Rex")
