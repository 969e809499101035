"""The blocks as they were written: chat turns, and questions that they answer or do not.

Every block is one line of `blocks/*.jsonl`; README.md here tells the forms of an answer.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from apexmem_desktop.agent.board import Board
from apexmem_desktop.agent.copying import is_copied
from apexmem_desktop.domain.answers import TurnHit

BLOCKS = Path(__file__).resolve().parent / "blocks"
NOT_TOLD = "not told"
YES_OR_NO = frozenset({"Yes", "No", "Ja", "Nein", "是", "不是", "没有"})
LEAST_TURNS, MOST_TURNS = 6, 9
LEAST_QUESTIONS, MOST_QUESTIONS = 7, 9
# Every day is taken to be three in the afternoon: none is another day in any zone near UTC.
HOUR = 15

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_DAY = re.compile(r"(\d{1,2}) ([A-Z][a-z]+) (20\d\d)")
_CHINESE_DAY = re.compile(r"(20\d\d)年(\d{1,2})月(\d{1,2})日")
_SAID_ON = re.compile(r"=day (\d)")
_WORKED_OUT = r"\[= ([^\]]+)\]"
# Between a time's words and its date stand at most the words that belong to it.
_SAME_TIME = r"[^\[\]]{0,3}"
_NEAR_TIME = r"[^\[\]]{0,40}?"
# The answer speaks of somebody by a pronoun where the turn says "my" or a name.
_PRONOUNS = re.compile(r"\b(?:his|hers?|their|he|she|they|him|them|(?:him|her)self|themselves)\b")
_PRIVATE = re.compile(
    r"https?:|www\.|\S@\S+\.\w"
    r"|\+\d[\d ()/-]{7,}|\b\d{3,5}[ /-]\d{3,4}[ -]?\d{3,4}\b|\b1[3-9]\d{9}\b"
)


@dataclass(frozen=True, slots=True)
class Block:
    """A few turns that a search might find together, and questions about them.

    Attributes:
        source: File and line, for messages.
        turns: Day, speaker and words of each.
        questions: Each with its answer in one of the written forms.
    """

    source: str
    turns: tuple[tuple[str, str, str], ...]
    questions: tuple[tuple[str, str], ...]

    @property
    def language(self) -> str:
        """The language in which dates are spelled for it."""
        return "zh" if "年" in self.turns[0][0] else "en"

    def lines(self) -> list[str]:
        """Write the turns just as the agent shows them to the model, dates worked out."""
        return [self.line(at) for at in range(len(self.turns))]

    def line(self, at: int) -> str:
        """Write one turn so."""
        return Board(self.language).said(_hit(*self.turns[at]))


def files_of_round(number: int) -> list[Path]:
    """Find the files that were written for a round of training, 1 or 2."""
    return sorted(BLOCKS.glob(f"round{number}-*.jsonl"))


def read_blocks(path: Path) -> Iterator[Block]:
    """Read a file of blocks, one a line."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _block(f"{path.name}:{number}", json.loads(line))


def _block(source: str, data: dict[str, list[list[str]]]) -> Block:
    return Block(
        source,
        tuple((day, speaker, text) for day, speaker, text in data["turns"]),
        tuple((question, answer) for question, answer in data["questions"]),
    )


def answer_of(written: str, block: Block) -> str | None:
    """Give what the model is to write; None where no date was worked out for a "=..." answer."""
    said_on = _SAID_ON.fullmatch(written)
    if said_on is not None:
        at = int(said_on[1])
        return block.line(at).split(", ", 1)[0] if at < len(block.turns) else None
    return _date_of(written[1:], block) if written.startswith("=") else written


def faults(block: Block) -> list[str]:
    """Tell what is wrong with a block; nothing where it is as the README says."""
    found = [f"day {day}" for day, _, _ in block.turns if _day(day) is None]
    if not LEAST_TURNS <= len(block.turns) <= MOST_TURNS:
        found.append(f"{len(block.turns)} turns")
    if not LEAST_QUESTIONS <= len(block.questions) <= MOST_QUESTIONS:
        found.append(f"{len(block.questions)} questions")
    if len(block.questions) != len({question for question, _ in block.questions}):
        found.append("a question stands twice")
    text = json.dumps([block.turns, block.questions], ensure_ascii=False)
    found += [f"private: {match[0]}" for match in _PRIVATE.finditer(text)]
    if not found:
        found = [f"{asked} | {told}" for asked, told in block.questions if not _stands(told, block)]
    return [f"{block.source}: {one}" for one in found]


def _stands(written: str, block: Block) -> bool:
    """Tell whether an answer can be given from the turns: its words stand there, or a date does."""
    if written == NOT_TOLD or written in YES_OR_NO:
        return True
    if written.startswith("="):
        return answer_of(written, block) is not None
    # A pronoun may stand for "my"; what is counted stands nowhere as a number.
    own = _PRONOUNS.sub("", written)
    told = " ".join(f"{day} {speaker} {text}" for day, speaker, text in block.turns)
    return own.isdigit() or is_copied(own, told)


def _date_of(words: str, block: Block) -> str | None:
    """Find the date that was worked out for these words; else for the first of them."""
    there = [at for at, turn in enumerate(block.turns) if words.lower() in turn[2].lower()]
    lines = [block.line(at) for at in there]
    for pattern in (
        re.escape(words) + _SAME_TIME + _WORKED_OUT,
        re.escape(words.split()[0]) + _NEAR_TIME + _WORKED_OUT,
    ):
        found = (re.search(pattern, line, re.IGNORECASE) for line in lines)
        date = next((match[1] for match in found if match is not None), None)
        if date is not None:
            return date
    return None


def _day(written: str) -> datetime | None:
    """Read "4 March 2024" or "2024年3月4日"; None for anything else."""
    western, chinese = _DAY.fullmatch(written), _CHINESE_DAY.fullmatch(written)
    if western is not None and western[2] in _MONTHS:
        year, month, day = int(western[3]), _MONTHS.index(western[2]) + 1, int(western[1])
    elif chinese is not None:
        year, month, day = int(chinese[1]), int(chinese[2]), int(chinese[3])
    else:
        return None
    return datetime(year, month, day, HOUR, tzinfo=UTC)


def _hit(day: str, speaker: str, text: str) -> TurnHit:
    said_at = _day(day)
    if said_at is None:
        raise ValueError(f"no day: {day}")
    said_at_ms = int(said_at.timestamp() * 1000)
    return TurnHit(0, 0, "", speaker, said_at_ms, 0, text, 0.0, zone="UTC")
