"""The ReAct loop: what the model may do, in which order, and where it ends."""

import pytest

from apexmem_desktop.agent.inquiry import MAX_TOOL_CALLS
from apexmem_desktop.domain.answers import (
    AnswerPart,
    AskNews,
    AskOptions,
    EvidenceFound,
    StepDone,
)
from apexmem_desktop.domain.errors import CancelledError, ModelCrashedError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.language import Generation
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask, know
from tests.recall.chats import store_chat

ANA, BEN = "Ana Ruiz", "Ben Holt"
BOOTS = "Which boots did Ana choose?"


@pytest.fixture
def talk(vault: Vault) -> Vault:
    """Two people talk of boots and of bread."""
    first, *_ = store_chat(
        vault,
        [
            (ANA, "2024-03-01T10:00", "I went for the green boots in the end, yesterday"),
            (BEN, "2024-03-01T10:05", "boots? I chose the red boots with 3 buckles"),
            (ANA, "2024-03-02T10:00", "the bread was great"),
        ],
    )
    know(vault, first, ANA, "likes", "boots", single_valued=False)
    return vault


def _number(prompt: str, words: str) -> str:
    """The number that a prompt gives the turn with these words."""
    line = next(line for line in prompt.splitlines() if words in line and line.startswith("["))
    return line[1 : line.index("]")]


def test_an_answer_from_a_turn_cites_its_words(talk: Vault) -> None:
    answer = ask(talk, BOOTS, Model(["turns: 1\nanswer: the green boots"]))
    assert answer.answer == "the green boots"
    assert [one.speaker for one in answer.citations] == [ANA]
    for one in answer.citations:
        assert "green boots" in one.quote
        assert f"[{one.number}]" in answer.summary


def test_evidence_is_told_before_the_model_is_asked(talk: Vault) -> None:
    model = Model()
    news: list[tuple[AskNews, int]] = []
    ask(talk, BOOTS, model, on_news=lambda one: news.append((one, len(model.language.requests))))
    found = [(one, asked) for one, asked in news if isinstance(one, EvidenceFound)]
    assert len(found) == 1
    assert found[0][1] == 0
    assert found[0][0].hits
    assert isinstance(news[-1][0], AnswerPart)
    assert {one.step.tool for one, _ in news if isinstance(one, StepDone)} == {
        "Search",
        "EntityLookup",
    }


def test_without_a_model_it_stops_at_the_evidence(talk: Vault) -> None:
    news: list[AskNews] = []
    answer = ask(talk, BOOTS, None, on_news=news.append)
    assert answer.answer == ""
    assert not answer.abstained
    assert answer.evidence
    assert answer.usage.model_calls == 0
    assert not [one for one in news if isinstance(one, AnswerPart)]


@pytest.mark.parametrize(
    ("call", "tool", "argument", "told"),
    [
        ("Search: bread", "Search", "bread", "bread"),
        ("EntityLookup: Ana", "EntityLookup", "Ana", "likes boots"),
        (
            "GraphSQL: SELECT count(*) AS n FROM v_facts",
            "GraphSQL",
            "SELECT count(*) AS n FROM v_facts",
            "n\n1",
        ),
        ("SchemaViewer", "SchemaViewer", "", "v_facts"),
    ],
)
def test_each_tool_by_its_name(talk: Vault, call: str, tool: str, argument: str, told: str) -> None:
    model = Model([call, "unknown"])
    answer = ask(talk, BOOTS, model)
    step = answer.steps[-1]
    assert (step.tool, step.arguments, step.error) == (tool, argument, "")
    assert told in step.result
    assert f"\n{call}\n".replace("SchemaViewer\n", "SchemaViewer: \n") in (
        f"{model.decide_prompts[1]}\n"
    )


def test_what_a_search_adds_is_shown_to_the_model(vault: Vault) -> None:
    store_chat(
        vault,
        [
            *((ANA, f"2024-03-01T10:{m:02}", f"boots boots choose {m}") for m in range(20)),
            (BEN, "2024-06-01T10:00", "xylophone lessons are on"),
        ],
    )
    model = Model(["Search: xylophone lessons", "unknown"])
    ask(vault, BOOTS, model)
    first, second = model.decide_prompts
    assert "xylophone lessons are on" not in first
    assert "xylophone lessons are on" in second


@pytest.mark.parametrize("call", ["Search: bread", "SchemaViewer", "EntityLookup: Ana Ruiz"])
def test_a_model_that_repeats_itself_is_made_to_answer(talk: Vault, call: str) -> None:
    model = Model([call])
    answer = ask(talk, BOOTS, model)
    assert answer.abstained
    assert sum(step.tool == call.split(":")[0] for step in answer.steps) <= 2
    last = [r for r in model.language.requests if not r.choices][-1]
    assert "| call |" not in last.grammar


def test_after_a_repeated_call_the_answer_is_taken(talk: Vault) -> None:
    model = Model(["Search: bread", "Search: bread", "turns: 1\nanswer: the green boots"])
    assert ask(talk, BOOTS, model).answer == "the green boots"


def test_a_model_that_always_calls_something_new_is_stopped(talk: Vault) -> None:
    model = Model([f"Search: word{n}" for n in range(100)])
    answer = ask(talk, BOOTS, model)
    assert answer.abstained
    assert len(answer.steps) <= MAX_TOOL_CALLS
    assert answer.usage.model_calls < 10


def test_the_limit_of_tool_calls_holds(talk: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apexmem_desktop.agent.loop.MAX_MODEL_CALLS_TO_DECIDE", 1000)
    model = Model([f"Search: word{n}" for n in range(1000)])
    answer = ask(talk, BOOTS, model)
    assert len(answer.steps) == MAX_TOOL_CALLS == 40
    assert answer.abstained


def test_a_wrong_query_is_shown_with_the_schema_and_mended_once(talk: Vault) -> None:
    wrong = "GraphSQL: SELECT colour FROM v_facts"
    right = "GraphSQL: SELECT value FROM v_facts"
    model = Model([wrong, right, "unknown"])
    answer = ask(talk, BOOTS, model)
    failed, mended = [step for step in answer.steps if step.tool == "GraphSQL"]
    assert "colour" in failed.error
    assert not mended.error
    assert "boots" in mended.result
    shown = model.decide_prompts[1]
    assert "Error: " in shown
    assert "v_facts(" in shown
    assert "valid_from" in shown


def test_a_query_broken_for_the_bench_is_shown_as_it_ran_and_may_be_asked_whole(
    talk: Vault,
) -> None:
    """What was asked is not what ran: the same words again are no repeat."""
    own = "SELECT value FROM v_facts WHERE subject = 'Ana Ruiz'"
    faults = [own.removesuffix("'")]
    model = Model([f"GraphSQL: {own}", f"GraphSQL: {own}", "unknown"])
    answer = ask(talk, BOOTS, model, change_query=lambda sql: faults.pop() if faults else sql)
    failed, mended = [step for step in answer.steps if step.tool == "GraphSQL"]
    assert (failed.arguments, mended.arguments) == (own.removesuffix("'"), own)
    assert failed.error
    assert "boots" in mended.result
    shown = model.decide_prompts[1]
    assert f"GraphSQL: {failed.arguments}\nError: " in shown
    assert "v_facts(" in shown


def test_a_second_wrong_query_is_the_last_call(talk: Vault) -> None:
    model = Model([f"GraphSQL: SELECT wrong{n} FROM v_facts" for n in range(9)])
    answer = ask(talk, BOOTS, model)
    assert sum(step.tool == "GraphSQL" for step in answer.steps) == 2
    assert answer.abstained


@pytest.mark.parametrize("sql", ["SELECT 1; DROP TABLE facts", "SELECT load_extension('x')"])
def test_a_query_that_would_do_harm_is_refused(talk: Vault, sql: str) -> None:
    answer = ask(talk, BOOTS, Model([f"GraphSQL: {sql}", "unknown"]))
    assert answer.steps[-1].error
    assert ask(talk, BOOTS).facts == ()
    with talk.read() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM facts").scalar() == 1


def test_a_crash_is_told_and_the_next_question_works(talk: Vault) -> None:
    model = Model(["Search: bread", ModelCrashedError(), "turns: 1\nanswer: the green boots"])
    with pytest.raises(ModelCrashedError):
        ask(talk, BOOTS, model)
    assert ask(talk, BOOTS, model).answer == "the green boots"


def test_half_a_reply_of_a_cancelled_question_is_no_answer(talk: Vault) -> None:
    token = CancelToken()

    def cancelled(_: str) -> str:
        token.cancel()
        return "yes"

    model = Model(["turns: 1\nanswer: the green boots"], told=cancelled)
    with pytest.raises(CancelledError):
        ask(talk, BOOTS, model, cancel=token)


def test_a_reply_that_was_cut_off_is_no_answer(talk: Vault) -> None:
    cut = Generation(text="turns: 1\nanswer: the green boots and the ones that", finish="length")
    assert ask(talk, BOOTS, Model([cut])).abstained


def test_tools_that_are_not_allowed_are_not_used(talk: Vault) -> None:
    model = Model()
    answer = ask(talk, BOOTS, model, options=AskOptions(tools=("Search",)))
    assert {step.tool for step in answer.steps} == {"Search"}
    assert "GraphSQL" not in model.language.requests[-1].grammar


def test_a_yes_or_no_is_asked_for_as_one(talk: Vault) -> None:
    model = Model(["turns: 1\nanswer: Yes, green ones"])
    answer = ask(talk, "Did Ana choose green ones?", model)
    assert answer.answer.startswith("Yes")
    assert '"Yes" | "No"' in next(r for r in model.language.requests if r.grammar).grammar


def test_the_usage_counts_every_call(talk: Vault) -> None:
    model = Model(["turns: 1\nanswer: the green boots"])
    answer = ask(talk, BOOTS, model)
    side_by_side = len(model.gap_prompts) // 2
    assert answer.usage.model_calls == len(model.language.requests) - side_by_side > 0
    assert answer.usage.prompt_tokens > 0
    assert answer.usage.ms_first_evidence <= answer.usage.ms_total
