"""Formats in which one app's chats come: the same name in them is the same person."""

_FAMILIES = {"whatsapp-database": "whatsapp"}


def family_of(format: str) -> str:  # noqa: A002
    """Name the family of a format; most are alone in theirs."""
    return _FAMILIES.get(format, format)
