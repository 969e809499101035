"""The questions to practise on: well formed, proved by the samples, none of those held out."""

import re
from typing import Any

import pytest
from reading_samples import FILES, read_gold, read_sample

from apexmem_desktop.bench.queries import PRACTICE, is_right

ASKED: list[dict[str, Any]] = read_gold(PRACTICE)["question"]
NAMES = [one["question"] for one in ASKED]
MESSAGES = [message.text for file in FILES for message in read_sample(file)]
KINDS = {"event", "join", "how_long", "used_to", "fewest", "order", "count", "chinese"}


def test_there_are_enough_of_every_kind() -> None:
    kinds = [one["kind"] for one in ASKED]
    assert set(kinds) == KINDS
    assert len(kinds) >= 45
    assert min(kinds.count(kind) for kind in KINDS) >= 5


@pytest.mark.parametrize("one", ASKED, ids=NAMES)
def test_each_is_well_formed_and_proved_by_the_samples(one: dict[str, Any]) -> None:
    assert set(one) <= {"kind", "question", "now", "all_of", "none_of", "evidence"}
    assert one["question"].endswith(("?", "？"))
    assert one["kind"] != "chinese" or re.search(r"[\u4e00-\u9fff]", one["question"])
    assert all(form for entry in one["all_of"] for form in entry.split("|"))
    assert one["evidence"]
    for words in one["evidence"]:
        assert any(words in text for text in MESSAGES), f"no message holds {words!r}"


@pytest.mark.parametrize("one", ASKED, ids=NAMES)
def test_its_own_answer_is_right_and_what_must_not_be_said_is_wrong(one: dict[str, Any]) -> None:
    last = ", ".join(entry.split("|")[-1] for entry in one["all_of"])
    assert is_right(one, last)
    assert not is_right(one, "")
    assert not any(is_right(one, f"{last}, {wrong}") for wrong in one.get("none_of", ()))


def test_none_is_asked_twice_or_in_another_file() -> None:
    assert len(set(NAMES)) == len(NAMES)
    files = ("graph_questions.toml", "graph_questions_held_out.toml", "questions.toml")
    others = {one["question"] for file in files for one in read_gold(file)["question"]}
    assert not set(NAMES) & others
