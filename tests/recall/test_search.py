"""What a search finds: by words, by meaning, beside a hit, in a time, in Chinese."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from apexmem_desktop.domain.answers import SearchResult
from apexmem_desktop.domain.graph import MemoryType
from apexmem_desktop.inference.embedder import EmbedderHost
from apexmem_desktop.recall.asked import Asked
from apexmem_desktop.recall.knowledge import rank_facts
from apexmem_desktop.recall.question import understand
from apexmem_desktop.recall.search import hybrid_search
from apexmem_desktop.recall.weights import POOL
from apexmem_desktop.storage.entities import append_entity, append_link
from apexmem_desktop.storage.turns import find_turns_to_embed
from apexmem_desktop.storage.vault import Vault
from apexmem_desktop.storage.vectors import (
    append_fact_vectors,
    append_turn_vectors,
    find_facts_to_embed,
)
from tests.agent.asking import know
from tests.recall.builders import ms
from tests.recall.chats import entity, store_chat, store_fact

NOW = ms("2024-03-15T12:00")
LINES = [
    ("Ana", "2023-05-01T10:00", "We went to the sea and the waves were enormous."),
    ("Ben", "2023-05-01T10:01", "Lovely! My sister opened a bakery in Porto."),
    ("Ana", "2023-05-01T10:02", "What is it called?"),
    ("Ben", "2023-05-01T10:03", "Crumb and Crust, on the corner of the market."),
    ("Ben", "2023-06-20T09:00", "I adopted a tortoise named Turbo from the shelter."),
    ("Ana", "2023-06-20T09:01", "Ben, your tortoise is the slowest thing I have seen."),
    ("Ana", "2023-09-02T18:00", "The pottery course begins on Monday evening."),
    ("李雪", "2023-09-03T18:00", "我上个月搬到上海了，现在住在静安区。"),
    ("李雪", "2023-09-03T18:01", "这里的小笼包非常好吃。"),
]


class TopicEmbedder(EmbedderHost):
    """Vectors by topic: every word of a topic points the same way."""

    TOPICS = (
        ("sea", "waves", "ocean", "beach"),
        ("tortoise", "pet", "animal"),
        ("pottery", "clay"),
    )

    def __init__(self) -> None:
        """Start no process."""
        self.asked: list[str] = []

    @property
    def embedder_id(self) -> str:
        """A name of its own."""
        return "topics/4"

    def embed(self, texts: Sequence[str], *, cancel: object = None) -> npt.NDArray[np.float32]:
        """Count the words of each topic."""
        self.asked += texts
        rows = [
            [*(float(any(w in t.casefold() for w in words)) for words in self.TOPICS), 0.1]
            for t in texts
        ]
        found = np.asarray(rows, dtype=np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


@pytest.fixture
def chat(vault: Vault) -> Vault:
    """Some talk of three people."""
    store_chat(vault, LINES)
    return vault


def search(vault: Vault, query: str, *, embedder: EmbedderHost | None = None) -> SearchResult:
    """Search as asking does, with the question read against the tests' today."""
    with vault.read() as db:
        read = understand(db, query, now_ms=NOW, offset_minutes=0)
    return hybrid_search(vault, embedder, query, understood=read)


def texts(found: SearchResult) -> list[str]:
    """The texts found, best first."""
    return [hit.text for hit in found.turns]


def test_words_find_their_other_forms(chat: Vault) -> None:
    found = texts(search(chat, "Who is adopting tortoises?"))
    assert LINES[4][2] in found[:2]


def test_a_synonym_finds_what_the_words_do_not(chat: Vault) -> None:
    found = search(chat, "When does the ceramics class begin?")
    hit = next(h for h in found.turns if "pottery course" in h.text)
    assert "synonyms" in hit.why or "words" in hit.why


def test_the_answer_beside_the_hit_is_found(chat: Vault) -> None:
    hits = {h.text: h.why for h in search(chat, "Where is the bakery of Ben's sister?").turns}
    assert "neighbour" in hits["Crumb and Crust, on the corner of the market."]


def test_the_person_named_speaks_first(chat: Vault) -> None:
    assert search(chat, "What did Ben say about the tortoise?").turns[0].speaker == "Ben"
    assert search(chat, "What did Ana say about the tortoise?").turns[0].speaker == "Ana"


def test_the_time_in_the_question_is_preferred(chat: Vault) -> None:
    found = search(chat, "What did they talk about in September 2023?")
    assert found.turns == () or found.turns[0].said_at_ms >= ms("2023-09-01")  # type: ignore[operator]


def test_chinese_is_found_without_spaces(chat: Vault) -> None:
    assert "上海" in texts(search(chat, "李雪现在住在哪里？"))[0]
    assert texts(search(chat, "小笼包"))[0] == LINES[8][2]


def test_meaning_finds_what_shares_no_word(chat: Vault) -> None:
    embedder = TopicEmbedder()
    with chat.write() as db:
        rows = find_turns_to_embed(db, embedder.embedder_id, 100)
        vectors = embedder.embed([text for _, text in rows])
        append_turn_vectors(
            db, embedder.embedder_id, list(zip((i for i, _ in rows), vectors, strict=True))
        )
    hit = search(chat, "Did somebody see the ocean?", embedder=embedder).turns[0]
    assert (hit.text, "meaning" in hit.why) == (LINES[0][2], True)


def test_a_name_is_put_as_i_for_the_vectors_of_turns(chat: Vault) -> None:
    embedder = TopicEmbedder()
    search(chat, "What is Ben's pet, and does Ben like it?", embedder=embedder)
    assert embedder.asked[0] == "What is my pet, and does I like it?"


def test_a_fact_leads_to_the_turn_that_proves_it(chat: Vault) -> None:
    store_fact(chat, 5, "Ben", "pet", "Turbo", single_valued=False)
    found = search(chat, "Which animal does Ben keep as a pet?")
    assert [f.value for f in found.facts] == ["Turbo"]
    hit = next(h for h in found.turns if h.turn_id == 5)
    assert "graph" in hit.why
    assert found.entities[0].name == "Ben"


def test_each_hit_says_by_which_signals_it_was_found(chat: Vault) -> None:
    """Every signal has a question that it answers, and no hit is without one."""
    embedder = TopicEmbedder()
    store_fact(chat, 5, "Ben", "pet", "tortoise Turbo", single_valued=False)
    with chat.write() as db:
        rows = find_turns_to_embed(db, embedder.embedder_id, 100)
        vectors = embedder.embed([text for _, text in rows])
        append_turn_vectors(
            db, embedder.embedder_id, list(zip((i for i, _ in rows), vectors, strict=True))
        )
        (fact_id,) = find_facts_to_embed(db, embedder.embedder_id, 100)
        of_fact = embedder.embed(["Ben pet tortoise"])[0]
        append_fact_vectors(db, embedder.embedder_id, [(fact_id, of_fact)])
    seen: set[str] = set()
    for question in (
        "Which pet did Ben adopt in June 2023?",
        "When does the ceramics class begin?",
        "What is the bakery of Ben's sister called?",
    ):
        hits = search(chat, question, embedder=embedder).turns
        assert hits
        assert all(hit.why for hit in hits)
        seen |= {why for hit in hits for why in hit.why}
    assert seen == {
        "words", "synonyms", "meaning", "talk", "fact words", "fact meaning", "graph", "neighbour",
        "person", "time",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("question", "first"),
    [("What are Ana's plans for the sea?", 2), ("What sea does Ana like?", 1)],
)
def test_of_equal_facts_the_kind_of_memory_asked_for_goes_first(
    chat: Vault, question: str, first: int
) -> None:
    kinds = {1: MemoryType.PREFERENCE, 2: MemoryType.PLAN}
    for turn_id, kind in kinds.items():
        know(chat, turn_id, "Ana", "sea", f"sea {turn_id}", memory_type=kind, single_valued=False)
    with chat.read() as db:
        read = understand(db, question, now_ms=NOW, offset_minutes=0)
        asked = Asked(question, read, "", None, None, None)
        found = rank_facts(chat, db, asked, as_of_ms=NOW, limit=10).by_graph
    assert found[0].value == f"sea {first}"


def test_facts_come_with_their_status_at_the_time_asked_about(chat: Vault) -> None:
    store_fact(chat, 1, "Ana", "lives_in", "Faro")
    store_fact(chat, 7, "Ana", "lives_in", "Lagos")
    now = {f.value: f.status.value for f in search(chat, "Where does Ana live?").facts}
    assert now == {"Faro": "past", "Lagos": "current"}
    then = {f.value: f.status.value for f in search(chat, "Where did Ana live in June 2023?").facts}
    assert then["Faro"] == "current"


def test_merged_entities_are_one(chat: Vault) -> None:
    store_fact(chat, 1, "Ana", "lives_in", "Faro")
    with chat.write() as db:
        ana, anna = entity(db, "Ana"), entity(db, "Anna Reis")
        append_link(db, ana, anna, "same_as", "user", "the same", 0)
    assert [f.value for f in search(chat, "Where does Anna Reis live?").facts] == ["Faro"]


def test_a_limit_holds_and_scores_fall(chat: Vault) -> None:
    found = hybrid_search(chat, None, "tortoise bakery pottery", limit=3).turns
    scores = [hit.score for hit in found]
    assert len(found) == 3
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("query", ["", "?!", '"', "NEAR(", "a*", "the of and", "🙂", "-" * 3000])
def test_any_query_is_safe(chat: Vault, query: str) -> None:
    assert isinstance(search(chat, query), SearchResult)


def test_an_empty_vault_finds_nothing(vault: Vault) -> None:
    assert search(vault, "Where does Ana live?") == SearchResult()


def test_what_was_imported_later_was_not_known(vault: Vault) -> None:
    lines = [("Ben", "2023-06-20T09:00", "My tortoise Turbo is asleep.")]
    [early] = store_chat(vault, lines, title="early", imported_at_ms=100)
    [late] = store_chat(vault, lines, title="late", imported_at_ms=200)
    with vault.write() as db:
        entity(db, "Turbo")  # recorded at 0
        append_entity(
            db, name="Turbo Ltd", type="organization", is_speaker=False, recorded_at_ms=150
        )

    def found(known_at_ms: int | None) -> tuple[set[int], list[str]]:
        result = hybrid_search(vault, None, "Turbo", known_at_ms=known_at_ms)
        return {hit.turn_id for hit in result.turns}, [e.name for e in result.entities]

    assert found(99) == (set(), ["Turbo"])
    assert found(100) == ({early}, ["Turbo"])
    assert found(200) == found(None) == ({early, late}, ["Turbo", "Turbo Ltd"])


def test_later_turns_do_not_crowd_out_those_known(vault: Vault) -> None:
    """More turns of a later import match than are looked at."""
    [early] = store_chat(
        vault, [("Ben", "2023-06-20T09:00", "It was the tortoise that slept.")],
        imported_at_ms=100, title="early",
    )  # fmt: skip
    later = [("Ben", "2023-06-21T09:00", f"tortoise {number}") for number in range(POOL + 20)]
    store_chat(vault, later, imported_at_ms=200, title="late")
    result = hybrid_search(vault, None, "tortoise", known_at_ms=150)
    assert [hit.turn_id for hit in result.turns] == [early]
