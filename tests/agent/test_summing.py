"""Amounts told in parts are added up."""

import pytest

from apexmem_desktop.agent.summing import difference, read_difference, summed
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask
from tests.recall.chats import store_chat


@pytest.mark.parametrize(
    ("question", "answer", "total"),
    [
        ("What is the total cost of both?", "$120 for the cover and $20 for the spray", "$140"),
        ("What is the total of both?", "$20 for one and $20 for the other", "$40"),
        ("How many pages in total?", "210 pages and 95 pages", "305 pages"),
        ("What did I pay altogether?", "€1,200.50 and €99.50", "€1,300.00"),
        ("What is the total number of views?", "542 on one and 1,456 on the other", "1,998"),
        ("一共花了多少钱？", "¥30和¥12", "¥42"),
    ],
)
def test_parts_are_added(question: str, answer: str, total: str) -> None:
    assert summed(question, answer) == f"{total} ({answer})"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What did the cover and the spray cost?", "$120 for the cover and $20 for the spray"),
        ("What is the total cost?", "$120"),
        ("What is the total cost?", "$120 and $20, $140 in all"),
        ("What is the total cost?", "$120 or 100 euros"),
        ("What is the total cost of six?", "$12 each, $2 for the box"),
        ("What is the total time?", "2 hours and 30 minutes"),
    ],
)
def test_what_is_no_sum_stays(question: str, answer: str) -> None:
    assert summed(question, answer) == answer


def test_it_is_asked_of_the_memory(vault: Vault) -> None:
    said = "the cover cost $120 and the spray $20"
    store_chat(vault, [("Ana Ruiz", "2024-03-01T10:00", said)])
    question = "What is the total cost of the cover and the spray that Ana bought?"
    told = ask(vault, question, Model(finds="$120 and $20"))
    assert told.answer == "$140 ($120 and $20)"
    assert [one.quote for one in told.citations] == [said]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "How much more was the offer than the price of the house?",
            ("How much was the offer?", "How much was the price of the house?"),
        ),
        (
            "How much faster did I finish the run compared to my time of last year?",
            ("How much did I finish the run?", "How much was my time of last year?"),
        ),
        (
            "How much will I save by taking the ferry instead of a cab?",
            ("How much does taking the ferry cost?", "How much does a cab cost?"),
        ),
        (
            "What is the difference in price between the tent and the stove?",
            ("What is the price of the tent?", "What is the price of the stove?"),
        ),
        ("How much did I save?", None),
        ("How much more do I know?", None),
    ],
)
def test_two_amounts_are_asked_for(question: str, asked: tuple[str, str] | None) -> None:
    assert read_difference(question) == asked


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("$400,000", "for $325,000", "$75,000 ($400,000, for $325,000)"),
        ("35 minutes", "45 minutes", "10 minutes (35 minutes, 45 minutes)"),
        ("$10", "10 euros", ""),
        ("$10 or $12", "$9", ""),
        ("cheap", "$9", ""),
    ],
)
def test_amounts_of_one_kind_are_compared(one: str, other: str, apart: str) -> None:
    assert difference(one, other) == apart


def test_the_amounts_come_from_the_turns(vault: Vault) -> None:
    said = ["taking the ferry costs $15", "a cab to town costs $60"]
    days = ("2024-03-01T10:00", "2024-03-02T10:00")
    store_chat(vault, [("Ana Ruiz", day, text) for day, text in zip(days, said, strict=True)])
    model = Model(finds=lambda prompt: "$60" if "does a cab cost" in prompt else "$15")
    told = ask(vault, "How much does Ana save by taking the ferry instead of a cab?", model)
    assert told.answer == "$45 ($15, $60)"
    assert {one.quote for one in told.citations} == set(said)
