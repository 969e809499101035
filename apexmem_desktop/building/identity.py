"""Is a new name somebody or something known? Near names are found by rule, the model decides.

Names that are equal never come here (`resolution` matches them first). Forms of one person's name
(`nicknames`) and one firm's name with and without "Ltd" are joined by rule; of names that are only
near, by their letters or by their vectors, the model chooses: an existing one, a new one, or none
of both, which leaves it open. What is taken for the same is stored as an entity of its own with a
same-as link, so the merge can be seen and undone. Two names whose digits differ are never the same,
and one link never brings about another.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from apexmem_desktop.building.asking import Outcome
from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.nicknames import plain, why_one_person
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.resolution import AmbiguousNameError, find_entity, kind_of_place
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.inference.prompts import load_prompt
from apexmem_desktop.storage import entities
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Connection

PROMPT = "same"
SAME, NEW = "same", "new"
# A wrong merge is worse than a missing one, which the user can still make. Of eight invented pairs
# the three that are the same got 0.71 to 0.77, the five others at most 0.62.
LEAST_SAME = 0.68
LEAST_NEW = 0.5
LEAST_LIKENESS = 0.82
LEAST_VECTOR = 0.8  # cosine of two names' vectors
MAX_NEAR = 3
MAX_KNOWN = 500

_NAMED_KINDS = frozenset({"place", "organization", "person"})
_TOKEN = re.compile(r"[^\W\d_]+")


# What a firm's name may have behind it or not, and a place's before it.
_LEGAL = re.compile(
    r"\s*,?\s+(?:inc|ltd|llc|gmbh|ag|corp|co|plc|limited|company|s\.?a\.?)$|(?:有限)?公司$"
)
_ARTICLE = re.compile(r"^(?:the|le|la|el|das|der|die) ")
_NAMES_SELF = re.compile(r"\b(?:call me|i'm|i am|my name is|name's)\b|叫我|我叫", re.IGNORECASE)

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


class Choice(StrEnum):
    """What is made of a new name."""

    CHOOSE_EXISTING = "choose_existing"
    PROPOSE_NEW = "propose_new"
    NONE = "none"  # not sure of either: it stays apart, and the user may be asked


@dataclass(frozen=True, slots=True)
class Doubt:
    """A new name, and the known entities that it is near to, the nearest first.

    Attributes:
        near: Those with number 0 are new in the same batch, and known by their name alone.
    """

    name: str
    kind: str
    message: str
    near: tuple[Entity, ...]
    turn_id: int
    sentence_start: int


@dataclass(frozen=True, slots=True)
class Identity:
    """What was decided of a new name.

    Attributes:
        entity_id: Whose name it is; 0 where that one is known by its name alone.
        name: The canonical name: the known one's, or the new name itself.
        aliases: The names it goes by besides.
        confidence: 0.0 to 1.0, the model's own probability; 1.0 by rule.
        reason: In plain words, for the log of merges.
        by: "rule" or "model".
    """

    entity_id: int
    reason: str
    choice: Choice = Choice.CHOOSE_EXISTING
    name: str = ""
    type: str = ""
    aliases: tuple[str, ...] = ()
    confidence: float = 1.0
    by: str = "model"


def find_doubts(
    db: Connection, candidates: Sequence[Candidate], embed: Embed | None = None
) -> list[Doubt]:
    """Find the candidates' names that are nobody's yet but near to one that is known.

    Args:
        embed: Gives names' vectors; without it names are near by their letters only.
    """
    doubts: dict[str, Doubt] = {}
    known: list[Entity] | None = None
    for candidate, name, kind in _named(candidates):
        if name in doubts or _is_known(db, name, kind):
            continue
        known = known if known is not None else entities.find_entities(db, limit=MAX_KNOWN)
        alike = [one for one in known if one.type == kind and not known_by_rule(name, one)]
        near = find_near(name, alike, embed)
        if near:
            doubts[name] = Doubt(
                name, kind, candidate.sentence, near, candidate.turn_id, candidate.sentence_start
            )
        if all(one.name != name for one in known):
            known = [*known, Entity(0, name, kind)]
    return list(doubts.values())


def _named(candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, str, str]]:
    """Give each name that a candidate tells of, with what kind of thing it names."""
    for candidate in candidates:
        kind = load_shapes()[candidate.shape].value_kind
        if kind in _NAMED_KINDS:
            told = kind_of_place(candidate.value) if kind == "place" else kind
            yield candidate, candidate.value, told
        if candidate.by == "model" and not candidate.of_speaker and candidate.who[:1].isupper():
            yield candidate, candidate.who, "person"


def _is_known(db: Connection, name: str, kind: str) -> bool:
    try:
        return find_entity(db, name, kind) is not None
    except AmbiguousNameError:
        return True


def known_by_rule(name: str, known: Entity) -> str:
    """Say why a name is surely or almost surely a known one's; "" when a rule cannot tell."""
    forms = (known.name, *known.aliases)
    if known.type == "person":
        return next(filter(None, (why_one_person(name, form) for form in forms)), "")
    written_alike = core(name) and any(core(name) == core(form) for form in forms)
    if known.type in {"place", "organization"} and written_alike:
        return f"{name} and {known.name} are one name, written in two ways"
    return ""


def core(name: str) -> str:
    """Give a place's or firm's name without accents, article, legal form, and marks."""
    bare = _LEGAL.sub("", _ARTICLE.sub("", plain(name)))
    return " ".join(re.sub(r"[^\w\s]|_", " ", bare.replace("'", "")).split())


def find_by_rule(known: Sequence[Entity], name: str, turn: Turn, sentence: str) -> Identity | None:
    """Find whose name it is by a rule alone; None where none or several could be meant.

    Two who are named in one message are two, and nobody speaks of themself by a name.
    """
    found = [(one, why) for one in known if (why := known_by_rule(name, one))]
    if len(found) != 1:
        return None
    [(one, why)] = found
    names = (one.name, *one.aliases)
    if any(_stands_apart(form, name, turn.text) for form in names):
        return None
    speaks_of_self = turn.speaker in names
    if one.type == "person" and speaks_of_self and not _NAMES_SELF.search(sentence):
        return None
    return Identity(
        one.id, why, name=one.name, type=one.type, aliases=(name, *one.aliases), by="rule"
    )


def _stands_apart(form: str, name: str, text: str) -> bool:
    """Whether the known name stands in the text too, and not as a part of the new one."""
    rest = text.replace(name, " ")
    return form not in name and re.search(rf"(?<!\w){re.escape(form)}(?!\w)", rest) is not None


def find_near(name: str, known: Sequence[Entity], embed: Embed | None = None) -> tuple[Entity, ...]:
    """Find the known entities with names near by their letters or their vectors, nearest first."""
    scored = {one.name: likeness(name, one.name) for one in known}
    near = {form: score for form, score in scored.items() if score >= LEAST_LIKENESS}
    if embed is not None and known:
        names = list(scored)
        vectors = embed([name, *names])
        for form, cosine in zip(names, vectors[1:] @ vectors[0], strict=True):
            same_digits = re.findall(r"\d+", form) == re.findall(r"\d+", name)
            if cosine >= LEAST_VECTOR and same_digits:
                near[form] = max(near.get(form, 0.0), float(cosine))
    ranked = sorted((one for one in known if one.name in near), key=lambda one: -near[one.name])
    return tuple(ranked[:MAX_NEAR])


def likeness(a: str, b: str) -> float:
    """Tell how near two names are, 0 to 1; names with other digits are not near at all."""
    a, b = normalise(a), normalise(b)
    if re.findall(r"\d+", a) != re.findall(r"\d+", b):
        return 0.0
    ours, theirs = set(_TOKEN.findall(a)), set(_TOKEN.findall(b))
    if ours and theirs and (ours <= theirs or theirs <= ours):
        return 0.9
    return SequenceMatcher(None, a, b).ratio()


def same_request(doubt: Doubt, near: Entity) -> GenerateRequest:
    """Ask whether the name means the known one."""
    prompt = load_prompt(PROMPT)
    return GenerateRequest(
        messages=prompt.render(
            name=doubt.name,
            message=doubt.message[:300],
            known=f"{near.name} ({near.type})",
        ),
        static_messages=len(prompt.static),
        choices=(SAME, NEW),
    )


def decide(
    doubt: Doubt, weighed: Sequence[tuple[Entity, Generation]], failures: Sequence[str] = ()
) -> Identity:
    """Choose an existing entity, a new one, or none, by what the model gives each near one.

    Args:
        weighed: The near ones of which the model gave a usable reply.
        failures: Why there is none of each of the others: one of them may be the one that is
            meant, so the name is not called new.
    """
    shares = [(reply.choice_probabilities.get(SAME, 0.0), one) for one, reply in weighed]
    if not shares:
        reason = f"whether “{doubt.name}” is {doubt.near[0].name} was not told: {failures[0]}"
        return Identity(0, reason, Choice.NONE, doubt.name, doubt.kind, (), 0.0)
    share, best = max(shares, key=lambda pair: pair[0])
    if share >= LEAST_SAME:
        reason = f"the model takes “{doubt.name}” for {best.name} ({share:.0%})"
        aliases = (doubt.name, *best.aliases)
        return Identity(
            best.id, reason, Choice.CHOOSE_EXISTING, best.name, best.type, aliases, share
        )
    is_new = 1.0 - share >= LEAST_NEW and not failures
    reason = f"the model takes “{doubt.name}” for {best.name} with {share:.0%} only"
    if failures:
        reason += f", and another near name could not be asked about: {failures[0]}"
    choice = Choice.PROPOSE_NEW if is_new else Choice.NONE
    return Identity(0, reason, choice, doubt.name, doubt.kind, (), 1.0 - share)


def decide_all(
    pairs: Sequence[tuple[Doubt, Entity]], outcomes: Sequence[Outcome]
) -> dict[str, Identity]:
    """Decide each doubt by what came of asking about its near ones; every doubt gets a word.

    Args:
        outcomes: One for each of the pairs.
    """
    had: dict[str, tuple[Doubt, list[tuple[Entity, Generation]], list[str]]] = {}
    for (doubt, near), outcome in zip(pairs, outcomes, strict=True):
        _, weighed, failures = had.setdefault(doubt.name, (doubt, [], []))
        if outcome.reply is None:
            failures.append(outcome.failure)
        else:
            weighed.append((near, outcome.reply))
    return {name: decide(*one) for name, one in had.items()}
