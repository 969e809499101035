"""What was said: appended once, never changed."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.turn import ImportedTurn, Role, Turn, TurnKind
from apexmem_desktop.storage import tallies, words
from apexmem_desktop.storage.functions import wall_ms
from apexmem_desktop.storage.jobs import queue_turns
from apexmem_desktop.storage.lists import among, listed
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.rows import append_rows, read_pairs
from apexmem_desktop.storage.sessions import note_starts, order_times, place_in_sessions
from apexmem_desktop.storage.tables import (
    conversations,
    speakers_counted,
    turn_vectors,
    turns,
)
from apexmem_desktop.storage.vault import Connection


def find_known_keys(db: Connection, conversation_id: int, keys: Iterable[str]) -> set[str]:
    """Find which of the keys are stored in this chat already."""
    rows = db.execute(
        select(turns.c.turn_key)
        .where(turns.c.conversation_id == conversation_id)
        .where(turns.c.turn_key.in_(listed(keys)))
    )
    return set(rows.scalars())


def append_turns(
    db: Connection, *, conversation_id: int, source_id: int, turns: Sequence[ImportedTurn]
) -> list[int]:
    """Store the turns not known yet, index their words, queue them; return their numbers."""
    known = find_known_keys(db, conversation_id, [turn.key for turn in turns])
    by_key = {turn.key: turn for turn in turns if turn.key not in known}
    new = list(by_key.values())
    if not new:
        return []
    rows = _rows(db, conversation_id, source_id, new)
    append_rows(db, _TURNS, rows)
    ids = [row["id"] for row in rows]
    note_starts(db, [row["session_id"] for row in rows])
    tallies.add_speakers(db, conversation_id, ids[0])
    words.index_turns(db, zip(ids, (turn.text for turn in new), strict=True))
    queue_turns(db, list(zip(ids, new, strict=True)), now_ms=wall_ms())
    return ids


_TURNS = turns  # `append_turns` has an argument of that name


def _rows(
    db: Connection, conversation_id: int, source_id: int, new: Sequence[ImportedTurn]
) -> list[dict[str, Any]]:
    times = order_times(new)
    sessions = place_in_sessions(db, conversation_id, source_id, times)
    first_id = (db.execute(select(func.max(_TURNS.c.id))).scalar() or 0) + 1
    first_position = _next_position(db, conversation_id)
    answered = _answered_ids(db, conversation_id, first_id, new)
    return [
        {
            "id": first_id + i,
            "session_id": sessions[i],
            "conversation_id": conversation_id,
            "source_id": source_id,
            "position": first_position + i,
            "speaker": turn.speaker,
            "role": str(turn.role),
            "kind": str(turn.kind),
            "text": turn.text,
            "said_at_ms": turn.said_at_ms,
            "order_ms": times[i],
            "offset_minutes": turn.offset_minutes,
            "external_id": turn.external_id,
            "reply_to_id": answered.get(turn.reply_to),
            "attachments": _written(turn.attachments),
            "turn_key": turn.key,
        }
        for i, turn in enumerate(new)
    ]


def _written(attachments: tuple[str, ...]) -> str:
    """Write a list of file names as JSON; nearly every turn has none."""
    return json.dumps(attachments, ensure_ascii=False) if attachments else "[]"


def _next_position(db: Connection, conversation_id: int) -> int:
    last = db.execute(
        select(func.max(_TURNS.c.position)).where(_TURNS.c.conversation_id == conversation_id)
    ).scalar()
    return 0 if last is None else last + 1


def _answered_ids(
    db: Connection, conversation_id: int, first_id: int, new: Sequence[ImportedTurn]
) -> dict[str, int]:
    """Map the export's own ids that replies name to our numbers, stored turns and new ones."""
    wanted = {turn.reply_to for turn in new if turn.reply_to}
    if not wanted:
        return {}
    found: dict[str, int] = read_pairs(
        db,
        select(_TURNS.c.external_id, _TURNS.c.id)
        .where(_TURNS.c.conversation_id == conversation_id, _TURNS.c.external_id != "")
        .where(among(_TURNS.c.external_id, wanted)),
    )
    found |= {t.external_id: first_id + i for i, t in enumerate(new) if t.external_id in wanted}
    return found


def select_turns() -> Select[Any]:
    """Select all that `turn_of` reads."""
    return select(turns, conversations.c.title).join(
        conversations, conversations.c.id == turns.c.conversation_id
    )


def turn_of(row: Any) -> Turn:
    """Make a turn of a row."""
    return Turn(
        id=row.id,
        session_id=row.session_id,
        conversation_id=row.conversation_id,
        speaker=row.speaker,
        role=Role(row.role),
        kind=TurnKind(row.kind),
        text=row.text,
        said_at_ms=row.said_at_ms,
        offset_minutes=row.offset_minutes,
        position=row.position,
        reply_to_id=row.reply_to_id,
        attachments=tuple(json.loads(row.attachments)),
        session_title=row.title,
    )


def get_turn(db: Connection, id: int) -> Turn:  # noqa: A002
    """Read one turn.

    Raises:
        NotFoundError: No turn has this number.
    """
    row = db.execute(select_turns().where(turns.c.id == id)).first()
    if row is None:
        raise NotFoundError(f"There is no message {id} in this memory.", hint="Search for it.")
    return turn_of(row)


def find_turns(db: Connection, ids: Sequence[int]) -> list[Turn]:
    """Read turns in the order asked; numbers that belong to none are passed over."""
    found = {
        row.id: turn_of(row) for row in db.execute(select_turns().where(among(turns.c.id, ids)))
    }
    return [found[number] for number in ids if number in found]


def find_turns_around(db: Connection, turn_id: int, before: int, after: int) -> list[Turn]:
    """Read a turn with its neighbours in the same chat, in time order."""
    place = select(turns.c.conversation_id, turns.c.order_ms, turns.c.position)
    here = db.execute(place.where(turns.c.id == turn_id)).first()
    if here is None:
        return []
    same = select_turns().where(turns.c.conversation_id == here.conversation_id)
    earlier = db.execute(
        same.where(_not_after(here.order_ms, here.position))
        .order_by(turns.c.order_ms.desc(), turns.c.position.desc())
        .limit(before + 1)
    ).all()
    later = db.execute(
        same.where(_after(here.order_ms, here.position))
        .order_by(turns.c.order_ms, turns.c.position)
        .limit(after)
    ).all()
    return [turn_of(row) for row in [*reversed(earlier), *later]]


def _after(order_ms: int, position: int) -> Any:
    return or_(
        turns.c.order_ms > order_ms,
        and_(turns.c.order_ms == order_ms, turns.c.position > position),
    )


def _not_after(order_ms: int, position: int) -> Any:
    return or_(
        turns.c.order_ms < order_ms,
        and_(turns.c.order_ms == order_ms, turns.c.position <= position),
    )


def find_conversation_turns(
    db: Connection, conversation_id: int, *, limit: int, after_position: int = -1
) -> list[Turn]:
    """Read a page of a chat in time order.

    Args:
        after_position: Position of the last turn of the page before; -1 for the first page.
    """
    wanted = select_turns().where(turns.c.conversation_id == conversation_id)
    if after_position >= 0:
        order_ms = db.execute(
            select(turns.c.order_ms).where(
                turns.c.conversation_id == conversation_id, turns.c.position == after_position
            )
        ).scalar()
        if order_ms is None:
            return []
        wanted = wanted.where(_after(order_ms, after_position))
    rows = db.execute(wanted.order_by(turns.c.order_ms, turns.c.position).limit(limit))
    return [turn_of(row) for row in rows]


def find_turns_between(
    db: Connection, from_ms: int, to_ms: int, *, speaker: str | None = None, limit: int
) -> list[Turn]:
    """Read the turns said in [from_ms, to_ms), in time order, of one speaker or all."""
    wanted = select_turns().where(turns.c.said_at_ms >= from_ms, turns.c.said_at_ms < to_ms)
    if speaker is not None:
        wanted = wanted.where(func.normalise(turns.c.speaker) == normalise(speaker))
    rows = db.execute(wanted.order_by(turns.c.said_at_ms, turns.c.position).limit(limit))
    return [turn_of(row) for row in rows]


def find_speakers(db: Connection) -> list[tuple[str, int]]:
    """List who speaks, with their number of turns, the most talkative first."""
    number = func.sum(speakers_counted.c.turns)
    rows = db.execute(
        select(speakers_counted.c.speaker, number)
        .where(speakers_counted.c.speaker != "")
        .group_by(speakers_counted.c.speaker)
        .order_by(number.desc(), speakers_counted.c.speaker)
    )
    return [(speaker, turns) for speaker, turns in rows]


def newest_said_at_ms(db: Connection) -> int | None:
    """Tell when the newest turn was said; None where no turn has a time."""
    return db.execute(select(func.max(turns.c.said_at_ms))).scalar()


def find_external_ids(db: Connection) -> dict[int, str]:
    """Map all turns' numbers to the ids that their exports gave them."""
    return read_pairs(db, select(turns.c.id, turns.c.external_id))


def find_turns_to_embed(db: Connection, embedder: str, limit: int) -> list[tuple[int, str]]:
    """Find turns with words but no vector of this embedder, newest first."""
    rows = db.execute(
        select(turns.c.id, turns.c.text)
        .where(*embeddable(embedder))
        .order_by(turns.c.id.desc())
        .limit(limit)
    )
    return [(number, text) for number, text in rows]


def count_turns_to_embed(db: Connection, embedder: str) -> int:
    """Count the turns that find_turns_to_embed would find without a limit."""
    wanted = select(func.count()).select_from(turns).where(*embeddable(embedder))
    return int(db.execute(wanted).scalar_one())


def embeddable(embedder: str) -> tuple[ColumnElement[bool], ...]:
    """Say that a turn has words but no vector of this embedder."""
    has_vector = (
        select(turn_vectors.c.id)
        .where(turn_vectors.c.embedder == embedder, turn_vectors.c.turn_id == turns.c.id)
        .exists()
    )
    return turns.c.text != "", turns.c.kind != str(TurnKind.NOTICE), ~has_vector
