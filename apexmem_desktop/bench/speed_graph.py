"""Fills a vault of any size with generated facts and vectors, which no model could make in time.

The one bench that writes through `storage` itself: no service does this, since no user can.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apexmem_desktop.bench.speed_chat import PLACES, made_up_words
from apexmem_desktop.domain.graph import NewEvent, NewFact, Quote, ValueType
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, Validity
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, events, facts, properties, turns, vectors
from apexmem_desktop.storage.vault import Connection

# A million turns get 300,000 facts on 20,000 entities.
FACTS_A_TURN = 0.3
TURNS_AN_ENTITY = 50
FEWEST_ENTITIES = 5
# Name, whether it has one value at a time, whether its values are entities.
_PROPERTIES = (
    ("lives_in", True, True), ("works_at", True, True), ("works_as", True, False),
    ("relationship_status", True, False), ("age", True, False), ("likes", False, False),
    ("owns", False, False), ("visited", False, True), ("plays", False, False),
    ("speaks", False, False), ("friend_of", False, True), ("dislikes", False, False),
)  # fmt: skip
SINGLE_VALUED = tuple(name for name, single, _ in _PROPERTIES if single)
_FACTS_AT_ONCE = 2_000
_VECTORS_AT_ONCE = 4_096
_SEEDS = 512  # real vectors that the generated ones lie around
_NOISE = 0.7  # length of what is added to a real vector: a cosine of 0.82 with it
_ENDED = 0.05  # share of the facts that somebody said the end of
_EVERY_ASKED = 7  # of the drawn entities that are kept for asking
_VALUES = ("chess", "jazz", "a red bicycle", "Portuguese", "single", "a nurse", "a canoe", "tea")
_ALL = 2**62
_DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Graph:
    """What a vault was filled with.

    Attributes:
        drawn: Entities (number, name) as often as they have facts: who is spoken of most is
            asked about most.
    """

    facts: int
    entities: int
    drawn: tuple[tuple[int, str], ...]


def fill_graph(ws: Workspace, messages: int, progress: ProgressSink, cancel: CancelToken) -> Graph:
    """Append facts, each on its event and with its proof, spread as `_pick` says."""
    draw = random.Random(13)  # noqa: S311 - made-up facts
    total = max(1, round(messages * FACTS_A_TURN))
    number = max(FEWEST_ENTITIES, messages // TURNS_AN_ENTITY)
    with ws.vault.write() as db:
        people = _append_people(db, draw, number, ws.now_ms())
        kinds = _append_properties(db, ws.now_ms())
    asked: list[tuple[int, str]] = []
    for done in range(0, total, _FACTS_AT_ONCE):
        cancel.check()
        # Every fact has a turn of its own, from all over the chat.
        numbers = range(done, min(done + _FACTS_AT_ONCE, total))
        with ws.vault.write() as db:
            said = turns.find_turns(db, [1 + n * messages // total for n in numbers])
            subjects = [_pick(draw, people) for _ in said]
            _append_facts(db, draw, said, subjects, people, kinds, ws.now_ms())
        asked += subjects[::_EVERY_ASKED]
        progress(Progress("Generating facts", numbers[-1] + 1, total, "facts"))
    return Graph(total, number, tuple(asked))


def _append_people(
    db: Connection, draw: random.Random, number: int, now_ms: int
) -> list[tuple[int, str]]:
    words = made_up_words()
    names = dict.fromkeys((*PLACES,), "place")
    while len(names) < number:
        names.setdefault(" ".join(word.capitalize() for word in draw.sample(words, 2)), "person")
    return [
        (
            entities.append_entity(
                db, name=name, type=kind, is_speaker=False, recorded_at_ms=now_ms
            ),
            name,
        )
        for name, kind in names.items()
    ]


def _append_properties(db: Connection, now_ms: int) -> dict[str, int]:
    return {
        name: properties.ensure_property(
            db,
            name=name,
            value_type=ValueType.ENTITY if of_entities else ValueType.STRING,
            single_valued=single,
            recorded_at_ms=now_ms,
        ).id
        for name, single, of_entities in _PROPERTIES
    }


def _pick(draw: random.Random, people: Sequence[tuple[int, str]]) -> tuple[int, str]:
    """Choose an entity; some are spoken of much more than others.

    Of a million turns' 300,000 facts the first entity gets some 2,000, the middle one 11, the last
    one 8.
    """
    return people[int(len(people) * draw.random() ** 2)]


def _append_facts(
    db: Connection,
    draw: random.Random,
    said: Sequence[Turn],
    subjects: Sequence[tuple[int, str]],
    people: Sequence[tuple[int, str]],
    kinds: dict[str, int],
    now_ms: int,
) -> None:
    """Append one fact and its event for each turn, as building does, in one go."""
    quotes = [Quote(turn.id, 0, len(turn.text), turn.text) for turn in said]
    happened = [
        NewEvent(
            type="statement", summary=quote.text, validity=_validity(draw, turn), quotes=(quote,),
        )
        for turn, quote in zip(said, quotes, strict=True)
    ]  # fmt: skip
    event_ids = events.append_events(db, happened, recorded_at_ms=now_ms)
    new: list[NewFact] = []
    mentions: list[tuple[int, int, str]] = []
    for event_id, event, (subject, _) in zip(event_ids, happened, subjects, strict=True):
        name, _, of_entities = draw.choice(_PROPERTIES)
        thing = _pick(draw, people) if of_entities else None
        new.append(
            NewFact(
                subject_id=subject,
                property_id=kinds[name],
                value=thing[1] if thing else f"{draw.choice(_VALUES)} {draw.randrange(40)}",
                value_type=ValueType.ENTITY if thing else ValueType.STRING,
                validity=event.validity,
                quotes=event.quotes,
                confidence=0.9,
                event_id=event_id,
                value_entity_id=thing[0] if thing else None,
            )
        )
        mentions.append((subject, event.quotes[0].turn_id, "mentioned"))
    facts.append_facts(db, new, recorded_at_ms=now_ms)
    entities.append_mentions(db, mentions)


def _validity(draw: random.Random, turn: Turn) -> Validity:
    at_ms = turn.said_at_ms or 0
    start = Bound(at_ms, at_ms + _DAY_MS, Precision.DAY, TimeSource.WORKED_OUT)
    if draw.random() >= _ENDED:
        return Validity(start)
    later_ms = at_ms + draw.randrange(1, 400) * _DAY_MS
    return Validity(start, Bound(later_ms, later_ms + _DAY_MS, Precision.DAY, TimeSource.STATED))


def fill_vectors(ws: Workspace, progress: ProgressSink, cancel: CancelToken) -> int:
    """Give every turn and fact without a vector a generated one; return how many.

    They lie around real vectors of the chat's own turns, so that a search finds near ones.
    """
    embedder = ws.embedder()
    if embedder is None:
        return 0
    with ws.vault.read() as db:
        missing = turns.find_turns_to_embed(db, embedder.embedder_id, _ALL)
        new_facts = vectors.find_facts_to_embed(db, embedder.embedder_id, _ALL)
    if not missing:
        return 0
    around = embedder.embed([text for _, text in missing[:_SEEDS]], cancel=cancel)
    draw = np.random.default_rng(17)
    total = len(missing) + len(new_facts)
    done = 0
    for append, numbers in (
        (vectors.append_turn_vectors, [number for number, _ in missing]),
        (vectors.append_fact_vectors, new_facts),
    ):
        for start in range(0, len(numbers), _VECTORS_AT_ONCE):
            cancel.check()
            part = numbers[start : start + _VECTORS_AT_ONCE]
            made = _around(draw, around, len(part))
            with ws.vault.write() as db:
                append(db, embedder.embedder_id, zip(part, made, strict=True))
            done += len(part)
            progress(Progress("Generating vectors", done, total, "vectors"))
    return done


def _around(draw: np.random.Generator, real: vectors.Vector, count: int) -> vectors.Vector:
    width = real.shape[1]
    noise = draw.standard_normal((count, width), dtype=np.float32) * np.float32(
        _NOISE / np.sqrt(width)
    )
    chosen: vectors.Vector = real[draw.integers(0, len(real), count)] + noise
    return chosen
