"""Ask: a question box, answers that stream in, and the way to their proof."""

from functools import partial

from PySide6.QtCore import QDate, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDateEdit,
    QLineEdit,
    QMenu,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

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
from apexmem_desktop.ui.dates import day_text, local, offset_of
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.first_run import FirstRun
from apexmem_desktop.ui.parts import (
    PAGE_MARGIN,
    button,
    centred,
    clear,
    column,
    label,
    row,
    scrolling,
)
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.rows import shortened
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import language, tr

_MINUTE_MS = 60_000
_DAY_MS = 86_400_000
_REMEMBERED_QUESTIONS = 3


class AskPlace(Place):
    """The first place of the window."""

    answered = Signal(object)  # Answer

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._token: CancelToken | None = None
        self._cards: list[AnswerCard] = []
        self._first_run = FirstRun(desk)
        self._welcome = QVBoxLayout()
        self._answers = QVBoxLayout()
        self.question = QLineEdit()
        self._ask = button(tr("ask.send"), self._on_ask, kind="main", icon_name="send")
        self._stop = button(tr("ask.stop"), self.stop, icon_name="stop")
        self._as_of = QCheckBox(tr("ask.as_of"))
        self.earlier = QPushButton(tr("ask.earlier"))
        self.earlier.setProperty("kind", "plain")
        self.earlier.setMenu(QMenu(self.earlier))
        self.earlier.menu().aboutToShow.connect(self.list_earlier)
        self._day = QDateEdit(QDate.currentDate())
        self._day_chosen = False
        self._stack = QStackedWidget()
        self._lay_out()

    def refresh(self) -> None:
        """Look whether there is anything to ask about."""
        memory = self._desk.memory
        self._desk.read(
            lambda: (memory.status().turns, memory.entities(), memory.conversations()),
            self,
            lambda got: self._start(*got),
        )

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.turns or changes.entities or changes.models

    def ask(self, question: str) -> None:
        """Put a question; one at a time."""
        if self._token is not None or not question.strip():
            return
        clear(self._welcome)
        self._stack.setCurrentIndex(0)
        card = self._new_card(question.strip())
        self._cards.append(card)
        self._answers.addWidget(card)
        self.question.clear()
        self._busy(on=True)
        if self._desk.tasks.is_busy(Lane.MODEL):
            self._show_evidence_meanwhile(card)
        self._submit(card)

    def _new_card(self, question: str) -> AnswerCard:
        card = AnswerCard(self._desk, question)
        card.asked_again.connect(self.ask)
        card.asked_as_of.connect(self.ask_as_of)
        return card

    def stop(self) -> None:
        """Cancel the running question."""
        if self._token is not None:
            self._token.cancel()
            self._token = None
            self._cards[-1].show_stopped()
            self._busy(on=False)

    def show_stored(self, answer: Answer) -> None:
        """Show an answer that was given earlier."""
        clear(self._welcome)
        card = self._new_card(answer.question)
        card.show_answer(answer)
        self._cards.append(card)
        self._answers.addWidget(card)
        self._show_first_proof(answer)

    def list_earlier(self) -> None:
        """Put what was asked before into the menu."""
        menu = self.earlier.menu()
        menu.clear()
        memory = self._desk.memory
        menu.addAction(tr("ask.earlier_none")).setEnabled(False)
        self._desk.read(memory.questions, self, self._fill_earlier)

    def ask_as_of(self, question: str) -> None:
        """Let the user choose the day for which a question is asked again."""
        self.question.setText(question)
        self._as_of.setChecked(True)
        self._day.setFocus()

    def _fill_earlier(self, questions: tuple[tuple[int, str, int], ...]) -> None:
        menu = self.earlier.menu()
        for number, question, asked_at_ms in questions:
            if number == questions[0][0]:
                menu.clear()
            day = day_text(asked_at_ms, offset_of(self._desk.memory.zone(), asked_at_ms))
            shown = f"{shortened(question)}\t{day}".replace("&", "&&")
            menu.addAction(shown, partial(self._open_earlier, number))

    def _open_earlier(self, number: int) -> None:
        memory = self._desk.memory
        self._desk.read(lambda: memory.stored_answer(number), self, self.show_stored)

    def _show_first_proof(self, answer: Answer) -> None:
        """Open the words that prove an answer beside it."""
        if answer.citations and self.isVisible():
            self._desk.spot_asked.emit(Spot.of(answer.citations[0]))

    def _lay_out(self) -> None:
        chat = QWidget()
        layout = column(chat, spacing=18, margin=PAGE_MARGIN)
        layout.addLayout(self._welcome)
        layout.addLayout(self._answers)
        layout.addStretch(1)
        self._answers.setSpacing(18)
        self._area = scrolling(chat)
        self._area.verticalScrollBar().rangeChanged.connect(self._follow)
        page = QWidget()
        below = column(page, spacing=0)
        below.addWidget(self._area, 1)
        below.addWidget(self._box())
        self._stack.addWidget(page)
        self._stack.addWidget(self._first_run)
        self._first_run.asked.connect(self.ask)
        self._first_run.left.connect(self._to_box)
        column(self).addWidget(self._stack)

    def _to_box(self) -> None:
        self._stack.setCurrentIndex(0)
        self.question.setFocus()

    def _box(self) -> QWidget:
        self.question.setObjectName("question")
        self.question.setPlaceholderText(tr("ask.placeholder"))
        self.question.setAccessibleName(tr("ask.placeholder"))
        self.question.returnPressed.connect(self._on_ask)
        self._day.setCalendarPopup(True)
        self._day.setLocale(QLocale(language()))
        # First this: the parts of a format are turned around as it is taken.
        self._day.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._day.setDisplayFormat(tr("date.edit_format"))
        self._day.setAccessibleName(tr("ask.as_of"))
        self._day.userDateChanged.connect(self._on_day_chosen)
        self._day.hide()
        self._as_of.toggled.connect(self._day.setVisible)
        self._stop.hide()
        box = QWidget()
        layout = column(box, spacing=10)
        layout.addLayout(row(self.question, self._ask, self._stop, spacing=10))
        layout.addLayout(row(self._as_of, self._day, 0, self.earlier, spacing=8))
        layout.setContentsMargins(PAGE_MARGIN, 8, PAGE_MARGIN, 20)
        return centred(box)

    def _start(
        self,
        turns: int,
        entities: tuple[Entity, ...],
        conversations: tuple[ConversationSummary, ...],
    ) -> None:
        self._offer_last_day(conversations)
        # Who begins stays on the page of three steps until the first question.
        begins = not self._cards and (not turns or self._stack.currentIndex() == 1)
        self._stack.setCurrentIndex(1 if begins else 0)
        if begins:
            self._first_run.refresh()
            self._first_run.offer(turns, _examples(entities))
        if turns and not self._cards:
            self._show_examples(entities)

    def _offer_last_day(self, conversations: tuple[ConversationSummary, ...]) -> None:
        """Offer the last day that the chats tell of: after it, nothing is known to change."""
        times = [one.last_at_ms for one in conversations if one.last_at_ms is not None]
        if not times or self._day_chosen:
            return
        last = local(max(times), offset_of(self._desk.memory.zone(), max(times)))
        self._day.setDate(QDate(last.year, last.month, last.day))
        self._day_chosen = False

    def _on_day_chosen(self, _: QDate) -> None:
        self._day_chosen = True

    def _show_examples(self, entities: tuple[Entity, ...]) -> None:
        clear(self._welcome)
        self._welcome.addSpacing(40)
        self._welcome.addWidget(label(tr("ask.welcome"), size=1.9, bold=True))
        self._welcome.addWidget(label(tr("ask.welcome_more"), tone="muted", size=1.05))
        self._welcome.addSpacing(12)
        for text in _examples(entities):
            example = button(text, lambda t=text: self.ask(t), kind="example")  # type: ignore[misc]
            self._welcome.addWidget(example)

    def _on_ask(self) -> None:
        self.ask(self.question.text())

    def _submit(self, card: AnswerCard) -> None:
        memory, options = self._desk.memory, self._options()
        on_news = self._desk.tasks.teller(card, partial(_show_news, card))
        self._token = CancelToken()  # stands in while an inline runner is already at work
        token = self._desk.tasks.submit(
            Lane.MODEL,
            lambda token: memory.ask(card.question, options, on_news, token),
            owner=card,
            on_done=lambda answer: self._on_answer(card, answer),
            on_failed=lambda error: self._on_failed(card, error),
        )
        if self._token is not None:
            self._token = token

    def _show_evidence_meanwhile(self, card: AnswerCard) -> None:
        """The model is busy reading: show what a search finds, so that the wait is not empty."""
        memory, options = self._desk.memory, AskOptions(use_model=False)
        on_news = self._desk.tasks.teller(card, partial(_show_news, card))
        self._desk.tasks.submit(
            Lane.READ,
            lambda token: memory.ask(card.question, options, on_news, token),
            owner=card,
            on_done=lambda _: None,
            on_failed=lambda _: None,  # the real question says what is wrong
        )

    def _options(self) -> AskOptions:
        earlier = tuple(
            (card.question, card.answer.answer) for card in self._cards if card.answer is not None
        )
        as_of = self._as_of_ms() if self._as_of.isChecked() else None
        return AskOptions(as_of_ms=as_of, earlier=earlier[-_REMEMBERED_QUESTIONS:])

    def _as_of_ms(self) -> int:
        """The end of the chosen day by the user's calendar."""
        day = self._day.date()
        utc_ms = (day.toJulianDay() - QDate(1970, 1, 1).toJulianDay() + 1) * _DAY_MS - 1
        return utc_ms - offset_of(self._desk.memory.zone(), utc_ms) * _MINUTE_MS

    def _on_answer(self, card: AnswerCard, answer: Answer) -> None:
        if self._cards[-1] is not card or self._stop.isHidden():
            return
        card.show_answer(answer)
        self._finish()
        self._show_first_proof(answer)
        self.answered.emit(answer)

    def _on_failed(self, card: AnswerCard, error: BaseException) -> None:
        card.show_error(error)
        self._finish()
        if isinstance(error, ModelMissingError):
            memory, question = self._desk.memory, card.question
            self._desk.tasks.submit(
                Lane.READ,
                lambda token: memory.ask(
                    question, AskOptions(use_model=False), lambda _: None, token
                ),
                owner=card,
                on_done=card.show_evidence_only,
            )

    def _finish(self) -> None:
        self._token = None
        self._busy(on=False)

    def _busy(self, *, on: bool) -> None:
        self._ask.setVisible(not on)
        self._stop.setVisible(on)
        if not on:
            self.question.setFocus()

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
