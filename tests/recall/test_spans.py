"""For how long, around what and how often, with what is certain and what is only possible."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.domain.graph import Fact, FactStatus, Modality
from apexmem_desktop.domain.held import Certainty, Held, HeldAt
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.recall.holding import judge
from apexmem_desktop.recall.spans import count_in, held_around, held_at, held_spans, length_of
from tests.recall.builders import between, make_fact, ms

NOW = ms("2025-01-01")
DAY_MS = 86_400_000


def judged(*facts: Fact, **rulings: str) -> list[Fact]:
    by_id = {int(key[1:]): kind for key, kind in rulings.items()}
    return judge(facts, as_of_ms=NOW, rulings=by_id)


def values(found: Sequence[HeldAt]) -> dict[str, str]:
    return {one.held.facts[0].value: one.certainty.value for one in found}


def visit(number: int, value: str, said_at: str, start: Bound | None = None) -> Fact:
    return make_fact(number, value, said_at, start=start, property="visited", single_valued=False)


MOVES = (
    make_fact(1, "Paris", "2023-01-01", start=between(ms("2020-01-01"), ms("2020-12-31"))),
    make_fact(2, "Paris", "2023-03-01"),
    make_fact(3, "Lyon", "2023-06-01"),
)


def test_between_two_values_either_may_have_held() -> None:
    facts = judged(*MOVES)
    assert values(held_at(facts, ms("2019-06-01"))) == {}
    assert values(held_at(facts, ms("2020-06-01"))) == {"Paris": "possible"}
    assert values(held_at(facts, ms("2022-06-01"))) == {"Paris": "certain"}
    assert values(held_at(facts, ms("2023-04-01"))) == {"Paris": "possible", "Lyon": "possible"}
    assert values(held_at(facts, ms("2023-07-01"))) == {"Lyon": "certain"}


def test_what_nobody_said_since_when_may_have_held_at_any_time_before() -> None:
    facts = judged(make_fact(1, "tennis", "2023-01-01", property="plays", single_valued=False))
    assert values(held_at(facts, ms("1990-01-01"))) == {"tennis": "possible"}
    assert values(held_at(facts, ms("2023-01-01"))) == {"tennis": "certain"}


def test_many_values_of_one_property_hold_side_by_side() -> None:
    facts = judged(
        make_fact(1, "tea", "2023-01-01", property="likes", single_valued=False),
        make_fact(2, "jazz", "2023-03-01", property="likes", single_valued=False),
    )
    assert values(held_at(facts, NOW)) == {"tea": "certain", "jazz": "certain"}


def test_a_fact_learned_late_but_valid_earlier_does_not_win() -> None:
    """Known fault 41: 2024 "tea" read first, then 2023 "coffee"; now it is tea."""
    tea = make_fact(1, "tea", "2024-01-01", recorded_at_ms=1)
    coffee = make_fact(2, "coffee", "2023-01-01", recorded_at_ms=2)
    facts = judged(tea, coffee)
    assert values(held_at(facts, NOW)) == {"tea": "certain"}
    assert values(held_at(facts, ms("2023-01-01")))["coffee"] == "certain"
    assert [span.facts[0].value for span in held_spans(facts)] == ["coffee", "tea"]


def test_plans_denials_and_what_was_decided_against_never_held() -> None:
    start = between(ms("2023-05-01"), ms("2023-05-02"))
    facts = judged(
        make_fact(1, "Oslo", "2023-06-01", start=start),
        make_fact(2, "Bergen", "2023-06-03", start=start),
        make_fact(3, "Rome", "2023-07-01", modality=Modality.PLANNED),
        make_fact(4, "Bonn", "2023-07-02", modality=Modality.HYPOTHETICAL),
        make_fact(5, "Kyiv", "2023-07-03", polarity=False),
        make_fact(6, "Graz", "2023-08-01"),
        _2="confirm",
        _6="reject",
    )
    assert [span.facts[0].value for span in held_spans(facts)] == ["Bergen"]


def test_what_held_before_and_after_something_happened() -> None:
    facts = judged(*MOVES)
    wedding = between(ms("2023-02-01"), ms("2023-02-28"))
    around = held_around(facts, wedding)
    assert (values(around.before), values(around.after)) == (
        {"Paris": "certain"},
        {"Paris": "certain"},
    )
    accident = between(ms("2023-02-10"), ms("2023-08-31"))
    assert values(held_around(facts, accident).after) == {"Lyon": "certain"}
    unknown = Bound(None, ms("2023-08-31"), Precision.UNKNOWN, TimeSource.MESSAGE_TIME)
    assert held_around(facts, unknown).before == ()


def test_how_long_is_a_least_and_a_most() -> None:
    paris, lyon = held_spans(judged(*MOVES))
    length = length_of(paris, until_ms=NOW)
    assert length.least_ms == ms("2023-03-01") - ms("2020-12-31")
    assert length.most_ms == ms("2023-06-01") - ms("2020-01-01")
    assert not length.ongoing
    since = length_of(lyon, until_ms=NOW)
    assert (since.least_ms, since.ongoing) == (NOW - ms("2023-06-01"), True)
    assert since.most_ms == NOW - ms("2023-03-01")


def test_what_ends_later_is_still_going_on_when_it_is_measured() -> None:
    end = between(ms("2026-01-01"), ms("2026-12-31"))
    start = between(ms("2024-01-01"), ms("2024-01-02"))
    (held,) = held_spans(judged(make_fact(1, "Lumo", "2024-02-01", start=start, end=end)))
    length = length_of(held, until_ms=NOW)
    assert (length.ongoing, length.most_ms) == (True, NOW - ms("2024-01-01"))


def test_the_length_of_what_nobody_dated_has_no_most() -> None:
    (held,) = held_spans(judged(make_fact(1, "tennis", "2023-01-01", property="plays")))
    assert length_of(held, until_ms=NOW).most_ms is None


def test_a_visit_told_twice_may_be_one_and_three_days_are_three() -> None:
    june = between(ms("2023-06-01"), ms("2023-06-30"))
    facts = judged(
        visit(1, "Rome", "2023-07-01", june),
        visit(2, "Rome", "2023-07-02", between(ms("2023-06-10"), ms("2023-06-11"))),
        visit(3, "Rome", "2023-07-03", between(ms("2023-06-20"), ms("2023-06-21"))),
        visit(4, "Bern", "2023-07-04", june),
    )
    count = count_in(facts, ms("2023-06-01"), ms("2023-07-01"))
    assert (count.least, count.most) == (3, 4)


def test_what_may_lie_outside_of_the_period_counts_as_possible() -> None:
    facts = judged(
        visit(1, "Rome", "2023-08-01", between(ms("2023-05-20"), ms("2023-06-10"))),
        visit(2, "Bern", "2023-06-20"),
        visit(3, "Oslo", "2023-08-02", between(ms("2023-07-01"), ms("2023-07-02"))),
        visit(4, "Graz", "2023-08-02", between(ms("2023-06-02"), ms("2023-06-03"))),
    )
    count = count_in(facts, ms("2023-06-01"), ms("2023-07-01"))
    assert (count.least, count.most) == (1, 3)
    assert count.facts[0].value == "Graz"
    assert count_in(facts, None, None).least == 4
    assert count_in(facts, None, None).most == 4


def test_plans_and_denials_are_not_counted() -> None:
    start = between(ms("2023-06-02"), ms("2023-06-03"))
    told = {"property": "visited", "single_valued": False, "start": start}
    facts = judged(
        make_fact(1, "Rome", "2023-05-01", modality=Modality.PLANNED, **told),  # type: ignore[arg-type]
        make_fact(2, "Bern", "2023-07-01", polarity=False, **told),  # type: ignore[arg-type]
        make_fact(3, "Oslo", "2023-07-01", **told),  # type: ignore[arg-type]
        _3="reject",
    )
    assert (count_in(facts, None, None).least, count_in(facts, None, None).most) == (0, 0)


days = st.integers(0, 12)
ends = st.none() | st.tuples(days, st.integers(0, 4))


@st.composite
def homes(draw: st.DrawFn) -> list[Fact]:
    found = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        start, end = draw(ends), draw(ends)
        found.append(
            make_fact(
                number,
                draw(st.sampled_from("abc")),
                draw(days) * DAY_MS,
                start=start and between(start[0] * DAY_MS, (start[0] + start[1]) * DAY_MS),
                end=end and between(end[0] * DAY_MS, (end[0] + end[1]) * DAY_MS),
            )
        )
    return found


@given(homes(), st.integers(-2, 40))
def test_only_one_home_is_certain_and_what_is_current_is_at_least_possible(
    facts: list[Fact], half_day: int
) -> None:
    at_ms = half_day * DAY_MS // 2
    found = judge(facts, as_of_ms=at_ms, rulings={})
    at = held_at(found, at_ms)
    sure = {one.held.facts[0].value for one in at if one.certainty is Certainty.CERTAIN}
    contested = any(f.status is FactStatus.CONTESTED for f in found)
    assert len(sure) <= 1 or contested
    possible = {fact.value for one in at for fact in one.held.facts}
    assert {f.value for f in found if f.status is FactStatus.CURRENT} <= possible


@given(homes(), st.integers(0, 40))
def test_a_length_is_never_longer_than_its_most(facts: list[Fact], until: int) -> None:
    for held in held_spans(judge(facts, as_of_ms=0, rulings={})):
        length = length_of(held, until_ms=until * DAY_MS)
        assert length.least_ms >= 0
        assert length.most_ms is None or length.least_ms <= length.most_ms
        assert isinstance(held, Held)
