"""What the user decides: merges, splits, corrections; all can be taken back and made again."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.errors import NotFoundError, RulingRefusedError
from apexmem_desktop.domain.graph import Fact, FactStatus, ValueType
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.domain.rulings import LinkState, RulingKind, RulingResult, SaidOfTwo
from apexmem_desktop.services import browsing, rulings
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import canon, entities, integrity, jobs
from tests.recall.builders import ms
from tests.recall.chats import entity, store_chat, store_fact

NOW = ms("2024-03-15T12:00")
LINES = [
    ("Robert", "2023-03-01T10:00", "I live in Paris."),
    ("Bob", "2023-05-01T10:00", "I moved to Lyon!"),
    ("Ana", "2023-06-01T10:00", "I live in Porto."),
    ("Ana", "2023-06-01T10:01", "I am 30 years old."),
]


class Clock:
    """A clock that goes on by a second each time it is looked at."""

    def __init__(self, at_ms: int) -> None:
        self.at_ms = at_ms

    def __call__(self) -> int:
        self.at_ms += 1000
        return self.at_ms


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    """Robert (1), Bob (2), Bobby (3) and Ana (4) with a home each, but Bobby."""
    with Workspace(
        tmp_path / "m.apexmem", models_dir=tmp_path, settings=Settings(zone="UTC"), clock=Clock(NOW)
    ) as opened:
        turns = store_chat(opened.vault, LINES)
        with opened.vault.write() as db:
            for name in ("Robert", "Bob", "Bobby", "Ana"):
                entity(db, name)
        store_fact(opened.vault, turns[0], "Robert", "lives_in", "Paris")
        store_fact(opened.vault, turns[1], "Bob", "lives_in", "Lyon")
        store_fact(opened.vault, turns[2], "Ana", "lives_in", "Porto")
        store_fact(opened.vault, turns[3], "Ana", "age", "30")
        yield opened


ROBERT, BOB, BOBBY, ANA = 1, 2, 3, 4
PARIS, LYON, PORTO = 1, 2, 3


def link(ws: Workspace, a: int, b: int, kind: str = "same_as", by: str = "rule") -> int:
    with ws.vault.write() as db:
        return entities.append_link(db, a, b, kind, by, "near names", ws.now_ms())


def groups(ws: Workspace) -> set[frozenset[int]]:
    with ws.vault.read() as db:
        assert canon.is_right(db)
        stands = entities.canonical_ids(db)
    merged = {frozenset(n for n in stands if stands[n] == root) for root in stands.values()}
    return {group for group in merged if len(group) > 1}


def joined(*members: int) -> set[frozenset[int]]:
    return {frozenset(members)}


def homes(ws: Workspace, name: str) -> list[tuple[str, str]]:
    _, found = browsing.facts_of(ws, name, property="lives_in", history=True)
    return [(fact.value, str(fact.status)) for fact in found]


def fact(ws: Workspace, number: int) -> Fact:
    for name in ("Robert", "Bob", "Ana"):
        for found in browsing.facts_of(ws, name, history=True)[1]:
            if found.id == number:
                return found
    raise AssertionError(number)


def test_a_merge_brings_names_and_facts_together(ws: Workspace) -> None:
    """Known fault 56: Bob is Robert because the user says so."""
    done = rulings.merge(ws, BOB, ROBERT, reason="one man")
    assert (done.ruling.kind, done.ruling.says) == (
        RulingKind.MERGE,
        "merged Bob (2) and Robert (1)",
    )
    assert done.changed.entity_ids == (ROBERT, BOB)
    assert (done.changes.entities, done.changes.facts, done.changes.turns) == (True, True, False)
    assert browsing.find_entity(ws, "Bob").name == "Robert"
    assert browsing.find_entity(ws, "Robert").aliases == ("Bob",)
    # His homes are one history now: Lyon came after Paris.
    assert homes(ws, "Robert") == [("Lyon", "current"), ("Paris", "past")]


def test_a_merge_is_seen_before_it_is_made(ws: Workspace) -> None:
    shown = rulings.preview_merge(ws, BOB, ROBERT)
    assert (shown.stays, shown.moves, shown.names) == ("Robert", "Bob", ("Robert", "Bob"))
    assert (shown.facts_moved, shown.refused_by, shown.takes_back) == (1, None, ())
    assert groups(ws) == set()
    rulings.tell_apart(ws, ROBERT, BOB)
    shown = rulings.preview_merge(ws, BOB, ROBERT)
    assert shown.takes_back == (SaidOfTwo(ROBERT, "Robert", BOB, "Bob", False, "user"),)
    rulings.merge(ws, ROBERT, BOB)
    done = rulings.preview_merge(ws, BOB, ROBERT)
    assert (done.is_done, done.refused_by) == (True, None)


def test_a_split_is_seen_before_it_is_made(ws: Workspace) -> None:
    rulings.merge(ws, ROBERT, BOB)
    rulings.merge(ws, BOB, BOBBY)
    before = browsing.find_entity(ws, "Robert")
    shown = rulings.preview_split(ws, BOB)
    # Robert and Bobby are one only through Bob.
    assert (shown.goes.name, shown.goes.fact_count) == ("Bob", 1)
    assert [one.name for one in shown.stays] == ["Robert", "Bobby"]
    assert shown.goes.fact_count + sum(one.fact_count for one in shown.stays) == before.fact_count
    assert groups(ws) == joined(ROBERT, BOB, BOBBY)
    assert [one.kind.value for one in rulings.list_rulings(ws)] == ["merge", "merge"]
    rulings.split(ws, BOB)
    after = {one.name: one.fact_count for one in browsing.list_entities(ws)}
    told = {one.name: one.fact_count for one in (shown.goes, *shown.stays)}
    assert told.items() <= after.items()
    with pytest.raises(RulingRefusedError):
        rulings.preview_split(ws, BOB)


def test_what_is_one_already_is_not_merged_again(ws: Workspace) -> None:
    rulings.merge(ws, ROBERT, BOB)
    for again in ((ROBERT, BOB), (BOB, ROBERT), (BOB, BOB)):
        with pytest.raises(RulingRefusedError):
            rulings.merge(ws, *again)
    with pytest.raises(NotFoundError, match="99"):
        rulings.merge(ws, ROBERT, 99)
    assert len(rulings.list_rulings(ws)) == 1


def test_the_user_makes_a_rules_merge_firm(ws: Workspace) -> None:
    link(ws, ROBERT, BOB)
    rulings.merge(ws, ROBERT, BOB)
    link(ws, ROBERT, BOB, "not_same_as", "model")
    assert groups(ws) == joined(ROBERT, BOB)


def test_a_split_takes_one_out_and_keeps_it_out(ws: Workspace) -> None:
    rulings.merge(ws, ROBERT, BOB)
    rulings.merge(ws, ROBERT, BOBBY)
    done = rulings.split(ws, BOB)
    assert done.ruling.says == "split Bob (2) from Robert (1), Bobby (3)"
    assert done.changed.entity_ids == (ROBERT, BOB, BOBBY)
    assert groups(ws) == joined(ROBERT, BOBBY)
    assert homes(ws, "Robert") == [("Paris", "current")]
    assert homes(ws, "Bob") == [("Lyon", "current")]
    # No rule or model joins them again, neither outright nor through a third.
    link(ws, BOB, ROBERT)
    link(ws, BOB, BOBBY, by="model")
    link(ws, BOB, ANA)
    link(ws, ANA, ROBERT)
    assert groups(ws) == {frozenset({ROBERT, BOBBY}), frozenset({BOB, ANA})}
    states = {one.state for one in rulings.merge_log(ws, BOB) if one.by == "rule"}
    assert states == {LinkState.STANDS, LinkState.HELD_BACK}


def test_what_was_merged_with_nothing_cannot_be_split(ws: Workspace) -> None:
    with pytest.raises(RulingRefusedError, match="not merged"):
        rulings.split(ws, ANA)


def test_a_split_leaves_together_only_what_links_hold_together(ws: Workspace) -> None:
    link(ws, BOB, ROBERT)
    link(ws, BOB, BOBBY)
    rulings.split(ws, BOB)
    assert groups(ws) == set()


def test_who_was_split_can_be_merged_again(ws: Workspace) -> None:
    rulings.merge(ws, ROBERT, BOB)
    rulings.merge(ws, ROBERT, BOBBY)
    rulings.split(ws, BOB)
    rulings.merge(ws, BOB, ROBERT)
    assert groups(ws) == joined(ROBERT, BOB, BOBBY)


def test_nothing_merges_through_a_third_what_the_user_told_apart(ws: Workspace) -> None:
    """Known fault 53: A=B by rule, B=C by rule, A≠C by the user."""
    link(ws, ROBERT, BOB)
    rulings.tell_apart(ws, ROBERT, BOBBY)
    link(ws, BOB, BOBBY)
    assert groups(ws) == joined(ROBERT, BOB)
    (held,) = [k for k in rulings.merge_log(ws, BOBBY) if k.state is LinkState.HELD_BACK]
    assert "Robert (1) and Bobby (3) were said not to be the same by you" in held.reason
    with pytest.raises(RulingRefusedError, match="already"):
        rulings.tell_apart(ws, BOBBY, ROBERT)


def test_told_apart_late_the_newer_rule_gives_way(ws: Workspace) -> None:
    link(ws, ROBERT, BOB)
    link(ws, BOB, BOBBY)
    rulings.tell_apart(ws, ROBERT, BOBBY)
    assert groups(ws) == joined(ROBERT, BOB)
    rulings.undo(ws)
    assert groups(ws) == joined(ROBERT, BOB, BOBBY)


def test_the_users_merge_wins_over_rules(ws: Workspace) -> None:
    link(ws, ROBERT, BOB, "not_same_as")
    rulings.merge(ws, ROBERT, BOB)
    assert groups(ws) == joined(ROBERT, BOB)
    # And what rules joined gives way where the user's own words leave no room for it.
    link(ws, BOBBY, ANA)
    rulings.tell_apart(ws, ROBERT, ANA)
    shown = rulings.preview_merge(ws, ROBERT, BOBBY)
    assert shown.takes_back == (SaidOfTwo(BOBBY, "Bobby", ANA, "Ana", True, "rule"),)
    rulings.merge(ws, ROBERT, BOBBY)
    assert groups(ws) == joined(ROBERT, BOB, BOBBY)


def test_the_users_own_words_are_not_overruled_through_a_third(ws: Workspace) -> None:
    rulings.merge(ws, ROBERT, BOB)
    rulings.tell_apart(ws, ROBERT, BOBBY)
    rulings.merge(ws, BOBBY, ANA)
    refused = rulings.preview_merge(ws, BOB, ANA).refused_by
    assert str(refused) == "Robert (1) and Bobby (3) were said not to be the same by you"
    with pytest.raises(RulingRefusedError, match="not to be the same by you"):
        rulings.merge(ws, BOB, ANA)
    assert groups(ws) == {frozenset({ROBERT, BOB}), frozenset({BOBBY, ANA})}


def test_ones_own_number_is_found_behind_a_merge(ws: Workspace) -> None:
    rulings.merge(ws, ROBERT, BOB)
    assert rulings.find_member(ws, "Bob") == BOB
    assert rulings.find_member(ws, "2") == BOB
    assert rulings.members_of(ws, BOB) == ((ROBERT, "Robert"), (BOB, "Bob"))
    with ws.vault.write() as db:
        second = entities.append_entity(
            db, name="Ana", type="person", is_speaker=False, recorded_at_ms=0
        )
    with pytest.raises(NotFoundError, match="2 people") as told:
        rulings.find_member(ws, "Ana")
    assert f"{ANA}, {second}" in told.value.hint


@pytest.mark.parametrize(
    ("rule", "kind", "status"),
    [
        (rulings.confirm, RulingKind.CONFIRM, "current"),
        (rulings.prefer, RulingKind.PREFER, "current"),
        (rulings.pin, RulingKind.PIN, "current"),
        (rulings.reject, RulingKind.REJECT, "rejected"),
        (rulings.hide, RulingKind.HIDE, "rejected"),
    ],
)
def test_a_fact_is_ruled_on_and_the_ruling_taken_back(
    ws: Workspace, rule: Callable[..., RulingResult], kind: RulingKind, status: str
) -> None:
    """Known fault 92: rulings are appended rows."""
    done = rule(ws, PORTO, reason="I know her")
    assert (done.ruling.kind, done.ruling.fact_id, done.ruling.reason) == (
        kind,
        PORTO,
        "I know her",
    )
    assert done.changed.fact_ids == (PORTO,)
    assert done.ruling.says.endswith("Ana, lives in: Porto")
    assert homes(ws, "Ana") == [("Porto", status)]
    with pytest.raises(RulingRefusedError, match="already"):
        rule(ws, PORTO)
    rulings.undo(ws)
    assert homes(ws, "Ana") == [("Porto", "current")]
    with pytest.raises(NotFoundError):
        rule(ws, 99)


def test_a_correction_is_a_new_fact_with_the_users_words_as_proof(ws: Workspace) -> None:
    """Known fault 49: the old value is greyed, the new one stands in its place."""
    done = rulings.correct(ws, PORTO, " Braga ", reason="she told me")
    old, new = done.changed.fact_ids
    assert old == PORTO
    assert homes(ws, "Ana") == [("Braga", "current"), ("Porto", "rejected")]
    braga = fact(ws, new)
    (proof,) = braga.evidence
    assert proof.quote == "Ana, lives in: Braga (she told me)"
    assert (proof.session_title, proof.speaker, proof.turn_id) == (
        "Your notes", "You", done.changed.turn_ids[0],
    )  # fmt: skip
    assert (braga.confidence, braga.valid_from) == (1.0, fact(ws, PORTO).valid_from)
    assert [(k.from_id, k.to_id, str(k.kind), k.by) for k in braga.links] == [
        (new, old, "supersedes", "user")
    ]
    assert braga.event_id is not None
    assert all(check.ok for check in integrity.check(ws.vault))


def test_a_correction_holds_when_the_old_value_held(ws: Workspace) -> None:
    """Robert lived in Paris, then in Lyon; that it was Nice before changes nothing of Lyon."""
    rulings.merge(ws, ROBERT, BOB)
    rulings.correct(ws, PARIS, "Nice")
    assert homes(ws, "Robert") == [
        ("Lyon", "current"), ("Nice", "past"), ("Paris", "rejected"),
    ]  # fmt: skip
    _, then = browsing.facts_of(ws, "Robert", as_of_ms=ms("2023-04-01T00:00"))
    assert [one.value for one in then] == ["Nice"]
    # What is told of Robert stays his when Bob is parted from him.
    rulings.split(ws, BOB)
    assert homes(ws, "Robert") == [("Nice", "current"), ("Paris", "rejected")]


def test_a_correction_names_whom_it_was_told_of(ws: Workspace) -> None:
    rulings.merge(ws, ROBERT, BOB)
    new = fact(ws, rulings.correct(ws, LYON, "Nice").changed.fact_ids[1])
    assert (new.subject, new.evidence[0].quote) == ("Robert", "Bob, lives in: Nice")
    rulings.split(ws, BOB)
    assert homes(ws, "Bob") == [("Nice", "current"), ("Lyon", "rejected")]


def test_a_correction_may_be_of_the_time_alone(ws: Workspace) -> None:
    since = Bound(ms("2020-01-01T00:00"), ms("2020-12-31T00:00"), Precision.YEAR, TimeSource.USER)
    with pytest.raises(RulingRefusedError, match="already"):
        rulings.correct(ws, PORTO, "porto")
    done = rulings.correct(ws, PORTO, "Porto", valid_from=since)
    new = fact(ws, done.changed.fact_ids[1])
    assert new.valid_from == since
    assert new.evidence[0].quote == "Ana, lives in: Porto, since 2020-01-01 to 2020-12-31"
    _, then = browsing.facts_of(ws, "Ana", as_of_ms=ms("2021-06-01T00:00"))
    assert [one.value for one in then] == ["Porto"]


def test_a_correction_needs_a_value(ws: Workspace) -> None:
    for nothing in ("", "  \n"):
        with pytest.raises(RulingRefusedError, match="right value"):
            rulings.correct(ws, PORTO, nothing)
    rulings.correct(ws, PORTO, "Braga")
    with pytest.raises(RulingRefusedError, match="corrected already"):
        rulings.correct(ws, PORTO, "Faro")


def test_a_note_is_read_by_no_model_and_is_no_import(ws: Workspace) -> None:
    done = rulings.correct(ws, PORTO, "Braga")
    with ws.vault.read() as db:
        assert done.changed.turn_ids[0] not in jobs.find_jobs(db, limit=100)
    assert {one.format for one in browsing.sources(ws)} == {"test"}
    assert "Your notes" in {one.title for one in browsing.conversations(ws)}


def test_a_corrected_correction(ws: Workspace) -> None:
    first = rulings.correct(ws, PORTO, "Braga").changed.fact_ids[1]
    rulings.correct(ws, first, "Faro")
    assert homes(ws, "Ana") == [
        ("Faro", "current"), ("Braga", "rejected"), ("Porto", "rejected"),
    ]  # fmt: skip
    rulings.undo(ws)
    assert homes(ws, "Ana")[:2] == [("Faro", "rejected"), ("Braga", "current")]
    rulings.undo(ws)
    assert [h for h in homes(ws, "Ana") if h[1] == "current"] == [("Porto", "current")]
    rulings.redo(ws)
    rulings.redo(ws)
    assert [h for h in homes(ws, "Ana") if h[1] == "current"] == [("Faro", "current")]


def test_a_value_that_is_somebody_is_found_or_made(ws: Workspace) -> None:
    rulings.merge(ws, ROBERT, BOB)
    with ws.vault.write() as db:
        db.exec_driver_sql(
            "INSERT INTO fact_kinds SELECT 99, 'entity', polarity, modality, memory_type,"
            " from_precision, from_source, from_has_earliest, from_after_ms, NULL, NULL, 0, NULL,"
            " 0.5"
            " FROM fact_kinds WHERE id = (SELECT kind_id FROM facts WHERE id = 4)"
        )
        db.exec_driver_sql(
            "INSERT INTO facts (id, subject_id, property_id, kind_id, value, value_normalised,"
            " value_entity_id, turn_id, start_char, end_char, recorded_at_ms)"
            " SELECT 9, 4, property_id, 99, 'Robert', 'robert', 1, 4, 0, 1, 0"
            " FROM facts WHERE id = 4"
        )
    new = fact(ws, rulings.correct(ws, 9, "Bobby").changed.fact_ids[1])
    assert (new.value_type, new.value_entity_id) == (ValueType.ENTITY, BOBBY)
    new = fact(ws, rulings.correct(ws, new.id, "Carla").changed.fact_ids[1])
    assert new.value_entity_id == browsing.find_entity(ws, "Carla").id
    assert browsing.find_entity(ws, "Carla").type == "person"


def test_undo_goes_back_to_the_first_and_redo_comes_again(ws: Workspace) -> None:
    rulings.merge(ws, ROBERT, BOB)
    rulings.reject(ws, PORTO)
    rulings.split(ws, BOB)
    rulings.pin(ws, PARIS)
    told = [rulings.undo(ws).ruling for _ in range(4)]
    assert [one.says.split()[2] for one in told] == ["pinned", "split", "rejected", "merged"]
    assert (groups(ws), homes(ws, "Ana")) == (set(), [("Porto", "current")])
    with pytest.raises(RulingRefusedError, match="no decision"):
        rulings.undo(ws)
    again = [rulings.redo(ws).ruling for _ in range(2)]
    assert [(one.kind, one.again_id) for one in again] == [
        (RulingKind.MERGE, 1), (RulingKind.REJECT, 2),
    ]  # fmt: skip
    assert (groups(ws), homes(ws, "Ana")) == (joined(ROBERT, BOB), [("Porto", "rejected")])
    rulings.undo(ws)
    rulings.redo(ws)
    assert homes(ws, "Ana") == [("Porto", "rejected")]
    # A new decision ends what could be redone.
    rulings.confirm(ws, PARIS)
    with pytest.raises(RulingRefusedError, match="just taken back"):
        rulings.redo(ws)


def test_undo_of_a_merge_brings_back_what_it_overruled(ws: Workspace) -> None:
    rulings.merge(ws, ROBERT, BOB)
    rulings.split(ws, BOB)
    rulings.merge(ws, BOB, ROBERT)
    assert groups(ws) == joined(ROBERT, BOB)
    rulings.undo(ws)
    link(ws, ROBERT, BOB)
    assert groups(ws) == set()
    rulings.undo(ws)
    assert groups(ws) == joined(ROBERT, BOB)


def test_the_log_tells_all_of_it(ws: Workspace) -> None:
    """Known fault 53: no merge without a trace."""
    rulings.merge(ws, ROBERT, BOB, reason="one man")
    rulings.undo(ws)
    rulings.redo(ws)
    assert [one.says for one in rulings.list_rulings(ws)] == [
        "merged Robert (1) and Bob (2)",
        "took back: merged Robert (1) and Bob (2)",
        "merged Robert (1) and Bob (2)",
    ]
    assert [(one.state, one.reason) for one in rulings.merge_log(ws, BOB)] == [
        (LinkState.STANDS, "one man"),
        (LinkState.TAKEN_BACK, "taken back: merged Robert (1) and Bob (2)"),
        (LinkState.TAKES_BACK, "made again: merged Robert (1) and Bob (2)"),
    ]


def test_a_refused_ruling_stores_nothing(ws: Workspace) -> None:
    before = counted(ws)
    for refused in (
        lambda: rulings.correct(ws, PORTO, "Porto"),
        lambda: rulings.split(ws, ANA),
        lambda: rulings.merge(ws, ANA, ANA),
        lambda: rulings.undo(ws),
        lambda: rulings.redo(ws),
    ):
        with pytest.raises(RulingRefusedError) as told:
            refused()
        assert told.value.message
        assert told.value.hint
    assert counted(ws) == before


def counted(ws: Workspace) -> list[int]:
    tables = ("turns", "facts", "events", "entity_links", "rulings", "fact_links", "sources")
    with ws.vault.read() as db:
        return [db.exec_driver_sql(f"SELECT count(*) FROM {t}").scalar_one() for t in tables]


NUMBERS = st.sampled_from([ROBERT, BOB, BOBBY, ANA])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["merge", "tell_apart"]), NUMBERS, NUMBERS),
        st.tuples(st.just("split"), NUMBERS),
        st.tuples(st.sampled_from(["confirm", "reject", "hide"]), st.sampled_from([1, 2, 3])),
        st.tuples(st.just("correct"), st.sampled_from([1, 2, 3]), st.sampled_from(["Oslo", "Rom"])),
    ),
    max_size=6,
)


@given(STEPS)
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_undoing_all_gives_what_was_and_redoing_all_what_came(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("vault")
    with Workspace(
        folder / "m.apexmem", models_dir=folder, settings=Settings(zone="UTC"), clock=Clock(NOW)
    ) as ws:
        turns = store_chat(ws.vault, LINES)
        with ws.vault.write() as db:
            for name in ("Robert", "Bob", "Bobby", "Ana"):
                entity(db, name)
        for turn, name, value in ((0, "Robert", "Paris"), (1, "Bob", "Lyon"), (2, "Ana", "Porto")):
            store_fact(ws.vault, turns[turn], name, "lives_in", value)
        states = [state(ws)]
        for name, *arguments in steps:
            try:
                getattr(rulings, name)(ws, *arguments)
            except RulingRefusedError:
                assert state(ws) == states[-1]
            else:
                states.append(state(ws))
        for before in reversed(states[:-1]):
            rulings.undo(ws)
            assert state(ws) == before
        for after in states[1:]:
            rulings.redo(ws)
            assert state(ws) == after
        assert all(check.ok for check in integrity.check(ws.vault))


def state(ws: Workspace) -> object:
    """What a reader sees: who is one, and what holds of whom."""
    found = set()
    for name in ("Robert", "Bob", "Bobby", "Ana"):
        who, facts = browsing.facts_of(ws, name, history=True)
        found |= {(who.id, f.value, f.status) for f in facts if f.status is not FactStatus.REJECTED}
    return groups(ws), found
