"""Reading a conversation in the window, with a real memory and threads of its own."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.reading import MarginFact
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.ui.conversations_place import ConversationsPlace
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.screenshots import settle
from apexmem_desktop.ui.tasks import TaskRunner
from apexmem_desktop.ui.turn_document import Marks, character_at, make_document
from apexmem_desktop.ui.turn_list import TurnListModel, margin_text
from tests.ui import made_up

COUNT = 3000


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Desk]:
    """A desk on a vault with one long chat."""
    lines = [
        f"{1 + n // 120 % 28:02}/{1 + n // 3360 % 12:02}/2023, {8 + n // 60 % 12:02}:{n % 60:02} - "
        f"{'Ida' if n % 3 else 'Max'}: number {n}\n"
        for n in range(COUNT)
    ]
    file = tmp_path / "WhatsApp Chat with Max.txt"
    file.write_text("".join(lines), encoding="utf-8")
    path = tmp_path / "m.apexmem"
    memory = Memory(Workspace(path, settings=Settings(zone="UTC")), path)
    memory.import_file(file, ImportChoices(date_order="dmy"), lambda _: None, CancelToken())
    tasks = TaskRunner()
    yield Desk(memory, tasks)
    tasks.close()
    memory.close()


@pytest.fixture
def place(qtbot: QtBot, real: Desk) -> ConversationsPlace:
    made = ConversationsPlace(real)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    settle(real.tasks)
    return made


def numbers(place: ConversationsPlace) -> list[int]:
    return [int(turn.text.split()[1]) for turn in place.turns.turn_list.turns]


def scroll(place: ConversationsPlace, desk: Desk, *, down: bool) -> None:
    bar = place.turns.verticalScrollBar()
    bar.setValue(bar.maximum() if down else bar.minimum())
    settle(desk.tasks)


def test_a_long_chat_is_never_here_as_a_whole(place: ConversationsPlace, real: Desk) -> None:
    assert numbers(place)[0] == 0
    for _ in range(9):
        scroll(place, real, down=True)
    there = numbers(place)
    assert there[0] > 0
    assert there == list(range(there[0], there[-1] + 1))
    assert len(there) <= 300
    for _ in range(20):
        scroll(place, real, down=False)
    assert numbers(place)[0] == 0


def test_what_is_read_stays_where_it_is_when_a_page_comes(
    place: ConversationsPlace, real: Desk
) -> None:
    place.turns.jump_to_number(1500)
    settle(real.tasks)
    top = place.turns.current_turn()
    assert top is not None
    row = place.turns.turn_list.find_row(top.id)
    before = place.turns.visualRect(place.turns.turn_list.index(row)).top()
    first = place.turns.turn_list.turns[0].id
    earlier = real.memory.turn_page(
        place.reader.chat.id if place.reader.chat else 0,
        place.reader.filters.chosen(),
        first,
        backwards=True,
    )
    place.turns._before(earlier)
    row = place.turns.turn_list.find_row(top.id)
    assert place.turns.visualRect(place.turns.turn_list.index(row)).top() == before


def test_the_bar_is_that_of_the_whole_chat(place: ConversationsPlace, real: Desk) -> None:
    place.turns.jump_to_end(end=True)
    settle(real.tasks)
    assert numbers(place)[-1] == COUNT - 1
    assert place.turns.whole.value() > COUNT - 100
    place.turns.whole.setValue(1200)
    place.turns._jump_to_bar()
    settle(real.tasks)
    assert 1200 in numbers(place)


def test_words_are_found_within_and_walked_through(place: ConversationsPlace, real: Desk) -> None:
    reader = place.reader
    reader.words.setText("number 29")
    reader.find_words()
    settle(real.tasks)
    assert reader.found.text() == "1 of 111"
    reader.next_match(-1)
    settle(real.tasks)
    assert reader.found.text() == "111 of 111"
    current = place.turns.current_turn()
    assert current is not None
    assert current.text == "number 2999"
    reader.words.setText("nothing like this")
    reader.find_words()
    settle(real.tasks)
    assert reader.found.text() == "not found"


def test_only_one_person_and_some_days(place: ConversationsPlace, real: Desk) -> None:
    filters = place.reader.filters
    filters.speaker.setCurrentIndex(filters.speaker.findData("Max"))
    filters.first.setText("2023-01-03")
    filters.last.setText("2023-01-03")
    filters.changed.emit()
    settle(real.tasks)
    assert numbers(place) == [n for n in range(240, 360) if n % 3 == 0]
    filters.first.setText("soon")
    assert filters.chosen().from_ms is None
    assert filters.first.property("wrong") == "true"


def test_a_day_is_gone_to(place: ConversationsPlace, real: Desk) -> None:
    from PySide6.QtCore import QDate

    place.reader.day.setDate(QDate(2023, 1, 20))
    settle(real.tasks)
    current = place.turns.current_turn()
    assert current is not None
    assert current.text == f"number {19 * 120}"


def test_selected_words_become_a_fact_in_the_margin(place: ConversationsPlace, real: Desk) -> None:
    turn = place.turns.turn_list.turns[1]
    place.turns._choose(Spot(turn.id, 0, 6))
    assert not place.reader._chosen_bar.isHidden()
    assert place.turns.chosen_words() == "number"
    place.reader.remember()
    dialog = place.reader.dialog
    assert dialog is not None
    settle(real.tasks)
    assert dialog.span() == (0, 6)
    assert dialog.subject.currentText() == "Ida"
    dialog.prop.setEditText("likes")
    dialog.value.setText("numbers")
    dialog.since.setText("2023-13")
    dialog.keep.click()
    assert dialog.problem.isVisible()
    dialog.since.setText("2023-01")
    dialog.keep.click()
    settle(real.tasks)
    [told] = place.turns.turn_list._margin[turn.id]
    assert margin_text(told) == "Ida · likes: numbers"
    assert place.reader._chosen_bar.isHidden()
    real.decide(real.memory.undo)
    settle(real.tasks)
    assert place.turns.turn_list._margin[turn.id] == ()
    real.decide(real.memory.redo)
    settle(real.tasks)
    assert place.turns.turn_list._margin[turn.id] == (told,)


def test_words_are_selected_by_mouse_and_copied(
    qtbot: QtBot, place: ConversationsPlace, real: Desk
) -> None:
    view = place.turns
    row = view.visualRect(view.turn_list.index(1))
    y = row.bottom() - view.fontMetrics().height()  # the words stand below who said them
    spots = [view._character(QPointF(x, y)) for x in range(row.left(), row.right())]
    offsets = [None if spot is None else spot[1] for spot in spots]
    starts, ends = (row.left() + offsets.index(number) for number in (0, 6))
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(starts, y))
    to = QPointF(ends, y)
    move = QMouseEvent(
        QEvent.Type.MouseMove, to, view.viewport().mapToGlobal(to), Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), move)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=to.toPoint())
    assert view.chosen_words() == "number"
    assert place.reader._chosen_bar.isVisible()
    plain, markdown = view.actions()
    plain.trigger()
    assert QGuiApplication.clipboard().text() == "number"
    view.setCurrentIndex(view.turn_list.index(1))
    markdown.trigger()
    copied = QGuiApplication.clipboard().text()
    assert copied == "**Ida**, 1 Jan 2023, 08:01:\n\n> number 1"


@pytest.mark.parametrize(
    ("words", "way"),
    [
        ("שלום, מה שלומך today?", Qt.LayoutDirection.RightToLeft),
        ("see you at שלום cafe", Qt.LayoutDirection.LeftToRight),
        ("😀 مرحبا", Qt.LayoutDirection.RightToLeft),
    ],
)
def test_each_paragraph_runs_its_own_way(
    qapp: QApplication, words: str, way: Qt.LayoutDirection
) -> None:
    turn = replace(made_up.turns()[0], text=f"{words}\nplain")
    document = make_document(turn, Marks(quote=Spot(turn.id, 0, 3)), 400)
    first, second = document.findBlockByNumber(0), document.findBlockByNumber(1)
    assert first.textDirection() is way
    assert second.textDirection() is Qt.LayoutDirection.LeftToRight
    assert document.toPlainText() == turn.text


def test_the_list_keeps_qts_rules_at_both_ends(qtmodeltester: ModelTester) -> None:
    model = TurnListModel()
    turns = made_up.turns()
    qtmodeltester.check(model, force_py=False)
    model.show(turns[4:7])
    model.prepend(turns[:4])
    model.append(turns[7:])
    model.drop(first=2, last=1)
    model.mark(Spot(5))
    model.choose(Spot(5, 0, 3))
    model.find("the")
    model.add_margin({5: (MarginFact(1, 1, "Nora", "likes", "tea", True, 0, 4),)})
    assert [turn.id for turn in model.turns] == list(range(3, 10))


def test_code_is_set_as_code_and_from_the_left(qapp: object) -> None:
    turn = made_up.turns()[0]
    fields = {name: getattr(turn, name) for name in turn.__slots__}
    text = "שלום\n```\nprint(1)\n```\nand `x`"
    document = make_document(type(turn)(**(fields | {"text": text})), Marks(), 400)
    block = document.findBlockByNumber(2)
    assert block.text() == "print(1)"
    assert block.begin().fragment().charFormat().fontFixedPitch()
    assert document.toPlainText() == text


@pytest.mark.parametrize(
    ("text", "position", "offset"), [("ab", 1, 1), ("😀b", 2, 1), ("😀b", 3, 2)]
)
def test_an_emoji_is_one_character(text: str, position: int, offset: int) -> None:
    assert character_at(text, position) == offset
