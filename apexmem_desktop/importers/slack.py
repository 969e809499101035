"""Slack's export zip: a folder a channel, a file a day, and the list of users."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.json_importer import JsonImporter, Meter, shape
from apexmem_desktop.importers.json_stream import Json, as_dict, as_list, as_number, as_text, stream
from apexmem_desktop.importers.local_clock import Offsets, epoch_ms
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.said import Said, heard, to_turns

_REFERENCE = re.compile(r"<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>")
_WORDS = frozenset({"", "me_message", "thread_broadcast", "file_share", "bot_message"})
_LISTS = ("channels.json", "groups.json", "dms.json", "mpims.json")


class SlackImporter(JsonImporter):
    """Days of a channel are joined; names come from users.json."""

    name = "slack"
    shapes = (shape("item", "type ts text", "type ts user", "type ts subtype"),)

    def read_all(
        self, export: Export, parts: tuple[Part, ...], offsets: Offsets, meter: Meter
    ) -> Iterator[Item]:
        """Read channel by channel, its days in order."""
        names = _user_names(export)
        channels: dict[str, list[Part]] = {}
        for part in parts:
            channels.setdefault(str(PurePosixPath(part.name).parent), []).append(part)
        about = _channels(export)
        for folder, days in channels.items():
            values = (value for part in days for _, value in self.values(part, meter))
            said, silent = heard(values, lambda message: _said(message, names))
            yield silent
            if not said:
                yield ImportProblem(folder, "no message in it")
                continue
            said.sort(key=lambda one: one.at_ms or 0)
            name = PurePosixPath(folder).name
            channel = about.get(name, {})
            yield ImportedConversation(
                external_id=as_text(channel.get("id")) or name,
                title=name if "members" not in channel or "name" in channel else "Direct message",
                turns=to_turns(said, offsets),
                is_group=len(as_list(channel.get("members"))) != 2,
            )


def _list(export: Export, file_name: str) -> list[dict[str, Json]]:
    found = [part for part in export.parts if PurePosixPath(part.name).name == file_name]
    return [as_dict(value) for part in found[:1] for value in stream(part, "item")]


def _user_names(export: Export) -> dict[str, str]:
    names = {}
    for user in _list(export, "users.json"):
        profile = as_dict(user.get("profile"))
        candidates = (profile.get("real_name"), user.get("real_name"), user.get("name"))
        names[as_text(user.get("id"))] = next(filter(None, map(as_text, candidates)), "")
    return names


def _channels(export: Export) -> dict[str, dict[str, Json]]:
    entries = [entry for name in _LISTS for entry in _list(export, name)]
    return {as_text(entry.get("name")) or as_text(entry.get("id")): entry for entry in entries}


def _said(message: dict[str, Json], names: dict[str, str]) -> Said | None:
    user = as_text(message.get("user"))
    profile = as_dict(message.get("user_profile"))
    speaker = names.get(user) or as_text(profile.get("real_name")) or user
    subtype = as_text(message.get("subtype"))
    text = _plain(as_text(message.get("text")), names).strip()
    at_ms = epoch_ms(as_number(message.get("ts")))
    stamp = as_text(message.get("ts"))
    if subtype not in _WORDS:
        return Said("", f"{speaker} {text}".strip(), at_ms, Role.SYSTEM, TurnKind.NOTICE, stamp)
    if not text:
        fallbacks = (
            as_text(as_dict(a).get("fallback")) for a in as_list(message.get("attachments"))
        )
        text = _plain("\n".join(filter(None, fallbacks)), names)
    files = tuple(
        name
        for entry in as_list(message.get("files"))
        if (name := as_text(as_dict(entry).get("name")))
    )
    if not text and not files:
        return None
    is_bot = subtype == "bot_message" or ("bot_id" in message and not user)
    thread = as_text(message.get("thread_ts"))
    return Said(
        speaker=speaker or as_text(message.get("username")) or "bot",
        text=text,
        at_ms=at_ms,
        role=Role.TOOL if is_bot else Role.PERSON,
        kind=TurnKind.MEDIA if files else TurnKind.MESSAGE,
        external_id=stamp,
        reply_to=thread if thread != stamp else "",
        attachments=files,
    )


def _plain(text: str, names: dict[str, str]) -> str:
    """Write out references to people, channels and links, and Slack's three escapes."""

    def written(found: re.Match[str]) -> str:
        mark, target, label = found.groups()
        if mark == "@":
            return f"@{names.get(target) or label or target}"
        return f"{mark}{label or target}" if mark else label or target

    plain = _REFERENCE.sub(written, text)
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
