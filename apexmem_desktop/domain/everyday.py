"""The everyday properties, each with the one name it is stored by (`ontology/everyday.toml`).

"Employer", "works for" and 上班 are the same property as *works_at*. The list is open: what it does
not know keeps its own name.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from apexmem_desktop.domain.graph import ValueType
from apexmem_desktop.domain.locations import resources_dir


@dataclass(frozen=True, slots=True)
class EverydayProperty:
    """One canonical property.

    Attributes:
        single_valued: Only one value holds at a time.
        en: Other English names for it.
        zh: Chinese names for it.
    """

    name: str
    value_type: ValueType
    single_valued: bool
    en: tuple[str, ...]
    zh: tuple[str, ...]


@lru_cache(maxsize=1)
def load_everyday() -> Mapping[str, EverydayProperty]:
    """Read the list, by canonical name."""
    with (resources_dir() / "ontology" / "everyday.toml").open("rb") as file:
        return {name: _property(name, row) for name, row in tomllib.load(file).items()}


def _property(name: str, row: dict[str, Any]) -> EverydayProperty:
    return EverydayProperty(
        name, ValueType(row["value"]), bool(row["single"]), tuple(row["en"]), tuple(row["zh"])
    )


@lru_cache(maxsize=1)
def _names() -> Mapping[str, str]:
    known = {name: name for name in load_everyday()}
    for one in load_everyday().values():
        for alias in (*one.en, *one.zh):
            known.setdefault(bare_name(alias), one.name)
    return known


def bare_name(name: str) -> str:
    """Write a property's name as names are compared: lower case, words joined by "_"."""
    return "_".join(name.casefold().replace("_", " ").replace("-", " ").split())


def canonical_name(name: str) -> str:
    """Give the name that a property is stored by; its own where the list does not know it."""
    return _names().get(bare_name(name), name)
