"""A model that was taught to read answers in one call, and what it says is checked all the same."""

from collections.abc import Callable

import pytest

from apexmem_desktop.agent.taught import MAX_TURNS, MAX_TURNS_OF_LIST, NOT_TOLD
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import ANA, BEN, Model, ask, store_two_friends
from tests.fakes import Reply
from tests.recall.chats import store_chat

REPAIR = "How did Ana's repair of the gate go?"


@pytest.fixture
def talk(vault: Vault) -> Vault:
    store_two_friends(vault)
    return vault


def _taught(
    finds: Reply | Callable[[str], Reply] = "none", *, told: str = "yes", decides: str = "unknown"
) -> Model:
    model = Model(finds=finds, told=told, decisions=[decides])
    model.language.is_taught = True
    return model


def _heard(text: str, not_told: float) -> Generation:
    return Generation(text, "stop", mean_logprob=-0.1, withheld_probability=not_told)


def _only(model: Model) -> GenerateRequest:
    (request,) = model.language.requests
    return request


def _shown(model: Model) -> list[str]:
    """Give the turns it was shown."""
    lines = model.language.requests[0].messages[-1].text.splitlines()
    assert lines[0] == "Turns:"
    assert lines[-1].startswith("Question: ")
    return lines[1:-1]


def test_a_plain_question_is_one_call_of_the_adapter(talk: Vault) -> None:
    model = _taught("long")
    answer = ask(talk, "How was Ana's cello lesson?", model)
    request = _only(model)
    assert answer.answer == "long"
    assert [one.quote for one in answer.citations] == ["my cello lesson was long"]
    assert answer.usage.model_calls == 1
    assert request.adapted
    assert request.withheld == NOT_TOLD
    assert request.static_messages == len(request.messages) - 1 == 1


def test_the_turns_of_all_are_shown_the_nearest_last(talk: Vault) -> None:
    model = _taught("with my aunt")
    ask(talk, REPAIR, model)
    assert {line.split(", ")[1].split(":")[0] for line in _shown(model)} == {ANA, BEN}
    # As the search ranks them, which prefers the turns of whom the question names.
    assert "squeaked" in _shown(model)[-1]
    assert "repaired" in _shown(model)[-2]


def test_a_model_that_was_not_taught_is_asked_as_before(talk: Vault) -> None:
    model = Model(reads="long", finds="long")
    answer = ask(talk, "How was Ana's cello lesson?", model)
    assert answer.answer == "long"
    assert len(model.language.requests) > 1
    assert not any(one.adapted or one.withheld for one in model.language.requests)


def test_a_wording_that_no_turn_has_is_not_given(talk: Vault) -> None:
    answer = ask(talk, "How was Ana's cello lesson?", _taught("rather short and cheerful"))
    assert answer.abstained
    assert any("not in the turns" in one for one in answer.dropped)


def test_a_wording_that_only_anothers_turn_has_is_not_given(talk: Vault) -> None:
    answer = ask(talk, "How was Ana's cello lesson?", _taught("fun"))
    assert answer.abstained
    assert answer.citations == ()


@pytest.mark.parametrize("finish", ["length", "cancelled"])
def test_half_a_reply_is_none(talk: Vault, finish: str) -> None:
    answer = ask(talk, "How was Ana's cello lesson?", _taught(Generation("long", finish)))
    assert answer.abstained


def test_anothers_deed_is_declined_with_who_did_it(talk: Vault) -> None:
    model = _taught(_heard("with my aunt", 0.7))
    answer = ask(talk, REPAIR, model)
    assert answer.abstained
    assert answer.answer == "This is not in your memory."
    assert "Ben Holt on 1 March 2024" in answer.summary
    assert answer.citations == ()
    assert answer.usage.model_calls == 1  # who is meant is not asked besides
    assert any("probably not told (0.70)" in one for one in answer.dropped)


def test_the_one_who_did_it_is_answered(talk: Vault) -> None:
    model = _taught(_heard("with my aunt", 0.1))
    answer = ask(talk, "How did Ben repair the garden gate?", model)
    assert answer.answer == "with my aunt"
    assert answer.usage.model_calls == 1


def test_who_is_spoken_to_may_be_told_of(vault: Vault) -> None:
    store_chat(
        vault,
        [
            (ANA, "2024-03-01T10:00", "I waited for news of which job I would get"),
            (BEN, "2024-03-01T10:01", "so glad that you got the harbour job"),
        ],
    )
    answer = ask(vault, "Which job did Ana get?", _taught(_heard("harbour job", 0.001)))
    assert answer.answer == "harbour job"
    assert [one.speaker for one in answer.citations] == [BEN]


@pytest.mark.parametrize(("not_told", "abstained"), [(0.5, False), (0.995, True)])
def test_how_probable_not_told_was_decides_where_nobody_is_named(
    talk: Vault, not_told: float, abstained: bool
) -> None:
    answer = ask(talk, "How was the cello lesson?", _taught(_heard("long", not_told)))
    assert answer.abstained is abstained
    assert (answer.answer == "long") is not abstained


@pytest.mark.parametrize("said", ["Yes", "No"])
def test_yes_and_no_need_no_wording(talk: Vault, said: str) -> None:
    model = _taught(f"{said}, with my aunt.")
    answer = ask(talk, "Did Ben repair the garden gate?", model)
    assert answer.answer == said
    assert answer.citations
    assert answer.usage.model_calls == 1


def test_an_assistants_turns_are_shown_only_where_it_is_asked(vault: Vault) -> None:
    store_chat(
        vault,
        [
            (ANA, "2024-03-01T10:00", "I play tennis every Friday with my cousin"),
            ("Assistant", "2024-03-01T10:01", "Tennis every Monday would be good for you"),
        ],
        user=ANA,
    )
    model = _taught("every Friday")
    assert ask(vault, "How often do I play tennis?", model).answer == "every Friday"
    assert [line.split(", ")[1][:8] for line in _shown(model)] == ["Ana Ruiz"]
    model = _taught("every Monday")
    ask(vault, "What did you say about tennis?", model)
    assert any("Assistant: " in line for line in _shown(model))


@pytest.mark.parametrize(
    ("question", "most"),
    [
        ("What kind of kite did Ana fly?", MAX_TURNS),
        ("What kites has Ana flown?", MAX_TURNS_OF_LIST),
    ],
)
def test_a_list_is_read_from_more_turns(vault: Vault, question: str, most: int) -> None:
    store_chat(
        vault,
        [(ANA, f"2024-03-{day:02}T10:00", f"I flew kite number {day}") for day in range(1, 21)],
    )
    model = _taught("kite number 3")
    ask(vault, question, model)
    assert len(_shown(model)) == most


def test_without_turns_there_is_nothing_to_read(vault: Vault) -> None:
    model = _taught("long")
    assert ask(vault, "How was Ana's cello lesson?", model).abstained
    assert not any(one.adapted for one in model.language.requests)
