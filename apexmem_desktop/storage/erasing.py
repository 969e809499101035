"""Erasing for good: the one operation that lifts the append-only triggers, in one transaction.

What goes is worked out first (`erase_scope`, `cascade`), then removed, then every index over it is
built anew and the triggers are put back; all of it or nothing. That no byte of it stays in any file
is the work of `purging`.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from apexmem_desktop.domain.reports import EraseReport, EraseScope
from apexmem_desktop.storage import canon, judged, tallies, tombstones, words
from apexmem_desktop.storage.cascade import Cascade, doomed, staying
from apexmem_desktop.storage.copies import find_own_copies, is_by_plan, read_noted
from apexmem_desktop.storage.erase_scope import find_scope
from apexmem_desktop.storage.facts import find_fact_words
from apexmem_desktop.storage.name_pattern import NamePattern, lent
from apexmem_desktop.storage.reproving import reprove
from apexmem_desktop.storage.sessions import note_starts
from apexmem_desktop.storage.unpacking import take_out
from apexmem_desktop.storage.vault import Connection, Vault

# Where a name may stand outside of what goes with its bearer. No column of fixed words is here:
# somebody may be called "user".
STRUCK_COLUMNS = (
    ("conversations", "title"), ("sources", "file_name"), ("sources", "problems"),
    ("turns", "attachments"), ("runs", "output"), ("entity_links", "reason"),
    ("fact_links", "reason"), ("rulings", "reason"), ("rulings", "detail"), ("jobs", "reason"),
    ("drops", "reason"), ("drops", "candidate"),
)  # fmt: skip
_PAGE = 5_000


class _PreviewedError(Exception):
    """Raised to undo what was only tried."""


def erase(vault: Vault, scope: EraseScope, *, now_ms: int, preview: bool = False) -> EraseReport:
    """Remove what the scope names and all that was made of it, in one transaction.

    Args:
        preview: Only count; nothing is changed.

    Raises:
        NotFoundError: There is no such entity or source.
        DiskFullError: No room; nothing was erased.
        VaultError: The vault cannot be written.
    """
    reports = []
    with suppress(_PreviewedError), vault.write() as db:
        reports.append(_erase(db, vault, scope, now_ms, preview=preview))
        if preview:
            raise _PreviewedError
    return reports[0]


def _erase(
    db: Connection, vault: Vault, scope: EraseScope, now_ms: int, *, preview: bool
) -> EraseReport:
    cascade = Cascade(db)
    found = find_scope(db, cascade, scope)
    # Any past answer may quote, in any of its steps, what goes.
    cascade.add("traces", "SELECT id FROM traces")
    proofs = _spread(db, cascade)
    counted = cascade.count()
    if not preview:
        number = tombstones.append_erasure(db, scope.kind, counted, erased_at_ms=now_ms)
        tombstones.bury_turns(db, number, sorted(cascade.ids("turns")))
        sessions = _touched_sessions(db)
        with _guards_lifted(db):
            _mend(db, proofs)
            reprove(db, cascade)
            take_out(db, cascade.ids("turns"))
            cascade.remove()
            _remove_idle_runs(db)
            note_starts(db, sessions)
            if found.pattern is not None:
                _strike_out(db, found.pattern)
        _build_anew(db)
    cascade.close()
    return EraseReport(
        what=found.shown,
        turns=counted.get("turns", 0),
        turns_by_others=found.turns_by_others,
        facts=counted.get("facts", 0),
        events=counted.get("events", 0),
        entities=counted.get("entities", 0),
        sources=counted.get("sources", 0),
        conversations=counted.get("conversations", 0),
        answers=counted.get("traces", 0),
        copies=tuple(str(path) for path in find_own_copies(vault.path)),
        backups_kept=tuple(
            str(path) for path in read_noted(vault.path) if path.exists() and not is_by_plan(path)
        ),
        not_sought=found.not_sought,
    )


def _spread(db: Connection, cascade: Cascade) -> dict[int, int]:
    """Doom all that hangs on what is doomed; return the proofs of names that stay (id, turn).

    A name of an entity that stays was perhaps first seen in a turn that goes: it stays where
    another turn holds it too.
    """
    proofs: dict[int, int] = {}
    while True:
        cascade.spread()
        unproven = db.exec_driver_sql(
            "SELECT id, entity_id, normalised FROM entity_names "  # noqa: S608
            f"WHERE turn_id {doomed('turns')} AND id {staying('entity_names')}"
        ).all()
        unproven = [row for row in unproven if row.id not in proofs]
        if not unproven:
            return proofs
        for row in unproven:
            proof = _other_proof(db, row.entity_id, row.normalised)
            if proof is None:
                cascade.add("entity_names", "SELECT ? AS id", row.id)
            else:
                proofs[row.id] = proof


def _other_proof(db: Connection, entity_id: int, name: str) -> int | None:
    found: int | None = db.exec_driver_sql(
        "SELECT t.id FROM mentions m JOIN turns_said t ON t.id = m.turn_id "  # noqa: S608
        f"WHERE m.entity_id = ? AND t.id {staying('turns')} "
        "AND (normalise(t.speaker) = ? OR instr(normalise(t.text), ?)) LIMIT 1",
        (entity_id, name, name),
    ).scalar()
    return found


@contextmanager
def _guards_lifted(db: Connection) -> Iterator[None]:
    """Lift the triggers that refuse changes; those that keep counts stay at work."""
    guards = db.exec_driver_sql(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%%RAISE(ABORT%%'"
    ).all()
    for name, _ in guards:
        db.exec_driver_sql(f"DROP TRIGGER {name}")
    yield  # after an error the transaction, and so this too, is undone
    for _, sql in guards:
        db.exec_driver_sql(sql)


def _touched_sessions(db: Connection) -> list[int]:
    """List the sessions that stay and lose turns."""
    lose = f"SELECT session_id FROM turns WHERE id {doomed('turns')}"  # noqa: S608
    gone = "SELECT id FROM doomed WHERE tbl = 'sessions'"
    return list(db.exec_driver_sql(f"{lose} EXCEPT {gone}").scalars())


def _mend(db: Connection, proofs: dict[int, int]) -> None:
    """Mend what stays and points to what goes."""
    lose = f"SELECT session_id FROM turns WHERE id {doomed('turns')}"  # noqa: S608
    names = (
        f"FROM entity_names n WHERE n.entity_id = entities.id AND n.id {staying('entity_names')}"
    )
    for sql in (
        f"UPDATE turns SET reply_to_id = NULL WHERE reply_to_id {doomed('turns')}",  # noqa: S608
        "UPDATE sessions SET source_id = (SELECT min(t.source_id) FROM turns_said t "  # noqa: S608
        f"WHERE t.session_id = sessions.id AND t.id {staying('turns')}) "
        f"WHERE source_id {doomed('sources')} AND id {staying('sessions')}",
        # A reply of the model may repeat what stood near the turn that it was about, and what held
        # it was made of the turn's words.
        "UPDATE runs SET output = '', schema_sha256 = '', "  # noqa: S608
        "turn_ids = (SELECT json_group_array(value) "
        f"FROM json_each(runs.turn_ids) WHERE value {staying('turns')}) WHERE EXISTS (SELECT 1 "
        "FROM json_each(runs.turn_ids) one JOIN turns t ON t.id = one.value "
        f"WHERE t.session_id IN ({lose}))",
        f"UPDATE entities SET name = (SELECT n.name {names} ORDER BY n.id LIMIT 1) "  # noqa: S608
        f"WHERE id {staying('entities')} AND id IN "
        f"(SELECT entity_id FROM entity_names WHERE id {doomed('entity_names')}) "
        f"AND NOT EXISTS (SELECT 1 {names} AND n.name = entities.name)",
    ):
        db.exec_driver_sql(sql)
    for name_id, turn_id in proofs.items():
        db.exec_driver_sql("UPDATE entity_names SET turn_id = ? WHERE id = ?", (turn_id, name_id))


def _remove_idle_runs(db: Connection) -> None:
    """Remove the runs whose turns are all gone and that nothing is known from."""
    used = " UNION ".join(
        f"SELECT {column} FROM {table}"  # noqa: S608 - names of the schema's own
        for table, column in db.exec_driver_sql(
            'SELECT t.name, k."from" FROM pragma_table_list t, pragma_foreign_key_list(t.name) k '
            "WHERE t.schema = 'main' AND k.\"table\" = 'runs'"
        ).all()
    )
    db.exec_driver_sql(
        f"DELETE FROM runs WHERE turn_ids = '[]' AND output = '' "  # noqa: S608
        f"AND id NOT IN (SELECT run_id FROM ({used}) WHERE run_id NOT NULL)"
    )


def _strike_out(db: Connection, pattern: NamePattern) -> None:
    """Strike the names out of titles, file names, reasons and what else tells of what stays."""
    with lent(db, pattern):
        for table, column in STRUCK_COLUMNS:
            db.exec_driver_sql(
                f"UPDATE {table} SET {column} = struck_out({column}) WHERE names_it({column})"  # noqa: S608
            )


def _build_anew(db: Connection) -> None:
    """Build the indexes anew: what is only taken out of one still stands in its pages."""
    words.rebuild(db, "turn_words", _turn_words(db))
    words.rebuild(db, "fact_words", find_fact_words(db))
    if not canon.is_right(db):  # they hold numbers only
        canon.rebuild(db)
    tallies.rebuild(db)
    judged.rebuild(db)


def _turn_words(db: Connection) -> Iterator[tuple[int, str]]:
    last = 0
    while True:
        page = db.exec_driver_sql(
            "SELECT id, text FROM turns_unpacked WHERE id > ? ORDER BY id LIMIT ?", (last, _PAGE)
        ).all()
        if not page:
            return
        yield from ((number, text) for number, text in page)
        last = page[-1].id
