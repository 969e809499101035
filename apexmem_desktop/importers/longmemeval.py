"""LongMemEval: questions, each with the chats with an assistant that hold its answer."""

import re
from collections.abc import Iterator
from datetime import datetime

from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role
from apexmem_desktop.importers.json_importer import Context, JsonImporter, shape
from apexmem_desktop.importers.json_stream import Json, as_dict, as_list, as_text
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.said import Said, made_up_title, to_turns

_TIME = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})\D+(\d{1,2}):(\d{2})")
_KEYS = "question_id haystack_dates"
_ROLES = {"user": (Role.USER, "You"), "assistant": (Role.ASSISTANT, "Assistant")}


class LongMemEvalImporter(JsonImporter):
    """Each session is a conversation; its id is the question's and its own."""

    name = "longmemeval"
    shapes = (
        shape("item", _KEYS, "question_id haystack_sessions", "question_id haystack_session_ids"),
        shape("", _KEYS, "question_id haystack_sessions", "question_id haystack_session_ids"),
    )

    def read(self, value: Json, context: Context) -> Iterator[Item]:
        """Read the sessions of one question."""
        entry = as_dict(value)
        question = as_text(entry.get("question_id"))
        dates = [as_text(date) for date in as_list(entry.get("haystack_dates"))]
        ids = [as_text(name) for name in as_list(entry.get("haystack_session_ids"))]
        for number, session in enumerate(as_list(entry.get("haystack_sessions"))):
            where = f"{context.where}, session {number + 1}"
            name = ids[number] if number < len(ids) else f"session {number + 1}"
            at_ms = day_ms(dates[number], context.offsets.zone) if number < len(dates) else None
            if at_ms is None:
                yield ImportProblem(where, "it has no readable date")
            said = [_said(as_dict(turn), at_ms, f"{name}/{n}") for n, turn in _numbered(session)]
            if not said:
                yield ImportProblem(where, "no message in it")
                continue
            turns = to_turns(said, context.offsets)
            yield ImportedConversation(f"{question}/{name}", made_up_title(turns), turns)


def day_ms(text: str, zone: str) -> int | None:
    """Read a time such as "2023/05/25 (Thu) 22:32" by a zone's clock."""
    found = _TIME.search(text)
    if found is None:
        return None
    try:
        local = datetime(*map(int, found.groups()))  # type: ignore[arg-type]  # noqa: DTZ001
    except ValueError:
        return None
    return zones.to_utc_ms(local, zone)[0]


def _numbered(session: Json) -> Iterator[tuple[int, Json]]:
    for number, turn in enumerate(as_list(session), start=1):
        if as_text(as_dict(turn).get("content")).strip():
            yield number, turn


def _said(turn: dict[str, Json], at_ms: int | None, external_id: str) -> Said:
    role, speaker = _ROLES.get(as_text(turn.get("role")), (Role.TOOL, "tool"))
    text = as_text(turn.get("content")).strip()
    return Said(speaker, text, at_ms, role, external_id=external_id)
