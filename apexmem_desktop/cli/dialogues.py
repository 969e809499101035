"""The command `dialogues`: what was asked, question and follow-ups together."""

import argparse

from apexmem_desktop.cli import dates, json_shapes, opening, output
from apexmem_desktop.cli.asking import spell_answer
from apexmem_desktop.domain.answers import Answer, DialogueSummary
from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.services import asking
from apexmem_desktop.services.workspace import Workspace

_TITLE_CHARS = 70


def run_list(options: argparse.Namespace) -> None:
    """List the dialogues, the last asked first."""
    with opening.open_workspace(options) as ws:
        found = asking.list_dialogues(ws, limit=getattr(options, "limit", 200))
    if options.json:
        output.print_json({"dialogues": [_summary_shape(one) for one in found]})
        return
    rows = [
        (one.id, dates.iso(one.last_asked_at_ms), one.questions, one.title[:_TITLE_CHARS])
        for one in found
    ]
    output.print_table(("id", "last asked", "questions", "first question"), rows)


def run_show(options: argparse.Namespace) -> None:
    """Show what was asked and answered in one dialogue."""
    with opening.open_workspace(options) as ws:
        answers = _get(ws, options.number)
    if options.json:
        shapes = [
            {"number": one.number, "question": one.question, **json_shapes.answer_shape(one)}
            for one in answers
        ]
        output.print_json({"id": options.number, "answers": shapes})
        return
    for number, one in enumerate(answers):
        if number:
            print()
        print(f"{one.question}  (trace {one.number})")
        print("\n".join(spell_answer(one)))


def run_delete(options: argparse.Namespace) -> None:
    """Delete one dialogue with its answers and their traces; chats and facts stay."""
    with opening.open_workspace(options) as ws:
        answers = _get(ws, options.number)
        asking.remove_dialogue(ws, options.number)
    if options.json:
        output.print_json({"id": options.number, "deleted": len(answers)})
        return
    count = "one answer" if len(answers) == 1 else f"{len(answers)} answers"
    print(f'Deleted "{answers[0].question}" with {count}.')


def _get(ws: Workspace, number: int) -> tuple[Answer, ...]:
    answers = asking.get_dialogue(ws, number)
    if not answers:
        raise NotFoundError(
            f"There is no dialogue {number}.", hint="List them with: apexmem dialogues"
        )
    return answers


def _summary_shape(one: DialogueSummary) -> dict[str, object]:
    return {
        "id": one.id,
        "title": one.title,
        "questions": one.questions,
        "last_asked_at": dates.iso(one.last_asked_at_ms),
    }
