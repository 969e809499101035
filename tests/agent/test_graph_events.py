"""Questions to the graph whose events, people and orders are named by other words than its own."""

import pytest

from apexmem_desktop.agent.question_parts import leave_out, read_around
from apexmem_desktop.domain.graph import MemoryType
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import ANA, BEN, Model, ask, know, on
from tests.recall.chats import store_chat

CLEO = "Cleo Park"


@pytest.fixture
def village(vault: Vault) -> Vault:
    """Two friends with homes, jobs and races, and a sister of one."""
    told = [
        (ANA, "2024-01-05T10:00", "I work at Marlin", "works_at", "Marlin", "2020-01-01"),
        (ANA, "2024-05-05T10:00", "I moved to Leeds", "lives_in", "Leeds", "2024-05-04"),
        (ANA, "2024-06-03T10:00", "I started at Tern", "works_at", "Tern", "2024-06-03"),
        (BEN, "2024-02-05T10:00", "I moved to York", "lives_in", "York", "2024-02-01"),
        (BEN, "2024-03-05T10:00", "I broke my wrist", "health", "wrist", "2024-03-04"),
        (ANA, "2024-03-01T10:00", "ran the Mill Mile", "ran", "Mill Mile", "2024-03-01"),
        (ANA, "2024-06-01T10:00", "ran the Fen Five", "ran", "Fen Five", "2024-06-01"),
        (ANA, "2024-07-01T10:00", "ran the Dale Dash", "ran", "Dale Dash", "2024-07-01"),
        (BEN, "2024-07-02T10:00", "ran the Dale Dash", "ran", "Dale Dash", "2024-07-01"),
        (CLEO, "2024-07-03T10:00", "I live in Hull now", "lives_in", "Hull", None),
    ]
    turns = store_chat(vault, [(who, at, text) for who, at, text, *_ in told])
    for turn, (who, _, _, name, value, start) in zip(turns, told, strict=True):
        know(
            vault, turn, who, name, value,
            start=on(start) if start else None,
            single_valued=name in ("lives_in", "works_at"),
            memory_type=MemoryType.ACTION if name == "ran" else MemoryType.FACT,
        )  # fmt: skip
    know(vault, turns[0], ANA, "sibling", CLEO, single_valued=False, is_entity=True)
    return vault


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which races did Ana run after her relocation?", "Fen Five and Dale Dash"),
        ("Which races did Ana run before she started at Tern?", "Mill Mile and Fen Five"),
        ("Which races did Ana run after Ben's injury but before she joined Tern?", "Fen Five"),
        ("Since moving to Leeds, how many races has Ana run?", "2"),
        ("Which race did Ana run right after the Mill Mile?", "Fen Five"),
        ("What was the second race that Ana ran?", "Fen Five"),
        ("Which race did Ana run before last?", "Fen Five"),
        ("Who moved first, Ana or Ben?", "Ben"),
        ("Who ran the fewest races?", BEN),
        ("Apart from Ana, who else ran a race?", BEN),
        ("Which company did Ana use to work for?", "Marlin"),
        ("Who used to work at Marlin?", ANA),
        ("Where does the sister of Ana live?", "Hull"),
        ("Who lives in Leeds and ran the Fen Five?", ANA),
        ("How long was it between Ben's move and Ana's move?", "93 days"),
        ("Which was first, Ana's move or Ben's move?", "Ben's move"),
        ("Ana搬到Leeds之后跑了哪些比赛？", "Fen Five、Dale Dash"),
        ("Ana第二次跑的是什么比赛？", "Fen Five"),
    ],
)
def test_the_graph_answers_without_a_model(village: Vault, question: str, answer: str) -> None:
    model = Model()
    found = ask(village, question, model)
    assert found.answer == answer
    assert found.citations
    assert model.language.requests == []
    assert [step.error for step in found.steps if step.tool == "GraphSQL"] == [""]


@pytest.mark.parametrize(
    "question",
    [
        "Which races did Ana run after her wedding?",
        "Which races did Ana run after Ben learned to swim?",
        "Which dances did Ana learn before she moved to Leeds?",
        "Where does the aunt of Ana live?",
    ],
)
def test_what_the_graph_does_not_know_is_left_to_the_turns(village: Vault, question: str) -> None:
    found = ask(village, question, Model())
    assert not [step for step in found.steps if step.tool == "GraphSQL"]


def test_the_parts_of_a_question_keep_their_places() -> None:
    parts = read_around("Before the fair, what did Ana sell?")
    assert parts is not None
    assert parts.main.strip() == "what did Ana sell?"
    assert parts.events == (("the fair", 7, False),)
    assert read_around("What did Ana sell?") is None
    text, whom, start = leave_out("Who else has a pet, besides Ana?")
    assert (whom, start) == ("Ana", 28)
    assert len(text) == len("Who else has a pet, besides Ana?")
    assert "else" not in text
