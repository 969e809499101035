"""Ask, on a real memory: the real search, agent and services; only the two models are stand-ins."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.answers import Answer
from apexmem_desktop.domain.graph import FactStatus
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.ui.answer_card import AnswerCard
from apexmem_desktop.ui.build_job import BuildJob
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.tasks import TaskRunner
from apexmem_desktop.ui.trace_view import TraceView
from apexmem_desktop.ui.wrong_view import WrongView
from tests.agent.asking import Model, know, on
from tests.fakes import HashEmbedder
from tests.recall.chats import store_chat
from tests.services.test_asking import ScriptedWorkspace
from tests.services.test_rulings import NOW, Clock
from tests.ui.fake_memory import InlineRunner

ANA, BEN = "Ana Ruiz", "Ben Holt"
BOOTS, HOME = "Which boots did Ana choose?", "Where does Ana live now?"
LINES = [
    (ANA, "2023-03-01T10:00", "I live in Rome"),
    (ANA, "2024-02-01T10:00", "I moved to Turin"),
    (ANA, "2024-03-01T10:00", "I went for the green boots in the end"),
    (ANA, "2024-03-02T10:00", "I chose the red boots with 3 buckles"),
    (BEN, "2024-03-04T10:00", "the bread was great"),
]


def first_boots(prompt: str) -> str:
    """Copy the first boots that the model is shown."""
    shown = [f"the {colour} boots" for colour in ("green", "red") if f"{colour} boots" in prompt]
    return shown[0] if shown else "none"


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[ScriptedWorkspace]:
    """Ana moved from Rome to Turin, and tells of boots, twice."""
    with ScriptedWorkspace(
        tmp_path / "m.apexmem", settings=Settings(zone="UTC"), clock=Clock(NOW)
    ) as opened:
        turns = store_chat(opened.vault, LINES)
        know(opened.vault, turns[0], ANA, "lives_in", "Rome")
        know(opened.vault, turns[1], ANA, "lives_in", "Turin", start=on("2024-02-01"))
        opened.hashing = HashEmbedder()
        opened.scripted = Model(finds=first_boots, reads=first_boots).language
        yield opened


def open_window(qtbot: QtBot, ws: ScriptedWorkspace, runner: TaskRunner) -> MainWindow:
    desk = Desk(Memory(ws, ws.vault.path), runner)
    made = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def window(qtbot: QtBot, ws: ScriptedWorkspace) -> Iterator[MainWindow]:
    runner = InlineRunner()
    yield open_window(qtbot, ws, runner)
    runner.close()


def last_card(window: MainWindow) -> AnswerCard:
    return window.ask._cards[-1]


def told(window: MainWindow) -> str:
    QApplication.processEvents()  # new widgets are shown by an event
    card = last_card(window)
    return "\n".join(one.text() for one in card.findChildren(QLabel) if one.isVisibleTo(card))


def press(window: MainWindow, text: str) -> None:
    next(one for one in last_card(window).findChildren(QPushButton) if one.text() == text).click()


def titles(window: MainWindow) -> list[str]:
    model = window.ask.pane.dialogues
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def test_an_answer_is_worked_out_and_proved_beside_it(window: MainWindow) -> None:
    window.ask.ask(HOME)
    assert "Turin" in told(window)
    answer = last_card(window).answer
    assert answer is not None
    assert [one.quote for one in answer.citations] == ["I moved to Turin"]
    assert window.evidence.isVisible()
    assert titles(window) == [HOME]


def test_how_it_was_found_shows_the_steps_and_what_was_dropped(window: MainWindow) -> None:
    window.ask.ask("Where does Ana live now, by what she wrote?")
    trace = last_card(window).findChild(TraceView)
    assert trace is not None
    press(window, "How I found this")
    assert not trace.isHidden()
    assert "people and things" in told(window)
    assert "The language model was asked" in told(window)


def test_a_follow_up_is_read_with_what_was_asked_before(window: MainWindow) -> None:
    window.ask.ask(HOME)
    window.ask.ask("And before?")
    assert "Rome" in told(window)
    window.ask.begin()
    window.ask.ask("And before?")
    assert "Rome" not in told(window)
    assert titles(window) == ["And before?", HOME]


def test_what_was_asked_is_there_after_a_restart_and_goes_on(
    qtbot: QtBot, window: MainWindow, ws: ScriptedWorkspace
) -> None:
    window.ask.ask(HOME)
    again = open_window(qtbot, ws, InlineRunner())
    pane = again.ask.pane
    pane.list.setCurrentIndex(pane.dialogues.index(0))
    assert "Turin" in told(again)
    again.ask.ask("And before?")
    assert "Rome" in told(again)
    assert [one.questions for one in again.ask._desk.memory.dialogues()] == [2]


def test_the_same_question_for_an_earlier_day(window: MainWindow) -> None:
    window.ask.ask(HOME)
    press(window, "Ask for another day")
    day = window.ask.box.day.date()
    window.ask.box.day.setDate(day.fromString("2023-06-01", "yyyy-MM-dd"))
    window.ask.box.ask.click()
    assert "As of 1 Jun 2023" in told(window)
    assert "Rome" in told(window)


def test_a_source_that_does_not_fit_is_not_cited_again(window: MainWindow) -> None:
    window.ask.ask(BOOTS)
    assert "the green boots" in told(window)
    wrong = last_card(window).findChild(WrongView)
    assert wrong is not None
    assert not wrong.acts  # no fact of the answer rests on it
    press(window, "This is wrong")
    wrong.misfits[1].click()
    assert window.decision._words.text() == (
        f"Does not fit: “I went for the green boots in the end”, for: {BOOTS}"
    )
    wrong.again.click()
    assert "the red boots" in told(window)
    assert "green" not in told(window)
    window.decision.undo()
    window.ask.begin()
    window.ask.ask(BOOTS)
    assert "the green boots" in told(window)


def test_a_wrong_fact_is_rejected_where_the_answer_stands(
    window: MainWindow, ws: ScriptedWorkspace
) -> None:
    window.ask.ask(HOME)
    wrong = last_card(window).findChild(WrongView)
    assert wrong is not None
    press(window, "This is wrong")
    wrong.acts[0].buttons["reject"].click()
    fact = wrong.acts[0].fact
    assert fact is not None
    newest = window.ask._desk.memory.history(fact.subject_id, "lives_in")[0]
    assert (newest.value, newest.status) == ("Turin", FactStatus.REJECTED)
    window.ask.ask(HOME)
    assert "Rome" in told(window)


def test_a_deleted_conversation_is_gone_from_the_memory(window: MainWindow) -> None:
    window.ask.ask(HOME)
    window.ask.pane.remove.click()
    memory = window.ask._desk.memory
    assert memory.dialogues() == ()
    assert memory.latest_answer() is None
    window.ask.pane.gone.findChildren(QPushButton)[0].click()
    assert [one.title for one in memory.dialogues()] == [HOME]
    assert "Turin" in told(window)


def test_without_a_model_what_was_found_is_kept_too(
    window: MainWindow, ws: ScriptedWorkspace
) -> None:
    ws.scripted = None
    window.ask.ask(HOME)
    assert "no language model here yet" in told(window)
    assert "I moved to Turin" in told(window)
    window.ask.begin()
    window.ask.pane.list.setCurrentIndex(window.ask.pane.dialogues.index(0))
    assert "I moved to Turin" in told(window)


def test_an_answer_of_the_real_agent_is_copied(window: MainWindow) -> None:
    window.ask.ask(HOME)
    press(window, "Copy as Markdown")
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(f"## {HOME}\n\n**Turin")
    assert "> I moved to Turin\n> — Ana Ruiz, 1 Feb 2024 [1]" in copied


def test_the_window_stays_alive_while_the_agent_is_at_work(
    qtbot: QtBot, ws: ScriptedWorkspace
) -> None:
    runner = TaskRunner()
    window = open_window(qtbot, ws, runner)
    with qtbot.waitSignal(window.ask.answered, timeout=20_000) as answered:
        window.ask.ask(HOME)
        assert window.ask.box.stop.isVisible()
    (answer,) = answered.args
    assert isinstance(answer, Answer)
    assert answer.answer.startswith("Turin")
    assert window.ask.box.ask.isVisible()
    qtbot.waitUntil(lambda: titles(window) == [HOME])
    runner.close()
