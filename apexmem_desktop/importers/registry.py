"""All importers, and the choice among them by looking at the content."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.progress import CancelToken, ProgressSink, ignore_progress
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.importers.byte_meter import ByteMeter
from apexmem_desktop.importers.chat_zones import in_their_zones
from apexmem_desktop.importers.chatgpt import ChatGPTImporter
from apexmem_desktop.importers.decoding import looks_binary
from apexmem_desktop.importers.json_stream import key_paths
from apexmem_desktop.importers.leaving_out import told_once
from apexmem_desktop.importers.parts import Export, Part, open_parts
from apexmem_desktop.importers.reading import Importer, Reading
from apexmem_desktop.importers.sqlite_file import is_database, table_columns

# The first that recognises a part takes it: the strictest come first.
_FIRST = ChatGPTImporter()


def _importers() -> Iterator[Importer]:
    """Give all importers; the modules of most are loaded only when the first knows no part."""
    yield _FIRST
    yield from _others()


@cache
def _others() -> tuple[Importer, ...]:
    from apexmem_desktop.importers.claude import ClaudeImporter
    from apexmem_desktop.importers.diary import DiaryImporter
    from apexmem_desktop.importers.discord import DiscordImporter
    from apexmem_desktop.importers.gemini import GeminiImporter
    from apexmem_desktop.importers.grok import GrokImporter
    from apexmem_desktop.importers.imessage import IMessageImporter
    from apexmem_desktop.importers.kakaotalk import KakaoTalkImporter
    from apexmem_desktop.importers.line import LineImporter
    from apexmem_desktop.importers.locomo import LoCoMoImporter
    from apexmem_desktop.importers.longmemeval import LongMemEvalImporter
    from apexmem_desktop.importers.mail import MailImporter
    from apexmem_desktop.importers.messenger import MessengerImporter
    from apexmem_desktop.importers.signal import SignalImporter
    from apexmem_desktop.importers.slack import SlackImporter
    from apexmem_desktop.importers.sms_backup import SmsBackupImporter
    from apexmem_desktop.importers.telegram import TelegramImporter
    from apexmem_desktop.importers.wechat import WeChatImporter
    from apexmem_desktop.importers.whatsapp import WhatsAppImporter
    from apexmem_desktop.importers.whatsapp_database import WhatsAppDatabaseImporter

    return (
        ClaudeImporter(),
        GrokImporter(),
        GeminiImporter(),
        MessengerImporter(),
        DiscordImporter(),
        TelegramImporter(),
        SlackImporter(),
        LoCoMoImporter(),
        LongMemEvalImporter(),
        IMessageImporter(),
        SignalImporter(),
        WhatsAppDatabaseImporter(),
        SmsBackupImporter(),
        MailImporter(),
        KakaoTalkImporter(),
        WhatsAppImporter(),
        LineImporter(),
        WeChatImporter(),
        DiaryImporter(),
    )


def importer_names() -> tuple[str, ...]:
    """Name every format that can be imported."""
    return tuple(importer.name for importer in _importers())


def open_export(
    path: Path,
    choices: ImportChoices,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> Reading:
    """Open an export of any known format.

    Raises:
        ExportUnreadableError: The file is missing, empty, damaged, hostile, or of no known format.
        CancelledError: The token was cancelled.
    """
    return read_export(look_at(path, progress, cancel), choices)


def look_at(
    path: Path, progress: ProgressSink = ignore_progress, cancel: CancelToken | None = None
) -> Export:
    """Look at a file: its digest and its parts. Whatever is read of it later hears the cancel too.

    Raises:
        ExportUnreadableError: The file is missing, empty, damaged or hostile.
        CancelledError: The token was cancelled.
    """
    return open_parts(path, ByteMeter(path, progress, cancel or CancelToken()).read)


def read_export(export: Export, choices: ImportChoices) -> Reading:
    """Recognise a file's format, and take a first look at what it says.

    Raises:
        ExportUnreadableError: It is of no known format, or damaged.
        CancelledError: The user cancelled.
    """
    importer, parts = _recognise(export, choices.format)
    opened = importer.open(export, parts, choices)
    source = opened.source
    if not opened.wall_clock:
        source = in_their_zones(source, choices)
    return Reading(
        format=importer.name,
        date_order=opened.date_order,
        date_order_certain=opened.date_order_certain,
        zone=opened.zone,
        file_name=export.file_name,
        sha256=export.sha256,
        size_bytes=export.size_bytes,
        source=told_once(source, export.file_name, keep_branches=choices.keep_branches),
        wall_clock=opened.wall_clock,
    )


def _recognise(export: Export, wish: str) -> tuple[Importer, tuple[Part, ...]]:
    if wish and wish not in importer_names():
        raise ExportUnreadableError(
            f"There is no format named {wish[:40]!r}.",
            hint=f"Known formats: {', '.join(importer_names())}.",
        )
    for importer in _importers():
        if wish and importer.name != wish:
            continue
        parts = tuple(part for part in export.parts if importer.recognises(part))
        if parts:
            return importer, parts
    raise _unknown(export, wish)


def _unknown(export: Export, wish: str) -> ExportUnreadableError:
    name = export.file_name
    if wish:
        return ExportUnreadableError(
            f"{name} is no {wish} export.", hint="Leave the format out to have it recognised."
        )
    if any("wa_contacts" in table_columns(part) for part in export.parts):
        return ExportUnreadableError(
            f"{name} is WhatsApp's address book: it holds names, but no message.",
            hint="Zip it together with msgstore.db and import the zip.",
        )
    if export.parts and all(is_database(part) for part in export.parts):
        what = f"{name} is a database, but a damaged one or not of a chat app this program knows."
    elif not export.parts or all(looks_binary(part.head) for part in export.parts):
        what = f"{name} is no chat export: it holds no text."
    elif any(key_paths(part) for part in export.parts):
        what = f"{name} holds data, but not of a chat export that this program knows."
    else:
        what = f"{name} is text, but not of a chat export that this program knows."
    return ExportUnreadableError(what, hint=f"It can read: {', '.join(importer_names())}.")
