"""The graph of long conversations: what was covered, dated and told apart, and a sheet to judge."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from apexmem_desktop.bench import relative
from apexmem_desktop.bench.intervals import Estimate, share
from apexmem_desktop.bench.locomo import DIALOGUE_ID
from apexmem_desktop.bench.shapes import Checked, DataShapeError, read_entries
from apexmem_desktop.bench.vaults import Export, Shelf
from apexmem_desktop.domain.graph import Entity, Event, Evidence, Fact, Modality
from apexmem_desktop.domain.interval import Bound, TimeSource
from apexmem_desktop.domain.reports import BuildReport
from apexmem_desktop.services import browsing
from apexmem_desktop.services.inspecting import (
    Gated,
    every_event,
    every_fact,
    external_ids,
    gate_every_turn,
)
from apexmem_desktop.services.workspace import Workspace

_EVERY_ENTITY = 100_000
RIGHT, WRONG = "right", "wrong"


@dataclass(frozen=True, slots=True)
class GraphCoverage:
    """How much of what people noted of a conversation is in its graph.

    Attributes:
        covered: Share of the turns that the data's observations cite from which a grounded fact
            or event was taken.
        dates: Share of the judged relative dates that agree with what their words mean.
        entities_a_person: By speaker, how many entities bear the name.
        merged: Entities that bear two speakers' names.
        by_conversation: The share covered, for each conversation by its name.
        gate_recall: Share of the turns that the observations cite which the gate lets through.
        passed_over: Share of all turns that it does not.
        gate_s: Seconds that the gate takes for one turn.
    """

    covered: Estimate
    dates: Estimate
    entities_a_person: dict[str, int]
    merged: tuple[str, ...]
    misdated: tuple[str, ...]
    by_conversation: dict[str, Estimate]
    gate_recall: Estimate
    passed_over: Estimate
    gate_s: float

    def lines(self) -> list[str]:
        """Write it for people."""
        each = ", ".join(
            f"{name} {found.value:.2f}" for name, found in self.by_conversation.items()
        )
        people = ", ".join(f"{name} {n}" for name, n in self.entities_a_person.items())
        return [
            f"Observed turns covered: {self.covered.spell()}, n = {self.covered.n}; {each}",
            f"Gate: recall of observed turns {self.gate_recall.spell()}; of all turns "
            f"{self.passed_over.spell()} passed over, n = {self.passed_over.n}; "
            f"{self.gate_s * 1000:.1f} ms a turn",
            f"Relative dates right: {self.dates.spell()}, n = {self.dates.n}",
            f"Entities a person: {people}; wrong merges: {', '.join(self.merged) or 'none'}",
            *(f"misdated: {one}" for one in self.misdated),
        ]

    def to_json(self) -> dict[str, Any]:
        """Give it as plain JSON values."""
        return {
            "observed_turns_covered": self.covered.to_json(),
            "relative_dates": self.dates.to_json(),
            "entities_a_person": self.entities_a_person,
            "wrong_merges": list(self.merged),
            "misdated": list(self.misdated),
            "covered_by_conversation": {
                name: found.to_json() for name, found in self.by_conversation.items()
            },
            "gate_recall": self.gate_recall.to_json(),
            "gate_passed_over": self.passed_over.to_json(),
            "gate_seconds_a_turn": round(self.gate_s, 6),
        }


@dataclass(slots=True)
class _Gathered:
    """What the conversations gave so far."""

    covered: dict[str, list[bool]]
    let_through: list[bool]  # of the observed turns
    gated: list[Gated]
    dates: list[tuple[str, bool]]
    people: dict[str, int]
    merged: list[str]
    facts: list[Fact]
    events: list[Event]
    reports: list[BuildReport]


def measure_conversations(
    shelf: Shelf, exports: Sequence[Export], data: Path
) -> tuple[GraphCoverage, list[Fact], list[Event], list[BuildReport]]:
    """Build each conversation's graph and look at it; gives its facts and events too."""
    got = _Gathered({}, [], [], [], {}, [], [], [], [])
    for export in exports:
        with shelf.built(export) as (ws, report):
            got.reports.append(report)
            facts, events = every_fact(ws), _happenings(ws)
            got.facts += facts
            got.events += events
            observed = _observed(Checked(data, export.name, export.entries[0]))
            told = _turns_told_of(ws, facts, events)
            got.covered[export.name] = [name in told for name in sorted(observed)]
            _look_at_gate(ws, observed, got)
            got.dates += list(_judged_dates(facts))
            _look_at_people(ws, got)
    coverage = _summed_up(got)
    return coverage, got.facts, got.events, got.reports


def _summed_up(got: _Gathered) -> GraphCoverage:
    looked_at = sum(gated.turns for gated in got.gated)
    over = [passed for gated in got.gated for passed in _passed_over(gated)]
    return GraphCoverage(
        covered=share([one for of_one in got.covered.values() for one in of_one]),
        by_conversation={name: share(of_one) for name, of_one in got.covered.items()},
        gate_recall=share(got.let_through),
        passed_over=share(over),
        gate_s=sum(gated.seconds for gated in got.gated) / max(1, looked_at),
        dates=share([right for _, right in got.dates]),
        entities_a_person=got.people,
        merged=tuple(got.merged),
        misdated=tuple(told for told, right in got.dates if not right),
    )


def _passed_over(gated: Gated) -> list[bool]:
    return [True] * (gated.turns - len(gated.passed)) + [False] * len(gated.passed)


def _look_at_gate(ws: Workspace, observed: set[str], got: _Gathered) -> None:
    gated, names = gate_every_turn(ws), external_ids(ws)
    through = {names[number] for number in gated.passed}
    got.let_through += [name in through for name in sorted(observed)]
    got.gated.append(gated)


def sheet_rows(facts: Sequence[Fact], events: Sequence[Event]) -> list[dict[str, Any]]:
    """Write every fact and event beside its words."""
    return [*map(_fact_row, facts), *map(_event_row, events)]


def write_sheet(path: Path, rows: Sequence[dict[str, Any]], count: int, seed: int) -> int:
    """Write random rows of these as JSON lines, for a person to judge; return how many."""
    draw = random.Random(seed)  # noqa: S311 - a sample, no secret
    chosen = draw.sample(list(rows), min(count, len(rows)))
    with path.open("w", encoding="utf-8") as sheet:
        for row in chosen:
            sheet.write(json.dumps(row | {"verdict": ""}, ensure_ascii=False) + "\n")
    return len(chosen)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """A judged sheet.

    Attributes:
        precision: Share of its judged rows that are right.
        curve: The same by the confidence that the facts were stored with, rounded to 0.05;
            events have none and are in no step of it.
    """

    precision: Estimate
    curve: dict[float, Estimate]

    def lines(self) -> list[str]:
        """Write it for people."""
        steps = [
            f"Of confidence {step:.2f}: {found.spell()} right, n = {found.n}"
            for step, found in self.curve.items()
        ]
        right = f"Facts and events judged right: {self.precision.spell()}, n = {self.precision.n}"
        return [right, *steps]

    def to_json(self) -> dict[str, Any]:
        """Give it as plain JSON values."""
        curve = {f"{step:.2f}": found.to_json() for step, found in self.curve.items()}
        return {"judged_precision": self.precision.to_json(), "calibration": curve}


def read_verdicts(path: Path) -> Verdicts:
    """Read a judged sheet back; rows without "right" or "wrong" do not count.

    Raises:
        DataShapeError: It is no such sheet.
    """
    judged: list[bool] = []
    steps: dict[float, list[bool]] = {}
    for at, row in enumerate(read_entries(path), start=1):
        verdict = Checked(path, f"row {at}", row).text("verdict").strip().lower()
        if verdict not in (RIGHT, WRONG):
            continue
        judged.append(verdict == RIGHT)
        confidence = row.get("confidence") if isinstance(row, dict) else None
        if isinstance(confidence, int | float):
            steps.setdefault(round(confidence * 20) / 20, []).append(verdict == RIGHT)
    if not judged:
        raise DataShapeError(path, "the rows", f'no verdict is "{RIGHT}" or "{WRONG}"')
    return Verdicts(share(judged), {step: share(steps[step]) for step in sorted(steps)})


def _observed(sample: Checked) -> set[str]:
    """Give the ids of the turns that the observations cite."""
    found: set[str] = set()
    for by_speaker in sample.inner("observation").value.values():
        # A list of observations for each speaker, each a text and one id or several.
        found |= set(DIALOGUE_ID.findall(json.dumps(list(by_speaker.values()))))
    return found


def _happenings(ws: Workspace) -> list[Event]:
    """Give the events that tell something themselves; the others only carry facts."""
    return [event for event in every_event(ws) if event.type != "statement"]


def _turns_told_of(ws: Workspace, facts: Sequence[Fact], events: Sequence[Event]) -> set[str]:
    names = external_ids(ws)
    proofs = [one.evidence for one in facts] + [one.evidence for one in events]
    return {names[proof.turn_id] for of_one in proofs for proof in of_one}


def _judged_dates(facts: Sequence[Fact]) -> Iterator[tuple[str, bool]]:
    """Hold each worked-out start against what its phrase means on the day it was said."""
    for fact in facts:
        start = fact.valid_from
        if start.source is not TimeSource.WORKED_OUT or not fact.evidence or not fact.phrase:
            continue
        proof = fact.evidence[0]
        if proof.said_at_ms is None or start.earliest_ms is None or start.latest_ms is None:
            continue
        offset = proof.offset_minutes
        said_on = _day(proof.said_at_ms, offset)
        first, last = _day(start.earliest_ms, offset), _day(start.latest_ms - 1, offset)
        right = relative.agrees(first, max(first, last), fact.phrase, said_on)
        if right is not None:
            yield f"{fact.phrase!r} said on {said_on}: {first}", right


def _day(at_ms: int, offset_minutes: int) -> date:
    at = datetime.fromtimestamp(at_ms / 1000, UTC) + timedelta(minutes=offset_minutes)
    return at.date()


def _look_at_people(ws: Workspace, got: _Gathered) -> None:
    speakers = {name for one in browsing.conversations(ws) for name in one.speakers if name}
    entities = browsing.list_entities(ws, limit=_EVERY_ENTITY)
    for speaker in sorted(speakers):
        got.people[speaker] = sum(_bears(entity, speaker) for entity in entities)
    for entity in entities:
        borne = [speaker for speaker in speakers if _bears(entity, speaker)]
        if len(borne) > 1:
            got.merged.append(f"{entity.name} ({', '.join(sorted(borne))})")


def _bears(entity: Entity, speaker: str) -> bool:
    wanted = speaker.casefold()
    return any(name.casefold() == wanted for name in (entity.name, *entity.aliases))


def _fact_row(fact: Fact) -> dict[str, Any]:
    return {
        "fact": f"{fact.subject} | {fact.property} | {fact.value}",
        "polarity": fact.polarity,
        "time_words": fact.phrase,
        "confidence": round(fact.confidence, 3),
        **_told(fact.modality, fact.valid_from, fact.evidence[0]),
    }


def _event_row(event: Event) -> dict[str, Any]:
    return {
        "event": f"{event.type} | {event.summary}",
        "with": [name for _, name, _ in event.participants],
        **_told(event.modality, event.start, event.evidence[0]),
    }


def _told(modality: Modality, start: Bound, proof: Evidence) -> dict[str, Any]:
    return {
        "modality": modality.value,
        "from": None if start.earliest_ms is None else str(_day(start.earliest_ms, 0)),
        "from_at_latest": None if start.latest_ms is None else str(_day(start.latest_ms - 1, 0)),
        "precision": start.precision.value,
        "speaker": proof.speaker,
        "said_on": None if proof.said_at_ms is None else str(_day(proof.said_at_ms, 0)),
        "quote": proof.quote,
    }
