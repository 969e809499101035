"""Where things stand and how large they are: at twice the size, mirrored, with nothing to show."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QPushButton, QScrollArea, QStyle
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.reports import Neighbour
from apexmem_desktop.ui.build_job import BuildJob
from apexmem_desktop.ui.choice_button import ChoiceButton
from apexmem_desktop.ui.conversations_place import ConversationsPlace
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.dialogue_pane import DialoguePane
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.neighbour_graph import NeighbourGraph
from apexmem_desktop.ui.people_place import PeoplePlace
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.remember_dialog import RememberDialog
from apexmem_desktop.ui.search_box import SearchBox
from apexmem_desktop.ui.sidebar import PLACES
from apexmem_desktop.ui.theme import apply_theme
from apexmem_desktop.ui.timeline_place import TimelinePlace
from apexmem_desktop.ui.translation import LANGUAGES, set_language
from tests.ui import made_up
from tests.ui.fake_memory import FakeMemory, InlineRunner

LAPTOP = (1360, 860)


@pytest.fixture
def mirrored(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.fixture
def twice(qapp: QApplication) -> None:
    """All text at 200 %."""
    apply_theme(qapp, "light", 200)


def open_window(qtbot: QtBot, memory: FakeMemory) -> MainWindow:
    desk = Desk(memory, InlineRunner())
    made = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(made)
    made.resize(*LAPTOP)
    made.show()
    return made


@pytest.mark.parametrize("kind", [TimelinePlace, PeoplePlace, ConversationsPlace])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_place_says_what_to_do_and_leads_there(
    qtbot: QtBot, qapp: QApplication, kind: type[Place], language: str
) -> None:
    set_language(language)
    desk = Desk(FakeMemory(empty=True), InlineRunner())
    place = kind(desk)
    qtbot.addWidget(place)
    place.resize(*LAPTOP)
    place.show()
    qapp.processEvents()
    told = [one.text() for one in place.findChildren(QLabel) if one.isVisible() and one.text()]
    assert len(told) >= 2
    (act,) = (one for one in place.findChildren(QPushButton) if one.isVisible())
    with qtbot.waitSignal(desk.place_asked) as asked:
        act.click()
    assert asked.args == ["imports"]


def test_a_name_that_nobody_has_leads_back_to_all(qtbot: QtBot, desk: Desk) -> None:
    place = PeoplePlace(desk)
    qtbot.addWidget(place)
    place.show()
    place.words.setText("Zebedee")
    place.refresh()
    assert place.entities.rowCount() == 0
    (act,) = (one for one in place._stack.currentWidget().findChildren(QPushButton))
    act.click()
    place.refresh()
    assert place.words.text() == ""
    assert place.entities.rowCount() > 0


def test_without_a_list_its_head_stays_at_the_top(qtbot: QtBot, qapp: QApplication) -> None:
    pane = DialoguePane(Desk(FakeMemory(empty=True), InlineRunner()))
    qtbot.addWidget(pane)
    pane.resize(260, 860)
    pane.show()
    pane.refresh()
    qapp.processEvents()
    assert pane.new.y() < 120
    assert pane._nothing.y() < 180


@pytest.mark.usefixtures("twice")
@pytest.mark.parametrize("language", LANGUAGES)
def test_at_twice_the_size_no_place_is_cut_at_its_side(
    qtbot: QtBot, qapp: QApplication, language: str
) -> None:
    set_language(language)
    window = open_window(qtbot, FakeMemory())
    window._desk.history_asked.emit(1, "lives_in")
    window._desk.spot_asked.emit(Spot(3, 5, 34))
    room = window.findChild(QScrollArea, "room")
    for place in PLACES:
        window.go_to(place)
        qapp.processEvents()
        assert window.evidence.isVisible()
        assert room.horizontalScrollBar().maximum() == 0, place


@pytest.mark.usefixtures("twice")
def test_a_place_is_scrolled_for_its_own_sake_only(qtbot: QtBot, qapp: QApplication) -> None:
    window = open_window(qtbot, FakeMemory())
    room = window.findChild(QScrollArea, "room").verticalScrollBar()
    window.resize(LAPTOP[0], 640)
    window.go_to("people")
    for _ in range(4):  # one layout after the other asks for more room
        qapp.processEvents()
    assert room.maximum() > 0  # some facts do not fit
    card = window.people.card
    upper, lower = card.facts.geometry(), card.sources.geometry()
    assert upper.height() >= card.facts.minimumHeight()
    assert upper.bottom() < lower.top()
    assert card.graph.isHidden()  # it gives its room to the facts
    window.go_to("settings")  # scrolls by itself
    for _ in range(4):
        qapp.processEvents()
    assert room.maximum() == 0


@pytest.mark.usefixtures("twice")
def test_a_list_folds_where_there_is_no_room_beside_it(qtbot: QtBot, qapp: QApplication) -> None:
    window = open_window(qtbot, FakeMemory())
    window.go_to("people")
    qapp.processEvents()
    split = window.people.split
    assert not split.folded
    window._desk.spot_asked.emit(Spot(3, 5, 34))
    qapp.processEvents()
    assert split.folded
    assert not window.people.list.isVisible()
    split.back.click()
    assert window.people.list.isVisible()
    assert not window.people.card.isVisible()
    window.people.list.clicked.emit(window.people.entities.index(1))
    assert window.people.card.isVisible()
    assert not window.people.list.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert window.people.words.isVisible()
    window.evidence.hide()
    qapp.processEvents()
    assert not split.folded
    beside, chosen = split.sizes()
    assert beside < 0.65 * chosen  # what one reads has more room than the list
    assert window.people.list.isVisible()
    assert window.people.card.isVisible()


def test_signs_grow_with_the_text(qtbot: QtBot, qapp: QApplication) -> None:
    sizes = []
    for percent in (100, 200):
        apply_theme(qapp, "light", percent)
        box, line = QCheckBox("x"), SearchBox("Find")
        qtbot.addWidget(box)
        qtbot.addWidget(line)
        # Its frame is a line of one pixel at every size.
        mark = box.style().pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth, None, box)
        sizes.append((mark - 2, line._sign.pixmap().width(), line.empty.iconSize().width()))
    assert sizes[1] == tuple(2 * size for size in sizes[0])


def test_a_search_is_emptied_by_its_button(qtbot: QtBot) -> None:
    line = SearchBox("Find")
    qtbot.addWidget(line)
    line.resize(200, 36)
    line.show()
    assert not line.empty.isVisible()
    qtbot.keyClicks(line, "Nora")
    assert line.empty.isVisible()
    assert line.empty.geometry().left() > 150
    assert line._sign.geometry().right() < 50
    line.empty.click()
    assert line.text() == ""
    assert not line.empty.isVisible()


@pytest.mark.usefixtures("mirrored")
def test_the_signs_of_a_search_are_mirrored(qtbot: QtBot) -> None:
    line = SearchBox("Find")
    qtbot.addWidget(line)
    line.resize(200, 36)
    line.show()
    assert line._sign.geometry().left() > 150
    assert line.empty.geometry().right() < 50
    image = line.grab().toImage()
    ink = [x for x in range(60, 140) for y in range(36) if image.pixelColor(x, y).lightness() < 190]
    assert ink
    assert min(ink) > 100  # "Find" stands at the right, though it is English


@pytest.mark.usefixtures("mirrored")
def test_the_key_of_a_choice_stands_apart_from_its_date(qtbot: QtBot, qapp: QApplication) -> None:
    chosen: list[str] = []
    made = ChoiceButton("1", "November 23\ntold 24 May 2025", lambda: chosen.append("1"))
    qtbot.addWidget(made)
    made.resize(made.sizeHint().expandedTo(made.minimumSizeHint()))
    made.show()
    qapp.processEvents()
    key, says, _ = made.findChildren(QLabel)
    assert (key.text(), says.text()) == ("1", "November 23")
    left = says.mapTo(made, says.rect().topRight()).x()
    assert key.mapTo(made, key.rect().topLeft()).x() > left + 4
    assert made.accessibleName() == "1: November 23, told 24 May 2025"
    at = says.mapTo(made, says.rect().center())
    assert made.childAt(at) is None  # the words let the click through
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton, pos=at)
    assert chosen == ["1"]


@pytest.mark.parametrize(("width", "count"), [(900, 10), (500, 10), (300, 6)])
def test_neighbours_do_not_stand_on_one_another(qtbot: QtBot, width: int, count: int) -> None:
    around = [Neighbour(n, f"Somebody Number {n}", "friend", True) for n in range(10)]
    graph = NeighbourGraph()
    qtbot.addWidget(graph)
    graph.resize(width, 100)
    graph.show_neighbours("Nora", around)
    assert len(graph.shown) == count
    places = [graph.place_of(number) for number in range(count)]
    apart = graph._slot_px()
    words_px = 2 * graph.fontMetrics().height()
    for number, one in enumerate(places):
        for other in places[:number]:
            beside = abs(one.x() - other.x()) >= apart
            below = abs(one.y() - other.y()) >= graph._sign_px() + words_px
            assert beside or below
        assert 0 < one.y() < graph.height() - words_px


@pytest.mark.parametrize("percent", [100, 200])
def test_no_field_of_a_dialog_is_squeezed(qtbot: QtBot, qapp: QApplication, percent: int) -> None:
    apply_theme(qapp, "light", percent)
    window = open_window(qtbot, FakeMemory())
    dialog = RememberDialog(window._desk, made_up.turns()[2], None, window)
    dialog.show()
    qapp.processEvents()
    for field in (dialog.subject, dialog.prop, dialog.value, dialog.since, dialog.keep):
        assert field.height() >= field.sizeHint().height(), field
    dialog.since.setText("2023-13")
    dialog.keep.click()
    qapp.processEvents()
    assert dialog.problem.isVisible()
    assert dialog.since.height() >= dialog.since.sizeHint().height()
    assert dialog.width() <= LAPTOP[0]
    assert dialog.height() <= LAPTOP[1]
