"""The everyday properties: many, well named, and converging."""

from collections import Counter

import pytest

from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.domain.everyday import bare_name, canonical_name, load_everyday
from apexmem_desktop.domain.graph import ValueType
from tests.building.telling import read, said, spell


def test_there_are_at_least_150_with_names_in_both_languages() -> None:
    assert len(load_everyday()) >= 150
    assert [one.name for one in load_everyday().values() if not (one.en and one.zh)] == []


def test_no_name_means_two_properties() -> None:
    names = [*load_everyday()]
    aliases = [bare_name(a) for one in load_everyday().values() for a in (*one.en, *one.zh)]
    assert [name for name, times in Counter(names + aliases).items() if times > 1] == []


def test_the_list_agrees_with_the_shapes_that_rules_and_model_read() -> None:
    for name, shape in load_shapes().items():
        known = load_everyday().get(name)
        if known is None:
            continue
        assert (name, known.single_valued) == (name, shape.single_valued)
        entity = known.value_type is ValueType.ENTITY
        assert (name, entity) == (name, shape.value_type is ValueType.ENTITY)


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("works for", "works_at"),
        ("Employer", "works_at"),
        ("上班", "works_at"),
        ("favorite restaurant", "favourite_restaurant"),
        ("the place I always go", "favourite_restaurant"),
        ("搬到", "lives_in"),
        ("is_tinkering_with", "is_tinkering_with"),
    ],
)
def test_other_names_lead_to_the_one_that_is_stored(name: str, canonical: str) -> None:
    assert canonical_name(name) == canonical


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I fixed the garden gate", "Ana Ruiz repaired garden gate"),
        ("I'm reading The Salt Road", "Ana Ruiz reads Salt Road"),
        ("my laptop crashed this morning", "Ana Ruiz laptop crashed"),
        ("Dal Moro is my go-to restaurant", "Ana Ruiz favourite_restaurant Dal Moro"),
        ("Dal Moro is the place I always go", "Ana Ruiz favourite_restaurant Dal Moro"),
        ("My usual restaurant is Dal Moro", "Ana Ruiz favourite_restaurant Dal Moro"),
    ],
)
def test_what_is_read_is_stored_by_its_everyday_name(text: str, told: str) -> None:
    stored = [spell(one) for one in read(said(text))]
    assert any(one.startswith(told) for one in stored), stored
