"""What somebody said, on the way from an export that holds absolute times to a turn."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from apexmem_desktop.domain.turn import ImportedTurn, Role, TurnKind
from apexmem_desktop.importers.decoding import clean
from apexmem_desktop.importers.json_stream import Json, as_dict
from apexmem_desktop.importers.local_clock import Offsets
from apexmem_desktop.importers.reading import Skipped
from apexmem_desktop.importers.turn_keys import TurnKeys

TITLE_CHARS = 60


@dataclass(frozen=True, slots=True)
class Said:
    """One thing said.

    Attributes:
        at_ms: UTC; None when the export gives no time for it.
        offset_minutes: None to take that of the chosen zone.
        identity: An id that this very message has in every export of every phone; "" where there
            is none, and who said what when must tell.
        also: Another name of the speaker: a number, an address, the name of an account.
    """

    speaker: str
    text: str
    at_ms: int | None
    role: Role = Role.PERSON
    kind: TurnKind = TurnKind.MESSAGE
    external_id: str = ""
    reply_to: str = ""
    attachments: tuple[str, ...] = ()
    offset_minutes: int | None = None
    identity: str = ""
    also: str = ""


def heard(
    messages: Iterable[Json], read: Callable[[dict[str, Json]], Said | None]
) -> tuple[list[Said], Skipped]:
    """Read messages one by one; those that say nothing are counted, so that the counts agree."""
    said: list[Said] = []
    silent = 0
    for message in messages:
        one = read(as_dict(message))
        if one is None:
            silent += 1
        else:
            said.append(one)
    return said, Skipped("messages without words or files", silent)


def to_turns(
    said: Iterable[Said], offsets: Offsets, *, begun_ms: int | None = None
) -> tuple[ImportedTurn, ...]:
    """Make turns; one without a time stands right behind the one before it.

    Args:
        begun_ms: When the conversation began, for a first turn without a time.
    """
    return tuple(stream_turns(said, offsets, TurnKeys(), begun_ms=begun_ms))


def stream_turns(
    said: Iterable[Said], offsets: Offsets, keys: TurnKeys, *, begun_ms: int | None = None
) -> Iterator[ImportedTurn]:
    """Make turns as `to_turns` does, one at a time."""
    last_ms = begun_ms
    for one in said:
        last_ms = one.at_ms if one.at_ms is not None else last_ms
        speaker = "" if one.kind is TurnKind.NOTICE else clean(one.speaker).strip()
        text = clean(one.text)
        attachments = tuple(clean(name) for name in one.attachments)
        # A branch of an AI chat that is taken up again is no new turn.
        kind = TurnKind.MESSAGE if one.kind is TurnKind.ALTERNATIVE else one.kind
        yield ImportedTurn(
            speaker=speaker,
            role=one.role,
            kind=one.kind,
            text=text,
            said_at_ms=last_ms,
            offset_minutes=(
                offsets.at(last_ms) if one.offset_minutes is None else one.offset_minutes
            ),
            key=(
                keys.key("id", one.identity)
                if one.identity
                else keys.key(speaker, f"{last_ms}", kind, text, "|".join(attachments))
            ),
            external_id=clean(one.external_id),
            reply_to=clean(one.reply_to),
            attachments=attachments,
        )


def aliases(said: Iterable[Said]) -> tuple[tuple[str, str], ...]:
    """List what the speakers are called beside their names."""
    found = {
        (clean(one.speaker).strip(), clean(one.also).strip()): None
        for one in said
        if one.also and one.also != one.speaker and one.kind is not TurnKind.NOTICE
    }
    return tuple((speaker, other) for speaker, other in found if speaker and other)


def made_up_title(turns: Iterable[ImportedTurn]) -> str:
    """Name a conversation after the first words of its person."""
    wanted = (Role.USER, Role.PERSON)
    first = next((turn.text for turn in turns if turn.role in wanted and turn.text.strip()), "")
    return begin_of(first.strip().partition("\n")[0]) or "Untitled chat"


def begin_of(words: str) -> str:
    """Cut what is too long for a title behind a whole word, and show that it goes on."""
    if len(words) <= TITLE_CHARS:
        return words
    cut = words[: TITLE_CHARS - 1]
    whole = cut.rpartition(" ")[0] if " " in cut[TITLE_CHARS // 2 :] else cut
    return f"{whole.rstrip(' ,;:')}…"


def file_name(path: str) -> str:
    """Take a path or address in an export for the name of its file."""
    return path.rpartition("://")[2].partition("?")[0].rstrip("/").rpartition("/")[2]
