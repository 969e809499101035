"""LoCoMo's long conversations between two people, a benchmark for memories."""

import re
from collections.abc import Iterator
from datetime import datetime

from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, TurnKind
from apexmem_desktop.importers.json_importer import Context, JsonImporter, shape
from apexmem_desktop.importers.json_stream import Json, as_dict, as_list, as_text
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.said import Said, file_name, to_turns

_SESSION = re.compile(r"session_(\d+)")
_TIME = re.compile(r"(\d{1,2}):(\d{2})\s*([ap]m)\s+on\s+(\d{1,2})\s+(\w+),?\s+(\d{4})", re.I)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class LoCoMoImporter(JsonImporter):
    """Questions are left out; dialogue ids are kept, so that evidence can be compared."""

    name = "locomo"
    shapes = (
        shape("item", "conversation.session_1", "conversation.speaker_a", "qa.item.evidence"),
        shape("", "conversation.session_1", "conversation.speaker_a", "qa.item.evidence"),
        shape("", "session_1 speaker_a"),
    )

    def read(self, value: Json, context: Context) -> Iterator[Item]:
        """Read one sample: all sessions of two people."""
        sample = as_dict(value)
        conversation = as_dict(sample.get("conversation")) or sample
        said: list[Said] = []
        for number, session in _sessions(conversation):
            at_ms = session_ms(
                as_text(conversation.get(f"session_{number}_date_time")), context.offsets.zone
            )
            if at_ms is None:
                yield ImportProblem(f"{context.where}, session {number}", "it has no readable date")
            said.extend(_said(as_dict(turn), at_ms) for turn in session)
        said = [one for one in said if one.text or one.attachments]
        if not said:
            yield ImportProblem(context.where, "no session with messages in it")
            return
        people = [as_text(conversation.get(key)) for key in ("speaker_a", "speaker_b")]
        yield ImportedConversation(
            external_id=as_text(sample.get("sample_id")),
            title=" & ".join(filter(None, people)),
            turns=to_turns(said, context.offsets),
        )


def session_ms(text: str, zone: str) -> int | None:
    """Read a session's time, such as "1:56 pm on 8 May, 2023", by a zone's clock."""
    found = _TIME.search(text)
    if found is None:
        return None
    hour, minute, half, day, month, year = found.groups()
    try:
        number = _MONTHS.index(month[:3].lower()) + 1
        hours = int(hour) % 12 + (12 if half.lower() == "pm" else 0)
        local = datetime(int(year), number, int(day), hours, int(minute))  # noqa: DTZ001
    except ValueError:
        return None
    return zones.to_utc_ms(local, zone)[0]


def _sessions(conversation: dict[str, Json]) -> list[tuple[int, list[Json]]]:
    found = [
        (int(match[1]), as_list(value))
        for key, value in conversation.items()
        if (match := _SESSION.fullmatch(key)) is not None
    ]
    return sorted(found, key=lambda session: session[0])


def _said(turn: dict[str, Json], at_ms: int | None) -> Said:
    text = as_text(turn.get("text")).strip()
    caption = as_text(turn.get("blip_caption")).strip()
    if caption:
        text = f"{text} [shared image: {caption}]".strip()
    images = tuple(file_name(as_text(url)) for url in as_list(turn.get("img_url")) if as_text(url))
    return Said(
        speaker=as_text(turn.get("speaker")),
        text=text,
        at_ms=at_ms,
        kind=TurnKind.MEDIA if images and not text else TurnKind.MESSAGE,
        external_id=as_text(turn.get("dia_id")),
        attachments=images,
    )
