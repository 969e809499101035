"""The commands that show what is in the memory: search, entities, facts, timeline."""

import argparse
from collections.abc import Mapping

from apexmem_desktop.cli import dates, json_shapes, opening, output
from apexmem_desktop.cli.spelling import spell_fact, spell_hit, spell_proofs, spell_when
from apexmem_desktop.domain.derived import Derived
from apexmem_desktop.domain.graph import Entity, Fact, FactStatus
from apexmem_desktop.domain.held import Certainty
from apexmem_desktop.domain.wall import clock_of
from apexmem_desktop.services import browsing, proposals, times, upkeep


def run_search(options: argparse.Namespace) -> None:
    """Search turns, facts and entities."""
    with opening.open_workspace(options) as ws:
        result = browsing.search(
            ws,
            " ".join(options.words),
            person=options.person,
            from_ms=dates.start_ms(options, "from", ws),
            to_ms=dates.after_ms(options, "to", ws),
            limit=options.limit,
            known_at_ms=dates.end_ms(options, "known_at", ws),
        )
    if options.json:
        output.print_json(json_shapes.search_shape(result))
        return
    for entity in result.entities:
        print(f"{entity.name} ({entity.type}, entity {entity.id})")
    for fact in result.facts:
        print(f"{fact.subject}, {spell_fact(fact)}")
    for hit in result.turns:
        print(spell_hit(hit))
    if not (result.entities or result.facts or result.turns):
        print("Nothing was found.")


def run_entities(options: argparse.Namespace) -> None:
    """List people and things, or who of them may be one."""
    if options.proposals:
        _show_proposals(options)
        return
    with opening.open_workspace(options) as ws:
        entities = browsing.list_entities(
            ws, type=options.type, limit=options.limit, matching=options.matching
        )
        found = upkeep.derived_of(ws, [one.id for one in entities]) if options.json else {}
    if options.json:
        shapes = [
            json_shapes.entity_shape(one) | json_shapes.derived_shape(found[one.id])
            for one in entities
        ]
        output.print_json({"entities": shapes})
        return
    rows = [(e.id, e.type, e.fact_count, e.mention_count, _names(e)) for e in entities]
    output.print_table(("id", "type", "facts", "mentions", "name"), rows)


def _show_proposals(options: argparse.Namespace) -> None:
    with opening.open_workspace(options) as ws:
        found = proposals.find_proposals(ws)[: options.limit]
    if options.json:
        output.print_json({"proposals": [json_shapes.proposal_shape(one) for one in found]})
        return
    for one in found:
        a, b = one.first, one.second
        print(f"{a.name} ({a.id}) and {b.name} ({b.id}): {one.why}")
        print(f"  apexmem entity merge {a.id} {b.id}, or: apexmem entity apart {a.id} {b.id}")
    if not found:
        print("Nobody is proposed to be one with anybody.")


def run_facts(options: argparse.Namespace) -> None:
    """Show what holds of one entity, or every version of it."""
    with opening.open_workspace(options) as ws:
        as_of_ms = dates.end_ms(options, "as_of", ws)
        entity, facts = browsing.facts_of(
            ws,
            options.name,
            property=options.property,
            as_of_ms=as_of_ms,
            known_at_ms=dates.end_ms(options, "known_at", ws),
            history=options.history,
        )
        at_ms = as_of_ms if as_of_ms is not None else ws.now_ms()
        sure = times.certainties(facts, at_ms=at_ms)
        # It is worked out from all that is known today, so it has no place in what was known then.
        wanted = [entity.id] if options.json and not options.known_at_date else []
        found = upkeep.derived_of(ws, wanted).get(entity.id, Derived(entity.id, {}))
    if options.json:
        shapes = [
            json_shapes.fact_shape(fact)
            | {
                "certainty": sure[fact.id].value,
                "importance": round(found.importance.get(fact.id, 0.0), 3),
            }
            for fact in facts
        ]
        derived = json_shapes.entity_shape(entity) | json_shapes.derived_shape(found)
        output.print_json({"entity": derived, "facts": shapes})
        return
    print(f"{_names(entity)} ({entity.type})")
    for fact in facts:
        doubt = "  (may or may not have held then)" if _is_doubtful(fact, sure) else ""
        print(f"  {spell_fact(fact)}{doubt}")
        for proof in spell_proofs(fact):
            print(f"      {proof}")
    if not facts:
        print("  Nothing is known.")


def run_timeline(options: argparse.Namespace) -> None:
    """Show an entity's events and facts in order; draw them where asked."""
    with opening.open_workspace(options) as ws:
        from_ms = dates.start_ms(options, "from", ws)
        to_ms = dates.after_ms(options, "to", ws)
        entity, items = browsing.timeline_of(ws, options.name, from_ms=from_ms, to_ms=to_ms)
        now_ms = ws.now_ms()
    if options.png:
        from apexmem_desktop.cli.window import draw_timeline

        draw_timeline(entity, items, options.png, now_ms=now_ms)
    if options.json:
        shape = {
            "entity": json_shapes.entity_shape(entity),
            "items": [json_shapes.timeline_item_shape(item) for item in items],
        }
        if options.png:
            shape["png"] = str(options.png)
        output.print_json(shape)
        return
    print(f"{_names(entity)} ({entity.type})")
    for item in items:
        clock = clock_of(item.evidence)
        start, end = spell_when(item.start, clock), spell_when(item.end, clock)
        marks = " planned" * item.planned + " contested" * item.contested
        print(f"  {start}{' to ' + end if end else ''}  {item.lane}: {item.label}{marks}")
    if options.png:
        print(f"Drawn in {options.png}")


def _is_doubtful(fact: Fact, sure: Mapping[int, Certainty]) -> bool:
    """Tell whether what is shown as holding holds for certain only by a part of its bounds."""
    holds = fact.status in (FactStatus.CURRENT, FactStatus.CONTESTED)
    return holds and sure[fact.id] is Certainty.POSSIBLE


def _names(entity: Entity) -> str:
    others = [name for name in entity.aliases if name != entity.name]
    return entity.name + (f" (also {', '.join(others)})" if others else "")
