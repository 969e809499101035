"""Full-text search finds words in many scripts, and no input breaks it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.storage import words
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import DAY_MS, START_MS, make_turn, store_chat

SAID = [
    "We were hiking near the lake yesterday",
    "我昨天和小李一起去吃火锅",
    "ラーメンが大好きです",
    "วันนี้ฉันกินข้าวผัด",
    "오늘 서울에서 친구를 만났어요",
    "Mañana voy a la montaña",
    "मैं कल दिल्ली जाऊँगा",
    "我用Next.js写代码",
    "Meet at Caf\u00e9 \uff2c\uff35\uff2d\uff2f",
]


@pytest.fixture
def said(vault: Vault) -> Vault:
    with vault.write() as db:
        store_chat(db, [make_turn(text, at_ms=START_MS + i) for i, text in enumerate(SAID)])
    return vault


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("hike", 1),
        ("Who hikes by lakes?", 1),
        ("火锅", 2),
        ("小李吃了什么", 2),
        ("李", 2),
        ("ラーメン", 3),
        ("ข้าวผัด", 4),
        ("서울", 5),
        ("manana", 6),
        ("दिल्ली", 7),
        ("next.js", 8),
        ("lumo cafe", 9),
    ],
)
def test_words_are_found(said: Vault, query: str, expected: int) -> None:
    with said.read() as db:
        found = words.find_turns_by_words(db, query, 5)
    assert [number for number, _ in found][:1] == [expected]
    assert all(score > 0 for _, score in found)


@given(st.text(max_size=60))
def test_no_words_break_the_search(query: str) -> None:
    assert '""' not in words.match_query(query)


@pytest.mark.parametrize(
    "query",
    ['"', "a AND", "NEAR(a b)", "text:x", "*", "-", "(", "^a", "'; DROP TABLE turns;--", "👋", ""],
)
def test_query_syntax_is_only_words(said: Vault, query: str) -> None:
    with said.read() as db:
        words.find_turns_by_words(db, query, 5)
        words.find_facts_by_words(db, query, 5)


def test_a_question_of_small_words_still_searches() -> None:
    assert words.match_query("Who is the one that moved?") == '"one" OR "moved"'
    assert words.match_query("who are you") == '"who" OR "are" OR "you"'
    assert words.match_query(" ?! ") == ""


def test_better_matches_come_first_and_limits_hold(vault: Vault) -> None:
    with vault.write() as db:
        store_chat(
            db, [make_turn("piano"), make_turn("piano lesson on friday"), make_turn("lesson")]
        )
    with vault.read() as db:
        found = words.find_turns_by_words(db, "piano lesson", 2)
    assert found[0][0] == 2
    assert len(found) == 2
    assert found[0][1] >= found[1][1]


def test_search_by_speaker_and_time(vault: Vault) -> None:
    new = [
        make_turn("tea", speaker="Ana"),
        make_turn("tea", speaker="Ben"),
        make_turn("tea", speaker="Ben", at_ms=START_MS + DAY_MS),
    ]
    with vault.write() as db:
        store_chat(db, new)
    with vault.read() as db:
        by_ben = words.find_turns_by_words(db, "tea", 9, speaker="ben", to_ms=START_MS + DAY_MS)
        later = words.find_turns_by_words(db, "tea", 9, from_ms=START_MS + DAY_MS)
    assert [number for number, _ in by_ben] == [2]
    assert [number for number, _ in later] == [3]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("İpek", "ipek"),
        ("IŞIK", "ışık"),
        ("  Ana\u200e  María ", "ana maría"),
        ("ＡＮＡ", "Ana"),
        ("O’Brien", "o'brien"),
        ("Straße", "STRASSE"),
        ("❤️", "❤"),
        ("\u202aBen\u202c", "ben"),
    ],
)
def test_names_that_are_the_same(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize("name", ["👨‍👩‍👧", "🦊", "小李", "Ñandú"])
def test_names_that_survive(name: str) -> None:
    assert normalise(name)


@given(st.text())
def test_a_normalised_name_stays_as_it_is(name: str) -> None:
    assert normalise(normalise(name)) == normalise(name)
