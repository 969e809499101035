"""What every bench asks and gets: a question with its gold, and one scored reply."""

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from apexmem_desktop.domain.answers import Usage


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a data set.

    Attributes:
        id: Unique in the data set.
        vault: The conversation or haystack it is asked about.
        category: As the data set names it.
        gold: The answer; "" where the right answer is to decline.
        evidence: The data set's own ids of the turns or sessions that hold the answer.
        now_ms: What "today" is; None for the day after the last turn.
        declinable: Whether declining is the right answer.
        names_sessions: Whether `evidence` names whole sessions; then no turns are counted.
    """

    id: str
    vault: str
    category: str
    text: str
    gold: str
    evidence: tuple[str, ...] = ()
    now_ms: int | None = None
    declinable: bool = False
    names_sessions: bool = False


@dataclass(frozen=True, slots=True)
class Cited:
    """A turn that an answer cites, by the data set's own id."""

    turn: str
    quote: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a system answered.

    Attributes:
        found: The data set's ids of the turns that its search ranks first, best first; None for a
            system that reads everything and ranks nothing.
        steps: Tool calls: tool, arguments, length of the result, milliseconds, error.
        dropped: What it did not say, and why.
    """

    answer: str
    abstained: bool
    usage: Usage
    found: tuple[str, ...] | None = ()
    cited: tuple[Cited, ...] = ()
    steps: tuple[dict[str, Any], ...] = ()
    dropped: tuple[str, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """One question, what was answered, and how good that is.

    Attributes:
        score: 0 to 1; token F1 or right/wrong, as the bench says. An abstention scores 0,
            or 1 where declining is right.
        date_right: For questions whose gold is a date; else None.
    """

    system: str
    question: Question
    reply: Reply
    score: float
    date_right: bool | None = None

    def to_json(self) -> dict[str, Any]:
        """Give all of it as plain JSON values, for a person to judge."""
        return {
            "system": self.system,
            **{("question_id" if k == "id" else k): v for k, v in asdict(self.question).items()},
            "score": round(self.score, 4),
            "date_right": self.date_right,
            **asdict(self.reply),
        }

    @classmethod
    def from_json(cls, line: dict[str, Any]) -> "Scored":
        """Take back what `to_json` gave, so that a long run can resume."""
        question = Question(
            line["question_id"], line["vault"], line["category"], line["text"], line["gold"],
            tuple(line["evidence"]), line["now_ms"], line["declinable"],
            line.get("names_sessions", False),
        )  # fmt: skip
        reply = Reply(
            line["answer"], line["abstained"], Usage(**line["usage"]),
            None if line["found"] is None else tuple(line["found"]),
            tuple(Cited(**one) for one in line["cited"]), tuple(line["steps"]),
            tuple(line["dropped"]), line["error"],
        )  # fmt: skip
        return cls(line["system"], question, reply, line["score"], line["date_right"])


def sample_questions(questions: Sequence[Question], limit: int | None, seed: int) -> list[Question]:
    """Draw some of the questions, each category by its share, in their order."""
    if limit is None or limit >= len(questions):
        return list(questions)
    draw = random.Random(seed)  # noqa: S311 - a sample, no secret
    by_category: dict[str, list[Question]] = {}
    for question in questions:
        by_category.setdefault(question.category, []).append(question)
    # Each question gets its place within its category; the sample takes the first places of all.
    places = []
    for of_one in by_category.values():
        shuffled = draw.sample(of_one, len(of_one))
        places += [((n + 0.5) / len(shuffled), q) for n, q in enumerate(shuffled)]
    places.sort(key=lambda place: place[0])
    chosen = {question.id for _, question in places[:limit]}
    return [question for question in questions if question.id in chosen]
