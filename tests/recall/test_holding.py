"""Which facts hold when: the cases a user meets, and a slow independent reference."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.domain.graph import Fact, FactLink, FactStatus, LinkKind, Modality
from apexmem_desktop.domain.interval import Precision, TimeSource
from apexmem_desktop.recall.holding import find_conflicts, judge
from tests.recall.builders import between, make_fact, ms, said
from tests.recall.slow_reference import Told, answer

NOW = ms("2025-01-01")


def statuses(facts: Sequence[Fact], at: int = NOW, **rulings: str) -> dict[str, str]:
    """Status by "value/id"."""
    by_id = {int(key[1:]): kind for key, kind in rulings.items()}
    return {f"{f.value}/{f.id}": f.status.value for f in judge(facts, as_of_ms=at, rulings=by_id)}


def test_the_later_said_value_holds_and_ends_the_one_before() -> None:
    paris, berlin = make_fact(1, "Paris", "2023-03-01"), make_fact(2, "Berlin", "2023-05-01")
    judged = judge([berlin, paris], as_of_ms=NOW, rulings={})
    assert [f.status for f in judged] == [FactStatus.CURRENT, FactStatus.PAST]
    ended = judged[1].effective_to
    assert ended is not None
    assert (ended.earliest_ms, ended.latest_ms) == (ms("2023-03-01"), ms("2023-05-01"))
    assert ended.source is TimeSource.NEXT_VALUE


def test_an_older_fact_read_later_does_not_win() -> None:
    tea = make_fact(1, "tea", "2024-02-01", recorded_at_ms=10)
    coffee = make_fact(2, "coffee", "2023-02-01", recorded_at_ms=20)
    assert statuses([tea, coffee]) == {"tea/1": "current", "coffee/2": "past"}


def test_love_and_hate_of_the_same_thing_are_kept_and_the_later_holds() -> None:
    love = make_fact(1, "tofu", "2023-01-01", property="likes", single_valued=False)
    hate = make_fact(2, "Tofu", "2023-02-01", property="dislikes", single_valued=False)
    assert statuses([love, hate]) == {"tofu/1": "past", "Tofu/2": "current"}


def test_many_valued_properties_never_end_one_another() -> None:
    facts = [
        make_fact(i, v, f"2023-0{i}-01", property="likes", single_valued=False)
        for i, v in enumerate(("tea", "jazz", "cats"), start=1)
    ]
    assert set(statuses(facts).values()) == {"current"}


def test_different_properties_do_not_touch_each_other() -> None:
    works = make_fact(1, "Lumo", "2023-01-01", property="works_at")
    runs = make_fact(2, "Lumo's Git org", "2023-02-01", property="runs")
    assert set(statuses([works, runs]).values()) == {"current"}


def test_a_denial_ends_the_value_and_saying_it_again_brings_it_back() -> None:
    plays = make_fact(1, "tennis", "2023-01-01", property="plays", single_valued=False)
    stops = make_fact(
        2, "tennis", "2023-03-01", property="plays", single_valued=False, polarity=False
    )
    again = make_fact(3, "tennis", "2023-06-01", property="plays", single_valued=False)
    facts = [plays, stops, again]
    assert statuses(facts) == {"tennis/1": "past", "tennis/2": "past", "tennis/3": "current"}
    assert statuses(facts, ms("2023-04-01"))["tennis/2"] == "current"
    assert statuses(facts, ms("2023-02-01"))["tennis/1"] == "current"


def test_a_plan_ends_nothing_and_stays_a_plan_past_its_date() -> None:
    bonn = make_fact(1, "Bonn", "2023-01-01")
    start = between(ms("2023-06-01"), ms("2023-06-30"))
    plan = make_fact(2, "Lyon", "2023-02-01", start=start, modality=Modality.PLANNED)
    maybe = make_fact(3, "Rome", "2023-03-01", modality=Modality.HYPOTHETICAL)
    assert statuses([bonn, plan, maybe]) == {
        "Bonn/1": "current",
        "Lyon/2": "planned",
        "Rome/3": "planned",
    }


def test_a_plan_called_off_is_past() -> None:
    plan = make_fact(1, "Lyon", "2023-02-01", modality=Modality.PLANNED)
    off = make_fact(2, "Lyon", "2023-03-01", modality=Modality.PLANNED, polarity=False)
    assert statuses([plan, off])["Lyon/1"] == "past"


def test_a_plan_denied_in_plain_words_is_past() -> None:
    """Called off is not planned: "I'm not moving to Lyon after all" is said of the world."""
    start = between(ms("2023-06-01"), ms("2023-06-30"))
    plan = make_fact(1, "Lyon", "2023-02-01", start=start, modality=Modality.PLANNED)
    off = make_fact(2, "lyon", "2023-03-01", polarity=False)
    assert statuses([plan, off])["Lyon/1"] == "past"
    assert statuses([plan, off], ms("2023-02-15"))["Lyon/1"] == "planned"
    (judged, _) = judge([plan, off], as_of_ms=NOW, rulings={})
    assert judged.effective_to is not None
    assert judged.effective_to.latest_ms == ms("2023-03-01")
    again = make_fact(3, "Lyon", "2023-04-01", modality=Modality.PLANNED)
    assert statuses([plan, off, again])["Lyon/3"] == "planned"


def test_a_plan_that_came_true_is_past() -> None:
    start = between(ms("2023-06-01"), ms("2023-06-30"))
    plan = make_fact(1, "Lyon", "2023-02-01", start=start, modality=Modality.PLANNED)
    moved = make_fact(2, "Lyon", "2023-06-10")
    assert statuses([plan, moved]) == {"Lyon/1": "past", "Lyon/2": "current"}
    assert statuses([plan, moved], ms("2023-06-05"))["Lyon/1"] == "planned"
    assert statuses([plan, moved], _2="reject") == {"Lyon/1": "planned", "Lyon/2": "rejected"}


def test_one_trip_is_not_the_one_that_is_planned_for_later() -> None:
    start = between(ms("2023-06-01"), ms("2023-06-30"))
    told = {"property": "visited", "single_valued": False}
    plan = make_fact(1, "Rome", "2023-02-01", start=start, modality=Modality.PLANNED, **told)  # type: ignore[arg-type]
    april = make_fact(2, "Rome", "2023-04-10", **told)  # type: ignore[arg-type]
    june = make_fact(3, "Rome", "2023-06-10", **told)  # type: ignore[arg-type]
    assert statuses([plan, april])["Rome/1"] == "planned"
    assert statuses([plan, april, june])["Rome/1"] == "past"


def test_what_was_so_before_a_plan_was_made_does_not_settle_it() -> None:
    lived = make_fact(1, "Lyon", "2022-01-01", end=between(ms("2022-06-01"), ms("2022-06-30")))
    denied = make_fact(2, "Lyon", "2022-07-01", polarity=False)
    back = make_fact(3, "Lyon", "2023-02-01", modality=Modality.PLANNED)
    told_late = make_fact(
        4, "Lyon", "2023-05-01", start=between(ms("2021-01-01"), ms("2021-12-31"))
    )
    assert statuses([lived, denied, back, told_late])["Lyon/3"] == "planned"


def test_a_plan_of_another_value_is_not_settled_by_this_one() -> None:
    plan = make_fact(1, "Lyon", "2023-02-01", modality=Modality.PLANNED)
    moved = make_fact(2, "Rome", "2023-06-10")
    maybe = make_fact(3, "Lyon", "2023-07-01", modality=Modality.HYPOTHETICAL)
    assert statuses([plan, moved, maybe])["Lyon/1"] == "planned"


def test_two_values_from_the_same_day_are_contested_until_one_is_said_again() -> None:
    start = between(ms("2023-05-01"), ms("2023-05-02"))
    a = make_fact(1, "Oslo", "2023-06-01", start=start)
    b = make_fact(2, "Bergen", "2023-06-03", start=start)
    judged = judge([a, b], as_of_ms=NOW, rulings={})
    assert {f.status for f in judged} == {FactStatus.CONTESTED}
    assert [len(c.sides) for c in find_conflicts(judged)] == [2]
    again = make_fact(3, "Bergen", "2023-09-01")
    settled = statuses([a, b, again])
    assert settled == {"Oslo/1": "past", "Bergen/2": "current", "Bergen/3": "current"}


def test_the_users_word_settles_a_conflict_and_a_rejected_fact_plays_no_part() -> None:
    start = between(ms("2023-05-01"), ms("2023-05-02"))
    a = make_fact(1, "Oslo", "2023-06-01", start=start)
    b = make_fact(2, "Bergen", "2023-06-03", start=start)
    assert statuses([a, b], _1="confirm") == {"Oslo/1": "current", "Bergen/2": "past"}
    assert statuses([a, b], _1="reject") == {"Oslo/1": "rejected", "Bergen/2": "current"}


def test_a_birthday_does_not_change_it_is_contested() -> None:
    a = make_fact(1, "3 May", "2023-01-01", property="birthday")
    b = make_fact(2, "5 May", "2023-08-01", property="birthday", holder="Bo")
    assert set(statuses([a, b]).values()) == {"contested"}


def test_a_stated_end_stands_where_nothing_follows() -> None:
    end = between(ms("2022-01-01"), ms("2022-12-31"))
    fact = make_fact(1, "Lumo", "2024-01-01", property="works_at", end=end)
    (judged,) = judge([fact], as_of_ms=NOW, rulings={})
    assert (judged.status, judged.effective_to) == (FactStatus.PAST, end)


def test_an_end_told_later_ends_what_was_told_before_of_the_same_value() -> None:
    now = make_fact(1, "Lumo", "2020-01-01", property="works_at")
    until = between(ms("2022-05-01"), ms("2022-05-31"))
    told = make_fact(2, "Lumo", "2024-01-01", property="works_at", end=until)
    assert statuses([now, told]) == {"Lumo/1": "past", "Lumo/2": "past"}
    assert statuses([now, told], ms("2021-01-01"))["Lumo/1"] == "current"
    back = make_fact(3, "Lumo", "2023-01-01", property="works_at")
    assert statuses([now, told, back])["Lumo/3"] == "current"


def test_a_past_home_told_later_is_still_before_the_present_one() -> None:
    berlin = make_fact(1, "Berlin", "2022-05-01")
    paris = make_fact(2, "Paris", "2024-01-01", end=between(ms("2020-01-01"), ms("2020-12-31")))
    assert statuses([berlin, paris]) == {"Berlin/1": "current", "Paris/2": "past"}


def test_a_vague_month_begins_after_what_held_inside_it() -> None:
    foo = make_fact(1, "Foo", "2023-05-10", property="works_at")
    start = between(ms("2023-05-01"), ms("2023-05-31"))
    lumo = make_fact(2, "Lumo", "2023-06-05", property="works_at", start=start)
    assert statuses([foo, lumo], ms("2023-05-05"))["Lumo/2"] == "planned"
    assert statuses([foo, lumo], ms("2023-05-12")) == {"Foo/1": "past", "Lumo/2": "current"}


def test_a_link_settles_what_a_many_valued_property_leaves_open() -> None:
    link = FactLink(2, 1, LinkKind.SUPERSEDES, "model", "switched")
    vim = make_fact(1, "vim", "2023-01-01", property="uses", single_valued=False)
    helix = make_fact(2, "helix", "2023-02-01", property="uses", single_valued=False, links=(link,))
    assert statuses([vim, helix]) == {"vim/1": "past", "helix/2": "current"}
    same_day = replace(helix, valid_from=said(ms("2023-01-01")), evidence=vim.evidence)
    assert statuses([vim, same_day]) == {"vim/1": "past", "helix/2": "current"}


def test_the_same_entity_spelt_twice_is_one_value() -> None:
    a = make_fact(1, "NYC", "2023-01-01", value_entity_id=7)
    b = make_fact(2, "New York", "2023-05-01", value_entity_id=7)
    assert set(statuses([a, b]).values()) == {"current"}


def test_what_was_learned_later_is_left_out() -> None:
    early = make_fact(1, "Paris", "2023-01-01", recorded_at_ms=10)
    late = make_fact(2, "Berlin", "2023-05-01", recorded_at_ms=20)
    judged = judge([early, late], as_of_ms=NOW, rulings={}, known_at_ms=15)
    assert [(f.value, f.status) for f in judged] == [("Paris", FactStatus.CURRENT)]


def test_no_facts_give_no_conflicts() -> None:
    assert judge([], as_of_ms=NOW, rulings={}) == []
    assert find_conflicts([]) == []


def as_told(fact: Fact) -> Told:
    """Say a fact in the terms of the slow reference."""
    said_ms = fact.evidence[0].said_at_ms
    start, end = fact.valid_from, fact.valid_to
    assert said_ms is not None
    assert start.latest_ms is not None
    stated = None if start.earliest_ms is None else (start.earliest_ms, start.latest_ms)
    ended = None
    if end is not None:
        assert end.earliest_ms is not None
        assert end.latest_ms is not None
        ended = (end.earliest_ms, end.latest_ms)
    senses = {Modality.ASSERTED: "world", Modality.NEGATED: "world", Modality.PLANNED: "plan"}
    denied = not fact.polarity or fact.modality is Modality.NEGATED
    return Told(
        id=fact.id,
        subject=fact.subject_id,
        topic="likes" if fact.property in ("likes", "hates") else fact.property,
        value=fact.value,
        yes=denied if fact.property == "hates" else not denied,
        sense=senses.get(fact.modality, str(fact.modality)),
        single=fact.single_valued,
        said=said_ms,
        start=stated,
        end=ended,
        fixed=fact.property == "comes_from",
    )


def _yes(fact: Fact) -> bool:
    return fact.polarity and fact.modality is not Modality.NEGATED


@st.composite
def fact_lists(draw: st.DrawFn) -> list[Fact]:
    properties = ["lives_in", "likes", "hates", "comes_from"]
    found: list[Fact] = []
    for number in range(1, draw(st.integers(1, 6)) + 1):
        at = draw(st.integers(0, 12))
        start = draw(st.none() | st.tuples(st.integers(0, 12), st.integers(0, 5)))
        end = draw(st.none() | st.tuples(st.integers(0, 12), st.integers(0, 4)))
        name = draw(st.sampled_from(properties[:1] * 3 + properties))
        found.append(
            make_fact(
                number,
                draw(st.sampled_from("abc")),
                at,
                start=None if start is None else between(start[0], start[0] + start[1]),
                end=None if end is None else between(end[0], end[0] + end[1]),
                property=name,
                single_valued=name in ("lives_in", "comes_from"),
                polarity=draw(st.sampled_from([True, True, False])),
                modality=draw(st.sampled_from([Modality.ASSERTED] * 4 + list(Modality)[1:4])),
                recorded_at_ms=draw(st.integers(0, 3)),
            )
        )
    return found


rulings_of = st.dictionaries(st.integers(1, 6), st.sampled_from(["confirm", "reject"]), max_size=2)


@given(fact_lists(), rulings_of, st.integers(-1, 18))
def test_judging_agrees_with_the_reference(
    facts: list[Fact], rulings: dict[int, str], t: int
) -> None:
    got = judge(facts, as_of_ms=t, rulings=rulings)
    assert {f.id: f.status.value for f in got} == answer(map(as_told, facts), rulings, t)


@given(fact_lists(), rulings_of, st.integers(-1, 18), st.randoms(use_true_random=False))
def test_the_order_of_reading_does_not_matter(
    facts: list[Fact], rulings: dict[int, str], t: int, random: Random
) -> None:
    shuffled = list(facts)
    random.shuffle(shuffled)
    once = {f.id: f for f in judge(facts, as_of_ms=t, rulings=rulings)}
    again = {f.id: f for f in judge(shuffled, as_of_ms=t, rulings=rulings)}
    assert once == again


@given(fact_lists(), st.integers(-1, 18), st.integers(0, 3))
def test_what_is_learned_later_never_changes_what_was_known(
    facts: list[Fact], t: int, known: int
) -> None:
    early = [f for f in facts if f.recorded_at_ms <= known]
    assert judge(facts, as_of_ms=t, rulings={}, known_at_ms=known) == judge(
        early, as_of_ms=t, rulings={}
    )


@given(fact_lists(), st.integers(-1, 18))
def test_a_single_valued_property_has_one_current_value_or_a_conflict(
    facts: list[Fact], t: int
) -> None:
    homes = [replace(f, property="lives_in", single_valued=True) for f in facts]
    judged = judge(homes, as_of_ms=t, rulings={})
    current = {f.value for f in judged if f.status is FactStatus.CURRENT and _yes(f)}
    assert len(current) <= 1


@given(fact_lists())
def test_judging_twice_changes_nothing(facts: list[Fact]) -> None:
    once = judge(facts, as_of_ms=9, rulings={})
    assert judge(once, as_of_ms=9, rulings={}) == once


@pytest.mark.parametrize("precision", list(Precision))
def test_the_end_is_told_as_finely_as_the_next_start(precision: Precision) -> None:
    start = replace(between(ms("2023-05-01"), ms("2023-05-31")), precision=precision)
    facts = [make_fact(1, "a", "2023-01-01"), make_fact(2, "b", "2023-06-01", start=start)]
    ended = judge(facts, as_of_ms=NOW, rulings={})[0].effective_to
    assert ended is not None
    assert ended.precision is precision
