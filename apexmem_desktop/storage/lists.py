"""Conditions over long lists: one bound JSON value instead of thousands of placeholders."""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select


def listed(values: Iterable[int | str]) -> Select[Any]:
    """Make a subquery that yields the given values."""
    return select(func.json_each(json.dumps(list(values))).table_valued("value").c.value)


def among(column: ColumnElement[Any], values: Iterable[int | str]) -> ColumnElement[bool]:
    """Say that a column is one of the given values, however many they are."""
    return column.in_(listed(values))
