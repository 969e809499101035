"""Reading a chat from any place, its queue, and a fact made by hand."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import RulingRefusedError
from apexmem_desktop.domain.graph import FactStatus
from apexmem_desktop.domain.reading import ALL_TURNS, TurnFilter
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.services import (
    browsing,
    conversation_pages,
    importing,
    models,
    reading_queue,
    remembering,
    rulings,
    self_test,
)
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import jobs
from tests.fakes import ScriptedLanguage

LINES = [
    f"{1 + n // 10:02}/03/2023, 10:{n % 60:02} - {'Ida' if n % 2 else 'Max'}: line {n} of 100 %"
    for n in range(100)
]


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "m.apexmem", settings=Settings(zone="UTC")) as made:
        for name, lines in (("long", LINES), ("short", ["01/02/2023, 09:00 - Max: quick"])):
            file = tmp_path / f"WhatsApp Chat with {name}.txt"
            file.write_text("\n".join(lines), encoding="utf-8")
            importing.import_file(made, file, ImportChoices(date_order="dmy"))
        yield made


def chat(ws: Workspace, title: str = "long") -> int:
    return next(one.id for one in browsing.conversations(ws) if title in one.title)


def positions(turns: tuple[object, ...]) -> list[int]:
    return [turn.position for turn in turns]  # type: ignore[attr-defined]


def test_pages_go_both_ways_from_anywhere(ws: Workspace) -> None:
    number = chat(ws)
    middle = conversation_pages.turn_at(ws, number, ALL_TURNS, number=50)
    assert middle is not None
    around = conversation_pages.around(ws, number, ALL_TURNS, middle, limit=20)
    assert positions(around) == list(range(40, 60))
    first, last = around[0].id, around[-1].id
    before = conversation_pages.page(ws, number, beside=first, backwards=True, limit=5)
    assert positions(before) == list(range(35, 40))
    behind = conversation_pages.page(ws, number, beside=last, limit=5)
    assert positions(behind) == list(range(60, 65))
    assert conversation_pages.number_of(ws, number, ALL_TURNS, turn_id=middle) == 50


def test_a_day_is_found_and_what_is_behind_the_end_is_the_end(ws: Workspace) -> None:
    number = chat(ws)
    day_ms = 1_678_060_800_000  # 6 March 2023
    found = conversation_pages.turn_from(ws, number, ALL_TURNS, at_ms=day_ms)
    assert found == conversation_pages.turn_at(ws, number, ALL_TURNS, number=50)
    end = conversation_pages.turn_from(ws, number, ALL_TURNS, at_ms=day_ms * 2)
    assert end == conversation_pages.turn_at(ws, number, ALL_TURNS, number=99)


def test_filters_and_finding_within(ws: Workspace) -> None:
    number = chat(ws)
    only = TurnFilter(speaker="Ida")
    assert conversation_pages.count(ws, number, only) == 50
    assert len(conversation_pages.find_within(ws, number, "line 1")) == 11
    assert len(conversation_pages.find_within(ws, number, "line 1", only)) == 6
    assert len(conversation_pages.find_within(ws, number, "100 %")) == 100
    assert conversation_pages.find_within(ws, number, "1%0") == ()
    assert conversation_pages.count(ws, number, TurnFilter(kind="media")) == 0


def test_words_become_a_fact_that_the_margin_tells(ws: Workspace) -> None:
    number = chat(ws)
    turn = conversation_pages.page(ws, number, limit=1)[0]
    done = remembering.remember(
        ws, turn.id, 0, 7, subject="Max", property="lives in", value="Turin"
    )
    [fact] = browsing.facts_of(ws, "Max", property="lives_in")[1]
    assert (fact.id, fact.value, fact.confidence) == (done.changed.fact_ids[0], "Turin", 1.0)
    assert [proof.quote for proof in fact.evidence] == ["line 0"]
    [told] = conversation_pages.margin(ws, [turn.id])[turn.id]
    assert (told.subject, told.property, told.value, told.end) == ("Max", "lives_in", "Turin", 6)
    assert conversation_pages.count(ws, number, TurnFilter(with_facts=True)) == 1
    assert remembering.known_properties(ws)[0] == "lives_in"


def test_what_was_made_by_hand_goes_with_its_ruling_and_comes_again(ws: Workspace) -> None:
    turn = conversation_pages.page(ws, chat(ws), limit=1)[0]
    done = remembering.remember(
        ws, turn.id, 0, 7, subject="Max", property="lives in", value="Turin"
    )

    def status() -> FactStatus:
        [fact] = browsing.facts_of(ws, "Max", property="lives_in", history=True)[1]
        return fact.status

    assert status() is FactStatus.CURRENT
    taken = rulings.undo(ws)
    assert taken.changed.fact_ids == done.changed.fact_ids
    assert status() is FactStatus.REJECTED
    assert conversation_pages.margin(ws, [turn.id]) == {}
    rulings.redo(ws)
    assert status() is FactStatus.CURRENT
    assert turn.id in conversation_pages.margin(ws, [turn.id])
    rulings.undo(ws)
    assert status() is FactStatus.REJECTED
    with pytest.raises(RulingRefusedError):
        rulings.undo(ws)


@pytest.mark.parametrize(
    ("end", "subject", "value"), [(0, "Max", "Turin"), (5, " ", "Turin"), (5, "Max", "")]
)
def test_half_a_fact_is_refused(ws: Workspace, end: int, subject: str, value: str) -> None:
    turn = conversation_pages.page(ws, chat(ws), limit=1)[0]
    with pytest.raises(RulingRefusedError):
        remembering.remember(ws, turn.id, 0, end, subject=subject, property="likes", value=value)
    assert browsing.status(ws).facts == 0


def test_the_queue_tells_each_chat_and_one_can_be_put_first(ws: Workspace) -> None:
    short = chat(ws, "short")
    assert [one.pending for one in reading_queue.queues(ws)] == [100, 1]
    reading_queue.read_first(ws, short)
    first = reading_queue.queues(ws)[0]
    assert (first.conversation_id, first.pending) == (short, 1)
    with ws.vault.read() as db:
        turn = jobs.find_jobs(db, limit=1)[0]
    assert browsing.turns_around(ws, turn)[0].text == "quick"


def test_what_failed_is_told_and_can_be_tried_again(ws: Workspace) -> None:
    with ws.vault.write() as db:
        jobs.set_state(db, [3], "failed", "the reply was cut off", now_ms=5)
    [failed] = reading_queue.failed(ws)
    assert (failed.turn_id, failed.reason, failed.attempts) == (3, "the reply was cut off", 1)
    assert sum(one.failed for one in reading_queue.queues(ws)) == 1
    assert reading_queue.retry_failed(ws) == 1
    assert reading_queue.failed(ws) == ()


def test_a_self_test_counts_what_is_right(tmp_path: Path) -> None:
    replies = iter(["none", "at the bakery", "Pepper", "none", "Turin", "钢琴", "none", "x", "y"])

    class Scripted(Workspace):
        language_host = ScriptedLanguage(lambda _: next(replies))

        def language(self) -> ScriptedLanguage:  # type: ignore[override]
            return self.language_host

    with Scripted(tmp_path / "s.apexmem") as made:
        told = self_test.run(made)
        assert told.at_ms > 0
    assert (told.right, told.asked, told.model) == (5, 6, "scripted")
    assert told.writing_per_s > 0
    assert "CPU" in told.machine
    kept = tmp_path / "deep" / "tests.json"
    assert self_test.find_kept(kept) == {}
    self_test.keep("small", told, kept)
    self_test.keep("large", replace(told, right=6), kept)
    assert self_test.find_kept(kept) == {"small": told, "large": replace(told, right=6)}
    kept.write_text('{"small": {"unknown": 1}}')
    assert self_test.find_kept(kept) == {}


def test_a_model_that_is_not_in_use_is_tried_alone(tmp_path: Path) -> None:
    closed: list[str] = []

    class Host(ScriptedLanguage):
        def __init__(self, name: str) -> None:
            super().__init__(lambda _: "none")
            self.name = name

        def close(self) -> None:
            closed.append(self.name)

    class Two(Workspace):
        def _host(self, chosen: str) -> Host:  # type: ignore[override]
            return Host(chosen or "usual")

    other = models.default_embedder()  # any name but the usual one's
    with Two(tmp_path / "s.apexmem", settings=Settings()) as made:
        usual = made.language()
        with made.language_to_try("") as host:
            assert host is usual
        assert closed == []
        with made.language_to_try(other) as host:
            assert host is not usual
            assert closed == ["usual"]  # no memory is taken for two
        assert closed == ["usual", other]


def test_a_model_file_of_ones_own_is_listed(tmp_path: Path) -> None:
    file = tmp_path / "mine.gguf"
    file.write_bytes(b"GGUF" + bytes(96))
    settings = Settings(answering_model=str(file))
    own = models.list_models(settings, tmp_path)[-1]
    assert (own.name, own.title, own.use, own.bytes) == (str(file), "mine.gguf", "language", 100)
    assert (own.present, own.in_use, own.stages) == (True, True, ("answering",))
    assert models.verify_model(own.name, tmp_path)
    file.write_bytes(b"other")
    assert not models.verify_model(own.name, tmp_path)
    assert len(models.list_models(Settings(), tmp_path)) + 1 == len(
        models.list_models(settings, tmp_path)
    )
