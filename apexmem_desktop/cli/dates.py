"""Dates in and out: options to instants, instants to ISO 8601 with offset."""

import argparse
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apexmem_desktop.services.workspace import Workspace

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def check_date(text: str) -> None:
    """Raise ValueError unless the text is a date that an option takes."""
    from apexmem_desktop.services.dates import parse_date

    parse_date(text)


def start_ms(options: argparse.Namespace, name: str, ws: "Workspace") -> int | None:
    """Return the first millisecond of the option's date; None when it was not given."""
    from apexmem_desktop.services.dates import parse_date

    text = getattr(options, f"{name}_date")
    return parse_date(text).start_ms(ws.zone) if text else None


def end_ms(options: argparse.Namespace, name: str, ws: "Workspace") -> int | None:
    """Return the last millisecond of the option's date; None when it was not given."""
    from apexmem_desktop.services.dates import parse_date

    text = getattr(options, f"{name}_date")
    return parse_date(text).end_ms(ws.zone) if text else None


def after_ms(options: argparse.Namespace, name: str, ws: "Workspace") -> int | None:
    """Return the first millisecond after the option's date; None when it was not given."""
    last_ms = end_ms(options, name, ws)
    return None if last_ms is None else last_ms + 1


def iso(at_ms: int | None, offset_minutes: int = 0) -> str | None:
    """Spell a UTC instant as ISO 8601 by the clock of that offset; None stays None."""
    if at_ms is None:
        return None
    try:
        clock = timezone(timedelta(minutes=offset_minutes))
        at = (_EPOCH + timedelta(milliseconds=at_ms)).astimezone(clock)
    except (OverflowError, ValueError):
        return None  # outside the calendar: an open end
    return at.isoformat(timespec="seconds" if at_ms % 1000 == 0 else "milliseconds")
