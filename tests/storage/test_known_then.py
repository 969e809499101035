"""What is kept of judgements gives what judging anew gives, by what was known at any date."""

from itertools import count as count_up

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.graph import LinkKind
from apexmem_desktop.storage import entities, facts, graphsql, judged, rulings
from apexmem_desktop.storage.graphsql import run_select
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import store_entity, store_fact
from tests.storage.test_views import day

_NUMBERS = count_up()
_TOLD = st.lists(
    st.tuples(
        st.sampled_from(["Rome", "Oslo"]), st.integers(0, 6), st.integers(0, 4), st.booleans(),
        st.booleans(),
    ),
    min_size=2,
    max_size=7,
)  # fmt: skip


def _shown(vault: Vault, names: list[str], known: int) -> list[tuple[object, ...]]:
    asked = f"SELECT * FROM v_facts WHERE subject IN ('{names[0]}', '{names[1]}')"
    return list(run_select(vault, asked, now_ms=day(9), known_at_ms=known, timeout_ms=60_000).rows)


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(_TOLD, st.booleans(), st.booleans())
def test_each_date_shows_what_was_known_then(
    vault: Vault,
    monkeypatch: pytest.MonkeyPatch,
    told: list[tuple[str, int, int, bool, bool]],
    merged: bool,
    linked: bool,
) -> None:
    number = next(_NUMBERS)
    names = [f"Ana {number}", f"Ben {number}"]
    with vault.write() as db:
        both = [store_entity(db, name) for name in names]
        stored = [
            store_fact(
                db, both[second], value, at_ms=day(said), recorded_at_ms=known, polarity=polarity
            )
            for value, said, known, second, polarity in told
        ]
        rulings.append_ruling(db, kind="reject", fact_id=stored[0], ruled_at_ms=3)
        if linked:
            facts.append_link(db, stored[-1], stored[0], LinkKind.SUPERSEDES, "rule", "", 2)
        if merged:
            entities.append_link(db, both[0], both[1], "same_as", "user", "", 3)
        judged.refresh_all(db)
    kept = [_shown(vault, names, known) for known in (0, 2, 4)]
    with monkeypatch.context() as plain:
        plain.setattr(graphsql, "keep_what_was_known", lambda *_: None)
        assert kept == [_shown(vault, names, known) for known in (0, 2, 4)]


def test_of_whom_nothing_was_learned_since_nothing_is_judged_anew(vault: Vault) -> None:
    with vault.write() as db:
        for name, known in (("Ana", 1), ("Ben", 5)):
            store_fact(db, store_entity(db, name), "Rome", recorded_at_ms=known)
        judged.refresh_all(db)
        # A mark that no judging would give shows from where a row was read.
        db.exec_driver_sql("UPDATE facts_kept SET ends_ms = 5")
    found = run_select(vault, "SELECT subject, status FROM v_facts", known_at_ms=3).rows
    assert found == (("Ana", "past"),)
    assert run_select(vault, "SELECT count(*) FROM v_facts", known_at_ms=3).rows == ((1,),)


def test_the_tables_beside_cannot_be_read(vault: Vault) -> None:
    with pytest.raises(graphsql.QueryRefusedError):
        run_select(vault, "SELECT * FROM learned_since", known_at_ms=3)
