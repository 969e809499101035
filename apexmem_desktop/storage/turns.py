"""What was said: appended once, never changed."""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, repeat
from operator import ne
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, literal_column, or_, select
from sqlalchemy import text as sql_text

from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.turn import ImportedTurn, Role, Turn, TurnKind
from apexmem_desktop.domain.wall import zone_of_turn
from apexmem_desktop.storage import tallies, words
from apexmem_desktop.storage.columns import Columns, columns_of
from apexmem_desktop.storage.functions import wall_ms
from apexmem_desktop.storage.jobs import queue_turns
from apexmem_desktop.storage.keys import append_keys, find_known_keys
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.packs import Own, pack_texts
from apexmem_desktop.storage.rows import append_tuples, read_pairs
from apexmem_desktop.storage.sessions import NewSessions, order_times, place_in_sessions
from apexmem_desktop.storage.stretches import append_stretches, cut, find_stretches, parted
from apexmem_desktop.storage.tables import (
    conversations,
    speakers_counted,
    text_packs,
    turn_rows,
    turn_vectors,
    turns,
    voice_zones,
    voices,
)
from apexmem_desktop.storage.vault import Connection
from apexmem_desktop.storage.voices import NewVoices, find_voices, next_position

__all__ = ["find_known_keys"]
_READ_AT_ONCE = 2_000


def append_turns(
    db: Connection,
    *,
    conversation_id: int,
    source_id: int,
    turns: Sequence[ImportedTurn] | Columns,
    known: Container[str] | None = None,
) -> list[int]:
    """Store the turns not known yet, index their words, queue them; return their numbers.

    May be called again and again with the next turns of the same chat.

    Args:
        turns: In columns none of them is known.
        known: Keys of those that are stored already; None to look.
    """
    new = turns if isinstance(turns, Columns) else _unknown(db, conversation_id, turns, known)
    if not new.texts:
        return []
    first_id, position, before_ms = _end_of(db, conversation_id, source_id)
    numbers = range(first_id, first_id + len(new.texts))
    times = order_times(new.said, before_ms)
    sessions = place_in_sessions(db, conversation_id, source_id, new.said, times)
    said = NewVoices(db, source_id)
    first_number = first_id - position
    stored = find_voices(db, conversation_id, source_id, first_number)
    spoken = said.of(conversation_id, first_number, new, known=stored)
    said.store()
    answered = _answered_ids(db, conversation_id, first_id, new)
    own = _store_packs(db, first_id, [new])
    _append_rows(db, [_row_columns(new, own, numbers, sessions, spoken, times, answered)])
    append_stretches(db, cut(conversation_id, first_id, sessions, times))
    tallies.add_speakers(db, conversation_id, new)
    append_keys(db, conversation_id, new.keys, first_id)
    words.index_written(db, zip(numbers, new.indexed(), strict=True))
    queue_turns(db, [(numbers, sessions, new)], now_ms=wall_ms())
    return list(numbers)


def _unknown(
    db: Connection,
    conversation_id: int,
    said: Sequence[ImportedTurn],
    known: Container[str] | None,
) -> Columns:
    if known is None:
        known = find_known_keys(db, conversation_id, (turn.key for turn in said))
    return columns_of(list({turn.key: turn for turn in said if turn.key not in known}.values()))


def append_first_turns(
    db: Connection, source_id: int, chats: Sequence[tuple[int, Columns]]
) -> list[int]:
    """Store the turns of chats that have none yet: an export may hold thousands of small ones.

    Args:
        chats: Each the number of a chat and all its turns.
    """
    next_id = first_id = (db.execute(select(func.max(turn_rows.c.id))).scalar() or 0) + 1
    voices, sessions = NewVoices(db, source_id), NewSessions(db, source_id)
    rows: list[tuple[Sequence[Any] | None, ...]] = []
    stretches: list[Iterator[tuple[int, ...]]] = []
    queued: list[tuple[range, Sequence[int], Columns]] = []
    own = _store_packs(db, first_id, [new for _, new in chats])
    for conversation_id, new in chats:
        numbers = range(next_id, next_id + len(new.texts))
        times = order_times(new.said)
        placed = sessions.place(conversation_id, times)
        spoken = voices.of(conversation_id, next_id, new)
        ids = zip(new.external_ids, numbers, strict=True) if new.external_ids else ()
        answered = {external_id: number for external_id, number in ids if external_id}
        at = next_id - first_id
        texts = own[at : at + len(numbers)]
        rows.append(_row_columns(new, texts, numbers, placed, spoken, times, answered))
        stretches.append(cut(conversation_id, next_id, placed, times))
        queued.append((numbers, placed, new))
        next_id += len(new.texts)
    sessions.store()
    voices.store()
    _append_rows(db, rows)
    append_stretches(db, chain.from_iterable(stretches))
    tallies.add_new_speakers(db, chats)
    for (conversation_id, new), (numbers, _, _) in zip(chats, queued, strict=True):
        append_keys(db, conversation_id, new.keys, numbers.start)
    everything = chain.from_iterable(new.indexed() for _, new in chats)
    words.index_written(db, zip(count(first_id), everything))
    queue_turns(db, queued, now_ms=wall_ms())
    return list(range(first_id, next_id))


def _end_of(db: Connection, conversation_id: int, source_id: int) -> tuple[int, int, int | None]:
    """Give the number and the place in its chat of the next turn, and the time of the one before.

    The time only where that one came with the same import, as the turns before in the file.
    """
    columns = turns.c.id, turns.c.conversation_id, turns.c.source_id, turns.c.position
    query = select(*columns, turns.c.order_ms).order_by(turns.c.id.desc()).limit(1)
    newest = db.execute(query).first()
    if newest is None:
        return 1, 0, None
    if newest.conversation_id != conversation_id:
        return newest.id + 1, next_position(db, conversation_id), None
    # Looked for in all of the chat, a place would take the longer the more of it is stored.
    before_ms = newest.order_ms if newest.source_id == source_id else None
    return newest.id + 1, newest.position + 1, before_ms or None


_COLUMNS = (
    *("id", "session_id", "voice_id", "text", "said_at_ms", "apart_ms"),
    *("external_id", "reply_to_id", "attachments"),
)


def _store_packs(db: Connection, first_id: int, parts: Sequence[Columns]) -> list[Own]:
    """Store the packed words of turns; return what is left for the rows of their own."""
    texts = [text for new in parts for text in new.texts]
    own, packs = pack_texts(first_id, texts, [row for new in parts for row in new.rows()])
    append_tuples(db, text_packs, ("id", "texts"), packs)
    return own


def _row_columns(
    new: Columns,
    texts: Sequence[Own],
    numbers: Sequence[int],
    sessions: Sequence[int],
    spoken: Sequence[int],
    times: Sequence[int],
    answered: Mapping[str, int],
) -> tuple[Sequence[Any] | None, ...]:
    """Give the values of `_COLUMNS`, column by column; None where no turn has one."""
    apart = external_ids = replies = attachments = None
    if times is not new.said and any(map(ne, new.said, times)):
        apart = [None if at == ms else ms for at, ms in zip(new.said, times, strict=True)]
    if new.external_ids is not None:
        external_ids = [one or None for one in new.external_ids]
    if answered and new.replies:
        replies = list(map(answered.get, new.replies))
    if new.attachments is not None:
        attachments = list(map(_written, new.attachments))
    return (
        *(numbers, sessions, spoken, texts, new.said),
        *(apart, external_ids, replies, attachments),
    )


def _append_rows(db: Connection, parts: Sequence[tuple[Sequence[Any] | None, ...]]) -> None:
    """Store rows given in columns.

    What no row has is left out: the driver takes more time for a NULL than for a short text.
    """
    names, columns = [], []
    for name, column in zip(_COLUMNS, zip(*parts, strict=True), strict=True):
        if any(column):
            names.append(name)
            empty = (repeat(None, len(part[0] or ())) for part in parts)
            columns.append(chain.from_iterable(map(_or_empty, column, empty)))
    if names:
        append_tuples(db, turn_rows, names, zip(*columns, strict=True))


def _or_empty(values: Iterable[Any] | None, empty: Iterable[None]) -> Iterable[Any]:
    return empty if values is None else values


def _written(attachments: tuple[str, ...]) -> str | None:
    """Write a list of file names as JSON; nearly every turn has none."""
    return json.dumps(attachments, ensure_ascii=False) if attachments else None


def _answered_ids(
    db: Connection, conversation_id: int, first_id: int, new: Columns
) -> dict[str, int]:
    """Map the export's own ids that replies name to our numbers, stored turns and new ones."""
    wanted = set(new.replies or ()) - {""}
    if not wanted:
        return {}
    ids = enumerate(new.external_ids or (), start=first_id)
    here = {external_id: number for number, external_id in ids if external_id in wanted}
    left = wanted - here.keys()
    if not left:
        return here
    end = func.substr(turn_rows.c.external_id, literal_column("-12"))  # as its index has it
    found: dict[str, int] = read_pairs(
        db,
        select(turn_rows.c.external_id, turn_rows.c.id)
        .join(voices, voices.c.id == turn_rows.c.voice_id)
        .where(among(end, {one[-12:] for one in left}), turn_rows.c.external_id.is_not(None))
        .where(among(turn_rows.c.external_id, left))
        .where(voices.c.conversation_id == conversation_id),
    )
    return found | here


def select_turns() -> Select[Any]:
    """Select all that `turn_of` reads."""
    return (
        select(turns, conversations.c.title, voice_zones.c.zone)
        .join(conversations, conversations.c.id == turns.c.conversation_id)
        .outerjoin(voice_zones, voice_zones.c.id == turns.c.voice_id)
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
        zone=zone_of_turn(row.zone or "", row.said_at_ms, row.offset_minutes),
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
    place = select(turns.c.conversation_id, turns.c.order_ms).where(turns.c.id == turn_id)
    here = db.execute(place).first()
    if here is None:
        return []
    found = find_stretches(db, here.conversation_id)
    parts = list(parted(found))
    middle = next(i for i, part in enumerate(parts) if turn_id in part)
    near = _in_order(db, parts[middle])
    at = [turn.id for turn in near].index(turn_id)
    earlier, later = near[:at], near[at + 1 :]
    for part in reversed(parts[:middle]):
        if len(earlier) >= before:
            break
        earlier = _in_order(db, part) + earlier
    for part in parts[middle + 1 :]:
        if len(later) >= after:
            break
        later += _in_order(db, part)
    return [*earlier[max(0, len(earlier) - before) :], near[at], *later[:after]]


def _in_order(db: Connection, ids: Iterable[int], *conditions: ColumnElement[bool]) -> list[Turn]:
    """Read turns of one chat in time order."""
    wanted = select_turns().where(among(turns.c.id, ids), *conditions)
    return [turn_of(row) for row in db.execute(wanted.order_by(turns.c.order_ms, turns.c.id))]


def find_conversation_turns(
    db: Connection, conversation_id: int, *, limit: int, after_position: int = -1
) -> list[Turn]:
    """Read a page of a chat in time order.

    Args:
        after_position: Position of the last turn of the page before; -1 for the first page.
    """
    after: tuple[ColumnElement[bool], ...] = ()
    from_ms = None
    if after_position >= 0:
        last = _at_position(db, conversation_id, after_position)
        if last is None:
            return []
        from_ms = last.order_ms
        later = and_(turns.c.order_ms == from_ms, turns.c.id > last.id)
        after = (or_(turns.c.order_ms > from_ms, later),)
    page: list[Turn] = []
    for ids in _gathered(parted(find_stretches(db, conversation_id, from_ms=from_ms)), limit):
        page += _in_order(db, ids, *after)
        if len(page) >= limit:
            break
    return page[:limit]


def _at_position(db: Connection, conversation_id: int, position: int) -> Any:
    """Find the number and time of the turn at a place of a chat."""
    numbers = select(voices.c.first_number + position)
    return db.execute(
        select(turns.c.id, turns.c.order_ms)
        .where(turns.c.id.in_(numbers.where(voices.c.conversation_id == conversation_id)))
        .where(turns.c.conversation_id == conversation_id, turns.c.position == position)
    ).first()


def _gathered(parts: Iterable[list[int]], most: int) -> Iterator[list[int]]:
    """Join parts until they have about as many turns as are wanted."""
    ids: list[int] = []
    for part in parts:
        if ids and len(ids) + len(part) > most:
            yield ids
            ids = []
        ids += part
    if ids:
        yield ids


def find_turns_between(
    db: Connection, from_ms: int, to_ms: int, *, speaker: str | None = None, limit: int
) -> list[Turn]:
    """Read the turns said in [from_ms, to_ms), in time order, of one speaker or all."""
    conditions = [turns.c.said_at_ms >= from_ms, turns.c.said_at_ms < to_ms]
    if speaker is not None:
        conditions.append(func.normalise(turns.c.speaker) == normalise(speaker))
    found: list[Turn] = []
    reaching = find_stretches(db, from_ms=from_ms, to_ms=to_ms)
    for ids in _gathered(parted(reaching, one_chat=False), max(limit, _READ_AT_ONCE)):
        wanted = select_turns().where(among(turns.c.id, ids), *conditions)
        wanted = wanted.order_by(turns.c.said_at_ms, turns.c.position, turns.c.id)
        found += [turn_of(row) for row in db.execute(wanted.limit(limit - len(found)))]
        if len(found) >= limit:
            break
    return found


def find_ids_of_sessions(db: Connection, session_ids: Sequence[int]) -> list[int]:
    """Find the turns of whole sessions, in order of time."""
    given = {"ids": json.dumps(list(session_ids))}
    return list(db.execute(sql_text(_OF_SESSIONS), given).scalars())


_OF_SESSIONS = """
SELECT t.id FROM turns_said t JOIN sessions s ON s.id = t.session_id
WHERE s.id IN (SELECT value FROM json_each(:ids))
ORDER BY s.started_at_ms, s.id, t.order_ms, t.id
"""


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
    return db.execute(select(func.max(speakers_counted.c.last_at_ms))).scalar()


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
