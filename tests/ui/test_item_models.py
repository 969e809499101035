"""Each item model keeps Qt's rules, and says what a user looks for."""

from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester

from apexmem_desktop.ui.card_list import NOTE_ROLE, CardListModel
from apexmem_desktop.ui.desk import Spot
from apexmem_desktop.ui.fact_list import FACT_ROLE, FactListModel
from apexmem_desktop.ui.history_model import HistoryModel
from apexmem_desktop.ui.source_model import SourceModel
from apexmem_desktop.ui.turn_list import MARK_ROLE, NEW_DAY_ROLE, TurnListModel
from tests.ui import made_up


def row_texts(model: HistoryModel | SourceModel, row: int) -> list[str]:
    return [str(model.index(row, column).data()) for column in range(model.columnCount())]


def test_history(qtmodeltester: ModelTester) -> None:
    model = HistoryModel()
    qtmodeltester.check(model, force_py=False)
    model.show(made_up.FACTS[:2])
    assert row_texts(model, 0)[:5] == ["Eastport", "holds now", "10 Feb 2023", "now", "86 %"]
    assert row_texts(model, 1)[1:4] == ["over", "by 1 Jun 2021", "10 Feb 2023"]
    hint = model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "I moved to Eastport yesterday" in hint


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
