"""A stronger model reads again what a weaker one read; what the user refused stays refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.services import browsing, building, reading_queue, rulings
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.storage import facts
from tests.fakes import Reply, ScriptedLanguage
from tests.services.test_building import OPEN, START_MS, ScriptedWorkspace
from tests.services.test_building import _tell as tell
from tests.storage.builders import count

SEWING = "And my other thing, sewing, started there too"


def _answering(model_id: str, fencing: str, sewing: str) -> ScriptedLanguage:
    def answer(request: GenerateRequest) -> Reply:
        if request.choices:
            return "yes"
        return fencing if "fencing" in request.messages[-1].text else sewing

    language = ScriptedLanguage(answer)
    language.model_id = model_id
    return language


WEAK = ("weak", "Ana | likes | fencing\nLena | likes | fencing", "Ana | started | sewing")
STRONG = ("strong", "Ana | likes | fencing", "Ana | practises | sewing")


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[ScriptedWorkspace]:
    opened = ScriptedWorkspace(
        tmp_path / "memory.sqlite", settings=Settings(zone="UTC"), clock=lambda: START_MS
    )
    with opened:
        opened.scripted = _answering(*WEAK)
        tell(opened, OPEN, SEWING, "I moved to Rome")
        building.build(opened)
        yield opened


def _facts(ws: ScriptedWorkspace, name: str) -> tuple[Fact, ...]:
    return browsing.facts_of(ws, name, history=True)[1]


def _shown(ws: ScriptedWorkspace) -> set[str]:
    """What the memory tells: by its queries, and by the views of GraphSQL alike."""
    told = {
        f"{one.subject} {one.property} {one.value}"
        for name in ("Ana", "Lena")
        for one in _facts(ws, name)
        if one.status.value != "rejected"
    }
    rows = browsing.run_sql(ws, "SELECT subject, property, value FROM v_facts").rows
    assert {" ".join(map(str, row)) for row in rows} == told
    return told


def _read_again(ws: ScriptedWorkspace) -> int:
    ws.scripted = _answering(*STRONG)
    queued = reading_queue.queue_read_by_others(ws)
    building.build(ws)
    return queued


def test_what_a_stronger_model_does_not_find_gives_way_and_stays_stored(
    ws: ScriptedWorkspace,
) -> None:
    assert _shown(ws) == {
        "Ana likes fencing", "Lena likes fencing", "Ana started sewing", "Ana practises sewing",
        "Ana lives_in Rome",
    }  # fmt: skip
    stored = count(ws.vault, "facts")
    assert _read_again(ws) == 2  # no model was asked of the third: there is nothing to read again
    assert _shown(ws) == {"Ana likes fencing", "Ana practises sewing", "Ana lives_in Rome"}
    assert count(ws.vault, "facts") == stored
    with ws.vault.read() as db:
        assert {one.value for one in facts.find_facts(db)} == {"fencing", "sewing", "Rome"}


def test_a_stronger_model_reads_again_only_once(ws: ScriptedWorkspace) -> None:
    before = reading_queue.overview(ws)
    assert (before.read, before.read_by_others) == (3, 0)
    ws.scripted = _answering(*STRONG)
    assert reading_queue.overview(ws).read_by_others == 2
    assert _read_again(ws) == 2
    assert _read_again(ws) == 0
    assert reading_queue.overview(ws).pending == 0


def test_what_is_read_again_comes_behind_what_was_never_read(ws: ScriptedWorkspace) -> None:
    tell(ws, "I moved to Rome")
    ws.scripted = _answering(*STRONG)
    reading_queue.queue_read_by_others(ws)
    building.build(ws, limit=1)
    assert reading_queue.overview(ws).pending == 2
    assert reading_queue.overview(ws).read_by_others == 0  # both wait


def test_what_the_user_confirmed_no_model_takes_away(ws: ScriptedWorkspace) -> None:
    [lenas] = _facts(ws, "Lena")
    rulings.confirm(ws, lenas.id)
    _read_again(ws)
    assert "Lena likes fencing" in _shown(ws)


def test_what_gave_way_is_brought_back_by_confirming_it_and_no_undo_meets_it(
    ws: ScriptedWorkspace,
) -> None:
    [lenas] = _facts(ws, "Lena")
    _read_again(ws)
    assert rulings.list_rulings(ws) == ()
    rulings.confirm(ws, lenas.id)
    assert "Lena likes fencing" in _shown(ws)
    rulings.undo(ws)
    assert "Lena likes fencing" not in _shown(ws)


def test_a_turn_that_a_stronger_model_fails_on_keeps_its_facts(ws: ScriptedWorkspace) -> None:
    ws.scripted = _answering("strong", "", "")
    reading_queue.queue_read_by_others(ws)
    report = building.build(ws)
    assert sum(report.turns_failed.values()) == 2
    assert "Lena likes fencing" in _shown(ws)


def test_what_the_user_rejected_does_not_come_back(ws: ScriptedWorkspace) -> None:
    rome = next(one for one in _facts(ws, "Ana") if one.value == "Rome")
    sewing = next(one for one in _facts(ws, "Ana") if one.property == "practises")
    rulings.reject(ws, rome.id)
    rulings.reject(ws, sewing.id)
    _read_again(ws)
    assert _shown(ws) == {"Ana likes fencing"}
    ws.scripted = _answering("third", *STRONG[1:])
    tell(ws, "Yes, I live in Rome")  # said before the user ruled, read after
    report = building.build(ws)
    assert report.facts_dropped == {"you said that it is not so": 1}
    assert _shown(ws) == {"Ana likes fencing"}


def test_what_is_said_anew_after_a_rejection_is_heard(ws: ScriptedWorkspace) -> None:
    rome = next(one for one in _facts(ws, "Ana") if one.value == "Rome")
    rulings.reject(ws, rome.id)
    tell(ws, *["ok"] * 3, "By now I live in Rome")  # three minutes after the ruling
    building.build(ws)
    assert "Ana lives_in Rome" in _shown(ws)


def test_two_builds_at_once_do_no_work_twice(ws: ScriptedWorkspace) -> None:
    tell(ws, "I moved to Turin", "Ida talked me into fencing")
    asked = ws.scripted = _answering(*STRONG)
    other = ScriptedWorkspace(ws.vault.path, settings=Settings(zone="UTC"), clock=lambda: START_MS)
    with other:
        other.scripted = ScriptedLanguage([])
        refusals: list[str] = []

        def build_beside(_: object) -> None:
            with pytest.raises(VaultError) as refused:
                building.build(other)
            refusals.append(str(refused.value))

        building.build(ws, progress=build_beside)
    assert len(refusals) == 1
    assert "at work on the memory file" in refusals[0]
    assert "Wait until it is done" in refusals[0]
    assert len([one for one in asked.requests if not one.choices]) == 1
