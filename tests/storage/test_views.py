"""The views: names and dates a model can read, and the same judgement as recall.holding."""

from dataclasses import dataclass, replace
from itertools import count as count_up

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.graph import LinkKind, Modality
from apexmem_desktop.domain.interval import Bound, Precision
from apexmem_desktop.recall.holding import judge
from apexmem_desktop.storage import entities, facts, rulings
from apexmem_desktop.storage.graphsql import run_select
from apexmem_desktop.storage.vault import Connection, Vault
from tests.storage.builders import (
    DAY_MS,
    START_MS,
    held_when_said,
    make_turn,
    stated,
    store_chat,
    store_entity,
    store_event,
    store_fact,
)

_NUMBERS = count_up()
YEAR_MS = 365 * DAY_MS


def day(number: int) -> int:
    return START_MS + number * DAY_MS


def held(vault: Vault, columns: str = "value, is_current", **how: int) -> list[tuple[object, ...]]:
    return list(run_select(vault, f"SELECT {columns} FROM v_facts", **how).rows)


def test_the_next_value_ends_the_one_before(vault: Vault) -> None:
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        store_fact(db, ana, "Oslo", at_ms=day(10))
        store_fact(db, ana, "Rome", at_ms=day(0))
        store_fact(db, ana, "Rome", at_ms=day(5))
    columns = "value, valid_from, effective_to, status"
    assert held(vault, columns) == [
        ("Rome", "2023-05-07", "2023-05-17", "past"),
        ("Rome", "2023-05-12", "2023-05-17", "past"),
        ("Oslo", "2023-05-17", None, "current"),
    ]
    assert held(vault, now_ms=day(7)) == [("Rome", 1), ("Rome", 1), ("Oslo", 0)]


def test_many_valued_properties_never_end_one_another(vault: Vault) -> None:
    """Known fault 50."""
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        for number, value in enumerate(("tea", "piano", "tea")):
            store_fact(db, ana, value, property="likes", single_valued=False, at_ms=day(number))
    assert [row[1] for row in held(vault)] == [1, 1, 1]


def test_what_is_taken_back_ends_and_opposites_meet(vault: Vault) -> None:
    """Known fault 45."""
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        store_fact(db, ana, "tofu", property="likes", single_valued=False)
        store_fact(db, ana, "rice", property="likes", single_valued=False)
        store_fact(db, ana, "tofu", property="hates", single_valued=False, at_ms=day(3))
        store_fact(
            db, ana, "rice", property="likes", single_valued=False, at_ms=day(4), polarity=False
        )
    status = held(vault, "property, value, polarity, status")
    assert status == [
        ("hates", "tofu", 1, "current"),
        ("likes", "tofu", 1, "past"),
        ("likes", "rice", 1, "past"),
        ("likes", "rice", 0, "current"),
    ]


def test_plans_and_guesses_end_nothing(vault: Vault) -> None:
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        store_fact(db, ana, "Rome")
        store_fact(db, ana, "Oslo", at_ms=day(1), modality=Modality.PLANNED)
        store_fact(db, ana, "Bern", at_ms=day(2), modality=Modality.HYPOTHETICAL)
    assert held(vault) == [("Rome", 1), ("Oslo", 0), ("Bern", 0)]
    history = run_select(vault, "SELECT value FROM v_history").rows
    assert history == (("Rome",),)


def test_values_of_equal_right_are_contested_until_the_user_prefers_one(vault: Vault) -> None:
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        store_fact(db, ana, "Rome")
        oslo = store_fact(db, ana, "Oslo")
    assert held(vault, "value, status, is_current") == [
        ("Rome", "contested", 1),
        ("Oslo", "contested", 1),
    ]
    with vault.write() as db:
        rulings.append_ruling(db, kind="prefer", fact_id=oslo, ruled_at_ms=1)
    assert held(vault, "value, status") == [("Rome", "past"), ("Oslo", "current")]


def test_what_the_user_rejected_is_gone_and_ends_nothing(vault: Vault) -> None:
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        store_fact(db, ana, "Rome")
        oslo = store_fact(db, ana, "Oslo", at_ms=day(1))
        ruling = rulings.append_ruling(db, kind="reject", fact_id=oslo, ruled_at_ms=5)
    assert held(vault) == [("Rome", 1)]
    assert held(vault, known_at_ms=4) == [("Rome", 0), ("Oslo", 1)]
    with vault.write() as db:
        rulings.append_ruling(db, kind="undo", undoes_id=ruling, ruled_at_ms=6)
    assert held(vault) == [("Rome", 0), ("Oslo", 1)]


def test_what_was_learned_later_is_not_known_then(vault: Vault) -> None:
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        store_fact(db, ana, "Rome", recorded_at_ms=10)
        store_fact(db, ana, "Oslo", at_ms=day(1), recorded_at_ms=20)
    assert held(vault, known_at_ms=15) == [("Rome", 1)]
    assert held(vault, known_at_ms=5) == []


def test_dates_are_those_of_the_speakers_own_clock(vault: Vault) -> None:
    """Known fault 31: an evening stays that evening."""
    evening_ms = 1_685_997_360_000  # 20:36 UTC on 5 June 2023; past four in the morning in Tokyo
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        store_fact(db, ana, "here", at_ms=evening_ms, offset_minutes=-300)
        store_fact(db, ana, "there", at_ms=evening_ms, offset_minutes=540, property="p")
    assert held(vault, "value, said_at, valid_from") == [
        ("here", "2023-06-05 15:36", "2023-06-05"),
        ("there", "2023-06-06 05:36", "2023-06-06"),
    ]
    turns = run_select(vault, "SELECT text, said_at FROM v_turns ORDER BY text").rows
    assert turns == (("here", "2023-06-05 15:36"), ("there", "2023-06-06 05:36"))


def test_a_date_tells_how_exact_it_is(vault: Vault) -> None:
    year = stated(1_672_531_200_000, 1_704_067_200_000, Precision.YEAR)
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        store_fact(db, ana, "Rome", start=year)
        store_fact(db, ana, "baker", property="works_as")
    assert held(vault, "valid_from, from_precision") == [
        ("2023-01-01", "year"),
        ("2023-05-07", "unknown"),
    ]


def test_merged_entities_have_one_name_and_one_history(vault: Vault) -> None:
    with vault.write() as db:
        ana, anna, lumo = (store_entity(db, name) for name in ("Ana", "Anna", "Lumo"))
        store_fact(db, ana, "Rome", holder_id=anna)
        store_fact(db, anna, "Oslo", at_ms=day(1))
        store_fact(db, anna, "LUMO Ltd", property="works_at", value_entity_id=lumo)
        entities.append_mention(db, anna, 1, "mentioned")
        entities.append_link(db, ana, anna, "same_as", "user", "", 0)
    assert held(vault, "subject, value, said_by, is_current") == [
        ("Ana", "Rome", "Ana", 0),
        ("Ana", "Oslo", "Ana", 1),
        ("Ana", "Lumo", "Ana", 1),
    ]
    listed = run_select(vault, "SELECT name, facts, mentions, first_at FROM v_entities").rows
    assert listed == (("Ana", 3, 1, "2023-05-07"), ("Lumo", 1, 0, None))


def test_a_merge_joins_nothing_of_what_was_known_before_it(vault: Vault) -> None:
    with vault.write() as db:
        ana, anna, lumo = (store_entity(db, name) for name in ("Ana", "Anna", "Lumo"))
        store_fact(db, ana, "Rome", holder_id=anna)
        store_fact(db, anna, "Oslo", at_ms=day(1))
        store_fact(db, ana, "lumo ltd", property="works_at", value_entity_id=lumo)
        merge = entities.append_link(db, ana, anna, "same_as", "user", "", 50)
        entities.append_link(db, ana, anna, "same_as", "user", "", 90, undoes_id=merge)
    apart = [("Ana", "Rome", 1), ("Ana", "Lumo", 1), ("Anna", "Oslo", 1)]
    one = [("Ana", "Rome", 0), ("Ana", "Oslo", 1), ("Ana", "Lumo", 1)]
    for known_at, expected in ((49, apart), (50, one), (89, one), (90, apart)):
        assert held(vault, "subject, value, is_current", known_at_ms=known_at) == expected
    told = "SELECT name FROM v_entities ORDER BY name"
    assert run_select(vault, told, known_at_ms=60).rows == (("Ana",), ("Lumo",))
    assert run_select(vault, told).rows == (("Ana",), ("Anna",), ("Lumo",))


def test_events_are_flat(vault: Vault) -> None:
    with vault.write() as db:
        [turn] = store_chat(db, [make_turn("dinner on friday")])
        ben, nonna = store_entity(db, "Ben"), store_entity(db, "Nonna's")
        start = stated(day(5), day(6))
        guests = ((ben, "guest"), (nonna, "host"))
        store_event(db, turn, "dinner", start, participants=guests, place_id=nonna)
    columns = "type, summary, starts_on, start_precision, ends_on, place, participants, quote"
    assert run_select(vault, f"SELECT {columns} FROM v_events").rows == (
        ("dinner", "dinner", "2023-05-12", "day", None, "Nonna's", "Ben, Nonna's", "dinner"),
    )


@dataclass(frozen=True)
class Told:
    """A fact as the property test draws it; all times are days."""

    value: str
    said: int
    start: tuple[int, int] | None
    end: int | None
    polarity: bool
    modality: Modality
    property: str
    ruling: str


def told_facts() -> st.SearchStrategy[Told]:
    days = st.integers(0, 6)
    return st.builds(
        Told,
        value=st.sampled_from(["a", "b"]),
        said=days,
        start=st.none() | st.tuples(days, days).map(lambda pair: (min(pair), max(pair) + 1)),
        end=st.sampled_from([None, None, None, 3, 5]),
        polarity=st.sampled_from([True, True, True, False]),
        modality=st.sampled_from([Modality.ASSERTED] * 4 + [Modality.NEGATED, Modality.PLANNED]),
        property=st.sampled_from(
            ["lives_in", "lives_in", "likes", "hates", "born_in", "comes_from"]
        ),
        ruling=st.sampled_from(["", "", "", "reject", "prefer"]),
    )


def store(db: Connection, ana: int, told: Told) -> int:
    start = held_when_said(day(told.said))
    if told.start is not None:
        start = stated(day(told.start[0]), day(told.start[1]))
    end: Bound | None = None if told.end is None else stated(day(told.end), day(told.end + 1))
    number = store_fact(
        db,
        ana,
        told.value,
        at_ms=day(told.said),
        start=start,
        end=end,
        polarity=told.polarity,
        modality=told.modality,
        property=told.property,
        single_valued=told.property in ("lives_in", "born_in", "comes_from"),
    )
    if told.ruling:
        rulings.append_ruling(db, kind=told.ruling, fact_id=number, ruled_at_ms=0)
    return number


def born(value: str, ruling: str = "") -> Told:
    return Told(value, 0, None, None, True, Modality.ASSERTED, "born_in", ruling)


def told_of(name: str, said: int) -> Told:
    return Told("a", said, None, None, True, Modality.ASSERTED, name, "")


def planned(name: str, said: int, start: tuple[int, int] | None = None) -> Told:
    return Told("a", said, start, None, True, Modality.PLANNED, name, "")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(told_facts(), min_size=1, max_size=6), st.booleans())
@example([born("a"), born("a", "prefer"), born("b")], False)
@example(
    [
        Told("a", 3, None, None, True, Modality.ASSERTED, "lives_in", ""),
        Told("b", 0, (1, 4), None, False, Modality.ASSERTED, "lives_in", ""),
    ],
    True,
)
@example([born("a", "prefer"), replace(born("a"), polarity=False)], False)
@example([replace(born("a"), property="comes_from"), replace(born("b"), said=2)], False)
@example([planned("likes", 1, (3, 5)), planned("likes", 2), told_of("likes", 4)], False)
@example([planned("likes", 1, (3, 5)), told_of("likes", 2)], False)
@example([planned("likes", 1, (3, 5)), told_of("hates", 2)], False)
@example([planned("lives_in", 1, (3, 5)), told_of("lives_in", 2)], False)
@example([planned("lives_in", 1), told_of("lives_in", 1), told_of("lives_in", 2)], True)
def test_the_views_judge_as_recall_does(
    vault: Vault, history: list[Told], superseding: bool
) -> None:
    # One vault serves all examples: a subject of its own keeps each query as small as its example.
    with vault.write() as db:
        ana = store_entity(db, name := f"Ana {next(_NUMBERS)}")
        numbers = [store(db, ana, told) for told in history]
        if superseding and len(numbers) > 1:
            facts.append_link(db, numbers[1], numbers[0], LinkKind.SUPERSEDES, "user", "", 0)
        found = facts.find_facts(db, subject_ids=[ana])
        standing = facts.find_rulings(db, numbers)
    for as_of in (day(-1), day(2), day(3) + DAY_MS // 2, day(9)):
        query = f"SELECT fact_id, status FROM v_facts WHERE subject = '{name}'"
        by_view = dict(run_select(vault, query, now_ms=as_of).rows)
        judged = judge(found, as_of_ms=as_of, rulings=standing)
        by_recall = {f.id: str(f.status) for f in judged if f.status != "rejected"}
        assert by_view == by_recall


@pytest.mark.parametrize("subject", ["subject = 'Ana'", "normalise(subject) = normalise('Ana')"])
@pytest.mark.parametrize("view", ["v_facts", "v_history"])
def test_a_query_for_one_subject_reads_only_its_facts(
    vault: Vault, view: str, subject: str
) -> None:
    """Among 300,000 facts anything else takes longer than a query may."""
    with vault.read() as db:
        sql = f"EXPLAIN QUERY PLAN SELECT * FROM {view} WHERE {subject}"
        steps = [row[3] for row in db.exec_driver_sql(sql)]
    assert "SEARCH f USING INDEX facts_by_subject (subject_id=?)" in steps
    assert not any(step.startswith("SCAN fact_links") for step in steps)
    by_name = "SEARCH who USING COVERING INDEX entities_by_name (name=?)"
    assert (by_name in steps) is subject.startswith("subject")
