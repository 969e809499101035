"""Full-text search finds words in many scripts, and no input breaks it."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apexmem_desktop.storage import words
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import (
    DAY_MS,
    START_MS,
    make_turn,
    store_chat,
    store_entity,
    store_fact,
    tried,
)

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


UNSPACED = {
    "whole": "我在出版社工作了三年",
    "apart": "刚出版的书，是版社印的",
    "mixed": "我用中文ABC输入法打字2023年",
    "kana": "あしたともだちとえいがをみます",
    "katakana": "コンピューターとメンバー",
    "ramen": "ラーメンを食べる",
    "thai": "วันนี้ฉันกินข้าวผัดกุ้ง",
    "korean": "저는 한국어를 배우고 일본어는 못해요",
    "rare": "𠮷野家に行く",
}


@pytest.fixture
def unspaced(vault: Vault) -> Vault:
    with vault.write() as db:
        new = [make_turn(text, at_ms=START_MS + i) for i, text in enumerate(UNSPACED.values())]
        store_chat(db, new)
    return vault


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("出版社", ["whole"]),
        ("版社", ["whole", "apart"]),
        ("社", ["whole", "apart"]),
        ("三年", ["whole"]),
        ("年", ["whole", "mixed"]),
        ("中文ABC", ["mixed"]),
        ("文", ["mixed"]),
        ("输入法", ["mixed"]),
        ("abc", ["mixed"]),
        ("2023年", ["mixed", "whole"]),
        ("ともだ", ["kana"]),
        ("えい", ["kana"]),
        ("を", ["kana", "ramen"]),
        ("ラーメン", ["ramen"]),
        ("ピューター", ["katakana"]),
        ("メン", ["katakana", "ramen"]),
        ("ﾗｰﾒﾝ", ["ramen"]),
        ("ผัด", ["thai"]),
        ("กุ้ง", ["thai"]),
        ("한국어", ["korean"]),
        ("일본어", ["korean"]),
        ("국어", ["korean"]),
        ("𠮷野", ["rare"]),
        ("出版局", ["whole", "apart"]),  # nowhere in a row: then its parts must do
    ],
)
def test_any_part_of_an_unspaced_text_is_found_and_nothing_else(
    unspaced: Vault, query: str, expected: list[str]
) -> None:
    with unspaced.read() as db:
        found = words.find_turns_by_words(db, query, 99)
    names = list(UNSPACED)
    assert {names[number - 1] for number, _ in found} == set(expected)


def test_a_longer_question_puts_the_signs_in_a_row_first_and_still_finds_their_parts(
    unspaced: Vault,
) -> None:
    with unspaced.read() as db:
        found = words.find_turns_by_words(db, "在出版社工作", 99)
    assert [number for number, _ in found] == [1, 2]


SIGNS = st.text("出版社年中文ラメンーกขผั한국어", min_size=1, max_size=12)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(SIGNS, min_size=1, max_size=6), st.data())
def test_a_part_of_two_or_three_signs_finds_just_the_texts_that_hold_it(
    vault: Vault, texts: list[str], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(texts))
    start = data.draw(st.integers(0, len(source) - 1))
    part = source[start : start + data.draw(st.integers(1, 3))]
    with tried(vault) as db:
        words.index_turns(db, enumerate(texts, start=1))
        found = words.find_turns_by_words(db, part, 99)
    holding = {i for i, text in enumerate(texts, start=1) if part in text}
    assert {number for number, _ in found} == holding


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


def test_typing_finds_the_newest_with_all_words_then_with_any(vault: Vault) -> None:
    said = [
        "the red kettle",
        "a red bicycle",
        "nothing",
        "kettles are red",
        "出版社在北京",
        "a kettle",
    ]
    with vault.write() as db:
        store_chat(db, [make_turn(text, at_ms=START_MS + i) for i, text in enumerate(said)])
    with vault.read() as db:
        assert words.find_quick(db, "red kettle", 9) == [4, 1, 6, 2]
        assert words.find_quick(db, "red kettle", 1) == [4]
        assert words.find_quick(db, "red ket", 2) == [4, 1]
        assert words.find_quick(db, "re", 9) == []
        assert words.find_quick(db, "出版社", 9) == [5]
        assert words.find_quick(db, "red", 9, to_ms=START_MS + 2) == [2, 1]
        assert words.find_quick(db, "red", 9, speaker="nobody") == []
        assert words.find_quick(db, ' "* ', 9) == []


def test_words_that_are_in_no_index_are_found_in_the_newest_turns(vault: Vault) -> None:
    said = ["The Who are on", "who was it?", "I will", "Theatre, with them", "you and me"]
    with vault.write() as db:
        store_chat(db, [make_turn(text, at_ms=START_MS + i) for i, text in enumerate(said)])
    with vault.read() as db:
        indexed = db.exec_driver_sql(
            "SELECT rowid FROM turn_words WHERE turn_words MATCH 'who OR will OR the'"
        )
        assert indexed.all() == []
        assert [n for n, score in words.find_turns_by_words(db, "the who", 9) if score > 0] == [1]
        assert [n for n, _ in words.find_turns_by_words(db, "Who?", 1)] == [2]
        assert words.find_turns_by_words(db, "who", 9, to_ms=START_MS) == []
        assert words.find_quick(db, "the", 9) == [4, 1]
        assert words.find_quick(db, "will", 9, speaker="ana") == [3]
        assert words.find_quick(db, "will theatre", 9) == [4]


def test_a_fact_is_found_by_a_name_that_is_a_small_word(vault: Vault) -> None:
    with vault.write() as db:
        number = store_fact(db, store_entity(db, "Will"), "Rome")
    with vault.read() as db:
        assert [one for one, _ in words.find_facts_by_words(db, "Will", 5)] == [number]
