"""Each item model keeps Qt's rules, and says what a user looks for."""

import importlib
import re
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QAbstractListModel, QAbstractTableModel, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

import apexmem_desktop.ui
from apexmem_desktop.domain.answers import DialogueSummary
from apexmem_desktop.domain.graph import FactLink, LinkKind
from apexmem_desktop.domain.interval import TimeSource
from apexmem_desktop.domain.reports import Difference
from apexmem_desktop.ui.card_list import NOTE_ROLE, CardListModel
from apexmem_desktop.ui.changes_dialog import ChangesModel
from apexmem_desktop.ui.desk import Spot
from apexmem_desktop.ui.fact_list import FACT_ROLE, FactListModel
from apexmem_desktop.ui.history_links import find_ties
from apexmem_desktop.ui.history_model import HistoryModel
from apexmem_desktop.ui.source_model import SourceModel
from apexmem_desktop.ui.table import Table
from apexmem_desktop.ui.turn_list import MARK_ROLE, NEW_DAY_ROLE, TurnListModel
from tests.ui import made_up


def row_texts(model: HistoryModel | SourceModel, row: int) -> list[str]:
    return [str(model.index(row, column).data()) for column in range(model.columnCount())]


def test_history(qtmodeltester: ModelTester) -> None:
    model = HistoryModel()
    qtmodeltester.check(model, force_py=False)
    model.show(made_up.FACTS[:2])
    assert row_texts(model, 0)[:6] == ["Eastport", "", "holds now", "10 Feb 2023", "now", "86 %"]
    assert row_texts(model, 1)[2:5] == ["over", "by 1 Jun 2021", "10 Feb 2023"]
    hint = model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "I moved to Eastport yesterday" in hint


def test_history_shows_what_took_the_place_of_what(qtmodeltester: ModelTester) -> None:
    ended = replace(made_up.bound("2023-02-10"), source=TimeSource.NEXT_VALUE)
    link = FactLink(3, 1, LinkKind.CORROBORATES, "rule", "said again")
    new = replace(made_up.FACTS[0], links=(link,))
    old = replace(made_up.FACTS[1], effective_to=ended)
    model = HistoryModel()
    qtmodeltester.check(model, force_py=False)
    model.show((new, old))
    column = model.COLUMNS.index("links")
    assert [model.index(row, column).data() for row in range(2)] == ["↓✓", "↑"]
    hint = model.index(1, column).data(Qt.ItemDataRole.ToolTipRole)
    assert hint == "was replaced by Eastport"


def test_history_says_who_disagrees() -> None:
    ties = find_ties(made_up.FACTS[4:6])
    assert [tie.words for tie in ties[5]] == ["disagrees with Lumen Studio"]


def test_a_possible_cause_is_called_possible() -> None:
    cause = FactLink(1, 99, LinkKind.POSSIBLY_CAUSES, "rule", "possible only")
    effect = FactLink(98, 1, LinkKind.POSSIBLY_CAUSES, "rule", "possible only")
    fact = replace(made_up.FACTS[0], id=1, links=(cause, effect))
    assert [(tie.sign, tie.words) for tie in find_ties([fact])[1]] == [
        ("?", "possibly led to another entry"),
        ("?", "possibly because of another entry"),
    ]


def test_a_table_shows_all_its_columns(qtbot: QtBot) -> None:
    model = HistoryModel()
    table = Table(model, "history")
    qtbot.addWidget(table)
    table.resize(560, 300)
    table.show()
    model.show(made_up.FACTS[:4])
    assert table.horizontalScrollBar().maximum() == 0
    assert all(table.columnWidth(n) > 20 for n in range(model.columnCount()))


def test_of_many_rows_only_those_in_sight_are_measured(qtbot: QtBot) -> None:
    long = replace(made_up.FACTS[0], value=" ".join(["a long way to say where she lives"] * 6))
    facts = [replace(long, id=number) for number in range(1, 401)]
    model = HistoryModel()
    table = Table(model, "history")
    qtbot.addWidget(table)
    table.resize(560, 300)
    table.show()
    model.show(facts)
    one_line = table.verticalHeader().defaultSectionSize()
    assert table.rowHeight(0) > one_line
    assert table.rowHeight(399) == one_line
    for _ in range(20):  # what comes into sight is measured, and pushes the last down
        table.scrollToBottom()
        QApplication.processEvents()
    assert table.rowHeight(399) > one_line
    model.show(facts[:3])
    assert [table.rowHeight(row) for row in range(3)] == [table.rowHeight(0)] * 3
    assert table.rowHeight(0) > one_line


def test_what_was_said_again_is_listed_once() -> None:
    again = replace(made_up.FACTS[0], id=11, valid_from=made_up.said_by("2023-09-01"))
    model = FactListModel()
    model.show((again, made_up.FACTS[0]))
    facts = [model.index(row).data(FACT_ROLE) for row in range(model.rowCount())]
    assert facts == [None, made_up.FACTS[0]]


def test_sources(qtmodeltester: ModelTester) -> None:
    model = SourceModel()
    qtmodeltester.check(model, force_py=False)
    model.show(made_up.SOURCES)
    newest = row_texts(model, 0)
    assert newest[0] == "Coast group.zip"
    assert newest[5:] == ["month first (guess)", "1"]


def test_facts(qtmodeltester: ModelTester) -> None:
    model = FactListModel()
    qtmodeltester.check(model, force_py=False)
    model.show(made_up.FACTS)
    assert model.index(0).data(FACT_ROLE) is None
    assert model.index(1).data(FACT_ROLE) == made_up.FACTS[0]


def test_cards(qtmodeltester: ModelTester) -> None:
    model = CardListModel()
    qtmodeltester.check(model, force_py=False)
    model.show(made_up.ENTITIES)
    assert model.index(0).data() == "Nora Lind"
    assert model.index(0).data(NOTE_ROLE) == "person · 10 facts"
    model.show(made_up.CONVERSATIONS)
    assert model.find_row(3) == 2
    assert "56 messages" in model.index(2).data(NOTE_ROLE)


def test_dialogues(qtmodeltester: ModelTester) -> None:
    model = CardListModel()
    qtmodeltester.check(model, force_py=False)
    model.show((DialogueSummary(7, "Where does Nora live?", 3, made_up.NOW_MS),))
    index = model.index(model.find_row(7))
    assert index.data() == index.data(Qt.ItemDataRole.ToolTipRole) == "Where does Nora live?"
    assert index.data(NOTE_ROLE).endswith("3 questions")
    model.show(())
    assert model.find_row(7) == -1


def test_changes(qtmodeltester: ModelTester) -> None:
    before, after = made_up.FACTS[1], made_up.FACTS[0]
    model = ChangesModel()
    qtmodeltester.check(model, force_py=False)
    model.show((Difference("lives_in", before, after, after.valid_from),))
    assert model.rowCount() == 1
    model.show(())
    assert model.rowCount() == 0


def test_every_item_model_of_the_window_is_under_the_tester() -> None:
    for path in Path(apexmem_desktop.ui.__file__).parent.glob("*.py"):
        importlib.import_module(f"apexmem_desktop.ui.{path.stem}")
    kinds = [*_narrowest(QAbstractListModel), *_narrowest(QAbstractTableModel)]
    ours = {kind.__name__ for kind in kinds if kind.__module__.startswith("apexmem_desktop")}
    tested = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for test in re.split(r"^def ", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            if "qtmodeltester.check(model" in test:
                tested |= set(re.findall(r"model = (\w+)\(", test))
    assert ours >= {"CardListModel", "TurnListModel"}
    assert ours <= tested


def test_turns(qtmodeltester: ModelTester) -> None:
    model = TurnListModel()
    qtmodeltester.check(model, force_py=False)
    turns = made_up.turns()
    model.show(turns[:4], Spot(3, 5, 34))
    model.append(turns[4:])
    assert model.rowCount() == len(turns)
    assert [row for row in range(len(turns)) if model.index(row).data(NEW_DAY_ROLE)] == [0, 6]
    assert model.index(2).data(MARK_ROLE) == Spot(3, 5, 34)
    assert model.index(1).data(MARK_ROLE) is None
    assert model.index(0).data().startswith("Nora Lind, 11 Feb 2023, 10:12: Morning!")


def _narrowest(kind: type) -> list[type]:
    """Give the kinds that are made: what only others are made from is tested with them."""
    narrower = kind.__subclasses__()
    return [one for each in narrower for one in _narrowest(each)] if narrower else [kind]
