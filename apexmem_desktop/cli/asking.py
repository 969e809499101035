"""The commands `ask` and `trace`."""

import argparse

from apexmem_desktop.cli import dates, json_shapes, opening, output
from apexmem_desktop.cli.spelling import spell_fact, spell_hit
from apexmem_desktop.domain.answers import Answer, AskOptions
from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.services import asking

_SHOWN_HITS = 8


def run_ask(options: argparse.Namespace) -> None:
    """Answer one question."""
    if not options.question.strip():
        raise UserError("The question is empty.", hint='Ask like this: apexmem ask "Where …?"')
    with opening.open_workspace(options) as ws:
        ask_options = AskOptions(
            as_of_ms=dates.end_ms(options, "as_of", ws),
            known_at_ms=dates.end_ms(options, "known_at", ws),
            now_ms=dates.end_ms(options, "now", ws),
            zone=ws.settings.zone,
            use_model=not options.no_model,
        )
        answer = asking.ask(
            ws,
            options.question,
            ask_options,
            cancel=options.cancel,
            read_first=options.read_first,
        )
    if options.json:
        output.print_json(json_shapes.answer_shape(answer))
    else:
        print("\n".join(spell_answer(answer)))


def run_trace(options: argparse.Namespace) -> None:
    """Show how an answer was found."""
    with opening.open_workspace(options) as ws:
        answer = asking.get_trace(ws, options.number)
    if options.json:
        output.print_json(json_shapes.trace_shape(answer))
        return
    print(answer.question)
    for what, how in answer.understood:
        print(f"  {what}: {how}")
    for number, step in enumerate(answer.steps, start=1):
        print(f"{number}. {step.tool} {step.arguments} ({step.ms} ms)")
        print(f"   {step.error or step.result}")
    for hit in answer.evidence:
        print(f"  {spell_hit(hit)}")
    for dropped in answer.dropped:
        print(f"  dropped: {dropped}")
    print(answer.answer)


def spell_answer(answer: Answer) -> list[str]:
    """Spell an answer with the turns that prove it, for people."""
    lines = [answer.answer] if answer.answer else []
    if answer.summary and answer.summary != answer.answer:
        lines.append(answer.summary)
    for citation in answer.citations:
        said = dates.iso(citation.said_at_ms, citation.offset_minutes) or "no date"
        lines.append(
            f"  [{citation.number}] {citation.speaker}, {said}, in {citation.session}: "
            f'"{citation.quote}" (turn {citation.turn_id})'
        )
    for conflict in answer.conflicts:
        lines.append(f"  In conflict about {conflict.property}:")
        lines += [f"    {spell_fact(side)}" for side in conflict.sides]
    if not answer.citations:
        lines += [f"  {spell_hit(hit)}" for hit in answer.evidence[:_SHOWN_HITS]]
    return lines or ["Nothing was found."]
