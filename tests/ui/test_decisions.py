"""What the user decides in the window, on a real vault: each ruling, undo, redo, and the log."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.clarifying import OpenKind, OpenQuestion
from apexmem_desktop.domain.graph import FactStatus
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.domain.reports import Neighbour
from apexmem_desktop.ui.build_job import BuildJob
from apexmem_desktop.ui.card_list import NOTE_ROLE
from apexmem_desktop.ui.clarify_place import ClarifyPlace
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.entity_words import lately_text
from apexmem_desktop.ui.history_model import HistoryModel
from apexmem_desktop.ui.imports_place import ImportsPlace
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.neighbour_graph import NeighbourGraph
from apexmem_desktop.ui.question_list import QuestionListModel
from apexmem_desktop.ui.ruling_log import RulingModel
from apexmem_desktop.ui.translation import set_language
from tests.ui import made_up
from tests.ui.fake_memory import FakeMemory, InlineRunner
from tests.ui.real import real_memory

ANA, PORTO, LISBON = 1, 3, 4


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Memory]:
    with real_memory(tmp_path) as memory:
        yield memory


@pytest.fixture
def window(qtbot: QtBot, real: Memory) -> Iterator[MainWindow]:
    runner = InlineRunner()
    desk = Desk(real, runner)
    made = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(made)
    made.show()
    yield made
    runner.close()


def statuses(real: Memory) -> dict[str, FactStatus]:
    return {fact.value: fact.status for fact in real.history(ANA, "lives_in")}


def test_a_fact_is_rejected_by_one_key_and_taken_back(
    qtbot: QtBot, window: MainWindow, real: Memory
) -> None:
    qtbot.waitExposed(window)
    window.timeline.open_history(ANA, "lives_in", LISBON)
    window.go_to("timeline")
    history = window.timeline.history
    window.activateWindow()
    history.table.setFocus()
    qtbot.keyClick(history.table, "n")
    assert statuses(real)["Lisbon"] is FactStatus.REJECTED
    assert statuses(real)["Porto"] is FactStatus.CURRENT
    assert window.decision.isVisible()
    assert window.decision._words.text() == "Rejected: Ana, lives in: Lisbon"
    assert history.acts.fact is not None  # the same version stays chosen
    assert history.acts.fact.status is FactStatus.REJECTED
    qtbot.keyClick(window, "z", Qt.KeyboardModifier.ControlModifier)
    assert statuses(real)["Lisbon"] is FactStatus.CURRENT
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, "z", both)
    assert statuses(real)["Lisbon"] is FactStatus.REJECTED


@pytest.mark.parametrize("kind", ["confirm", "pin", "hide"])
def test_every_button_rules(window: MainWindow, real: Memory, kind: str) -> None:
    window.timeline.open_history(ANA, "lives_in", LISBON)
    window.timeline.history.acts.buttons[kind].click()
    assert [(one.kind.value, one.fact_id) for one in real.rulings()] == [(kind, LISBON)]


def test_no_button_is_alive_before_a_version_is_chosen(window: MainWindow) -> None:
    window.timeline.open_history(ANA, "lives_in")
    assert not any(one.isEnabled() for one in window.timeline.history.acts.buttons.values())


def test_a_correction_leaves_the_old_value_in_the_history(window: MainWindow, real: Memory) -> None:
    window.go_to("timeline")
    window.timeline.open_history(ANA, "lives_in", LISBON)
    actions = window.timeline.history.acts
    assert actions.fact is not None
    actions.correct(actions.fact, "Braga")
    assert list(statuses(real)) == ["Braga", "Lisbon", "Porto"]
    assert window.timeline.history.versions.rowCount() == 3
    assert window.decision._words.text() == "Corrected: Ana, lives in: Lisbon → Braga"


def test_a_refused_decision_is_said(window: MainWindow, real: Memory) -> None:
    window.decision.undo()
    assert window.notice.isVisible()
    assert window.notice._words.text() == (
        "There is no decision to take back. All decisions are in the list of decisions."
    )


def test_the_log_lists_all_and_marks_what_was_taken_back(
    window: MainWindow, real: Memory, qtmodeltester: ModelTester
) -> None:
    real.rule("confirm", PORTO, "she said so")
    real.rule("pin", LISBON)
    real.undo()
    model = RulingModel("UTC")
    qtmodeltester.check(model, force_py=False)
    model.show(real.rulings())
    rows = [[str(model.index(row, n).data()) for n in (0, 1, 3)] for row in range(3)]
    assert rows == [
        ["Ana, lives in: Lisbon", "Taken back", ""],
        ["Ana, lives in: Lisbon", "Pinned (taken back)", ""],
        ["Ana, lives in: Porto", "Confirmed", "she said so"],
    ]
    window.decision.open_log()
    assert window.decision.log is not None
    assert window.decision.log.rulings.rowCount() == 3
    window.decision.undo()
    assert window.decision.log.rulings.rowCount() == 4


def test_the_log_speaks_chinese(real: Memory) -> None:
    set_language("zh")
    real.rule("confirm", PORTO)
    model = RulingModel("UTC")
    model.show(real.rulings())
    assert model.index(0, 0).data() == "Ana，住在：Porto"
    real.correct(PORTO, "Faro")
    real.merge(ANA, 3)
    real.undo()
    model.show(real.rulings())
    told = [model.index(row, 0).data() for row in range(3)]
    assert told == ["Ana 和 Ana Silva", "Ana 和 Ana Silva", "Ana，住在：Porto → Faro"]
    assert [model.index(row, 1).data() for row in range(3)] == [
        "已撤销",
        "已合并（已撤销）",
        "已更正",
    ]


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("confirm", "holds now\nconfirmed"),
        ("pin", "holds now\npinned"),
        ("hide", "rejected\nhidden"),
        ("reject", "rejected\nby you"),
    ],
)
def test_a_version_shows_what_was_ruled_of_it(real: Memory, kind: str, says: str) -> None:
    real.rule(kind, LISBON)
    model = HistoryModel()
    model.show(real.history(ANA, "lives_in"))
    state = model.COLUMNS.index("status")
    assert model.index(0, state).data() == says
    assert not model.index(0, 0).data(Qt.ItemDataRole.DecorationRole).isNull()
    assert model.index(1, 0).data(Qt.ItemDataRole.DecorationRole) is None
    assert model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole).split("\n")[0].endswith("by you")
    real.undo()
    model.show(real.history(ANA, "lives_in"))
    assert model.index(0, state).data() == "holds now"


def test_questions_are_decided_by_number_keys(
    qtbot: QtBot, window: MainWindow, real: Memory
) -> None:
    qtbot.waitExposed(window)
    window.go_to("clarify")
    place = window.clarify
    assert place.questions.rowCount() == 2
    assert place.card.question is not None
    window.activateWindow()
    place.list.setFocus()
    place.card.reason.setText("it stood on the ticket")
    qtbot.keyClick(place.list, "2")
    (ruling,) = real.rulings()
    assert (ruling.kind.value, ruling.fact_id) == ("prefer", 2)
    assert ruling.reason == "it stood on the ticket"
    place.refresh()
    assert place.questions.rowCount() == 1
    assert [one.name for one in place.card.question.entities] == ["Ana", "Ana Silva"]
    qtbot.keyClick(place.list, "1")
    place.refresh()
    assert place.questions.rowCount() == 0
    assert real.members_of(ANA) == ((1, "Ana"), (3, "Ana Silva"))


def show_active(qtbot: QtBot, place: ClarifyPlace) -> None:
    """Shortcuts listen in the window that has the keyboard."""
    with qtbot.waitActive(place):
        place.show()
        place.activateWindow()


DAY_MS = 86_400_000
ASKED = (
    OpenQuestion(OpenKind.CONFLICT, "c", property_name="lives_in", sides=made_up.FACTS[:2]),
    OpenQuestion(OpenKind.SAME, "s", entities=made_up.ENTITIES[:2]),
    OpenQuestion(
        OpenKind.DATE,
        "d",
        property_name="lives_in",
        sides=made_up.FACTS[:1],
        other_start=Bound(DAY_MS, 2 * DAY_MS, Precision.DAY, TimeSource.USER),
    ),
    OpenQuestion(OpenKind.ORDER, "o", source=made_up.SOURCES[1]),
)
KEYS = [(one, choice) for one in ASKED for choice in range(one.choices)]


@pytest.mark.parametrize(("question", "choice"), KEYS, ids=[f"{q.key}{n + 1}" for q, n in KEYS])
def test_each_kind_is_decided_by_each_of_its_keys_and_the_reason_is_kept(
    qtbot: QtBot, desk: Desk, memory: FakeMemory, question: OpenQuestion, choice: int
) -> None:
    memory.unsettled = (question,)
    place = ClarifyPlace(desk)
    qtbot.addWidget(place)
    show_active(qtbot, place)
    gone_to: list[int] = []
    desk.source_asked.connect(gone_to.append)
    place.card.reason.setFocus()
    qtbot.keyClicks(place.card.reason, "since 2 sides agree")  # no key of a choice while one types
    assert memory.decisions == []
    assert place.card.reason.text() == "since 2 sides agree"
    place.list.setFocus()
    qtbot.keyClick(place.list, str(question.choices + 1))  # there is no such choice
    assert memory.decisions == []
    qtbot.keyClick(place.list, str(choice + 1))
    if question.kind is OpenKind.ORDER and choice == 1:
        assert (gone_to, memory.decisions) == ([made_up.SOURCES[1].id], [])
    else:
        assert memory.decisions == [("prefer", question.key, choice, "since 2 sides agree")]


def test_a_wrong_order_of_dates_leads_to_its_import(
    qtbot: QtBot, desk: Desk, memory: FakeMemory
) -> None:
    memory.unsettled = ASKED[3:]
    window = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(window)
    window.show()
    window.go_to("clarify")
    window.clarify.card.choose(1)
    place = window.stack.made("imports")
    assert isinstance(place, ImportsPlace)
    assert window.stack.currentWidget() is place
    chosen = place.table.selectionModel().selectedRows()
    assert [place.sources.row(one.row()).id for one in chosen] == [made_up.SOURCES[1].id]


def test_s_goes_on_to_the_next_question(qtbot: QtBot, desk: Desk, memory: FakeMemory) -> None:
    memory.unsettled = ASKED
    place = ClarifyPlace(desk)
    qtbot.addWidget(place)
    show_active(qtbot, place)
    place.list.setFocus()
    shown = []
    for _ in range(len(ASKED) + 1):
        assert place.card.question is not None
        shown.append(place.card.question.key)
        qtbot.keyClick(place.list, "s")
    assert shown == ["c", "s", "d", "o", "c"]
    assert memory.decisions == []


def test_a_question_is_put_off(qtbot: QtBot, window: MainWindow) -> None:
    window.go_to("clarify")
    place = window.clarify
    first = place.card.question
    place.skip()
    assert place.card.question != first
    place.skip()
    assert place.card.question == first


def test_question_list(qtmodeltester: ModelTester, real: Memory) -> None:
    model = QuestionListModel()
    qtmodeltester.check(model, force_py=False)
    model.show(real.open_questions())
    assert model.index(0).data() == "concert · took place on"
    assert model.index(1).data(NOTE_ROLE) == "One or two?"


def test_a_card_tells_what_is_new_and_where_it_is_known_from(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.go_to("people")
    window.people.open_entity(ANA)
    card = window.people.card
    assert card._lately.text() == ""  # nobody named a day
    chips = [one.text() for one in card.sources.findChildren(QPushButton)]
    assert chips == ["chat  · 2"]
    with qtbot.waitSignal(window._desk.spot_asked):
        card.sources.findChildren(QPushButton)[0].click()
    dated = made_up.FACTS[:2]
    assert lately_text(dated) == "Lately: lives in Eastport, 10 Feb 2023"


def test_two_names_are_merged_after_a_look_and_taken_apart_again(
    window: MainWindow, real: Memory
) -> None:
    window.go_to("people")
    window.people.open_entity(ANA)
    card = window.people.card
    assert card._split.isHidden()
    card.open_merge()
    dialog = card.dialog
    assert dialog is not None
    dialog.picker.setCurrentIndex(dialog.picker.findText("Ana Silva"))
    assert "“Ana Silva” will be shown under “Ana”." in dialog.preview.text()
    assert real.members_of(ANA) == ((1, "Ana"),)  # looking stores nothing
    dialog.merge.click()
    assert real.members_of(ANA) == ((1, "Ana"), (3, "Ana Silva"))
    window.people.open_entity(ANA)
    window.people.refresh()
    assert card._aliases.text() == "Also called Ana Silva"
    assert card._split.isVisible()
    card._split.menu().actions()[1].trigger()
    look = card.split_dialog
    assert look is not None
    assert look.preview.text().split("\n")[:2] == [
        "“Ana Silva” gets a card of its own again: 0 facts · mentioned 0 times.",
        "“Ana” keeps: 2 facts · mentioned 0 times.",
    ]
    assert len(real.members_of(ANA)) == 2  # looking stores nothing
    assert [one.kind.value for one in real.rulings()] == ["merge"]
    look.take.click()
    assert real.members_of(ANA) == ((1, "Ana"),)
    window.decision.undo()
    assert len(real.members_of(ANA)) == 2


def test_two_names_are_told_apart(window: MainWindow, real: Memory) -> None:
    window.go_to("people")
    window.people.open_entity(ANA)
    window.people.card.open_merge()
    dialog = window.people.card.dialog
    assert dialog is not None
    dialog.picker.setCurrentIndex(dialog.picker.findText("Ana Silva"))
    dialog.apart.click()
    assert [one.kind.value for one in real.rulings()] == ["split"]
    assert "same" not in {one.kind.value for one in real.open_questions()}


def test_what_changed_between_two_days(
    window: MainWindow, real: Memory, qtmodeltester: ModelTester
) -> None:
    window.go_to("people")
    window.people.open_entity(ANA)
    window.people.card.open_changes()
    dialog = window.people.card.changes
    assert dialog is not None
    dialog.first_day.setDate(QDate(2023, 8, 1))
    dialog.last_day.setDate(QDate(2023, 12, 1))
    model = dialog.changes
    qtmodeltester.check(model, force_py=False)
    assert [model.index(0, column).data() for column in range(3)] == ["lives in", "Porto", "Lisbon"]
    other_days = dialog._span()
    shown = tuple(model.row(number) for number in range(model.rowCount()))
    dialog.first_day.setDate(QDate(2023, 11, 1))
    assert model.rowCount() == 0
    dialog._show(other_days, shown)  # what comes late for other days
    assert model.rowCount() == 0


def test_the_graph_leads_to_a_neighbour(qtbot: QtBot) -> None:
    graph = NeighbourGraph()
    qtbot.addWidget(graph)
    graph.resize(500, 300)
    graph.show_neighbours(
        "Nora", (Neighbour(2, "Ben", "friend", True), Neighbour(5, "Ada", "boss", False))
    )
    assert graph.accessibleName() == "Nora: friend Ben, boss of Ada"
    with qtbot.waitSignal(graph.chosen) as chosen:
        qtbot.mouseClick(graph, Qt.MouseButton.LeftButton, pos=graph.place_of(1).toPoint())
    assert chosen.args == [5]
    qtbot.keyClick(graph, Qt.Key.Key_Right)
    with qtbot.waitSignal(graph.chosen) as chosen:
        qtbot.keyClick(graph, Qt.Key.Key_Return)
    assert chosen.args == [2]
