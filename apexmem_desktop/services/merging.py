"""Who is whom: merges, splits, and what a merge would bring together."""

from collections.abc import Mapping

from apexmem_desktop.domain.errors import NotFoundError, RulingRefusedError
from apexmem_desktop.domain.rulings import (
    EntityLink,
    MergePreview,
    RulingKind,
    RulingResult,
    SplitPreview,
    Touched,
)
from apexmem_desktop.services.browsing import find_entity
from apexmem_desktop.services.ruling_log import read_log, write_ruling
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, entity_links
from apexmem_desktop.storage.same_links import APART, SAME, USER, Link
from apexmem_desktop.storage.vault import Connection


def find_member(ws: Workspace, name_or_id: str) -> int:
    """Find the number of one entity, also of one that was merged into another.

    Raises:
        NotFoundError: Nothing is called so, or several are; the hint gives their numbers.
    """
    wanted = name_or_id.strip()
    with ws.vault.read() as db:
        if wanted.isdecimal():
            entities.get_entity(db, int(wanted))
            return int(wanted)
        named = entities.find_ids_named(db, wanted)
        own = [number for number in named if (number, wanted) in entities.find_members(db, number)]
    for found in (own, named):
        if len(found) == 1:
            return found[0]
    if not named:
        return find_entity(ws, wanted).id
    numbers = ", ".join(map(str, named[:10]))
    raise NotFoundError(
        f'"{wanted}" can be {len(named)} people or things.', hint=f"Give a number: {numbers}."
    )


def merge(ws: Workspace, a_id: int, b_id: int, *, reason: str = "") -> RulingResult:
    """Say that two entities are one.

    What the user said of these two before gives way, and so does what rules and models say; what
    the user said of others does not.

    Raises:
        NotFoundError: One of the numbers belongs to nothing.
        RulingRefusedError: They are one by the user's word already, or were told apart through a
            third.
    """
    at_ms = ws.now_ms()
    with ws.vault.write() as db:
        names = _two(db, a_id, b_id)
        if entity_links.is_merged_by_user(db, a_id, b_id):
            raise RulingRefusedError(f"{names} are one already.", hint="Nothing has to be done.")
        group = _groups(db, a_id, b_id)
        why = reason or "the user merged them"
        rows = [
            entity_links.take_back(db, link.id, USER, why, at_ms)
            for link in _said_otherwise(db, a_id, b_id)
        ]
        rows.append(entity_links.append_link(db, a_id, b_id, SAME, USER, why, at_ms))
        return write_ruling(
            db,
            RulingKind.MERGE,
            f"merged {names}",
            Touched(entity_ids=_groups(db, *group)),
            at_ms=at_ms,
            entity_id=entities.get_entity(db, a_id).id,
            reason=reason,
            link_rows=rows,
            both=[a_id, b_id],
        )


def preview_merge(ws: Workspace, a_id: int, b_id: int) -> MergePreview:
    """Tell what a merge would bring together; stores nothing.

    Raises:
        NotFoundError: One of the numbers belongs to nothing.
        RulingRefusedError: Both are the same number.
    """
    with ws.vault.read() as db:
        _two(db, a_id, b_id)
        given_up = [link.id for link in _said_otherwise(db, a_id, b_id)]
        is_done = entity_links.is_merged_by_user(db, a_id, b_id)
        refused_by = entity_links.what_refuses(db, a_id, b_id, without=given_up)
        after, overruled = entity_links.settle_merged(db, a_id, b_id, without=given_up)
        one, other = entities.get_entity(db, a_id), entities.get_entity(db, b_id)
        # The older number stands for both, unless the merge drops it out of its group.
        stays, moves = (one, other) if one.id <= other.id else (other, one)
        if not is_done and refused_by is None and after.canon[a_id] == moves.id:
            stays, moves = moves, stays
        return MergePreview(
            stays_id=stays.id,
            stays=stays.name,
            moves_id=moves.id,
            moves=moves.name,
            names=tuple(dict.fromkeys((stays.name, *stays.aliases, moves.name, *moves.aliases))),
            facts_moved=moves.fact_count,
            mentions_moved=moves.mention_count,
            takes_back=tuple(overruled),
            is_done=is_done,
            refused_by=None if is_done else refused_by,
        )


def split(ws: Workspace, entity_id: int, *, reason: str = "") -> RulingResult:
    """Take one entity out of those it was merged with, and keep it from them.

    Those that were one only through it fall apart: nothing but links makes entities one.

    Raises:
        NotFoundError: The number belongs to nothing.
        RulingRefusedError: It is not merged with anything.
    """
    at_ms = ws.now_ms()
    with ws.vault.write() as db:
        members = dict(entities.find_members(db, entity_id))
        rows = _take_out(db, entity_id, members, reason or "the user split them", at_ms)
        others = ", ".join(f"{n} ({i})" for i, n in members.items() if i != entity_id)
        return write_ruling(
            db,
            RulingKind.SPLIT,
            f"split {members[entity_id]} ({entity_id}) from {others}",
            Touched(entity_ids=_groups(db, *members)),
            at_ms=at_ms,
            entity_id=entity_id,
            reason=reason,
            link_rows=rows,
            both=[entity_id, *(one for one in members if one != entity_id)],
        )


def preview_split(ws: Workspace, entity_id: int) -> SplitPreview:
    """Tell what would be known of each after a split; it is tried and taken back at once.

    Raises:
        NotFoundError: The number belongs to nothing.
        RulingRefusedError: It is not merged with anything.
    """
    try:
        with ws.vault.write() as db:
            members = dict(entities.find_members(db, entity_id))
            _take_out(db, entity_id, members, "a look", ws.now_ms())
            goes = entities.get_entity(db, entity_id)
            others = (entities.get_entity(db, number) for number in members)
            stays = {one.id: one for one in others if one.id != goes.id}
            raise _OnlyLookedError(SplitPreview(goes, tuple(stays.values())))
    except _OnlyLookedError as looked:
        return looked.preview


class _OnlyLookedError(Exception):
    """Ends a transaction that was only a look, so that nothing of it is stored."""

    def __init__(self, preview: SplitPreview) -> None:
        super().__init__()
        self.preview = preview


def _take_out(
    db: Connection, entity_id: int, members: Mapping[int, str], why: str, at_ms: int
) -> list[int]:
    """Take back what makes an entity one with others, and keep it from them; give the rows."""
    name = entities.get_entity(db, entity_id).name
    if len(members) == 1:
        raise RulingRefusedError(
            f"{name} ({entity_id}) is not merged with anything.", hint="Nothing has to be done."
        )
    rows = [
        entity_links.take_back(db, link.id, USER, why, at_ms)
        for link in entity_links.find_standing(db, [entity_id], kind=SAME)
        if {link.a, link.b} <= members.keys()
    ]
    return rows + [
        entity_links.append_link(db, entity_id, other, APART, USER, why, at_ms)
        for other in members
        if other != entity_id
    ]


def tell_apart(ws: Workspace, a_id: int, b_id: int, *, reason: str = "") -> RulingResult:
    """Say that two entities are surely not the same.

    Raises:
        NotFoundError: One of the numbers belongs to nothing.
        RulingRefusedError: The user joined them through others, or told them apart already.
    """
    at_ms = ws.now_ms()
    with ws.vault.write() as db:
        names = _two(db, a_id, b_id)
        if any(link.by == USER for link in _between(db, a_id, b_id, APART)):
            raise RulingRefusedError(
                f"{names} were told apart already.", hint="Nothing has to be done."
            )
        group = _groups(db, a_id, b_id)
        why = reason or "the user told them apart"
        rows = [
            entity_links.take_back(db, link.id, USER, why, at_ms)
            for link in _between(db, a_id, b_id, SAME)
        ]
        rows.append(entity_links.append_link(db, a_id, b_id, APART, USER, why, at_ms))
        return write_ruling(
            db,
            RulingKind.SPLIT,
            f"told {names} apart",
            Touched(entity_ids=_groups(db, *group)),
            at_ms=at_ms,
            entity_id=a_id,
            reason=reason,
            link_rows=rows,
            both=[a_id, b_id],
        )


def members_of(ws: Workspace, entity_id: int) -> tuple[tuple[int, str], ...]:
    """List the entities that were merged with one, itself included: number and first name."""
    with ws.vault.read() as db:
        entities.get_entity(db, entity_id)
        return tuple(entities.find_members(db, entity_id))


def merge_log(ws: Workspace, entity_id: int) -> tuple[EntityLink, ...]:
    """List every link that was ever made of an entity, with whether it counts and why not."""
    with ws.vault.read() as db:
        entities.get_entity(db, entity_id)
        return tuple(entity_links.find_links(db, entity_id))


def _two(db: Connection, a_id: int, b_id: int) -> str:
    """Name two entities, each by its own name; refuse one alone."""
    named = []
    for number in (a_id, b_id):
        entities.get_entity(db, number)
        named.append(f"{dict(entities.find_members(db, number))[number]} ({number})")
    if a_id == b_id:
        raise RulingRefusedError(
            f"{named[0]} is one number, not two.", hint="Give two different ones."
        )
    return " and ".join(named)


def _groups(db: Connection, *ids: int) -> tuple[int, ...]:
    """List all that are one with any of these."""
    return tuple(sorted({same for number in ids for same in entities.same_ids(db, number)}))


def _between(db: Connection, a_id: int, b_id: int, kind: str) -> list[Link]:
    """List the standing links of a kind between two entities as given."""
    links = entity_links.find_standing(db, [a_id], kind=kind)
    return [link for link in links if {link.a, link.b} == {a_id, b_id}]


def _said_otherwise(db: Connection, a_id: int, b_id: int) -> list[Link]:
    """List what the user said outright against a merge of these two.

    A split keeps one from several; whoever merges them again takes back all that the split said
    between the two groups.
    """
    mine, others = set(entities.same_ids(db, a_id)), set(entities.same_ids(db, b_id))
    apart = [
        link
        for link in entity_links.find_standing(db, mine, kind=APART)
        if link.by == USER and _crosses(link, mine, others)
    ]
    direct = {link.id for link in apart if {link.a, link.b} == {a_id, b_id}}
    along = {
        row
        for ruling in read_log(db).rows
        if direct & set(ruling.detail.get("link_rows", ()))
        for row in ruling.detail["link_rows"]
    }
    return [link for link in apart if link.id in direct | along]


def _crosses(link: Link, one: set[int], other: set[int]) -> bool:
    return (link.a in one and link.b in other) or (link.a in other and link.b in one)
