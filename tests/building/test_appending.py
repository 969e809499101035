"""What is written: proof to the character, links between facts, and nothing twice."""

import pytest

from apexmem_desktop.building import resolution
from apexmem_desktop.building.appending import Appender
from apexmem_desktop.domain.graph import LinkKind, MemoryType, Modality, ValueType
from apexmem_desktop.storage import events, turns
from apexmem_desktop.storage.vault import Connection, Vault
from tests.building.telling import append, day, ms, read, spell_fact, tell, told_facts
from tests.storage.builders import count

GRAPH = ("facts", "events", "evidence", "entities", "entity_names", "mentions", "fact_links",
         "properties", "drops")  # fmt: skip


def _told(vault: Vault, *said: tuple[str, str] | str) -> list[str]:
    append(vault, tell(vault, *said))
    return [spell_fact(one) for one in told_facts(vault)]


def test_the_proof_is_the_turns_own_words(vault: Vault) -> None:
    texts = [
        "Hello! 🙂 I moved to Rome. See you",
        "see https://example.org/x?y I moved to https://example.org/map Oslo, no: to Turin",
        "I bought a canoe `x` today https://example.org/canoe and paddled off",
        "我上周搬到厦门了！",
    ]
    append(vault, tell(vault, *texts))
    found = told_facts(vault)
    assert len(found) >= 3
    with vault.read() as db:
        for fact in found:
            for shown in fact.evidence:
                text = turns.get_turn(db, shown.turn_id).text
                assert text[shown.start : shown.end] == shown.quote
                assert fact.value in shown.quote


def test_a_link_in_the_sentence_stays_in_its_proof(vault: Vault) -> None:
    append(vault, tell(vault, "I work at Lumo (https://lumo.example/jobs) and like it"))
    [fact] = told_facts(vault)
    assert "https://lumo.example/jobs" in fact.evidence[0].quote


def test_reading_the_same_turn_twice_adds_nothing(vault: Vault) -> None:
    ids = tell(vault, "I moved to Rome. My sister Ada hates olives", "We sold the boat")
    append(vault, ids)
    before = {table: count(vault, table) for table in GRAPH}
    append(vault, ids)
    assert {table: count(vault, table) for table in GRAPH} == before


def test_the_same_said_again_is_more_proof_of_one_fact(vault: Vault) -> None:
    ids = tell(
        vault, "I live in Rome", "As I said, I live in Rome. I work at Lumo", "I live in Rome"
    )
    done = append(vault, ids)
    rome, lumo = told_facts(vault)
    assert [one.turn_id for one in rome.evidence] == ids
    assert [one.again_at_ms is None for one in rome.evidence] == [True, False, False]
    assert LinkKind.CORROBORATES not in {link.kind for link in rome.links}
    assert (done.facts, done.again) == ([rome.id, lumo.id], [rome.id, rome.id])
    append(vault, ids)
    assert told_facts(vault) == [rome, lumo]


def test_what_is_said_with_another_time_or_sense_is_a_fact_of_its_own(vault: Vault) -> None:
    said = ("I live in Rome", "I live in Rome since 2019", "I work at Lumo")
    append(vault, tell(vault, *said, "I quit my job at Lumo"))
    append(vault, tell(vault, "I live in Rome", "I work at Lumo", at="2024-06-14"))
    told = [(one.value, one.phrase, one.polarity, len(one.evidence)) for one in told_facts(vault)]
    assert [one for one in told if one[0] == "Rome"] == [
        ("Rome", "", True, 1),
        ("Rome", "since 2019", True, 2),
    ]
    lumo = [one.polarity for one in told_facts(vault) if one.property == "works_at"]
    assert lumo == [True, False, True]


def test_a_cause_said_of_what_is_known_is_linked_with_it(vault: Vault) -> None:
    append(vault, tell(vault, "I moved to Turin"))
    append(vault, tell(vault, "I quit my job at Lumo because I moved to Turin", at="2024-06-13"))
    [turin] = [one for one in told_facts(vault) if one.property == "lives_in"]
    assert len(turin.evidence) == 2
    assert LinkKind.CAUSES in {link.kind for link in turin.links}


def test_two_values_of_what_cannot_change_contradict(vault: Vault) -> None:
    append(vault, tell(vault, "The wedding was on 3 May", "No, the wedding was on 4 May"))
    first, second = told_facts(vault)
    assert [link.kind for link in second.links] == [LinkKind.CONTRADICTS]
    assert (first.value, second.value) == ("3 May", "4 May")


def test_a_move_is_no_contradiction(vault: Vault) -> None:
    append(vault, tell(vault, "I live in Rome", "I moved to Turin"))
    kinds = {link.kind for fact in told_facts(vault) for link in fact.links}
    assert kinds == {LinkKind.SUPERSEDES}


def test_love_and_hate_are_both_kept(vault: Vault) -> None:
    assert _told(vault, "I love tofu", "I hate tofu") == [
        "Ana Ruiz likes tofu",
        "Ana Ruiz dislikes tofu",
    ]


def test_unrelated_facts_do_not_touch_each_other(vault: Vault) -> None:
    append(vault, tell(vault, "I work at Lumo", "I play the cello", "I play chess"))
    assert all(fact.valid_to is None and not fact.links for fact in told_facts(vault))


def test_the_fact_says_who_said_it_and_what_kind_it_is(vault: Vault) -> None:
    append(vault, tell(vault, ("Ben", "Lena Vos lives in Rome"), ("Ben", "I bought a canoe")))
    lives, bought = (
        next(one for one in told_facts(vault) if one.property == name)
        for name in ("lives_in", "bought")
    )
    assert (lives.subject, lives.holder, lives.value_type) == ("Lena Vos", "Ben", ValueType.ENTITY)
    assert (bought.memory_type, bought.value_type) == (MemoryType.ACTION, ValueType.STRING)
    assert lives.confidence == pytest.approx(0.9)


def test_what_was_done_is_over(vault: Vault) -> None:
    append(vault, tell(vault, "I visited Genoa yesterday", "I visited Turin"))
    genoa, turin = told_facts(vault)
    assert genoa.valid_to is not None
    assert day(genoa.valid_to.latest_ms) == "2024-06-11"
    assert turin.valid_to is not None
    assert turin.valid_to.latest_ms == turin.evidence[0].said_at_ms


def test_every_fact_hangs_on_an_event_and_facts_of_a_sentence_share_it(vault: Vault) -> None:
    append(vault, tell(vault, "I live in Rome and I work at Lumo", "I bought a canoe yesterday"))
    found = told_facts(vault)
    assert all(fact.event_id is not None for fact in found)
    with vault.read() as db:
        told = {one.id: one for one in events.find_events(db)}
    by_property = {fact.property: told[fact.event_id or 0] for fact in found}
    assert by_property["lives_in"].id == by_property["works_at"].id
    assert by_property["lives_in"].type == "statement"
    purchase = by_property["bought"]
    assert (purchase.type, purchase.summary) == ("purchase", "Ana Ruiz bought canoe")
    assert day(purchase.start.earliest_ms) == "2024-06-11"
    assert ("Ana Ruiz", "speaker") in [(name, role) for _, name, role in purchase.participants]


def test_an_event_has_its_place_and_who_was_there(vault: Vault) -> None:
    lines = ("Tom and I visited Genoa yesterday", "I met Lena Vos yesterday", "I live in Rome")
    append(vault, tell(vault, *lines))
    with vault.read() as db:
        told = events.find_events(db)
        there = [(one.type, one.place) for one in told if one.place]
        [trip] = [one for one in told if one.place]
        [met] = [one for one in told if "Lena" in one.summary and one.type != "statement"]
    assert there == [("trip", "Genoa")]
    assert {("Ana Ruiz", "subject"), ("Tom", "subject")} <= {one[1:] for one in trip.participants}
    roles = {(name, role) for _, name, role in met.participants}
    assert {("Ana Ruiz", "subject"), ("Lena Vos", "mentioned")} <= roles


def test_a_plan_is_told_apart(vault: Vault) -> None:
    append(vault, tell(vault, "I'm starting at Lumo on 1 July"))
    [fact] = [one for one in told_facts(vault) if one.property == "works_at"]
    assert fact.modality is Modality.PLANNED


def test_two_of_a_name_are_kept_as_a_drop_with_its_reason(vault: Vault) -> None:
    told = ["Alex Brandt lives in Hull", "Alex Nwosu lives in Cardiff", "Alex hates olives"]
    done = append(vault, tell(vault, *told))
    assert done.dropped == {"several people have this name": 1}
    assert count(vault, "drops") == 1


def test_the_speaker_is_noted_where_nothing_was_told(vault: Vault) -> None:
    ids = tell(vault, ("Ben", "ok"))
    with vault.write() as db:
        appender = Appender(db, recorded_at_ms=ms("2024-06-12"))
        [turn] = turns.find_turns(db, ids)
        assert read(turn) == []
        appender.speaker(turn)
    assert (count(vault, "entities"), count(vault, "mentions"), count(vault, "facts")) == (1, 1, 0)


def test_an_event_lasts_from_the_first_time_told_to_the_last(vault: Vault) -> None:
    append(vault, tell(vault, "We were in Rome from 3 to 5 June", "我从2015年到2018年在华为工作"))
    with vault.read() as db:
        [trip] = [one for one in events.find_events(db) if one.type == "trip"]
    assert trip.end is not None
    assert (day(trip.start.earliest_ms), day(trip.start.latest_ms)) == ("2024-06-03", "2024-06-03")
    assert (day(trip.end.earliest_ms), day(trip.end.latest_ms)) == ("2024-06-05", "2024-06-05")
    [job] = [fact for fact in told_facts(vault) if fact.property == "works_at"]
    assert (job.value, day(job.valid_from.earliest_ms)) == ("华为", "2015-01-01")
    assert job.valid_to is not None
    assert day(job.valid_to.latest_ms) == "2018-12-31"


def test_who_went_along_takes_part(vault: Vault) -> None:
    append(vault, tell(vault, "I visited Rome with Lena and my sister last week"))
    with vault.read() as db:
        trips = [one for one in events.find_events(db, limit=9) if one.type == "trip"]
    took_part = {(name, role) for trip in trips for _, name, role in trip.participants}
    assert took_part == {
        ("Ana Ruiz", "subject"),
        ("Ana Ruiz", "speaker"),
        ("Lena", "with"),
        ("Ana Ruiz's sister", "with"),
    }


def test_who_speaks_is_looked_up_anew_once_a_name_was_read(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []
    found = resolution.ensure_speaker

    def watched(db: Connection, speaker: str, *, turn_id: int, recorded_at_ms: int) -> int:
        looked_up.append(speaker)
        return found(db, speaker, turn_id=turn_id, recorded_at_ms=recorded_at_ms)

    monkeypatch.setattr(resolution, "ensure_speaker", watched)
    plain = tell(vault, ("Ana", "Hello"), ("Ben", "Hi"), ("Ana", "I love chess"), ("Ana", "Yes"))
    append(vault, plain)
    assert looked_up == ["Ana", "Ben"]
    looked_up.clear()
    named = tell(
        vault, ("Ana", "I moved to Rome"), ("Ana", "Yes"), ("Ana", "My sister hates tea"),
        ("Ana", "No"), at="2024-06-14",
    )  # fmt: skip
    append(vault, named)
    assert looked_up == ["Ana", "Ana", "Ana"]
    assert {one.subject for one in told_facts(vault)} == {"Ana", "Ana's sister"}
