"""The names of all time zones, looked for once: that reads a few hundred files."""

from functools import cache
from zoneinfo import available_timezones

ZONE_CHARS = 30  # as long as the longest


@cache
def zone_names() -> tuple[str, ...]:
    """All names there are, sorted."""
    return tuple(sorted(available_timezones()))
