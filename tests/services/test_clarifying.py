"""What the memory asks the user, and that one decision settles it and can be taken back."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from apexmem_desktop.domain.clarifying import OpenKind, OpenQuestion
from apexmem_desktop.domain.errors import RulingRefusedError
from apexmem_desktop.domain.graph import FactStatus
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.domain.rulings import LinkState
from apexmem_desktop.services import browsing, clarifying, merging, rulings
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, entity_links, sources
from apexmem_desktop.storage.same_links import SAME
from tests.recall.builders import make_fact, ms
from tests.recall.chats import entity, store_chat, store_fact
from tests.services.test_rulings import NOW, Clock

LINES = [
    ("Ana", "2023-06-01T10:00", "The concert was on the 23rd."),
    ("Ben", "2023-06-01T10:01", "No, on the 30th."),
]


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    """A concert with two dates; Ana and Ana Silva; Lena and Magda, whom a model took for one."""
    with Workspace(
        tmp_path / "m.apexmem", models_dir=tmp_path, settings=Settings(zone="UTC"), clock=Clock(NOW)
    ) as opened:
        turns = store_chat(opened.vault, LINES)
        store_fact(opened.vault, turns[0], "concert", "took_place_on", "23 May")
        store_fact(opened.vault, turns[1], "concert", "took_place_on", "30 May")
        with opened.vault.write() as db:
            entity(db, "Ana")
            entity(db, "Ana Silva")
            entity(db, "Ana Silva", kind="place")
            lena, magda = entity(db, "Lena"), entity(db, "Magda")
            entity_links.append_link(db, lena, magda, SAME, "model", "sounds alike", NOW)
            sources.append_source(
                db,
                format="whatsapp",
                file_name="chat.txt",
                sha256="",
                zone="UTC",
                date_order="dmy",
                date_order_certain=False,
                imported_at_ms=NOW,
                turns_new=1,
                turns_known=0,
                problems=(),
            )
        yield opened


def asked(ws: Workspace, kind: OpenKind) -> list[OpenQuestion]:
    return [one for one in clarifying.open_questions(ws) if one.kind is kind]


def names(questions: list[OpenQuestion]) -> list[tuple[str, ...]]:
    return [tuple(one.name for one in question.entities) for question in questions]


def test_a_contradiction_is_settled_by_its_side_and_comes_back_with_undo(ws: Workspace) -> None:
    (question,) = asked(ws, OpenKind.CONFLICT)
    assert [fact.value for fact in question.sides] == ["23 May", "30 May"]
    done = clarifying.decide(ws, question, 1, reason="the ticket says so")
    assert asked(ws, OpenKind.CONFLICT) == []
    assert done.ruling.reason == "the ticket says so"
    held = browsing.facts_of(ws, "concert")[1]
    assert [fact.value for fact in held if fact.status is FactStatus.CURRENT] == ["30 May"]
    rulings.undo(ws)
    assert [one.key for one in asked(ws, OpenKind.CONFLICT)] == [question.key]


def test_names_that_begin_alike_and_what_a_model_joined_are_asked(ws: Workspace) -> None:
    questions = asked(ws, OpenKind.SAME)
    assert names(questions) == [("Lena", "Magda"), ("Ana", "Ana Silva")]
    assert [one.joined for one in questions] == [True, False]


def test_one_person_or_two_is_asked_once(ws: Workspace) -> None:
    doubtful, alike = asked(ws, OpenKind.SAME)
    clarifying.decide(ws, doubtful, 1)
    assert names(asked(ws, OpenKind.SAME)) == [("Ana", "Ana Silva")]
    clarifying.decide(ws, alike, 0)
    assert asked(ws, OpenKind.SAME) == []
    assert browsing.find_entity(ws, "Ana Silva").id == alike.entities[0].id
    rulings.undo(ws)
    rulings.undo(ws)
    assert names(asked(ws, OpenKind.SAME)) == [("Lena", "Magda"), ("Ana", "Ana Silva")]


def test_a_model_s_merge_that_the_user_confirms_is_not_asked_again(ws: Workspace) -> None:
    clarifying.decide(ws, asked(ws, OpenKind.SAME)[0], 0)
    assert ("Lena", "Magda") not in names(asked(ws, OpenKind.SAME))


def test_two_told_apart_are_not_asked_again(ws: Workspace) -> None:
    clarifying.decide(ws, asked(ws, OpenKind.SAME)[1], 1)
    assert names(asked(ws, OpenKind.SAME)) == [("Lena", "Magda")]


def test_who_would_be_joined_through_a_third_is_asked(ws: Workspace) -> None:
    """Lena is Magda, Magda is Leni: whether Leni is Lena nobody said."""
    with ws.vault.write() as db:
        leni = entity(db, "Leni")
        [magda] = entities.find_ids_named(db, "Magda")
        [lena] = entities.find_ids_named(db, "Lena")
        entity_links.append_link(db, magda, leni, SAME, "model", "sounds alike", NOW)
        assert entities.same_ids(db, leni) == [leni]
    questions = asked(ws, OpenKind.SAME)
    assert names(questions) == [("Lena", "Magda"), ("Lena", "Leni"), ("Ana", "Ana Silva")]
    assert [one.joined for one in questions] == [True, False, False]
    held = merging.merge_log(ws, leni)[-1]
    assert (held.state, held.because) == (
        LinkState.HELD_BACK,
        f"nothing says that Lena ({lena}) and Leni ({leni}) are the same",
    )
    clarifying.decide(ws, questions[1], 0)
    assert merging.members_of(ws, leni) == ((lena, "Lena"), (magda, "Magda"), (leni, "Leni"))
    assert ("Lena", "Leni") not in names(asked(ws, OpenKind.SAME))
    rulings.undo(ws)
    assert merging.members_of(ws, leni) == ((leni, "Leni"),)
    clarifying.decide(ws, asked(ws, OpenKind.SAME)[1], 1)
    assert names(asked(ws, OpenKind.SAME)) == [("Lena", "Magda"), ("Ana", "Ana Silva")]


def test_a_guessed_order_of_dates_is_asked_until_it_is_confirmed(ws: Workspace) -> None:
    (question,) = asked(ws, OpenKind.ORDER)
    with pytest.raises(RulingRefusedError, match="cannot be decided"):
        clarifying.decide(ws, question, 1)
    clarifying.decide(ws, question, 0)
    assert asked(ws, OpenKind.ORDER) == []
    rulings.undo(ws)
    assert asked(ws, OpenKind.ORDER) == [question]
    rulings.redo(ws)
    assert asked(ws, OpenKind.ORDER) == []


def day(text: str) -> Bound:
    at = ms(text)
    return Bound(at, at + 86_399_999, Precision.DAY, TimeSource.STATED)


def test_a_numeric_date_can_be_read_two_ways() -> None:
    fact = replace(make_fact(1, "Porto", "2023-06-20"), valid_from=day("2023-06-05"))
    other = clarifying.exchanged(replace(fact, phrase="on 5/6"))
    assert other == replace(day("2023-05-06"), source=TimeSource.USER)
    assert clarifying.exchanged(replace(fact, phrase="5 June")) is None
    assert clarifying.exchanged(replace(fact, phrase="on 5/13")) is None
    assert clarifying.exchanged(replace(fact, phrase="on 6/6")) is None


def test_exchanging_day_and_month_is_a_correction(ws: Workspace) -> None:
    fact = browsing.facts_of(ws, "concert")[1][0]
    question = OpenQuestion(
        OpenKind.DATE, "date", sides=(fact,), other_start=replace(day("2023-05-06"))
    )
    changed = clarifying.decide(ws, question, 1).changed.fact_ids
    new = next(one for one in browsing.facts_of(ws, "concert")[1] if one.id == changed[1])
    assert (new.value, new.valid_from) == (fact.value, question.other_start)
