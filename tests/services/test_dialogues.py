"""Questions that belong together, and what the user says of the messages cited for them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.domain.answers import Answer, AskOptions
from apexmem_desktop.domain.errors import NotFoundError, RulingRefusedError
from apexmem_desktop.domain.graph import FactStatus
from apexmem_desktop.domain.reports import EraseScope
from apexmem_desktop.services import asking, browsing, maintenance, rulings
from apexmem_desktop.services.settings import Settings
from tests.agent.asking import Model, know, on
from tests.recall.chats import store_chat
from tests.services.test_asking import ScriptedWorkspace
from tests.services.test_rulings import NOW, Clock

ANA, BEN = "Ana Ruiz", "Ben Holt"
BOOTS = "Which boots did Ana choose?"
HOME = "Where does Ana live now?"


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[ScriptedWorkspace]:
    """Ana tells of boots, twice, and moved to Turin."""
    with ScriptedWorkspace(
        tmp_path / "m.sqlite", settings=Settings(zone="UTC"), clock=Clock(NOW)
    ) as opened:
        turns = store_chat(
            opened.vault,
            [
                (ANA, "2024-03-01T10:00", "I went for the green boots in the end"),
                (ANA, "2024-03-02T10:00", "I chose the red boots with 3 buckles"),
                (ANA, "2024-03-03T10:00", "I moved to Turin"),
                (BEN, "2024-03-04T10:00", "the bread was great"),
            ],
        )
        know(opened.vault, turns[2], ANA, "lives_in", "Turin", start=on("2024-03-03"))
        opened.scripted = Model().language
        yield opened


def ask(ws: ScriptedWorkspace, question: str, **options: object) -> Answer:
    return asking.ask(ws, question, AskOptions(**options))  # type: ignore[arg-type]


def cited(answer: Answer) -> set[int]:
    return {one.turn_id for one in answer.citations}


def first_boots(prompt: str) -> str:
    """Copy the first boots that the model is shown."""
    for colour in ("green boots", "red boots"):
        if colour in prompt:
            return f"the {colour}"
    return "none"


def test_follow_ups_are_kept_with_the_first_question(ws: ScriptedWorkspace) -> None:
    first = ask(ws, HOME)
    second = ask(ws, "And before?", dialogue_id=first.dialogue_id)
    other = ask(ws, BOOTS)
    assert (first.number, first.dialogue_id, second.dialogue_id) == (1, 1, 1)
    listed = [(one.id, one.title, one.questions) for one in asking.list_dialogues(ws)]
    assert listed == [(other.number, BOOTS, 1), (first.number, HOME, 2)]
    assert asking.get_dialogue(ws, 1) == (first, second)


def test_the_dialogue_asked_in_last_comes_first(ws: ScriptedWorkspace) -> None:
    first = ask(ws, HOME)
    ask(ws, BOOTS)
    ask(ws, "And before?", dialogue_id=first.dialogue_id)
    assert [one.title for one in asking.list_dialogues(ws)] == [HOME, BOOTS]


def test_a_removed_dialogue_is_gone_and_comes_back_whole(ws: ScriptedWorkspace) -> None:
    first = ask(ws, HOME)
    second = ask(ws, "And before?", dialogue_id=first.dialogue_id)
    listed = asking.list_dialogues(ws)
    removed = asking.remove_dialogue(ws, first.dialogue_id)
    assert asking.list_dialogues(ws) == ()
    with pytest.raises(NotFoundError):
        asking.get_trace(ws)
    asking.bring_back_dialogue(ws, removed)
    assert asking.list_dialogues(ws) == listed
    assert asking.get_dialogue(ws, first.dialogue_id) == (first, second)


def test_a_look_at_the_evidence_leaves_no_trace(ws: ScriptedWorkspace) -> None:
    assert ask(ws, HOME, use_model=False, is_kept=False).evidence
    assert asking.list_dialogues(ws) == ()


def test_the_day_that_was_asked_for_is_kept(ws: ScriptedWorkspace) -> None:
    asked = ask(ws, HOME, as_of_ms=NOW)
    assert asking.get_trace(ws, asked.number).as_of_ms == NOW


def test_a_misfit_is_not_cited_for_that_question_again(ws: ScriptedWorkspace) -> None:
    ws.scripted = Model(finds=first_boots, reads=first_boots).language
    before = ask(ws, BOOTS)
    assert before.answer == "the green boots"
    (wrong,) = cited(before)
    rulings.misfit(ws, before.read_as, wrong)
    after = ask(ws, BOOTS)
    assert after.answer == "the red boots"
    assert wrong not in cited(after)
    assert wrong not in {hit.turn_id for hit in after.evidence}
    assert wrong in {hit.turn_id for hit in ask(ws, "What about the green boots?").evidence}


def test_a_misfit_is_taken_back_and_made_again(ws: ScriptedWorkspace) -> None:
    ws.scripted = Model(finds=first_boots, reads=first_boots).language
    wrong = ask(ws, BOOTS).citations[0].turn_id
    made = rulings.misfit(ws, BOOTS, wrong)
    assert made.ruling.about.question == BOOTS
    assert made.ruling.about.quote == "I went for the green boots in the end"
    assert rulings.undo(ws).ruling.about == made.ruling.about
    assert ask(ws, BOOTS).answer == "the green boots"
    rulings.redo(ws)
    assert ask(ws, BOOTS).answer == "the red boots"


def test_what_was_read_out_of_a_misfit_is_rejected_with_it(ws: ScriptedWorkspace) -> None:
    answer = ask(ws, HOME)
    (fact,) = answer.facts

    def status() -> FactStatus:
        return browsing.property_history(ws, fact.subject_id, "lives_in")[0].status

    rulings.confirm(ws, fact.id)
    rulings.misfit(ws, HOME, answer.citations[0].turn_id, fact_ids=[fact.id])
    assert status() is FactStatus.REJECTED
    assert ask(ws, HOME).abstained
    rulings.undo(ws)
    assert status() is FactStatus.CURRENT
    rulings.redo(ws)
    assert status() is FactStatus.REJECTED
    rulings.undo(ws)
    assert [one.kind.value for one in rulings.list_rulings(ws)][-2:] == ["misfit", "confirm"]
    assert status() is FactStatus.CURRENT


def test_a_misfit_is_said_once_and_of_what_is_there(ws: ScriptedWorkspace) -> None:
    rulings.misfit(ws, BOOTS, 1)
    with pytest.raises(RulingRefusedError):
        rulings.misfit(ws, BOOTS.lower(), 1)
    for turn_id, fact_ids in ((99, []), (2, [99])):
        with pytest.raises(NotFoundError):
            rulings.misfit(ws, BOOTS, turn_id, fact_ids=fact_ids)


def test_a_follow_ups_misfit_is_none_of_the_same_words_elsewhere(ws: ScriptedWorkspace) -> None:
    first = ask(ws, BOOTS)
    more = ask(ws, "And before?", earlier=((first.question, first.answer),))
    assert more.read_as != "And before?"
    assert BOOTS in more.read_as
    assert first.read_as == BOOTS


def test_a_misfit_goes_with_its_message(ws: ScriptedWorkspace) -> None:
    rulings.misfit(ws, BOOTS, 1)
    maintenance.erase(ws, EraseScope("source", 1))
    assert rulings.list_rulings(ws) == ()
