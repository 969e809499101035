"""Looking around in a memory: people, facts as of a day, timelines, search."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apexmem_desktop.domain.errors import NotFoundError, QueryRefusedError
from apexmem_desktop.domain.graph import (
    Entity,
    FactStatus,
    Modality,
    NewEvent,
    NewFact,
    Quote,
    ValueType,
)
from apexmem_desktop.domain.interval import Validity
from apexmem_desktop.services import browsing
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage.events import append_event
from apexmem_desktop.storage.facts import append_fact
from apexmem_desktop.storage.properties import ensure_property
from apexmem_desktop.storage.turns import get_turn
from tests.recall.builders import ms, said
from tests.recall.chats import entity, store_chat, store_fact

NOW = ms("2024-03-15T12:00")
LINES = [
    ("Melanie Hart", "2023-03-01T10:00", "I live in Paris."),
    ("Ben Ode", "2023-03-01T10:01", "I love the pottery class, and Melanie likes tea."),
    ("Melanie Hart", "2023-05-01T10:00", "I moved to Lyon!"),
    ("Melanie Hart", "2023-06-01T10:00", "Maybe next year I move to Rome, it is planned."),
    ("Ben Ode", "2023-06-02T10:00", "The concert in Lyon was great."),
]


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace with two friends, three homes and a concert; no models."""
    with Workspace(
        tmp_path / "memory.sqlite",
        models_dir=tmp_path / "none",
        settings=Settings(zone="UTC"),
        clock=lambda: NOW,
    ) as opened:
        turns = store_chat(opened.vault, LINES)
        with opened.vault.write() as db:
            melanie = entity(db, "Melanie Hart", is_speaker=True)
            entity(db, "Ben Ode", is_speaker=True)
        home = "lives_in"
        store_fact(opened.vault, turns[0], "Melanie Hart", home, "Paris", recorded_at_ms=10)
        store_fact(opened.vault, turns[2], "Melanie Hart", home, "Lyon", recorded_at_ms=20)
        plan = Modality.PLANNED
        store_fact(opened.vault, turns[3], "Melanie Hart", home, "Rome", modality=plan)
        store_fact(opened.vault, turns[1], "Melanie Hart", "likes", "tea", single_valued=False)
        with opened.vault.write() as db:
            text = get_turn(db, turns[4]).text
            for kind in ("concert", "statement"):
                append_event(
                    db,
                    NewEvent(
                        type=kind,
                        summary="The concert in Lyon",
                        validity=Validity(said(ms("2023-06-02T10:00"))),
                        quotes=(Quote(turns[4], 0, len(text), text),),
                        participants=((melanie, "guest"),),
                    ),
                    recorded_at_ms=0,
                )
        yield opened


def held(ws: Workspace, **when: int | None) -> dict[str, str]:
    """Value to status of where Melanie lives."""
    facts = browsing.facts_of(ws, "Melanie", property="lives_in", **when)[1]  # type: ignore[arg-type]
    return {f.value: f.status.value for f in facts}


@pytest.mark.parametrize("name", ["Melanie Hart", "melanie hart", "Melanie", "hart"])
def test_an_entity_is_found_by_its_name_or_a_part_of_it(ws: Workspace, name: str) -> None:
    found = browsing.find_entity(ws, name)
    assert found.name == "Melanie Hart"
    assert browsing.find_entity(ws, str(found.id)) == found


def test_a_wrong_name_suggests_the_near_one(ws: Workspace) -> None:
    with pytest.raises(NotFoundError) as caught:
        browsing.find_entity(ws, "Melany Hart")
    assert "Melanie Hart" in caught.value.hint


def test_a_name_that_several_bear_asks_which(ws: Workspace) -> None:
    with ws.vault.write() as db:
        entity(db, "Ben Stone", is_speaker=True)
    with pytest.raises(NotFoundError) as caught:
        browsing.find_entity(ws, "Ben")
    assert "Ben Ode" in caught.value.hint
    assert "Ben Stone" in caught.value.hint


def test_facts_are_those_that_hold_now_with_plans(ws: Workspace) -> None:
    assert held(ws) == {"Lyon": "current", "Rome": "planned"}


def test_facts_as_of_a_day_are_those_that_held_then(ws: Workspace) -> None:
    assert held(ws, as_of_ms=ms("2023-04-01")) == {"Paris": "current"}
    assert held(ws, as_of_ms=ms("2022-01-01")) == {}


def test_facts_known_at_a_day_leave_out_what_was_learned_later(ws: Workspace) -> None:
    assert held(ws, known_at_ms=15) == {"Paris": "current", "Rome": "planned"}


def test_the_history_has_every_version_newest_first(ws: Workspace) -> None:
    melanie = browsing.find_entity(ws, "Melanie")
    versions = browsing.property_history(ws, melanie.id, "lives_in")
    assert [f.value for f in versions] == ["Rome", "Lyon", "Paris"]
    facts = browsing.facts_of(ws, "Melanie", property="lives_in", history=True)[1]
    assert {f.value: f.status for f in facts}["Paris"] is FactStatus.PAST


def test_the_timeline_has_facts_and_real_events_in_order(ws: Workspace) -> None:
    items = browsing.timeline_of(ws, "Melanie")[1]
    assert [(i.kind, i.lane, i.label) for i in items] == [
        ("fact", "lives_in", "Paris"),
        ("fact", "likes", "tea"),
        ("fact", "lives_in", "Lyon"),
        ("fact", "lives_in", "Rome"),
        ("event", "concert", "The concert in Lyon"),
    ]
    paris = items[0]
    assert paris.end is not None
    assert paris.end.latest_ms == ms("2023-05-01T10:00")
    assert [i.label for i in items if i.planned] == ["Rome"]


def tell(ws: Workspace, at: str, text: str, **more: Any) -> None:
    """Store a fact of Melanie's with the event it hangs on, as building does."""
    [turn_id] = store_chat(ws.vault, [("Melanie Hart", at, text)], title=text)
    value, start = more.pop("value"), more.pop("start", None) or said(ms(at))
    with ws.vault.write() as db:
        melanie = entity(db, "Melanie Hart")
        proof = (Quote(turn_id, 0, len(text), text),)
        modality = more.get("modality", Modality.ASSERTED)
        event = NewEvent(
            more.pop("event"),
            text,
            Validity(start),
            proof,
            modality=modality,
            participants=((melanie, "subject"),),
        )
        event_id = append_event(db, event, recorded_at_ms=0)
        known = ensure_property(
            db,
            name=more.pop("property"),
            value_type=ValueType.STRING,
            single_valued=False,
            recorded_at_ms=0,
        )
        fact = NewFact(
            melanie,
            known.id,
            value,
            ValueType.STRING,
            Validity(start),
            proof,
            0.9,
            event_id=event_id,
            **more,
        )
        append_fact(db, fact, recorded_at_ms=0)


def test_a_purchase_stands_once_on_the_timeline(ws: Workspace) -> None:
    tell(ws, "2023-07-01", "I bought a kayak", property="bought", value="kayak", event="purchase")
    items = browsing.timeline_of(ws, "Melanie", from_ms=ms("2023-06-30"))[1]
    assert [(i.lane, i.label) for i in items if "kayak" in i.label] == [("bought", "kayak")]
    assert [i.label for i in items if i.kind == "event"] == []


def test_what_was_done_once_shares_a_lane_whatever_the_verb(ws: Workspace) -> None:
    tell(ws, "2023-07-01", "I joined a club", property="joined", value="club", event="deed")
    tell(ws, "2023-07-02", "I rented a van", property="rented", value="van", event="deed")
    items = browsing.timeline_of(ws, "Melanie", from_ms=ms("2023-06-30"))[1]
    shown = [(i.lane, i.label) for i in items if i.lane == "deed"]
    assert shown == [("deed", "joined club"), ("deed", "rented van")]


def test_a_plan_leaves_the_timeline_when_it_is_settled(ws: Workspace) -> None:
    trip = {"property": "visited", "event": "trip"}
    told = (("2023-07-01", "Rome"), ("2023-07-02", "Bern"), ("2023-07-03", "Kyiv"))
    for at, value in told:
        plan = Modality.PLANNED
        tell(ws, at, f"I will see {value}", value=value, modality=plan, **trip)
    tell(ws, "2023-08-01", "Rome was great", value="Rome", **trip)
    tell(ws, "2023-08-02", "not Bern after all", value="Bern", polarity=False, **trip)

    def shown(as_of: str) -> list[tuple[str, bool]]:
        items = browsing.timeline_of(ws, "Melanie", as_of_ms=ms(as_of))[1]
        return [(i.label, i.planned) for i in items if i.lane in ("visited", "trip")]

    assert shown("2024-01-01") == [("Kyiv", True), ("Rome", False), ("not Bern", False)]
    assert shown("2023-07-10")[:3] == [("Rome", True), ("Bern", True), ("Kyiv", True)]
    history = browsing.facts_of(ws, "Melanie", property="visited", history=True)[1]
    assert len(history) == 5


def test_a_timeline_can_be_cut_to_a_stretch(ws: Workspace) -> None:
    labels = {
        i.label
        for i in browsing.timeline_of(
            ws, "Melanie", from_ms=ms("2023-05-15"), to_ms=ms("2023-06-02")
        )[1]
    }
    assert labels == {"tea", "Lyon", "Rome"}


def test_search_finds_turns_facts_and_entities_without_any_model(ws: Workspace) -> None:
    found = browsing.search(ws, "Where does Melanie live?")
    assert found.turns[0].speaker == "Melanie Hart"
    assert [(f.value, f.status.value) for f in found.facts if f.property == "lives_in"][:1]
    assert found.entities[0].name == "Melanie Hart"
    assert all(hit.why for hit in found.turns)


def test_search_holds_its_filters(ws: Workspace) -> None:
    by_ben = browsing.search(ws, "Lyon", person="ben")
    assert {hit.speaker for hit in by_ben.turns} == {"Ben Ode"}
    early = browsing.search(ws, "Lyon", to_ms=ms("2023-05-15"))
    assert [hit.text for hit in early.turns] == ["I moved to Lyon!"]
    with pytest.raises(NotFoundError):
        browsing.search(ws, "Lyon", person="Nobody")


def test_the_rest_of_the_memory_can_be_read(ws: Workspace) -> None:
    (chat,) = browsing.conversations(ws)
    page = browsing.conversation_turns(ws, chat.id, limit=2)
    assert [t.text for t in page] == [LINES[0][2], LINES[1][2]]
    rest = browsing.conversation_turns(ws, chat.id, after_position=page[-1].position)
    assert len(rest) == 3
    around = browsing.turns_around(ws, page[1].id, before=1, after=1)
    assert [t.text for t in around] == [line[2] for line in LINES[:3]]
    with pytest.raises(NotFoundError):
        browsing.turns_around(ws, 999)
    assert len(browsing.sources(ws)) == 1
    counted = browsing.status(ws)
    assert (counted.turns, counted.facts, counted.events) == (5, 4, 1)
    assert counted.entities == 2
    people: tuple[Entity, ...] = browsing.list_entities(ws, type="person")
    assert [e.name for e in people] == ["Melanie Hart", "Ben Ode"]


def test_a_query_reads_the_views_and_nothing_else(ws: Workspace) -> None:
    assert browsing.run_sql(ws, "SELECT count(*) FROM v_turns").rows == ((5,),)
    with pytest.raises(QueryRefusedError):
        browsing.run_sql(ws, "DELETE FROM turns")
    assert "v_facts" in browsing.schema_text()
