"""Links between entities: appended, taken back by a later row, held back where they give way."""

from collections.abc import Iterable

from sqlalchemy import func, select

from apexmem_desktop.domain.errors import RulingRefusedError
from apexmem_desktop.domain.rulings import EntityLink, LinkState, SaidOfTwo
from apexmem_desktop.storage import canon
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.rows import append_row, read_pairs
from apexmem_desktop.storage.same_links import (
    APART,
    SAME,
    USER,
    Link,
    Settled,
    settle,
    standing,
    standing_rows,
)
from apexmem_desktop.storage.tables import entities, entity_links
from apexmem_desktop.storage.vault import Connection

_KINDS = (SAME, APART)
_WITNESSES = ("rule", "model", USER)


def append_link(
    db: Connection,
    a: int,
    b: int,
    kind: str,
    by: str,
    reason: str,
    recorded_at_ms: int,
    undoes_id: int | None = None,
) -> int:
    """Say that two entities are the same ("same_as") or surely not ("not_same_as").

    What a rule or model says against the user or against older evidence is stored, with the reason
    why it does not count, and held back; so is what would join some of whom nothing says so.

    Args:
        by: "rule", "model" or "user".
        undoes_id: Number of an earlier row; this one then only takes that one back.

    Raises:
        ValueError: There is no such kind or witness, or an entity would be linked with itself.
        RulingRefusedError: The user says so, and said otherwise before.
    """
    if kind not in _KINDS or by not in _WITNESSES or a == b:
        raise ValueError(f"no link {kind!r} by {by!r} between {a} and {b}")
    if undoes_id is None:
        new = Link(_next_id(db), a, b, kind, by, "", None, recorded_at_ms)
        against = _find_against(db, new)
        if against is not None and by == USER:
            raise _refusal(db, against)
        if against is not None:
            reason = f"{reason} [held back: {_why(db, against)}]".strip()
    number = append_row(
        db,
        entity_links,
        a_id=a,
        b_id=b,
        kind=kind,
        by=by,
        reason=reason,
        undoes_id=undoes_id,
        recorded_at_ms=recorded_at_ms,
    )
    canon.refresh(db, [a, b])
    return number


def take_back(db: Connection, row_id: int, by: str, reason: str, recorded_at_ms: int) -> int:
    """Take back one row, a link or a taking back, and return the number of the new row."""
    row = db.execute(select(entity_links).where(entity_links.c.id == row_id)).one()
    return append_link(
        db, row.a_id, row.b_id, row.kind, by, reason, recorded_at_ms, undoes_id=row_id
    )


def find_standing(db: Connection, ids: Iterable[int], *, kind: str) -> list[Link]:
    """List the links of a kind that name one of these and were not taken back, oldest first."""
    rows = standing_rows(canon.read_links(db, ids)).values()
    return [link for link in rows if link.undoes_id is None and link.kind == kind]


def find_links(db: Connection, entity_id: int) -> list[EntityLink]:
    """List every link row that names an entity or one that is the same, oldest first."""
    ids = canon.same_ids(db, entity_id)
    rows = canon.read_links(db, ids)
    settled = canon.settle_around(db, ids)
    alive = standing_rows(rows)
    return [_logged(db, row, row.id in alive, settled) for row in rows]


def what_refuses(
    db: Connection, a: int, b: int, *, without: Iterable[int] = ()
) -> SaidOfTwo | None:
    """Tell what stands against the user's merge of two entities; None when nothing does.

    Args:
        without: Links that would be taken back first.
    """
    against = _find_against(db, _merge_of(db, a, b), without)
    return None if against is None else _said(db, against)


def settle_merged(
    db: Connection, a: int, b: int, *, without: Iterable[int] = ()
) -> tuple[Settled, list[SaidOfTwo]]:
    """Work out what the user's merge of two entities would come to; nothing is stored.

    Returns:
        Who would stand for whom, and what would be overruled.
    """
    family, links = canon.find_family(db, [a, b])
    gone = set(without)
    before = settle(family, links)
    kept = [link for link in links if link.id not in gone]
    after = settle(family, [*kept, _merge_of(db, a, b)])
    newly = [k for k in links if k.id in after.held and k.id not in before.held]
    return after, [_said(db, link) for link in links if link.id in gone or link in newly]


def is_merged_by_user(db: Connection, a: int, b: int) -> bool:
    """Tell whether the user's own links alone make two entities one."""
    family, links = canon.find_family(db, [a, b])
    own = settle(family, [link for link in standing(links) if link.by == USER]).canon
    return own[a] == own[b]


def _merge_of(db: Connection, a: int, b: int) -> Link:
    return Link(_next_id(db), a, b, SAME, USER, "", None, 0)


def _logged(db: Connection, row: Link, stands: bool, settled: Settled) -> EntityLink:
    against, unproven = settled.held.get(row.id), settled.unproven.get(row.id)
    if not stands:
        state = LinkState.TAKEN_BACK
    elif row.undoes_id is not None:
        state = LinkState.TAKES_BACK
    else:
        counts = against is None and unproven is None
        state = LinkState.STANDS if counts else LinkState.HELD_BACK
    return EntityLink(
        id=row.id,
        a_id=row.a,
        b_id=row.b,
        kind=row.kind,
        by=row.by,
        reason=row.reason,
        recorded_at_ms=row.recorded_at_ms,
        state=state,
        undoes_id=row.undoes_id,
        because=_because(db, against, unproven) if state is LinkState.HELD_BACK else "",
    )


def _because(db: Connection, against: Link | None, unproven: tuple[int, int] | None) -> str:
    return _why(db, against) if against is not None else _why_unproven(db, unproven)


def _next_id(db: Connection) -> int:
    return (db.execute(select(func.max(entity_links.c.id))).scalar() or 0) + 1


def _find_against(db: Connection, new: Link, without: Iterable[int] = ()) -> Link | None:
    """Find what a new link goes against: what holds it back, or what of the user's it would."""
    family, every = canon.find_family(db, [new.a, new.b])
    gone = set(without)
    links = [link for link in every if link.id not in gone]
    before, after = settle(family, links), settle(family, [*links, new])
    if new.id in after.held:
        return after.held[new.id]
    own = {link.id: link for link in links if link.by == USER}
    newly = sorted(number for number in after.held if number not in before.held and number in own)
    return own[newly[0]] if newly else None


def _refusal(db: Connection, against: Link) -> RulingRefusedError:
    return RulingRefusedError(
        f"{_why(db, against)}.",
        hint="Take that back first, or split the merge that joins them.",
    )


def _why(db: Connection, link: Link) -> str:
    """Say in plain words what a link says, and who said it."""
    return str(_said(db, link))


def _why_unproven(db: Connection, pair: tuple[int, int] | None) -> str:
    """Say in plain words of whom nothing says that they are one."""
    if pair is None:
        return ""
    names = _names(db, *pair)
    one, other = (f"{names[number]} ({number})" for number in pair)
    return f"nothing says that {one} and {other} are the same"


def _names(db: Connection, *ids: int) -> dict[int, str]:
    wanted = select(entities.c.id, entities.c.name).where(among(entities.c.id, ids))
    return read_pairs(db, wanted)


def _said(db: Connection, link: Link) -> SaidOfTwo:
    names = _names(db, link.a, link.b)
    return SaidOfTwo(link.a, names[link.a], link.b, names[link.b], link.kind == SAME, link.by)
