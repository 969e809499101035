"""Takes what is erased out of the packs that it shares with what stays, and looks through them."""

from collections.abc import Callable, Collection, Iterator

from apexmem_desktop.storage.packs import (
    DAMAGED,
    KEYS_A_PACK,
    TURNS_A_PACK,
    forget_unpacked,
    is_whole,
    without,
    without_keys,
)
from apexmem_desktop.storage.vault import Connection

_LOST = f"""
SELECT t.id FROM turns t WHERE t.text IS NULL
AND NOT EXISTS (SELECT 1 FROM text_packs p WHERE p.id = t.id / {TURNS_A_PACK})
UNION ALL
SELECT t.id FROM turns t
WHERE typeof(t.text) = 'blob' AND turn_text(t.text, NULL, t.id) = '{DAMAGED}'
"""  # noqa: S608 - our own words
_Without = Callable[[bytes, Collection[int]], bytes | None]


def find_lost(db: Connection) -> list[int]:
    """Find turns whose words cannot be read any more; of a damaged pack the first."""
    lost = list(db.exec_driver_sql(_LOST).scalars())
    packs = db.exec_driver_sql("SELECT id, texts FROM text_packs")
    return lost + [TURNS_A_PACK * number for number, pack in packs if not is_whole(pack)]


def take_out(db: Connection, turn_ids: Collection[int]) -> None:
    """Write the packs anew without the words and keys of some turns; the guards must be lifted."""
    by_pack: dict[int, set[int]] = {}
    for number in turn_ids:
        by_pack.setdefault(number // TURNS_A_PACK, set()).add(number % TURNS_A_PACK)
    for pack_id, places in by_pack.items():
        _rewrite(db, "text_packs", "texts", pack_id, places, without)
    for pack_id, places in _places_of_keys(db, sorted(turn_ids)):
        _rewrite(db, "key_packs", "keys", pack_id, places, without_keys)
    forget_unpacked()


def _places_of_keys(db: Connection, turn_ids: list[int]) -> Iterator[tuple[int, set[int]]]:
    firsts = iter(db.exec_driver_sql("SELECT id FROM key_packs ORDER BY id").scalars().all())
    before, first = None, next(firsts, None)
    places: set[int] = set()
    for number in turn_ids:
        while first is not None and first <= number:
            if before is not None and places:
                yield before, places
            before, first, places = first, next(firsts, None), set()
        if before is not None and number - before < KEYS_A_PACK:
            places.add(number - before)
    if before is not None and places:
        yield before, places


def _rewrite(
    db: Connection, table: str, column: str, pack_id: int, places: Collection[int], left: _Without
) -> None:
    wanted = f"SELECT {column} FROM {table} WHERE id = ?"  # noqa: S608 - our own names
    found = db.exec_driver_sql(wanted, (pack_id,)).scalar()
    if found is None:
        return
    if (kept := left(found, places)) is None:
        db.exec_driver_sql(f"DELETE FROM {table} WHERE id = ?", (pack_id,))  # noqa: S608
    else:
        update = f"UPDATE {table} SET {column} = ? WHERE id = ?"  # noqa: S608
        db.exec_driver_sql(update, (kept, pack_id))
