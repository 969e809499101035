"""What is kept of judgements is what judging anew gives, whatever came since, and is found out."""

import sqlite3
from collections.abc import Iterator
from itertools import count as count_up
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.graph import LinkKind
from apexmem_desktop.storage import entities, facts, integrity, judged, rulings
from apexmem_desktop.storage.functions import FOREVER_MS
from apexmem_desktop.storage.graphsql import run_select
from apexmem_desktop.storage.packs import TextsAtHand, pack_texts
from apexmem_desktop.storage.vault import Connection, Vault, connect
from tests.storage.builders import DAY_MS, START_MS, make_turn, store_chat, store_entity, store_fact
from tests.storage.test_views import Told, day, store, told_facts

ANEW_MS = FOREVER_MS - 1  # by what was known until then all is judged when one asks
_NUMBERS = count_up()
_MOMENTS = (day(-1), day(2), day(3) + DAY_MS // 2, day(9))
_LINKS = (LinkKind.SUPERSEDES, LinkKind.CORROBORATES, LinkKind.CONTRADICTS)


class Asked:
    """One connection of which the clock can be set: SQLite prepares the query only once."""

    def __init__(self, vault: Vault) -> None:
        self._db = connect(vault.path, "ro")
        self._now_ms, self._known_at_ms = 0, FOREVER_MS
        self._db.create_function("now_ms", 0, lambda: self._now_ms)
        self._db.create_function("known_at_ms", 0, lambda: self._known_at_ms)

    def shown(self, names: list[str], now_ms: int, known_at_ms: int) -> list[tuple[Any, ...]]:
        """Read all that v_facts has of two people."""
        self._now_ms, self._known_at_ms = now_ms, known_at_ms
        both = [names[0], names[-1]]
        return self._db.execute("SELECT * FROM v_facts WHERE subject IN (?, ?)", both).fetchall()

    def hold_alike(self, names: list[str]) -> None:
        """Hold that what is kept is shown as what is judged anew, at any time."""
        for now_ms in _MOMENTS:
            kept = self.shown(names, now_ms, FOREVER_MS)
            assert kept == self.shown(names, now_ms, ANEW_MS)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


@pytest.fixture
def asked(vault: Vault) -> Iterator[Asked]:
    one = Asked(vault)
    yield one
    one.close()


def keep(vault: Vault) -> None:
    with vault.write() as db:
        judged.refresh_all(db)


def touched(db: Connection) -> list[int]:
    return list(db.exec_driver_sql("SELECT entity_id FROM subjects_touched").scalars())


links = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from(_LINKS)), max_size=3
)
histories = st.lists(st.tuples(told_facts(), st.booleans()), min_size=1, max_size=8)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(histories, links, histories, st.booleans(), st.booleans())
def test_what_is_kept_is_what_judging_anew_gives(
    vault: Vault,
    asked: Asked,
    before: list[tuple[Told, bool]],
    linked: list[tuple[int, int, LinkKind]],
    after: list[tuple[Told, bool]],
    merged: bool,
    parted: bool,
) -> None:
    number = next(_NUMBERS)
    names = [f"Ana {number}", f"Ben {number}"]
    with vault.write() as db:
        both = [store_entity(db, name) for name in names]
        stored = [store(db, both[second], told) for told, second in before]
        for one, other, kind in linked:
            ends = stored[one % len(stored)], stored[other % len(stored)]
            facts.append_link(db, *ends, kind, "rule", "", 0)
    keep(vault)
    with vault.read() as db:
        assert touched(db) == []
    asked.hold_alike(names)
    with vault.write() as db:  # and then all that may change it
        stored += [store(db, both[second], told) for told, second in after]
        for one, other, kind in linked:
            ends = stored[-1 - one % len(stored)], stored[-1 - other % len(stored)]
            facts.append_link(db, *ends, kind, "rule", "", 0)
        last = rulings.append_ruling(db, kind="reject", fact_id=stored[0], ruled_at_ms=1)
        rulings.append_ruling(db, kind="pin", fact_id=stored[-1], ruled_at_ms=1)
        if merged:
            merge = entities.append_link(db, both[0], both[1], "same_as", "user", "", 3)
            if parted:
                judged.refresh_all(db)
                entities.append_link(
                    db, both[0], both[1], "same_as", "user", "", 4, undoes_id=merge
                )
    asked.hold_alike(names)
    keep(vault)
    asked.hold_alike(names)
    with vault.write() as db:
        rulings.append_ruling(db, kind="undo", undoes_id=last, ruled_at_ms=2)
    asked.hold_alike(names)


def test_a_value_that_becomes_another_thing_is_judged_anew(vault: Vault, asked: Asked) -> None:
    with vault.write() as db:
        ana, rome, roma = (store_entity(db, name) for name in ("Ana", "Rome", "Roma"))
        store_fact(db, ana, "Rome", value_entity_id=rome)
        store_fact(db, ana, "Roma", value_entity_id=roma)
    keep(vault)
    status = "SELECT DISTINCT status FROM v_facts"
    assert run_select(vault, status).rows == (("contested",),)
    with vault.write() as db:
        entities.append_link(db, rome, roma, "same_as", "user", "", 3)
    assert run_select(vault, status).rows == (("current",),)
    asked.hold_alike(["Ana"])


def test_said_again_earlier_moves_what_is_kept(vault: Vault) -> None:
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        number = store_fact(db, ana, "Rome", at_ms=day(8))
        store_fact(db, ana, "Oslo", at_ms=day(4))
        [turn] = store_chat(db, [make_turn("Rome", at_ms=day(1))])
    keep(vault)
    current = "SELECT value FROM v_facts WHERE is_current = 1"
    assert run_select(vault, current).rows == (("Rome",),)
    with vault.write() as db:
        db.exec_driver_sql(
            "INSERT INTO evidence (fact_id, turn_id, start_char, end_char, recorded_at_ms)"
            " VALUES (?, ?, 0, 4, 5)",
            (number, turn),
        )
    assert run_select(vault, current).rows == (("Oslo",),)
    keep(vault)
    assert run_select(vault, current).rows == (("Oslo",),)


def test_a_part_is_kept_and_the_rest_is_judged_when_asked(vault: Vault, asked: Asked) -> None:
    names = [f"Person {number}" for number in range(5)]
    with vault.write() as db:
        for name in names:
            store_fact(db, store_entity(db, name), "Rome")
    with vault.write() as db:
        assert judged.refresh(db, most=2)
        assert len(touched(db)) == 3
    asked.hold_alike(names)
    with vault.write() as db:
        assert not judged.refresh(db, most=3)
    asked.hold_alike(names)


def test_what_is_kept_wrongly_is_found_and_mended(vault: Vault) -> None:
    with vault.write() as db:
        store_fact(db, store_entity(db, "Ana"), "Rome")
    keep(vault)
    with vault.write() as db:
        db.exec_driver_sql("UPDATE facts_kept SET ends_ms = 5")
    [check] = [one for one in integrity.check(vault) if one.name == "kept judgements"]
    assert check.ok
    assert "built anew" in check.detail
    assert run_select(vault, "SELECT status FROM v_facts").rows == (("current",),)
    with vault.read() as db:
        assert judged.is_right(db)
        assert db.exec_driver_sql("SELECT known_at_ms()").scalar_one() == FOREVER_MS


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT property, count(*) FROM v_facts GROUP BY property ORDER BY 2 DESC, 1",
        "SELECT count(DISTINCT value) FROM v_history WHERE property = 'lives_in'",
        "WITH a AS (SELECT value FROM v_facts) SELECT count(*) FROM a",
    ],
)
def test_a_count_sorts_no_facts(vault: Vault, sql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        for value in ("Rome", "Oslo", "Rome"):
            store_fact(db, ana, value)
            store_fact(db, ana, value, property="likes", single_valued=False)
    left: list[sqlite3.Connection] = []
    leave = "apexmem_desktop.storage.graphsql._leave_order"
    ordered = run_select(vault, sql).rows
    monkeypatch.setattr(leave, left.append)
    assert run_select(vault, sql).rows == ordered
    assert len(left) == 1


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT value FROM v_facts",
        "SELECT group_concat(value), count(*) FROM v_facts",
        "SELECT value, min(valid_from), count(*) FROM v_facts",
        "SELECT count(*) FROM (SELECT value FROM v_facts LIMIT 2)",
        "SELECT value FROM v_facts UNION ALL SELECT count(*) FROM v_facts",
        "SELECT value, count(*) OVER () FROM v_facts",
    ],
)
def test_what_goes_by_the_order_of_facts_keeps_it(
    vault: Vault, sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[sqlite3.Connection] = []
    monkeypatch.setattr("apexmem_desktop.storage.graphsql._leave_order", left.append)
    run_select(vault, sql)
    assert not left


@settings(max_examples=10, deadline=None)
@given(st.lists(st.text(max_size=30), min_size=128, max_size=140))
@example(["a"] * 128)
def test_words_at_hand_are_those_of_the_pack(texts: list[str]) -> None:
    own, packed = pack_texts(0, texts)
    packs, hand = dict(packed), TextsAtHand()
    handed = 0
    for number, row in enumerate(own):
        said = hand.text_at_hand(number) if row is None else row
        if said is None:
            said = hand.turn_text(row, packs.get(number // 64), number)
            handed += 1
        assert said == texts[number] or row is not None
    assert handed <= len(packs)


def test_a_search_through_all_turns_finds_what_reading_finds(vault: Vault) -> None:
    said = [
        make_turn(f"canoe {n}" if n % 7 == 0 else f"so {n}", at_ms=START_MS + n) for n in range(200)
    ]
    with vault.write() as db:
        store_chat(db, said)
    found = run_select(vault, "SELECT text FROM v_turns WHERE text LIKE '%canoe%'").rows
    assert [text for (text,) in found] == [turn.text for turn in said if "canoe" in turn.text]
