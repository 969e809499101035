"""The words the graph is made of, as data in `resources/ontology/`: types, roles, relations."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from apexmem_desktop.domain.graph import EntityRole, LinkKind, MemoryType, ValueType
from apexmem_desktop.domain.locations import resources_dir

ENTITY_TYPE_COUNT = 35  # as in the paper
OTHER_TYPE = "thing"  # what fits no other type
_NAME = re.compile(r"[a-z][a-z_]*")
_KEYS = {"meaning", "en", "zh"}


@dataclass(frozen=True, slots=True)
class Term:
    """One word of the ontology.

    Attributes:
        name: As it is stored.
        meaning: One line: what it stands for.
        en: What a user reads in English.
        zh: What a user reads in Chinese.
    """

    name: str
    meaning: str
    en: str
    zh: str


Terms = Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Ontology:
    """All words, by name and in the order of the files."""

    entity_types: Terms
    roles: Terms
    value_types: Terms
    memory_types: Terms
    relations: Terms

    def check_entity_type(self, name: str) -> None:
        """Refuse what is no entity type.

        Raises:
            ValueError: The ontology does not have it: a mistake of ours, not the user's.
        """
        _refuse("entity type", name, self.entity_types)

    def check_role(self, name: str) -> None:
        """Refuse what is no role of an entity (ValueError, as above)."""
        _refuse("role", name, self.roles)

    def check_relation(self, name: str) -> None:
        """Refuse what is no relation between facts (ValueError, as above)."""
        _refuse("relation", name, self.relations)


def _refuse(what: str, name: str, known: Terms) -> None:
    if name not in known:
        raise ValueError(f"the ontology has no {what} {name!r}")


@lru_cache(maxsize=1)
def load_ontology() -> Ontology:
    """Read and check the ontology that comes with the program."""
    return read_ontology(resources_dir() / "ontology")


def read_ontology(folder: Path) -> Ontology:
    """Read the ontology of a folder.

    Raises:
        ValueError: A word is badly named, lacks a label, or the code and the data differ.
    """
    types = _read(folder / "entity_types.toml")
    graph = _read(folder / "graph.toml")
    ontology = Ontology(
        entity_types=_terms("entity types", types),
        roles=_terms("roles", graph.pop("roles", {})),
        value_types=_terms("value types", graph.pop("value_types", {})),
        memory_types=_terms("memory types", graph.pop("memory_types", {})),
        relations=_terms("relations", graph.pop("relations", {})),
    )
    if graph:
        raise ValueError(f"graph.toml has parts that nobody reads: {sorted(graph)}")
    _check_against_code(ontology)
    return ontology


def _read(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


def _terms(what: str, rows: Mapping[str, Any]) -> Terms:
    terms = {name: _term(what, name, row) for name, row in rows.items()}
    for language in ("en", "zh"):
        labels = [getattr(term, language) for term in terms.values()]
        if len(set(labels)) < len(labels):
            raise ValueError(f"two {what} have the same label in {language}")
    return terms


def _term(what: str, name: str, row: Any) -> Term:
    good = (
        _NAME.fullmatch(name)
        and isinstance(row, dict)
        and row.keys() == _KEYS
        and all(isinstance(text, str) and text.strip() == text != "" for text in row.values())
    )
    if not good:
        raise ValueError(f"{what}: {name!r} needs a plain name, a meaning, and labels en and zh")
    return Term(name, **row)


def _check_against_code(ontology: Ontology) -> None:
    """Hold the data to what the code can handle: it branches on these, not on entity types."""
    if len(ontology.entity_types) < ENTITY_TYPE_COUNT or OTHER_TYPE not in ontology.entity_types:
        raise ValueError(f"there are {ENTITY_TYPE_COUNT} entity types, {OTHER_TYPE!r} among them")
    for what, terms, known in (
        ("roles", ontology.roles, set(EntityRole)),
        ("value types", ontology.value_types, set(ValueType) - {ValueType.ENTITY}),
        ("memory types", ontology.memory_types, set(MemoryType)),
        ("relations", ontology.relations, set(LinkKind)),
    ):
        if set(terms) != {str(one) for one in known}:
            raise ValueError(f"the {what} of the ontology are not those that the code knows")
