"""The names of all time zones, looked for once: that reads a few hundred files."""

from functools import cache
from zoneinfo import available_timezones


@cache
def zone_names() -> tuple[str, ...]:
    """All names there are, sorted."""
    return tuple(sorted(available_timezones()))
