"""Is the vault sound? What can be worked out again from the rest is mended on the way."""

import re
from collections.abc import Callable

from sqlalchemy import func, or_, select, text

from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.domain.reports import Check
from apexmem_desktop.storage import canon, judged, tallies, words
from apexmem_desktop.storage.facts import find_fact_words
from apexmem_desktop.storage.migrations import load_steps
from apexmem_desktop.storage.rows import read_pairs
from apexmem_desktop.storage.tables import (
    event_quotes,
    evidence,
    fact_quotes,
    fact_rows,
    turns,
)
from apexmem_desktop.storage.unpacking import find_lost
from apexmem_desktop.storage.vault import Connection, Vault
from apexmem_desktop.storage.vectors import Kind, VectorIndex, find_embedders

_SHOWN = 5
_TRIGGER = re.compile(r"^(CREATE|DROP) TRIGGER (\w+)", re.MULTILINE)


def expected_triggers() -> frozenset[str]:
    """List the triggers that the migrations make and do not drop for good."""
    expected: set[str] = set()
    for made_or_dropped, name in _TRIGGER.findall("".join(load_steps())):
        (expected.add if made_or_dropped == "CREATE" else expected.discard)(name)
    return frozenset(expected)


def check(vault: Vault) -> tuple[Check, ...]:
    """Run every check; the memory itself is only read, what is derived from it is mended."""
    reading = (
        ("database file", _check_file),
        ("references", _check_references),
        ("message texts", _check_texts),
        ("evidence quotes", _check_quotes),
        ("append-only triggers", _check_triggers),
        ("names and values", _check_normalised),
    )
    mending = (
        ("same-as table", _mend_canon),
        ("kept counts", _mend_tallies),
        ("kept judgements", _mend_judged),
        ("message words index", _mend_turn_words),
        ("fact words index", _mend_fact_words),
    )
    checks = [_look(vault, name, look) for name, look in reading]
    sound = not vault.read_only and checks[0].ok
    checks += [_mend(vault, name, mend, sound) for name, mend in mending]
    checks.append(_check_vectors(vault, sound))
    return tuple(checks)


def _look(vault: Vault, name: str, look: Callable[[Connection], str]) -> Check:
    """Run one check; what is too damaged to be read has failed it."""
    try:
        with vault.read() as db:
            wrong = look(db)
    except VaultError as error:
        wrong = error.message
    return Check(name, ok=not wrong, detail=wrong or "in order")


def _mend(vault: Vault, name: str, mend: Callable[[Connection, bool], str], may: bool) -> Check:
    """Look first, reading; write only when something is to be mended."""
    found = _look(vault, name, lambda db: mend(db, False))
    if found.ok or not may:
        return found
    with vault.write() as db:
        mend(db, True)
    left = _look(vault, name, lambda db: mend(db, False))
    return left if not left.ok else Check(name, ok=True, detail=f"{found.detail}; built anew")


def _check_file(db: Connection) -> str:
    found = list(db.execute(text(f"PRAGMA quick_check({_SHOWN})")).scalars())
    return "" if found == ["ok"] else "; ".join(found)


def _check_references(db: Connection) -> str:
    broken = db.execute(text("PRAGMA foreign_key_check")).all()
    return _listed(len(broken), [f"{row[0]} {row[1]}" for row in broken], "rows point nowhere")


def _check_texts(db: Connection) -> str:
    lost = find_lost(db)
    return _listed(len(lost), lost, "messages, or packs of messages, cannot be read")


def _check_quotes(db: Connection) -> str:
    """See that each quote lies inside its turn, and that one kept in words is what it says."""
    parts = []
    for quotes, owner in ((fact_quotes, "fact_id"), (event_quotes, "event_id")):
        of = quotes.c
        said = func.substr(turns.c.text, of.start_char + 1, of.end_char - of.start_char)
        outside = or_(of.start_char < 0, func.length(of.quote) != of.end_char - of.start_char)
        wrong = (
            select(of[owner])
            .join(turns, turns.c.id == of.turn_id)
            .where(or_(outside, said != of.quote))
        )
        ids = list(db.execute(wrong).scalars())
        what = f"{owner.split('_')[0]}s have quotes that differ from what was said"
        parts.append(_listed(len(ids), ids, what))
    further = select(evidence.c.id).where(evidence.c.fact_id == fact_rows.c.id)
    unproven = select(fact_rows.c.id).where(fact_rows.c.turn_id.is_(None), ~further.exists())
    bare = list(db.execute(unproven).scalars())
    parts.append(_listed(len(bare), bare, "facts have no proof"))
    return "; ".join(part for part in parts if part)


def _check_triggers(db: Connection) -> str:
    found = set(db.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars())
    missing = sorted(expected_triggers() - found)
    return _listed(len(missing), missing, "triggers are missing")


def _check_normalised(db: Connection) -> str:
    """See that what names and values are found by is what today's rules make of them."""
    names = text("SELECT id FROM entity_names WHERE normalised <> normalise(name)")
    values = text(
        "SELECT id FROM facts_told WHERE value_normalised <> normalise_value(value, value_type)"
    )
    old_names, old_values = (list(db.execute(sql).scalars()) for sql in (names, values))
    parts = (
        _listed(len(old_names), old_names, "names are kept by other rules"),
        _listed(len(old_values), old_values, "values are kept by other rules"),
    )
    return "; ".join(part for part in parts if part)


def _listed(number: int, shown: list[str] | list[int], what: str) -> str:
    return f"{number} {what}: {', '.join(map(str, shown[:_SHOWN]))}" if number else ""


def _mend_canon(db: Connection, may_write: bool) -> str:
    if may_write:
        canon.rebuild(db)
    return "" if canon.is_right(db) else "it differs from the links"


def _mend_tallies(db: Connection, may_write: bool) -> str:
    if may_write:
        tallies.rebuild(db)
    return "" if tallies.are_right(db) else "they differ from what is there"


def _mend_judged(db: Connection, may_write: bool) -> str:
    if may_write:
        judged.rebuild(db)
    return "" if judged.is_right(db) else "they differ from what the facts give"


def _mend_turn_words(db: Connection, may_write: bool) -> str:
    if may_write:
        words.rebuild(db, "turn_words", read_pairs(db, select(turns.c.id, turns.c.text)).items())
    return _compare_words(db, "turn_words", "turns")


def _mend_fact_words(db: Connection, may_write: bool) -> str:
    if may_write:
        words.rebuild(db, "fact_words", find_fact_words(db))
    return _compare_words(db, "fact_words", "facts")


def _compare_words(db: Connection, index: str, table: str) -> str:
    """Compare which rows the index knows with which there are."""
    sql = (  # both names are our own
        f"SELECT (SELECT count(*) FROM {table} WHERE id NOT IN (SELECT id FROM {index}_docsize)), "  # noqa: S608
        f"(SELECT count(*) FROM {index}_docsize WHERE id NOT IN (SELECT id FROM {table}))"
    )
    missing, left_over = db.execute(text(sql)).one()
    return f"{missing} rows missing, {left_over} left over" if missing or left_over else ""


def _check_vectors(vault: Vault, may_write: bool) -> Check:
    """See that each index file fits its table; a file that does not is written anew."""
    name = "vector index"
    details = []
    kinds: tuple[Kind, ...] = ("turn", "fact")
    try:
        for kind in kinds:
            with vault.read() as db:
                embedders = find_embedders(db, kind)
            details += [f"{number} {kind} vectors of {e}" for e, number in embedders.items()]
            if may_write and embedders:
                VectorIndex(vault, max(embedders, key=embedders.__getitem__), kind).refresh()
    except VaultError as error:
        return Check(name, ok=False, detail=error.message)
    return Check(name, ok=True, detail="; ".join(details) or "no vectors yet")
