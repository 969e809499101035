"""Telegram Desktop's export in JSON: one chat's result.json, or the whole account's."""

from collections.abc import Iterator

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.decoding import clean
from apexmem_desktop.importers.json_importer import Context, JsonImporter, Meter, Shape, shape
from apexmem_desktop.importers.json_stream import (
    Json,
    as_dict,
    as_list,
    as_number,
    as_text,
    key_paths,
    stream,
)
from apexmem_desktop.importers.local_clock import Offsets, epoch_ms, iso_ms
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.said import Said, file_name, heard, to_turns

_MESSAGE = ("messages.item.from_id", "messages.item.date_unixtime", "messages.item.action")
_FILES = ("file", "photo", "file_name")
_LEFT_CHATS = b'"left_chats"'
_BEFORE_CHATS = frozenset({"personal_information", "contacts.list", "frequent_contacts.list"})
_ABSENT = "(File not included"  # stands in place of a path when media were not exported
_MOST_OFFSET_MINUTES = 15 * 60


class TelegramImporter(JsonImporter):
    """Every chat of the export, from the exports of 2020 to today's."""

    name = "telegram"
    shapes = (
        shape("chats.list.item", "messages"),
        shape("left_chats.list.item", "messages"),
        shape("", *_MESSAGE),
    )

    def _shape(self, part: Part) -> Shape | None:
        """Know an account also where its address book fills the beginning of the file."""
        paths = key_paths(part)
        is_account = "about" in paths and not _BEFORE_CHATS.isdisjoint(paths)
        return super()._shape(part) or (self.shapes[0] if is_account else None)

    def read_all(
        self, export: Export, parts: tuple[Part, ...], offsets: Offsets, meter: Meter
    ) -> Iterator[Item]:
        """Read every chat, and behind them those that the user has left."""
        yield from super().read_all(export, parts, offsets, meter)
        for part in parts:
            if self._shape(part) != self.shapes[0] or not _names_left_chats(part):
                continue
            left = stream(part, "left_chats.list.item", lambda _: meter.tick())
            for number, value in enumerate(left, start=1):
                where = f"{part.name}, left chat {number}"
                yield from self.read(value, Context(where, export, part, offsets))

    def read(self, value: Json, context: Context) -> Iterator[Item]:
        """Read one chat."""
        chat = as_dict(value)
        title = clean(as_text(chat.get("name"))).strip()
        said, silent = heard(
            as_list(chat.get("messages")), lambda message: _said(message, context.offsets)
        )
        yield silent
        if not said:
            yield ImportProblem(f"{context.where} ({title[:60]})", "no message in it")
            return
        speakers = {one.speaker for one in said if one.kind is not TurnKind.NOTICE}
        kind = as_text(chat.get("type"))
        title = (
            title
            or "Saved messages" * (kind == "saved_messages")
            or ", ".join(sorted(filter(None, speakers))[:4])
        )
        yield ImportedConversation(
            external_id=as_text(chat.get("id")),
            title=title,
            turns=to_turns(said, context.offsets),
            is_group="group" in kind or "channel" in kind or len(speakers) > 2,
        )


def _names_left_chats(part: Part) -> bool:
    """Tell whether the key stands anywhere in a file, much faster than by reading it as JSON."""
    before = b""
    for chunk in part.chunks():
        if _LEFT_CHATS in before + chunk:
            return True
        before = chunk[-len(_LEFT_CHATS) :]
    return False


def _said(message: dict[str, Json], offsets: Offsets) -> Said | None:
    at_ms, offset_minutes = _time(message, offsets)
    external_id = as_text(message.get("id"))
    if as_text(message.get("type")) == "service":
        return _service(message, at_ms, external_id, offset_minutes)
    text = _text(message.get("text"))
    kind, addition = _kind(message)
    files = _file_names(message)
    text = "\n".join(filter(None, (text, addition)))
    if not text and not files and kind is TurnKind.MESSAGE:
        return None
    if files and kind is TurnKind.MESSAGE:
        kind = TurnKind.MEDIA
    speaker = as_text(message.get("from")) or "Deleted account"
    forwarded = as_text(message.get("forwarded_from"))
    if forwarded and text:
        # The words are somebody else's; said so, nobody takes them for the sender's own.
        text = f"[forwarded from {forwarded}] {text}"
    reply_to = as_text(message.get("reply_to_message_id"))
    return Said(
        speaker, text, at_ms, Role.PERSON, kind, external_id, reply_to, files, offset_minutes
    )


def _time(message: dict[str, Json], offsets: Offsets) -> tuple[int | None, int | None]:
    """Read the instant; newer exports hold the local clock beside it, which tells the offset."""
    local = as_text(message.get("date"))
    at_ms = epoch_ms(as_number(message.get("date_unixtime")))
    if at_ms is None:
        return iso_ms(local, offsets), None
    local_ms = iso_ms(local)
    if local_ms is None or local.endswith("Z"):
        return at_ms, None
    offset_minutes = round((local_ms - at_ms) / 60_000)
    return at_ms, offset_minutes if abs(offset_minutes) <= _MOST_OFFSET_MINUTES else None


def _service(
    message: dict[str, Json], at_ms: int | None, external_id: str, offset_minutes: int | None
) -> Said:
    action = as_text(message.get("action")).replace("_", " ")
    actor = as_text(message.get("actor"))
    details = [as_text(member) for member in as_list(message.get("members"))]
    details += [as_text(message.get("title")), as_text(message.get("discard_reason"))]
    if seconds := as_number(message.get("duration_seconds")):
        details.append(f"{seconds / 60:.0f} min")
    words = " ".join(filter(None, (actor, action, ", ".join(filter(None, details)))))
    if action in ("phone call", "group call"):
        return Said(
            actor, words, at_ms, kind=TurnKind.CALL, external_id=external_id,
            offset_minutes=offset_minutes,
        )  # fmt: skip
    return Said(
        "", words, at_ms, Role.SYSTEM, TurnKind.NOTICE, external_id, offset_minutes=offset_minutes
    )


def _text(value: Json) -> str:
    """Join a text that stands as a list of plain and marked-up pieces."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        return _text(value.get("text"))
    pieces = (
        piece if isinstance(piece, str) else as_text(as_dict(piece).get("text"))
        for piece in as_list(value)
    )
    return "".join(pieces).strip()


def _kind(message: dict[str, Json]) -> tuple[TurnKind, str]:
    """Tell what a message is, and what it says beside its text."""
    if poll := as_dict(message.get("poll")):
        answers = [_text(as_dict(answer).get("text")) for answer in as_list(poll.get("answers"))]
        return TurnKind.POLL, "\n- ".join((_text(poll.get("question")), *answers))
    if place := as_dict(message.get("location_information")):
        where = f"{as_text(place.get('latitude'))}, {as_text(place.get('longitude'))}"
        name = as_text(message.get("place_name"))
        return TurnKind.LOCATION, f"{name} ({where})" if name else where
    if contact := as_dict(message.get("contact_information")):
        keys = ("first_name", "last_name", "phone_number")
        return TurnKind.CONTACT, " ".join(filter(None, (as_text(contact.get(k)) for k in keys)))
    if as_text(message.get("media_type")) == "sticker":
        return TurnKind.MEDIA, ""
    return TurnKind.MESSAGE, ""


def _file_names(message: dict[str, Json]) -> tuple[str, ...]:
    names = [as_text(message.get(key)) for key in _FILES]
    media = as_text(message.get("media_type"))
    known = [file_name(name) for name in names if name and not name.startswith(_ABSENT)]
    if not known and any(names):
        return (media.replace("_", " ") or "file",)
    return tuple(dict.fromkeys(known))
