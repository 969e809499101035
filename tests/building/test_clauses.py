"""Plain clauses: what they tell, and what looks like one and tells nothing. All are invented."""

import pytest

from apexmem_desktop.building.belongings import read_belongings
from apexmem_desktop.building.clauses import read_clauses
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.patterns import read_by_pattern
from apexmem_desktop.building.statements import Saying, split_sentences
from tests.building.telling import said, spell

ANA = "Ana Ruiz"

TOLD = [
    ("I joined a rowing club nearby", "joined rowing club nearby"),
    ("Last week I applied to three bakeries.", "applied_to three bakeries"),
    ("I signed up for a welding class yesterday", "started welding class"),
    ("I've been tinkering with an old radio lately", "is_tinkering_with old radio"),
    ("Just been tuning my harp", "is_tuning harp"),
    ("I'm volunteering at a shelter for donkeys", "is_volunteering_at shelter for donkeys"),
    ("I repair clocks for half the street", "repairs clocks for half the street"),
    ("Took the twins to the aquarium, it was packed", "took twins to the aquarium"),
    ("We rented a barge and they hate it", "rented barge"),
    ("I retook the theory test", "retook theory test"),
    ("I was in the finals of a quiz", "was_in finals of a quiz"),
    ("I used to compete in rodeos", "used_to compete in rodeos"),
    ("I want to open a tea house by the sea", "wants open a tea house by the sea"),
    ("I'm gonna chat with the mayor", "plans chat with the mayor"),
    ("We're planning to host a street party", "plans host a street party"),
    ("I decided to run for the school board", "plans run for the school board"),
    ("We'll be discussing the new tram line", "plans discussing the new tram line"),
    ("I'm passionate about old maps", "cares_about old maps"),
    ("I'm scared of geese, honestly", "afraid_of geese"),
    ("I'm thinking of adopting a mule", "considers adopting a mule"),
    ("I'm getting ready for the regatta", "looks_forward_to regatta"),
    ("I have a meeting with the council coming up", "has meeting with the council"),
    ("I got noticed by a talent scout!", "got noticed by a talent scout"),
    ("I'm a firm believer in naps", "is_a firm believer in naps"),
    ("My loom broke last week and I cried", "loom broke"),
    ("My cork board is full of old tickets", "cork_board is full of old tickets"),
    ("Painting helps me slow down", "values Painting"),
    ("Chess is a big part of my day", "values Chess"),
]

NOTHING = [
    "I think so too",
    "I hope it works out",
    "I know what you mean",
    "I wish I owned a boat",
    "If I joined the club, they would laugh",
    "what I built there is gone",
    "I won't quit",
    "I never joined the club",
    "I have not painted the fence",
    "I made it with oil",
    "I told you about them",
    "I had a great time",
    "I'm feeling down",
    "I'm having a blast",
    "I'm happy for you",
    "I love how it looks",
    "Glad you joined the club",
    "Your loom broke",
    "It helps me a lot",
    "That means so much to me",
    "Thanks, it really helped me",
    "My bad",
    "I ran the bath",
    "I work at night",
    "The help I got was great",
    "a man gave me a plum",
    "I'm thinking about a van or a caravan",
    "did he at least smile",
    "I'm a grown up",
    "I'm gonna make it!",
    "I want to help them get over it",
    "I've loved maps since I was a kid",
    "This song I wrote last year reminds me of home",
    "Knowing I'm helping out is nice",
]


def _read(text: str) -> list[str]:
    turn, found = said(text), []
    for sentence in split_sentences(text):
        if sentence.saying is Saying.STATEMENT:
            found += read_clauses(turn, sentence, read_by_pattern(turn, sentence))
            found += read_belongings(turn, sentence)
    for one in found:
        assert turn.text[one.value_start : one.value_end] == one.value
        assert one.shape in load_shapes()
    return [_without_article(spell(one)) for one in found]


def _without_article(told: str) -> str:
    head, value = told.removeprefix(f"{ANA} ").split(" ", 1)
    for article in ("a ", "an ", "the ", "my "):
        value = value.removeprefix(article)
    return f"{ANA} {head} {value}"


@pytest.mark.parametrize(("text", "told"), TOLD)
def test_a_clause_about_oneself_is_read(text: str, told: str) -> None:
    assert f"{ANA} {told}" in _read(text)


@pytest.mark.parametrize("text", NOTHING)
def test_what_tells_nothing_lasting_is_passed_over(text: str) -> None:
    assert _read(text) == []


def test_a_clause_may_begin_after_a_time_or_a_word_that_joins() -> None:
    for before in ("Last weekend ", "On Friday ", "We ate and then ", "Hey Ben, ", "yesterday "):
        assert f"{ANA} painted fence" in _read(f"{before}I painted the fence")


def test_the_second_clause_of_a_sentence_is_read_too() -> None:
    told = _read("I sold the van because I adopted two ponies")
    assert f"{ANA} adopted two ponies" in told


def test_what_a_pattern_reads_is_not_told_twice() -> None:
    assert _read("I moved to Rome") == []


def test_time_words_at_the_end_are_no_part_of_the_value() -> None:
    for words in ("yesterday", "last week", "on Friday", "the other day", "recently"):
        assert _read(f"I planted two pear trees {words}") == [f"{ANA} planted two pear trees"]


def test_a_name_in_quotation_marks_loses_them() -> None:
    assert _read('I finished "The Iron Pear"') == [f"{ANA} finished The Iron Pear"]
