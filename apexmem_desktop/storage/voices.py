"""What many turns share and is kept once: who said it, how, by which clock, in which import."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select

from apexmem_desktop.domain.turn import ImportedTurn, Role, TurnKind
from apexmem_desktop.storage.rows import append_rows
from apexmem_desktop.storage.tables import stretches, voices
from apexmem_desktop.storage.vault import Connection

_READABLE_KINDS = {TurnKind.MESSAGE, TurnKind.MEDIA, TurnKind.POLL}
_READABLE_ROLES = {Role.PERSON, Role.USER}


def is_read(role: Role, kind: TurnKind) -> bool:
    """Tell whether the graph is built from such turns, rather than that they tell of nobody."""
    return role in _READABLE_ROLES and kind in _READABLE_KINDS


def voices_of(
    db: Connection,
    conversation_id: int,
    source_id: int,
    first_id: int,
    new: Sequence[ImportedTurn],
) -> list[int]:
    """Find or make the voice of each of the turns that get numbers from `first_id` on."""
    first_number = first_id - _next_position(db, conversation_id)
    of = voices.c
    stored = db.execute(
        select(of.id, of.speaker, of.role, of.kind, of.offset_minutes)
        .where(of.conversation_id == conversation_id, of.source_id == source_id)
        .where(of.first_number == first_number)
    )
    known = {
        (speaker, role, kind, offset): number for number, speaker, role, kind, offset in stored
    }
    next_id = (db.execute(select(func.max(of.id))).scalar() or 0) + 1
    made: list[dict[str, Any]] = []
    spoken = []
    for turn in new:
        voice = turn.speaker, turn.role, turn.kind, turn.offset_minutes
        number = known.get(voice)
        if number is None:
            number = known[voice] = next_id + len(made)
            made.append(
                {
                    "id": number,
                    "source_id": source_id,
                    "conversation_id": conversation_id,
                    "speaker": turn.speaker,
                    "role": str(turn.role),
                    "kind": str(turn.kind),
                    "offset_minutes": turn.offset_minutes,
                    "first_number": first_number,
                    "is_read": int(is_read(turn.role, turn.kind)),
                }
            )
        spoken.append(number)
    append_rows(db, voices, made)
    return spoken


def _next_position(db: Connection, conversation_id: int) -> int:
    """Give the first place in a chat that no turn has; those of erased ones may stay empty."""
    last_id = select(func.max(stretches.c.last_id)).where(
        stretches.c.conversation_id == conversation_id
    )
    # Turns stored later have higher numbers and places, and at least the same difference of both.
    first = select(func.max(voices.c.first_number)).where(
        voices.c.conversation_id == conversation_id
    )
    last, first_number = db.execute(
        select(last_id.scalar_subquery(), first.scalar_subquery())
    ).one()
    return 0 if last is None or first_number is None else last - first_number + 1
