"""The commands that decide: `entity`, `fact`, `misfit`, `undo`, `redo`, `rulings`."""

import argparse
from dataclasses import asdict

from apexmem_desktop.cli import dates, json_shapes, opening, output
from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.domain.rulings import MergePreview, RulingResult
from apexmem_desktop.services import asking, rulings
from apexmem_desktop.services.workspace import Workspace

_PRECISIONS = (Precision.YEAR, Precision.MONTH, Precision.DAY)


def run_merge(options: argparse.Namespace) -> None:
    """Merge two entities, or show what that would do."""
    with opening.open_workspace(options) as ws:
        a, b = (rulings.find_member(ws, name) for name in (options.a, options.b))
        if options.dry_run:
            _show_preview(options, rulings.preview_merge(ws, a, b))
            return
        result = rulings.merge(ws, a, b, reason=options.reason)
    _show(options, result)


def run_split(options: argparse.Namespace) -> None:
    """Take an entity out of what it was merged with."""
    with opening.open_workspace(options) as ws:
        result = rulings.split(ws, rulings.find_member(ws, options.a), reason=options.reason)
    _show(options, result)


def run_apart(options: argparse.Namespace) -> None:
    """Keep two entities apart."""
    with opening.open_workspace(options) as ws:
        a, b = (rulings.find_member(ws, name) for name in (options.a, options.b))
        result = rulings.tell_apart(ws, a, b, reason=options.reason)
    _show(options, result)


def run_show(options: argparse.Namespace) -> None:
    """Show an entity's members and every link that was made of them."""
    with opening.open_workspace(options) as ws:
        number = rulings.find_member(ws, options.a)
        members = rulings.members_of(ws, number)
        links = rulings.merge_log(ws, number)
    if options.json:
        shape = {
            "members": [{"id": member, "name": name} for member, name in members],
            "links": [
                asdict(link)
                | {"state": link.state.value, "recorded_at": dates.iso(link.recorded_at_ms)}
                for link in links
            ],
        }
        output.print_json(shape)
        return
    output.print_table(("id", "name"), members)
    for link in links:
        why = f": {link.because}" if link.because else f" ({link.reason})" if link.reason else ""
        print(f"  {link.id}  {link.a_id} {link.kind} {link.b_id}, by {link.by}, {link.state}{why}")


def run_rule(options: argparse.Namespace) -> None:
    """Confirm, reject, prefer, pin or hide a fact."""
    with opening.open_workspace(options) as ws:
        rule = getattr(rulings, options.ruling)
        result = rule(ws, options.fact_id, reason=options.reason)
    _show(options, result)


def run_correct(options: argparse.Namespace) -> None:
    """Give the right value of a fact."""
    with opening.open_workspace(options) as ws:
        result = rulings.correct(
            ws,
            options.fact_id,
            options.value,
            valid_from=_since(options, ws),
            reason=options.reason,
        )
    _show(options, result)


def run_misfit(options: argparse.Namespace) -> None:
    """Say that a turn does not answer the question of a kept answer."""
    with opening.open_workspace(options) as ws:
        answer = asking.get_trace(ws, options.answer)
        cited, found = answer.citations, answer.evidence
        if options.turn_id not in {one.turn_id for one in cited} | {one.turn_id for one in found}:
            raise NotFoundError(
                f'The answer to "{answer.question}" does not rest on turn {options.turn_id}.',
                hint="See what it rests on with: apexmem trace",
            )
        result = rulings.misfit(
            ws,
            answer.read_as or answer.question,
            options.turn_id,
            fact_ids=options.fact_ids,
            reason=options.reason,
        )
    _show(options, result)


def run_undo(options: argparse.Namespace) -> None:
    """Take back the newest decision that stands."""
    with opening.open_workspace(options) as ws:
        result = rulings.undo(ws)
    _show(options, result)


def run_redo(options: argparse.Namespace) -> None:
    """Make again what was just taken back."""
    with opening.open_workspace(options) as ws:
        result = rulings.redo(ws)
    _show(options, result)


def run_rulings(options: argparse.Namespace) -> None:
    """List what was decided."""
    with opening.open_workspace(options) as ws:
        listed = rulings.list_rulings(ws, limit=options.limit)
    if options.json:
        output.print_json({"rulings": [json_shapes.ruling_shape(one) for one in listed]})
        return
    rows = [(one.id, dates.iso(one.ruled_at_ms), one.says) for one in listed]
    output.print_table(("id", "at", "decision"), rows)


def _since(options: argparse.Namespace, ws: Workspace) -> Bound | None:
    first_ms, last_ms = dates.start_ms(options, "from", ws), dates.end_ms(options, "from", ws)
    if first_ms is None:
        return None
    has_clock = ":" in options.from_date
    precision = Precision.INSTANT if has_clock else _PRECISIONS[options.from_date.count("-")]
    return Bound(first_ms, last_ms, precision, TimeSource.USER)


def _show(options: argparse.Namespace, result: RulingResult) -> None:
    if options.json:
        output.print_json(json_shapes.ruling_result_shape(result))
        return
    says = result.ruling.says
    print(f"{says[:1].upper()}{says[1:]}.")


def _show_preview(options: argparse.Namespace, preview: MergePreview) -> None:
    if options.json:
        output.print_json({"preview": asdict(preview)})
        return
    if preview.is_done or preview.refused_by is not None:
        why = preview.refused_by or f"{preview.stays} and {preview.moves} are one already"
        print(f"This merge cannot be made: {why}.")
        return
    moves, stays = (
        f"{name} ({number})"
        for name, number in ((preview.moves, preview.moves_id), (preview.stays, preview.stays_id))
    )
    print(f"{moves} would become one with {stays}.")
    print(f"It brings {preview.facts_moved} facts and {preview.mentions_moved} mentions.")
    print(f"Names: {', '.join(preview.names)}")
    for overruled in preview.takes_back:
        print(f"It overrules: {overruled}")
