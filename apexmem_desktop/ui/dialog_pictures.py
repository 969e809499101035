"""Opens each dialog over a memory that is shown, for its picture; nothing is written or sent."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtWidgets import QDialog, QWidget

from apexmem_desktop.domain.graph import Entity, Fact
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.progress import Progress
from apexmem_desktop.domain.reports import EraseScope
from apexmem_desktop.ui.changes_dialog import ChangesDialog
from apexmem_desktop.ui.correct_dialog import CorrectDialog
from apexmem_desktop.ui.crash_dialog import CrashDialog
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.erase_dialog import EraseDialog
from apexmem_desktop.ui.import_dialog import ImportDialog
from apexmem_desktop.ui.merge_dialog import MergeDialog
from apexmem_desktop.ui.passphrase_dialog import NewPassphraseDialog, PassphraseDialog
from apexmem_desktop.ui.remember_dialog import RememberDialog
from apexmem_desktop.ui.ruling_log import RulingLogDialog
from apexmem_desktop.ui.seek_dialog import SeekDialog
from apexmem_desktop.ui.shortcut_sheet import ShortcutSheet
from apexmem_desktop.ui.split_dialog import SplitDialog
from apexmem_desktop.ui.task_dialog import TaskDialog
from apexmem_desktop.ui.translation import tr

# Over an empty memory these show a file that is not in it yet, and who is asked to be "You".
_SAMPLES = {"import": "*Chat with*.txt", "import-several": "chatgpt-export.zip"}
_CRASH = 'Traceback (most recent call last):\n  File "apexmem", line 1, in open\nKeyError: "x"'
NEWCOMERS = tuple(_SAMPLES)

Maker = Callable[[], QDialog]


def makers_for_newcomers(desk: Desk, parent: QWidget) -> Iterator[tuple[str, Maker]]:
    """Give the dialogs of somebody who has nothing yet, by name."""
    for name, pattern in _SAMPLES.items():
        files = sorted((resources_dir() / "samples").glob(pattern))[:1]
        if files:
            yield name, partial(ImportDialog, desk, files, parent)


def makers(desk: Desk, parent: QWidget) -> Iterator[tuple[str, Maker]]:
    """Give the dialogs over a memory that has something in it, by name."""
    yield "keys", partial(ShortcutSheet, parent)
    yield "crash", partial(CrashDialog, _CRASH, parent)
    yield "decisions", partial(RulingLogDialog, desk, parent)
    yield "erase", partial(EraseDialog, desk, parent, EraseScope("all"))
    name = desk.memory.vault_path.name
    yield "passphrase", partial(PassphraseDialog, name, wrong=True, parent=parent)
    yield "new-passphrase", partial(NewPassphraseDialog, parent)
    yield "task", partial(_task, desk, parent)
    yield from _of_entities(desk, parent)


def _of_entities(desk: Desk, parent: QWidget) -> Iterator[tuple[str, Maker]]:
    entities = desk.memory.entities()
    if not entities:
        return
    most = entities[0]
    yield "search", partial(_search, desk, parent, most)
    yield "changes", partial(ChangesDialog, desk, most, parent)
    yield "merge", partial(MergeDialog, desk, most, parent)
    for entity in entities:
        members = desk.memory.members_of(entity.id)
        if len(members) > 1:
            yield "split", partial(SplitDialog, desk, *members[1], parent)
            break
    facts = [fact for fact in desk.memory.facts_of(most.id) if fact.evidence]
    if facts:
        yield "correct", partial(CorrectDialog, desk, facts[0], parent)
        yield "remember", partial(_remember, desk, parent, facts[0])


def _search(desk: Desk, parent: QWidget, entity: Entity) -> QDialog:
    dialog = SeekDialog(desk, parent)
    dialog.words.setText(entity.name.split()[0])
    dialog.seek()
    return dialog


def _remember(desk: Desk, parent: QWidget, fact: Fact) -> QDialog:
    proof = fact.evidence[0]
    turn = next(one for one in desk.memory.turns_around(proof.turn_id) if one.id == proof.turn_id)
    return RememberDialog(desk, turn, Spot.of(proof), parent)


def _task(desk: Desk, parent: QWidget) -> QDialog:
    """Show a job on its way: it is never begun."""
    dialog = TaskDialog(desk, tr("backup.now"), lambda *_: None, str, parent)
    dialog.show_progress(Progress("", 420, 1000, elapsed_s=14.0))
    return dialog
