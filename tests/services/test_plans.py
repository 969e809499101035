"""Plans of one person that cannot both be kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.chronology.validity import validity_from_spans
from apexmem_desktop.chronology.words import find_time_spans
from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.graph import Modality, NewEvent, NewFact, Quote, ValueType
from apexmem_desktop.services.plans import plan_overlaps
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage.events import append_event
from apexmem_desktop.storage.facts import append_fact
from apexmem_desktop.storage.properties import ensure_property
from apexmem_desktop.storage.turns import get_turn
from tests.recall.builders import ms
from tests.recall.chats import entity, store_chat

NOW = ms("2023-06-10T12:00")
LINES = [
    ("Mira", "2023-06-09T10:00", "We will have dinner at 7 pm on 20 June 2023."),
    ("Mira", "2023-06-09T10:01", "The concert will be at 7 pm on 20 June 2023."),
    ("Mira", "2023-06-09T10:02", "I will visit my aunt on 20 June 2023."),
    ("Mira", "2023-06-09T10:03", "I will fly on 25 June 2023."),
    ("Mira", "2023-06-09T10:04", "I was in Rome on 20 June 2023."),
]


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    """Mira has four plans, three of them for one day; a fact and an event are the same dinner."""
    with Workspace(
        tmp_path / "memory.sqlite",
        models_dir=tmp_path / "none",
        settings=Settings(zone="UTC"),
        clock=lambda: NOW,
    ) as opened:
        turns = store_chat(opened.vault, LINES)
        with opened.vault.write() as db:
            mira = entity(db, "Mira", is_speaker=True)
            event_ids = []
            for turn_id, kind in zip(
                turns, ("dinner", "concert", "visit", "trip", "stay"), strict=True
            ):
                turn = get_turn(db, turn_id)
                assert turn.said_at_ms is not None
                spans = find_time_spans(turn.text, anchor_ms=turn.said_at_ms, offset_minutes=0)
                validity = validity_from_spans(spans, said_at_ms=turn.said_at_ms, offset_minutes=0)
                quotes = (Quote(turn_id, 0, len(turn.text), turn.text),)
                new = NewEvent(
                    type=kind,
                    summary=kind,
                    validity=validity,
                    quotes=quotes,
                    modality=Modality.ASSERTED if kind == "stay" else Modality.PLANNED,
                    participants=((mira, "agent"),),
                )
                event_ids.append(append_event(db, new, recorded_at_ms=0))
                if kind == "dinner":
                    planned = ensure_property(
                        db, name="plans", value_type=ValueType.STRING, single_valued=False,
                        recorded_at_ms=0,
                    )  # fmt: skip
                    fact = NewFact(
                        subject_id=mira, property_id=planned.id, value="dinner",
                        value_type=ValueType.STRING, validity=validity, quotes=quotes,
                        confidence=0.9, modality=Modality.PLANNED, event_id=event_ids[0],
                    )  # fmt: skip
                    append_fact(db, fact, recorded_at_ms=0)
        yield opened


def test_plans_for_one_time_are_told_with_how_sure_it_is(ws: Workspace) -> None:
    who, found = plan_overlaps(ws, "Mira")
    assert who.name == "Mira"
    pairs = [(*sorted((p.first.label, p.second.label)), p.certainty.value) for p in found]
    assert sorted(pairs) == [
        ("concert", "dinner", "certain"),
        ("concert", "visit", "possible"),
        ("dinner", "visit", "possible"),
    ]


def test_of_nobody_nothing_is_told(ws: Workspace) -> None:
    with pytest.raises(NotFoundError):
        plan_overlaps(ws, "Nobody")
