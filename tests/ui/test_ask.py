"""Asking: evidence at once, words, chips, conflicts, the trace, and the ways it can end."""

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.answers import AskOptions, Conflict, EvidenceFound, SummaryPart
from apexmem_desktop.domain.errors import ModelCrashedError, ModelMissingError
from apexmem_desktop.ui.answer_card import AnswerCard
from apexmem_desktop.ui.ask_place import AskPlace
from apexmem_desktop.ui.card_list import NOTE_ROLE
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.rows import ProofRow
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.trace_view import TraceView
from apexmem_desktop.ui.trace_words import dropped_lines, understood_lines
from apexmem_desktop.ui.translation import set_language
from apexmem_desktop.ui.wrong_view import WrongView
from tests.ui import made_up
from tests.ui.fake_memory import FakeMemory, HeldRunner, InlineRunner

QUESTION = "Where does Nora live now?"


@pytest.fixture
def place(qtbot: QtBot, desk: Desk) -> AskPlace:
    made = AskPlace(desk)
    qtbot.addWidget(made)
    made.resize(800, 800)
    made.show()
    return made


def texts(widget: QWidget) -> str:
    """All words of the labels that are not hidden."""
    QApplication.processEvents()  # new widgets are shown by an event
    shown = [one.text() for one in widget.findChildren(QLabel) if one.isVisibleTo(widget)]
    return "\n".join(shown)


def buttons(widget: QWidget, kind: str) -> list[QPushButton]:
    return [one for one in widget.findChildren(QPushButton) if one.property("kind") == kind]


def test_examples_are_about_people_who_are_there(place: AskPlace) -> None:
    examples = [one.text() for one in buttons(place, "example")]
    assert "Where did Nora Lind live before?" in examples
    assert any("Ben Okafor" in text for text in examples)


def test_an_example_is_asked_by_a_click(place: AskPlace, memory: FakeMemory) -> None:
    buttons(place, "example")[0].click()
    assert memory.asked[0][0] == "What do you know about Nora Lind now?"


def test_the_answer_shows_words_chips_and_both_sides(
    qtbot: QtBot, place: AskPlace, desk: Desk
) -> None:
    qtbot.keyClicks(place.question, QUESTION)
    qtbot.keyClick(place.question, Qt.Key.Key_Return)
    card = place.findChild(AnswerCard)
    assert card is not None
    assert "Nora lives in Eastport" in texts(card)
    assert "Your chats disagree here" in texts(card)
    assert "Northwind Press" in texts(card)
    assert [chip.text() for chip in buttons(card, "chip")] == [
        "1   Nora Lind · 11 Feb 2023",
        "2   Nora Lind · 11 Feb 2023",
    ]
    with qtbot.waitSignal(desk.spot_asked) as asked:
        buttons(card, "chip")[0].click()
    assert asked.args == [Spot(3, 5, 34)]
    assert place.question.text() == ""


def test_the_short_answer_comes_first_and_its_proof_opens_by_itself(
    qtbot: QtBot, place: AskPlace, desk: Desk
) -> None:
    with qtbot.waitSignal(desk.spot_asked) as asked:
        place.ask(QUESTION)
    assert asked.args == [Spot(3, 5, 34)]
    card = place.findChild(AnswerCard)
    assert card is not None
    short = replace(
        made_up.answer(), answer="Eastport", summary="Nora lives in Eastport, since 10 Feb [1]."
    )
    card.show_answer(short)
    assert card._text.font().pointSizeF() > 1.3 * card._summary.font().pointSizeF()
    assert "cite:1" in card._summary.text()
    assert not card._summary.isHidden()


def test_what_was_told_without_a_date_says_only_when_it_was_told(
    qtbot: QtBot, memory: FakeMemory
) -> None:
    sides = tuple(
        replace(side, valid_from=made_up.said_by("2023-02-11")) for side in made_up.FACTS[4:6]
    )
    card = AnswerCard(Desk(memory, InlineRunner()), QUESTION)
    qtbot.addWidget(card)
    card.show_answer(replace(made_up.answer(), conflicts=(Conflict("works_at", sides),)))
    assert "told 11 Feb 2023 · Nora Lind" in texts(card)
    assert "now" not in texts(card).split("disagree here")[1].split("How I found")[0]


def test_an_answer_that_is_not_there_says_so_in_the_users_language(
    qtbot: QtBot, memory: FakeMemory
) -> None:
    set_language("zh")
    card = AnswerCard(Desk(memory, InlineRunner()), QUESTION)
    qtbot.addWidget(card)
    card.show_answer(replace(made_up.answer(), answer="Not here.", abstained=True, citations=()))
    assert "您的聊天里没有提到" in texts(card)
    assert "Not here." not in texts(card)


def test_the_trace_says_known_things_in_plain_words() -> None:
    read = (("kind", "how_many"), ("property", "lives_in, left_hand_of"), ("odd", "kept"))
    assert understood_lines(read) == [
        "It asks: how many",
        "Looks for: lives in, left hand of",
        "odd: kept",
    ]
    left_out = (
        "March — its proof does not tell it: Nora: hello",
        "May — the turns are about somebody else",
        "something new",
    )
    assert dropped_lines(left_out) == [
        "“March”: the words found do not tell this\n    “Nora: hello”",
        "“May”: the messages are about somebody else",
        "something new",
    ]


def test_the_day_offered_is_the_last_that_the_chats_tell_of(place: AskPlace) -> None:
    assert place.box.day.isHidden()
    place.box.as_of.setChecked(True)
    assert not place.box.day.isHidden()
    assert place.box.day.date().toString("yyyy-MM-dd") == "2024-03-01"


def test_a_number_in_the_answer_opens_its_source(qtbot: QtBot, place: AskPlace, desk: Desk) -> None:
    place.ask(QUESTION)
    card = place.findChild(AnswerCard)
    assert card is not None
    with qtbot.waitSignal(desk.spot_asked) as asked:
        card._text.linkActivated.emit("cite:2")
    assert asked.args == [Spot(1, 21, 37)]


def test_the_trace_opens_on_demand(place: AskPlace) -> None:
    place.ask(QUESTION)
    trace = place.findChild(TraceView)
    assert trace is not None
    assert trace.isHidden()
    next(one for one in buttons(place, "link") if one.text() == "How I found this").click()
    assert not trace.isHidden()
    assert "Looked up the facts (3 ms)" in texts(trace)
    assert "SELECT value, valid_from FROM v_facts" in texts(trace)
    assert "asks, states nothing" in texts(trace)
    assert "The language model was asked 2 times" in texts(trace)
    assert "1,840" in texts(trace)  # pieces of words that it read
    assert "96" in texts(trace)  # and wrote
    assert "4.2 s" in texts(trace)
    assert re.search(r"score 0\.\d{3}", texts(trace))


def test_a_follow_up_knows_what_was_asked_before(place: AskPlace, memory: FakeMemory) -> None:
    place.ask(QUESTION)
    place.ask("And before?")
    earlier = memory.asked[1][1].earlier
    assert [question for question, _ in earlier] == [QUESTION]


def test_the_day_goes_along(place: AskPlace, memory: FakeMemory) -> None:
    place.box.as_of.setChecked(True)
    place.box.day.setDate(place.box.day.date().fromString("2023-07-14", "yyyy-MM-dd"))
    place.ask(QUESTION)
    # The end of that day in Oslo, two hours ahead of UTC in summer.
    assert memory.asked[0][1].as_of_ms == made_up.at("2023-07-14T22:00") - 1


def test_evidence_is_there_before_the_answer(qtbot: QtBot, memory: FakeMemory) -> None:
    card = AnswerCard(Desk(memory, InlineRunner()), QUESTION)
    qtbot.addWidget(card)
    card.show_evidence(EvidenceFound(made_up.hits(), (), 180))
    assert "Found 9 messages after 0.2 s" in texts(card)
    assert len(card.findChildren(ProofRow)) == 4


def test_stop_ends_the_question(qtbot: QtBot, memory: FakeMemory) -> None:
    runner = HeldRunner()
    place = AskPlace(Desk(memory, runner))
    qtbot.addWidget(place)
    place.show()
    while runner.held:
        runner.let_go()
    place.ask(QUESTION)
    (_, token) = runner.held[0]
    place.box.stop.click()
    assert token.cancelled
    runner.let_go()
    assert "Stopped." in texts(place)
    assert place.findChild(TraceView) is None
    assert not place.box.ask.isHidden()


def test_without_a_model_the_messages_are_shown(place: AskPlace, memory: FakeMemory) -> None:
    memory.error = ModelMissingError("It is not here.")
    place.ask(QUESTION)
    assert "no language model here yet" in texts(place)
    assert place.findChildren(ProofRow)
    assert memory.asked[-1][1].use_model is False


def test_a_crash_says_what_to_do_and_the_next_question_works(
    place: AskPlace, memory: FakeMemory
) -> None:
    memory.error = ModelCrashedError()
    place.ask(QUESTION)
    assert "stopped unexpectedly" in texts(place)
    memory.error = None
    next(one for one in place.findChildren(QPushButton) if one.text() == "Ask again").click()
    assert "Nora lives in Eastport" in texts(place)


def test_a_question_while_chats_are_read_shows_messages_meanwhile(
    qtbot: QtBot, memory: FakeMemory
) -> None:
    runner = HeldRunner()
    desk = Desk(memory, runner)
    place = AskPlace(desk)
    qtbot.addWidget(place)
    place.show()
    while runner.held:
        runner.let_go()
    runner.busy_lanes.add(Lane.MODEL)
    place.ask(QUESTION)
    runner.let_go()  # the search; the model still waits
    assert "Found 9 messages" in texts(place) or place.findChildren(ProofRow)
    assert place.findChild(TraceView) is None


def test_an_empty_memory_begins_with_what_to_do(qtbot: QtBot) -> None:
    place = AskPlace(Desk(FakeMemory(empty=True), InlineRunner()))
    qtbot.addWidget(place)
    place.show()
    assert place._stack.currentIndex() == 1
    assert "Nothing leaves this computer" in texts(place._first_run)
    assert "/home/someone/memory.apexmem" in texts(place._first_run)


def test_the_first_question_is_asked_while_chats_are_still_read(
    qtbot: QtBot, memory: FakeMemory
) -> None:
    memory.empty = True
    desk = Desk(memory, InlineRunner())
    place = AskPlace(desk)
    qtbot.addWidget(place)
    place.show()
    first = place._first_run
    assert first.held.isHidden()
    assert "Ask the first question" in texts(first)
    memory.empty = False  # a chat came in; the graph has only begun to grow
    place.refresh()
    assert place._stack.currentWidget() is first  # the model may still be fetched there
    assert "messages are in your memory" in first.held.text()
    example = next(b for b in first.findChildren(QPushButton) if b.property("kind") == "example")
    example.click()
    assert place._stack.currentIndex() == 0
    assert [question for question, _ in memory.asked] == [example.text()]
    place.refresh()
    assert place._stack.currentIndex() == 0


def test_who_begins_may_choose_another_model(qtbot: QtBot) -> None:
    desk = Desk(FakeMemory(empty=True), InlineRunner())
    place = AskPlace(desk)
    qtbot.addWidget(place)
    place.show()
    with qtbot.waitSignal(desk.place_asked) as asked:
        place._first_run.other_model.click()
    assert asked.args == ["models"]


def test_who_begins_may_ask_something_else(qtbot: QtBot, memory: FakeMemory) -> None:
    memory.empty = True
    place = AskPlace(Desk(memory, InlineRunner()))
    qtbot.addWidget(place)
    place.show()
    memory.empty = False
    place.refresh()
    labelled(place, "Ask something else…").click()
    assert place._stack.currentIndex() == 0
    assert memory.asked == []


def test_an_answer_is_copied_as_markdown(qtbot: QtBot, desk: Desk) -> None:
    place = AskPlace(desk)
    qtbot.addWidget(place)
    place.ask("Where does Nora live now?")
    labelled(place, "Copy as Markdown").click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("## Where does Nora live now?\n\n**")
    assert "> — Nora Lind, 11 Feb 2023 [1]" in copied


def test_what_was_asked_before_is_read_again_and_gone_on_with(
    place: AskPlace, memory: FakeMemory
) -> None:
    pane = place.pane
    titles = [pane.dialogues.index(row).data() for row in range(pane.dialogues.rowCount())]
    assert titles == ["Where does Nora live now?", "Who is Ben?"]
    assert "2 questions" in str(pane.dialogues.index(0).data(NOTE_ROLE))
    pane.list.setCurrentIndex(pane.dialogues.index(0))
    assert "Nora lives in Eastport" in texts(place)
    place.ask("And before?")
    options = memory.asked[-1][1]
    assert options.dialogue_id == 7
    assert [question for question, _ in options.earlier] == ["Where does Nora live now?"]


def test_a_new_conversation_knows_nothing_of_the_one_before(
    place: AskPlace, memory: FakeMemory
) -> None:
    place.ask(QUESTION)
    place.box.as_of.setChecked(True)
    place.pane.new.click()
    assert not place.findChildren(AnswerCard) or "Nora lives in Eastport" not in texts(place)
    assert "What would you like to know?" in texts(place)
    place.ask("And before?")
    assert memory.asked[-1][1] == AskOptions()


def test_a_deleted_conversation_is_gone_until_that_is_taken_back(
    qtbot: QtBot, place: AskPlace, memory: FakeMemory
) -> None:
    pane = place.pane
    assert not pane.remove.isEnabled()
    pane.list.setCurrentIndex(pane.dialogues.index(0))
    pane.list.setFocus()
    pane.remove.click()
    assert [one.id for one in memory.kept_dialogues] == [3]
    assert pane.dialogues.rowCount() == 1
    assert "What would you like to know?" in texts(place)
    (undo,) = pane.gone.findChildren(QPushButton)
    assert pane.gone.isVisible()
    undo.click()
    assert [one.id for one in memory.kept_dialogues] == [7, 3]
    assert not pane.gone.isVisible()
    assert "Nora lives in Eastport" in texts(place)
    assert pane.list.currentIndex().data() == "Where does Nora live now?"


def test_another_conversation_may_be_read_while_an_answer_is_on_its_way(
    qtbot: QtBot, memory: FakeMemory
) -> None:
    runner = HeldRunner()
    place = AskPlace(Desk(memory, runner))
    qtbot.addWidget(place)
    place.show()
    while runner.held:
        runner.let_go()
    place.ask(QUESTION)
    place.pane.list.setCurrentIndex(place.pane.dialogues.index(1))
    runner.held.append(runner.held.pop(0))  # the answer comes last
    while len(runner.held) > 1:
        runner.let_go()
    assert len(place._cards) == 1
    assert not place.box.stop.isHidden()
    runner.let_go()
    assert place.box.stop.isHidden()
    assert len(place._cards) == 1  # the other conversation is read on


def test_the_day_that_was_asked_for_is_said(place: AskPlace) -> None:
    place.box.as_of.setChecked(True)
    place.box.day.setDate(place.box.day.date().fromString("2023-07-14", "yyyy-MM-dd"))
    place.ask(QUESTION)
    assert "As of 14 Jul 2023" in texts(place)


def test_a_question_is_asked_again_for_another_day(
    qtbot: QtBot, desk: Desk, memory: FakeMemory
) -> None:
    place = AskPlace(desk)
    qtbot.addWidget(place)
    place.ask("Where does Nora live now?")
    labelled(place, "Ask for another day").click()
    assert place.question.text() == "Where does Nora live now?"
    place.box.ask.click()
    assert memory.asked[0][1].as_of_ms is None
    assert memory.asked[1][1].as_of_ms is not None
    assert memory.asked[1][1].earlier == ()  # it is the same question, not one that follows


def test_a_wrong_answer_is_mended_where_it_stands(
    qtbot: QtBot, desk: Desk, memory: FakeMemory
) -> None:
    place = AskPlace(desk)
    qtbot.addWidget(place)
    place.show()
    place.ask("Where does Nora live now?")
    wrong = place.findChild(WrongView)
    assert wrong is not None
    assert wrong.isHidden()
    labelled(place, "This is wrong").click()
    assert not wrong.isHidden()
    wrong.acts[0].buttons["reject"].click()
    assert memory.decisions == [("reject", made_up.answer().facts[0].id)]


def test_a_source_that_does_not_fit_takes_out_what_rests_on_it(
    qtbot: QtBot, desk: Desk, memory: FakeMemory
) -> None:
    answer = made_up.answer()
    view = WrongView(desk, answer)
    qtbot.addWidget(view)
    citation = answer.citations[0]
    resting = [
        fact.id
        for fact in answer.facts
        if citation.turn_id in {proof.turn_id for proof in fact.evidence}
    ]
    view.misfits[citation.number].click()
    assert resting
    assert memory.decisions == [("misfit", answer.question, citation.turn_id, tuple(resting))]
    assert not view.misfits[citation.number].isEnabled()


def test_a_source_on_which_no_fact_rests_can_be_said_not_to_fit(
    qtbot: QtBot, place: AskPlace, desk: Desk, memory: FakeMemory
) -> None:
    answer = replace(made_up.answer(), facts=(), read_as="Where? (Oslo) Where does Nora live now?")
    place.show_dialogue(7, (answer,))
    view = place.findChild(WrongView)
    assert view is not None
    labelled(place, "This is wrong").click()
    assert "Which source does not fit?" in texts(view)
    citation = answer.citations[0]
    view.misfits[citation.number].click()
    assert memory.decisions == [("misfit", answer.read_as, citation.turn_id, ())]
    with qtbot.waitSignal(view.asked_again):
        view.again.click()
    assert memory.asked[-1][0] == answer.question


def test_words_stream_in_before_the_answer_is_there(qtbot: QtBot, memory: FakeMemory) -> None:
    card = AnswerCard(Desk(memory, InlineRunner()), QUESTION)
    qtbot.addWidget(card)
    card.add_words("Nora ")
    card.add_words("lives")
    assert "Nora lives" in texts(card)
    card.show_step("GraphSQL")
    assert "Checking: the facts" in texts(card)


def test_sentences_stream_in_with_numbers_that_open_at_once(
    qtbot: QtBot, memory: FakeMemory
) -> None:
    desk = Desk(memory, InlineRunner())
    card = AnswerCard(desk, QUESTION)
    qtbot.addWidget(card)
    card.show_reading(8)
    assert "Reading 8 messages…" in texts(card)
    answer = made_up.answer()
    card.add_words(answer.answer)
    card.add_sentence(SummaryPart("Nora told it [1].", answer.citations[:1]))
    card.add_sentence(SummaryPart("So did Ben."))
    assert "Nora told it" in texts(card)
    assert "So did Ben." in texts(card)
    with qtbot.waitSignal(desk.spot_asked):
        card._summary.linkActivated.emit("cite:1")


def test_an_answer_is_copied_as_plain_text(qtbot: QtBot, desk: Desk) -> None:
    place = AskPlace(desk)
    qtbot.addWidget(place)
    place.ask(QUESTION)
    labelled(place, "Copy").click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(f"{QUESTION}\n\nNora lives in Eastport")
    assert "[1] Nora Lind, 11 Feb 2023: " in copied


def labelled(place: AskPlace, text: str) -> QPushButton:
    return next(one for one in place.findChildren(QPushButton) if one.text() == text)
