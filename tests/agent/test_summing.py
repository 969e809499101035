"""Amounts told in parts are added up."""

import pytest

from apexmem_desktop.agent.summing import summed
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask
from tests.recall.chats import store_chat


@pytest.mark.parametrize(
    ("question", "answer", "total"),
    [
        ("What is the total cost of both?", "$120 for the cover and $20 for the spray", "$140"),
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
