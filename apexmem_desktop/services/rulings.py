"""What the user decides: who is whom, and which facts are right. Everything can be taken back.

Each function appends; none changes a row. Nothing here is final: `undo` takes back the newest
ruling that stands, again and again down to the first; `redo` makes anew what was just undone.
"""

from typing import Any

from apexmem_desktop.domain.errors import NotFoundError, RulingRefusedError
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.rulings import Ruling, RulingKind, RulingResult, Touched
from apexmem_desktop.services.correcting import append_correction, spell_fact
from apexmem_desktop.services.fitting import misfit
from apexmem_desktop.services.merging import (
    find_member,
    members_of,
    merge,
    merge_log,
    preview_merge,
    preview_split,
    split,
    tell_apart,
)
from apexmem_desktop.services.ruling_log import (
    RulingLog,
    as_ruling,
    find_abouts,
    read_log,
    touched_by,
    write_consequence,
    write_ruling,
)
from apexmem_desktop.services.said_twice import find_alike_facts
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import derived, entity_links, facts
from apexmem_desktop.storage.rulings import StoredRuling, find_rulings
from apexmem_desktop.storage.same_links import USER
from apexmem_desktop.storage.vault import Connection
from apexmem_desktop.upkeep import deriving

__all__ = [
    "confirm",
    "correct",
    "find_member",
    "hide",
    "list_rulings",
    "members_of",
    "merge",
    "merge_log",
    "misfit",
    "pin",
    "prefer",
    "preview_merge",
    "preview_split",
    "redo",
    "reject",
    "split",
    "tell_apart",
    "undo",
]


def confirm(ws: Workspace, fact_id: int, *, reason: str = "") -> RulingResult:
    """Say that a fact is right.

    Raises:
        NotFoundError: There is no such fact.
        RulingRefusedError: The same was ruled of it already.
    """
    return _rule(ws, fact_id, RulingKind.CONFIRM, reason)


def reject(ws: Workspace, fact_id: int, *, reason: str = "") -> RulingResult:
    """Say that a fact is wrong: it stays to be seen, and never holds. Raises as `confirm` does."""
    return _rule(ws, fact_id, RulingKind.REJECT, reason)


def prefer(ws: Workspace, fact_id: int, *, reason: str = "") -> RulingResult:
    """Say that this side of a conflict is right. Raises as `confirm` does."""
    return _rule(ws, fact_id, RulingKind.PREFER, reason)


def pin(ws: Workspace, fact_id: int, *, reason: str = "") -> RulingResult:
    """Say that a fact is right and matters. Raises as `confirm` does."""
    return _rule(ws, fact_id, RulingKind.PIN, reason)


def hide(ws: Workspace, fact_id: int, *, reason: str = "") -> RulingResult:
    """Take a fact out of every answer, without calling it wrong. Raises as `confirm` does."""
    return _rule(ws, fact_id, RulingKind.HIDE, reason)


def correct(
    ws: Workspace,
    fact_id: int,
    value: str,
    *,
    valid_from: Bound | None = None,
    reason: str = "",
) -> RulingResult:
    """Give the right value of a fact; `changed.fact_ids` is (the old fact, the new one).

    The user's statement becomes a turn of the conversation "Your notes", which proves the new
    fact; that takes the old one's place and, without `valid_from`, its time.

    Raises:
        NotFoundError: There is no such fact.
        RulingRefusedError: The value is empty, or is the value that the fact has; or the fact was
            corrected already.
    """
    at_ms = ws.now_ms()
    with ws.vault.write() as db:
        old = _get_fact(db, fact_id)
        _refuse_again(db, old, RulingKind.CORRECT)
        done = append_correction(
            db, ws, old, value, valid_from=valid_from, reason=reason, at_ms=at_ms
        )
        result = write_ruling(
            db,
            RulingKind.CORRECT,
            f"corrected {spell_fact(old)} to: {done.says}",
            Touched(fact_ids=(fact_id, done.fact_id), turn_ids=(done.turn_id,)),
            at_ms=at_ms,
            fact_id=fact_id,
            reason=reason,
            new_fact=done.fact_id,
        )
        write_consequence(
            db, result.ruling.id, RulingKind.CONFIRM, fact_id=done.fact_id, at_ms=at_ms
        )
        _rule_alike(db, result, old, at_ms)
        return _derived(db, result, at_ms)


def undo(ws: Workspace) -> RulingResult:
    """Take back the newest ruling that stands.

    Raises:
        RulingRefusedError: No ruling stands.
    """
    with ws.vault.write() as db:
        log = read_log(db)
        if not log.standing:
            raise RulingRefusedError(
                "There is no decision to take back.", hint="See them with: apexmem rulings"
            )
        at_ms = ws.now_ms()
        return _derived(db, _take_back(db, log, log.standing[-1], at_ms=at_ms), at_ms)


def redo(ws: Workspace) -> RulingResult:
    """Make anew the ruling that was taken back last; a new ruling in between ends that.

    Raises:
        RulingRefusedError: There is nothing to redo.
    """
    with ws.vault.write() as db:
        log = read_log(db)
        if not log.undone:
            raise RulingRefusedError(
                "No decision was just taken back.", hint="See them with: apexmem rulings"
            )
        at_ms = ws.now_ms()
        return _derived(db, _make_again(db, log, log.undone[-1], at_ms=at_ms), at_ms)


def list_rulings(ws: Workspace, *, limit: int = 200) -> tuple[Ruling, ...]:
    """List what the user decided, the newest first, undos and redos among it."""
    with ws.vault.read() as db:
        rows = read_log(db).rows[-limit:]
        abouts = find_abouts(db, rows)
    return tuple(as_ruling(row, abouts[row.id]) for row in reversed(rows))


_DONE = {
    RulingKind.CONFIRM: "confirmed",
    RulingKind.REJECT: "rejected",
    RulingKind.CORRECT: "corrected",
    RulingKind.PREFER: "preferred",
    RulingKind.PIN: "pinned",
    RulingKind.HIDE: "hidden",
}


def _rule(ws: Workspace, fact_id: int, kind: RulingKind, reason: str) -> RulingResult:
    with ws.vault.write() as db:
        fact = _get_fact(db, fact_id)
        _refuse_again(db, fact, kind)
        at_ms = ws.now_ms()
        result = write_ruling(
            db,
            kind,
            f"{_DONE[kind]} {spell_fact(fact)}",
            Touched(fact_ids=(fact_id,)),
            at_ms=at_ms,
            fact_id=fact_id,
            reason=reason,
        )
        _rule_alike(db, result, fact, at_ms)
        return _derived(db, result, at_ms)


def _rule_alike(db: Connection, result: RulingResult, fact: Fact, at_ms: int) -> None:
    """Refuse what is shown as one with a fact that is refused: else it would come up instead."""
    kind = result.ruling.kind
    if kind not in (RulingKind.REJECT, RulingKind.CORRECT, RulingKind.HIDE):
        return
    for number in find_alike_facts(db, fact, at_ms):
        write_consequence(db, result.ruling.id, kind, fact_id=number, at_ms=at_ms)


def _derived(db: Connection, result: RulingResult, at_ms: int) -> RulingResult:
    """Work out anew what a ruling changes of importance, habits and summaries."""
    about = derived.find_subjects(db, result.changed.fact_ids)
    deriving.refresh(db, about, now_ms=at_ms)
    return result


def _get_fact(db: Connection, fact_id: int) -> Fact:
    for fact in facts.find_facts(db, ids=[fact_id]):
        return fact
    raise NotFoundError(
        f"There is no fact {fact_id} in this memory.",
        hint="See the numbers with: apexmem facts NAME --history --json",
    )


def _refuse_again(db: Connection, fact: Fact, kind: RulingKind) -> None:
    """Refuse what was ruled already: undo would seem to do nothing."""
    if find_rulings(db, [fact.id]).get(fact.id) == str(kind):
        raise RulingRefusedError(
            f"{spell_fact(fact)} was {_DONE[kind]} already.", hint="Take it back with: apexmem undo"
        )


def _take_back(db: Connection, log: RulingLog, row: StoredRuling, *, at_ms: int) -> RulingResult:
    says = row.detail.get("says", row.kind)
    link_rows = _turn_back(db, row, f"taken back: {says}", at_ms)
    result = write_ruling(
        db,
        RulingKind.UNDO,
        f"took back: {says}",
        touched_by(row),
        at_ms=at_ms,
        fact_id=row.fact_id,
        entity_id=row.entity_id,
        undoes_id=row.id,
        link_rows=link_rows,
        **_named(row),
    )
    _turn_facts(db, log, row, result, RulingKind.REJECT, at_ms)
    return result


def _make_again(db: Connection, log: RulingLog, row: StoredRuling, *, at_ms: int) -> RulingResult:
    """Rule anew what an undo took back."""
    first = log.get(row.undoes_id or 0)
    says = first.detail.get("says", first.kind)
    link_rows = _turn_back(db, row, f"made again: {says}", at_ms)
    result = write_ruling(
        db,
        RulingKind(first.kind),
        says,
        touched_by(first),
        at_ms=at_ms,
        fact_id=first.fact_id,
        entity_id=first.entity_id,
        reason=first.reason,
        link_rows=link_rows,
        again=first.id,
        redoes=row.id,
        **_named(first),
    )
    _turn_facts(db, log, row, result, RulingKind.CONFIRM, at_ms)
    for fact in facts.find_facts(db, ids=[first.fact_id]) if first.fact_id else ():
        _rule_alike(db, result, fact, at_ms)
    if first.kind == RulingKind.MISFIT:
        for number in touched_by(first).fact_ids:
            write_consequence(db, result.ruling.id, RulingKind.REJECT, fact_id=number, at_ms=at_ms)
    return result


def _named(row: StoredRuling) -> dict[str, Any]:
    """Take over what a ruling was about, beyond its fact or entity."""
    kept = ("new_fact", "both", "turn_id", "question")
    return {key: row.detail[key] for key in kept if key in row.detail}


def _turn_back(db: Connection, row: StoredRuling, reason: str, at_ms: int) -> list[int]:
    """Take back the links that a ruling made, the last first."""
    made = row.detail.get("link_rows", [])
    return [entity_links.take_back(db, number, USER, reason, at_ms) for number in reversed(made)]


def _turn_facts(
    db: Connection,
    log: RulingLog,
    row: StoredRuling,
    result: RulingResult,
    kind: RulingKind,
    at_ms: int,
) -> None:
    """Take back what a ruling did to the facts that it added or judged along with it.

    A fact that a correction added stays there, so that the opposite is said of it.
    """
    for one in log.consequences.get(row.id, ()):
        if one.fact_id is None or one.undoes_id is not None:
            continue
        number = result.ruling.id
        write_consequence(
            db, number, RulingKind.UNDO, fact_id=one.fact_id, at_ms=at_ms, undoes_id=one.id
        )
        if {one.kind, kind} == {RulingKind.CONFIRM, RulingKind.REJECT}:
            write_consequence(db, number, kind, fact_id=one.fact_id, at_ms=at_ms)
