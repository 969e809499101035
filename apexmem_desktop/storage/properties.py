"""Canonical property names and the other names they go by."""

from typing import Any

from sqlalchemy import insert, select

from apexmem_desktop.domain.graph import Property, ValueType
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.rows import append_row
from apexmem_desktop.storage.tables import properties, property_names
from apexmem_desktop.storage.vault import Connection


def ensure_property(
    db: Connection, *, name: str, value_type: ValueType, single_valued: bool, recorded_at_ms: int
) -> Property:
    """Give the property of this name or alias, made now if there is none; what is there stays."""
    for known in find_properties(db, named=name):
        return known
    number = append_row(
        db,
        properties,
        name=name,
        value_type=str(value_type),
        single_valued=int(single_valued),
        recorded_at_ms=recorded_at_ms,
    )
    append_property_name(db, number, name)
    return Property(number, name, value_type, single_valued)


def find_properties(db: Connection, *, named: str | None = None) -> list[Property]:
    """List all properties by name, or only the one that goes by `named`."""
    wanted = select(properties).order_by(properties.c.name)
    if named is not None:
        ids = select(property_names.c.property_id).where(
            property_names.c.normalised == _normalised(named)
        )
        wanted = wanted.where(properties.c.id.in_(ids))
    rows = db.execute(wanted).all()
    aliases = _aliases(db)
    return [_property(row, aliases.get(row.id, [])) for row in rows]


def append_property_name(db: Connection, property_id: int, alias: str) -> None:
    """Let a property go by one more name; a name that is taken changes nothing."""
    db.execute(
        insert(property_names)
        .prefix_with("OR IGNORE")
        .values(property_id=property_id, normalised=_normalised(alias), name=alias)
    )


def _normalised(name: str) -> str:
    return normalise(name.replace("_", " ").replace("-", " "))


def _aliases(db: Connection) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for row in db.execute(select(property_names).order_by(property_names.c.normalised)):
        found.setdefault(row.property_id, []).append(row.name)
    return found


def _property(row: Any, names: list[str]) -> Property:
    return Property(
        id=row.id,
        name=row.name,
        value_type=ValueType(row.value_type),
        single_valued=bool(row.single_valued),
        aliases=tuple(name for name in names if name != row.name),
    )
