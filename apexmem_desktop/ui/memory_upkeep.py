"""The part of the memory behind the window that looks after it: reading, queue, copies, erasing."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.progress import CancelToken, ProgressSink
from apexmem_desktop.domain.reading import (
    ChatQueue,
    FailedTurn,
    Machine,
    MarginFact,
    SelfTest,
    TurnFilter,
)
from apexmem_desktop.domain.reports import (
    BackupSummary,
    EraseReport,
    EraseScope,
    ExportReport,
    FileReport,
    ImportChoices,
    RestoreReport,
)
from apexmem_desktop.domain.rulings import RulingResult
from apexmem_desktop.domain.turn import Turn

if TYPE_CHECKING:
    from apexmem_desktop.services.workspace import Workspace


class MemoryUpkeep:
    """Calls one service a method, as `Memory` does."""

    _ws: "Workspace"
    vault_path: Path
    _windows: ExitStack

    def count_turns(self, chat: int, only: TurnFilter) -> int:
        """How many turns of a conversation a filter lets through."""
        from apexmem_desktop.services import conversation_pages

        return conversation_pages.count(self._ws, chat, only)

    def turn_page(
        self, chat: int, only: TurnFilter, beside: int | None, *, backwards: bool
    ) -> tuple[Turn, ...]:
        """The turns behind one, or before it."""
        from apexmem_desktop.services import conversation_pages

        return conversation_pages.page(self._ws, chat, only, beside=beside, backwards=backwards)

    def turns_about(self, chat: int, only: TurnFilter, turn_id: int) -> tuple[Turn, ...]:
        """A turn with many before and behind it."""
        from apexmem_desktop.services import conversation_pages

        return conversation_pages.around(self._ws, chat, only, turn_id)

    def turn_at(self, chat: int, only: TurnFilter, number: int) -> int | None:
        """The turn that so many stand before."""
        from apexmem_desktop.services import conversation_pages

        return conversation_pages.turn_at(self._ws, chat, only, number=number)

    def turn_from(self, chat: int, only: TurnFilter, at_ms: int) -> int | None:
        """The first turn from an instant on."""
        from apexmem_desktop.services import conversation_pages

        return conversation_pages.turn_from(self._ws, chat, only, at_ms=at_ms)

    def number_of_turn(self, chat: int, only: TurnFilter, turn_id: int) -> int:
        """How many turns stand before one."""
        from apexmem_desktop.services import conversation_pages

        return conversation_pages.number_of(self._ws, chat, only, turn_id=turn_id)

    def find_within(self, chat: int, words: str, only: TurnFilter) -> tuple[int, ...]:
        """The turns of a conversation that hold some signs."""
        from apexmem_desktop.services import conversation_pages

        return conversation_pages.find_within(self._ws, chat, words, only)

    def margin(self, turn_ids: Sequence[int]) -> dict[int, tuple[MarginFact, ...]]:
        """What turns prove."""
        from apexmem_desktop.services import conversation_pages

        return conversation_pages.margin(self._ws, turn_ids)

    def remember(
        self,
        turn_id: int,
        start: int,
        end: int,
        *,
        subject: str,
        prop: str,
        value: str,
        valid_from: Bound | None = None,
    ) -> RulingResult:
        """Make a fact of words in a turn; `changed.fact_ids` is the new one."""
        from apexmem_desktop.services import remembering

        return remembering.remember(
            self._ws,
            turn_id,
            start,
            end,
            subject=subject,
            property=prop,
            value=value,
            valid_from=valid_from,
        )

    def known_properties(self) -> tuple[str, ...]:
        """Names of properties to choose from."""
        from apexmem_desktop.services import remembering

        return remembering.known_properties(self._ws)

    def queues(self) -> tuple[ChatQueue, ...]:
        """How far each conversation has been read."""
        from apexmem_desktop.services import reading_queue

        return reading_queue.queues(self._ws)

    def failed_turns(self) -> tuple[FailedTurn, ...]:
        """What could not be read, and why."""
        from apexmem_desktop.services import reading_queue

        return reading_queue.failed(self._ws)

    def retry_failed(self) -> int:
        """Let what failed be read again."""
        from apexmem_desktop.services import reading_queue

        return reading_queue.retry_failed(self._ws)

    def read_first(self, chat: int) -> None:
        """Read a conversation before all others."""
        from apexmem_desktop.services import reading_queue

        reading_queue.read_first(self._ws, chat)

    def machine(self) -> Machine:
        """What this computer has."""
        from apexmem_desktop.services import machine

        return machine.look()

    def idle_ms(self) -> int | None:
        """How long nobody has used the computer; None where it tells no program."""
        from apexmem_desktop.services import idleness

        return idleness.idle_ms()

    def verify_model(self, name: str) -> bool:
        """Whether a model's file is what it should be."""
        from apexmem_desktop.services import models

        return models.verify_model(name, self._ws.models_dir)

    def self_test(self, name: str, progress: ProgressSink, cancel: CancelToken) -> SelfTest:
        """Try a language model on this machine, and keep how it did."""
        from apexmem_desktop.services import self_test

        test = self_test.run(self._ws, progress, cancel, name=name)
        self_test.keep(name, test)
        return test

    def self_tests(self) -> dict[str, SelfTest]:
        """How each model did when it was last tried."""
        from apexmem_desktop.services import self_test

        return self_test.find_kept()

    def preview_alone(
        self, path: Path, choices: ImportChoices, progress: ProgressSink, cancel: CancelToken
    ) -> FileReport:
        """Look into a file as if the memory were empty."""
        from apexmem_desktop.services import importing

        return importing.preview_file(path, choices, progress, cancel)

    def read_again(
        self,
        source_id: int,
        path: Path,
        choices: ImportChoices,
        progress: ProgressSink,
        cancel: CancelToken,
    ) -> FileReport:
        """Take an import out, and bring its file in with other choices."""
        from apexmem_desktop.services import importing_again, owner

        if choices.owner:
            owner.remember_owner(self._ws, choices.owner)
        return importing_again.read_again(self._ws, source_id, path, choices, progress, cancel)

    def preview_erasing(self, scope: EraseScope) -> EraseReport:
        """What an erasure would take."""
        from apexmem_desktop.services import maintenance

        return maintenance.preview_erasing(self._ws, scope)

    def erase(self, scope: EraseScope) -> EraseReport:
        """Erase for good."""
        from apexmem_desktop.services import maintenance

        return maintenance.erase(self._ws, scope)

    def back_up(self, target: Path, progress: ProgressSink, cancel: CancelToken) -> BackupSummary:
        """Copy the memory to a file; the dialog has asked before one is replaced."""
        from apexmem_desktop.services import maintenance

        return maintenance.back_up(self._ws, target, over=True, progress=progress, cancel=cancel)

    def export(
        self, folder: Path, form: str, progress: ProgressSink, cancel: CancelToken
    ) -> ExportReport:
        """Write all of it into a new folder, for other programs."""
        from apexmem_desktop.services import exporting

        return exporting.export(self._ws, folder, form, progress=progress, cancel=cancel)

    def backups(self) -> tuple[BackupSummary, ...]:
        """The copies that can be restored."""
        from apexmem_desktop.services import maintenance

        return maintenance.find_backups(self.vault_path)

    def is_backup_due(self) -> bool:
        """Whether the plan asks for a backup now."""
        from apexmem_desktop.services import backup_plan

        return backup_plan.is_due(self._ws, self._ws.settings)

    def back_up_if_due(self, progress: ProgressSink, cancel: CancelToken) -> BackupSummary | None:
        """Make the backup that the plan asks for; None when none is due."""
        from apexmem_desktop.services import backup_plan

        settings = self._ws.settings
        if not backup_plan.is_due(self._ws, settings):
            return None
        return backup_plan.make(self._ws, settings, progress=progress, cancel=cancel)

    def needs_passphrase(self, backup: Path) -> bool:
        """Whether a file can be read by its passphrase alone."""
        from apexmem_desktop.services.workspace import needs_passphrase

        return needs_passphrase(backup)

    def restore(
        self, backup: Path, passphrase: str, progress: ProgressSink, cancel: CancelToken
    ) -> RestoreReport:
        """Put a backup in the memory's place; nothing else may use the memory meanwhile."""
        from apexmem_desktop.services import maintenance
        from apexmem_desktop.services.workspace import Workspace

        old = self._ws
        words = old.passphrase
        old.close()
        try:
            report = maintenance.restore(
                self.vault_path, backup, progress=progress, cancel=cancel, passphrase=passphrase
            )
            words = passphrase
        finally:
            self._ws = Workspace(
                self.vault_path,
                models_dir=old.models_dir,
                settings=old.settings,
                passphrase=words,
            )
        return report

    def move_to(self, folder: Path, progress: ProgressSink, cancel: CancelToken) -> Path:
        """Take the memory to another folder; nothing else may use it meanwhile."""
        from apexmem_desktop.services import maintenance, moving
        from apexmem_desktop.services.workspace import Workspace

        old = self._ws
        window = maintenance.only_window(folder / self.vault_path.name)
        old.close()
        try:
            self._ws, _ = moving.move(old, folder, progress, cancel)
        except BaseException:
            self._ws = Workspace(
                self.vault_path,
                models_dir=old.models_dir,
                settings=old.settings,
                passphrase=old.passphrase,
            )
            raise
        self.vault_path = self._ws.vault.path
        self._windows.enter_context(window)  # no second window on the memory at its new place
        return self.vault_path

    def left_behind(self) -> tuple[str, int]:
        """The file that a move left at the old place, and its size; ("", 0) for none."""
        from apexmem_desktop.services import moving

        size = moving.left_bytes(self._ws.settings)
        return (self._ws.settings.memory_left, size) if size else ("", 0)

    def remove_left(self) -> None:
        """Delete the file that a move left behind."""
        from apexmem_desktop.services import moving

        moving.remove_left(self._ws)

    def protect(self, passphrase: str) -> None:
        """Make a memory that holds nothing yet anew, under a passphrase."""
        from apexmem_desktop.services import protecting

        self._ws = protecting.protect_new(self._ws, passphrase)

    def change_passphrase(self, passphrase: str) -> None:
        """Write the memory anew under a passphrase, "" for none; nothing else may use it."""
        from apexmem_desktop.services import protecting

        try:
            self._ws = protecting.change_passphrase(self._ws, passphrase)
        except protecting.ProtectingFailedError as failed:
            self._ws = failed.reopened
            raise

    def is_passphrase(self, words: str) -> bool:
        """Whether these words opened the memory."""
        return words == self._ws.passphrase
