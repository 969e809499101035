"""Vectors: exact by comparing all, quick by a cache that is never trusted blindly."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hnswlib
import numpy as np
import pytest
from sqlalchemy import event

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.progress import CancelledError, CancelToken
from apexmem_desktop.storage import tombstones, turns, vectors
from apexmem_desktop.storage.vault import Vault
from apexmem_desktop.storage.vectors import VectorIndex, append_fact_vectors, append_turn_vectors
from tests.storage.builders import START_MS, make_turn, store_chat, store_entity, store_fact

MANY, WIDTH = 40, 16
OLD, NEW = "old/16", "new/8"
LATER = range(MANY + 1, 2 * MANY + 1)  # turns that have no vector at first


def points(number: int = MANY, width: int = WIDTH, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(number, width)).astype(np.float32)


@pytest.fixture
def filled(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> Vault:
    monkeypatch.setattr(vectors, "BRUTE_FORCE_BELOW", 10)
    with vault.write() as db:
        new = [make_turn(f"{i}", at_ms=START_MS + i) for i in range(2 * MANY)]
        ids = store_chat(db, new)
        append_turn_vectors(db, OLD, zip(ids, points(), strict=False))
    return vault


def nearest(index: VectorIndex, to: np.ndarray) -> int:
    return index.search(to, 3)[0][0]


def files(vault: Vault) -> list[Path]:
    return sorted(vault.path.parent.glob("*-vectors.*"))


def all_are_found(index: VectorIndex, of: np.ndarray, first_id: int = 1) -> bool:
    return [nearest(index, v) for v in of] == list(range(first_id, first_id + len(of)))


def test_the_nearest_are_found_best_first(filled: Vault) -> None:
    index = VectorIndex(filled, OLD)
    found = index.search(points()[7] * 3, 5)
    assert len(found) == 5
    assert found[0][0] == 8
    assert found[0][1] == pytest.approx(1.0, abs=0.01)
    assert [score for _, score in found] == sorted((s for _, s in found), reverse=True)
    exact = points() @ points()[7] / np.linalg.norm(points(), axis=1)
    assert [number for number, _ in found] == [int(i) + 1 for i in np.argsort(-exact)[:5]]


def test_an_empty_index_finds_nothing(vault: Vault) -> None:
    index = VectorIndex(vault, OLD)
    assert index.search(points()[0], 5) == []
    assert not index.refresh()
    assert len(index) == 0


def test_vectors_stored_later_are_found_at_once(filled: Vault) -> None:
    index = VectorIndex(filled, OLD)
    assert all_are_found(index, points())
    with filled.write() as db:
        append_turn_vectors(db, OLD, zip(LATER, points(seed=2), strict=True))
    assert all_are_found(index, points(seed=2), MANY + 1)
    assert len(index) == 2 * MANY


def test_with_the_cache_the_same_are_found_and_later_ones_too(filled: Vault) -> None:
    assert VectorIndex(filled, OLD).refresh()
    assert [file.suffix for file in files(filled)] == [".hnsw", ".json"]
    index = VectorIndex(filled, OLD)
    assert all_are_found(index, points())
    with filled.write() as db:
        append_turn_vectors(db, OLD, zip(LATER, points(seed=2), strict=True))
    assert all_are_found(index, points(seed=2), MANY + 1)
    assert all_are_found(VectorIndex(filled, OLD), points())
    assert index.refresh()
    assert all_are_found(index, points(seed=2), MANY + 1)
    assert all_are_found(VectorIndex(filled, OLD), points())


def test_a_few_later_vectors_do_not_rewrite_the_cache(filled: Vault) -> None:
    VectorIndex(filled, OLD).refresh()
    before = [file.read_bytes() for file in files(filled)]
    with filled.write() as db:
        append_turn_vectors(db, OLD, [(MANY + 1, points(seed=2)[0])])
    index = VectorIndex(filled, OLD)
    assert index.refresh()
    assert [file.read_bytes() for file in files(filled)] == before
    assert nearest(index, points(seed=2)[0]) == MANY + 1


def test_a_whole_cache_is_not_written_again(filled: Vault) -> None:
    VectorIndex(filled, OLD).refresh()
    before = [file.stat().st_mtime_ns for file in files(filled)]
    VectorIndex(filled, OLD).refresh()
    assert [file.stat().st_mtime_ns for file in files(filled)] == before


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("harm", ["flip", "cut", "empty", "remove"])
def test_a_damaged_cache_is_passed_over_and_written_anew(
    filled: Vault, which: int, harm: str
) -> None:
    """Known fault 75."""
    VectorIndex(filled, OLD).refresh()
    file = files(filled)[which]
    data = bytearray(file.read_bytes())
    whole = bytes(data)
    if harm == "flip":
        for at in range(0, len(data), 7):
            data[at] ^= 0x55
        file.write_bytes(bytes(data))
    elif harm == "remove":
        file.unlink()
    else:
        file.write_bytes(whole[: len(whole) // 2] if harm == "cut" else b"")
    index = VectorIndex(filled, OLD)
    assert all_are_found(index, points())
    assert index.refresh()
    assert all_are_found(VectorIndex(filled, OLD), points())


def test_a_cache_of_other_vectors_is_not_taken(filled: Vault) -> None:
    """A restored backup has the same count and row numbers, and other vectors."""
    VectorIndex(filled, OLD).refresh()
    with filled.write() as db:
        vectors.drop_vectors(db, OLD)
        append_turn_vectors(db, OLD, zip(range(1, MANY + 1), points(seed=3), strict=True))
    assert all_are_found(VectorIndex(filled, OLD), points(seed=3))


def rewrite_head(vault: Vault, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what the cache says of itself, and leave the rest of it whole."""
    [head] = [file for file in files(vault) if file.suffix == ".json"]
    told = json.loads(head.read_text(encoding="utf-8"))
    change(told)
    head.write_text(json.dumps(told), encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head["mark"].update(embedder=NEW),
        lambda head: head["mark"].update(count=MANY - 1),
        lambda head: head["mark"].update(last_id=MANY - 1),
        lambda head: head["mark"].update(last_sha256="0" * 64),
        lambda head: head.update(sha256="0" * 64),
        lambda head: head.update(dimension="wide"),
        lambda head: head.pop("mark"),
    ],
    ids=["embedder", "count", "last row", "last vector", "checksum", "dimension", "no mark"],
)
def test_a_cache_that_says_something_else_is_passed_over_and_written_anew(
    filled: Vault, change: Callable[[dict[str, Any]], object]
) -> None:
    VectorIndex(filled, OLD).refresh()
    rewrite_head(filled, change)
    index = VectorIndex(filled, OLD)
    assert all_are_found(index, points())
    assert len(index._ids) == MANY
    assert index.refresh()
    again = VectorIndex(filled, OLD)
    assert all_are_found(again, points())
    assert len(again._ids) == 0


def test_a_cache_of_one_index_under_the_head_of_another_is_not_taken(filled: Vault) -> None:
    """Its checksum fits, its number of vectors does not: a hand that copied files."""
    VectorIndex(filled, OLD).refresh()
    [data] = [file for file in files(filled) if file.suffix == ".hnsw"]
    small = hnswlib.Index(space="ip", dim=WIDTH)
    small.init_index(max_elements=3)
    small.add_items(points(3), [1, 2, 3])
    small.save_index(str(data))
    checksum = hashlib.sha256(data.read_bytes()).hexdigest()
    rewrite_head(filled, lambda head: head.update(sha256=checksum))
    assert all_are_found(VectorIndex(filled, OLD), points())


def test_a_cache_newer_than_the_vault_is_not_taken(filled: Vault) -> None:
    """The vault is a backup from before the last vectors; its cache was left beside it."""
    with filled.write() as db:
        append_turn_vectors(db, OLD, zip(LATER, points(seed=2), strict=True))
    VectorIndex(filled, OLD).refresh()
    with filled.write() as db:
        db.exec_driver_sql("DELETE FROM turn_vectors WHERE turn_id > ?", (MANY,))
    index = VectorIndex(filled, OLD)
    assert all_are_found(index, points())
    assert max(number for number, _ in index.search(points(seed=2)[0], 99)) <= MANY
    assert index.refresh()
    assert all_are_found(VectorIndex(filled, OLD), points())


@pytest.mark.parametrize("which", [0, 1])
def test_a_cache_that_cannot_be_read_is_passed_over(filled: Vault, which: int) -> None:
    VectorIndex(filled, OLD).refresh()
    file = files(filled)[which]
    file.unlink()
    file.mkdir()
    assert all_are_found(VectorIndex(filled, OLD), points())


@pytest.mark.parametrize("suffix", [".hnsw", ".json"])
def test_where_no_cache_can_be_written_all_are_compared(filled: Vault, suffix: str) -> None:
    """As in a folder that is only for reading; a folder in the file's way is the same to us."""
    vault_name = filled.path.name
    filled.path.with_name(f"{vault_name}.turn-vectors{suffix}.part").mkdir()
    index = VectorIndex(filled, OLD)
    assert not index.refresh()
    assert all_are_found(index, points())
    assert all_are_found(VectorIndex(filled, OLD), points())


def test_vectors_erased_behind_an_open_index_are_gone(filled: Vault) -> None:
    index = VectorIndex(filled, OLD)
    index.refresh()
    assert len(index) == MANY
    with filled.write() as db:
        tombstones.append_erasure(db, "entity", {}, erased_at_ms=1)
        db.exec_driver_sql("DELETE FROM turn_vectors WHERE turn_id = 8")
    assert nearest(index, points()[7]) != 8
    assert len(index) == MANY - 1


def test_an_embedder_that_was_dropped_behind_an_open_index_finds_nothing(filled: Vault) -> None:
    index = VectorIndex(filled, OLD)
    assert len(index) == MANY
    with filled.write() as db:
        append_turn_vectors(db, NEW, [(1, points()[0])])  # the newest row is another's
        vectors.drop_vectors(db, OLD)
    assert index.search(points()[7], 3) == []
    assert len(index) == 0


def test_a_search_counts_no_rows(filled: Vault) -> None:
    """Where nothing changed, three look-ups do, however many vectors there are."""
    index = VectorIndex(filled, OLD)
    index.search(points()[7], 3)
    asked: list[str] = []

    def note(_c: object, _cur: object, sql: str, *_rest: object) -> None:
        asked.append(sql.casefold())

    with filled.read() as db:
        event.listen(db.engine, "before_cursor_execute", note)
    try:
        assert nearest(index, points()[7]) == 8
    finally:
        event.remove(db.engine, "before_cursor_execute", note)
    assert len([sql for sql in asked if sql.startswith("select")]) == 3
    assert not [sql for sql in asked if "count(" in sql]


def test_a_new_embedder_fills_up_beside_the_old_one(filled: Vault) -> None:
    """Known fault 74: another embedder, another length; the old index serves until it is done."""
    old, new = VectorIndex(filled, OLD), VectorIndex(filled, NEW)
    old.refresh()
    with filled.read() as db:
        assert len(turns.find_turns_to_embed(db, OLD, 999)) == MANY
        assert len(turns.find_turns_to_embed(db, NEW, 999)) == 2 * MANY
    with filled.write() as db:
        append_turn_vectors(db, NEW, zip(range(1, MANY + 1), points(width=8), strict=True))
        assert vectors.find_embedders(db) == {OLD: MANY, NEW: MANY}
    assert all_are_found(old, points())
    assert all_are_found(new, points(width=8))
    assert new.search(points()[0], 3) == []  # a query of the other embedder's length
    assert new.refresh()
    with filled.write() as db:
        vectors.drop_vectors(db, OLD)
    assert old.search(points()[0], 3) == []
    assert all_are_found(VectorIndex(filled, NEW), points(width=8))


def test_a_vector_is_stored_once_and_must_belong_to_a_turn(filled: Vault) -> None:
    with filled.write() as db:
        append_turn_vectors(db, OLD, [(1, points(seed=9)[0])])
    assert len(VectorIndex(filled, OLD)) == MANY


def test_vectors_that_are_no_direction_are_never_near(filled: Vault) -> None:
    bad = [np.zeros(WIDTH), np.full(WIDTH, np.nan), np.full(WIDTH, np.inf)]
    with filled.write() as db:
        append_turn_vectors(db, OLD, zip(range(MANY + 1, MANY + 4), bad, strict=True))
    found = VectorIndex(filled, OLD).search(points()[0], 99)
    assert all(score == 0.0 for number, score in found if number > MANY)


def test_facts_have_vectors_too(vault: Vault) -> None:
    with vault.write() as db:
        number = store_fact(db, store_entity(db, "Ana"), "Rome")
        assert vectors.find_facts_to_embed(db, OLD, 9) == [number]
        append_fact_vectors(db, OLD, [(number, points()[0])])
        assert vectors.find_facts_to_embed(db, OLD, 9) == []
    assert nearest(VectorIndex(vault, OLD, "fact"), points()[0]) == number


def test_a_cancelled_refresh_keeps_the_old_file(filled: Vault) -> None:
    VectorIndex(filled, OLD).refresh()
    before = [file.read_bytes() for file in files(filled)]
    with filled.write() as db:
        append_turn_vectors(db, OLD, zip(LATER, points(seed=2), strict=True))
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        VectorIndex(filled, OLD).refresh(token)
    assert [file.read_bytes() for file in files(filled)] == before
    assert not issubclass(CancelledError, UserError)
