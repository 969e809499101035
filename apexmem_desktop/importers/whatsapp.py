"""WhatsApp's "export chat": a text file, or a zip with it and the media, from any phone."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby
from pathlib import PurePosixPath
from typing import ClassVar

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices, ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation
from apexmem_desktop.importers.date_order import DateOrders, decide
from apexmem_desktop.importers.decoding import decode, decode_head, looks_binary
from apexmem_desktop.importers.local_clock import LocalClock, choose_zone
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.phrases import load_phrases
from apexmem_desktop.importers.reading import Item, Opened
from apexmem_desktop.importers.whatsapp_heads import Head, Style, find_heads
from apexmem_desktop.importers.whatsapp_turns import Chat, split_senders

_LINES_TO_RECOGNISE = 200
_TURNS_A_REPORT = 5000
_MOST_PROBLEMS = 20
_LONGEST_QUOTE_LINES = 20


@dataclass(frozen=True, slots=True)
class _Text:
    """One chat's lines and where its messages begin."""

    name: str
    lines: list[str]
    heads: list[Head]


class WhatsAppImporter:
    """Android and iOS, every locale; the date order is decided once for the whole file."""

    name: ClassVar[str] = "whatsapp"

    def recognises(self, part: Part) -> bool:
        """Tell by header lines: a first line that is one, or several further down."""
        if looks_binary(part.head):
            return False
        lines = _lines(decode_head(part.head))[:_LINES_TO_RECOGNISE]
        heads = list(find_heads(lines))
        if not heads:
            return False
        written = [number for number, line in enumerate(lines) if line.strip()]
        senders = sum(": " in head.rest or head.rest.endswith(":") for head in heads)
        return bool(senders) and (heads[0].line == written[0] or len(heads) > len(written) / 4)

    def open(self, export: Export, parts: tuple[Part, ...], choices: ImportChoices) -> Opened:
        """Read the text of every chat and decide the date order from all of them."""
        zone = choose_zone(choices.zone)
        texts = [_read(part) for part in parts]
        texts = [text for text in texts if text.heads]
        if not texts:
            raise ExportUnreadableError(
                f"{export.file_name} holds no WhatsApp message.",
                hint="In WhatsApp choose the chat, then More, Export chat.",
            )
        today = datetime.now(UTC).date()
        orders = decide([text.heads for text in texts], wish=choices.date_order, today=today)

        def source(progress: ProgressSink, cancel: CancelToken) -> Iterator[Item]:
            clock = LocalClock(zone)
            for text in texts:
                yield from _conversation(text, export, orders, clock, progress, cancel)

        return Opened(source, zone, orders.main, orders.certain)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _read(part: Part) -> _Text:
    lines = _lines(decode(part.read()).replace("\x00", "\ufffd"))
    while lines and not lines[-1].strip("\x1a \t"):
        lines.pop()
    return _Text(part.name, lines, list(find_heads(lines)))


def _conversation(
    text: _Text,
    export: Export,
    orders: DateOrders,
    clock: LocalClock,
    progress: ProgressSink,
    cancel: CancelToken,
) -> Iterator[Item]:
    cancel.check()
    dated, problems = _dated(text, orders)
    yield from problems
    dated = _without_quoted(dated)
    if not dated:
        yield ImportProblem(text.name, "no message with a readable date")
        return
    phrases = load_phrases()
    title = phrases.chat_title(PurePosixPath(text.name).name) or phrases.chat_title(
        export.file_name
    )
    chat = Chat(split_senders(text.lines, dated), phrases, title)
    turns = []
    for turn in chat.imported(clock):
        turns.append(turn)
        if len(turns) % _TURNS_A_REPORT == 0:
            cancel.check()
            progress(Progress("Reading messages", len(turns), len(dated), item=title))
    yield ImportedConversation(
        external_id="",
        title=title or _made_up_title(chat, text),
        turns=tuple(turns),
        is_group=len(chat.speakers) > 2,
    )


def _dated(text: _Text, orders: DateOrders) -> tuple[list[tuple[Head, int]], list[ImportProblem]]:
    """Give each header its day; a line that has none in the decided order is told of."""
    days: dict[tuple[object, tuple[int, int, int]], date | None] = {}
    dated: list[tuple[Head, int]] = []
    problems: list[ImportProblem] = []
    for head in text.heads:
        seen = (head.style, head.date)
        if seen not in days:
            days[seen] = orders.day(head)
        day = days[seen]
        if day is None:
            day = orders.other_day(head)
            what = (
                f"its date fits no other line; read as {day.isoformat()}"
                if day
                else "its date is no day of the calendar; kept as part of the message before"
            )
            if len(problems) < _MOST_PROBLEMS:
                problems.append(ImportProblem(f"{text.name}, line {head.line + 1}", what))
        if day is not None:
            dated.append((head, day.toordinal()))
    return dated, problems


def _without_quoted(dated: list[tuple[Head, int]]) -> list[tuple[Head, int]]:
    """Leave out headers that somebody pasted into a message.

    They are written in another way than the lines around them and are older than the message
    that quotes them. A phone that was changed writes in another way too, but goes on in time.
    """
    runs = [list(run) for _, run in groupby(dated, key=_way)]
    kept: list[tuple[Head, int]] = []
    for number, run in enumerate(runs):
        if kept and _way(run[0]) != _way(kept[-1]) and _when(run[0]) < _when(kept[-1]):
            following = _way(runs[number + 1][0]) if number + 1 < len(runs) else None
            at_end = following is None and len(run) <= _LONGEST_QUOTE_LINES
            if at_end or following == _way(kept[-1]):
                continue
        kept.extend(run)
    return kept


def _way(entry: tuple[Head, int]) -> Style:
    """The way a header is written; "AM" beside "pm" is no change of it."""
    return entry[0].style._replace(capitals=False)


def _when(entry: tuple[Head, int]) -> tuple[int, int]:
    return entry[1], entry[0].minute


def _made_up_title(chat: Chat, text: _Text) -> str:
    """Name a chat whose file does not say its title."""
    stem = PurePosixPath(text.name).stem
    if len(chat.speakers) in (1, 2):
        return " & ".join(chat.speakers)
    return stem if stem.lower() not in ("_chat", "chat") else ", ".join(chat.speakers[:4])
