"""Ask: what was asked at the left, a question box, answers that stream in, and their proof."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from apexmem_desktop.domain.answers import (
    Answer,
    AnswerPart,
    AskNews,
    AskOptions,
    EvidenceFound,
    StepDone,
)
from apexmem_desktop.domain.errors import ModelMissingError
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.reports import Changes, ConversationSummary
from apexmem_desktop.ui.answer_card import AnswerCard
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.dialogue_pane import DialoguePane
from apexmem_desktop.ui.first_run import FirstRun
from apexmem_desktop.ui.list_split import ListSplit
from apexmem_desktop.ui.parts import (
    PAGE_MARGIN,
    button,
    centred,
    clear,
    column,
    label,
    scrolling,
)
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.question_box import QuestionBox
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr

_REMEMBERED_QUESTIONS = 3
_LIST_PX = 250


class AskPlace(Place):
    """The first place of the window."""

    answered = Signal(object)  # Answer

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self._token: CancelToken | None = None
        self._running: AnswerCard | None = None
        self._cards: list[AnswerCard] = []
        self._dialogue_id = 0  # of the answers that are shown; 0 before the first
        self._anew: AnswerCard | None = None  # whose question is in the box to be asked again
        self._first_run = FirstRun(desk)
        self._welcome = QVBoxLayout()
        self._answers = QVBoxLayout()
        self.pane = DialoguePane(desk)
        self.box = QuestionBox(desk.memory.zone())
        self.question = self.box.question
        self._stack = QStackedWidget()
        self._lay_out()
        self._wire()

    def refresh(self) -> None:
        """Look whether there is anything to ask about."""
        memory = self._desk.memory
        self._desk.read(
            lambda: (memory.status().turns, memory.entities(), memory.conversations()),
            self,
            lambda got: self._start(*got),
        )
        self.pane.refresh()

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.turns or changes.entities or changes.models

    def ask(self, question: str) -> None:
        """Put a question, which knows what was asked before it in this dialogue; one at a time."""
        if self._token is not None or not question.strip():
            return
        anew, self._anew = self._anew, None
        if anew is not None and anew.question == question.strip():
            self._ask(question, self._cards[: self._cards.index(anew)])
        else:
            self._ask(question, self._cards)

    def stop(self) -> None:
        """Cancel the running question."""
        if self._token is None:
            return
        self._token.cancel()
        if self._running in self._cards and self._running is not None:
            self._running.show_stopped()
        self._finish()

    def begin(self) -> None:
        """Begin a new dialogue."""
        self.split.show_chosen()
        self._take_away()
        self.pane.choose(0)
        self.box.as_of.setChecked(False)
        self.question.clear()
        self._stale = True
        self._catch_up()
        self.question.setFocus()

    def open_dialogue(self, dialogue_id: int) -> None:
        """Show what was asked and answered; the next question goes on with it."""
        memory = self._desk.memory
        self._desk.read(
            lambda: memory.dialogue(dialogue_id),
            self,
            lambda answers: self.show_dialogue(dialogue_id, answers),
        )

    def show_dialogue(self, dialogue_id: int, answers: Sequence[Answer]) -> None:
        """Show answers that were given earlier."""
        self._take_away()
        self._dialogue_id = dialogue_id
        self.pane.choose(dialogue_id)
        for answer in answers:
            self._add_stored(answer)
        if answers:
            self._show_first_proof(answers[-1])

    def _add_stored(self, answer: Answer) -> None:
        self._add(AnswerCard(self._desk, answer.question, answer.as_of_ms)).show_answer(answer)

    def _take_away(self) -> None:
        """Take away what is shown; a question that is being answered is answered all the same."""
        clear(self._welcome)
        clear(self._answers)
        self._cards.clear()
        self._anew = None
        self._dialogue_id = 0

    def _add(self, card: AnswerCard) -> AnswerCard:
        card.asked_again.connect(partial(self._ask_again, card))
        card.asked_as_of.connect(partial(self._ask_as_of, card))
        clear(self._welcome)
        self._cards.append(card)
        self._answers.addWidget(card)
        return card

    def _ask_again(self, card: AnswerCard, question: str) -> None:
        if self._token is None:
            self._ask(question, self._cards[: self._cards.index(card)])

    def _ask_as_of(self, card: AnswerCard, question: str) -> None:
        self._anew = card
        self.box.ask_for_a_day(question)

    def _show_first_proof(self, answer: Answer) -> None:
        """Open the words that prove an answer beside it."""
        if answer.citations and self.isVisible():
            self._desk.spot_asked.emit(Spot.of(answer.citations[0]))

    def _lay_out(self) -> None:
        # From the outside in: to hang up a full page dresses all that is on it once more.
        column(self).addWidget(self._stack)
        page = QWidget()
        self.split = ListSplit(self.pane, page, tr("ask.all"), _LIST_PX)
        self._stack.addWidget(self.split)
        chat = QWidget()
        layout = column(chat, spacing=18, margin=PAGE_MARGIN)
        layout.addLayout(self._welcome)
        layout.addLayout(self._answers)
        layout.addStretch(1)
        self._answers.setSpacing(18)
        self._area = scrolling(chat)
        below = column(page, spacing=0)
        below.addWidget(self._area, 1)
        below.addWidget(centred(self.box))
        self._stack.addWidget(self._first_run)

    def _wire(self) -> None:
        self._area.verticalScrollBar().rangeChanged.connect(self._follow)
        self.box.asked.connect(self.ask)
        self.box.stopped.connect(self.stop)
        self.pane.begun.connect(self.begin)
        self.pane.list.clicked.connect(lambda _: self.split.show_chosen())
        self.pane.list.activated.connect(lambda _: self.split.show_chosen())
        self.pane.opened.connect(self.open_dialogue)
        self.pane.removed.connect(self._on_removed)
        self._first_run.asked.connect(self.ask)
        self._first_run.left.connect(self._to_box)

    def _to_box(self) -> None:
        self._stack.setCurrentIndex(0)
        self.question.setFocus()

    def _on_removed(self, dialogue_id: int) -> None:
        if dialogue_id == self._dialogue_id:
            self.begin()

    def _start(
        self,
        turns: int,
        entities: tuple[Entity, ...],
        conversations: tuple[ConversationSummary, ...],
    ) -> None:
        # After the last day that the chats tell of nothing is known to change.
        times = [one.last_at_ms for one in conversations if one.last_at_ms is not None]
        if times:
            self.box.offer_day(max(times))
        # Who begins stays on the page of three steps until the first question.
        begins = not self._cards and (not turns or self._stack.currentIndex() == 1)
        self._stack.setCurrentIndex(1 if begins else 0)
        if begins:
            self._first_run.refresh()
            self._first_run.offer(turns, _examples(entities))
        if turns and not self._cards:
            self._show_examples(entities)

    def _show_examples(self, entities: tuple[Entity, ...]) -> None:
        clear(self._welcome)
        self._welcome.addSpacing(40)
        self._welcome.addWidget(label(tr("ask.welcome"), size=1.9, bold=True))
        self._welcome.addWidget(label(tr("ask.welcome_more"), tone="muted", size=1.05))
        self._welcome.addSpacing(12)
        for text in _examples(entities):
            example = button(text, lambda t=text: self.ask(t), kind="example")  # type: ignore[misc]
            self._welcome.addWidget(example)

    def _ask(self, question: str, before: Sequence[AnswerCard]) -> None:
        options = self._options(before)
        self._stack.setCurrentIndex(0)
        self.split.show_chosen()
        card = self._add(AnswerCard(self._desk, question.strip(), options.as_of_ms))
        self._running = card
        self.question.clear()
        self.box.show_busy(busy=True)
        if self._desk.tasks.is_busy(Lane.MODEL):
            self._show_evidence_meanwhile(card)
        self._submit(card, options)

    def _submit(self, card: AnswerCard, options: AskOptions) -> None:
        memory, question = self._desk.memory, card.question
        on_news = self._desk.tasks.teller(card, partial(_show_news, card))
        self._token = CancelToken()  # stands in while an inline runner is already at work
        token = self._desk.tasks.submit(
            Lane.MODEL,
            lambda token: memory.ask(question, options, on_news, token),
            owner=self,  # whoever reads something else meanwhile still gets an answer
            on_done=partial(self._on_answer, card),
            on_failed=partial(self._on_failed, card, options),
        )
        if self._token is not None:
            self._token = token

    def _show_evidence_meanwhile(self, card: AnswerCard) -> None:
        """The model is busy reading: show what a search finds, so that the wait is not empty."""
        memory, options = self._desk.memory, AskOptions(use_model=False, is_kept=False)
        question = card.question
        on_news = self._desk.tasks.teller(card, partial(_show_news, card))
        self._desk.tasks.submit(
            Lane.READ,
            lambda token: memory.ask(question, options, on_news, token),
            owner=card,
            on_done=lambda _: None,
            on_failed=lambda _: None,  # the real question says what is wrong
        )

    def _options(self, before: Sequence[AnswerCard]) -> AskOptions:
        earlier = tuple(
            (card.question, card.answer.answer) for card in before if card.answer is not None
        )
        return AskOptions(
            as_of_ms=self.box.as_of_ms(),
            earlier=earlier[-_REMEMBERED_QUESTIONS:],
            dialogue_id=self._dialogue_id or None,
        )

    def _on_answer(self, card: AnswerCard, answer: Answer) -> None:
        if self._running is not card:  # it was stopped as the answer came
            self.pane.refresh()
            return
        if card in self._cards:
            self._dialogue_id = answer.dialogue_id
            self.pane.choose(answer.dialogue_id)
            card.show_answer(answer)
            self._show_first_proof(answer)
        elif answer.dialogue_id == self._dialogue_id:  # opened again meanwhile
            self._add_stored(answer)
        self._finish()
        self.pane.refresh()
        self.answered.emit(answer)

    def _on_failed(self, card: AnswerCard, options: AskOptions, error: BaseException) -> None:
        if self._running is card:
            self._finish()
        if card not in self._cards:
            self._desk.failed.emit(error)
            return
        card.show_error(error)
        if isinstance(error, ModelMissingError):
            self._ask_without_model(card, options)

    def _ask_without_model(self, card: AnswerCard, options: AskOptions) -> None:
        memory, question = self._desk.memory, card.question
        looked = AskOptions(
            as_of_ms=options.as_of_ms, use_model=False, dialogue_id=options.dialogue_id
        )
        self._desk.tasks.submit(
            Lane.READ,
            lambda token: memory.ask(question, looked, lambda _: None, token),
            owner=self,
            on_done=partial(self._on_evidence, card),
        )

    def _on_evidence(self, card: AnswerCard, answer: Answer) -> None:
        if card in self._cards:
            self._dialogue_id = answer.dialogue_id
            self.pane.choose(answer.dialogue_id)
            card.show_evidence_only(answer)
        self.pane.refresh()

    def _finish(self) -> None:
        self._token = None
        self._running = None
        self.box.show_busy(busy=False)

    def _follow(self, _low: int, high: int) -> None:
        if self._token is not None:
            self._area.verticalScrollBar().setValue(high)


def _show_news(card: AnswerCard, news: AskNews) -> None:
    if card.answer is not None:  # late news of a question that is answered
        return
    if isinstance(news, EvidenceFound):
        card.show_evidence(news)
    elif isinstance(news, AnswerPart):
        card.add_words(news.text)
    elif isinstance(news, StepDone):
        card.show_step(news.step.tool)


def _examples(entities: tuple[Entity, ...]) -> list[str]:
    """Questions about people who are really there."""
    people = [one.name for one in entities if one.is_speaker or one.type.lower() == "person"]
    names = (people or [one.name for one in entities])[:2]
    if not names:
        return [tr("example.any_1"), tr("example.any_2")]
    return [
        tr("example.now", name=names[0]),
        tr("example.changed", name=names[-1]),
        tr("example.before", name=names[0]),
        tr("example.list", name=names[-1]),
    ]
