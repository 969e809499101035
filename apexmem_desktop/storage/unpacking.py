"""Takes what is erased out of the packs that it shares with what stays, and looks through them."""

import zlib
from collections.abc import Callable, Collection, Iterator

from apexmem_desktop.storage.packs import KEYS_A_PACK, TURNS_A_PACK, without, without_keys
from apexmem_desktop.storage.vault import Connection

_Without = Callable[[bytes, Collection[int]], bytes | None]


def take_out(db: Connection, turn_ids: Collection[int]) -> None:
    """Write the packs anew without the words and keys of some turns; the guards must be lifted."""
    by_pack: dict[int, set[int]] = {}
    for number in turn_ids:
        by_pack.setdefault(number // TURNS_A_PACK, set()).add(number % TURNS_A_PACK)
    for pack_id, places in by_pack.items():
        _rewrite(db, "text_packs", "texts", pack_id, places, without)
    for pack_id, places in _places_of_keys(db, sorted(turn_ids)):
        _rewrite(db, "key_packs", "keys", pack_id, places, without_keys)


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
