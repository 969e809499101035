"""Every kind of decision is taken back by one key and made again by another, in a real memory."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from apexmem_desktop.ui.build_job import BuildJob
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.remember_dialog import RememberDialog
from tests.ui.fake_memory import InlineRunner
from tests.ui.real import real_memory

ANA, ANA_SILVA = 1, 3
LISBON = 4  # as the facts are made in tests.ui.real
UNDO = Qt.KeyboardModifier.ControlModifier
REDO = UNDO | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Memory]:
    with real_memory(tmp_path) as made:
        yield made


@pytest.fixture
def window(qtbot: QtBot, real: Memory) -> Iterator[MainWindow]:
    runner = InlineRunner()
    desk = Desk(real, runner)
    made = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(made)
    made.show()
    yield made
    runner.close()


def press(kind: str) -> Callable[[MainWindow], None]:
    def act(window: MainWindow) -> None:
        window.timeline.open_history(ANA, "lives_in", LISBON)
        window.timeline.history.acts.buttons[kind].click()

    return act


def correct(window: MainWindow) -> None:
    window.timeline.open_history(ANA, "lives_in", LISBON)
    actions = window.timeline.history.acts
    assert actions.fact is not None
    actions.correct(actions.fact, "Braga")


def prefer(window: MainWindow) -> None:
    window.go_to("clarify")
    window.clarify.card.choose(0)


def merge(window: MainWindow) -> None:
    memory = window._desk.memory
    window._desk.decide(lambda: memory.merge(ANA, ANA_SILVA))


def split(window: MainWindow) -> None:
    memory = window._desk.memory
    window._desk.decide(lambda: memory.split(ANA_SILVA))


def tell_apart(window: MainWindow) -> None:
    memory = window._desk.memory
    window._desk.decide(lambda: memory.tell_apart(ANA, ANA_SILVA))


def misfit(window: MainWindow) -> None:
    memory = window._desk.memory
    (fact,) = (one for one in memory.history(ANA, "lives_in") if one.id == LISBON)
    turn_id = fact.evidence[0].turn_id
    window._desk.decide(lambda: memory.misfit("Where is Ana?", turn_id, [LISBON]))


def remember(window: MainWindow) -> None:
    desk = window._desk
    turn = desk.memory.turns_around(5)[-1]
    dialog = RememberDialog(desk, turn, Spot(turn.id, 0, 6), window)
    dialog.subject.setEditText("Ben")
    dialog.prop.setEditText("likes")
    dialog.value.setText("Velora")
    dialog.keep.click()


def known(real: Memory) -> object:
    """All that is known and asked, and what stands of the rulings on it."""
    facts = [
        (one.name, fact.property, fact.value, fact.status, fact.ruled)
        for one in real.entities()
        for fact in real.facts_of(one.id, history=True)
    ]
    asked = [question.key for question in real.open_questions()]
    members = sorted(real.members_of(one.id) for one in real.entities())
    return sorted(map(str, facts)), asked, members


@pytest.mark.parametrize(
    ("act", "before"),
    [
        (press("confirm"), None),
        (press("reject"), None),
        (press("pin"), None),
        (press("hide"), None),
        (correct, None),
        (prefer, None),
        (merge, None),
        (split, merge),
        (tell_apart, None),
        (misfit, None),
        (remember, None),
    ],
    ids=["confirm", "reject", "pin", "hide", "correct", "prefer", "merge", "split", "tell_apart",
         "misfit", "remember"],
)  # fmt: skip
def test_it_is_taken_back_and_made_again_by_a_key(
    qtbot: QtBot,
    window: MainWindow,
    real: Memory,
    act: Callable[[MainWindow], None],
    before: Callable[[MainWindow], None] | None,
) -> None:
    qtbot.waitExposed(window)
    if before is not None:
        before(window)
    at_first = known(real)
    act(window)
    done = known(real)
    window.activateWindow()
    assert done != at_first
    assert window.decision.isVisible()  # it offers to take it back
    assert window.decision._undo.isVisible()
    qtbot.keyClick(window, "z", UNDO)
    undone = known(real)
    assert but_rejected(undone) == but_rejected(at_first)
    assert window.decision._redo.isVisible()
    qtbot.keyClick(window, "z", REDO)
    assert known(real) == done
    qtbot.keyClick(window, "z", UNDO)
    assert known(real) == undone


def but_rejected(state: object) -> object:
    """Leave out what stays to be seen as rejected: a fact that came with a decision."""
    facts, asked, members = state  # type: ignore[misc]
    return [one for one in facts if "REJECTED" not in one], asked, members
