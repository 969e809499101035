"""When something happened: by the words of the question, from facts made by hand."""

import pytest

from apexmem_desktop.domain.graph import MemoryType, Modality
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask, know, ms, on
from tests.recall.chats import store_chat

ANA = "Ana Ruiz"
DEED = {"single_valued": False, "memory_type": MemoryType.ACTION}


@pytest.fixture
def outings(vault: Vault) -> Vault:
    """Ana tells of outings, each with another verb; of one she does not say when."""
    ids = store_chat(
        vault,
        [
            (ANA, "2024-05-10T10:00", "Yesterday I took my nephews to a railway museum"),
            (ANA, "2024-06-20T10:00", "Last Saturday I went to a kite parade"),
            (ANA, "2024-08-15T10:00", "I went to another parade on Sunday, with lanterns"),
            (ANA, "2024-09-02T10:00", "I just opened my own bakery!"),
            (ANA, "2024-10-01T10:00", "We're putting together a puppet show next month"),
        ],
    )
    know(vault, ids[0], ANA, "took", "kids to the railway museum", start=on("2024-05-09"), **DEED)
    know(vault, ids[1], ANA, "went_to", "kite parade", start=on("2024-06-15"), **DEED)
    know(vault, ids[2], ANA, "went_to", "another parade", start=on("2024-08-11"), **DEED)
    know(vault, ids[3], ANA, "opened", "own bakery", **DEED)
    know(
        vault, ids[4], ANA, "is_putting_together", "puppet show", start=on("2024-11-01"),
        modality=Modality.PLANNED, single_valued=False,
    )  # fmt: skip
    return vault


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did Ana go to the railway museum?", "9 May 2024"),
        ("When did Ana go to the kite parade?", "15 June 2024"),
        ("When did Ana go to a parade with lanterns?", "11 August 2024"),
        ("When did Ana go to a parade in August 2024?", "11 August 2024"),
        ("When did Ana open her bakery?", "around 2 September 2024"),
        ("When is Ana putting on a puppet show?", "1 November 2024"),
    ],
)
def test_it_is_found_whatever_verb_told_it(outings: Vault, question: str, expected: str) -> None:
    answer = ask(outings, question, Model(), now="2025-01-01T10:00")
    assert answer.answer == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did Ana visit the tram depot?", "the week before 20 June 2024"),
        ("When did Ana sail to the lighthouse?", "Friday 14 June 2024"),
    ],
)
def test_a_date_is_given_as_finely_as_it_was_told(
    vault: Vault, question: str, expected: str
) -> None:
    ids = store_chat(
        vault,
        [
            (ANA, "2024-06-20T10:00", "We visited the tram depot last week"),
            (ANA, "2024-06-20T10:01", "and we sailed to the lighthouse last Friday"),
        ],
    )
    week = Bound(ms("2024-06-10"), ms("2024-06-17") - 1, Precision.WEEK, TimeSource.WORKED_OUT)
    know(vault, ids[0], ANA, "visited", "tram depot", start=week, phrase="last week", **DEED)
    know(
        vault, ids[1], ANA, "sailed_to", "lighthouse", start=on("2024-06-14"),
        phrase="last Friday", **DEED,
    )  # fmt: skip
    answer = ask(vault, question, Model(), now="2025-01-01T10:00")
    assert answer.answer == expected


def test_a_plan_did_not_happen(outings: Vault) -> None:
    answer = ask(outings, "When did Ana see the puppet show?", Model(), now="2025-01-01T10:00")
    assert "1 November 2024" not in answer.answer


def test_what_shares_little_with_the_question_is_not_its_answer(outings: Vault) -> None:
    answer = ask(
        outings, "When did Ana paint the railway station?", Model(), now="2025-01-01T10:00"
    )
    assert answer.abstained
