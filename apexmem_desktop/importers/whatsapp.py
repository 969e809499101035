"""WhatsApp's "export chat": a text file, or a zip with it and the media, from any phone."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import PurePosixPath
from time import monotonic
from typing import ClassVar

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices, ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, ImportedTurn
from apexmem_desktop.importers.chat_zones import ChatZones
from apexmem_desktop.importers.date_order import DateOrders, decide
from apexmem_desktop.importers.decoding import decode_head, looks_binary
from apexmem_desktop.importers.local_clock import LocalClock
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.phrases import load_phrases
from apexmem_desktop.importers.reading import Item, Opened
from apexmem_desktop.importers.whatsapp_heads import HeadReader
from apexmem_desktop.importers.whatsapp_log import Log
from apexmem_desktop.importers.whatsapp_turns import Chat, Dated

_LINES_TO_RECOGNISE = 200
_TURNS_A_REPORT = 5000


class WhatsAppImporter:
    """Android and iOS, every locale; the date order is decided once for the whole file."""

    name: ClassVar[str] = "whatsapp"

    def recognises(self, part: Part) -> bool:
        """Tell by header lines: a first line that is one, or several further down."""
        if looks_binary(part.head):
            return False
        text = decode_head(part.head).replace("\r\n", "\n").replace("\r", "\n")
        lines = text.split("\n")[:_LINES_TO_RECOGNISE]
        reader = HeadReader()
        heads = [
            (at, line[head[3] :]) for at, line in enumerate(lines) if (head := reader.read(line))
        ]
        # A month's name, or no year, has a line of many a diary too.
        least = len(heads) / 2 if reader.has_worded else 1
        if not heads:
            return False
        written = [number for number, line in enumerate(lines) if line.strip()]
        senders = sum(": " in rest or rest.endswith(":") for _, rest in heads)
        return senders >= least and (heads[0][0] == written[0] or len(heads) > len(written) / 4)

    def open(self, export: Export, parts: tuple[Part, ...], choices: ImportChoices) -> Opened:
        """Take the text of every chat apart and decide the date order from all of them."""
        zones = ChatZones(choices)
        logs = [log for part in parts if (log := Log(part)).messages]
        if not logs:
            raise ExportUnreadableError(
                f"{export.file_name} holds no WhatsApp message.",
                hint="In WhatsApp choose the chat, then More, Export chat.",
            )
        today = datetime.now(UTC).date()
        orders = decide(
            [log.dates() for log in logs],
            wish=choices.date_order,
            today=today,
            year=choices.year,
            written_on=max(part.written_on or today for part in parts),
        )

        def source(progress: ProgressSink, cancel: CancelToken) -> Iterator[Item]:
            clocks: dict[str, LocalClock] = {}
            yield from _year_asked(export, orders)
            for log in logs:
                cancel.check()
                yield from _conversation(log, export, orders, (zones, clocks), progress, cancel)

        return Opened(source, zones.zone, orders.main, orders.certain, wall_clock=True)


def _year_asked(export: Export, orders: DateOrders) -> Iterator[ImportProblem]:
    """Ask for the year that the dates do not name."""
    year = orders.year
    if year is None or year.certain:
        return
    if year.named:
        what = (
            f"some of its dates name no year; {year.year} was taken, as other lines are of"
            f" {year.named}. Say which with --year"
        )
    else:
        what = (
            f"some of its dates name no year; {year.year} was taken, as the file was written"
            " then. Say which with --year"
        )
    yield ImportProblem(export.file_name, what)


def _conversation(
    log: Log,
    export: Export,
    orders: DateOrders,
    clocks: tuple[ChatZones, dict[str, LocalClock]],
    progress: ProgressSink,
    cancel: CancelToken,
) -> Iterator[Item]:
    dated = Dated(log, orders)
    yield from dated.problems
    if not dated.messages:
        yield ImportProblem(log.name, "no message with a readable date")
        return
    phrases = load_phrases()
    title = phrases.chat_title(PurePosixPath(log.name).name) or phrases.chat_title(export.file_name)
    chat = Chat(dated, phrases, title)
    shown = title or _made_up_title(chat, log)
    zones, known = clocks
    zone = zones.of(shown)
    turns = chat.imported(known.setdefault(zone, LocalClock(zone)))
    yield ImportedConversation(
        external_id="",
        title=shown,
        turns=_counted(turns, dated.messages, title, progress, cancel),
        is_group=len(chat.speakers) > 2,
    )


def _counted(
    turns: Iterator[ImportedTurn],
    total: int,
    title: str,
    progress: ProgressSink,
    cancel: CancelToken,
) -> Iterator[ImportedTurn]:
    """Pass turns on, telling how many there were."""
    began_s = monotonic()
    for number, turn in enumerate(turns, start=1):
        yield turn
        if number % _TURNS_A_REPORT == 0:
            cancel.check()
            elapsed_s = monotonic() - began_s
            progress(Progress("Reading messages", number, total, item=title, elapsed_s=elapsed_s))


def _made_up_title(chat: Chat, log: Log) -> str:
    """Name a chat whose file does not say its title."""
    stem = PurePosixPath(log.name).stem
    if len(chat.speakers) in (1, 2):
        return " & ".join(chat.speakers)
    return stem if stem.lower() not in ("_chat", "chat") else ", ".join(chat.speakers[:4])
