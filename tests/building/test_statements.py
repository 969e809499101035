"""A turn is taken apart to the character, and only what states something goes on."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apexmem_desktop.building.gate import find_openings
from apexmem_desktop.building.statements import Saying, classify, split_sentences
from tests.building.telling import said

# Pieces of real sayings give sentence ends, links, code and scripts more often than chance does.
_PIECES = st.sampled_from([
    "I moved to Rome. ", "Thanks! ", "我搬到杭州了。", "> I live in Oslo\n", "```\nI quit\n```",
    "https://example.org/a?b=c ", "Dr. Vos said so… ", "\r\n", "“Is it?” ", "🙂 ", "ok :) ",
])  # fmt: skip
TEXTS = st.lists(st.one_of(_PIECES, st.text(max_size=20)), max_size=8).map("".join)


@given(TEXTS)
@example("I like Mr. Bean! he lives\n\nin Porto?  yes")
def test_sentences_are_where_they_say_they_are(text: str) -> None:
    end = 0
    for sentence in split_sentences(text):
        assert text[sentence.start : sentence.end] == sentence.text == sentence.text.strip() != ""
        assert sentence.start >= end
        end = sentence.end


@given(TEXTS)
def test_no_word_is_lost_between_sentences(text: str) -> None:
    kept = "".join(sentence.text for sentence in split_sentences(text))
    gone = set(text) - set(kept)
    assert not any(character.isalnum() for character in gone - set("DP"))  # the ends of :D and :P


@given(TEXTS)
def test_openings_hold_to_the_turn(text: str) -> None:
    turn = said(text)
    for opening in find_openings(turn):
        sentence = opening.sentence
        shown = turn.text[sentence.start : sentence.end]
        assert len(shown) == len(sentence.text)
        read = [(a, b) for a, b in zip(sentence.text, shown, strict=True) if not a.isspace()]
        assert all(a == b for a, b in read)


@pytest.mark.parametrize(
    "text",
    [
        "Do you still live in Leeds?",
        "where did you move to",
        "So what are you studying now",
        "What are Chris's KPIs?",
        "Would Obsidian suit me?",
        "and did your brother move to Rome yet",
        "你还住在上海吗",
        "你们搬到哪里去了？",
        "Isn't your flat in Leeds?",
    ],
)
def test_questions_open_nothing(text: str) -> None:
    assert find_openings(said(text)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "if I moved to Rome I'd eat pizza all day",
        "I wish I lived in Lisbon",
        "Imagine we bought a boat",
        "one day I will move to Norway",
        "如果我搬到成都就好了",
        "要是我有一只猫就好了",
    ],
)
def test_hypotheticals_open_nothing(text: str) -> None:
    assert find_openings(said(text)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Thank you so much for the lift!",
        "Congrats on the new job!!",
        "That sounds amazing, enjoy the trip",
        "good luck with the move",
        "I'm so proud of you",
        "haha yes, you got this",
        "哈哈哈",
        "谢谢啊",
        "晚安～",
        "ok",
        "🙂🙂",
        "",
    ],
)
def test_courtesies_open_nothing(text: str) -> None:
    assert find_openings(said(text)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Rome last week",
        "Thanks! I moved to Rome last week",
        "Thanks, I have just moved to Rome",
        "wow nice. I started at Lumo today",
        "我上周搬到杭州了",
        "谢谢！我上周搬到杭州了",
    ],
)
def test_what_is_told_of_oneself_goes_on(text: str) -> None:
    assert find_openings(said(text))


def test_small_talk_without_any_cue_is_passed_over() -> None:
    assert find_openings(said("The bus was late again and the rain did not help")) == ()


@pytest.mark.parametrize(
    "text",
    [
        "> I moved to Rome\nfunny",
        "```\nI moved to Rome\n```",
        "```\nI moved to Rome",
        "https://example.org/i-moved-to-Rome",
    ],
)
def test_quoted_lines_code_and_links_are_not_the_speakers_words(text: str) -> None:
    assert find_openings(said(text)) == ()


def test_a_pasted_document_is_read_near_its_start_only() -> None:
    turn = said("I moved to Rome. " + "Chapter and verse. " * 400 + "I work at Lumo.")
    assert [one.sentence.text for one in find_openings(turn)] == ["I moved to Rome."]


def test_titles_do_not_end_a_sentence() -> None:
    assert [one.text for one in split_sentences("I saw Dr. Vos today. He is kind.")] == [
        "I saw Dr. Vos today.",
        "He is kind.",
    ]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("I moved to Rome, how about you?", "I moved to Rome"),
        ("I like fennel, where did you get that from?", "I like fennel"),
        ("我搬到厦门了，你什么时候来？", "我搬到厦门了"),
    ],
)
def test_a_question_behind_a_statement_does_not_hide_it(text: str, stated: str) -> None:
    assert [one.sentence.text for one in find_openings(said(text))] == [stated]


def test_a_question_behind_a_condition_makes_no_statement_of_it() -> None:
    assert find_openings(said("If I moved to Rome, would you come?")) == ()


@pytest.mark.parametrize(
    ("text", "saying"),
    [
        ("I live in Leeds", Saying.STATEMENT),
        ("do you like it", Saying.QUESTION),
        ("Good morning everyone", Saying.COURTESY),
        ("hm", Saying.EMPTY),
    ],
)
def test_each_sentence_is_of_one_kind(text: str, saying: Saying) -> None:
    assert classify(text) is saying
