"""The commands `times` and `plans`."""

import argparse
from collections.abc import Iterable, Iterator
from datetime import timedelta

from apexmem_desktop.cli import dates, json_shapes, opening, output
from apexmem_desktop.cli.json_shapes import Shape, bound_shape
from apexmem_desktop.cli.spelling import spell_fact, spell_when
from apexmem_desktop.domain.denied import denied_name
from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.graph import Entity, Fact, MemoryType
from apexmem_desktop.domain.held import Certainty, Held, HeldAt, Length
from apexmem_desktop.domain.reports import PlanOverlap, TimelineItem
from apexmem_desktop.domain.wall import clock_of
from apexmem_desktop.services import browsing, plans, times
from apexmem_desktop.services.workspace import Workspace

_DIRECTIONS = {1: "more", -1: "less"}  # of values that have an amount or a place in time


def run_times(options: argparse.Namespace) -> None:
    """Answer one question of time about an entity."""
    with opening.open_workspace(options) as ws:
        entity = browsing.find_entity(ws, options.name)
        shape, lines = _asked(options, ws)
    if options.json:
        output.print_json({"entity": json_shapes.entity_shape(entity), **shape})
        return
    print(f"{entity.name} ({entity.type})")
    for line in lines or ["Nothing is known."]:
        print(f"  {line}")


def _asked(options: argparse.Namespace, ws: Workspace) -> tuple[Shape, list[str]]:
    if options.around:
        return _around(options, ws)
    if options.relation:
        return _related(options, ws)
    if options.how_long:
        return _how_long(options, ws)
    if options.how_many:
        return _how_many(options, ws)
    return _events(options, ws) if options.events else _changes(options, ws)


def _known(options: argparse.Namespace, ws: Workspace) -> int | None:
    return dates.end_ms(options, "known_at", ws)


def _one_property(options: argparse.Namespace) -> str:
    if not options.property:
        raise UserError("Of which property?", hint="Name it: --property lives_in")
    return str(options.property)


def _changes(options: argparse.Namespace, ws: Workspace) -> tuple[Shape, list[str]]:
    found = times.changes_of(
        ws, options.name, property=options.property, known_at_ms=_known(options, ws)
    )
    shapes, lines = [], []
    for change in found:
        sides = [side for side in (change.before, change.after) if side is not None]
        if not _is_wanted(sides, options):
            continue
        clock = clock_of(sides[-1].evidence)
        shapes.append({
            "property": change.property,
            "when": bound_shape(change.when, clock),
            "before": None if change.before is None else json_shapes.fact_shape(change.before),
            "after": None if change.after is None else json_shapes.fact_shape(change.after),
            "direction": _DIRECTIONS.get(times.direction_of(change) or 0),
        })  # fmt: skip
        before, after = (_value(side) for side in (change.before, change.after))
        when = spell_when(change.when, clock)
        more = _DIRECTIONS.get(times.direction_of(change) or 0)
        told = f" ({more})" if more else ""
        lines.append(f"{when}  {change.property}: {before} -> {after}{told}")
    return {"changes": shapes}, lines


def _is_wanted(sides: list[Fact], options: argparse.Namespace) -> bool:
    """Keep changes of the value asked for; that a trip was over is none unless asked for."""
    if options.value:
        return options.value.casefold() in (side.value.casefold() for side in sides)
    return bool(options.property) or sides[0].memory_type is not MemoryType.ACTION


def _value(fact: Fact | None) -> str:
    if fact is None:
        return "nothing"
    verb = "" if fact.polarity else denied_name(fact.property, "en") or "not"
    return f"{verb} {fact.value}".lstrip()


def _around(options: argparse.Namespace, ws: Workspace) -> tuple[Shape, list[str]]:
    known_at_ms = _known(options, ws)
    event = times.find_event_of(ws, options.name, options.around, known_at_ms=known_at_ms)
    around = times.held_around(
        ws, options.name, event.id, property=options.property, known_at_ms=known_at_ms
    )
    shape = {
        "event": json_shapes.event_shape(event),
        "before": [_held_at_shape(one) for one in around.before],
        "after": [_held_at_shape(one) for one in around.after],
    }
    lines = [
        f"{side}: {_spell_held(one.held)}{_doubt(one.certainty)}"
        for side, held in (("before", around.before), ("after", around.after))
        for one in held
    ]
    when = spell_when(event.start, clock_of(event.evidence))
    return {"around": shape}, [f"{event.summary}, {when} (event {event.id})", *lines]


def _related(options: argparse.Namespace, ws: Workspace) -> tuple[Shape, list[str]]:
    first, second = options.relation
    found = times.relations_of(ws, options.name, first, second, known_at_ms=_known(options, ws))
    certain = len(found.relations) == 1
    shape = {
        "first": json_shapes.event_shape(found.first),
        "second": json_shapes.event_shape(found.second),
        "certain": certain,
        "relations": list(found.relations),
    }
    told = " or ".join(name.replace("_", " ") for name in found.relations)
    line = f"{found.first.summary} - {told} - {found.second.summary}"
    return {"related": shape}, [line if certain else f"{line}  (each is possible)"]


def _how_long(options: argparse.Namespace, ws: Workspace) -> tuple[Shape, list[str]]:
    found = times.how_long(
        ws, options.name, _one_property(options), value=options.value,
        as_of_ms=dates.end_ms(options, "as_of", ws), known_at_ms=_known(options, ws),
    )  # fmt: skip
    shapes = [
        _held_shape(held)
        | {
            "least_days": _days(length.least_ms),
            "most_days": None if length.most_ms is None else _days(length.most_ms),
            "ongoing": length.ongoing,
        }
        for held, length in found
    ]
    lines = [f"{_spell_held(held)}: {_spell_length(length)}" for held, length in found]
    return {"lengths": shapes}, lines


def _days(ms: int) -> float:
    return round(timedelta(milliseconds=ms) / timedelta(days=1), 2)


def _spell_length(length: Length) -> str:
    least = f"{_days(length.least_ms):g}"
    most = "" if length.most_ms is None else f"{_days(length.most_ms):g}"
    told = f"{least} days" if most == least else f"{least} to {most or 'any number of'} days"
    return f"{told}, and still" if length.ongoing else told


def _how_many(options: argparse.Namespace, ws: Workspace) -> tuple[Shape, list[str]]:
    count = times.how_many(
        ws, options.name, _one_property(options), value=options.value,
        from_ms=dates.start_ms(options, "from", ws), to_ms=dates.after_ms(options, "to", ws),
        known_at_ms=_known(options, ws),
    )  # fmt: skip
    facts = [json_shapes.fact_shape(fact) for fact in count.facts]
    told = f"{count.least}" if count.least == count.most else f"{count.least} to {count.most}"
    shape = {"count": {"least": count.least, "most": count.most, "facts": facts}}
    return shape, [f"{told} times", *(spell_fact(fact) for fact in count.facts)]


def _events(options: argparse.Namespace, ws: Workspace) -> tuple[Shape, list[str]]:
    found = times.events_in(
        ws, options.name, type=options.value,
        from_ms=dates.start_ms(options, "from", ws), to_ms=dates.after_ms(options, "to", ws),
        known_at_ms=_known(options, ws),
    )  # fmt: skip
    lines = [
        f"{spell_when(e.start, clock_of(e.evidence))}  {e.type}: {e.summary} (event {e.id})"
        for e in found
    ]
    return {"events": [json_shapes.event_shape(event) for event in found]}, lines


def _held_shape(held: Held) -> Shape:
    first = held.facts[0]
    clock = clock_of(first.evidence)
    return {
        "property": first.property,
        "value": first.value,
        "from": bound_shape(held.start, clock),
        "to": bound_shape(held.end, clock),
        "facts": [fact.id for fact in held.facts],
    }


def _held_at_shape(one: HeldAt) -> Shape:
    return _held_shape(one.held) | {"certainty": one.certainty.value}


def _spell_held(held: Held) -> str:
    first = held.facts[0]
    clock = clock_of(first.evidence)
    end = spell_when(held.end, clock)
    until = f" until {end}" if end else ""
    return f"{first.property}: {first.value}, from {spell_when(held.start, clock)}{until}"


def _doubt(certainty: Certainty) -> str:
    return "" if certainty is Certainty.CERTAIN else "  (may or may not have held then)"


def run_plans(options: argparse.Namespace) -> None:
    """Show what is planned, and which of it overlaps."""
    with opening.open_workspace(options) as ws:
        window = {
            "from_ms": dates.start_ms(options, "from", ws),
            "to_ms": dates.after_ms(options, "to", ws),
            "as_of_ms": dates.end_ms(options, "as_of", ws),
        }
        people = plans.find_planners(ws, options.name)
        planned = [plans.plans_of(ws, str(one.id), **window) for one in people]
        overlaps = [plans.plan_overlaps(ws, str(one.id), **window) for one in people]
    listed = list(_each_once(planned))
    pairs = [(entity, pair) for entity, found in overlaps for pair in found]
    if options.json:
        shape: Shape = {"plans": [_plan_shape(entity, item) for entity, item in listed]}
        if options.overlaps:
            shape["overlaps"] = [_overlap_shape(entity, pair) for entity, pair in pairs]
        output.print_json(shape)
        return
    for entity, item in listed:
        print(f"{entity.name}: {_spell_plan(item)}")
    if not listed:
        print("Nothing is planned.")
    for entity, pair in pairs if options.overlaps else ():
        first, second = pair.first.label, pair.second.label
        surely = "overlap" if pair.certainty.value == "certain" else "may overlap"
        print(f"{entity.name}: {first} and {second} {surely}")


def _each_once(
    planned: Iterable[tuple[Entity, tuple[TimelineItem, ...]]],
) -> Iterator[tuple[Entity, TimelineItem]]:
    """Give a plan that several share once, with the first of them."""
    seen = set()
    for entity, items in planned:
        for item in items:
            key = item.kind, item.fact_id, item.event_id
            if key not in seen:
                seen.add(key)
                yield entity, item


def _plan_shape(entity: Entity, item: TimelineItem) -> Shape:
    who = {"entity": entity.name, "entity_id": entity.id}
    return who | json_shapes.timeline_item_shape(item)


def _overlap_shape(entity: Entity, pair: PlanOverlap) -> Shape:
    return {
        "entity": entity.name,
        "entity_id": entity.id,
        "certainty": pair.certainty.value,
        "first": _plan_shape(entity, pair.first),
        "second": _plan_shape(entity, pair.second),
    }


def _spell_plan(item: TimelineItem) -> str:
    clock = clock_of(item.evidence)
    start, end = spell_when(item.start, clock), spell_when(item.end, clock)
    proofs = ", ".join(f"turn {proof.turn_id}" for proof in item.evidence)
    return f"{start}{f' to {end}' if end else ''}  {item.label} ({proofs})"
