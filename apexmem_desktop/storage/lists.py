"""Conditions over long lists: one bound JSON value instead of thousands of placeholders.

A statement built once and run often names its lists (`later`) and gets them as JSON (`as_list`)
when it runs: building it takes longer than running it.
"""

import json
from collections.abc import Iterable
from typing import Any, TypeAlias

from sqlalchemy import BindParameter, ColumnElement, Select, bindparam, func, select

Later: TypeAlias = BindParameter[Any]
Values: TypeAlias = Iterable[int | str] | Later


def later(name: str) -> Later:
    """Stand for a value, or a list as `as_list` gives it, that is given when a statement runs."""
    return bindparam(name)


def as_list(values: Iterable[int | str | tuple[int, str]]) -> str:
    """Write values as the one JSON text that a list is bound as."""
    return json.dumps(list(values))


def listed(values: Values) -> Select[Any]:
    """Make a subquery that yields the given values."""
    bound = values if isinstance(values, BindParameter) else as_list(values)
    return select(func.json_each(bound).table_valued("value").c.value)


def among(column: ColumnElement[Any], values: Values) -> ColumnElement[bool]:
    """Say that a column is one of the given values, however many they are."""
    return column.in_(listed(values))
