"""Which entities links make one, against a slow reference that shares no code with it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.storage.same_links import APART, SAME, USER, Link, settle, standing

IDS = range(1, 7)


def same(number: int, a: int, b: int, by: str = "rule") -> Link:
    return Link(number, a, b, SAME, by, "", None, number)


def apart(number: int, a: int, b: int, by: str = USER) -> Link:
    return Link(number, a, b, APART, by, "", None, number)


def undo(number: int, of: Link) -> Link:
    return replace(of, id=number, undoes_id=of.id, recorded_at_ms=number)


def groups(*links: Link) -> list[list[int]]:
    canon = settle(IDS, links).canon
    found: dict[int, list[int]] = {}
    for number in IDS:
        found.setdefault(canon[number], []).append(number)
    return [group for group in found.values() if len(group) > 1]


def test_the_oldest_stands_for_its_group() -> None:
    assert settle(IDS, [same(1, 5, 3), same(2, 6, 5), same(3, 6, 3)]).canon == {
        1: 1, 2: 2, 3: 3, 4: 4, 5: 3, 6: 3,
    }  # fmt: skip


def test_nothing_merges_through_a_third_what_was_told_apart() -> None:
    """Known fault 53: A≈B, B≈C, A≠C; whenever it was told."""
    for links in (
        (same(1, 1, 2), same(2, 2, 3), apart(3, 1, 3)),
        (apart(1, 1, 3), same(2, 1, 2), same(3, 2, 3)),
    ):
        assert groups(*links) == [[1, 2]]
        held = settle(IDS, links).held
        assert [held[n].kind for n in held] == [APART]


def test_nothing_merges_through_a_third_without_evidence_of_its_own() -> None:
    """A≈B and B≈C leave A and C two, until something says that they are one."""
    links = (same(1, 1, 2), same(2, 2, 3))
    assert groups(*links) == [[1, 2]]
    settled = settle(IDS, links)
    assert (settled.held, settled.unproven) == ({}, {2: (1, 3)})
    for proof in (same(3, 1, 3), same(3, 3, 1, "model")):
        assert groups(*links, proof) == [[1, 2, 3]]
        assert groups(*links, proof, undo(4, proof)) == [[1, 2]]


def test_two_groups_join_only_where_each_is_linked_with_each() -> None:
    two = (same(1, 1, 2), same(2, 3, 4))
    part = (*two, same(3, 2, 3), same(4, 2, 4), same(5, 1, 3))
    assert groups(*part) == [[1, 2], [3, 4]]
    assert settle(IDS, part).unproven == {3: (1, 4), 4: (1, 4), 5: (1, 4)}
    assert groups(*part, same(6, 1, 4)) == [[1, 2, 3, 4]]


def test_whom_the_user_joined_counts_as_one() -> None:
    """What is linked with one of them is linked with all: the user's word leaves no doubt."""
    mine = same(1, 1, 2, USER)
    assert groups(mine, same(2, 2, 3)) == [[1, 2, 3]]
    assert groups(mine, same(2, 2, 3), undo(3, mine)) == [[2, 3]]


def test_a_merge_of_the_users_speaks_for_all_that_it_brought_together() -> None:
    groups_of_two = (same(1, 1, 2), same(2, 3, 4))
    mine = same(3, 2, 3, USER)
    assert groups(*groups_of_two, mine) == [[1, 2, 3, 4]]
    assert groups(*groups_of_two, mine, undo(4, mine)) == [[1, 2], [3, 4]]
    # She saw 1 and 2 go to 3 and 4; whom a rule links with 4 later, she did not see.
    later = same(5, 4, 5)
    assert groups(*groups_of_two, mine, later) == [[1, 2, 3, 4]]
    assert settle(IDS, [*groups_of_two, mine, later]).unproven == {5: (1, 5)}
    # What she saw is no link by itself: without the rule's word 4 is nobody else.
    gone = undo(4, groups_of_two[1])
    assert groups(*groups_of_two, mine, gone) == [[1, 2, 3]]


def test_what_was_held_back_counts_again_when_the_reason_is_gone() -> None:
    links = (same(1, 1, 2), same(2, 2, 3), same(3, 1, 3), apart(4, 1, 3))
    assert groups(*links, undo(5, links[3])) == [[1, 2, 3]]
    assert groups(*links, undo(5, links[3]), undo(6, undo(5, links[3]))) == [[1, 2]]


def test_the_users_word_goes_before_older_rules() -> None:
    assert groups(same(1, 1, 2), apart(2, 1, 2)) == []
    assert groups(apart(1, 1, 2, "model"), same(2, 1, 2, USER)) == [[1, 2]]
    # The user's 1=2 and 1≠3 leave no room for the rule's 2=3, however old that is.
    joined = (same(1, 2, 3), apart(2, 1, 3), same(3, 1, 2, USER))
    assert groups(*joined) == [[1, 2]]
    assert set(settle(IDS, joined).held) == {1}


def test_among_rules_and_models_the_older_evidence_stays() -> None:
    assert groups(same(1, 1, 2), apart(2, 1, 2, "model")) == [[1, 2]]
    assert groups(apart(1, 1, 2, "model"), same(2, 1, 2)) == []


def test_a_link_to_a_stranger_does_not_count() -> None:
    assert settle([1, 2], [same(1, 2, 9)]).canon == {1: 1, 2: 2}


@st.composite
def logs(draw: st.DrawFn) -> list[Link]:
    """Rows as they could be stored: links, and rows that take an earlier row back."""
    rows: list[Link] = []
    for number in range(1, draw(st.integers(0, 14)) + 1):
        if rows and draw(st.integers(0, 3)) == 0:
            rows.append(undo(number, draw(st.sampled_from(rows))))
            continue
        a, b = draw(st.permutations(list(IDS)))[:2]
        kind = draw(st.sampled_from([SAME, SAME, APART]))
        by = draw(st.sampled_from(["rule", "model", USER]))
        rows.append(Link(number, a, b, kind, by, "", None, number))
    return rows


def stands(row: Link, rows: list[Link]) -> bool:
    return not any(other.undoes_id == row.id and stands(other, rows) for other in rows)


def reference(rows: list[Link]) -> dict[int, int]:
    """Name who stands for whom."""
    return {number: min(part) for part in reference_parts(rows) for number in part}


def is_proven(x: int, y: int, rows: list[Link], mine: list[set[int]]) -> bool:
    """Whether a link, or a merge of the user's, says so of these or of the user's same."""
    xs, ys = (next(part for part in mine if n in part) for n in (x, y))
    links = [k for k in rows if k.undoes_id is None and k.kind == SAME and stands(k, rows)]
    saying: list[tuple[set[int], set[int]]] = [({k.a}, {k.b}) for k in links]
    for k in (k for k in links if k.by == USER):
        before = reference_parts([row for row in rows if row.id < k.id])
        g, h = (next(part for part in before if n in part) for n in (k.a, k.b))
        saying.append((g, h))
    return bool(xs & ys) or any((g & xs and h & ys) or (g & ys and h & xs) for g, h in saying)


def reference_parts(rows: list[Link]) -> list[set[int]]:
    """Join group by group with plain sets: the user's word, then the rest by age."""
    rows = sorted(rows, key=lambda k: k.id)
    links = [row for row in rows if row.undoes_id is None and stands(row, rows)]
    parts: list[set[int]] = [{number} for number in IDS]
    barred: list[tuple[int, int]] = []

    def part(number: int) -> set[int]:
        return next(one for one in parts if number in one)

    mine = [k for k in links if k.by == USER]
    ordered = sorted(mine, key=lambda k: (k.kind == SAME, k.id))
    mine_parts: list[set[int]] = []

    for link in [*ordered, *(k for k in links if k.by != USER)]:
        if link.by != USER and not mine_parts:
            mine_parts = [set(p) for p in parts]
        one, other = part(link.a), part(link.b)
        if one is other:
            continue
        guessed = link.by != USER and link.kind == SAME
        if guessed and not all(is_proven(x, y, rows, mine_parts) for x in one for y in other):
            continue
        if link.kind == APART:
            barred.append((link.a, link.b))
        elif not any({x, y} <= one | other for x, y in barred):
            parts = [p for p in parts if p is not one and p is not other] + [one | other]
    return parts


@given(logs())
def test_settling_agrees_with_the_reference(rows: list[Link]) -> None:
    assert settle(IDS, rows).canon == reference(rows)
    assert settle(IDS, list(reversed(rows))).canon == reference(rows)


@given(logs())
def test_nobody_is_one_with_whom_the_user_told_apart(rows: list[Link]) -> None:
    settled = settle(IDS, rows)
    for link in standing(rows):
        if link.kind == APART and link.by == USER:
            assert settled.canon[link.a] != settled.canon[link.b]


@given(logs())
def test_only_links_that_count_make_entities_one(rows: list[Link]) -> None:
    """Each group hangs together by links that are neither held back nor unproven."""
    settled = settle(IDS, rows)
    idle = {*settled.held, *settled.unproven}
    counted = [k for k in standing(rows) if k.kind == SAME and k.id not in idle]
    assert all(settled.canon[k.a] == settled.canon[k.b] for k in counted)
    parts = {n: {n} for n in IDS}
    for k in counted:
        parts[k.a] |= parts[k.b]
        parts.update(dict.fromkeys(parts[k.a], parts[k.a]))
    assert {n: min(part) for n, part in parts.items()} == settled.canon


@given(logs())
def test_rules_and_models_never_join_through_a_third(rows: list[Link]) -> None:
    """Without a word of the user's each two that are one have a link of their own."""
    told = [row for row in rows if row.by != USER]
    canon = settle(IDS, told).canon
    linked = {frozenset((k.a, k.b)) for k in standing(told) if k.kind == SAME}
    for a in IDS:
        assert all({a, b} in linked for b in IDS if a < b and canon[a] == canon[b])


@given(logs())
def test_taking_a_row_back_leaves_what_would_be_without_it(rows: list[Link]) -> None:
    if not rows:
        return
    last = rows[-1]
    taken = undo(len(rows) + 1, last)
    assert settle(IDS, [*rows, taken]).canon == settle(IDS, rows[:-1]).canon
    again = undo(len(rows) + 2, taken)
    assert settle(IDS, [*rows, taken, again]).canon == settle(IDS, rows).canon


@pytest.mark.parametrize("by", ["rule", "model"])
def test_a_held_link_names_what_it_gives_way_to(by: str) -> None:
    blocking = apart(1, 1, 3)
    settled = settle(IDS, [blocking, same(2, 1, 2), same(3, 2, 3, by)])
    assert settled.held == {3: blocking}
