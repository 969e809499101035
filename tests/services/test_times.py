"""Both times together: what held when, by what was known when, as the user asks for it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.graph import FactStatus, Modality, NewEvent, Quote
from apexmem_desktop.domain.held import HeldAt
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, Validity
from apexmem_desktop.services import browsing, times
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, events, rulings
from apexmem_desktop.storage.turns import get_turn
from tests.recall.builders import between, ms
from tests.recall.chats import entity, store_chat, store_fact

NOW = ms("2024-01-01")
LINES = [
    ("Ana", "2023-01-01T10:00", "I live in Paris."),
    ("Ana", "2023-06-01T10:00", "I live in Lyon now."),
    ("Ana", "2022-03-01T10:00", "I live in Bern."),
    ("Ana", "2023-03-01T10:00", "The wedding was on Monday."),
    ("Ana", "2023-04-01T10:00", "I went to Rome."),
    ("Ana", "2023-09-01T10:00", "I went to Rome again."),
    ("Annie", "2023-10-01T10:00", "I live in Oslo."),
]
LEARNED = {"Paris": 100, "Lyon": 200, "Bern": 300, "Oslo": 400}


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    """Ana's homes, the oldest learned last; a wedding; two trips; and Annie, who may be Ana."""
    with Workspace(
        tmp_path / "memory.sqlite", settings=Settings(zone="UTC"), clock=lambda: NOW
    ) as opened:
        turns = store_chat(opened.vault, LINES)
        for index, value in ((0, "Paris"), (1, "Lyon"), (2, "Bern"), (6, "Oslo")):
            store_fact(
                opened.vault,
                turns[index],
                LINES[index][0],
                "lives_in",
                value,
                recorded_at_ms=LEARNED[value],
            )
        for index in (4, 5):
            store_fact(opened.vault, turns[index], "Ana", "visited", "Rome", single_valued=False)
        happen(opened, turns[3], between(ms("2023-02-27"), ms("2023-02-28")))
        yield opened


def happen(ws: Workspace, turn_id: int, start: Bound, **more: object) -> int:
    """Store a wedding that Ana was at."""
    with ws.vault.write() as db:
        text = get_turn(db, turn_id).text
        new = NewEvent(
            "wedding",
            text,
            Validity(start),
            (Quote(turn_id, 0, len(text), text),),
            participants=((entity(db, "Ana"), "guest"),),
            **more,  # type: ignore[arg-type]
        )
        return events.append_event(db, new, recorded_at_ms=0)


def held(found: Sequence[HeldAt]) -> dict[str, str]:
    return {one.held.facts[0].value: one.certainty.value for one in found}


def current(ws: Workspace, name: str = "Ana", **when: int) -> list[str]:
    facts = browsing.facts_of(ws, name, property="lives_in", **when)[1]  # type: ignore[arg-type]
    return [f.value for f in facts if f.status is FactStatus.CURRENT]


def test_known_at_and_as_of_are_two_questions(ws: Workspace) -> None:
    """What held in spring 2022 was learned last; before that, nothing of it was known."""
    spring = ms("2022-04-01")
    assert current(ws, as_of_ms=spring) == ["Bern"]
    assert current(ws, as_of_ms=spring, known_at_ms=299) == []
    assert current(ws, known_at_ms=150) == ["Paris"]
    assert current(ws, known_at_ms=250) == ["Lyon"]
    assert current(ws) == ["Lyon"]


def test_what_held_is_certain_or_possible(ws: Workspace) -> None:
    def told(at: str, known_at_ms: int | None = None) -> dict[str, str]:
        at_ms, home = ms(at), "lives_in"
        found = times.held_on(ws, "Ana", at_ms=at_ms, property=home, known_at_ms=known_at_ms)
        return held(found)

    assert told("2023-08-01") == {"Lyon": "certain"}
    assert told("2022-04-01") == {"Bern": "possible", "Paris": "possible"}
    assert told("2022-04-01", known_at_ms=299) == {"Paris": "possible"}


def test_when_it_changed_depends_on_what_was_known(ws: Workspace) -> None:
    def told(**known: int) -> list[tuple[str, str]]:
        changes = times.changes_of(ws, "Ana", property="lives_in", **known)  # type: ignore[arg-type]
        return [
            (c.before.value, c.after.value) for c in changes if c.before is not None and c.after
        ]

    assert told() == [("Bern", "Paris"), ("Paris", "Lyon")]
    assert told(known_at_ms=250) == [("Paris", "Lyon")]


def test_what_held_before_and_after_an_event(ws: Workspace) -> None:
    (wedding,) = times.events_in(ws, "Ana", type="wedding")
    around = times.held_around(ws, "Ana", wedding.id, property="lives_in")
    assert held(around.before) == {"Paris": "possible", "Lyon": "possible"}
    assert held(around.after) == {"Paris": "possible", "Lyon": "possible"}
    with pytest.raises(NotFoundError):
        times.held_around(ws, "Ana", 999)


def test_an_event_that_lasts_is_over_at_its_end(ws: Workspace) -> None:
    with ws.vault.write() as db:
        text = get_turn(db, 1).text
        start, end = (between(ms(d), ms(d) + 1) for d in ("2021-01-01", "2023-07-01"))
        new = NewEvent("trip", text, Validity(start, end), (Quote(1, 0, len(text), text),))
        trip = events.append_event(db, new, recorded_at_ms=0)
    around = times.held_around(ws, "Ana", trip, property="lives_in")
    assert held(around.before) == {"Bern": "possible"}
    assert held(around.after) == {"Lyon": "certain"}


def test_how_two_events_lie_to_each_other(ws: Workspace) -> None:
    with ws.vault.write() as db:
        text = get_turn(db, 1).text
        numbers = []
        for start, end in (("2021-01-01", "2021-01-05"), ("2021-01-05", "2021-02-01"),
                           ("2021-01-10", "2021-01-12"), (None, None)):  # fmt: skip
            exact = [b and between(ms(b), ms(b)) for b in (start, end)]
            unknown = Bound(None, ms("2023-01-01"), Precision.UNKNOWN, TimeSource.MESSAGE_TIME)
            when = Validity(exact[0] or unknown, exact[1])
            new = NewEvent("trip", text, when, (Quote(1, 0, len(text), text),))
            numbers.append(str(events.append_event(db, new, recorded_at_ms=0)))

    def related(one: int, two: int) -> tuple[str, ...]:
        return times.relations_of(ws, "Ana", numbers[one], numbers[two]).relations

    assert related(0, 1) == ("meets",)
    assert related(2, 0) == ("after",)
    assert related(2, 1) == ("during",)
    assert related(1, 2) == ("contains",)
    assert len(related(0, 3)) == 13  # nothing tells when the last was
    with pytest.raises(NotFoundError):
        times.relations_of(ws, "Ana", numbers[0], "999")


def test_how_long_each_value_held(ws: Workspace) -> None:
    lengths = {
        held.facts[0].value: length for held, length in times.how_long(ws, "Ana", "lives_in")
    }
    assert lengths["Lyon"].ongoing
    assert lengths["Lyon"].least_ms == NOW - ms("2023-06-01T10:00")
    assert lengths["Paris"].most_ms == ms("2023-06-01T10:00") - ms("2022-03-01T10:00")
    assert lengths["Bern"].most_ms is None
    (only,) = times.how_long(ws, "Ana", "lives_in", value="lyon", as_of_ms=ms("2023-07-01T10:00"))
    assert only[1].least_ms == ms("2023-07-01T10:00") - ms("2023-06-01T10:00")


def test_how_many_in_a_period(ws: Workspace) -> None:
    count = times.how_many(ws, "Ana", "visited", value="rome", from_ms=ms("2023-01-01"))
    assert (count.least, count.most) == (0, 2)  # told in 2023, but nobody said when it was
    assert times.how_many(ws, "Ana", "visited", to_ms=ms("2023-05-01")).least == 1
    assert times.how_many(ws, "Ana", "visited", value="Oslo").most == 0


def test_a_planned_event_is_no_event_yet(ws: Workspace) -> None:
    happen(ws, 4, between(ms("2024-05-01"), ms("2024-05-02")), modality=Modality.PLANNED)
    assert len(times.events_in(ws, "Ana")) == 1
    assert times.events_in(ws, "Ana", from_ms=ms("2023-03-01")) == ()
    assert times.events_in(ws, "Ana", known_at_ms=-1) == ()


def test_a_ruling_counts_from_when_it_was_made(ws: Workspace) -> None:
    with ws.vault.write() as db:
        lyon = next(f for f in browsing.facts_of(ws, "Ana")[1] if f.value == "Lyon")
        ruling = rulings.append_ruling(db, kind="reject", fact_id=lyon.id, ruled_at_ms=500)
        rulings.append_ruling(db, kind="undo", undoes_id=ruling, ruled_at_ms=600)
    assert current(ws, known_at_ms=499) == ["Lyon"]
    assert current(ws, known_at_ms=500) == ["Paris"]
    assert current(ws, known_at_ms=600) == ["Lyon"]


def test_before_a_merge_the_two_were_two(ws: Workspace) -> None:
    with ws.vault.write() as db:
        ana, annie = entity(db, "Ana"), entity(db, "Annie")
        entities.append_link(db, ana, annie, "same_as", "user", "", 500)
    assert current(ws) == current(ws, "Annie") == ["Oslo"]
    assert current(ws, known_at_ms=499) == ["Lyon"]
    assert current(ws, "Annie", known_at_ms=499) == ["Oslo"]
    assert browsing.find_entity(ws, "Annie", known_at_ms=499).name == "Annie"
    items = browsing.timeline_of(ws, "Ana", known_at_ms=499)[1]
    assert "Oslo" not in {item.label for item in items}


def test_differences_tell_what_began_and_what_followed(tmp_path: Path) -> None:
    from tests.ui.real import real_memory

    with real_memory(tmp_path) as memory:
        found = memory.differences(1, ms("2023-08-01"), ms("2023-12-01"))
        values = [(one.before and one.before.value, one.after and one.after.value) for one in found]
        assert values == [("Porto", "Lisbon")]
        assert memory.differences(1, ms("2023-09-02"), ms("2023-12-01")) == ()
