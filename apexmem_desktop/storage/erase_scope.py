"""What the user named for erasing, as the first doomed rows of a cascade."""

import json
from dataclasses import dataclass

from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.reports import EraseScope
from apexmem_desktop.storage import canon
from apexmem_desktop.storage.cascade import Cascade, doomed
from apexmem_desktop.storage.name_pattern import NamePattern, is_telling, lent
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.tables import MENTION_ROLES
from apexmem_desktop.storage.vault import Connection

_SOURCES_TOLD = 20
_SPOKE = MENTION_ROLES["speaker"]


@dataclass(frozen=True, slots=True)
class Found:
    """What a scope comes to.

    Attributes:
        shown: The name of the entity, or the file; "everything".
        turns_by_others: How many turns go because they speak of the entity.
        pattern: The names to be looked for in running text; None for a source or all.
        not_sought: Names that are not looked for, being others' too or too common.
    """

    shown: str
    turns_by_others: int = 0
    pattern: NamePattern | None = None
    not_sought: tuple[str, ...] = ()


def find_scope(db: Connection, cascade: Cascade, scope: EraseScope) -> Found:
    """Doom what the user named.

    Raises:
        NotFoundError: There is no such entity or source.
    """
    if scope.kind == "all":
        cascade.add_all()
        return Found("everything")
    if scope.kind == "source":
        return _find_source(db, cascade, scope.id)
    return _find_entity(db, cascade, scope)


def _find_source(db: Connection, cascade: Cascade, number: int) -> Found:
    rows = db.exec_driver_sql("SELECT id, file_name FROM sources ORDER BY id DESC").all()
    files = {row.id: row.file_name for row in rows}
    if number not in files:
        known = ", ".join(f"{n} ({file})" for n, file in list(files.items())[:_SOURCES_TOLD])
        raise NotFoundError(
            f"There is no import number {number}.", hint=f"There are: {known or 'none'}."
        )
    cascade.add("sources", "SELECT ? AS id", number)
    cascade.add("turns", "SELECT id FROM turns_said WHERE source_id = ?", number)
    return Found(files[number])


def _find_entity(db: Connection, cascade: Cascade, scope: EraseScope) -> Found:
    same = canon.same_ids(db, scope.id)
    if not same:
        raise NotFoundError(
            f"There is no person or thing number {scope.id}.", hint="See: apexmem entities"
        )
    cascade.add("entities", "SELECT value AS id FROM json_each(?)", json.dumps(same))
    shown: str = db.exec_driver_sql(
        "SELECT name FROM entities WHERE id = ?", (same[0],)
    ).scalar_one()
    names, not_sought = _sought_names(db)
    pattern = NamePattern(names)
    said = _doom_own_turns(db, cascade, names)
    if scope.with_mentions:
        with lent(db, pattern):
            _doom_mentions(cascade)
    by_others = len(cascade.ids("turns")) - said
    with lent(db, pattern):
        for table, told, column in (
            ("facts", "facts_told", "value"), ("events", "events_told", "summary"),
            ("entity_names", "entity_names", "name"),
        ):  # fmt: skip
            wanted = f"SELECT id FROM {told} WHERE names_it({column})"  # noqa: S608
            cascade.add(table, wanted)
    return Found(shown, by_others, pattern, not_sought)


def _sought_names(db: Connection) -> tuple[list[str], tuple[str, ...]]:
    """Split the entity's names into those that mean it wherever they stand, and the rest."""
    mine = list(
        db.exec_driver_sql(
            f"SELECT DISTINCT name FROM entity_names WHERE entity_id {doomed('entities')}"  # noqa: S608
        ).scalars()
    )
    others = set(
        db.exec_driver_sql(
            "SELECT DISTINCT normalised FROM entity_names "  # noqa: S608
            f"WHERE entity_id NOT {doomed('entities')}"
        ).scalars()
    )
    sought = [name for name in mine if is_telling(name) and normalise(name) not in others]
    return sought, tuple(sorted(set(mine) - set(sought)))


def _doom_own_turns(db: Connection, cascade: Cascade, names: list[str]) -> int:
    """Doom what the entity said itself, read into the graph or not yet; return how many."""
    wanted = f"SELECT turn_id AS id FROM mentions WHERE role = {_SPOKE} AND entity_id {_MINE}"  # noqa: S608
    cascade.add("turns", wanted)
    known = {normalise(name) for name in names}
    speakers = db.exec_driver_sql("SELECT DISTINCT speaker FROM voices").scalars()
    mine = json.dumps([speaker for speaker in speakers if normalise(speaker) in known])
    spoken = "SELECT id FROM turns_said WHERE speaker IN (SELECT value FROM json_each(?))"
    cascade.add("turns", spoken, mine)
    return len(cascade.ids("turns"))


_MINE = doomed("entities")


def _doom_mentions(cascade: Cascade) -> None:
    """Doom what others said of the entity: by its names, or as proof of what is known of it."""
    about = f"SELECT id FROM facts WHERE subject_id {_MINE} OR value_entity_id {_MINE}"  # noqa: S608
    events = (
        f"SELECT event_id FROM event_participants WHERE entity_id {_MINE} "  # noqa: S608
        f"UNION SELECT id FROM events WHERE place_id {_MINE}"
    )
    for wanted in (
        f"SELECT turn_id AS id FROM mentions WHERE entity_id {_MINE}",  # noqa: S608
        f"SELECT turn_id AS id FROM entity_names WHERE entity_id {_MINE}",  # noqa: S608
        f"SELECT turn_id AS id FROM fact_quotes WHERE fact_id IN ({about})",  # noqa: S608
        f"SELECT turn_id AS id FROM event_quotes WHERE event_id IN ({events})",  # noqa: S608
        "SELECT id FROM turns_unpacked WHERE names_it(text) OR names_it(attachments)",
    ):
        cascade.add("turns", wanted)
