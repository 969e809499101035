"""Whom names mean, name by name, for what measures the telling apart and the bringing together."""

from collections.abc import Sequence
from dataclasses import dataclass

from apexmem_desktop.building import identity
from apexmem_desktop.building.appending import Appender
from apexmem_desktop.building.asking import Asked, Language, ask_all
from apexmem_desktop.building.bad_replies import why_bad_choice
from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.deriving import with_consequences, with_given_name
from apexmem_desktop.building.gate import find_openings
from apexmem_desktop.building.grounding import why_ungrounded
from apexmem_desktop.building.resolution import AmbiguousNameError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, turns

_BY_KIND = {"person": "friend", "place": "lives_in", "organization": "works_at", "animal": "pet"}


@dataclass(frozen=True, slots=True)
class Named:
    """A name as it stands in a message.

    Attributes:
        name: As it stands there, or the speaker's own.
        kind: "person", "place", "organization" or "animal", as its sentence shows.
    """

    turn_id: int
    name: str
    kind: str


def resolve_names(
    ws: Workspace, named: Sequence[Named], *, use_model: bool, cancel: CancelToken | None = None
) -> list[int | None]:
    """Read messages by rule, in their order, and tell the number of each named one at the end.

    None stands for a name that is left open because several bear it.

    Args:
        use_model: Ask it about near names, as a build does; else rules alone decide.
    """
    language = ws.language_for("resolution") if use_model else None
    found: list[int | None] = []
    token = cancel or CancelToken()
    read: set[int] = set()
    for one in named:
        token.check()
        with ws.vault.read() as db:
            [turn] = turns.find_turns(db, [one.turn_id])
        candidate = _candidate(turn, one)
        decided = _decide(ws, candidate, language, token)
        with ws.vault.write() as db:
            appender = Appender(db, recorded_at_ms=ws.now_ms(), identities=decided)
            speaker_id = appender.speaker(turn)
            for told in () if turn.id in read else _told(turn):
                appender.append(turn, speaker_id, told)
            read.add(turn.id)
            if one.name == turn.speaker and one.name not in turn.text:
                found.append(speaker_id)
                continue
            try:
                found.append(appender.ensure(one.name, one.kind, turn, speaker_id, candidate))
            except AmbiguousNameError:
                found.append(None)
    with ws.vault.read() as db:
        canon = entities.canonical_ids(db)
        return [None if number is None else canon[number] for number in found]


def _told(turn: Turn) -> list[Candidate]:
    """What the rules read of a message: it may tell who somebody is."""
    openings = find_openings(turn)
    told = [with_given_name(turn, one) for opening in openings for one in opening.told]
    return [one for one in with_consequences(told) if not why_ungrounded(turn, one)]


def _candidate(turn: Turn, named: Named) -> Candidate:
    start = max(0, turn.text.find(named.name))
    return Candidate(
        turn_id=turn.id, who=turn.speaker, of_speaker=False, property=_BY_KIND[named.kind],
        shape=_BY_KIND[named.kind], value=named.name, value_start=start,
        value_end=start + len(named.name), sentence=turn.text, sentence_start=0, by="rule",
        confidence=1.0,
    )  # fmt: skip


def _decide(
    ws: Workspace, candidate: Candidate, language: Language | None, cancel: CancelToken
) -> dict[str, identity.Identity]:
    """Ask the model of a near name, as a build does; {} where there is nothing to ask."""
    embedder = ws.embedder()
    if language is None:
        return {}
    with ws.vault.read() as db:
        embed = None if embedder is None else embedder.embed
        doubts = identity.find_doubts(db, [candidate], embed)
    pairs = [(doubt, near) for doubt in doubts for near in doubt.near]
    requests = [identity.same_request(doubt, near) for doubt, near in pairs]
    asked = [Asked(request, request, why_bad_choice) for request in requests]
    return identity.decide_all(pairs, ask_all(language, asked, cancel))
