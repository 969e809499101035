"""A fact that was judged is the same fact, with what was found."""

from dataclasses import fields, replace

from apexmem_desktop.domain.graph import Fact, FactLink, FactStatus, LinkKind
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from tests.recall.builders import make_fact

ENDED = Bound(5, 9, Precision.DAY, TimeSource.NEXT_VALUE)


def unlike_any_default() -> Fact:
    """Make a fact whose fields all differ from what they are without being given."""
    return replace(
        make_fact(7, "Porto", "2024-03-01"),
        subject_id=11,
        property_id=12,
        single_valued=False,
        value_entity_id=13,
        event_id=14,
        links=(FactLink(7, 8, LinkKind.SUPERSEDES, "user", "said so"),),
        holder="Ana",
        phrase="last week",
        ruled="pin",
    )


def test_judging_changes_only_what_was_found() -> None:
    fact = unlike_any_default()
    judged = fact.judged(FactStatus.PAST, ENDED)
    assert judged == replace(fact, status=FactStatus.PAST, effective_to=ENDED)
    changed = {f.name for f in fields(Fact) if getattr(judged, f.name) != getattr(fact, f.name)}
    assert changed == {"status", "effective_to"}


def test_a_fact_that_says_so_already_is_given_back() -> None:
    fact = unlike_any_default().judged(FactStatus.PAST, ENDED)
    assert fact.judged(FactStatus.PAST, replace(ENDED)) is fact
