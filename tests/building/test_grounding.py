"""Each reason not to store a candidate, one by one; and checking by the model."""

from dataclasses import replace

import pytest

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.checking import (
    LEAST_YES,
    check_request,
    share_of_yes,
    weigh,
)
from apexmem_desktop.building.confidence import BY_MODEL_AT_MOST
from apexmem_desktop.building.grounding import why_ungrounded
from apexmem_desktop.inference.language import Generation
from tests.building.telling import said


def proposed(
    text: str, who: str, shape: str, value: str, *, by: str = "model", of_speaker: bool = False
) -> Candidate:
    """What a model proposes of a turn that is one sentence."""
    start = max(0, text.find(value))
    return Candidate(
        turn_id=1,
        who=who,
        of_speaker=of_speaker,
        property=shape,
        shape=shape,
        value=value,
        value_start=start,
        value_end=start + len(value),
        sentence=text,
        sentence_start=0,
        by=by,
        confidence=0.5,
    )


def _why(text: str, who: str, shape: str, value: str, *, of_speaker: bool = False) -> str:
    return why_ungrounded(said(text), proposed(text, who, shape, value, of_speaker=of_speaker))


@pytest.mark.parametrize(
    ("text", "who", "shape", "value"),
    [
        ("I moved to Rome", "Ana Ruiz", "lives_in", "Rome"),
        ("Lena likes olives", "Lena", "likes", "olives"),
        ("my mum works at Lumo", "mum", "works_at", "Lumo"),
        ("Ran the Harbour Mile this morning", "Ana Ruiz", "ran", "Harbour Mile"),
        ("I do not eat meat", "Ana Ruiz", "diet", "meat"),
        ("我在厦门住了三年", "Ana Ruiz", "lives_in", "厦门"),
    ],
)
def test_what_the_words_carry_stands(text: str, who: str, shape: str, value: str) -> None:
    of_speaker = who == "mum"
    assert _why(text, who, shape, value, of_speaker=of_speaker) == ""


@pytest.mark.parametrize(
    ("text", "who", "shape", "value", "reason"),
    [
        ("I moved to Rome", "Ana Ruiz", "lives_in", "Oslo", "value not in the turn"),
        ("I moved to Rome", "", "lives_in", "Rome", "no subject"),
        ("I moved to Rome", "John Doe", "lives_in", "Rome", "subject not in the turn"),
        ("I like it", "Ana Ruiz", "likes", "it", "value says nothing"),
        ("I like ...", "Ana Ruiz", "likes", "...", "value says nothing"),
        ("I bought a few jars of it", "Ana Ruiz", "bought", "few jars of it",
         "value says nothing"),
        ("I bought a new one", "Ana Ruiz", "bought", "new one", "value says nothing"),
        ("我喜欢这个", "Ana Ruiz", "likes", "这个", "value says nothing"),
        ("I like how it looks", "Ana Ruiz", "likes", "how it looks", "value says nothing"),
        ("I like " + "very " * 30 + "sour plums", "Ana Ruiz", "likes",
         "very " * 30 + "sour plums", "value too long"),
        ("I like x" + "x" * 90, "Ana Ruiz", "likes", "x" + "x" * 90, "value too long"),
        ("Lena likes Lena", "Lena", "likes", "Lena", "value is the subject"),
        ("I moved to a bigger flat", "Ana Ruiz", "lives_in", "a bigger flat", "value is no place"),
        ("I work at night", "Ana Ruiz", "works_at", "night", "value is no organization"),
        ("I met someone nice", "Ana Ruiz", "met", "someone nice", "value is no person"),
        ("You love Rome", "Ana Ruiz", "likes", "Rome", "about the one spoken to"),
        ("Lena loves Rome", "Ana Ruiz", "likes", "Rome", "said of somebody else"),
        ("good morning from Rome", "Ana Ruiz", "likes", "Rome", "said of somebody else"),
        ("你喜欢香菜", "Ana Ruiz", "likes", "香菜", "said of somebody else"),
        ("Kopi is my favourite", "Ana Ruiz", "favourite", "Kopi", "favourite of what is not said"),
        ("I never liked olives", "Ana Ruiz", "likes", "olives", "sentence has a negation"),
        ("I don’t live in Rome", "Ana Ruiz", "lives_in", "Rome", "sentence has a negation"),
        ("我没去厦门", "Ana Ruiz", "visited", "厦门", "sentence has a negation"),
    ],
)  # fmt: skip
def test_each_reason(text: str, who: str, shape: str, value: str, reason: str) -> None:
    assert _why(text, who, shape, value) == reason


def test_a_friend_who_is_not_named_is_another_one_each_time() -> None:
    why = _why("my friend moved to Rome", "friend", "lives_in", "Rome", of_speaker=True)
    assert why == "one of several who are not named"


def test_a_pattern_has_looked_at_who_and_not_already() -> None:
    text = "No, Lena moved to Rome"
    told = proposed(text, "Lena", "lives_in", "Rome", by="rule")
    assert why_ungrounded(said(text), told) == ""
    assert why_ungrounded(said(text), replace(told, value="Oslo")) == "value not in the turn"


CANDIDATE = proposed("I moved to Rome", "Ana Ruiz", "lives_in", "Rome")


def _reply(**probabilities: float) -> Generation:
    return Generation(text="yes", finish="stop", choice_probabilities=probabilities)


def test_the_model_is_asked_in_plain_words_and_answers_yes_or_no() -> None:
    request = check_request("Ana Ruiz", CANDIDATE)
    assert request.choices == ("yes", "no")
    assert request.messages[-1].text == (
        "Message from Ana Ruiz: I moved to Rome\nStatement: Ana Ruiz lives in Rome now"
    )
    assert request.static_messages == len(request.messages) - 1


@pytest.mark.parametrize(("yes", "stands"), [(1.0, True), (LEAST_YES, True), (0.79, False)])
def test_below_the_threshold_a_candidate_is_dropped(yes: float, stands: bool) -> None:
    kept, unsaid = weigh([CANDIDATE], [_reply(yes=yes, no=1 - yes)])
    assert (len(kept), len(unsaid)) == ((1, 0) if stands else (0, 1))


def test_confidence_is_the_measured_share_of_yes() -> None:
    [sure], _ = weigh([CANDIDATE], [_reply(yes=0.6, no=0.0)])
    assert sure.confidence == BY_MODEL_AT_MOST
    [less], _ = weigh([CANDIDATE], [_reply(yes=0.9, no=0.1)])
    assert less.confidence < sure.confidence


def test_a_model_that_would_say_neither_has_not_said_yes() -> None:
    assert share_of_yes(_reply()) == 0.0
    assert weigh([CANDIDATE], [_reply()])[0] == []
