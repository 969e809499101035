"""Is a new name somebody or something known? Near names are found by rule, the model decides.

Names that are equal never come here (`resolution` matches them first). What the model takes for the
same is stored as an entity of its own with a same-as link, so the merge can be seen and undone. Two
names whose digits differ are never the same, and one link never brings about another.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.resolution import AmbiguousNameError, find_entity
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.inference.prompts import load_prompt
from apexmem_desktop.storage import entities
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Connection

PROMPT = "same"
SAME, NEW = "same", "new"
# A wrong merge is worse than a missing one, which the user can still make. Of eight invented pairs
# the
# the three that are the same got 0.71 to 0.77, the five others at most 0.62.
LEAST_SAME = 0.68
LEAST_LIKENESS = 0.82
MAX_KNOWN = 500

_NAMED_KINDS = frozenset({"place", "organization", "person"})
_TOKEN = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A new name, and the known entity that it is near to."""

    name: str
    kind: str
    message: str
    near: Entity
    turn_id: int
    sentence_start: int


@dataclass(frozen=True, slots=True)
class Identity:
    """The model's word that a name is a known entity's, with the reason to be logged."""

    entity_id: int
    reason: str


def find_doubts(db: Connection, candidates: Sequence[Candidate]) -> list[Doubt]:
    """Find the candidates' values that are nobody's name yet but near to one that is known."""
    doubts: dict[str, Doubt] = {}
    known: list[Entity] | None = None
    for candidate in candidates:
        kind = load_shapes()[candidate.shape].value_kind
        if kind not in _NAMED_KINDS or candidate.value in doubts or _is_known(db, candidate, kind):
            continue
        known = known if known is not None else entities.find_entities(db, limit=MAX_KNOWN)
        near = nearest(candidate.value, [one for one in known if one.type == kind])
        if near is not None:
            doubts[candidate.value] = Doubt(
                candidate.value,
                kind,
                candidate.sentence,
                near,
                candidate.turn_id,
                candidate.sentence_start,
            )
    return list(doubts.values())


def _is_known(db: Connection, candidate: Candidate, kind: str) -> bool:
    try:
        return find_entity(db, candidate.value, kind) is not None
    except AmbiguousNameError:
        return True


def nearest(name: str, known: Sequence[Entity]) -> Entity | None:
    """Find the known entity with the nearest name; None when none is near enough."""
    scored = [(likeness(name, one.name), -one.id, one) for one in known]
    best = max(scored, key=lambda entry: entry[:2], default=None)
    return best[2] if best is not None and best[0] >= LEAST_LIKENESS else None


def likeness(a: str, b: str) -> float:
    """Tell how near two names are, 0 to 1; names with other digits are not near at all."""
    a, b = normalise(a), normalise(b)
    if re.findall(r"\d+", a) != re.findall(r"\d+", b):
        return 0.0
    ours, theirs = set(_TOKEN.findall(a)), set(_TOKEN.findall(b))
    if ours and theirs and (ours <= theirs or theirs <= ours):
        return 0.9
    return SequenceMatcher(None, a, b).ratio()


def same_request(doubt: Doubt) -> GenerateRequest:
    """Ask whether the name means the known one."""
    prompt = load_prompt(PROMPT)
    return GenerateRequest(
        messages=prompt.render(
            name=doubt.name,
            message=doubt.message[:300],
            known=f"{doubt.near.name} ({doubt.near.type})",
        ),
        static_messages=len(prompt.static),
        choices=(SAME, NEW),
    )


def decide(doubts: Sequence[Doubt], replies: Sequence[Generation]) -> dict[str, Identity]:
    """Keep the names that the model is sure to be known, each with the reason."""
    sure: dict[str, Identity] = {}
    for doubt, reply in zip(doubts, replies, strict=True):
        share = reply.choice_probabilities.get(SAME, 0.0)
        if share >= LEAST_SAME:
            reason = f"the model takes “{doubt.name}” for {doubt.near.name} ({share:.0%})"
            sure[doubt.name] = Identity(doubt.near.id, reason)
    return sure
