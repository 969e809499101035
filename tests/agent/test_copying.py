"""An answer is made of what was told: no name, number or negation is its own."""

import pytest

from apexmem_desktop.agent.copying import copied_parts, is_copied, joined_parts


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("his kiln friends", "I asked my kiln friends over"),
        ("in a flood", "the cellar had a flood"),
        ("the green one with a dent", "I took the green one, with a dent in it"),
        ("Went well with Piet, thanks", "it went well with Piet, thanks"),
        ("her 2nd kiln", "the second kiln of mine"),
        ("她的陶艺老师", "我的陶艺老师来了"),
    ],
)
def test_it_is_copied_where_only_small_words_differ(answer: str, told: str) -> None:
    assert is_copied(answer, told)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("his kiln sisters", "I asked my kiln friends over"),
        ("not a flood", "the cellar had a flood"),
        ("in the", "the cellar had a flood"),
        ("she was not there", "she was there"),
        ("the cellar had a flood in 2021", "the cellar had a flood in 2019"),
        ("the old kiln and wheel of Olek", "the old kiln and wheel of Piet"),
        ("我没有养狗", "我有养狗"),
        ("", "the cellar had a flood"),
    ],
)
def test_it_is_not_where_a_word_that_carries_it_was_not_told(answer: str, told: str) -> None:
    assert not is_copied(answer, told)


def test_of_a_list_each_thing_is_held_against_what_was_told() -> None:
    told = "my sons are Olek and Piet, and we ate plums"
    assert copied_parts("Olek, Piet and Runa", told) == (["Olek", "Piet"], ["Runa"])
    assert copied_parts("Runa", told) == ([], ["Runa"])


def test_what_several_lists_share_is_named_once() -> None:
    assert joined_parts(["the plums, pears", "a pear tree and plums", "", "figs"]) == [
        "the plums",
        "pears",
        "a pear tree",
        "figs",
    ]
    assert joined_parts(["李子、梨", "梨和无花果"]) == ["李子", "梨", "无花果"]
    assert joined_parts(["和平饭店和外滩", "呼和浩特"]) == ["和平饭店", "外滩", "呼和浩特"]
