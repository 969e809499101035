"""A memory without services, and a task runner without threads."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from apexmem_desktop.domain.answers import (
    Answer,
    AnswerPart,
    AskNews,
    AskOptions,
    DialogueSummary,
    EvidenceFound,
    ReadingTurns,
    SearchResult,
    StepDone,
    SummaryPart,
)
from apexmem_desktop.domain.clarifying import OpenQuestion
from apexmem_desktop.domain.errors import CancelledError
from apexmem_desktop.domain.graph import Entity, Fact
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.reports import (
    BuildReport,
    ConversationSummary,
    Difference,
    FileReport,
    ImportChoices,
    ModelSummary,
    Neighbour,
    SourceSummary,
    TimelineItem,
    VaultStatus,
)
from apexmem_desktop.domain.rulings import (
    MergePreview,
    Ruling,
    RulingAbout,
    RulingKind,
    RulingResult,
    SplitPreview,
    Touched,
)
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.ui.tasks import Lane, TaskRunner
from tests.ui import made_up
from tests.ui.fake_upkeep import FakeUpkeep


class FakeMemory(FakeUpkeep):
    """Answers every call with made-up values, and keeps what was asked of it."""

    def __init__(self, *, empty: bool = False) -> None:
        super().__init__()
        self.vault_path = Path("/home/someone/memory.apexmem")
        self.empty = empty
        self.asked: list[tuple[str, AskOptions]] = []
        self.previews: list[ImportChoices] = []
        self.imported: list[tuple[Path, ImportChoices]] = []
        self.error: Exception | None = None
        self.order_certain = False
        self.previewed: dict[str, Any] = {}  # what a preview tells otherwise
        self.to_read = [BuildReport(turns_read=16, facts_new=3), BuildReport(turns_read=4)]
        self.kept = Settings(theme="light", ui_language="en", zone="Europe/Oslo")
        self.has_models = True
        self.decisions: list[tuple[object, ...]] = []
        self.unsettled: tuple[OpenQuestion, ...] = ()
        self.kept_dialogues = [
            DialogueSummary(7, "Where does Nora live now?", 2, made_up.NOW_MS),
            DialogueSummary(3, "Who is Ben?", 1, made_up.at("2024-01-02")),
        ]

    def close(self) -> None: ...

    def now_ms(self) -> int:
        return made_up.NOW_MS

    def zone(self) -> str:
        return "Europe/Oslo"

    def status(self) -> VaultStatus:
        return made_up.EMPTY if self.empty else made_up.STATUS

    def entities(self, matching: str = "", kind: str = "") -> tuple[Entity, ...]:
        if self.empty:
            return ()
        return tuple(one for one in made_up.ENTITIES if matching.lower() in one.name.lower())

    def facts_of(
        self, entity_id: int, *, as_of_ms: int | None = None, history: bool = False
    ) -> tuple[Fact, ...]:
        return made_up.FACTS if entity_id == 1 else ()

    def timeline(
        self, entity_id: int, known_at_ms: int | None = None
    ) -> tuple[Entity, tuple[TimelineItem, ...]]:
        entity = next(one for one in made_up.ENTITIES if one.id == entity_id)
        return entity, made_up.timeline_items() if entity_id == 1 else ()

    def learned(self, entity_id: int) -> tuple[int, int] | None:
        return (made_up.at("2023-01-01"), made_up.NOW_MS) if entity_id == 1 else None

    def neighbours(self, entity_id: int) -> tuple[Neighbour, ...]:
        return (Neighbour(2, "Ben Okafor", "friend", True),) if entity_id == 1 else ()

    def differences(self, entity_id: int, from_ms: int, to_ms: int) -> tuple[Difference, ...]:
        return ()

    def history(self, entity_id: int, prop: str) -> tuple[Fact, ...]:
        return tuple(one for one in made_up.FACTS if one.property == prop)

    def search(self, words: str) -> SearchResult:
        return made_up.FOUND

    def seek(self, words: str) -> SearchResult:
        return made_up.FOUND if words else SearchResult()

    def turns_around(self, turn_id: int) -> tuple[Turn, ...]:
        return made_up.turns()

    def conversations(self) -> tuple[ConversationSummary, ...]:
        return () if self.empty else made_up.CONVERSATIONS

    def conversation_turns(self, conversation_id: int, after: int) -> tuple[Turn, ...]:
        return tuple(turn for turn in made_up.turns() if turn.position > after)

    def sources(self) -> tuple[SourceSummary, ...]:
        return () if self.empty else made_up.SOURCES

    def ask(
        self,
        question: str,
        options: AskOptions,
        on_news: Callable[[AskNews], None],
        cancel: CancelToken,
    ) -> Answer:
        self.asked.append((question, options))
        if self.error is not None and options.use_model:
            raise self.error
        answer = made_up.answer(question)
        on_news(EvidenceFound(made_up.hits(), (), 180))
        on_news(StepDone(answer.steps[0]))
        on_news(ReadingTurns(4))
        on_news(AnswerPart(answer.answer))
        on_news(SummaryPart(answer.summary, answer.citations))
        return answer

    def dialogues(self) -> tuple[DialogueSummary, ...]:
        return () if self.empty else tuple(self.kept_dialogues)

    def dialogue(self, dialogue_id: int) -> tuple[Answer, ...]:
        return (replace(made_up.answer(), number=dialogue_id, dialogue_id=dialogue_id),)

    def remove_dialogue(self, dialogue_id: int) -> object:
        before = tuple(self.kept_dialogues)
        self.kept_dialogues = [one for one in before if one.id != dialogue_id]
        return before

    def bring_back_dialogue(self, removed: object) -> None:
        self.kept_dialogues = list(removed)  # type: ignore[call-overload]

    def latest_answer(self) -> Answer | None:
        return None if self.empty else made_up.answer()

    def preview(
        self, path: Path, choices: ImportChoices, progress: ProgressSink, cancel: CancelToken
    ) -> FileReport:
        self.previews.append(choices)
        if self.error is not None:
            raise self.error
        progress(Progress("reading", 100, 340))
        report = made_up.report(certain=self.order_certain or bool(choices.date_order))
        return replace(report, **self.previewed)

    def import_file(
        self, path: Path, choices: ImportChoices, progress: ProgressSink, cancel: CancelToken
    ) -> FileReport:
        if self.error is not None:
            raise self.error
        self.imported.append((path, choices))
        return made_up.report(new=328, known=12)

    def embed(self, limit: int, progress: ProgressSink, cancel: CancelToken) -> int:
        return 0

    def build(self, limit: int, progress: ProgressSink, cancel: CancelToken) -> BuildReport:
        if self.error is not None:
            raise self.error
        progress(Progress("reading", 2, limit))
        return self.to_read.pop(0) if self.to_read else BuildReport()

    def models(self) -> tuple[ModelSummary, ...]:
        return made_up.MODELS

    def pull_model(self, name: str, progress: ProgressSink, cancel: CancelToken) -> None:
        progress(Progress("download", 500, 1000, "bytes", "", 1.0))

    def use_model(self, name: str, stage: str = "") -> None:
        if stage:
            self.kept = replace(self.kept, **{f"{stage}_model": name})

    def settings(self) -> Settings:
        return self.kept

    def save_settings(self, settings: Settings) -> None:
        self.kept = settings

    def _decided(self, kind: str, *what: object) -> RulingResult:
        self.decisions.append((kind, *what))
        number = len(self.decisions)
        about = RulingAbout("Nora Lind", "lives_in", "Eastport")
        ruling = Ruling(number, RulingKind(kind), made_up.NOW_MS, kind, fact_id=1, about=about)
        return RulingResult(ruling, Touched(fact_ids=(1,)))

    def rule(self, kind: str, fact_id: int, reason: str = "") -> RulingResult:
        return self._decided(kind, fact_id)

    def correct(self, fact_id: int, value: str, reason: str = "") -> RulingResult:
        return self._decided("correct", fact_id, value)

    def misfit(
        self, question: str, turn_id: int, fact_ids: Sequence[int], reason: str = ""
    ) -> RulingResult:
        return self._decided("misfit", question, turn_id, tuple(fact_ids))

    def undo(self) -> RulingResult:
        return self._decided("undo")

    def redo(self) -> RulingResult:
        return self._decided("confirm")

    def rulings(self) -> tuple[Ruling, ...]:
        return ()

    def members_of(self, entity_id: int) -> tuple[tuple[int, str], ...]:
        return ((entity_id, "Nora Lind"), *(((90, "Nory"),) if entity_id == 1 else ()))

    def preview_merge(self, a_id: int, b_id: int) -> MergePreview:
        return MergePreview(
            a_id, "Nora Lind", b_id, "Ben Okafor", ("Nora Lind", "Ben Okafor"), 3, 9
        )

    def merge(self, a_id: int, b_id: int) -> RulingResult:
        return self._decided("merge", a_id, b_id)

    def preview_split(self, entity_id: int) -> SplitPreview:
        return SplitPreview(made_up.ENTITIES[1], made_up.ENTITIES[:1])

    def split(self, entity_id: int) -> RulingResult:
        return self._decided("split", entity_id)

    def tell_apart(self, a_id: int, b_id: int) -> RulingResult:
        return self._decided("split", a_id, b_id)

    def open_questions(self) -> tuple[OpenQuestion, ...]:
        return self.unsettled

    def decide(self, question: OpenQuestion, choice: int, reason: str = "") -> RulingResult:
        self.unsettled = tuple(one for one in self.unsettled if one.key != question.key)
        return self._decided("prefer", question.key, choice, reason)

    def models_folder(self) -> Path:
        return Path("/home/someone/models")


class InlineRunner(TaskRunner):
    """Does the work at once, on the thread that asks for it."""

    def submit(  # type: ignore[override]
        self,
        lane: Lane,
        work: Callable[[CancelToken], Any],
        *,
        owner: QObject,
        on_done: Callable[[Any], None],
        on_failed: Callable[[BaseException], None] | None = None,
        on_ended: Callable[[], None] | None = None,
    ) -> CancelToken:
        token = CancelToken()
        try:
            result = work(token)
        except CancelledError:
            pass
        except Exception as error:  # noqa: BLE001 - kept for on_failed, as a future keeps it
            (on_failed or self.failed.emit)(error)
        else:
            on_done(result)
        if on_ended is not None:
            on_ended()
        return token

    def teller(
        self, owner: QObject, tell: Callable[[Any], None], *, only_newest: bool = False
    ) -> Callable[[Any], None]:
        return tell


class HeldRunner(InlineRunner):
    """Keeps work until the test lets it go, in the order it came."""

    def __init__(self) -> None:
        super().__init__()
        self.held: list[tuple[Callable[[], None], CancelToken]] = []
        self.busy_lanes: set[Lane] = set()

    def is_busy(self, lane: Lane) -> bool:
        return lane in self.busy_lanes

    def submit(self, lane: Lane, work: Callable[[CancelToken], Any], **how: Any) -> CancelToken:  # type: ignore[override]
        token = CancelToken()

        def work_unless_cancelled(_: CancelToken) -> object:
            token.check()
            return work(token)

        self.held.append(
            (lambda: void(InlineRunner.submit(self, lane, work_unless_cancelled, **how)), token)
        )
        return token

    def let_go(self) -> None:
        """Do the oldest held work."""
        self.held.pop(0)[0]()


def void(_: object) -> None:
    """Take a value and give none."""
