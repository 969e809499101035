"""The blocks that the reading adapter is trained on are of the form that their README tells."""

import dataclasses
import json
from pathlib import Path

import pytest

from written import BLOCKS, NOT_TOLD, Block, answer_of, faults, files_of_round, read_blocks

FILES = sorted(BLOCKS.glob("*.jsonl"))
GOOD = Block(
    "here:1",
    (
        ("4 March 2024", "Tom", "what news?"),
        ("4 March 2024", "Priya", "I got the job last Friday! My sister cried."),
        ("4 March 2024", "Tom", "well done, I'd sit down with a cup of tea"),
        ("2024年3月5日", "李雪", "我昨天买了一辆绿色的自行车"),
        ("6 March 2024", "Tom", "two cats, then"),
        ("6 March 2024", "Priya", "and a dog"),
    ),
    (
        ("When did Priya get the job?", "=last Friday"),
        ("Who cried?", "her sister"),
        ("How many animals are there?", "3"),
        ("李雪的自行车是什么颜色？", "绿色"),
        ("When did Tom tell of the cats?", "=day 4"),
        ("What is the job?", NOT_TOLD),
        ("Did Tom cry?", "No"),
    ),
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_block_is_as_the_readme_tells(path: Path) -> None:
    blocks = list(read_blocks(path))
    assert len(blocks) >= 20
    assert [fault for block in blocks for fault in faults(block)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_quarter_to_a_half_is_not_told(path: Path) -> None:
    answers = [answer for block in read_blocks(path) for _, answer in block.questions]
    assert 0.25 <= answers.count(NOT_TOLD) / len(answers) <= 0.5


def test_every_file_belongs_to_a_round_and_no_question_to_two_blocks() -> None:
    assert sorted(files_of_round(1) + files_of_round(2)) == FILES
    blocks = [json.dumps(block.turns) for path in FILES for block in read_blocks(path)]
    assert len(blocks) == len(set(blocks)) == 408


def test_what_the_model_is_to_write() -> None:
    assert faults(GOOD) == []
    assert answer_of("=last Friday", GOOD) == "Friday 1 March 2024"
    assert answer_of("=day 4", GOOD) == "6 March 2024"
    assert answer_of("her sister", GOOD) == "her sister"
    assert answer_of("=last Sunday", GOOD) is None
    assert answer_of("=day 9", GOOD) is None


@pytest.mark.parametrize(
    "answer",
    [
        "=last Sunday",
        "=sister",
        "=day 7",
        "her brother",
        "红帽子",
        "红色的汽车",
        "a small warm coat",
        "",
    ],
)
def test_what_the_turns_do_not_have_is_found(answer: str) -> None:
    block = dataclasses.replace(GOOD, questions=(("What?", answer), *GOOD.questions[1:]))
    assert faults(block) == [f"here:1: What? | {answer}"]


@pytest.mark.parametrize(
    "words",
    [
        "write to priya@example.org",
        "see www.example.org",
        "it is on https://example.org",
        "ring me, +44 20 7946 0958",
        "ring me, 555 010 9999",
        "打我电话 13800138000",
    ],
)
def test_addresses_and_numbers_of_people_are_found(words: str) -> None:
    turns = (("4 March 2024", "Priya", words), *GOOD.turns[1:])
    assert any("private" in fault for fault in faults(dataclasses.replace(GOOD, turns=turns)))


def test_a_wrong_form_is_found() -> None:
    day = dataclasses.replace(GOOD, turns=(("March 4", "Priya", "hello"), *GOOD.turns[1:]))
    assert faults(day) == ["here:1: day March 4"]
    assert faults(dataclasses.replace(GOOD, turns=GOOD.turns[:2])) == ["here:1: 2 turns"]
    few = dataclasses.replace(GOOD, questions=GOOD.questions[:3])
    assert faults(few) == ["here:1: 3 questions"]
    twice = dataclasses.replace(GOOD, questions=(*GOOD.questions, GOOD.questions[1]))
    assert faults(twice) == ["here:1: a question stands twice"]
