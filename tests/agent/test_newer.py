"""What was told later holds, where a question asks what holds."""

import pytest

from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask
from tests.recall.chats import store_chat


@pytest.fixture
def told_twice(vault: Vault) -> Vault:
    store_chat(
        vault,
        [
            ("Ana Ruiz", "2024-03-01T10:00", "I have 17 kiln bricks in the shed now"),
            ("Ana Ruiz", "2024-09-01T10:00", "we counted, I have 25 kiln bricks in the shed"),
            ("Ana Ruiz", "2024-10-01T10:00", "I have no time for bricks"),
        ],
    )
    return vault


def _read(prompt: str) -> str:
    message = prompt.rsplit("Message:", 1)[-1]
    return next((n for n in ("17", "25") if n in message), "none")


def test_the_later_number_holds_and_the_older_stays_beside_it(told_twice: Vault) -> None:
    answer = ask(told_twice, "How many kiln bricks does Ana have?", Model(finds="17", reads=_read))
    assert answer.answer == "25"
    assert [one.quote for one in answer.citations] == [
        "we counted, I have 25 kiln bricks in the shed",
        "I have 17 kiln bricks in the shed now",
    ]


def test_a_later_turn_that_does_not_tell_it_changes_nothing(told_twice: Vault) -> None:
    model = Model(finds="17", reads="none")
    assert ask(told_twice, "How many kiln bricks does Ana have?", model).answer == "17"


def test_a_question_of_a_time_keeps_to_it(told_twice: Vault) -> None:
    model = Model(finds="17", reads=_read)
    asked = "How many kiln bricks did Ana have in March 2024?"
    assert ask(told_twice, asked, model).answer == "17"


def test_words_do_not_replace_a_number(told_twice: Vault) -> None:
    model = Model(finds="17", reads="in the shed")
    assert ask(told_twice, "How many kiln bricks does Ana have?", model).answer == "17"
