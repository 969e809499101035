"""The ontology: its data is whole, and every list of its words in the code is that data."""

import re
import shutil
from importlib import resources
from pathlib import Path

import pytest

from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.domain.graph import EntityRole, LinkKind, MemoryType, ValueType
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.ontology import OTHER_TYPE, load_ontology, read_ontology

ASKED_FOR = (
    "person organization place event time product device software dataset document medication "
    "disease topic task"
)
# What a property's value can be beside an entity: see the head of properties.toml.
PLAIN_KINDS = {"number", "date", "text", "clause"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the ontology that a test may spoil."""
    return Path(shutil.copytree(resources_dir() / "ontology", tmp_path / "ontology"))


def test_there_are_thirty_five_types_that_fit_any_domain() -> None:
    types = load_ontology().entity_types
    assert len(types) == 35
    assert set(ASKED_FOR.split()) <= set(types)
    assert OTHER_TYPE in types


def test_every_word_has_a_meaning_and_a_label_in_both_languages() -> None:
    ontology = load_ontology()
    for terms in (
        *(ontology.entity_types, ontology.roles, ontology.value_types),
        *(ontology.memory_types, ontology.relations),
    ):
        for name, term in terms.items():
            assert term.name == name
            assert term.meaning.endswith(".")
            assert re.search("[\u4e00-\u9fff]", term.zh), name
            assert term.en.isascii(), name


def test_the_words_are_those_of_the_design() -> None:
    ontology = load_ontology()
    assert list(ontology.roles) == ["speaker", "listener", "agent", "mentioned"]
    assert len(ontology.value_types) == 9
    memory_types = "fact preference goal action plan habit summary"
    assert list(ontology.memory_types) == memory_types.split()
    relations = (
        "supersedes contradicts corroborates elaborates causes possibly_causes precedes part_of "
        "result_of"
    )
    assert list(ontology.relations) == relations.split()


def test_the_code_has_the_same_words() -> None:
    ontology = load_ontology()
    assert {str(one) for one in EntityRole} == set(ontology.roles)
    assert {str(one) for one in ValueType} == {*ontology.value_types, "entity"}
    assert {str(one) for one in MemoryType} == set(ontology.memory_types)
    assert {str(one) for one in LinkKind} == set(ontology.relations)


def test_the_properties_speak_of_types_that_there_are() -> None:
    kinds = {shape.value_kind for shape in load_shapes().values()}
    assert kinds <= set(load_ontology().entity_types) | PLAIN_KINDS


def test_the_checks_of_the_vault_name_the_same_roles() -> None:
    steps = resources.files("apexmem_desktop.storage") / "steps"
    sql = "".join(one.read_text(encoding="utf-8") for one in steps.iterdir())
    [listed] = re.findall(r"CHECK \(role IN \(([^)]*)\)\)", sql)
    assert re.findall(r"'(\w+)'", listed) == list(load_ontology().roles)


def test_what_the_ontology_does_not_have_is_refused() -> None:
    ontology = load_ontology()
    for check in (ontology.check_entity_type, ontology.check_role, ontology.check_relation):
        with pytest.raises(ValueError, match="has no"):
            check("restaurant")
    ontology.check_entity_type("person")
    ontology.check_role("agent")
    ontology.check_relation("part_of")


@pytest.mark.parametrize(
    ("file", "found", "put", "told"),
    [
        ("entity_types.toml", "[person]", "[Person]", "plain name"),
        ("entity_types.toml", 'zh = "人"\n', "", "labels"),
        ("entity_types.toml", 'zh = "人"', 'zh = ""', "labels"),
        ("entity_types.toml", 'en = "group"', 'en = "person"', "same label"),
        ("entity_types.toml", "[thing]", "[stuff]", "35 entity types"),
        ("graph.toml", "[relations.part_of]", "[relations.piece_of]", "relations"),
        ("graph.toml", "[roles.agent]", "[rolls.agent]", "nobody reads"),
        ("graph.toml", "[value_types.url]", "[value_types.link]", "value types"),
        ("graph.toml", "[memory_types.goal]", "[memory_types.aim]", "memory types"),
    ],
)
def test_a_spoilt_file_is_refused_with_the_place(
    folder: Path, file: str, found: str, put: str, told: str
) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert found in text
    path.write_text(text.replace(found, put, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=told):
        read_ontology(folder)
