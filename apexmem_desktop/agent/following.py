"""Follow-up questions: "and before that?" is read with the question and the answer before it."""

import re
from dataclasses import dataclass, replace

from apexmem_desktop.agent.inquiry import Asked
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.question import Understood, understand
from apexmem_desktop.storage.vault import Connection

_POINTS_BACK = re.compile(
    r"\b(?:he|she|they|it|him|her|his|hers|them|their|its|that|this|then|there)\b"
    r"|他|她|它|那|这",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as it was read.

    Attributes:
        that: The answer that a follow-up question points back to; "" for a question of its own.
    """

    read: Understood
    that: str = ""


def read_question(db: Connection, asked: Asked) -> Reading:
    """Read a question, with what was asked before where it does not stand alone."""
    read = _understand(db, asked, asked.question)
    if not asked.options.earlier or not _is_follow_up(read):
        return Reading(read)
    for question, _ in reversed(asked.options.earlier):
        before = _understand(db, asked, question)
        if before.entities or before.words:
            return _continued(read, before, asked.options.earlier[-1][1])
    return Reading(read)


def _understand(db: Connection, asked: Asked, question: str) -> Understood:
    return understand(
        db,
        question,
        now_ms=asked.now_ms,
        offset_minutes=asked.offset_minutes,
        zone=asked.zone,
    )


def _is_follow_up(read: Understood) -> bool:
    if not read.words and not read.property_hints:
        return True
    return not read.entities and bool(_POINTS_BACK.search(read.question))


def _continued(read: Understood, before: Understood, answer: str) -> Reading:
    """Take from the question before what this one leaves out."""
    stands_alone = bool(read.words or read.property_hints)
    kind = read.kind
    if not stands_alone and kind in (Kind.OPEN, Kind.CURRENT):
        kind = before.kind
    context = f"{before.question} ({answer}) " if answer else f"{before.question} "
    own = tuple(replace(named, start=named.start + len(context)) for named in read.entities)
    merged = replace(
        read,
        question=context + read.question,
        entities=own or before.entities,
        kind=kind,
        property_hints=read.property_hints or before.property_hints,
        words=read.words if stands_alone else before.words,
    )
    return Reading(merged, answer)
