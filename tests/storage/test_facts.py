"""Facts: proven when they are stored, and what was known then never changes."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.graph import LinkKind, NewFact, Quote, ValueType
from apexmem_desktop.domain.interval import Validity
from apexmem_desktop.storage import events, facts, properties, rulings, words
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import (
    DAY_MS,
    START_MS,
    count,
    held_when_said,
    make_turn,
    stated,
    store_chat,
    store_entity,
    store_event,
    store_fact,
    tried,
)


@pytest.mark.parametrize(
    "quotes",
    [
        (),
        (Quote(1, 0, 4, "Oslo"),),
        (Quote(1, 0, 5, "Paris"), Quote(1, 0, 4, "Rome")),
        (Quote(1, -4, 4, "Rome"),),
        (Quote(1, 0, 0, ""),),
        (Quote(99, 0, 4, "Rome"),),
    ],
)
def test_a_fact_without_its_words_is_refused(vault: Vault, quotes: tuple[Quote, ...]) -> None:
    """Known fault 43."""
    with vault.write() as db:
        store_chat(db, [make_turn("Rome is nice")])
        ana = store_entity(db, "Ana")
        properties.ensure_property(
            db, name="p", value_type=ValueType.STRING, single_valued=True, recorded_at_ms=0
        )
    new = NewFact(ana, 1, "Rome", ValueType.STRING, Validity(held_when_said(0)), quotes, 0.5)
    with pytest.raises(ValueError, match=r"turn|words"), vault.write() as db:
        facts.append_fact(db, new, recorded_at_ms=0)
    assert count(vault, "facts") == count(vault, "fact_quotes") == count(vault, "fact_words") == 0


def test_a_fact_comes_back_as_it_was_stored(vault: Vault) -> None:
    start, end = (
        stated(START_MS, START_MS + DAY_MS),
        stated(START_MS + 9 * DAY_MS, START_MS + 10 * DAY_MS),
    )
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        number = store_fact(db, ana, "Rome", start=start, end=end, polarity=False, holder_id=ana)
        [fact] = facts.find_facts(db, ids=[number])
    assert (fact.value, fact.polarity, fact.holder, fact.property) == (
        "Rome",
        False,
        "Ana",
        "lives_in",
    )
    assert (fact.valid_from, fact.valid_to, fact.effective_to) == (start, end, end)
    [proof] = fact.evidence
    assert (proof.quote, proof.speaker, proof.start, proof.end) == ("Rome", "Ana", 0, 4)


def test_both_sides_of_a_contradiction_are_kept(vault: Vault) -> None:
    """Known fault 45."""
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        likes = store_fact(db, ana, "tofu", property="likes", single_valued=False)
        hates = store_fact(db, ana, "tofu", property="hates", single_valued=False)
        facts.append_link(db, hates, likes, LinkKind.CONTRADICTS, "rule", "opposites", 7)
        facts.append_link(db, hates, likes, LinkKind.CONTRADICTS, "rule", "opposites", 8)
        found = facts.find_facts(db, subject_ids=[ana])
        assert [f.id for f in found] == [likes, hates]
        assert [link.kind for link in found[0].links] == [LinkKind.CONTRADICTS]
        assert found[0].links == found[1].links
        assert facts.find_facts(db, ids=[likes], known_at_ms=6)[0].links == ()


def test_facts_are_ordered_by_when_they_were_true(vault: Vault) -> None:
    """Known fault 41: an older fact that is read later does not come last."""
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        tea = store_fact(db, ana, "tea", at_ms=START_MS)
        coffee = store_fact(db, ana, "coffee", at_ms=START_MS - 300 * DAY_MS)
        assert [f.id for f in facts.find_facts(db)] == [coffee, tea]
        assert [f.id for f in facts.find_facts(db, limit=1)] == [tea]


def test_facts_are_found_in_every_way(vault: Vault) -> None:
    with vault.write() as db:
        ana, rome = store_entity(db, "Ana"), store_entity(db, "Rome")
        home = store_fact(db, ana, "Rome", value_entity_id=rome)
        job = store_fact(db, ana, "baker", property="works_as")
        [proof] = facts.find_facts(db, ids=[home])[0].evidence

        def found(**how: object) -> list[int]:
            return [fact.id for fact in facts.find_facts(db, **how)]  # type: ignore[arg-type]

        assert found(property_names=["works_as"]) == [job]
        assert found(value_entity_ids=[rome]) == [home]
        assert found(turn_ids=[proof.turn_id]) == [home]
        assert found(subject_ids=[]) == found(ids=[]) == []
        assert words.find_facts_by_words(db, "Where does Ana work as a baker?", 1)[0][0] == job


@pytest.mark.parametrize(
    ("value", "kind", "number"),
    [
        ("1,200", ValueType.INTEGER, 1200.0),
        ("7.5", ValueType.FLOAT, 7.5),
        ("yes", ValueType.BOOLEAN, 1.0),
        ("no", ValueType.BOOLEAN, 0.0),
        ("about ten", ValueType.INTEGER, None),
        ("nan", ValueType.FLOAT, None),
        ("12", ValueType.STRING, None),
    ],
)
def test_numbers_can_be_compared_in_sql(value: str, kind: ValueType, number: float | None) -> None:
    assert facts.value_number(value, kind) == number


def test_the_newest_ruling_that_was_not_taken_back_stands(vault: Vault) -> None:
    with vault.write() as db:
        fact = store_fact(db, store_entity(db, "Ana"), "Rome")
        rulings.append_ruling(db, kind="confirm", fact_id=fact, ruled_at_ms=1)
        reject = rulings.append_ruling(db, kind="reject", fact_id=fact, ruled_at_ms=2)
        assert facts.find_rulings(db, [fact]) == {fact: "reject"}
        rulings.append_ruling(db, kind="undo", undoes_id=reject, ruled_at_ms=3)
        assert facts.find_rulings(db, [fact]) == {fact: "confirm"}
        assert facts.find_rulings(db, [fact], known_at_ms=2) == {fact: "reject"}
        assert facts.find_rulings(db, [fact + 1]) == {}


def test_events_with_who_where_and_when(vault: Vault) -> None:
    with vault.write() as db:
        [turn] = store_chat(db, [make_turn("dinner at Nonna's with Ben")])
        ben, nonna = store_entity(db, "Ben"), store_entity(db, "Nonna's", kind="place")
        guests = ((ben, "guest"), (ben, "guest"))
        start = stated(START_MS, START_MS + DAY_MS)
        number = store_event(db, turn, "dinner", start, participants=guests, place_id=nonna)

        def found(**how: object) -> list[int]:
            return [event.id for event in events.find_events(db, **how)]  # type: ignore[arg-type]

        [event] = events.find_events(db)
        assert (event.place, event.participants) == ("Nonna's", ((ben, "Ben", "guest"),))
        assert event.evidence[0].quote == "dinner"
        assert (
            found(entity_ids=[ben]) == found(entity_ids=[nonna]) == found(ids=[number]) == [number]
        )
        assert found(entity_ids=[]) == found(types=["wedding"]) == found(known_at_ms=-1) == []
        assert found(from_ms=START_MS + DAY_MS // 2) == [number]
        assert found(from_ms=START_MS + 2 * DAY_MS) == found(to_ms=START_MS) == []
        with pytest.raises(ValueError, match="does not say"):
            store_event(db, turn, "supper", start)


moments = st.integers(0, 8)
histories = st.lists(st.tuples(st.sampled_from("abc"), moments, moments), max_size=8)


@given(histories, moments)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_later_facts_never_change_what_was_known(
    vault: Vault, history: list[tuple[str, int, int]], known_at: int
) -> None:
    """Promise 6: what was known then is the same however much is learned later."""
    by_learning = sorted(history, key=lambda fact: fact[2])
    known = [fact for fact in by_learning if fact[2] <= known_at]
    assert told(vault, by_learning, known_at) == told(vault, known, 99)


def told(vault: Vault, history: list[tuple[str, int, int]], known_at: int) -> list[object]:
    with tried(vault) as db:
        ana = store_entity(db, "Ana")
        for value, true_at, learned_at in history:
            store_fact(db, ana, value, at_ms=START_MS + true_at, recorded_at_ms=learned_at)
        found = facts.find_facts(db, subject_ids=[ana], known_at_ms=known_at)
    return [(fact.id, fact.value, fact.valid_from, fact.evidence) for fact in found]
