"""The same said again is more proof of one fact: shown once, as known then, erased by halves."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apexmem_desktop.domain.graph import Fact, FactStatus, LinkKind
from apexmem_desktop.domain.reports import EraseScope, ImportChoices
from apexmem_desktop.services import browsing, building, importing, maintenance, rulings
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.storage import facts, integrity
from tests.storage.builders import count
from tests.storage.old_vaults import MADE_AT_MS, ScriptedWorkspace

UTC = ImportChoices(zone="UTC")
DAY_MS = 86_400_000
APRIL = "03/04/2024, 10:00 - Ben Roth: I live in Porto\n"
MAY = "05/05/2024, 09:00 - Ben Roth: As I said, I live in Porto\n"


class _Told(ScriptedWorkspace):
    """A memory with a clock of its own, to be told one chat after the other."""

    now = MADE_AT_MS

    def tell(self, *chats: str) -> None:
        for chat in chats:
            self.now += DAY_MS
            path = self.vault.path.with_name(f"WhatsApp Chat with {self.now}.txt")
            path.write_text(chat, encoding="utf-8")
            importing.import_file(self, path, UTC)
            building.build(self)


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[_Told]:
    settings = Settings(zone="UTC")
    with _Told(tmp_path / "memory.apexmem", settings=settings, clock=lambda: opened.now) as opened:
        yield opened


def _known(ws: _Told, name: str = "Ben Roth", at_ms: int | None = None) -> tuple[Fact, ...]:
    return browsing.facts_of(ws, name, history=True, known_at_ms=at_ms)[1]


def _select(ws: _Told, sql: str) -> list[tuple[Any, ...]]:
    """Ask the views as GraphSQL does, without its time limit."""
    with ws.vault.read() as db:
        return [tuple(row) for row in db.exec_driver_sql(sql)]


def _spelt(ws: _Told) -> list[tuple[str, str, int]]:
    """Each fact shown, with its status and how often it was said, the oldest first."""
    told = [(one.value, str(one.status), len(one.evidence)) for one in reversed(_known(ws))]
    rows = _select(ws, "SELECT value, status FROM v_facts ORDER BY valid_from")
    assert rows == [one[:2] for one in told]
    return told


def test_what_is_said_again_is_more_proof_and_surer(ws: _Told) -> None:
    ws.tell(APRIL)
    [before] = _known(ws)
    ws.tell(MAY)
    assert _spelt(ws) == [("Porto", "current", 2)]
    [fact] = _known(ws)
    assert (fact.id, fact.valid_from) == (before.id, before.valid_from)
    assert [proof.quote for proof in fact.evidence] == [
        "I live in Porto", "As I said, I live in Porto"
    ]  # fmt: skip
    assert fact.confidence > before.confidence
    [[shown]] = _select(ws, "SELECT confidence FROM v_facts")
    assert shown == round(fact.confidence, 2)
    [item] = browsing.timeline_of(ws, "Ben Roth")[1]
    assert item.evidence == fact.evidence
    assert not fact.links


def test_what_was_known_at_a_date_has_only_the_proof_of_then(ws: _Told) -> None:
    ws.tell(APRIL)
    [before] = _known(ws)
    then_ms = ws.now
    ws.tell(MAY)
    assert _known(ws, at_ms=then_ms) == (before,)
    with ws.vault.read() as db:
        assert facts.find_facts(db, known_at_ms=then_ms)[0].evidence == before.evidence


def test_it_held_since_the_first_saying_whichever_is_read_first(ws: _Told) -> None:
    ws.tell(MAY, APRIL)
    [fact] = _known(ws)
    assert fact.valid_from.latest_ms == min(e.said_at_ms or 0 for e in fact.evidence)
    [[since]] = _select(ws, "SELECT valid_from FROM v_facts")
    assert since == "2024-04-03"


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (0, 2, 1), (2, 0, 1), (1, 0, 2)])
def test_what_held_again_after_something_else_is_told_twice_in_any_order(
    ws: _Told, order: tuple[int, ...]
) -> None:
    chats = (APRIL, "20/04/2024, 09:00 - Ben Roth: I moved to Turin\n", MAY)
    ws.tell(*(chats[place] for place in order))
    told = [(value, status) for value, status, _ in _spelt(ws)]
    assert told == [("Porto", "past"), ("Turin", "past"), ("Porto", "current")]


def test_liked_hated_and_liked_again(ws: _Told) -> None:
    ws.tell(
        "03/04/2024, 10:00 - Ben Roth: I like tofu\n",
        "05/05/2024, 10:00 - Ben Roth: As I said, I like tofu\n",
        "20/04/2024, 10:00 - Ben Roth: I hate tofu\n",
    )
    told = {(one.property, str(one.status), len(one.evidence)) for one in _known(ws)}
    assert ("dislikes", "past", 1) in told
    assert [one.status for one in _known(ws) if one.property == "likes"].count(
        FactStatus.CURRENT
    ) == 1


def test_another_time_is_a_fact_of_its_own_and_shown_once(ws: _Told) -> None:
    ws.tell(APRIL, "06/05/2024, 09:00 - Ben Roth: I live in Porto since 2019\n")
    assert count(ws.vault, "facts") == 2
    with ws.vault.read() as db:
        kinds = {link.kind for one in facts.find_facts(db) for link in one.links}
    assert kinds == {LinkKind.CORROBORATES}
    [shown] = _known(ws)
    assert (shown.phrase, len(shown.evidence)) == ("since 2019", 2)
    ws.tell("07/05/2024, 09:00 - Ben Roth: we have lived in Porto since 2020\n")
    ws.tell("08/05/2024, 09:00 - Ben Roth: I plan to live in Porto\n")
    assert {str(one.modality) for one in _known(ws)} == {"asserted", "planned"}


def test_one_deed_told_twice_a_day_is_one_and_later_it_may_be_another(ws: _Told) -> None:
    ws.tell(
        "03/04/2024, 10:00 - Ben Roth: I visited Genoa\n"
        "03/04/2024, 15:00 - Ben Roth: so, I visited Genoa\n",
        "03/06/2024, 10:00 - Ben Roth: Well, I visited Genoa\n",
    )
    assert [len(one.evidence) for one in reversed(_known(ws))] == [2, 1]


def test_a_fact_lives_on_by_what_is_left_when_its_first_proof_is_erased(ws: _Told) -> None:
    ws.tell(APRIL, MAY)
    [before] = _known(ws)
    maintenance.erase(ws, EraseScope("source", 1))
    [fact] = _known(ws)
    assert (fact.id, fact.value, fact.valid_from.latest_ms) == (
        before.id, "Porto", before.evidence[1].said_at_ms
    )  # fmt: skip
    assert [proof.quote for proof in fact.evidence] == ["As I said, I live in Porto"]
    assert fact.confidence < before.confidence
    assert count(ws.vault, "evidence") == 0
    assert [check for check in integrity.check(ws.vault) if not check.ok] == []
    maintenance.erase(ws, EraseScope("source", 2))
    assert (count(ws.vault, "facts"), count(ws.vault, "events")) == (0, 0)


def test_a_fact_loses_only_the_proof_that_is_erased(ws: _Told) -> None:
    ws.tell(APRIL)
    [before] = _known(ws)
    ws.tell(MAY)
    maintenance.erase(ws, EraseScope("source", 2))
    assert _known(ws) == (before,)


def test_what_two_people_said_stays_when_the_first_of_them_is_erased(ws: _Told) -> None:
    ws.tell(
        "03/04/2024, 10:00 - Ana Lima: Lena Vos lives in Rome\n",
        "05/05/2024, 10:00 - Ben Roth: Lena Vos lives in Rome\n",
    )
    assert [len(one.evidence) for one in _known(ws, "Lena Vos")] == [2]
    ana = browsing.find_entity(ws, "Ana Lima")
    maintenance.erase(ws, EraseScope("entity", ana.id))
    [fact] = _known(ws, "Lena Vos")
    assert (fact.holder, [e.speaker for e in fact.evidence]) == ("Ben Roth", ["Ben Roth"])
    assert [check for check in integrity.check(ws.vault) if not check.ok] == []


def _as_before(ws: _Told) -> None:
    """Keep what is said again as earlier versions did: a fact of its own, with a link."""
    with ws.vault.write() as db:
        db.exec_driver_sql(
            "INSERT INTO facts SELECT 1000, subject_id, property_id, kind_id, value, value_number,"
            " value_normalised, value_entity_id, from_ms, from_latest_ms, to_ms, to_latest_ms,"
            " phrase, confidence, holder_id, event_id, 2, 13, 28, recorded_at_ms, run_id"
            " FROM facts WHERE id = 1"
        )
        facts.append_link(db, 1000, 1, LinkKind.CORROBORATES, "rule", "said again", ws.now)


def test_what_an_earlier_version_kept_twice_is_shown_once(ws: _Told) -> None:
    ws.tell(APRIL + "03/04/2024, 10:05 - Ben Roth: As I said, I live in Porto\n")
    ws.tell("10/06/2024, 10:00 - Ben Roth: I moved to Turin\n")
    one = _spelt(ws)
    _as_before(ws)
    assert count(ws.vault, "facts") == 3
    assert [told[:2] for told in _spelt(ws)] == [told[:2] for told in one]
    assert len(browsing.timeline_of(ws, "Ben Roth")[1]) == 2
    [porto] = [f for f in _known(ws) if f.value == "Porto"]
    assert {proof.turn_id for proof in porto.evidence} == {1, 2}


def test_who_rejects_what_was_kept_twice_has_rejected_both(ws: _Told) -> None:
    ws.tell(APRIL + "03/04/2024, 10:05 - Ben Roth: As I said, I live in Porto\n")
    _as_before(ws)
    rulings.reject(ws, 1)
    assert {str(one.status) for one in _known(ws)} == {"rejected"}
    assert _select(ws, "SELECT * FROM v_facts") == []
    rulings.undo(ws)
    assert [str(one.status) for one in _known(ws)] == ["current"]
    rulings.redo(ws)
    assert {str(one.status) for one in _known(ws)} == {"rejected"}
