"""Texts and keys that are packed come back as they were, singly, and go when they are erased."""

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.domain.turn import ImportedTurn
from apexmem_desktop.storage import integrity, keys, turns, words
from apexmem_desktop.storage.erasing import _guards_lifted
from apexmem_desktop.storage.packs import ALONE_CHARS, DAMAGED, pack_texts, stored_keys, turn_text
from apexmem_desktop.storage.unpacking import take_out
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import START_MS, count, make_turn, store_chat

TEXT = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=30),
    st.sampled_from(["", "\0", "a\0b", "早上好 👋", "x" * ALONE_CHARS, "long, " * ALONE_CHARS]),
)


def chat(number: int) -> list[ImportedTurn]:
    said = [
        *("", "早上好 👋", "long, " * ALONE_CHARS),
        *(f"words {i} about nothing much" for i in range(3, number)),
    ]
    return [make_turn(text, at_ms=START_MS + i) for i, text in enumerate(said)]


@given(st.integers(1, 300), st.lists(TEXT, max_size=4), st.integers(0, 70))
def test_each_text_comes_back(first_id: int, odd: list[str], plain: int) -> None:
    texts = [*odd, *(f"so said {i}" for i in range(plain)), *odd, *("yes" for _ in range(plain))]
    own, packs = pack_texts(first_id, texts)
    by_id = dict(packs)
    read = [turn_text(o, by_id.get(n // 64), n) for n, o in enumerate(own, first_id)]
    assert read == texts
    assert all((o == "") == (t == "") for o, t in zip(own, texts, strict=True))


@pytest.mark.parametrize("sizes", [(300,), (1, 63, 64, 2, 170), (100, 100, 100)])
def test_a_chat_stored_in_parts_is_read_whole_and_known_again(
    vault: Vault, sizes: tuple[int, ...]
) -> None:
    said = chat(300)
    for start, end in pairwise(accumulate(sizes, initial=0)):
        with vault.write() as db:
            store_chat(db, said[start:end], external_id="one")
    assert count(vault, "text_packs") >= 1
    with vault.read() as db:
        found = turns.find_conversation_turns(db, 1, limit=999)
        assert [turn.text for turn in found] == [turn.text for turn in said]
        asked = [turn.key for turn in said] + ["0" * 32, "no digest", "1" * 32]
        wanted = set(asked[:300])
        assert keys.find_known_keys(db, 1, asked) == wanted
        assert keys.ChatKeys(db, 1).find_known(asked) == wanted
        assert keys.ManyKeys(db, 1).among(stored_keys(asked)) == set(stored_keys(asked[:300]))
        assert keys.count_shared(db, [1, 2], asked) == {1: 300, 2: 0}
        between = keys.keys_between(db, 1, 150, 160)
        assert between == {n: keys.known_by(said[n - 1].key) for n in range(150, 161)}
        sql = "SELECT turn_id, text FROM v_turns WHERE text LIKE '%s 299 %' OR text LIKE '早上%'"
        assert [number for number, _ in db.exec_driver_sql(sql.replace("%", "%%"))] == [2, 300]
        assert [n for n, _ in words.find_turns_by_words(db, "299 nothing", 1)] == [300]
    assert [check for check in integrity.check(vault) if not check.ok] == []


def test_more_keys_than_are_held_in_a_set_are_found(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = [*chat(20), make_turn("odd", key="no digest")]
    with vault.write() as db:
        store_chat(db, said)
    monkeypatch.setattr(keys, "_HELD", 5)
    asked = [turn.key for turn in said]
    with vault.read() as db:
        assert keys.ChatKeys(db, 1).find_known([*asked, "2" * 32, "other"]) == set(asked)
        assert keys.count_walked(db, [1], [(7, asked[:3]), (8, asked[2:])]) == {
            7: {1: 3},
            8: {1: 19},
        }
        assert dict(keys.read_keys(db, [3, 21])) == {1: "no digest"}


def test_what_is_taken_out_leaves_its_neighbours(vault: Vault) -> None:
    said = chat(400)
    with vault.write() as db:
        store_chat(db, said)
    gone = {70, 71, *range(128, 192), 337, 400}
    with vault.write() as db, _guards_lifted(db):
        take_out(db, gone)
        for number in gone:
            db.exec_driver_sql("DELETE FROM turns WHERE id = ?", (number,))
    stay = [number for number in range(1, 401) if number not in gone]
    with vault.read() as db:
        left = {turn.id: turn.text for turn in turns.find_turns(db, range(1, 401))}
        known = keys.find_known_keys(db, 1, [turn.key for turn in said])
        packs = list(db.exec_driver_sql("SELECT id FROM text_packs").scalars())
    assert left == {number: said[number - 1].text for number in stay}
    assert known == {said[number - 1].key for number in stay}
    assert 2 not in packs


def test_a_damaged_pack_is_told_and_the_rest_is_read(vault: Vault) -> None:
    said = chat(200)
    with vault.write() as db:
        store_chat(db, said)
    with vault.write() as db, _guards_lifted(db):
        pack = db.exec_driver_sql("SELECT texts FROM text_packs WHERE id = 1").scalar_one()
        spoilt = pack[:40] + bytes([pack[40] ^ 1]) + pack[41:]
        db.exec_driver_sql("UPDATE text_packs SET texts = ? WHERE id = 1", (spoilt,))
        db.exec_driver_sql("UPDATE turns SET text = x'00' WHERE id = 3")
    with vault.read() as db:
        read = [turn.text for turn in turns.find_turns(db, [3, 64, 127, 128])]
    assert read == [DAMAGED, DAMAGED, DAMAGED, said[127].text]
    [wrong] = [check for check in integrity.check(vault) if not check.ok]
    assert (wrong.name, wrong.detail) == (
        "message texts",
        "2 messages, or packs of messages, cannot be read: 3, 64",
    )


def test_a_turn_that_lost_its_pack_is_told(vault: Vault) -> None:
    with vault.write() as db:
        store_chat(db, chat(200))
    with vault.write() as db, _guards_lifted(db):
        db.exec_driver_sql("DELETE FROM text_packs WHERE id = 1")
    assert "message texts" in [check.name for check in integrity.check(vault) if not check.ok]
