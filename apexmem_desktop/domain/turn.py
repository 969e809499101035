"""What was said: turns, the sessions they stand in, and what an importer hands over."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

SILENCE_MS = 8 * 3_600_000  # a chat that was silent for longer begins a new session


class Role(StrEnum):
    """Who a speaker is in the conversation."""

    PERSON = "person"  # a human in a messenger
    USER = "user"  # the human side of an AI chat
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class TurnKind(StrEnum):
    """What a turn is, beside text."""

    MESSAGE = "message"
    NOTICE = "notice"  # the messenger's own words: joins, encryption, title changes
    MEDIA = "media"  # a photo, video, voice message or file stood here
    DELETED = "deleted"
    CALL = "call"
    POLL = "poll"
    LOCATION = "location"
    CONTACT = "contact"
    ALTERNATIVE = "alternative"  # a branch of an AI chat that the user left


class ImportedTurn(NamedTuple):
    """One turn as an importer read it, before it has a number.

    A tuple, since there are millions: a frozen dataclass takes five times longer to make.

    Attributes:
        speaker: Name as the export gives it, without direction marks; "" for a notice.
        text: The words as they were, without header and direction marks before it.
        said_at_ms: UTC; None when the export gives no time.
        offset_minutes: Offset from UTC of the clock it was said by.
        external_id: The export's own id, "" where it has none.
        reply_to: external_id of the turn it answers, "" for none.
        attachments: File names.
        key: What makes it the same turn in another export of the same chat
            (speaker, local clock, text, occurrence), as a hex digest.
    """

    speaker: str
    role: Role
    kind: TurnKind
    text: str
    said_at_ms: int | None
    offset_minutes: int
    key: str
    external_id: str = ""
    reply_to: str = ""
    attachments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedConversation:
    """One chat of an export.

    Attributes:
        external_id: The export's own id, "" where it has none (then content overlap decides).
        title: As shown to a user; never a person's entity by itself.
        turns: In the order of the export. A stream where they are too many to be held: it is
            walked once, before the next conversation is asked for.
        is_group: True when more than two people can speak in it.
        aliases: Further names and numbers of its speakers: (speaker, other name).
    """

    external_id: str
    title: str
    turns: Iterable[ImportedTurn]
    is_group: bool = False
    aliases: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation, or a part of one between two long silences."""

    id: int
    conversation_id: int
    title: str
    format: str
    source_id: int
    first_at_ms: int | None
    last_at_ms: int | None
    turn_count: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One stored turn.

    Attributes:
        position: Place in its conversation, from 0; gaps where turns were erased.
        said_at_ms: UTC; None when unknown.
        offset_minutes: Offset from UTC of the clock it was said by.
        zone: Time zone of that clock; "" where only the offset is known.
    """

    id: int
    session_id: int
    conversation_id: int
    speaker: str
    role: Role
    kind: TurnKind
    text: str
    said_at_ms: int | None
    offset_minutes: int
    position: int
    reply_to_id: int | None = None
    attachments: tuple[str, ...] = ()
    session_title: str = ""
    zone: str = ""
