"""The properties that turns are read for, as data in `resources/ontology/properties.toml`."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from string import Template

from apexmem_desktop.domain.graph import MemoryType, ValueType
from apexmem_desktop.domain.locations import resources_dir


@dataclass(frozen=True, slots=True)
class PropertyShape:
    """What is known beforehand of one property.

    Attributes:
        single_valued: Only one value holds at a time; the next ends it.
        fixed: It cannot change: two values contradict each other.
        value_kind: place, organization, person, thing, activity, topic, number, date or text.
        event_type: What kind of thing happened when this is told; "" for a lasting state.
        says: A sentence with `$who`, `$value` and perhaps `$property` that tells just this.
        cues: The property is only looked for in a sentence where this is found.
        not_value: Whole values that are never one; None where there is no such list.
    """

    name: str
    single_valued: bool
    fixed: bool
    value_kind: str
    memory_type: MemoryType
    event_type: str
    says: str
    cues: re.Pattern[str]
    not_value: re.Pattern[str] | None

    @property
    def value_type(self) -> ValueType:
        """The type a value of this property is stored with."""
        if self.value_kind in ("place", "organization", "person"):
            return ValueType.ENTITY
        if self.value_kind == "number":
            return ValueType.INTEGER
        return ValueType.STRING

    def sentence(self, who: str, value: str, name: str = "") -> str:
        """Say the fact in plain words; `name` is the property's own where it is not the shape's."""
        told = (name or self.name).replace("_", " ")
        return Template(self.says).substitute(who=who, value=value, property=told)


@lru_cache(maxsize=1)
def load_shapes() -> dict[str, PropertyShape]:
    """Read every property's shape, by name."""
    path = resources_dir() / "ontology" / "properties.toml"
    with path.open("rb") as file:
        table = tomllib.load(file)
    return {name: _shape(name, row) for name, row in table.items()}


def _shape(name: str, row: dict[str, str | bool]) -> PropertyShape:
    never = row.get("not_text")
    return PropertyShape(
        name=name,
        single_valued=bool(row["single"]),
        fixed=bool(row.get("fixed", False)),
        value_kind=str(row["value"]),
        memory_type=MemoryType(str(row["memory"])),
        event_type=str(row.get("event", "")),
        says=str(row["says"]),
        cues=re.compile(str(row["cues"]), re.IGNORECASE),
        not_value=re.compile(str(never), re.IGNORECASE) if never else None,
    )


def find_cued(sentence: str) -> tuple[PropertyShape, ...]:
    """Find the properties that a sentence could tell of."""
    return tuple(shape for shape in load_shapes().values() if shape.cues.search(sentence))
