"""Questions to the whole graph: routed without a model, held to what exists, proved and cited."""

import pytest

from apexmem_desktop.agent import query_text
from apexmem_desktop.agent.graph_question import GraphQuestion, read_graph_question
from apexmem_desktop.agent.query_text import TOLD
from apexmem_desktop.domain.answers import AskOptions
from apexmem_desktop.domain.errors import QueryRefusedError
from apexmem_desktop.domain.graph import MemoryType
from apexmem_desktop.recall.question import understand
from apexmem_desktop.storage import graphsql
from apexmem_desktop.storage.rulings import append_ruling
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import NOW, Model, ask, know, on
from tests.fakes import ScriptedLanguage
from tests.recall.builders import ms
from tests.recall.chats import store_chat

ANA, BEN, CLEO = "Ana Ruiz", "Ben Holt", "Cleo Park"


@pytest.fixture
def village(vault: Vault) -> Vault:
    """Three people with homes, pets and purchases."""
    told = [
        (ANA, "2024-01-05T10:00", "I live in Porto", "lives_in", "Porto", "2020-01-01"),
        (ANA, "2024-05-05T10:00", "I moved to Leeds", "lives_in", "Leeds", "2024-05-04"),
        (BEN, "2024-02-05T10:00", "I moved to Leeds too", "lives_in", "Leeds", "2024-02-01"),
        (BEN, "2024-02-06T10:00", "our dog is called Rufus", "pet", "Rufus", None),
        (CLEO, "2024-02-07T10:00", "my cat Tilly is four", "pet", "Tilly", None),
        (ANA, "2024-03-01T10:00", "I bought a kiln", "bought", "kiln", "2024-03-01"),
        (ANA, "2024-06-01T10:00", "I bought a kayak", "bought", "kayak", "2024-06-01"),
        (ANA, "2024-07-01T10:00", "I bought a tent", "bought", "tent", "2024-07-01"),
        (CLEO, "2024-07-02T10:00", "I bought a lamp", "bought", "lamp", "2024-07-02"),
    ]
    turns = store_chat(vault, [(who, at, text) for who, at, text, *_ in told])
    for turn, (who, _, _, name, value, start) in zip(turns, told, strict=True):
        know(
            vault, turn, who, name, value,
            start=on(start) if start else None,
            single_valued=name == "lives_in",
            memory_type=MemoryType.ACTION if name == "bought" else MemoryType.FACT,
        )  # fmt: skip
    return vault


def _read(vault: Vault, question: str) -> GraphQuestion | None:
    with vault.read() as db:
        return read_graph_question(db, understand(db, question, now_ms=ms(NOW), offset_minutes=0))


@pytest.mark.parametrize(
    ("question", "answer", "quotes"),
    [
        ("Which pets do my friends have?", "Rufus and Tilly", 2),
        ("How many people moved in 2024?", "2", 2),
        ("Who bought the most things?", ANA, 3),
        ("Who of my friends lives in Leeds?", f"{BEN} and {ANA}", 2),
        ("What did Ana buy after she moved to Leeds?", "kayak and tent", 3),
        ("What did Ana buy before she moved to Leeds?", "kiln", 2),
        ("What was the last thing that Ana bought?", "tent", 1),
        ("What was the first thing that Ana bought?", "kiln", 1),
    ],
)
def test_the_graph_answers_without_a_model(
    village: Vault, question: str, answer: str, quotes: int
) -> None:
    model = Model()
    found = ask(village, question, model)
    assert found.answer == answer
    assert len(found.citations) == quotes
    assert model.language.requests == []
    (step,) = [step for step in found.steps if step.tool == "GraphSQL"]
    assert step.arguments.startswith(TOLD)
    assert step.error == ""


@pytest.mark.parametrize(
    "question",
    [
        "Where does Ana live?",  # the facts of one person
        "Does anybody have a pet?",  # yes or no
        "Which pets do my friends have on the moon?",  # a word that nothing explains
        "Which planets do people like?",  # no such property
        "What did Ana buy after the concert?",  # no event of the graph
        "What did Ana buy last weekend?",  # a time, not the last of many
        "When did people move?",
    ],
)
def test_other_questions_are_left_alone(village: Vault, question: str) -> None:
    assert _read(village, question) is None


def test_without_the_tool_it_is_not_asked(village: Vault) -> None:
    options = AskOptions(tools=("EntityLookup", "Search", "SchemaViewer"))
    found = ask(village, "How many people moved in 2024?", Model(), options=options)
    assert not [step for step in found.steps if step.tool == "GraphSQL"]


def test_what_the_user_rejected_is_not_counted(village: Vault) -> None:
    question = "Which pets do my friends have?"
    rufus = next(fact for fact in ask(village, question, Model()).facts if fact.value == "Rufus")
    with village.write() as db:
        append_ruling(db, kind="reject", fact_id=rufus.id, ruled_at_ms=ms(NOW))
    assert ask(village, question, Model()).answer == "Tilly"


def test_my_friends_are_not_who_asks(village: Vault) -> None:
    """Who speaks in every chat is "I" to a question."""
    store_chat(
        village, [(BEN, "2024-08-01T10:00", "hello"), ("Dora", "2024-08-01", "hi")], title="d"
    )
    asked = _read(village, "Which of my friends live in Leeds?")
    assert asked is not None
    assert asked.without == BEN
    assert ask(village, "Which of my friends live in Leeds?", Model()).answer == ANA
    assert ask(village, "Which people live in Leeds?", Model()).answer == f"{BEN} and {ANA}"


def test_the_model_chooses_among_properties_that_exist(vault: Vault) -> None:
    (turn,) = store_chat(vault, [(ANA, "2024-01-05T10:00", "I keep bees, and cook for a living")])
    know(vault, turn, ANA, "job_title", "cook")
    know(vault, turn, ANA, "works_at", "Harbour Inn")
    asked = _read(vault, "Which employers do people have?")
    assert asked is not None
    _, choices, _ = query_text.fixed_parts(query_text.slots(asked))
    assert {*choices[0]} == {"'works_at'", "'job_title'"}
    model = Model(["'works_at'"])
    assert ask(vault, "Which employers do people have?", model).answer == "Harbour Inn"
    request = model.language.requests[0]
    assert request.grammar == query_text.grammar(choices)
    assert request.answer_start.endswith("WHERE a.property = ")


def test_a_query_that_finds_nothing_is_mended_once(vault: Vault) -> None:
    (turn,) = store_chat(vault, [(ANA, "2023-01-05T10:00", "I lived in Porto for a year")])
    know(vault, turn, ANA, "lives_in", "Porto", start=on("2020-01-01"), polarity=True)
    know(vault, turn, ANA, "lives_in", "Porto", start=on("2021-01-01"), polarity=False)
    found = ask(vault, "Which cities do people live in?", Model())
    queries = [step.arguments for step in found.steps if step.tool == "GraphSQL"]
    assert [("is_current = 1" in one) for one in queries] == [True, False]
    assert found.answer == "Porto"


def test_a_query_that_is_refused_is_shown_with_the_schema_once(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    (turn,) = store_chat(vault, [(ANA, "2024-01-05T10:00", "I cook for a living at the inn")])
    know(vault, turn, ANA, "job_title", "cook")
    know(vault, turn, ANA, "works_at", "Harbour Inn")
    run, failures = graphsql.run_select, ["no such column: jobs"]

    def fail_once(*args: object, **options: object) -> object:
        if failures:
            raise QueryRefusedError(failures.pop())
        return run(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(graphsql, "run_select", fail_once)
    model = Model(["'job_title'", "'works_at'"])
    found = ask(vault, "Which employers do people have?", model)
    assert found.answer == "Harbour Inn"
    assert "no such column: jobs" in model.language.requests[1].messages[-1].text
    assert "Views: v_facts" in model.language.requests[1].messages[-1].text
    assert [bool(step.error) for step in found.steps if step.tool == "GraphSQL"] == [True, False]


def test_a_query_broken_for_the_bench_is_shown_as_it_ran(vault: Vault) -> None:
    (turn,) = store_chat(vault, [(ANA, "2024-01-05T10:00", "I cook for a living at the inn")])
    know(vault, turn, ANA, "job_title", "cook")
    know(vault, turn, ANA, "works_at", "Harbour Inn")
    asked: list[str] = []

    def misspell_first(sql: str) -> str:
        asked.append(sql)
        return sql.replace("a.value", "a.valeu") if len(asked) == 1 else sql

    model = Model(["'works_at'"])
    found = ask(vault, "Which employers do people have?", model, change_query=misspell_first)
    assert found.answer == "Harbour Inn"
    assert asked[0] == asked[1]
    shown = model.language.requests[1].messages[-1].text
    assert "Failed: SELECT DISTINCT a.valeu FROM told" in shown
    assert "no such column: a.valeu. Views: v_facts" in shown
    assert [bool(step.error) for step in found.steps if step.tool == "GraphSQL"] == [True, False]


@pytest.mark.parametrize(
    ("refused", "answer", "errors"),
    [([0], "Porto", [True, False, False]), ([1], "Porto", [False, True, False]),
     ([0, 1], "", [True, True])],
)  # fmt: skip
def test_a_refused_query_and_one_that_finds_nothing_are_each_mended_once(
    vault: Vault, refused: list[int], answer: str, errors: list[bool]
) -> None:
    (turn,) = store_chat(vault, [(ANA, "2023-01-05T10:00", "I lived in Porto for a year")])
    know(vault, turn, ANA, "lives_in", "Porto", start=on("2020-01-01"), polarity=True)
    know(vault, turn, ANA, "lives_in", "Porto", start=on("2021-01-01"), polarity=False)
    asked: list[str] = []

    def broken(sql: str) -> str:
        asked.append(sql)
        return sql.replace("FROM told", "FROM tolled") if len(asked) - 1 in refused else sql

    found = ask(vault, "Which cities do people live in?", Model(), change_query=broken)
    steps = [step for step in found.steps if step.tool == "GraphSQL"]
    assert [bool(step.error) for step in steps] == errors
    assert not answer or found.answer == answer


def test_a_quote_in_a_name_stays_inside_its_text() -> None:
    found = query_text.grammar([("'O''Neil'", "'a \"b\"'")])
    assert found == "root ::= (\"'O''Neil'\" | \"'a \\\"b\\\"'\")"


def test_a_script_that_says_something_else_cannot_leave_the_grammar(village: Vault) -> None:
    """What is written is checked by SQLite's fences too: one SELECT, and nothing but the views."""
    language = ScriptedLanguage(["'pet'; DROP TABLE facts; --", "unknown"])
    model = Model()
    model.language = language
    asked = _read(village, "Which pets do my friends have?")
    assert asked is not None
    with pytest.raises(QueryRefusedError):
        graphsql.run_select(village, f"{TOLD}SELECT 1 FROM told; DROP TABLE facts")
