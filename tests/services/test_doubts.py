"""What is read of the facts to find contradictions leaves none of them out."""

import random
from pathlib import Path

import pytest

from apexmem_desktop.domain.graph import Modality
from apexmem_desktop.recall.holding import find_conflicts, judge
from apexmem_desktop.services import clarifying
from apexmem_desktop.services.clarifying import OpenKind
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import facts
from tests.recall.chats import store_chat, store_fact
from tests.services.test_rulings import NOW, Clock

PROPERTIES = ("lives_in", "likes", "hates", "born_in", "took_place_on")


@pytest.mark.parametrize("seed", range(6))
def test_no_contradiction_is_overlooked(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - what is told
    days = [f"2023-06-0{draw.randint(1, 3)}T10:00" for _ in range(40)]
    with Workspace(
        tmp_path / "m.apexmem", models_dir=tmp_path, settings=Settings(zone="UTC"), clock=Clock(NOW)
    ) as ws:
        turns = store_chat(ws.vault, [("Ana", day, f"words {n}") for n, day in enumerate(days)])
        for turn in turns:
            name = draw.choice(PROPERTIES)
            store_fact(
                ws.vault,
                turn,
                draw.choice(("Ana", "Ben")),
                name,
                draw.choice(("Rome", "Oslo", "Bonn")),
                single_valued=name not in ("likes", "hates"),
                modality=draw.choice((Modality.ASSERTED, Modality.ASSERTED, Modality.NEGATED)),
            )
        with ws.vault.read() as db:
            everything = facts.find_facts(db, limit=1000)
        known = find_conflicts(judge(everything, as_of_ms=NOW, rulings={}))
        expected = {frozenset(fact.id for fact in one.sides) for one in known}
        asked = [one for one in clarifying.open_questions(ws) if one.kind is OpenKind.CONFLICT]
    assert expected
    assert {frozenset(fact.id for fact in one.sides) for one in asked} == expected
