"""Turn by turn: the answer is copied from one turn, weighed, and given with that turn."""

import pytest

from apexmem_desktop.inference.language import Generation
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask, know
from tests.recall.chats import store_chat


@pytest.fixture
def chat(vault: Vault) -> Vault:
    store_chat(
        vault,
        [
            ("Ana Ruiz", "2024-03-01T10:00", "the new kiln arrived, it is bright orange"),
            ("Ben Holt", "2024-03-02T10:00", "my kiln is blue"),
        ],
    )
    return vault


def _copy(prompt: str) -> str:
    return "bright orange" if "bright orange" in prompt else "none"


def test_an_answer_is_copied_and_its_turn_cited(chat: Vault) -> None:
    answer = ask(chat, "What colour is Ana's kiln?", Model(reads=_copy))
    assert answer.answer == "bright orange"
    assert [one.speaker for one in answer.citations] == ["Ana Ruiz"]
    assert not answer.abstained


def test_what_does_not_stand_in_the_turn_is_no_reading(chat: Vault) -> None:
    answer = ask(chat, "What colour is Ana's kiln?", Model(reads="purple"))
    assert answer.abstained
    assert any("purple" in one for one in answer.dropped)


def test_what_the_model_does_not_take_for_told_is_declined(chat: Vault) -> None:
    answer = ask(chat, "What colour is Ana's kiln?", Model(reads=_copy, told="no"))
    assert answer.abstained


def test_another_persons_turn_is_not_read(chat: Vault) -> None:
    answer = ask(
        chat,
        "What colour is Ana's kiln?",
        Model(reads=lambda prompt: "blue" if "kiln is blue" in prompt else "none"),
    )
    assert answer.abstained


def test_a_turn_beside_the_point_must_be_surer(vault: Vault) -> None:
    """The model half takes a green hat for a favourite colour."""
    (turn_id,) = store_chat(vault, [("Ana Ruiz", "2024-03-01T10:00", "you left your green hat")])
    know(vault, turn_id, "Ana Ruiz", "likes", "hats")
    half = Generation(
        text="green", finish="stop", mean_logprob=-0.9, choice_probabilities={"yes": 0.9, "no": 0.1}
    )
    on_topic, beside = "What hat did Ana see?", "What colour did Ana like?"
    assert ask(vault, on_topic, Model(reads=half, told=half)).answer == "green"
    assert ask(vault, beside, Model(reads=half, told=half)).abstained
    assert ask(vault, beside, Model(reads="green")).answer == "green"


def test_what_is_known_as_something_else_is_no_reading(vault: Vault) -> None:
    (turn_id,) = store_chat(vault, [("Ana Ruiz", "2024-03-01T10:00", "work as a vegan is hard")])
    know(vault, turn_id, "Ana Ruiz", "diet", "vegan")
    assert ask(vault, "What does Ana work as?", Model(reads="vegan")).abstained


def test_who_contradict_each_other_are_both_shown(vault: Vault) -> None:
    store_chat(
        vault,
        [
            ("Ana Ruiz", "2024-03-01T10:00", "Der Kocher gehört Ben"),
            ("Ben Holt", "2024-03-01T10:02", "Nein, der Kocher gehört Cleo"),
            ("Dan Orr", "2024-06-01T10:02", "Der Kocher gehört Eve"),
        ],
    )

    def read(prompt: str) -> str:
        return next(name for name in ("Eve", "Cleo", "Ben") if f"gehört {name}" in prompt)

    answer = ask(vault, "Wem gehört der Kocher?", Model(reads=read))
    assert answer.answer in ("Ben and Cleo", "Cleo and Ben")
    assert len(answer.citations) == 2


def test_whose_own_words_are_asked_for_has_one_side(chat: Vault) -> None:
    answer = ask(chat, "What colour is the kiln of Ben?", Model(reads=_colour))
    assert answer.answer == "blue"


def _colour(prompt: str) -> str:
    return "bright orange" if "bright orange" in prompt else "blue"


def test_the_wording_found_with_all_turns_in_view_is_given(chat: Vault) -> None:
    model = Model(reads=_copy, finds="it is bright orange")
    answer = ask(chat, "What colour is Ana's kiln?", model)
    assert answer.answer == "it is bright orange"
    assert [one.quote for one in answer.citations] == ["the new kiln arrived, it is bright orange"]


def test_a_wording_that_no_turn_has_is_not_given(chat: Vault) -> None:
    model = Model(reads=_copy, finds="a glowing furnace red")
    answer = ask(chat, "What colour is Ana's kiln?", model)
    assert answer.answer == "bright orange"
    assert any("glowing" in one for one in answer.dropped)


def test_where_no_turn_by_itself_tells_it_nobody_said_it(chat: Vault) -> None:
    model = Model(reads="none", finds="it is bright orange")
    assert ask(chat, "What colour is the new kiln?", model).abstained


def test_who_is_named_is_not_read_turn_by_turn(chat: Vault) -> None:
    model = Model(reads=_never, finds="bright orange")
    assert ask(chat, "What colour is Ana's kiln?", model).answer == "bright orange"


def _never(prompt: str) -> str:
    raise AssertionError(prompt)


def test_each_part_of_a_wording_is_cited(vault: Vault) -> None:
    store_chat(
        vault,
        [
            ("Ana Ruiz", "2024-03-01T10:00", "to keep fit I swim in the lake"),
            ("Ana Ruiz", "2024-05-01T10:00", "I fence too, to keep fit"),
        ],
    )
    model = Model(reads="swim", finds="swim, fence")
    answer = ask(vault, "How does Ana keep fit?", model)
    assert answer.answer == "swim, fence"
    assert len(answer.citations) == 2


def test_a_date_is_given_without_the_words_it_was_worked_out_from(vault: Vault) -> None:
    store_chat(vault, [("Ana Ruiz", "2024-07-17T10:00", "fired the kiln last Friday!")])
    model = Model(finds="last Friday 12 July 2024")
    assert ask(vault, "When did Ana fire the kiln?", model).answer == "Friday 12 July 2024"
