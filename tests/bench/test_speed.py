"""The figures of speed on small numbers, with scripted models; no time is asserted."""

import sys
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from apexmem_desktop.bench import speed
from apexmem_desktop.bench.catalogue import Choices, run_speed
from apexmem_desktop.bench.children import run_child
from apexmem_desktop.bench.figures import Figure, latencies, rate, table
from apexmem_desktop.bench.speed import Sizes
from apexmem_desktop.bench.speed_chat import chat_text, made_up_words, write_chat
from apexmem_desktop.bench.speed_graph import fill_graph, fill_vectors
from apexmem_desktop.bench.speed_import import import_apart
from apexmem_desktop.bench.speed_limits import take_sqlite, text_bytes, words_ms
from apexmem_desktop.bench.speed_models import Amounts, Bare, questions
from apexmem_desktop.bench.speed_search import wanted_words
from apexmem_desktop.domain.errors import CancelledError, UserError
from apexmem_desktop.domain.progress import CancelToken, Progress, ignore_progress
from apexmem_desktop.services import browsing, measuring
from apexmem_desktop.services.workspace import Workspace
from tests.bench.conftest import MakeOpener

SMALL = Sizes(
    (60,),
    asked=3,
    starts=1,
    timeline_facts=200,
    models=Amounts(embedded=40, read_turns=20, questions=2),
    chatgpt_mb=0.02,
)


@pytest.fixture
def imported(tmp_path: Path, opener: MakeOpener) -> Iterator[Workspace]:
    """Give an open vault of 400 generated messages."""
    export = tmp_path / "WhatsApp Chat with Speed.txt"
    write_chat(export, 400)
    vault = tmp_path / "speed.apexmem"
    import_apart(vault, export)
    with opener(lambda _: "-")(vault, 8192) as ws:
        yield ws


def test_speed_has_a_figure_for_each_thing(tmp_path: Path, opener: MakeOpener) -> None:
    evaluated: list[int] = []
    encoded: list[int] = []
    bare = Bare(
        encoding_s=lambda _, texts: encoded.append(len(texts)) or 0.5,  # type: ignore[func-returns-value]
        evaluation_s=lambda _, tokens: evaluated.append(tokens) or 0.5,  # type: ignore[func-returns-value]
    )
    stages: list[str] = []
    choices = Choices(
        tmp_path, sizes=SMALL, open_workspace=opener(lambda _: "-"), bare=bare,
        progress=lambda one: stages.append(one.stage),
    )  # fmt: skip
    result = run_speed(choices)
    figures = result.document["figures"]
    by_name = {one["name"]: one for one in figures}
    for part in (
        "import of 60 messages", "import of 60 messages, again", "peak memory", "size of the vault",
        "facts as of a day", "history of a property", "opening a vault", "search, words only",
        "search, hybrid", "generated vectors", "window start", "memory of the window",
        "panning a timeline", "scrolling a conversation", "a jump to anywhere",
        "longest gap of the event loop, making the places",
        "embedding 40 messages", "reading 20 turns", "inside llama_decode", "first evidence",
        "an answer, 95 %", "import, encrypted", "opening a vault, encrypted",
        "search, words only, encrypted", "size of the vault, encrypted",
        "import of a ChatGPT export of 0.02 MB",
    ):  # fmt: skip
        assert any(part in name for name in by_name), part
    assert encoded == [40]
    assert len(evaluated) == 1
    limits = [one["limit"] for one in figures if one["name"] == "import of 60 messages"]
    assert len(limits) == 4
    assert any(line.startswith("| window start, 60 turns |") for line in result.lines)
    assert {"Generating facts", "Asking as of a day", "Searching by words", "Asking"} <= set(stages)
    assert not list(tmp_path.iterdir())


def test_each_number_of_messages_has_its_vault(
    tmp_path: Path, opener: MakeOpener, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slow in ("measure_window", "measure_gaps", "measure_scrolling"):  # seen above
        monkeypatch.setattr(speed, slow, lambda *_: [])
    sizes = Sizes((20, 30, 20), asked=1, timeline_facts=20, models=SMALL.models, chatgpt_mb=0.02)
    bare = Bare(encoding_s=lambda *_: 1.0, evaluation_s=lambda *_: 1.0)
    choices = Choices(
        tmp_path, sizes=sizes, open_workspace=opener(lambda _: "-"), bare=bare, use_model=False
    )
    names = [one["name"] for one in run_speed(choices).document["figures"]]
    sizes_of = [name for name in names if name.startswith("opening")]
    assert sizes_of == [
        "opening a vault, encrypted, 20 turns, median",
        "opening a vault, 20 turns, median",
        "opening a vault, 30 turns, median",
    ]
    assert not any("reading" in name or "an answer" in name for name in names)


def test_a_rate_is_held_against_each_limit() -> None:
    (one, other) = rate("import", 100, "messages/s", 2.0, ("regex", 0.5), ("rows", 1.0))
    assert one == Figure("import", 50.0, "messages/s", "regex", 0.25, 200.0)
    assert (other.ratio, other.limit_value) == (0.5, 100.0)
    assert one.line() == "import: 50.0 messages/s (0.25 of the speed of regex: 200 messages/s)"
    assert rate("import", 100, "messages/s", 2.0) == [Figure("import", 50.0, "messages/s")]


def test_latencies_are_held_against_the_same_percentile() -> None:
    median, most = latencies("search", [4.0, 8.0, 20.0], "bare", [1.0, 2.0, 10.0])
    assert (median.name, median.value, median.limit_value, median.ratio) == (
        "search, median", 8.0, 2.0, 0.25,
    )  # fmt: skip
    assert (most.value, most.ratio) == (20.0, 0.5)


def test_figures_make_a_table() -> None:
    size = Figure("size", 1234.5, "MB", "the texts", 2.5, 493.8)
    head, line, *rows = table([size, Figure("plain", 0.0123, "s")])
    assert line.count("|") == head.count("|") == 5
    assert rows == ["| size | 1,234 MB | the texts: 494 MB | 2.5 |", "| plain | 0.012 s |  |  |"]
    assert size.line() == "size: 1,234 MB (2.5 times the texts: 494 MB)"


def test_the_generated_chat_is_the_same_each_time(tmp_path: Path) -> None:
    write_chat(tmp_path / "chat.txt", 50)
    assert (tmp_path / "chat.txt").read_text(encoding="utf-8") == chat_text(50) == chat_text(50)
    assert chat_text(50).count("\n") == 50


def test_however_many_messages_none_is_of_the_future() -> None:
    last = chat_text(60_000).splitlines()[-1]
    said_on = datetime.strptime(last[:10], "%d/%m/%Y").date()  # noqa: DTZ007 - a day
    assert date(2024, 6, 1) < said_on < date(2025, 9, 1)


def test_writing_a_chat_can_be_cancelled(tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        write_chat(tmp_path / "chat.txt", 30_000, ignore_progress, token)


def test_searches_are_for_words_of_the_chat() -> None:
    said = set(chat_text(3_000).lower().split())
    words = {word.lower() for one in wanted_words(40) for word in one.split()}
    assert len(words & said) > len(words) / 2
    assert len(set(made_up_words())) == len(made_up_words())


def test_questions_differ() -> None:
    assert len(set(questions(6))) == 6


def test_an_import_apart_stores_everything_once(imported: Workspace, tmp_path: Path) -> None:
    again = import_apart(imported.vault.path, tmp_path / "WhatsApp Chat with Speed.txt")
    assert again.turns_new == 0
    assert browsing.status(imported).turns == 400


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system counts otherwise")
def test_the_memory_of_an_import_is_its_own(tmp_path: Path) -> None:
    write_chat(tmp_path / "WhatsApp Chat with Speed.txt", 50)
    held = bytearray(b"x") * 400_000_000  # of this process, and no part of the figure
    apart = import_apart(tmp_path / "v.apexmem", tmp_path / "WhatsApp Chat with Speed.txt")
    own = measuring.resident_bytes()
    assert own is not None
    assert apart.peak_bytes is not None
    assert own > len(held) > apart.peak_bytes > 10_000_000


def test_a_failed_measurement_says_why(tmp_path: Path) -> None:
    (tmp_path / "chat.txt").write_text("no chat\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"ended without a result: .*chat"):
        import_apart(tmp_path / "v.apexmem", tmp_path / "chat.txt")


def test_a_child_tells_progress_and_can_be_cancelled() -> None:
    said = "import json; print(json.dumps({'stage': 'Half', 'done': 1, 'total': 2}), flush=True)"
    seen: list[Progress] = []
    result, _ = run_child(("-c", f"{said}; print('{{\"a\": 1}}')"), progress=seen.append)
    assert (result, seen) == ({"a": 1}, [Progress("Half", 1, 2)])
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        run_child(("-c", f"{said}; import threading; threading.Event().wait()"), cancel=token)


def test_a_full_disk_is_told_before(
    tmp_path: Path, opener: MakeOpener, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Usage(NamedTuple):
        free: int

    monkeypatch.setattr(speed.shutil, "disk_usage", lambda _: Usage(free=1_000_000))
    choices = Choices(tmp_path, sizes=Sizes((1_000,)), open_workspace=opener(lambda _: "-"))
    with pytest.raises(UserError, match="1,000 messages takes about"):
        run_speed(choices)


def test_the_generated_graph_grows_with_the_messages(imported: Workspace) -> None:
    graph = fill_graph(imported, 400, ignore_progress, CancelToken())
    counted = browsing.status(imported)
    assert (graph.facts, counted.facts) == (120, 120)
    senders = 3  # people from the import on, beside those that the graph is made of
    assert graph.entities == counted.entities - senders == 8
    names = [entity.name for entity in browsing.list_entities(imported)]
    found = [fact for name in names for fact in browsing.facts_of(imported, name, history=True)[1]]
    assert len(found) == 120
    assert all(fact.evidence and fact.event_id for fact in found)
    assert {fact.single_valued for fact in found} == {True, False}
    assert any(fact.effective_to for fact in found)
    most, *_, least = sorted((e.fact_count for e in browsing.list_entities(imported)), reverse=True)
    assert most > 2 * least
    assert all(name in names for _, name in graph.drawn)


def test_generated_vectors_are_stored_for_all_and_lie_near_real_ones(imported: Workspace) -> None:
    fill_graph(imported, 400, ignore_progress, CancelToken())
    assert fill_vectors(imported, ignore_progress, CancelToken()) == 520
    assert fill_vectors(imported, ignore_progress, CancelToken()) == 0
    (chat,) = browsing.conversations(imported)
    words = browsing.conversation_turns(imported, chat.id, limit=1)[0].text
    hits = browsing.search(imported, words).turns
    assert any("meaning" in hit.why for hit in hits)


def test_limits_are_of_the_vaults_own_rows(imported: Workspace) -> None:
    path = imported.vault.path
    stages: list[Progress] = []
    rows, words = take_sqlite(path, stages.append, CancelToken())
    assert min(rows.seconds, rows.processor_s, words.seconds, words.processor_s) > 0
    assert (stages[-1].done, stages[-1].total) == (400, 400)
    assert not list(path.parent.glob("*.bare*"))
    (chat,) = browsing.conversations(imported)
    said = browsing.conversation_turns(imported, chat.id, limit=400)
    assert text_bytes(path) == sum(len(turn.text.encode()) for turn in said)
    assert len(words_ms(path, ["Lisbon tent", "piano"])) == 2
