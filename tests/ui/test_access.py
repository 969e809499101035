"""Who cannot use a mouse, or hears instead of seeing, gets everywhere: names, order, contrast."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

import apexmem_desktop.ui
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.ui.build_job import BuildJob
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.rows import ClickRow
from apexmem_desktop.ui.shortcut_sheet import SHEET
from apexmem_desktop.ui.sidebar import PLACES
from apexmem_desktop.ui.theme import THEMES, load_theme
from apexmem_desktop.ui.timeline_plot import TimelinePlot
from tests.ui.fake_memory import FakeMemory, InlineRunner
from tests.ui.test_theme import contrast

UI = Path(apexmem_desktop.ui.__file__).parent
TOUCHED = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    ClickRow,
    TimelinePlot,
)
_SAME_LINE_PX = 24


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    runner = InlineRunner()
    desk = Desk(FakeMemory(), runner)
    made = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(made)
    made.resize(1500, 900)
    made.show()
    desk.spot_asked.emit(Spot(3, 5, 34))
    made.ask.ask("Where does Nora live now?")
    yield made
    runner.close()


def is_inner(widget: QWidget) -> bool:
    """Whether it is a part that Qt makes for another widget, which is the one to be named."""
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QComboBox | QAbstractSpinBox | QLineEdit | QAbstractItemView):
            return True
        if isinstance(widget, QScrollBar) and isinstance(above, QAbstractScrollArea):
            return True
        above = above.parentWidget()
    return widget.objectName().startswith("qt_")


@pytest.mark.parametrize("place", PLACES)
def test_everything_that_can_be_used_has_a_name(window: MainWindow, place: str) -> None:
    window.go_to(place)
    QApplication.processEvents()
    for widget in window.findChildren(QWidget):
        if not isinstance(widget, TOUCHED) or is_inner(widget):
            continue
        text = widget.text() if isinstance(widget, QAbstractButton) else ""
        assert text.strip() or widget.accessibleName(), (place, widget)


def chain(page: QWidget) -> list[QWidget]:
    """What Tab reaches inside a place, in the order it does."""
    found: list[QWidget] = []
    widget = page.nextInFocusChain()
    while widget is not page and widget is not None:
        by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if by_tab and widget.isVisible() and widget.isEnabled() and page.isAncestorOf(widget):
            found.append(widget)
        widget = widget.nextInFocusChain()
    return [one for one in found if not is_inner(one) and one.focusProxy() is None]


def beside_or_below(first: QRect, second: QRect) -> bool:
    """Whether a reader comes to the second after the first: further down, or on in the line."""
    same_column = first.left() < second.right() and second.left() < first.right()
    if same_column:
        return second.top() >= first.top() - _SAME_LINE_PX
    return second.left() > first.left() or second.top() >= first.bottom() - _SAME_LINE_PX


@pytest.mark.parametrize("place", PLACES)
def test_tab_goes_in_reading_order(window: MainWindow, place: str) -> None:
    window.go_to(place)
    QApplication.processEvents()
    page = window.stack.get(place)
    page.focusNextPrevChild(True)  # what Tab calls
    reached = chain(page)
    assert reached or place == "clarify"  # there nothing is open now
    boxes = [QRect(one.mapTo(page, QPoint(0, 0)), one.size()) for one in reached]
    for (first, a), (second, b) in pairwise(zip(reached, boxes, strict=True)):
        assert beside_or_below(a, b), (place, told(first), a, told(second), b)


def told(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton | QLabel | QLineEdit) else ""
    return f"{type(widget).__name__} {text or widget.accessibleName()}"


def ink_on_paper() -> list[tuple[str, str]]:
    """Each pair of colours that the style sheet writes words with."""
    sheet = (resources_dir() / "theme" / "window.qss").read_text(encoding="utf-8")
    pairs = set()
    for body in re.findall(r"\{([^}]*)\}", sheet):
        ink = re.search(r"(?<![\w-])color: \$(\w+)", body)
        paper = re.search(r"(?<![\w-])background: \$(\w+)", body)
        if ink and paper and ink[1] != "faint":  # what cannot be used now may be faint
            pairs.add((ink[1], paper[1]))
    grounds = ("window", "side", "card", "raised", "warn_soft", "accent_soft", "hover")
    pairs |= {(ink, paper) for ink in ("text", "muted") for paper in grounds}
    pairs |= {("accent", paper) for paper in ("window", "side", "card", "raised", "accent_soft")}
    pairs |= {("danger", paper) for paper in ("window", "card")}
    pairs |= {("warn", paper) for paper in ("window", "card", "warn_soft")}
    pairs |= {("text", paper) for paper in ("bubble", "bubble_own", "lane")}
    pairs |= {("muted", paper) for paper in ("bubble", "lane")}
    return sorted(pairs)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(("ink", "paper"), ink_on_paper())
def test_each_pair_of_colours_can_be_read(name: str, ink: str, paper: str) -> None:
    colours = load_theme(name).colours
    assert contrast(QColor(colours[ink]), QColor(colours[paper])) >= 4.5


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("ground", ["window", "card", "side"])
def test_faint_words_and_signs_are_still_seen(name: str, ground: str) -> None:
    theme = load_theme(name)
    paper = QColor(theme.colours[ground])
    assert contrast(QColor(theme.colours["faint"]), paper) >= 3.0
    for colour in theme.series:
        assert contrast(QColor(colour), paper) >= 3.0


def test_every_key_of_the_window_stands_on_the_sheet(window: MainWindow) -> None:
    for place in PLACES:
        window.go_to(place)
    window.timeline.open_history(1, "lives_in")
    written = " / ".join(keys for group in SHEET.values() for keys, _ in group)
    shown = {part.strip() for part in written.split(" / ")}
    ranges = {f"Ctrl+{n}" for n in range(1, len(PLACES) + 1)} | {str(n) for n in range(1, 10)}
    assert {"Ctrl+1 … Ctrl+8", "1 … 9"} <= shown
    for made in window.findChildren(QShortcut):
        assert made.key().toString() in shown | ranges, made.key().toString()
