"""The held-out questions to the graph: well formed, proved by the samples, and seen by nothing."""

import re
from datetime import date
from typing import Any

import pytest
from reading_samples import FILES, read_gold, read_sample

from apexmem_desktop.bench.queries import is_right
from apexmem_desktop.domain.locations import resources_dir

HELD_OUT: list[dict[str, Any]] = read_gold("graph_questions_held_out.toml")["question"]
ASKED = [one["question"] for one in HELD_OUT]
MESSAGES = [message.text for file in FILES for message in read_sample(file)]
KINDS = {
    "now", "at_time", "count", "event", "when", "how_long", "join", "most", "order", "list",
    "chinese",
}  # fmt: skip


def test_there_are_enough_of_every_kind() -> None:
    kinds = [one["kind"] for one in HELD_OUT]
    assert set(kinds) == KINDS
    assert len(kinds) >= 60
    assert min(kinds.count(kind) for kind in KINDS) >= 4


@pytest.mark.parametrize("one", HELD_OUT, ids=ASKED)
def test_each_is_well_formed_and_proved_by_the_samples(one: dict[str, Any]) -> None:
    assert set(one) <= {"kind", "question", "now", "all_of", "none_of", "evidence"}
    assert one["question"].endswith(("?", "？"))
    assert (one["kind"] == "chinese") == bool(re.match(r"[\u4e00-\u9fff0-9]", one["question"]))
    assert date.fromisoformat(one.get("now", "2025-07-31")).year == 2025
    assert one["all_of"]
    assert all(form for entry in one["all_of"] for form in entry.split("|"))
    assert one["evidence"]
    for words in one["evidence"]:
        assert any(words in text for text in MESSAGES), f"no message holds {words!r}"


@pytest.mark.parametrize("one", HELD_OUT, ids=ASKED)
def test_its_own_answer_is_right_and_what_must_not_be_said_is_wrong(one: dict[str, Any]) -> None:
    last = ", ".join(entry.split("|")[-1] for entry in one["all_of"])
    assert is_right(one, last)
    assert not is_right(one, "")
    assert not any(is_right(one, f"{last}, {wrong}") for wrong in one.get("none_of", ()))


def test_none_is_asked_twice_or_seen_elsewhere() -> None:
    assert len(set(ASKED)) == len(ASKED)
    own = {one["question"] for one in read_gold("graph_questions.toml")["question"]}
    demo = {one["question"] for one in read_gold("questions.toml")["question"]}
    assert not set(ASKED) & (own | demo)
    prompts = "".join(
        file.read_text(encoding="utf-8") for file in (resources_dir() / "prompts").glob("*.md")
    )
    assert "Who read the most books?" in prompts  # the worked examples are among them
    assert [one for one in ASKED if one in prompts] == []
