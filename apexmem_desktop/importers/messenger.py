"""Facebook Messenger and Instagram in JSON: one message_1.json, or the zip of an account."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.json_importer import JsonImporter, Meter, shape
from apexmem_desktop.importers.json_stream import Json, as_dict, as_list, as_number, as_text
from apexmem_desktop.importers.local_clock import Offsets, epoch_ms
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.said import Said, file_name, heard, to_turns

# What the messenger writes in the name of who reacted, in the language of the account.
_REACTION = re.compile(
    r"(?:Reacted \S{1,12} to (?:your|their|a|.{1,60}['’]s) message|Liked a message"
    r"|Hat mit \S{1,12} auf deine Nachricht reagiert|Reaccionó con \S{1,12} a tu mensaje)\.?",
    re.IGNORECASE,
)
_FILES = ("photos", "videos", "audio_files", "files", "gifs", "media")


class MessengerImporter(JsonImporter):
    """A thread comes in files of 10,000 messages, the newest first; they are joined."""

    name = "messenger"
    shapes = (
        shape(
            "",
            "participants messages.item.sender_name messages.item.timestamp_ms",
            "participants messages.item.senderName messages.item.timestamp",
        ),
    )

    def read_all(
        self, export: Export, parts: tuple[Part, ...], offsets: Offsets, meter: Meter
    ) -> Iterator[Item]:
        """Read thread by thread; a thread's files lie in one folder of the zip."""
        threads: dict[str, list[Part]] = {}
        for part in parts:
            folder = PurePosixPath(part.name).parent
            threads.setdefault(str(folder) if folder.name else part.name, []).append(part)
        for name, files in threads.items():
            values = [as_dict(value) for part in files for _, value in self.values(part, meter)]
            yield from _thread(name, values, offsets)


def mended(text: str) -> str:
    """Undo Facebook's encoding: each byte of UTF-8 was written as a character of its own."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return text


def _thread(name: str, values: list[dict[str, Json]], offsets: Offsets) -> Iterator[Item]:
    said, silent = heard((one for v in values for one in as_list(v.get("messages"))), _said)
    yield silent
    if not said:
        yield ImportProblem(name, "no message in it")
        return
    said.reverse()  # the newest stands first; equal times keep their order then
    said.sort(key=lambda one: one.at_ms or 0)
    first = values[0]
    people = [
        as_text(as_dict(person).get("name")) or as_text(person)
        for person in as_list(first.get("participants"))
    ]
    title = as_text(first.get("title")) or as_text(first.get("threadName")) or ", ".join(people)
    yield ImportedConversation(
        external_id=as_text(first.get("thread_path")),
        title=mended(title),
        turns=to_turns(said, offsets),
        is_group=len(people) > 2,
    )


def _said(message: dict[str, Json]) -> Said | None:
    speaker = mended(as_text(message.get("sender_name")) or as_text(message.get("senderName")))
    text = mended(as_text(message.get("content")) or as_text(message.get("text"))).strip()
    stamp = message.get("timestamp_ms") or message.get("timestamp")
    at_ms = epoch_ms(as_number(stamp))
    if message.get("is_unsent") is True or message.get("isUnsent") is True:
        return Said(speaker, text, at_ms, kind=TurnKind.DELETED)
    if message.get("call_duration") is not None:
        return Said(speaker, text, at_ms, kind=TurnKind.CALL)
    share = as_dict(message.get("share"))
    link, shared = as_text(share.get("link")), mended(as_text(share.get("share_text")))
    text = "\n".join(dict.fromkeys(filter(None, (text, shared, link))))
    files = _file_names(message)
    if not files and _REACTION.fullmatch(text):
        return Said("", f"{speaker}: {text}", at_ms, Role.SYSTEM, TurnKind.NOTICE)
    if as_text(message.get("type")) in ("Subscribe", "Unsubscribe"):
        return Said("", text, at_ms, Role.SYSTEM, TurnKind.NOTICE)
    if not text and not files:
        return None
    kind = TurnKind.MESSAGE if text and not files else TurnKind.MEDIA
    return Said(speaker, text, at_ms, kind=kind, attachments=files)


def _file_names(message: dict[str, Json]) -> tuple[str, ...]:
    uris = [
        as_text(as_dict(entry).get("uri")) for key in _FILES for entry in as_list(message.get(key))
    ]
    uris.append(as_text(as_dict(message.get("sticker")).get("uri")))
    return tuple(dict.fromkeys(file_name(uri) for uri in uris if uri))
