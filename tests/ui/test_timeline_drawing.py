"""What a timeline looks like: words do not meet, and plans, doubts and vague dates are seen."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.avatar import speaker_colour
from apexmem_desktop.ui.theme import apply_theme, theme
from apexmem_desktop.ui.timeline_plot import TimelinePlot
from tests.ui import made_up
from tests.ui.made_up import at, bound

DAY_MS = 86_400_000
WORDS = ("Moved", "Broke her ankle while climbing", "Dinner", "Bought an old bicycle", "东京")
NO_WORDS_PX = 21.0  # a mark alone
SHEER = made_up.timeline_items()[0]


def drawn(qtbot: QtBot, items: list[TimelineItem], wide: int = 900) -> TimelinePlot:
    plot = TimelinePlot()
    qtbot.addWidget(plot)
    plot.resize(wide, 700)
    plot.show()
    QApplication.processEvents()
    plot.show_items(items, made_up.NOW_MS)
    plot.draw_now()
    return plot


def events(count: int) -> list[TimelineItem]:
    draw = random.Random(count)  # noqa: S311 - made-up events
    first = at("2022-01-01")
    return [
        TimelineItem(
            "event", "event", f"{draw.choice(WORDS)} {number}",
            replace(bound("2022-01-01"), earliest_ms=day, latest_ms=day),
            None, 0.8, False, False, None, number, (),
            people=("Ben Okafor",) if number % 3 == 0 else (),
        )
        for number in range(count)
        for day in [first + draw.randrange(700) * DAY_MS]
    ]  # fmt: skip


def meet(plot: TimelinePlot) -> list[tuple[str, str]]:
    """Give the pairs of which the words of one reach into the other."""
    labelled = [(rect, one.label) for rect, one in plot._look.hits if rect.width() > NO_WORDS_PX]
    found = []
    for number, (rect, label) in enumerate(labelled):
        for other, another in labelled[:number]:
            if rect.adjusted(2, 2, -2, -2).intersects(other.adjusted(2, 2, -2, -2)):
                found.append((label, another))
    return found


@pytest.mark.parametrize("percent", [100, 200])
@pytest.mark.parametrize("count", [5, 40, 300])
def test_the_words_of_events_never_meet_at_any_zoom(
    qtbot: QtBot, qapp: QApplication, count: int, percent: int
) -> None:
    apply_theme(qapp, "light", percent)
    plot = drawn(qtbot, events(count))
    for factor in (1.0, 3.0, 0.2, 0.5, 0.2, 0.2):
        plot.zoom(factor)
        plot.draw_now()
        assert meet(plot) == []
    plot.fit()
    plot.draw_now()
    assert any(rect.width() > NO_WORDS_PX for rect, _ in plot._look.hits)


def test_the_words_of_bars_do_not_meet_either(qtbot: QtBot) -> None:
    draw = random.Random(5)  # noqa: S311 - made-up facts
    items = [
        replace(
            SHEER,
            label=f"{draw.choice(WORDS)} {number}",
            start=replace(SHEER.start, earliest_ms=day, latest_ms=day),
            end=replace(SHEER.start, earliest_ms=day + 9 * DAY_MS, latest_ms=day + 9 * DAY_MS),
            fact_id=number,
        )
        for number in range(80)
        for day in [at("2022-01-01") + draw.randrange(700) * DAY_MS]
    ]
    plot = drawn(qtbot, items)
    for factor in (1.0, 2.0, 2.0, 0.1, 0.5):
        plot.zoom(factor)
        plot.draw_now()
        assert meet(plot) == []


def look_at(qtbot: QtBot, item: TimelineItem) -> tuple[QImage, QRectF]:
    """Draw one bar, without words, and give where it stands in the picture."""
    plot = drawn(qtbot, [replace(item, label="")])
    image = plot._plot.viewport().grab().toImage()
    return image, plot._look.hits[0][0]


def along(image: QImage, rect: QRectF) -> list[QColor]:
    """Give the colours along the middle of a bar."""
    y = round(rect.center().y())
    return [image.pixelColor(x, y) for x in range(round(rect.left()) + 8, round(rect.right()) - 8)]


def changes(colours: list[QColor]) -> int:
    return sum(one != other for one, other in pairwise(colours))


SURE = replace(
    SHEER,
    start=bound("2023-02-10"),
    end=bound("2023-12-10"),
    planned=False,
    contested=False,
)


def test_a_plan_is_hatched_and_what_holds_is_not(qtbot: QtBot) -> None:
    image, rect = look_at(qtbot, SURE)
    assert changes(along(image, rect)) <= 2 * 12  # only the grid shines through
    hatched, where = look_at(qtbot, replace(SURE, planned=True))
    assert changes(along(hatched, where)) > 60


def test_an_event_that_lasted_or_has_no_certain_day_has_a_span(qtbot: QtBot) -> None:
    paper, year = theme().colour("card"), bound("2023-02-01", "2023-11-30")
    event = replace(SURE, kind="event", lane="event", end=None, label="")
    told = {}
    for name, start in (("day", bound("2023-02-01")), ("year", year)):
        plot = drawn(
            qtbot, [replace(event, start=start), replace(event, start=bound("2024-02-01"))]
        )
        image = plot._plot.viewport().grab().toImage()
        rect = min((one for one, _ in plot._look.hits), key=QRectF.left)
        x, y = round(rect.center().x()) + 40, round(rect.center().y())
        told[name] = max(_apart(image.pixelColor(x, y + dy), paper) for dy in range(6, 14))
    assert told["year"] > told["day"] + 20


def test_the_faces_of_people_stand_before_the_words(qtbot: QtBot) -> None:
    plot = drawn(qtbot, [replace(SURE, label="", people=("Ben Okafor",))])
    image = plot._plot.viewport().grab().toImage()
    inked = [
        image.pixelColor(x, y)
        for rect, _ in plot._look.hits
        for x in range(round(rect.left()) + 6, round(rect.left()) + 40)
        for y in range(round(rect.top()) + 2, round(rect.bottom()) - 2)
    ]
    letters = speaker_colour("Ben Okafor")
    assert sum(_apart(one, letters) < 60 for one in inked) > 8


def test_what_did_not_hold_then_is_pale(qtbot: QtBot) -> None:
    plot = drawn(qtbot, [replace(SURE, label="")])
    paper, seen = theme().colour("card"), []
    for day in ("2023-06-01", "2024-02-01"):
        plot.show_as_of(at(day))
        image = plot._plot.viewport().grab().toImage()
        seen.append(_apart(along(image, plot._look.hits[0][0])[9], paper))
    assert seen[1] < seen[0] / 2


def test_what_is_contested_is_framed_in_the_colour_of_a_warning(qtbot: QtBot) -> None:
    image, rect = look_at(qtbot, replace(SURE, contested=True))
    x = round(rect.center().x())
    warn = theme().colour("warn")
    edge = [image.pixelColor(x, round(rect.top()) + dy) for dy in range(-2, 3)]
    assert any(_near(one, warn) for one in edge)
    plain, where = look_at(qtbot, SURE)
    edge = [plain.pixelColor(x, round(where.top()) + dy) for dy in range(-2, 3)]
    assert not any(_near(one, warn) for one in edge)


def test_a_vague_start_fades_in_and_a_sure_one_does_not(qtbot: QtBot) -> None:
    paper = theme().colour("card")
    vague = replace(SURE, start=bound("2023-02-10", "2023-08-10"))
    image, rect = look_at(qtbot, vague)
    colours = along(image, rect)
    strength = [_apart(one, paper) for one in colours[:: max(1, len(colours) // 12)]]
    assert strength[0] < strength[3] < strength[5]
    image, rect = look_at(qtbot, SURE)
    colours = along(image, rect)
    assert _apart(colours[4], paper) == pytest.approx(_apart(colours[len(colours) // 2], paper))


def _apart(one: QColor, other: QColor) -> int:
    pairs = zip(one.getRgb()[:3], other.getRgb()[:3], strict=True)  # type: ignore[index]
    return sum(abs(a - b) for a, b in pairs)


def _near(one: QColor, other: QColor) -> bool:
    return _apart(one, other) < 120
