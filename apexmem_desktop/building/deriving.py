"""What follows for certain from what was told: "I left Harrow" means no longer working there."""

import re
from collections.abc import Iterable
from dataclasses import replace

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.patterns import RELATIONS
from apexmem_desktop.domain.turn import Turn

# Told property → (property that follows, whether it then holds).
_FOLLOWS = {
    "left_job": ("works_at", False),
    "stopped": ("practises", False),
    "started": ("practises", True),
    "cancelled": ("plans", False),
    "sold": ("owns", False),
}
# "A few offers" are some, "few offers" hardly any.
_AN_AMOUNT = re.compile(r"a (?:few|lot|bit|couple|bunch|ton|number)\b", re.IGNORECASE)
# "The positive" is no thing without "the", and "my friend some soup" has two objects.
_KEEPS = re.compile(
    r"the (?:positive|negative|good|bad|best|unknown|future|present|past|moment)(?= and\b| in\b|$)"
    rf"|(?:my|our|his|her) (?:\w+ )?(?:{'|'.join(r for r in RELATIONS if r.isascii())})s? "
    r"(?:some|an?|the|my|\d+) ",
    re.IGNORECASE,
)
_ARTICLES = ("the ", "a ", "an ", "my ", "our ", "his ", "her ")


def with_consequences(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates and what follows from them, each (property, value) once."""
    kept: dict[tuple[str, str, str, bool], Candidate] = {}
    for candidate in candidates:
        told = without_article(candidate)
        for one in (told, *_consequences(told)):
            kept.setdefault((one.who, one.property, one.value.casefold(), one.holds), one)
    return list(kept.values())


def _consequences(candidate: Candidate) -> tuple[Candidate, ...]:
    follows = _FOLLOWS.get(candidate.shape)
    if follows is None or not candidate.holds:
        return ()
    name, holds = follows
    if name == "practises" and not _is_practice(candidate.value):
        return ()
    return (replace(candidate, property=name, shape=name, holds=holds),)


# "I started transitioning": nothing that one practises.
_NO_PRACTICE = frozenset(
    [
        "transitioning",
        "working",
        "dating",
        "feeling",
        "thinking",
        "getting",
        "looking",
        "caring",
        "noticing",
        "talking",
        "seeing",
        "having",
        "being",
        "crying",
        "making",
        "teaching",
        "telling",
        "asking",
        "going",
        "doing",
        "trying",
        "taking",
        "hitting",
    ]
)
_TAKEN = frozenset(
    ["烟", "酒", "糖", "茶", "咖啡", "奶茶", "零食"]
)  # given up, but nothing that was practised


def _is_practice(value: str) -> bool:
    """A bare activity ("running", "yoga"), not a whole clause."""
    if value in _TAKEN or value.split()[0].casefold() in _NO_PRACTICE:
        return False
    return len(value.split()) <= 2 and (value.split()[0].endswith("ing") or len(value) <= 12)


def without_article(candidate: Candidate) -> Candidate:
    """Cut "the", "my" and the like from a thing: "the Polo" and "my Polo" are one."""
    lower = candidate.value.casefold()
    if _AN_AMOUNT.match(candidate.value) or candidate.as_said or _KEEPS.match(candidate.value):
        return candidate
    if load_shapes()[candidate.shape].value_kind == "clause":
        return candidate  # "my kids have warm coats": without its first word it is another clause
    for article in _ARTICLES:
        if lower.startswith(article) and len(lower) > len(article):
            return replace(
                candidate,
                value=candidate.value[len(article) :],
                value_start=candidate.value_start + len(article),
            )
    return candidate


_NAMING = re.compile(
    r"(?:(?:called|named|name is|name's|call (?:her|him|it))\s+|(?:名叫|取名叫?|叫做?))"
    r"(?P<name>[A-ZÀ-Þ][\w'’-]*|[\u4e00-\u9fff]{1,4})"
)


def with_given_name(turn: Turn, candidate: Candidate) -> Candidate:
    """Give a pet the name that the same turn tells: "I adopted a cat! she's called Turnip"."""
    if candidate.shape != "pet":
        return candidate
    naming = _NAMING.search(turn.text, candidate.value_end)
    if naming is None:
        return candidate
    start, end = naming.span("name")
    return replace(
        candidate,
        value=naming.group("name"),
        value_start=start,
        value_end=end,
        # The quote must show the name too.
        sentence=turn.text[candidate.sentence_start : max(end, candidate.sentence_end)],
    )
