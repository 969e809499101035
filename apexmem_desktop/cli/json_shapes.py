"""The JSON shapes of the command line. Scripts rely on them: keys are added, never changed."""

from dataclasses import asdict
from typing import Any

from apexmem_desktop.cli.dates import iso
from apexmem_desktop.domain.answers import Answer, Citation, SearchResult, Step, TurnHit
from apexmem_desktop.domain.derived import Derived
from apexmem_desktop.domain.graph import Entity, Event, Evidence, Fact
from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.people import Proposal
from apexmem_desktop.domain.reading import Drops, QueueOverview
from apexmem_desktop.domain.reports import (
    BuildReport,
    FileReport,
    ImportProblem,
    ModelSummary,
    SqlResult,
    TimelineItem,
    VaultStatus,
)
from apexmem_desktop.domain.rulings import EntityLink, Ruling, RulingResult
from apexmem_desktop.domain.wall import UTC_CLOCK, WallClock, clock_of

Shape = dict[str, Any]


def bound_shape(bound: Bound | None, clock: WallClock = UTC_CLOCK) -> Shape | None:
    """Shape one end of a validity; None when nobody said that it ended."""
    if bound is None:
        return None
    clock = clock.of_bound(bound)
    return {
        "earliest": iso(bound.earliest_ms, clock.offset_at(bound.earliest_ms)),
        "latest": iso(bound.latest_ms, clock.offset_at(bound.latest_ms)),
        "precision": bound.precision.value,
        "source": bound.source.value,
    }


def evidence_shape(evidence: Evidence) -> Shape:
    """Shape one proof."""
    return {
        "turn_id": evidence.turn_id,
        "session": evidence.session_title,
        "speaker": evidence.speaker,
        "said_at": iso(evidence.said_at_ms, evidence.offset_minutes),
        "quote": evidence.quote,
        "start": evidence.start,
        "end": evidence.end,
    }


def fact_shape(fact: Fact) -> Shape:
    """Shape one fact; its dates are by the clock of the person who said it."""
    clock = clock_of(fact.evidence)
    return {
        "id": fact.id,
        "entity": fact.subject,
        "entity_id": fact.subject_id,
        "property": fact.property,
        "value": fact.value,
        "value_type": fact.value_type.value,
        "polarity": fact.polarity,
        "modality": fact.modality.value,
        "memory_type": fact.memory_type.value,
        "valid_from": bound_shape(fact.valid_from, clock),
        "valid_to": bound_shape(fact.valid_to, clock),
        "effective_to": bound_shape(fact.effective_to, clock),
        "confidence": round(fact.confidence, 3),
        "holder": fact.holder,
        "recorded_at": iso(fact.recorded_at_ms),
        "phrase": fact.phrase,
        "status": fact.status.value,
        "evidence": [evidence_shape(proof) for proof in fact.evidence],
        "links": [
            {"from": link.from_id, "to": link.to_id, "kind": link.kind.value, "by": link.by,
             "reason": link.reason}
            for link in fact.links
        ],
    }  # fmt: skip


def entity_shape(entity: Entity) -> Shape:
    """Shape one entity."""
    return {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "role": entity.role.value,
        "aliases": list(entity.aliases),
        "facts": entity.fact_count,
        "mentions": entity.mention_count,
        "first_at": iso(entity.first_at_ms),
        "last_at": iso(entity.last_at_ms),
    }


def derived_shape(found: Derived) -> Shape:
    """Shape what is worked out from all facts of an entity, as of the last said of it."""
    return {
        "importance": round(found.weight, 3),
        "summary": [] if found.summary is None else found.summary.text.splitlines(),
        "habits": [
            {
                "text": habit.text,
                "stated": habit.stated,
                "times": habit.times,
                "every_days": habit.every_days,
                "first_at": iso(habit.first_ms),
                "last_at": iso(habit.last_ms),
                "facts": list(habit.fact_ids),
            }
            for habit in found.habits
        ],
    }


def ruling_shape(ruling: Ruling) -> Shape:
    """Shape one decision of the user."""
    return {
        "id": ruling.id,
        "kind": ruling.kind.value,
        "at": iso(ruling.ruled_at_ms),
        "says": ruling.says,
        "fact": ruling.fact_id,
        "entity": ruling.entity_id,
        "reason": ruling.reason,
        "undoes": ruling.undoes_id,
        "again": ruling.again_id,
    }


def entity_link_shape(link: EntityLink) -> Shape:
    """Shape one line of the log of merges."""
    return {
        "id": link.id,
        "a": link.a_id,
        "b": link.b_id,
        "kind": link.kind,
        "by": link.by,
        "state": link.state.value,
        "because": link.because,
        "reason": link.reason,
        "undoes": link.undoes_id,
        "at": iso(link.recorded_at_ms),
    }


def ruling_result_shape(result: RulingResult) -> Shape:
    """Shape a decision with what it touched."""
    changed = result.changed
    return {
        "ruling": ruling_shape(result.ruling),
        "changed": {
            "entities": list(changed.entity_ids),
            "facts": list(changed.fact_ids),
            "turns": list(changed.turn_ids),
        },
    }


def event_shape(event: Event) -> Shape:
    """Shape one event."""
    clock = clock_of(event.evidence)
    return {
        "id": event.id,
        "type": event.type,
        "summary": event.summary,
        "modality": event.modality.value,
        "start": bound_shape(event.start, clock),
        "end": bound_shape(event.end, clock),
        "place": event.place,
        "participants": [{"id": i, "name": name, "role": r} for i, name, r in event.participants],
        "evidence": [evidence_shape(proof) for proof in event.evidence],
    }


def hit_shape(hit: TurnHit) -> Shape:
    """Shape one found turn."""
    return {
        "turn_id": hit.turn_id,
        "session": hit.session_title,
        "speaker": hit.speaker,
        "said_at": iso(hit.said_at_ms, hit.offset_minutes),
        "text": hit.text,
        "score": round(hit.score, 6),
        "why": list(hit.why),
    }


def search_shape(result: SearchResult) -> Shape:
    """Shape what a search found."""
    return {
        "turns": [hit_shape(hit) for hit in result.turns],
        "entities": [entity_shape(entity) for entity in result.entities],
        "facts": [fact_shape(fact) for fact in result.facts],
        "events": [event_shape(event) for event in result.events],
    }


def citation_shape(citation: Citation) -> Shape:
    """Shape one citation."""
    return {
        "number": citation.number,
        "turn_id": citation.turn_id,
        "session": citation.session,
        "speaker": citation.speaker,
        "said_at": iso(citation.said_at_ms, citation.offset_minutes),
        "quote": citation.quote,
    }


def step_shape(step: Step) -> Shape:
    """Shape one tool call; its result is in the trace."""
    return {
        "tool": step.tool,
        "arguments": step.arguments,
        "result_chars": len(step.result),
        "ms": step.ms,
        "error": step.error or None,
    }


def answer_shape(answer: Answer) -> Shape:
    """Shape an answer."""
    return {
        "question": answer.question,
        "answer": answer.answer,
        "abstained": answer.abstained,
        "summary": answer.summary,
        "citations": [citation_shape(citation) for citation in answer.citations],
        "facts": [fact_shape(fact) for fact in answer.facts],
        "conflicts": [
            {"property": conflict.property, "sides": [fact_shape(f) for f in conflict.sides]}
            for conflict in answer.conflicts
        ],
        "steps": [step_shape(step) for step in answer.steps],
        "usage": asdict(answer.usage),
        "evidence": [hit_shape(hit) for hit in answer.evidence],
    }


def trace_shape(answer: Answer) -> Shape:
    """Shape how an answer was found, with what each tool gave."""
    return {
        "question": answer.question,
        "answer": answer.answer,
        "understood": [{"what": what, "as": how} for what, how in answer.understood],
        "steps": [step_shape(step) | {"result": step.result} for step in answer.steps],
        "evidence": [hit_shape(hit) for hit in answer.evidence],
        "dropped": list(answer.dropped),
        "usage": asdict(answer.usage),
    }


def timeline_item_shape(item: TimelineItem) -> Shape:
    """Shape one line of a timeline."""
    clock = clock_of(item.evidence)
    return {
        "kind": item.kind,
        "when": {"from": bound_shape(item.start, clock), "to": bound_shape(item.end, clock)},
        "lane": item.lane,
        "label": item.label,
        "planned": item.planned,
        "contested": item.contested,
        "confidence": round(item.confidence, 3),
        "fact_id": item.fact_id,
        "event_id": item.event_id,
        "evidence": [evidence_shape(proof) for proof in item.evidence],
    }


def problem_shape(problem: ImportProblem) -> Shape:
    """Shape one import problem."""
    return {"where": problem.where, "what": problem.what}


def proposal_shape(proposal: Proposal) -> Shape:
    """Shape two people who may be one."""
    both = zip((proposal.first, proposal.second), proposal.formats, strict=True)
    first, second = (
        {"id": one.id, "name": one.name, "aliases": list(one.aliases), "formats": list(formats)}
        for one, formats in both
    )
    return {"a": first, "b": second, "why": proposal.why}


def file_shape(report: FileReport) -> Shape:
    """Shape one file's import or preview."""
    return {
        "file": report.file,
        "format": report.format,
        "sessions": report.sessions,
        "turns_new": report.turns_new,
        "turns_known": report.turns_known,
        "turns_erased": report.turns_erased,
        "turns_read": report.turns_read,
        "turns_skipped": report.turns_skipped,
        "skipped": [problem_shape(one) | {"turns": one.turns} for one in report.skipped],
        "first_at": iso(report.first_at_ms, report.first_offset_minutes),
        "last_at": iso(report.last_at_ms, report.offset_minutes),
        "speakers": list(report.speakers),
        "titles": list(report.titles),
        "chats": [{"title": one.title, "zone": one.zone} for one in report.chats],
        "date_order": report.date_order,
        "date_order_certain": report.date_order_certain,
        "zone": report.zone,
        "owner": report.owner,
        "owner_asked": report.owner_asked,
        "people": list(report.people),
        "problems": [problem_shape(problem) for problem in report.problems],
    }


def build_shape(report: BuildReport) -> Shape:
    """Shape what a build gave and cost."""
    return asdict(report) | {"seconds": round(report.seconds, 3)}


def queue_shape(queue: QueueOverview) -> Shape:
    """Shape how far the memory was read, and what failed."""
    failures = [
        {
            "turn_id": one.turn_id,
            "speaker": one.speaker,
            "said_at": iso(one.said_at_ms, one.offset_minutes),
            "text": one.text,
            "reason": one.reason,
            "attempts": one.attempts,
        }
        for one in queue.failures
    ]
    return asdict(queue) | {"failures": failures}


def drops_shape(drops: Drops) -> Shape:
    """Shape what was read and not stored."""
    newest = [
        {
            "turn_id": one.turn_id,
            "speaker": one.speaker,
            "said_at": iso(one.said_at_ms, one.offset_minutes),
            "text": one.text,
            "candidate": one.candidate,
            "reason": one.reason,
            "recorded_at": iso(one.recorded_at_ms, 0),
        }
        for one in drops.newest
    ]
    return {"counts": drops.counts, "dropped": newest}


def model_shape(model: ModelSummary) -> Shape:
    """Shape one model of the catalogue."""
    return asdict(model)


def sql_shape(result: SqlResult) -> Shape:
    """Shape the rows of a query."""
    return {
        "columns": list(result.columns),
        "rows": [list(row) for row in result.rows],
        "truncated": result.truncated,
        "ms": result.ms,
    }


def status_shape(status: VaultStatus) -> Shape:
    """Shape counts and sizes."""
    return {
        "turns": status.turns,
        "sessions": status.sessions,
        "entities": status.entities,
        "facts": status.facts,
        "events": status.events,
        "queue": {"pending": status.pending, "failed": status.failed},
        "vault_bytes": status.vault_bytes,
        "encrypted": status.encrypted,
        "models": [model_shape(model) for model in status.models],
    }
