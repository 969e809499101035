"""Scores against values worked out by hand."""

import pytest

from apexmem_desktop.bench import scoring


def test_normalising_takes_case_punctuation_and_articles() -> None:
    assert scoring.normalised("The Dog, and a Cat's!") == "dog cats"


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("adoption agencies", "Adoption agencies", 1.0),
        ("adopting agency", "Adoption agencies", 1.0),  # the stems are adopt and agenc
        ("7 May", "7 May 2023", 0.8),  # precision 2/2, recall 2/3
        ("she went on 7 May 2023", "7 May 2023", 2 * (3 / 6) / (3 / 6 + 1)),
        ("", "2022", 0.0),
        ("no idea", "2022", 0.0),
        ("the the", "2022", 0.0),
        ("dog dog", "dog", 2 * 0.5 / 1.5),  # a word counts as often as the gold has it
    ],
)
def test_token_f1(answer: str, gold: str, expected: float) -> None:
    assert scoring.token_f1(answer, gold) == pytest.approx(expected)


def test_several_answers_are_matched_one_by_one() -> None:
    # pottery 1, camping 1, painting 0: a third is missing
    assert scoring.locomo_f1(
        "camping, pottery", "pottery, camping, painting", scoring.MULTI_HOP
    ) == pytest.approx(2 / 3)
    # without commas the one text is held against each: 2/3 of F1 of 1 word in 2
    assert scoring.several_f1("camping pottery", "pottery, camping") == pytest.approx(2 / 3)


def test_of_an_open_question_the_first_alternative_counts() -> None:
    gold = "National park; she likes the outdoors"
    assert scoring.locomo_f1("national park", gold, scoring.OPEN_DOMAIN) == 1.0
    assert scoring.locomo_f1("national park", gold, scoring.SINGLE_HOP) < 1.0


def test_recall_counts_the_evidence_among_the_first() -> None:
    found = ["D1:3", "D9:9", "D2:8"]
    assert scoring.recall_at(found, ("D1:3", "D2:8"), 2) == 0.5
    assert scoring.recall_at(found, ("D1:3", "D2:8"), 3) == 1.0
    assert scoring.recall_at(found, (), 3) is None


@pytest.mark.parametrize(
    "answer", ["not mentioned", "Not mentioned.", "", "No information available", "unknown",
               "The conversation does not say."],
)  # fmt: skip
def test_declining_is_understood(answer: str) -> None:
    assert scoring.declines(answer)


@pytest.mark.parametrize("answer", ["Sweden", "not far from Leeds", "notary", "No, she left"])
def test_answers_are_no_declining(answer: str) -> None:
    assert not scoring.declines(answer)


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("You met them 3 times.", "three times", True),
        ("It was $400,000", "$400,000", True),
        ("13", "3", False),
        ("every week", "Every week", True),
        ("", "3", False),
        ("three", "", False),
    ],
)
def test_telling_a_short_gold(answer: str, gold: str, expected: bool) -> None:
    assert scoring.tells(answer, gold) is expected


def test_alternatives_of_a_gold() -> None:
    gold = "5 days. 6 days (including the last day) is also acceptable."
    assert scoring.alternatives(gold) == ("5 days", "6 days")
    assert scoring.alternatives("0.5 hours") == ("0.5 hours",)
