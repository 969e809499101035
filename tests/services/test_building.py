"""Building the graph from the queue: it resumes, reports, stops, and reads what is asked about."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from apexmem_desktop.building import identity
from apexmem_desktop.domain.errors import CancelledError, ModelCrashedError, ModelMissingError
from apexmem_desktop.domain.graph import LinkKind
from apexmem_desktop.domain.progress import CancelToken, Progress
from apexmem_desktop.domain.reports import Changes
from apexmem_desktop.domain.turn import Role
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.services import browsing, building
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import embedders, entities, facts, jobs, runs, vectors
from tests.fakes import HashEmbedder, Reply, ScriptedLanguage
from tests.storage.builders import count, make_turn, store_chat

MINUTE_MS = 60_000
DAY_MS = 86_400_000
START_MS = 1_718_186_400_000  # 12 June 2024, 10:00 UTC
# Each town is told by pattern; the model is asked of the other sentence.
TOWNS = ("Rome", "Turin", "Genoa", "Parma", "Siena")
OPEN = "Lena talked me into fencing"


class ScriptedWorkspace(Workspace):
    """A workspace whose models are stand-ins."""

    scripted: ScriptedLanguage | None = None
    hashing: HashEmbedder | None = None

    def language(self) -> ScriptedLanguage:  # type: ignore[override]
        if self.scripted is None:
            raise ModelMissingError("no model")
        return self.scripted

    before: HashEmbedder | None = None

    def embedder(self) -> HashEmbedder | None:  # type: ignore[override]
        return self.hashing

    def embedder_called(self, embedder_id: str) -> HashEmbedder | None:  # type: ignore[override]
        found = self.before is not None and self.before.embedder_id == embedder_id
        return self.before if found else None


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[ScriptedWorkspace]:
    opened = ScriptedWorkspace(
        tmp_path / "memory.sqlite", settings=Settings(zone="UTC"), clock=lambda: START_MS
    )
    with opened:
        opened.scripted = ScriptedLanguage(_nothing)
        yield opened


def _nothing(_: GenerateRequest) -> Reply:
    return "-"


def _tell(ws: Workspace, *texts: str, role: Role = Role.PERSON) -> list[int]:
    new = [
        make_turn(text, at_ms=START_MS + MINUTE_MS * place, role=role)
        for place, text in enumerate(texts)
    ]
    with ws.vault.write() as db:
        return store_chat(db, new)


def _pending(ws: Workspace) -> int:
    with ws.vault.read() as db:
        return jobs.counts(db)["pending"]


def _values(ws: Workspace) -> set[str]:
    with ws.vault.read() as db:
        return {fact.value for fact in facts.find_facts(db)}


def _moves() -> list[str]:
    return [f"I moved to {town}" for town in TOWNS]


def test_everything_that_is_pending_is_read_once(ws: ScriptedWorkspace) -> None:
    _tell(ws, *_moves(), "ok")
    report = building.build(ws)
    assert (report.turns_read, report.turns_gated_out, report.facts_new) == (6, 1, 5)
    assert (report.events_new, report.entities_new) == (5, 6)
    assert _values(ws) == set(TOWNS)
    again = building.build(ws)
    assert (again.turns_read, again.facts_new) == (0, 0)


def test_a_limit_reads_no_more_turns_and_the_next_build_goes_on(ws: ScriptedWorkspace) -> None:
    _tell(ws, *_moves())
    assert building.build(ws, limit=2).turns_read == 2
    assert _pending(ws) == 3
    assert building.build(ws, limit=0).turns_read == 0
    assert building.build(ws).turns_read == 3
    assert _values(ws) == set(TOWNS)


def test_a_model_that_crashes_of_anything_ends_the_build_and_keeps_what_was_read(
    ws: ScriptedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "TURNS_A_BATCH", 2)
    _tell(ws, *_moves(), OPEN)
    ws.scripted = ScriptedLanguage(lambda _: ModelCrashedError("gone"))
    with pytest.raises(ModelCrashedError):
        building.build(ws)
    assert _values(ws) == set(TOWNS[:4])
    assert _pending(ws) == 2
    ws.scripted = ScriptedLanguage(lambda r: "yes" if r.choices else "Ana | likes | fencing")
    assert building.build(ws).turns_read == 2
    assert _values(ws) == {*TOWNS, "fencing"}


def test_without_a_model_nothing_is_begun(ws: ScriptedWorkspace) -> None:
    _tell(ws, *_moves())
    ws.scripted = None
    with pytest.raises(ModelMissingError):
        building.build(ws)
    assert _pending(ws) == 5


def test_progress_tells_how_far_it_is_of_how_much(
    ws: ScriptedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "TURNS_A_BATCH", 2)
    _tell(ws, *_moves())
    seen: list[Progress] = []
    building.build(ws, progress=seen.append)
    assert [(one.done, one.total, one.unit) for one in seen] == [
        (2, 5, "turns"), (4, 5, "turns"), (5, 5, "turns"),
    ]  # fmt: skip
    assert {one.stage for one in seen} == {"Reading conversations"}


def test_whoever_shows_the_graph_hears_of_each_batch(
    ws: ScriptedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "TURNS_A_BATCH", 2)
    _tell(ws, "I moved to Rome", "I moved to Turin", "ok")
    heard: list[Changes] = []
    building.build(ws, on_changes=heard.append)
    assert [(one.entities, one.facts) for one in heard] == [(True, True), (True, False)]


def test_a_cancel_between_batches_keeps_whole_batches(
    ws: ScriptedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "TURNS_A_BATCH", 2)
    _tell(ws, *_moves())
    token = CancelToken()
    with pytest.raises(CancelledError):
        building.build(ws, progress=lambda _: token.cancel(), cancel=token)
    assert _values(ws) == set(TOWNS[:2])
    assert building.build(ws).turns_read == 3


def test_about_reads_only_what_is_relevant(ws: ScriptedWorkspace) -> None:
    day_ms = 24 * 60 * MINUTE_MS
    texts = ("I moved to Rome", "I bought a canoe", "I moved to Turin")
    new = [make_turn(text, at_ms=START_MS + 9 * day_ms * n) for n, text in enumerate(texts)]
    with ws.vault.write() as db:
        store_chat(db, new)
    report = building.build(ws, about="canoe")
    assert report.turns_read == 1
    assert not {"Rome", "Turin"} & _values(ws)
    assert _pending(ws) == 2


def test_about_something_nobody_spoke_of_reads_nothing(ws: ScriptedWorkspace) -> None:
    _tell(ws, *_moves())
    assert building.build(ws, about="zeppelins").turns_read == 0
    assert _pending(ws) == 5


def test_about_reads_whole_sessions_in_order_of_time(ws: ScriptedWorkspace) -> None:
    day_ms = 24 * 60 * MINUTE_MS
    told = ["I moved to Rome", "I bought a canoe", "I moved to Turin", "the canoe sank"]
    new = [
        make_turn(text, at_ms=START_MS + day_ms * (place // 2 * 5) + MINUTE_MS * place)
        for place, text in enumerate([*told, "I moved to Parma", "ok"])
    ]
    with ws.vault.write() as db:
        numbers = store_chat(db, new)
    assert building.find_relevant(ws, "canoe") == numbers[:4]
    assert building.build(ws, about="canoe", limit=1).turns_read == 1
    assert _values(ws) == {"Rome"}
    building.build(ws, about="canoe")
    assert "Turin" in _values(ws)
    assert _pending(ws) == 2


def test_a_session_is_as_relevant_as_its_most_relevant_turn(ws: ScriptedWorkspace) -> None:
    _tell(ws, "ok", "the canoe sank", "fine")
    [score] = building.score_sessions(ws, "canoe").values()
    assert score == 1.0
    assert building.find_relevant(ws, "canoe", least=1.01) == []


def test_what_a_question_bears_on_is_read_before_what_is_newer(ws: ScriptedWorkspace) -> None:
    day_ms = 24 * 60 * MINUTE_MS
    texts = ("I bought a canoe", "I moved to Rome")
    new = [make_turn(text, at_ms=START_MS + 9 * day_ms * n) for n, text in enumerate(texts)]
    with ws.vault.write() as db:
        [canoe, rome] = store_chat(db, new)
        assert jobs.find_jobs(db, limit=2) == [rome, canoe]
    building.put_forward(ws, "Who has a canoe?")
    with ws.vault.read() as db:
        assert jobs.find_jobs(db, limit=2) == [canoe, rome]


def test_about_finds_by_meaning_too(ws: ScriptedWorkspace) -> None:
    ws.hashing = HashEmbedder()
    [first, _] = _tell(ws, "I moved to Rome", "we sold a boat")
    building.embed_pending(ws)
    assert building.find_relevant(ws, "I moved to Rome")[0] == first


def test_nothing_that_an_assistant_says_is_read(ws: ScriptedWorkspace) -> None:
    _tell(ws, "I'm Nova and I live in Oslo", role=Role.ASSISTANT)
    assert building.build(ws).turns_read == 0
    assert _values(ws) == set()


def test_indexing_by_meaning_tells_its_total(
    ws: ScriptedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "EMBED_BATCH", 2)
    ws.hashing = HashEmbedder()
    _tell(ws, *_moves())
    seen: list[Progress] = []
    assert building.embed_pending(ws, progress=seen.append) == 5
    assert [(one.done, one.total) for one in seen] == [(2, 5), (4, 5), (5, 5)]
    assert building.embed_pending(ws) == 0


def test_indexing_stops_at_its_limit_and_at_a_cancel(ws: ScriptedWorkspace) -> None:
    ws.hashing = HashEmbedder()
    _tell(ws, *_moves())
    seen: list[Progress] = []
    assert building.embed_pending(ws, limit=2, progress=seen.append) == 2
    assert seen[-1].total == 2
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        building.embed_pending(ws, cancel=token)
    assert count(ws.vault, "turn_vectors") == 2


def test_without_an_embedder_words_alone_must_do(ws: ScriptedWorkspace) -> None:
    _tell(ws, *_moves())
    assert building.embed_pending(ws) == 0
    assert building.build(ws).facts_new == 5
    assert count(ws.vault, "fact_vectors") == 0


def _searched_with(ws: ScriptedWorkspace) -> str:
    """Search by meaning, and tell with whose vectors; what is found is the same."""
    hosts = [host for host in (ws.before, ws.hashing) if host is not None]
    for host in hosts:
        host.texts.clear()
    found = browsing.search(ws, "fencing Lena")
    assert found.turns[0].text == OPEN
    assert "meaning" in found.turns[0].why
    [used] = [host for host in hosts if host.texts]
    return used.embedder_id


def test_the_old_vectors_serve_until_a_new_embedder_has_all_of_its_own(
    ws: ScriptedWorkspace,
) -> None:
    """Known fault 74: the settings name another embedder; nothing is lost meanwhile."""
    ws.hashing = HashEmbedder("old")
    _tell(ws, *_moves(), OPEN)
    building.build(ws)
    assert _searched_with(ws) == "old"
    ws.before, ws.hashing = ws.hashing, HashEmbedder("new")
    assert _searched_with(ws) == "old"
    assert building.embed_pending(ws, limit=4) == 4
    assert _searched_with(ws) == "old"
    assert building.find_relevant(ws, "fencing") != []
    with ws.vault.read() as db:
        assert embedders.find_embedders(db) == ["new", "old"]
    building.embed_pending(ws)
    assert _searched_with(ws) == "new"
    with ws.vault.read() as db:
        assert embedders.find_embedders(db) == ["new"]
        assert embedders.is_complete(db, "new")
    assert count(ws.vault, "fact_vectors") == 5


def test_a_new_embedder_serves_at_once_where_the_old_one_is_gone(ws: ScriptedWorkspace) -> None:
    ws.hashing = HashEmbedder("old")
    _tell(ws, *_moves(), OPEN)
    building.embed_pending(ws)
    ws.hashing = HashEmbedder("new")
    building.embed_pending(ws, limit=1)  # the newest turn
    assert _searched_with(ws) == "new"


def test_facts_that_an_earlier_build_left_without_a_vector_get_one(ws: ScriptedWorkspace) -> None:
    _tell(ws, *_moves())
    building.build(ws)
    ws.hashing = HashEmbedder()
    building.build(ws)
    with ws.vault.read() as db:
        assert vectors.find_facts_to_embed(db, ws.hashing.embedder_id, 9) == []
    assert count(ws.vault, "fact_vectors") == 5


def test_each_new_fact_gets_its_vector(ws: ScriptedWorkspace) -> None:
    ws.hashing = HashEmbedder()
    _tell(ws, *_moves())
    building.build(ws)
    assert count(ws.vault, "fact_vectors") == 5
    assert "Ana lives in Rome" in ws.hashing.texts


def test_each_stage_asks_its_own_model(
    ws: ScriptedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that reads is never asked whom a name means, and the other one nothing else."""
    told = "Ana | likes | fencing"
    hosts = {
        "extraction": ScriptedLanguage(lambda r: "yes" if r.choices else told),
        "resolution": ScriptedLanguage(lambda r: identity.SAME),
    }
    hosts["extraction"].model_id, hosts["resolution"].model_id = "reads", "tells apart"
    monkeypatch.setattr(ws, "language_for", hosts.__getitem__)
    _tell(ws, "I work at Nordlicht", OPEN)
    building.build(ws)
    assert len(hosts["extraction"].requests) == 2  # what it says, and whether it does
    assert hosts["resolution"].requests == []
    _tell_more(ws, "I work at Nordlihct")
    report = building.build(ws)
    assert len(hosts["extraction"].requests) == 2
    [asked] = hosts["resolution"].requests
    assert identity.SAME in asked.choices
    assert report.waited_s > 0  # its time counts too
    with ws.vault.read() as db:
        by_purpose = dict(db.execute(text("SELECT purpose, model_sha256 FROM runs")).all())
        named = {one.name for one in entities.find_entities(db)}
        again = runs.find_turns_of_others(db, "reads")
    assert by_purpose == {"extract": "reads", "check": "reads", "same": "tells apart"}
    assert not {"Nordlicht", "Nordlihct"} <= named  # one stands for both
    assert again == []  # whom names mean is no reading of them


def _tell_more(ws: Workspace, said: str) -> None:
    with ws.vault.write() as db:
        store_chat(db, [make_turn(said, at_ms=START_MS + 60 * MINUTE_MS)])


def test_what_is_near_in_meaning_and_time_is_a_possible_cause_in_whatever_batch_it_is_read(
    ws: ScriptedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "TURNS_A_BATCH", 1)
    ws.hashing = HashEmbedder()
    told = [
        ("I sold my red kayak", 0),
        ("I repaired the old red kayak", -4),
        ("I baked rye bread", -3),
    ]
    with ws.vault.write() as db:
        store_chat(db, [make_turn(text, at_ms=START_MS + days * DAY_MS) for text, days in told])
    building.build(ws)
    with ws.vault.read() as db:
        known = facts.find_facts(db)
    named = {fact.id: fact.property for fact in known}
    links = {
        (named[link.from_id], named[link.to_id])
        for fact in known
        for link in fact.links
        if link.kind is LinkKind.POSSIBLY_CAUSES
    }
    assert links == {("repaired", "sold")}
