"""Lanes: what stands where, and what a click opens."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QToolTip
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.graph import NewFact, Quote
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, Validity
from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.storage.facts import append_fact, find_facts
from apexmem_desktop.ui.avatar import initials
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.hover_card import item_html
from apexmem_desktop.ui.timeline_filter import KINDS
from apexmem_desktop.ui.timeline_groups import GROUPINGS, group_name
from apexmem_desktop.ui.timeline_lanes import lane_of, lay_out
from apexmem_desktop.ui.timeline_picture import write_timeline_png
from apexmem_desktop.ui.timeline_place import TimelinePlace
from apexmem_desktop.ui.timeline_words import item_text, without_name
from tests.ui import made_up
from tests.ui.fake_memory import FakeMemory, InlineRunner
from tests.ui.made_up import bound
from tests.ui.real import real_memory

ITEMS = made_up.timeline_items()
BARS = {(bar.item.lane, bar.item.fact_id): bar for bar in lay_out(ITEMS, made_up.NOW_MS).bars}


@st.composite
def bounds(draw: st.DrawFn) -> Bound:
    ends = sorted(draw(st.lists(st.integers(-(10**12), 2 * 10**12), min_size=2, max_size=2)))
    known = draw(st.sampled_from(("both", "earliest", "latest", "none")))
    return Bound(
        ends[0] if known in ("both", "earliest") else None,
        ends[1] if known in ("both", "latest") else None,
        Precision.DAY,
        TimeSource.STATED,
    )


@st.composite
def items(draw: st.DrawFn) -> TimelineItem:
    return replace(
        ITEMS[0],
        kind=draw(st.sampled_from(("fact", "event"))),
        lane=draw(st.sampled_from(("a", "b"))),
        start=draw(bounds()),
        end=draw(st.none() | bounds()),
        planned=draw(st.booleans()),
    )


@given(st.lists(items(), max_size=12))
def test_any_dates_can_be_laid_out(given_items: list[TimelineItem]) -> None:
    layout = lay_out(given_items, made_up.NOW_MS)
    drawn = [bar.item for bar in layout.bars] + [point.item for point in layout.points]
    assert len(drawn) <= len(given_items)
    assert {(one.kind, one.label) for one in drawn} == {
        (one.kind, one.label) for one in given_items
    }
    assert layout.first_s < layout.last_s
    for bar in layout.bars:
        assert bar.soft_start_s <= bar.start_s <= bar.end_s <= bar.soft_end_s
    for bar in layout.bars:
        for other in layout.bars:
            if bar is not other and bar.top == other.top:
                assert bar.end_s <= other.start_s or other.end_s <= bar.start_s


def test_a_value_that_holds_reaches_until_now() -> None:
    bar = BARS["lives_in", 1]
    assert bar.open_end
    assert bar.end_s == made_up.NOW_MS / 1000


def test_a_vague_end_is_soft_and_the_next_value_begins_as_softly() -> None:
    old, new = BARS["favourite_restaurant", 3], BARS["favourite_restaurant", 4]
    assert (old.end_s, old.soft_end_s) == (new.soft_start_s, new.start_s)
    assert old.top == new.top


def lived(start: Bound, end: Bound | None, *, where: str = "Eastport") -> TimelineItem:
    return replace(ITEMS[0], label=where, start=start, end=end)


def test_what_was_said_again_is_one_bar_with_all_its_proof() -> None:
    again = replace(
        lived(made_up.said_by("2023-06-01"), None), evidence=(made_up.evidence(1, "the lease"),)
    )
    (bar,) = lay_out((ITEMS[0], again), made_up.NOW_MS).bars
    assert bar.item.start == ITEMS[0].start
    assert bar.item.end is None
    assert [proof.turn_id for proof in bar.item.evidence] == [3, 1]


def test_what_held_twice_with_a_gap_stays_two_bars() -> None:
    first = lived(bound("2021-01-01"), bound("2021-06-01"))
    second = lived(bound("2022-01-01"), bound("2022-06-01"))
    following = lived(bound("2022-06-01"), None)
    bars = lay_out((first, second, following), made_up.NOW_MS).bars
    assert [(bar.item.start, bar.item.end) for bar in bars] == [
        (first.start, first.end),
        (second.start, None),
    ]


def test_what_does_not_hold_is_a_mark_and_no_bar_until_now() -> None:
    denied = replace(lived(bound("2023-06-01"), None), label="not Eastport", denied=True)
    (bar,) = lay_out((denied,), made_up.NOW_MS).bars
    assert bar.end_s == bar.start_s
    assert bar.holds_at(made_up.NOW_MS / 1000)
    assert "does not live in: Eastport\nsince 1 Jun 2023" in item_text(denied)


def test_all_is_in_view_up_to_the_last_evidence_and_not_years_of_nothing() -> None:
    later_ms = made_up.at("2031-01-01")
    layout = lay_out(ITEMS[:1], later_ms)
    assert layout.last_s < made_up.at("2024-01-01") / 1000
    assert layout.bars[0].end_s == later_ms / 1000
    soon_ms = made_up.at("2024-03-02")
    assert lay_out(ITEMS, soon_ms).last_s >= soon_ms / 1000


def test_the_words_of_short_bars_get_room() -> None:
    days = ("2023-01-01", "2023-01-20", "2023-12-01")
    trips = tuple(lived(bound(day), bound(day), where=f"trip {day}") for day in days)
    bars = lay_out(trips, made_up.NOW_MS, lambda _: 0.2).bars
    assert bars[0].top == bars[2].top
    assert bars[1].top > bars[0].top


def test_an_event_does_not_repeat_whose_timeline_it_is() -> None:
    event = replace(ITEMS[-1], label="Nora Lind bought a bicycle")
    assert [one.label for one in without_name((event, ITEMS[0]), "Nora Lind")] == [
        "bought a bicycle",
        "Eastport",
    ]


def test_news_of_the_same_person_leave_the_zoom_alone(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    place.plot.zoom(0.5)
    before = place.plot._plot.viewRange()[0]
    place._show(made_up.NORA, ITEMS[:5], None)
    assert place.plot._plot.viewRange()[0] == before
    qtbot.keyClick(place.plot, Qt.Key.Key_End)
    low, high = place.plot._plot.viewRange()[0]
    assert low < place.plot.extent_ms[0] / 1000
    assert high > made_up.NOW_MS / 1000


def test_what_nobody_dated_has_an_open_start() -> None:
    assert BARS["lives_in", 2].open_start


def test_values_that_hold_together_stand_in_two_rows() -> None:
    assert BARS["works_at", 5].top != BARS["works_at", 6].top


@pytest.mark.parametrize(("day", "held"), [("2022-06-01", "Millbrook"), ("2023-06-01", "Eastport")])
def test_what_held_on_a_day(day: str, held: str) -> None:
    at_s = made_up.at(day) / 1000
    lanes = [bar for (lane, _), bar in BARS.items() if lane == "lives_in"]
    assert [bar.item.label for bar in lanes if bar.holds_at(at_s)] == [held]


def test_changed_properties_come_first_and_events_last() -> None:
    names = [lane.name for lane in lay_out(ITEMS, made_up.NOW_MS).lanes]
    assert set(names[:2]) == {"lives_in", "favourite_restaurant"}
    assert names[-1] == ""


def test_the_hint_tells_value_dates_certainty_and_words() -> None:
    text = item_text(ITEMS[0])
    assert "lives in: Eastport" in text
    assert "10 Feb 2023 – now" in text
    assert "sure (86 %)" in text
    assert "“I moved to Eastport yesterday”" in text


def test_a_click_opens_evidence_and_history(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    with qtbot.waitSignal(desk.spot_asked) as asked:
        place.plot.choose(ITEMS[2])
    assert asked.args[0].turn_id == 7
    assert not place.history.isHidden()
    chosen = place.history.table.selectedIndexes()[0]
    assert chosen.data() == "Blue Lantern"
    assert place.history.versions.rowCount() == 2


def test_a_mouse_click_on_a_bar_chooses_it(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    place.plot.grab()  # draws, so that the bars have their places
    rect, item = next(hit for hit in place.plot._look.hits if hit[1].label == "Eastport")
    with qtbot.waitSignal(place.plot.chosen) as chosen:
        qtbot.mouseClick(
            place.plot._plot.viewport(), Qt.MouseButton.LeftButton, pos=rect.center().toPoint()
        )
    assert chosen.args[0] == item


def test_the_keyboard_walks_and_opens(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    qtbot.keyClick(place.plot, Qt.Key.Key_Down)
    with qtbot.waitSignal(place.plot.chosen):
        qtbot.keyClick(place.plot, Qt.Key.Key_Return)


def test_the_slider_moves_what_held_then(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    place.as_of.slider.setValue(0)
    first_ms, _ = place.plot.extent_ms
    assert place.plot._look.as_of_s == first_ms / 1000
    place.as_of.reset()
    assert place.plot._look.as_of_s is None


def test_another_name_can_be_picked(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    place.picker.setCurrentIndex(1)
    place.picker.activated.emit(1)
    assert place.picker.currentText() == "Ben Okafor"
    assert place._count.text() == "0 entries"


def test_a_name_without_facts_and_a_filter_without_a_match_say_so(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    assert place.lanes.currentWidget() is place.plot
    place.filter.kind.setCurrentIndex(KINDS.index("planned"))
    place.filter.words.setText("nothing like this")
    page = place.lanes.currentWidget()
    assert page is not None
    assert "Nothing here fits" in [one.text() for one in page.findChildren(QLabel)]
    page.findChild(QPushButton).click()
    assert place.lanes.currentWidget() is place.plot
    assert (place.filter.kind.currentIndex(), place.filter.words.text()) == (0, "")
    place.open_entity(2)
    page = place.lanes.currentWidget()
    assert page is not None
    assert "Nothing to show yet" in [one.text() for one in page.findChildren(QLabel)]
    with qtbot.waitSignal(desk.queue_asked):
        page.findChild(QPushButton).click()


def test_nothing_known_yet_says_so(qtbot: QtBot) -> None:
    place = shown(qtbot, Desk(FakeMemory(empty=True), InlineRunner()))
    assert place._stack.currentIndex() == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_is_written(qtbot: QtBot, tmp_path: Path, theme: str) -> None:
    path = tmp_path / "new folder" / "nora.png"
    write_timeline_png(made_up.NORA, ITEMS, path, now_ms=made_up.NOW_MS, language="zh", theme=theme)
    assert path.read_bytes().startswith(b"\x89PNG")


def shown(qtbot: QtBot, desk: Desk) -> TimelinePlace:
    """A timeline place on the (offscreen) screen."""
    place = TimelinePlace(desk)
    qtbot.addWidget(place)
    place.resize(900, 800)
    place.show()
    return place


def test_spots_of_all_kinds_of_proof() -> None:
    assert Spot.of(ITEMS[2].evidence[0]) == Spot(7, 0, 43)
    assert Spot.of(made_up.answer().citations[0]) == Spot(3, 5, 34)
    assert Spot.of(made_up.hits()[0]) == Spot(1)


def test_only_some_kinds_and_words_are_shown(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    every = len(place._items)
    place.filter.kind.setCurrentIndex(KINDS.index("planned"))
    assert {bar.item.planned for bar in place.plot._layout.bars} == {True}
    place.filter.kind.setCurrentIndex(KINDS.index("contested"))
    assert {bar.item.contested for bar in place.plot._layout.bars} == {True}
    place.filter.kind.setCurrentIndex(KINDS.index("changed"))
    assert "lives_in" in [lane.name for lane in place.plot._layout.lanes]
    place.filter.kind.setCurrentIndex(KINDS.index("all"))
    place.filter.words.setText("lives in")
    assert [lane.name for lane in place.plot._layout.lanes] == ["lives_in"]
    place.filter.words.clear()
    assert place._count.text() == f"{every} entries"


def test_a_pinned_lane_stands_above_the_others(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    lowest = place.plot._layout.lanes[-1].name
    place.plot.choose(next(one for one in place.plot._items if lane_of(one) == lowest))
    qtbot.keyClick(place.plot, Qt.Key.Key_P)
    assert place.plot._layout.lanes[0].name == lowest
    qtbot.keyClick(place.plot, Qt.Key.Key_P)
    assert place.plot._layout.lanes[-1].name == lowest


def test_a_click_on_a_name_pins_it_and_shows_that(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    place.plot.grab()
    rect, head = place.plot._look.heads[1]
    assert (head.kind, head.pinned) == ("lane", False)
    qtbot.mouseClick(
        place.plot._plot.viewport(), Qt.MouseButton.LeftButton, pos=rect.center().toPoint()
    )
    assert place.plot._layout.lanes[0].name == head.name
    place.plot.grab()
    assert place.plot._look.heads[0][1].pinned
    assert "let it go" in place.plot._hint_at(place.plot._look.heads[0][0].center())


@pytest.mark.parametrize(
    ("grouping", "groups"),
    [
        ("none", []),
        ("area", ["home", "work", "tastes", "doings", "plans"]),
        ("state", ["holding", "planned", "over", "events"]),
        ("teller", ["Nora Lind", ""]),
        ("person", ["", "Ben Okafor"]),
    ],
)
def test_lanes_are_put_together(qtbot: QtBot, desk: Desk, grouping: str, groups: list[str]) -> None:
    place = shown(qtbot, desk)
    place.filter.group.setCurrentIndex(GROUPINGS.index(grouping))
    layout = place.plot._layout
    assert [group.name for group in layout.groups] == groups
    assert len(layout.bars) + len(layout.points) >= len(place.plot._items) - 1
    tops = [lane.top for lane in layout.lanes]
    assert tops == sorted(tops)
    for group in layout.groups:
        assert group_name(grouping, group.name)


def test_a_group_is_folded_by_a_click_and_unfolded_again(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    place.filter.group.setCurrentIndex(GROUPINGS.index("state"))
    every = len(place.plot._layout.bars)
    place.plot.grab()
    rect, head = next(one for one in place.plot._look.heads if one[1].kind == "group")
    viewport = place.plot._plot.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=rect.center().toPoint())
    assert place.plot._layout.groups[0].folded
    assert 0 < len(place.plot._layout.bars) < every
    place.plot.fold(head.name)
    assert len(place.plot._layout.bars) == every


def test_the_card_over_a_bar_tells_value_dates_certainty_and_words() -> None:
    card = item_html(replace(ITEMS[0], label="Eastport <3", contested=True))
    assert "Eastport &lt;3" in card
    assert "10 Feb 2023 – now" in card
    assert "●●●●○" in card
    assert "sure (86 %)" in card
    assert "I moved to Eastport yesterday" in card
    assert "⚠ contested" in card


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Jonas Weber", "JW"), ("ada", "A"), ("李雪", "李"), ("+49 171 39", "#"), ("", "?"),
     ("Ana de Souza", "AS"), ("🙂", "🙂"), ("Route 66", "R")],
)  # fmt: skip
def test_initials(name: str, letters: str) -> None:
    assert initials(name) == letters


def test_the_people_of_an_entry_are_told_with_it(tmp_path: Path) -> None:
    with real_memory(tmp_path) as memory:
        with memory._ws.vault.write() as db:
            (fact,) = find_facts(db, ids=[3])
            like = NewFact(
                subject_id=1,
                property_id=fact.property_id,
                value="Ben",
                value_type=fact.value_type,
                validity=Validity(start=fact.valid_from),
                quotes=(Quote(3, 0, 1, "I"),),
                confidence=0.9,
                value_entity_id=2,
            )
            friend = append_fact(db, like, recorded_at_ms=0)
        _, told = memory.timeline(1)
    assert {one.fact_id: one.people for one in told} == {friend: ("Ben",), 3: (), 4: ()}


def test_what_is_drawn_is_drawn_the_same_from_what_was_kept(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    first = place.plot.grab().toImage()
    assert place.plot._bars._kept.shapes
    assert place.plot.grab().toImage() == first
    place.plot._bars._kept.make_room("another font")
    assert not place.plot._bars._kept.shapes
    assert place.plot.grab().toImage() == first


@pytest.mark.parametrize(
    ("ending", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("ics", b"BEGIN:VCALENDAR")]
)
def test_it_is_saved_in_three_forms(
    qtbot: QtBot, desk: Desk, tmp_path: Path, ending: str, begins: bytes
) -> None:
    place = shown(qtbot, desk)
    path = tmp_path / f"life.{ending}"
    place.save(path)
    content = path.read_bytes()
    assert content.startswith(begins)
    if ending == "svg":
        assert b"Eastport" in content
    if ending == "ics":
        assert b"SUMMARY:Nora Lind: lives in Eastport" in content


@pytest.mark.parametrize(
    ("kind", "begins"), [("PNG (*.png)", b"\x89PNG"), ("Calendar (*.ics)", b"BEGIN:VCALENDAR")]
)
def test_a_name_without_an_ending_gets_that_of_the_chosen_kind(
    qtbot: QtBot, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str,
    begins: bytes,
) -> None:  # fmt: skip
    place = shown(qtbot, desk)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "life"), kind))
    place._on_save()
    (made,) = tmp_path.glob("life.*")
    assert made.read_bytes().startswith(begins)


def test_what_cannot_be_saved_is_told(
    qtbot: QtBot, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = shown(qtbot, desk)
    (tmp_path / "file").write_text("")
    nowhere = str(tmp_path / "file" / "life.svg")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (nowhere, "SVG (*.svg)"))
    with qtbot.waitSignal(desk.failed) as told:
        place._on_save()
    assert "cannot be written" in str(told.args[0])


def test_the_wheel_zooms_and_a_drag_pans(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    place.plot.grab()
    viewport, view = place.plot._plot.viewport(), place.plot._plot
    low, high = view.viewRange()[0]
    middle = QPointF(viewport.rect().center())
    for turned, wanted in ((120, 1), (-120, -1)):
        before = view.viewRange()[0][1] - view.viewRange()[0][0]
        wheel = QWheelEvent(
            middle, viewport.mapToGlobal(middle), QPoint(), QPoint(0, turned),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(viewport, wheel)
        after = view.viewRange()[0][1] - view.viewRange()[0][0]
        assert (before - after) * wanted > 0
    chosen: list[object] = []
    place.plot.chosen.connect(chosen.append)
    low, high = view.viewRange()[0]
    start = viewport.rect().center()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 12):
        move = QMouseEvent(
            QEvent.Type.MouseMove, QPointF(start + QPoint(10 * step, 0)),
            QPointF(viewport.mapToGlobal(start + QPoint(10 * step, 0))),
            Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
        )  # fmt: skip
        QApplication.sendEvent(viewport, move)
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=start + QPoint(110, 0))
    moved_low, moved_high = view.viewRange()[0]
    assert moved_low < low  # the past comes into view
    assert moved_high - moved_low == pytest.approx(high - low)
    assert chosen == []  # a drag is no click


def test_it_reaches_from_an_hour_to_centuries(qtbot: QtBot, desk: Desk) -> None:
    place = shown(qtbot, desk)
    for factor, span_s in ((1e-9, 3600.0), (1e12, 300 * 365.25 * 86_400)):
        place.plot.zoom(factor)
        low, high = place.plot._plot.viewRange()[0]
        assert high - low == pytest.approx(span_s, rel=0.01)
        place.plot.grab()


def test_hovering_shows_the_card(qtbot: QtBot, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    place = shown(qtbot, desk)
    place.plot.grab()
    rect, _ = next(hit for hit in place.plot._look.hits if hit[1].label == "Eastport")
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, *_: told.append(text))
    at, viewport = rect.center().toPoint(), place.plot._plot.viewport()
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, at, viewport.mapToGlobal(at)))
    for words in ("Eastport", "10 Feb 2023 – now", "sure (86 %)", "moved to Eastport yesterday"):
        assert words in told[0]


def test_what_was_known_then_is_fetched_anew(qtbot: QtBot, tmp_path: Path) -> None:
    with real_memory(tmp_path) as memory:
        runner = InlineRunner()
        place = TimelinePlace(Desk(memory, runner))
        qtbot.addWidget(place)
        place.show()
        memory.correct(4, "Braga")  # recorded later than all else
        place.open_entity(1)
        assert "Braga" in [bar.item.label for bar in place.plot._layout.bars]
        place.known_at.slider.setValue(500)
        place.fetch()
        labels = [bar.item.label for bar in place.plot._layout.bars]
        assert "Braga" not in labels
        assert "Lisbon" in labels
        runner.close()


def test_a_click_on_what_was_done_opens_the_history_of_that(qtbot: QtBot, desk: Desk) -> None:
    place = TimelinePlace(desk)
    qtbot.addWidget(place)
    place.show()
    place.open_entity(1)
    done = replace(ITEMS[0], lane="deed", label="lives in Eastport", deed="lives_in")
    place.plot.chosen.emit(done)
    assert place.history.versions.rowCount() > 0


def test_a_history_in_large_letters_takes_the_room_of_tools_and_sliders(
    qtbot: QtBot, desk: Desk
) -> None:
    place = TimelinePlace(desk)
    qtbot.addWidget(place)
    place.resize(900, place.fontMetrics().height() * 25)
    place.show()
    place.open_history(1, "lives_in")
    assert not place.as_of.isVisible()
    assert not place.filter.widgets()[0].isVisible()
    place.hide_history()
    assert place.as_of.isVisible()
    assert place.filter.widgets()[0].isVisible()
