"""The frame: every place, the evidence beside it, and the ways between them."""

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.reports import Changes
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.ui.app import Shell
from apexmem_desktop.ui.build_job import BuildJob
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.evidence_panel import EvidencePanel
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.models_place import ModelsPlace
from apexmem_desktop.ui.people_place import PeoplePlace
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.place_makers import begin_timeline
from apexmem_desktop.ui.screenshots import picture_all, write_screenshots
from apexmem_desktop.ui.settings_place import SettingsPlace
from apexmem_desktop.ui.sidebar import PLACES
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.theme import apply_theme, theme
from apexmem_desktop.ui.timeline_plot import TimelinePlot
from apexmem_desktop.ui.translation import set_language
from apexmem_desktop.ui.turn_document import Marks, make_document
from tests.ui import made_up
from tests.ui.fake_memory import FakeMemory, HeldRunner, InlineRunner


@pytest.fixture
def window(qtbot: QtBot, desk: Desk) -> MainWindow:
    made = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(made)
    made.show()
    return made


def test_every_place_is_one_key_away(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitExposed(window)
    for number, place in enumerate(PLACES):
        window.activateWindow()
        qtbot.keyClick(window, str(number + 1), Qt.KeyboardModifier.ControlModifier)
        assert window.stack.currentIndex() == number, place


@pytest.mark.parametrize(
    "place", ["settings", "imports", "conversations", "timeline", "people", "clarify"]
)
def test_a_place_in_pieces_is_whole_when_asked_for(window: MainWindow, place: str) -> None:
    assert window.stack.make_piece(place)
    assert window.stack.made(place) is None
    window.go_to(place)
    page = window.stack.currentWidget()
    assert isinstance(page, Place)
    assert page is window.stack.made(place)
    assert page.isVisible()
    assert not page.go_on()
    assert not window.stack.make_piece(place)


def test_pieces_made_ahead_make_the_same_place(window: MainWindow, desk: Desk) -> None:
    while window.stack.make_piece("settings"):
        assert window.stack.made("settings") is None
    ahead = window.stack.get("settings")
    assert not ahead.isVisible()
    at_once = SettingsPlace(desk)
    words = [[one.text() for one in page.findChildren(QLabel)] for page in (ahead, at_once)]
    assert words[0] == words[1]


def test_the_box_to_type_in_is_one_key_away(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitExposed(window)
    boxes = {
        "people": window.people.words,
        "conversations": window.conversations.words,
        "models": window.ask.question,
    }
    for place, box in boxes.items():
        window.go_to(place)
        window.activateWindow()
        qtbot.keyClick(window, "p", Qt.KeyboardModifier.ControlModifier)
        assert window.focusWidget() is box, place
    window.go_to("settings")
    qtbot.keyClick(window, "l", Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is window.ask.question


def test_escape_closes_the_history_then_the_evidence(
    qtbot: QtBot, window: MainWindow, desk: Desk
) -> None:
    qtbot.waitExposed(window)
    desk.history_asked.emit(1, "lives_in")
    desk.spot_asked.emit(Spot(3, 5, 34))
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.timeline.history.isHidden()
    assert window.evidence.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.evidence.isHidden()


def test_a_narrow_window_shows_its_places_as_icons(window: MainWindow) -> None:
    window.resize(1000, 700)
    assert window.sidebar.list.item(1).text() == ""
    assert window.sidebar.list.item(1).toolTip() == "Timeline"
    window.resize(1500, 900)
    assert window.sidebar.list.item(1).text() == "Timeline"


def test_the_evidence_panel_marks_the_quote(window: MainWindow, desk: Desk) -> None:
    window.evidence.hide()
    desk.spot_asked.emit(Spot(3, 5, 34))
    assert window.evidence.isVisible()
    assert window.evidence._title.text() == "Nora & Ben"
    assert window.evidence.turns.turn_list.rowCount() == len(made_up.turns())


def test_the_mark_is_right_behind_an_emoji(qapp: QApplication) -> None:
    turn = made_up.turns()[0]
    text = "😀😀 moved to Eastport"
    turn = type(turn)(**{**_fields(turn), "text": text})
    start = text.index("Eastport")
    document = make_document(turn, Marks(Spot(1, start, start + 8)), 400)
    marked = [
        fragment.fragment().text()
        for fragment in document.begin()
        if fragment.fragment().charFormat().background().style() != Qt.BrushStyle.NoBrush
    ]
    assert marked == ["Eastport"]


def test_a_newer_wish_wins(qtbot: QtBot, memory: FakeMemory) -> None:
    from tests.ui.fake_memory import HeldRunner

    runner = HeldRunner()
    panel = EvidencePanel(Desk(memory, runner))
    qtbot.addWidget(panel)
    panel.show_spot(Spot(1))
    panel.show_spot(Spot(3, 5, 34))
    runner.let_go()
    assert panel.turns.turn_list.rowCount() == 0
    runner.let_go()
    assert panel.turns.turn_list.find_row(3) == 2


def test_from_evidence_to_the_whole_conversation(window: MainWindow, desk: Desk) -> None:
    desk.spot_asked.emit(Spot(3, 5, 34))
    window.evidence._open.click()
    assert window.stack.currentWidget() is window.conversations
    assert window.conversations.reader.title.text() == "Nora & Ben"
    assert window.conversations.turns.turn_list.find_row(3) == 2


def test_a_search_through_all_messages(window: MainWindow) -> None:
    window.conversations.words.setText("restaurant")
    window.conversations.search()
    assert window.conversations._stack.currentIndex() == 1


def test_an_error_is_shown_until_it_is_closed(window: MainWindow, desk: Desk) -> None:
    desk.failed.emit(UserError("The disk is full.", hint="Free some space."))
    assert window.notice.isVisible()
    assert window.notice._words.text() == "The disk is full. Free some space."
    assert not window.notice._copy.isVisible()
    desk.failed.emit(ValueError("ours"))
    assert "Something went wrong inside the program" in window.notice._words.text()
    assert window.notice._copy.isVisible()


def test_dropped_files_open_the_dialog(window: MainWindow, desk: Desk) -> None:
    desk.files_dropped.emit((Path("Coast group.zip"),))
    assert window.dialog is not None
    assert window.dialog.isVisible()
    window.dialog.close()


def dropped(*paths: Path) -> tuple[QMimeData, QDragEnterEvent, QDropEvent]:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    if not paths:
        data.setText("words from elsewhere")
    told = (
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    return data, QDragEnterEvent(QPoint(5, 5), *told), QDropEvent(QPointF(5, 5), *told)


@pytest.mark.parametrize("where", ["window", "zone"])
def test_files_are_dropped_anywhere(window: MainWindow, desk: Desk, where: str) -> None:
    window.go_to("imports")
    target = window if where == "window" else window.imports.drop
    kept, enter, drop = dropped(Path("/home/someone/Coast group.zip"))
    enter.ignore()
    QApplication.sendEvent(target, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(target, drop)
    assert window.dialog is not None
    assert window.dialog.file.name == "Coast group.zip"
    window.dialog.close()
    window.dialog = None
    kept, enter, drop = dropped()
    enter.ignore()
    QApplication.sendEvent(target, enter)
    assert not enter.isAccepted()  # words are no export
    assert window.dialog is None
    assert kept.hasText()


def test_a_new_look_makes_the_window_anew_after_the_old_one_is_gone(
    qtbot: QtBot, shell: Shell
) -> None:
    """To dress a window that goes away, with all its places, halts for most of a second."""
    old = shell.open()
    gone: list[str] = []
    old.destroyed.connect(lambda: gone.append(theme().name))
    shell.desk.memory.save_settings(replace(shell.desk.memory.settings(), theme="dark"))
    shell.desk.look_changed.emit()
    qtbot.waitUntil(lambda: shell.window is not None and shell.window is not old)
    assert gone == ["light"]
    assert theme().name == "dark"
    assert shell.window is not None
    assert shell.window.isVisible()


def test_places_are_made_ahead_only_while_nothing_is_fetched(
    qtbot: QtBot, memory: FakeMemory
) -> None:
    runner = HeldRunner()
    runner.busy_lanes = {Lane.READ}
    window = MainWindow(Desk(memory, runner), BuildJob(Desk(memory, runner)))
    qtbot.addWidget(window)
    begun: list[str] = []
    window._when_quiet(lambda: begun.append("now"))
    assert begun == []
    runner.busy_lanes = set()
    qtbot.waitUntil(lambda: begun == ["now"])
    runner.busy_lanes = {Lane.READ}
    window._when_quiet(lambda: begun.append("at last"), breaths=0)
    assert begun == ["now", "at last"]
    runner.close()


def test_a_card_leads_to_timeline_and_history(window: MainWindow, desk: Desk) -> None:
    window.go_to("people")
    desk.history_asked.emit(1, "lives_in")
    assert window.stack.currentWidget() is window.timeline
    assert window.timeline.history.versions.rowCount() == 2


def test_people_are_found_and_their_facts_listed(qtbot: QtBot, desk: Desk) -> None:
    place = PeoplePlace(desk)
    qtbot.addWidget(place)
    place.show()
    model = place.card.facts.facts
    texts = [model.index(row).data() for row in range(model.rowCount())]
    assert len(texts) == len(made_up.FACTS) + 3
    assert texts[:2] == ["Now", "lives in: Eastport, 10 Feb 2023 – now"]
    assert "Planned" in texts
    assert "Earlier" in texts
    place.words.setText("ben")
    place.refresh()
    assert place.entities.rowCount() == 1


def test_a_model_is_fetched_and_said_to_be_here(qtbot: QtBot, desk: Desk) -> None:
    place = ModelsPlace(desk)
    qtbot.addWidget(place)
    place.show()
    tiny = place.rows["tiny-writer-0.5b"]
    with qtbot.waitSignal(desk.changed) as told:
        tiny._pull.click()
    assert told.args == [Changes(models=True)]
    assert "50" in tiny._note.text()


def test_settings_are_kept_at_once(qtbot: QtBot, desk: Desk, memory: FakeMemory) -> None:
    place = SettingsPlace(desk)
    qtbot.addWidget(place)
    place.language.setCurrentIndex(place.language.findData("zh"))
    with qtbot.waitSignal(desk.look_changed):
        place.language.activated.emit(place.language.currentIndex())
    assert memory.kept == Settings(theme="light", ui_language="zh", zone="Europe/Oslo")


@pytest.fixture
def shell(qapp: QApplication, memory: FakeMemory) -> Iterator[Shell]:
    made = Shell(qapp, memory)
    yield made
    made.close()
    if made.window is not None:
        made.window.deleteLater()
    gc.unfreeze()


def test_another_language_renews_the_window(qtbot: QtBot, shell: Shell, memory: FakeMemory) -> None:
    first = shell.open()
    assert first.sidebar.list.item(0).text() == "Ask"
    memory.kept = Settings(ui_language="zh", theme="dark")
    shell.desk.look_changed.emit()
    qtbot.waitUntil(lambda: shell.window is not None and shell.window is not first)
    assert shell.window is not None
    assert shell.window.sidebar.list.item(0).toolTip() == "提问"
    assert shell.window.stack.currentWidget() is not shell.window.ask


def test_everything_that_can_be_clicked_has_a_name(window: MainWindow) -> None:
    from PySide6.QtWidgets import QAbstractButton

    for button in window.findChildren(QAbstractButton):
        if button.metaObject().className() in ("QPushButton", "QToolButton", "QCheckBox"):
            inner = button.objectName().startswith("qt_") or button.parent().inherits("QLineEdit")
            assert inner or button.text() or button.accessibleName(), button


def test_everything_that_is_typed_into_or_chosen_from_has_a_name(window: MainWindow) -> None:
    from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit

    for place in ("conversations", "imports", "models", "settings"):
        page = window.stack.get(place)
        fields = [one for kind in (QLineEdit, QComboBox, QAbstractSpinBox)
                  for one in page.findChildren(kind)]  # fmt: skip
        for field in fields:
            inner = isinstance(field.parent(), QComboBox | QAbstractSpinBox)
            assert inner or field.accessibleName(), (place, field)


# Each is pictured in every look, besides each place with something and with nothing in it.
OPENED = {
    "history", "reading", "trace", "wrong", "models-below", "model-download", "settings-below",
    "dialog-keys", "dialog-crash", "dialog-decisions", "dialog-erase", "dialog-passphrase",
    "dialog-new-passphrase", "dialog-task", "dialog-search", "dialog-changes", "dialog-merge",
    "dialog-split", "dialog-correct", "dialog-remember", "dialog-import", "dialog-import-several",
}  # fmt: skip


def test_pictures_of_every_place_and_dialog(qapp: QApplication, tmp_path: Path) -> None:
    files = picture_all(
        qapp,
        FakeMemory(),
        tmp_path,
        places=PLACES,
        question="Where does Nora live?",
        newcomer=FakeMemory(empty=True),
        looks=("dark-zh", "light-en-mirrored"),
    )
    begins = {"first-run", *(f"{place}-empty" for place in PLACES if place != "ask")}
    shown = {*PLACES, *begins, *OPENED}
    wanted = {f"{name}-{look}.png" for name in shown for look in ("dark-zh", "light-en-mirrored")}
    assert {path.name for path in files} == wanted
    assert qapp.layoutDirection() is Qt.LayoutDirection.LeftToRight
    assert all(path.stat().st_size > 1_000 for path in files)


def test_pictures_of_a_memory_with_nothing_in_it(qapp: QApplication, tmp_path: Path) -> None:
    files = picture_all(qapp, FakeMemory(empty=True), tmp_path, places=("people",))
    looks = ("light-en", "dark-en", "light-zh", "dark-zh", "light-en-mirrored")
    assert {path.name for path in files} == {f"people-{look}.png" for look in looks}


def _fields(turn: object) -> dict[str, object]:
    return {name: getattr(turn, name) for name in turn.__slots__}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("percent", [100, 200])
def test_no_pane_is_wider_than_a_small_screen(
    qtbot: QtBot, qapp: QApplication, percent: int, language: str
) -> None:
    set_language(language)
    apply_theme(qapp, "light", percent)
    desk = Desk(FakeMemory(), InlineRunner())
    window = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(window)
    window.show()
    desk.history_asked.emit(1, "lives_in")
    desk.spot_asked.emit(Spot(3, 5, 34))
    for place in PLACES:
        window.go_to(place)
        window.resize(1024, 700)
        assert (window.width(), window.height()) == (1024, 700), place


def test_a_place_is_made_when_somebody_goes_there(window: MainWindow) -> None:
    assert window.stack.made("ask") is not None
    assert window.stack.made("timeline") is None
    window.go_to("timeline")
    assert window.stack.made("timeline") is window.stack.currentWidget()
    assert window.stack.count() == len(PLACES)


def test_the_timeline_made_ahead_in_two_halves_is_whole(
    qtbot: QtBot, qapp: QApplication, window: MainWindow
) -> None:
    begin_timeline(window.ask._desk, window.stack)
    (plot,) = window.stack.findChildren(TimelinePlot)
    assert not plot.isVisible()
    window.go_to("timeline")
    qapp.processEvents()
    assert window.timeline.plot is plot
    assert window.stack.findChildren(TimelinePlot) == [plot]
    assert plot.isVisible()
    assert plot.height() > window.height() // 3


def test_from_a_name_without_facts_to_how_far_reading_is(window: MainWindow) -> None:
    window._desk.queue_asked.emit()
    assert window.stack.currentWidget() is window.imports
    assert window.imports.queue.isVisible()


def test_what_comes_late_for_other_words_is_dropped(window: MainWindow) -> None:
    people, chats = window.people, window.conversations
    people.refresh()
    known = people.entities.rowCount()
    people.words.setText("Nora")
    people._show_list("Nor", ())
    assert people.entities.rowCount() == known
    chats.words.setText("")
    chats._stack.setCurrentIndex(0)
    chats._show_hits("lease", made_up.FOUND)
    assert chats._stack.currentIndex() == 0


def test_a_look_that_there_is_not_is_told_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="en-light") as told:
        write_screenshots(tmp_path / "none.apexmem", tmp_path, looks=["en-light"])
    assert "light-en, dark-en" in told.value.hint
    assert not list(tmp_path.iterdir())
