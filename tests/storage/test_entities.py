"""Entities and properties: names, merges that can be taken back, and what is told of each."""

import pytest

from apexmem_desktop.domain.errors import NotFoundError, UserError
from apexmem_desktop.domain.graph import EntityRole, ValueType
from apexmem_desktop.domain.rulings import LinkState
from apexmem_desktop.storage import canon, entities, facts, properties
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import DAY_MS, START_MS, make_turn, store_chat, store_entity, store_fact


def test_an_entity_is_found_by_any_spelling_of_its_names(vault: Vault) -> None:
    """Known fault 51: exact and normalised names come before anything clever."""
    with vault.write() as db:
        robert = store_entity(db, "Robert")
        entities.append_name(db, robert, "Bob", None)
        entities.append_name(db, robert, "Bob", None)
        for name in ("robert", " BOB\u200e"):
            assert [e.id for e in entities.find_entities_named(db, name)] == [robert]
        assert entities.get_entity(db, robert).aliases == ("Bob",)
        assert entities.find_entities_named(db, "Rob") == []


def test_two_of_one_name_are_both_found(vault: Vault) -> None:
    with vault.write() as db:
        first, second = store_entity(db, "Alex"), store_entity(db, "alex")
        assert [e.id for e in entities.find_entities_named(db, "Alex")] == [first, second]


def test_merged_entities_are_one_to_every_reader(vault: Vault) -> None:
    with vault.write() as db:
        ana, anna, lumo = (store_entity(db, name) for name in ("Ana", "Anna", "Lumo"))
        store_fact(db, anna, "Lumo", property="works_at", value_entity_id=lumo, holder_id=anna)
        entities.append_link(db, anna, ana, "same_as", "user", "one person", 5)
        assert entities.canonical_ids(db) == {ana: ana, anna: ana, lumo: lumo}
        assert entities.same_ids(db, anna) == [ana, anna]
        assert [e.id for e in entities.find_entities_named(db, "anna")] == [ana]
        assert entities.get_entity(db, anna).name == "Ana"
        for asked in (ana, anna):
            [fact] = facts.find_facts(db, subject_ids=[asked])
            assert (fact.subject_id, fact.subject, fact.holder) == (ana, "Ana", "Ana")
        [fact] = facts.find_facts(db, value_entity_ids=[lumo])
        assert fact.value_entity_id == lumo


def test_a_merge_can_be_taken_back_and_done_again(vault: Vault) -> None:
    """Known fault 53."""
    with vault.write() as db:
        a, b, c = (store_entity(db, name) for name in "abc")
        entities.append_link(db, a, b, "same_as", "rule", "", 0)
        entities.append_link(db, a, c, "same_as", "rule", "", 0)
        second = entities.append_link(db, b, c, "same_as", "model", "", 0)
        assert entities.same_ids(db, c) == [a, b, c]
        entities.append_link(db, b, c, "same_as", "user", "no", 1, undoes_id=second)
        assert entities.canonical_ids(db) == {a: a, b: a, c: c}  # c = a alone joins nobody with b
        entities.append_link(db, b, c, "same_as", "user", "yes after all", 2)
        assert entities.canonical_ids(db) == {a: a, b: a, c: a}
        assert len(entities.find_links(db, a)) == 5
        assert canon.is_right(db)


def test_nothing_merges_through_a_chain_what_was_told_apart(vault: Vault) -> None:
    """Known fault 53: A≈B, B≈C, A≠C. The rule's link is kept, held back, with the reason."""
    with vault.write() as db:
        a, b, c = (store_entity(db, name) for name in "abc")
        entities.append_link(db, a, c, "not_same_as", "user", "two people", 0)
        entities.append_link(db, a, b, "same_as", "rule", "", 0)
        entities.append_link(db, b, c, "same_as", "rule", "equal names", 0)
    with vault.read() as db:
        assert entities.canonical_ids(db) == {a: a, b: a, c: c}
        held = entities.find_links(db, c)[-1]
        assert held.state is LinkState.HELD_BACK
        assert "a (1) and c (3) were said not to be the same by you" in held.because
        assert held.reason.startswith("equal names [held back: a (1) and c (3)")
        assert canon.is_right(db)


def test_the_users_own_contradiction_is_refused(vault: Vault) -> None:
    with vault.write() as db:
        a, b, c = (store_entity(db, name) for name in "abc")
        entities.append_link(db, a, b, "same_as", "user", "", 0)
        entities.append_link(db, b, c, "same_as", "user", "", 0)
    with pytest.raises(UserError, match="were said to be the same by you"), vault.write() as db:
        entities.append_link(db, a, c, "not_same_as", "user", "", 0)
    with vault.read() as db:
        assert entities.canonical_ids(db) == {a: a, b: a, c: a}


def test_what_the_ontology_does_not_have_is_not_stored(vault: Vault) -> None:
    """A mistake of ours, so a plain ValueError and no advice to a user."""
    with vault.write() as db:
        ana, [turn] = store_entity(db, "Ana"), store_chat(db, [make_turn("hi")])
    for wrong in (
        lambda db: store_entity(db, "Nonna's", kind="restaurant"),
        lambda db: entities.append_mention(db, ana, turn, "bystander"),
        lambda db: facts.append_link(db, 1, 1, "resembles", "rule", "", 0),
        lambda db: entities.append_link(db, ana, ana, "same_as", "rule", "", 0),
        lambda db: entities.append_link(db, ana, 2, "alike", "rule", "", 0),
        lambda db: entities.append_link(db, ana, 2, "same_as", "hearsay", "", 0),
    ):
        with pytest.raises(ValueError, match="no "), vault.write() as db:
            wrong(db)


def test_an_entity_has_its_role(vault: Vault) -> None:
    with vault.write() as db:
        ana, ben, bot = (
            entities.append_entity(
                db, name=name, type="person", is_speaker=speaks, recorded_at_ms=0, role=role
            )
            for name, speaks, role in (
                ("Ana", True, None),
                ("Ben", False, None),
                ("Bot", True, EntityRole.AGENT),
            )
        )
        found = {e.id: e.role for e in entities.find_entities(db)}
    assert found == {
        ana: EntityRole.SPEAKER,
        ben: EntityRole.MENTIONED,
        bot: EntityRole.AGENT,
    }


def test_entities_are_listed_by_how_much_is_told_of_them(vault: Vault) -> None:
    with vault.write() as db:
        [first, second] = store_chat(db, [make_turn("a"), make_turn("b", at_ms=START_MS + DAY_MS)])
        rome = store_entity(db, "Rome", kind="place")
        ana, quiet = store_entity(db, "Ana"), store_entity(db, "Quiet")
        store_fact(db, ana, "Rome", value_entity_id=rome)
        entities.append_mention(db, ana, first, "speaker")
        entities.append_mentions(db, [(ana, second, "speaker"), (ana, second, "mentioned")])
    with vault.read() as db:
        listed = entities.find_entities(db)
        assert [e.id for e in listed] == [ana, rome, quiet]
        top = listed[0]
        assert (top.fact_count, top.mention_count) == (1, 2)
        assert (top.first_at_ms, top.last_at_ms) == (START_MS, START_MS + DAY_MS)
        assert [e.id for e in entities.find_entities(db, type="place")] == [rome]
        assert [e.id for e in entities.find_entities(db, matching="UI")] == [quiet]
        assert len(entities.find_entities(db, limit=2)) == 2
        assert entities.find_entities_by_ids(db, [quiet, 99, ana, quiet])[0].id == quiet


def test_an_unknown_number_is_told(vault: Vault) -> None:
    with pytest.raises(NotFoundError, match="7"), vault.read() as db:
        entities.get_entity(db, 7)


def test_a_property_is_made_once_and_goes_by_many_names(vault: Vault) -> None:
    with vault.write() as db:
        made = properties.ensure_property(
            db, name="works_at", value_type=ValueType.ENTITY, single_valued=True, recorded_at_ms=0
        )
        properties.append_property_name(db, made.id, "employer")
        for name in ("works_at", "Works at", "works-at", "EMPLOYER"):
            again = properties.ensure_property(
                db, name=name, value_type=ValueType.STRING, single_valued=False, recorded_at_ms=1
            )
            assert (again.id, again.single_valued) == (made.id, True)
        assert [p.aliases for p in properties.find_properties(db)] == [("employer",)]
