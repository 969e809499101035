"""Who is in "we": both who speak, whoever was named just before, or the speaker alone."""

import pytest

from apexmem_desktop.building.confidence import BY_WE
from tests.building.telling import read, said
from tests.building.test_dialogue import ANA, BEN, _chat, _told

QUIET = (BEN, "How was your week?")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([(BEN, "Rowing again?"), (ANA, "We both love rowing")], f"{BEN} likes rowing"),
        (
            [QUIET, (ANA, "It was so good seeing you on Sunday! We went to the old mill.")],
            f"{BEN} went_to old mill",
        ),
        (
            [QUIET, (ANA, "Thanks for coming! We went to Rome last week")],
            f"{BEN} visited Rome",
        ),
        (
            [(BEN, "Let's do something!"), (ANA, "We're going to visit Rome in May")],
            f"{BEN} plans going to visit Rome",
        ),
        ([(BEN, "咱们下周做什么？"), (ANA, "咱们上周去了厦门")], f"{BEN} visited 厦门"),
        ([(BEN, "在吗？"), (ANA, "上周见到你真好！我们去了厦门")], f"{BEN} visited 厦门"),
    ],
)
def test_we_is_both_where_the_words_say_so(lines: list[tuple[str, str]], told: str) -> None:
    found = _told(*lines)
    assert [one for one in found if one.startswith(told)]
    assert [one for one in found if one.startswith(told.replace(BEN, ANA))]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Tom and I bought a mill", "Tom bought mill"),
        ("My sister and I bought a mill", "~sister bought mill"),
        ("My brother and I had a good week. We went to Rome.", "~brother visited Rome"),
        ("I spent Sunday with Tom. We went to Rome.", "Tom visited Rome"),
        ("My sister came to visit me and we went to Rome", "~sister visited Rome"),
        ("I met up with Tom. We visited Rome.", "Tom visited Rome"),
    ],
)
def test_we_is_whoever_was_named_just_before(text: str, told: str) -> None:
    found = _told(QUIET, (ANA, text))
    assert told in found
    assert not [one for one in found if BEN in one]
    assert [one for one in found if one.startswith(ANA) and one.endswith(told.split()[-1])]


@pytest.mark.parametrize(
    "text",
    [
        "We went to Rome last week",
        "It's great to see you doing so well. We went to Rome.",
        "I went out with Tom and his kids. We went to Rome.",
        "I met Tom. I saw Lena. With Ada I planned a trip, with Eve another. We went to Rome.",
        "I work with Tom. My family is great. We went to Rome.",
        "我们上周去了厦门",
    ],
)
def test_we_without_a_name_is_told_of_the_speaker_and_less_surely(text: str) -> None:
    *before, last = _chat(QUIET, (ANA, text))
    trips = [one for one in read(last, *before) if one.property == "visited"]
    assert [one.who for one in trips] == [ANA]
    assert all(one.confidence <= BY_WE for one in trips)


def test_i_is_as_sure_as_before() -> None:
    [i_went] = read(said("I went to Rome last week"))
    [we_went] = read(said("We went to Rome last week"))
    assert we_went.confidence < i_went.confidence


def test_in_a_group_we_is_not_the_one_who_spoke_last() -> None:
    lines = [("Cem", "Let's go!"), (BEN, "Let's do something!"), (ANA, "We'll go to Rome")]
    assert not [one for one in _told(*lines) if one.startswith((BEN, "Cem"))]
