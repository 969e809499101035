"""Looking after the memory from the window: erasing, copies, the queue, models, a passphrase."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.progress import CancelToken, Progress
from apexmem_desktop.domain.reading import Machine
from apexmem_desktop.domain.reports import Changes, EraseScope, ImportChoices
from apexmem_desktop.services import models, samples
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.ui.build_job import BuildState
from apexmem_desktop.ui.data_card import FORMS
from apexmem_desktop.ui.dates import day_text, duration_text
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.erase_dialog import EraseDialog
from apexmem_desktop.ui.first_run import FirstRun
from apexmem_desktop.ui.import_dialog import ImportDialog
from apexmem_desktop.ui.imports_place import ImportsPlace
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.model_row import ModelRow
from apexmem_desktop.ui.models_place import ModelsPlace
from apexmem_desktop.ui.passphrase_dialog import NewPassphraseDialog, PassphraseDialog
from apexmem_desktop.ui.queue_model import SHARE_ROLE, QueueModel
from apexmem_desktop.ui.screenshots import settle
from apexmem_desktop.ui.settings_place import SettingsPlace
from apexmem_desktop.ui.tasks import TaskRunner
from apexmem_desktop.ui.theme import theme
from tests.ui import made_up
from tests.ui.fake_memory import FakeMemory, HeldRunner
from tests.ui.fake_upkeep import QUEUES


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Desk]:
    """A desk on a vault with the sample chats."""
    path = tmp_path / "m.apexmem"
    workspace = Workspace(path, settings=Settings(zone="UTC"), models_dir=tmp_path)
    samples.import_samples(workspace)
    memory = Memory(workspace, path)
    tasks = TaskRunner()
    yield Desk(memory, tasks)
    tasks.close()
    memory.close()


@pytest.fixture
def frame(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


def test_an_import_is_removed_after_a_typed_word(qtbot: QtBot, real: Desk, frame: QWidget) -> None:
    sources = real.memory.sources()
    dialog = EraseDialog(real, frame, EraseScope("source", sources[0].id))
    dialog.show()
    settle(real.tasks)
    assert f"{sources[0].turns_new} messages" in dialog.what.text()
    assert not dialog.go.isEnabled()
    dialog.word.setText("Erase")
    assert dialog.go.isEnabled()
    with qtbot.waitSignal(dialog.erased):
        dialog.go.click()
    settle(real.tasks)
    left = real.memory.sources()
    assert [one.id for one in left] == [one.id for one in sources[1:]]
    assert real.memory.status().turns == sum(one.turns_new for one in left)


def test_everything_can_be_erased_and_nothing_is_without_a_choice(
    real: Desk, frame: QWidget
) -> None:
    dialog = EraseDialog(real, frame)
    settle(real.tasks)
    dialog.kind.setCurrentIndex(2)
    settle(real.tasks)
    assert dialog.scope() == EraseScope("all")
    assert dialog.which.isHidden()
    dialog.kind.setCurrentIndex(1)
    settle(real.tasks)
    if dialog.which.count() == 0:
        assert dialog.scope() is None
        dialog.word.setText("erase")
        assert not dialog.go.isEnabled()


def test_a_backup_is_made_and_brought_back(
    qtbot: QtBot, real: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "safe" / "copy.apexmem"
    place = SettingsPlace(real)
    qtbot.addWidget(place)
    place.show()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(copy), ""))
    place.backups.back_up()
    settle(real.tasks)
    assert copy.is_file()
    assert place.backups.dialog is not None
    assert str(copy) in place.backups.dialog.words.text()
    assert str(copy) in place.backups.last.text()
    place.backups.dialog.close()
    turns = real.memory.status().turns
    real.memory.erase(EraseScope("all"))
    assert real.memory.status().turns == 0
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(copy), ""))
    place.backups.restore()
    asked = place.backups.question
    assert isinstance(asked, QMessageBox)
    assert real.memory.status().turns == 0  # it is asked first
    asked.button(QMessageBox.StandardButton.Yes).click()
    settle(real.tasks)
    assert real.memory.status().turns == turns
    with qtbot.waitSignal(real.look_changed):
        place.backups.dialog.close()


def test_the_passphrase_of_a_backup_is_typed_unseen(
    qtbot: QtBot, desk: Desk, memory: FakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.backup_is_encrypted = True
    place = SettingsPlace(desk)
    qtbot.addWidget(place)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("/safe/copy.apexmem", ""))
    place.backups.restore()
    asked = place.backups.question
    assert isinstance(asked, PassphraseDialog)
    assert "copy.apexmem" in asked.words.text()
    assert "kept beside it" in asked.more.text()
    asked.field.setText("correct horse")
    assert asked.field.displayText() == "●" * len("correct horse")
    asked.shown.click()
    assert asked.field.displayText() == "correct horse"
    asked.accept()
    assert memory.restored == [(Path("/safe/copy.apexmem"), "correct horse")]


def test_any_model_that_is_here_is_tried_and_how_it_did_is_kept(
    qtbot: QtBot, desk: Desk, memory: FakeMemory
) -> None:
    other = replace(made_up.MODELS[1], present=True, in_use=False)
    line = ModelRow(desk, other)
    qtbot.addWidget(line)
    line.show()
    assert line._test.isVisible()
    line._test.click()
    day = day_text(made_up.NOW_MS)
    told = f"Tried on {day} on Swift CPU, 4 × CPU, 8 GB: 5 of 6 questions right"
    assert line._told.text().startswith(told)
    assert list(memory.tests_kept) == [other.name]
    place = ModelsPlace(desk)  # the next time
    qtbot.addWidget(place)
    place.show()
    assert place.rows[other.name]._told.text().startswith(told)
    assert not place.rows[made_up.MODELS[0].name]._told.isVisible()


def test_a_fetch_goes_on_whichever_page_shows_it(qtbot: QtBot, memory: FakeMemory) -> None:
    runner = HeldRunner()
    desk = Desk(memory, runner)
    absent = replace(made_up.MODELS[1], present=False, can_pull=True)
    line = ModelRow(desk, absent)
    line.pull()
    line.deleteLater()
    QCoreApplication.sendPostedEvents(line, QEvent.Type.DeferredDelete)
    later = ModelRow(desk, absent)
    qtbot.addWidget(later)
    later.show()
    assert later._cancel.isVisible()
    assert not later._pull.isVisible()
    desk.jobs.running[0].show(Progress("", 300, 1200, "bytes"))
    assert later._bar.value() == 250
    later.pull()
    assert len(runner.held) == 1  # it is fetched once
    later._cancel.click()
    runner.let_go()
    assert desk.jobs.running == ()
    assert later._pull.isVisible()
    runner.close()


def ida_and_max(real: Desk, folder: Path) -> tuple[Path, int]:
    """An import of two messages whose dates can be read in two ways."""
    file = folder / "WhatsApp Chat with Ida.txt"
    file.write_text("03/04/2023, 10:00 - Ida: hello\n05/04/2023, 10:00 - Max: hi\n")
    real.memory.import_file(file, ImportChoices(date_order="dmy"), lambda _: None, CancelToken())
    return file, max(source.id for source in real.memory.sources())


def first_said_ms(real: Desk, file: Path) -> int | None:
    title = "Ida"
    chat = next(one for one in real.memory.conversations() if title in one.title)
    return chat.first_at_ms


@pytest.mark.parametrize(
    ("what", "value", "said_at"),
    [("order", "mdy", "2023-03-04T10:00"), ("zone", "Asia/Tokyo", "2023-04-03T01:00")],
)
def test_an_import_is_read_again_with_another_order_or_zone(
    qtbot: QtBot, real: Desk, tmp_path: Path, what: str, value: str, said_at: str
) -> None:
    file, source_id = ida_and_max(real, tmp_path)
    before = real.memory.status().turns
    assert first_said_ms(real, file) == made_up.at("2023-04-03T10:00")
    dialog = ImportDialog(real, [file], replaces=source_id)
    qtbot.addWidget(dialog)
    dialog.show()
    settle(real.tasks)
    box = dialog.preview.order if what == "order" else dialog.preview.zone
    box.setCurrentIndex(box.findData(value) if what == "order" else box.findText(value))
    box.activated.emit(box.currentIndex())
    settle(real.tasks)
    assert dialog.store.isEnabled()
    dialog.start()
    settle(real.tasks)
    assert real.memory.status().turns == before
    newest = max(real.memory.sources(), key=lambda one: one.id)
    assert newest.file == file.name
    assert value in (newest.date_order, newest.zone)
    assert first_said_ms(real, file) == made_up.at(said_at)


def test_the_queue_tells_and_takes_orders(qtbot: QtBot, real: Desk) -> None:
    place = ImportsPlace(real)
    qtbot.addWidget(place)
    place.show()
    place.show_queue()
    settle(real.tasks)
    page = place.queue
    assert "wait to be read" in page.summary.text()
    last = page.queues.rowCount() - 1
    waiting = [row for row in range(last + 1) if page.queues.row(row).pending]
    wanted = page.queues.row(waiting[-1]).conversation_id
    page.table.selectRow(waiting[-1])
    page.first.click()
    settle(real.tasks)
    assert page.queues.row(0).conversation_id == wanted
    assert page.queues.index(0, 0).data().endswith("(comes first)")


def test_what_failed_is_shown_with_a_way_to_try_again(
    qtbot: QtBot, desk: Desk, memory: FakeMemory
) -> None:
    place = ImportsPlace(desk)
    qtbot.addWidget(place)
    place.show()
    page = place.queue
    assert not page.retry.isHidden()
    told = " ".join(one.text() for one in page.findChildren(QLabel))
    assert "cut off" in told  # why
    with qtbot.waitSignal(desk.build_asked):
        page.retry.click()
    assert memory.retried == 1
    assert page.retry.isHidden()


def test_the_queue_tells_its_pace_and_has_no_dead_buttons(
    qtbot: QtBot, desk: Desk, memory: FakeMemory
) -> None:
    place = ImportsPlace(desk)
    qtbot.addWidget(place)
    place.show()
    page = place.queue
    assert page.go_on.isEnabled()  # 120 messages wait, and nothing is read
    assert not page.hold.isEnabled()
    reading = Progress("reading", 20, 120, "turns", "", 10.0)
    desk.build_told.emit(BuildState("reading", reading))
    assert not page.go_on.isEnabled()
    assert page.hold.isEnabled()
    assert "2.0 a second" in page.pace.text()
    assert f"about {duration_text(50)} left" in page.pace.text()
    assert page.queues.index(0, 3).data() == duration_text(60)
    desk.build_told.emit(BuildState("paused", reading))
    assert page.pace.text() == "Reading is paused"
    assert page.go_on.isEnabled()
    desk.build_told.emit(BuildState())
    assert page.pace.isHidden()


def test_the_queue_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = QueueModel()
    qtmodeltester.check(model, force_py=False)
    model.show(QUEUES)
    assert [model.index(0, n).data() for n in range(6)] == [
        *("Nora & Ben", "62 %", "120", "–", "20", "2")
    ]
    model.show_rate(2.0)
    assert model.index(0, 3).data() == duration_text(60)
    assert model.index(1, 3).data() == "–"  # all of it has been read


def test_a_model_is_checked_and_tried(qtbot: QtBot, desk: Desk, memory: FakeMemory) -> None:
    place = ModelsPlace(desk)
    qtbot.addWidget(place)
    place.show()
    used = place.rows["small-writer-1.5b"]
    assert used._fits.isHidden()
    used._check.click()
    assert used._told.text() == "The file is whole."
    used._test.click()
    assert "8 GB: 5 of 6 questions right; it reads 166" in used._told.text()
    assert place.rows["tiny-writer-0.5b"]._test.isHidden()
    assert "4 processor threads" in place.machine.text()


def test_a_new_memory_gets_a_passphrase(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "new.apexmem"
    memory = Memory(Workspace(path, settings=Settings(), models_dir=tmp_path), path)
    tasks = TaskRunner()
    page = FirstRun(Desk(memory, tasks))
    qtbot.addWidget(page)
    page.show()
    page.refresh()
    settle(tasks)
    page.protect.click()
    assert page.dialog is not None
    page.dialog.first.setText("a few plain words")
    page.dialog.second.setText("a few plain words")
    page.dialog.keep.click()
    settle(tasks)
    assert memory.status().encrypted
    assert page.protect.isHidden()
    tasks.close()
    memory.close()


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [("short", "short", "at least 8"), ("long enough", "long enouhg", "not the same")],
)
def test_a_passphrase_that_will_not_do(qtbot: QtBot, first: str, second: str, told: str) -> None:
    dialog = NewPassphraseDialog()
    qtbot.addWidget(dialog)
    dialog.first.setText(first)
    dialog.second.setText(second)
    assert told in dialog.problem.text()
    assert not dialog.keep.isEnabled()


def test_a_filled_memory_gets_a_passphrase_and_loses_it_to_who_knows_it(
    qtbot: QtBot, desk: Desk, memory: FakeMemory
) -> None:
    place = SettingsPlace(desk)
    qtbot.addWidget(place)
    place.show()
    card = place.passphrase
    assert (card.protect.isVisible(), card.remove.isVisible()) == (True, False)
    card.protect.click()
    assert isinstance(card.dialog, NewPassphraseDialog)
    for field in (card.dialog.first, card.dialog.second):
        field.setText("four plain words here")
    card.dialog.keep.click()
    assert memory.passphrase == "four plain words here"
    assert (card.protect.isVisible(), card.remove.isVisible()) == (False, True)
    card.remove.click()
    for words in ("a guess", "four plain words here"):
        assert memory.passphrase == "four plain words here"
        assert isinstance(card.dialog, PassphraseDialog)
        card.dialog.field.setText(words)
        card.dialog.accept()
    assert memory.passphrase == ""
    assert card.protect.isVisible()


def test_text_size_threads_and_hours_are_kept(qtbot: QtBot, desk: Desk, memory: FakeMemory) -> None:
    place = SettingsPlace(desk)
    qtbot.addWidget(place)
    place.text_size.setCurrentIndex(place.text_size.findData(150))
    with qtbot.waitSignal(desk.look_changed):
        place.text_size.activated.emit(0)
    place.when.setCurrentIndex(place.when.findData("mains"))
    place.threads.setCurrentIndex(place.threads.findData(2))
    with qtbot.waitSignal(desk.build_asked):
        place.threads.activated.emit(0)
    place.told.setChecked(False)
    kept = memory.kept
    assert (kept.text_percent, kept.build_when, kept.threads, kept.quiet) == (150, "mains", 2, True)


def test_a_plan_needs_a_folder(
    qtbot: QtBot, desk: Desk, memory: FakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = SettingsPlace(desk)
    qtbot.addWidget(place)
    card = place.backups
    folder = ""
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: folder)
    card.every.setCurrentIndex(card.every.findData(7))
    card.every.activated.emit(0)
    assert card.every.currentData() == 0
    folder = "/home/someone/safe"
    card.every.setCurrentIndex(card.every.findData(7))
    card.every.activated.emit(0)
    card.kept.setValue(3)
    kept = memory.kept
    assert (kept.backup_folder, kept.backup_every_days, kept.backups_kept) == (folder, 7, 3)


def test_nothing_is_left_waiting(qtbot: QtBot, desk: Desk) -> None:
    """A change that touches no fact and no import does not refresh the imports."""
    place = ImportsPlace(desk)
    qtbot.addWidget(place)
    assert not place.cares_for(Changes(models=True))
    assert place.cares_for(Changes(facts=True))
    assert not any(timer.isActive() for timer in place.findChildren(QTimer))


def test_a_stage_gets_a_model_of_its_own(qtbot: QtBot, desk: Desk, memory: FakeMemory) -> None:
    place = ModelsPlace(desk)
    qtbot.addWidget(place)
    place.show()
    card = place.stages
    assert not card.isVisible()  # one model is here, so there is no choice
    here = tuple(
        replace(one, present=True, memory_bytes=2_000_000_000, stages=("answering",))
        for one in made_up.MODELS
    )
    card.show_models(here)
    box = card.boxes["answering"]
    assert card.isVisible()
    assert [box.itemData(number) for number in range(box.count())] == [
        "", "small-writer-1.5b", "tiny-writer-0.5b",
    ]  # fmt: skip
    assert "4.0 GB" in card.needs.text()
    box.setCurrentIndex(2)
    box.activated.emit(2)
    assert memory.kept.model_for("answering") == "tiny-writer-0.5b"
    card.show_models(here)
    assert box.currentData() == "tiny-writer-0.5b"


def test_the_choice_for_a_stage_is_kept_for_the_next_start(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APEXMEM_HOME", str(tmp_path / "home"))
    folder = tmp_path / "weights"
    for model in models.list_models(Settings(), folder):
        if model.use == "language":
            weights = folder / model.file
            weights.parent.mkdir(parents=True, exist_ok=True)
            weights.write_bytes(b"GGUF")
    chosen = ""
    for start in ("first", "next"):
        workspace = Workspace(tmp_path / "m.apexmem", models_dir=folder)
        memory, tasks = Memory(workspace, workspace.vault.path), TaskRunner()
        place = ModelsPlace(Desk(memory, tasks))
        qtbot.addWidget(place)
        place.show()
        settle(tasks)
        box = place.stages.boxes["answering"]
        assert place.stages.isVisible()
        if start == "first":
            box.setCurrentIndex(2)
            box.activated.emit(2)
            settle(tasks)
            chosen = box.currentData()
        assert box.currentData() == chosen != ""
        assert workspace.settings.model_for("answering") == chosen
        tasks.close()
        memory.close()


def test_the_memory_moves_and_the_old_file_goes_when_the_user_says_so(
    qtbot: QtBot, real: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APEXMEM_HOME", str(tmp_path / "home"))
    old, turns = real.memory.vault_path, real.memory.status().turns
    place = SettingsPlace(real)
    qtbot.addWidget(place)
    place.show()
    settle(real.tasks)
    assert place.data.remove.isHidden()
    target = tmp_path / "disk"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(target))
    place.data.choose_folder()
    settle(real.tasks)
    assert place.data.task is not None
    assert str(target / old.name) in place.data.task.words.text()
    assert str(target / old.name) in place.data.vault.text()
    assert real.memory.status().turns == turns
    place.data.task.close()
    assert str(old) in place.data.left.text()
    place.data.remove.click()
    settle(real.tasks)
    assert old.exists()  # it is asked first
    assert place.data.question is not None
    place.data.question.button(QMessageBox.StandardButton.Yes).click()
    settle(real.tasks)
    assert not old.exists()
    assert place.data.remove.isHidden()
    assert real.memory.status().turns == turns


@pytest.mark.parametrize(
    ("form", "file"), [("json", "turns.json"), ("markdown", "*.md"), ("ics", "memory.ics")]
)
def test_everything_is_exported_into_a_new_folder(
    qtbot: QtBot, real: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, file: str
) -> None:
    place = SettingsPlace(real)
    qtbot.addWidget(place)
    place.show()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    acts = place.data.export.menu().actions()
    assert len(acts) == len(FORMS)
    for again in ("", " 2"):
        acts[FORMS.index(form)].trigger()
        settle(real.tasks)
        folder = tmp_path / f"{real.memory.vault_path.stem} {form}{again}"
        assert list(folder.rglob(file))
        assert place.data.task is not None
        assert str(folder) in place.data.task.words.text()
        place.data.task.close()


def test_a_memory_that_cannot_be_moved_says_why_and_goes_on(
    qtbot: QtBot, real: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / real.memory.vault_path.name).write_text("another")
    place = SettingsPlace(real)
    qtbot.addWidget(place)
    place.show()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "disk"))
    place.data.choose_folder()
    settle(real.tasks)
    assert place.data.task is not None
    assert "already" in place.data.task.words.text()
    place.data.task.close()
    assert real.memory.status().turns > 0
    assert place.data.remove.isHidden()


def test_progress_by_chat_is_a_bar(qtbot: QtBot, desk: Desk) -> None:
    place = ImportsPlace(desk)
    qtbot.addWidget(place)
    place.resize(900, 600)
    place.show()
    page = place.queue
    done = page.queues.COLUMNS.index("done")
    assert page.queues.index(0, done).data(SHARE_ROLE) == pytest.approx(200 / 322)
    assert page.queues.index(0, 0).data(SHARE_ROLE) is None
    place.show_queue()
    shown = page.table.visualRect(page.queues.index(0, done))
    bar = page.table.viewport().grab(shown).toImage()
    inks = {bar.pixelColor(x, bar.height() // 2).name() for x in range(bar.width())}
    assert {theme().colour("accent").name(), theme().colour("line_strong").name()} <= inks


def test_a_fetch_that_was_stopped_offers_to_go_on(qtbot: QtBot, desk: Desk) -> None:
    begun = replace(made_up.MODELS[1], present=False, can_pull=True, pulled_bytes=300_000_000)
    line = ModelRow(desk, begun)
    qtbot.addWidget(line)
    assert line._pull.text().startswith("Go on (300 MB of ")
    line.show_model(replace(begun, pulled_bytes=0))
    assert line._pull.text().startswith("Download (")


def test_a_model_tells_whether_it_fits(qtbot: QtBot, desk: Desk) -> None:
    line = ModelRow(desk, replace(made_up.MODELS[0], memory_bytes=2_000_000_000))
    qtbot.addWidget(line)
    line.show_machine(Machine(8_000_000_000, 4_000_000_000, 4, on_battery=False))
    assert "needs 2.0 GB of memory · fits into what is free now" in line._facts.text()
    line.show_machine(Machine(8_000_000_000, 1_000_000_000, 4, on_battery=False))
    assert "fits" not in line._facts.text()
    assert line._fits.text() == "Needs 2.0 GB of memory; 1.0 GB are free now."
