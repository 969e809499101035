"""The part of the made-up memory that looks after it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
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
    FileReport,
    ImportChoices,
    RestoreReport,
)
from apexmem_desktop.domain.rulings import (
    Ruling,
    RulingAbout,
    RulingKind,
    RulingResult,
    Touched,
)
from apexmem_desktop.domain.turn import Turn
from tests.ui import made_up

QUEUES = (
    ChatQueue(1, "Nora & Ben", 120, 200, 20, 2, 1),
    ChatQueue(2, "Trip to the coast", 0, 300, 40, 0, 0),
)
FAILED = (FailedTurn(3, "Nora Lind", made_up.NOW_MS, 60, "Yes. I moved to Eastport", "cut off", 2),)
MARGIN = MarginFact(1, 1, "Nora Lind", "lives_in", "Eastport", True, 5, 34)


class FakeUpkeep:
    """Keeps what was asked of it."""

    empty: bool

    def __init__(self) -> None:
        self.remembered: list[tuple[Any, ...]] = []
        self.erased: list[EraseScope] = []
        self.put_first: list[int] = []
        self.retried = 0
        self.reread: list[tuple[int, ImportChoices]] = []
        self.restored: list[tuple[Path, str]] = []
        self.passphrase = ""
        self.backup_due = self.backup_is_encrypted = False
        self.tests_kept: dict[str, SelfTest] = {}
        self.battery = False
        self.tells_power = True
        self.idle: int | None = None
        self.moved: list[Path] = []

    def _turns(self, only: TurnFilter) -> tuple[Turn, ...]:
        return tuple(
            turn for turn in made_up.turns() if not only.speaker or turn.speaker == only.speaker
        )

    def count_turns(self, chat: int, only: TurnFilter) -> int:
        return len(self._turns(only))

    def turn_page(
        self, chat: int, only: TurnFilter, beside: int | None, *, backwards: bool
    ) -> tuple[Turn, ...]:
        return self._turns(only) if beside is None else ()

    def turns_about(self, chat: int, only: TurnFilter, turn_id: int) -> tuple[Turn, ...]:
        return self._turns(only)

    def turn_at(self, chat: int, only: TurnFilter, number: int) -> int | None:
        turns = self._turns(only)
        return turns[min(number, len(turns) - 1)].id if turns else None

    def turn_from(self, chat: int, only: TurnFilter, at_ms: int) -> int | None:
        later = [turn.id for turn in self._turns(only) if (turn.said_at_ms or 0) >= at_ms]
        return later[0] if later else None

    def number_of_turn(self, chat: int, only: TurnFilter, turn_id: int) -> int:
        return 0

    def find_within(self, chat: int, words: str, only: TurnFilter) -> tuple[int, ...]:
        return tuple(t.id for t in self._turns(only) if words.lower() in t.text.lower())

    def margin(self, turn_ids: Sequence[int]) -> dict[int, tuple[MarginFact, ...]]:
        return {3: (MARGIN,)} if 3 in turn_ids else {}

    def remember(self, turn_id: int, start: int, end: int, **parts: Any) -> RulingResult:
        self.remembered.append((turn_id, start, end, parts))
        about = RulingAbout("Nora Lind", "likes", "tea")
        ruling = Ruling(9, RulingKind.CONFIRM, made_up.NOW_MS, "told", fact_id=99, about=about)
        return RulingResult(ruling, Touched(fact_ids=(99,)))

    def known_properties(self) -> tuple[str, ...]:
        return ("lives_in", "likes")

    def queues(self) -> tuple[ChatQueue, ...]:
        return () if self.empty else QUEUES

    def failed_turns(self) -> tuple[FailedTurn, ...]:
        return () if self.empty or self.retried else FAILED

    def retry_failed(self) -> int:
        self.retried += 1
        return 1

    def read_first(self, chat: int) -> None:
        self.put_first.append(chat)

    def machine(self) -> Machine:
        return Machine(8_000_000_000, 4_000_000_000, 4, self.battery, tells_power=self.tells_power)

    def idle_ms(self) -> int | None:
        return self.idle

    def verify_model(self, name: str) -> bool:
        return name != "tiny-writer-0.5b"

    def self_test(self, name: str, progress: ProgressSink, cancel: CancelToken) -> SelfTest:
        progress(Progress("", 1, 6, "questions"))
        machine = "Swift CPU, 4 × CPU, 8 GB"
        test = SelfTest(name, 5, 6, 166.0, 37.0, 12.0, made_up.NOW_MS, machine)
        self.tests_kept[name] = test
        return test

    def self_tests(self) -> dict[str, SelfTest]:
        return self.tests_kept

    def preview_alone(
        self, path: Path, choices: ImportChoices, progress: ProgressSink, cancel: CancelToken
    ) -> FileReport:
        return made_up.report(certain=True)

    def read_again(
        self,
        source_id: int,
        path: Path,
        choices: ImportChoices,
        progress: ProgressSink,
        cancel: CancelToken,
    ) -> FileReport:
        self.reread.append((source_id, choices))
        return made_up.report()

    def preview_erasing(self, scope: EraseScope) -> EraseReport:
        return EraseReport("Chat", 350, 0, 10, 4, 2, 1, 1, 3, (), ("/home/someone/mine.apexmem",))

    def erase(self, scope: EraseScope) -> EraseReport:
        self.erased.append(scope)
        return self.preview_erasing(scope)

    def back_up(self, target: Path, progress: ProgressSink, cancel: CancelToken) -> BackupSummary:
        return BackupSummary(str(target), 1_000_000, made_up.NOW_MS, automatic=False)

    def backups(self) -> tuple[BackupSummary, ...]:
        if self.empty:
            return ()
        return (BackupSummary("/home/someone/b.apexmem", 900_000, made_up.NOW_MS, automatic=False),)

    def is_backup_due(self) -> bool:
        return self.backup_due

    def back_up_if_due(self, progress: ProgressSink, cancel: CancelToken) -> BackupSummary | None:
        self.backup_due = False
        return BackupSummary("/home/someone/plan.apexmem", 9, made_up.NOW_MS, automatic=True)

    def needs_passphrase(self, backup: Path) -> bool:
        return self.backup_is_encrypted

    def restore(
        self, backup: Path, passphrase: str, progress: ProgressSink, cancel: CancelToken
    ) -> RestoreReport:
        self.restored.append((backup, passphrase))
        return RestoreReport(str(backup), "", 746, 10)

    def move_to(self, folder: Path, progress: ProgressSink, cancel: CancelToken) -> Path:
        self.moved.append(folder)
        return folder / "memory.apexmem"

    def left_behind(self) -> tuple[str, int]:
        return ("/home/someone/old/memory.apexmem", 610_000) if self.moved else ("", 0)

    def remove_left(self) -> None:
        self.moved.clear()

    def protect(self, passphrase: str) -> None:
        self.passphrase = passphrase

    def change_passphrase(self, passphrase: str) -> None:
        self.passphrase = passphrase

    def is_passphrase(self, words: str) -> bool:
        return words == self.passphrase
