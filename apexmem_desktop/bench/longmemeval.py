"""LongMemEval: questions, each on its own pile of chats with an assistant (ICLR 2025)."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from apexmem_desktop.bench.cases import Question, Reply, Scored
from apexmem_desktop.bench.intervals import Estimate, share
from apexmem_desktop.bench.scoring import alternatives, normalised, tells, token_f1
from apexmem_desktop.bench.shapes import Checked, DataShapeError, read_entries
from apexmem_desktop.bench.vaults import Export

SESSIONS_AT = (5, 10)
MAX_SHORT_WORDS = 5
# The two have different scores and are never added up together.
TOTALS = ("short answers", "long answers")
_LONG = ", long"
_ABSTAINING = "_abs"
_DATE = re.compile(r"\d{4}/\d{1,2}/\d{1,2}")


@dataclass(frozen=True, slots=True)
class Entries:
    """A vault for each question."""

    exports: list[Export]
    questions: list[Question]


def read_entries_of(path: Path, wanted: Collection[str] = ()) -> Entries:
    """Read the questions with their chats; `wanted` names some by their ids.

    Raises:
        DataShapeError: The file has another shape.
    """
    exports, questions = [], []
    for at, entry in enumerate(read_entries(path), start=1):
        checked = Checked(path, f"entry {at}", entry)
        name = checked.text("question_id")
        checked.items("haystack_sessions")
        checked.texts("haystack_session_ids")
        if wanted and name not in wanted:
            continue
        exports.append(Export(name, "longmemeval", (entry,)))
        questions.append(_question(checked, name))
    return Entries(exports, questions)


def score(question: Question, reply: Reply) -> tuple[float, bool | None]:
    """Judge a short gold by whether the answer tells it; a long one by its token F1."""
    if question.declinable:
        return float(reply.abstained), None
    if reply.abstained:
        return 0.0, None
    if question.category.endswith(_LONG):
        return token_f1(reply.answer, question.gold), None
    return float(any(tells(reply.answer, one) for one in alternatives(question.gold))), None


def total_of(question: Question) -> str:
    """Tell which total an answerable question counts in: right or wrong, or token F1."""
    return TOTALS[question.category.endswith(_LONG)]


def session_recall(scored: Sequence[Scored]) -> list[dict[str, Any]]:
    """Tell how often any, and how often all, of the sessions with the answer were found."""
    return [
        {"system": system, "at": at, "any": some.to_json(), "all": every.to_json()}
        for system, at, some, every in _session_shares(scored)
    ]


def session_lines(scored: Sequence[Scored]) -> list[str]:
    """Say the same for people."""
    return [
        f"{system}: among the first {at} sessions any {some.spell()}, all {every.spell()}"
        for system, at, some, every in _session_shares(scored)
    ]


def _session_shares(scored: Sequence[Scored]) -> Iterator[tuple[str, int, Estimate, Estimate]]:
    for system in dict.fromkeys(one.system for one in scored):
        pairs = [
            (_sessions(one.reply.found or ()), set(one.question.evidence))
            for one in scored
            if one.system == system and _counts_for_recall(one)
        ]
        for at in SESSIONS_AT:
            some = share([bool(wanted & set(found[:at])) for found, wanted in pairs])
            every = share([wanted <= set(found[:at]) for found, wanted in pairs])
            yield system, at, some, every


def _counts_for_recall(one: Scored) -> bool:
    """Leave out systems that rank nothing and, as the authors do, questions without an answer."""
    return (
        one.reply.found is not None and bool(one.question.evidence) and not one.question.declinable
    )


def _sessions(found: Sequence[str]) -> list[str]:
    """Turns are called "session/number"; give their sessions in the order found."""
    return list(dict.fromkeys(turn.rpartition("/")[0] for turn in found))


def _question(checked: Checked, name: str) -> Question:
    gold = checked.text("answer")
    declinable = name.endswith(_ABSTAINING)
    kind = checked.text("question_type")
    if declinable:
        kind = "abstention"
    elif not _is_short(gold):
        kind += _LONG
    return Question(
        id=name,
        vault=name,
        category=kind,
        text=checked.text("question"),
        gold="" if declinable else gold,
        evidence=checked.texts("answer_session_ids"),
        now_ms=_end_of_day_ms(checked),
        declinable=declinable,
        names_sessions=True,
    )


def _is_short(gold: str) -> bool:
    return any(len(normalised(one).split()) <= MAX_SHORT_WORDS for one in alternatives(gold))


def _end_of_day_ms(checked: Checked) -> int:
    """Read the question's date as the end of that day.

    Of some questions the chats with the answer are dated some hours later on the same day.
    """
    text = checked.text("question_date")
    found = _DATE.search(text)
    if found is None:
        raise DataShapeError(checked.path, f"{checked.where}, question_date", f"{text!r} is none")
    try:
        on = datetime.strptime(found.group(), "%Y/%m/%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise DataShapeError(
            checked.path, f"{checked.where}, question_date", f"{text!r}: {error}"
        ) from error
    return int((on + timedelta(days=1)).timestamp() * 1000) - 1
