"""A fact in the user's language: what it tells, its value, and both where it is not so.

A denied verb says so itself, "does not own: Polo"; of a noun it is the value, "job: not a teacher".
"""

from apexmem_desktop.domain.denied import denied_name
from apexmem_desktop.domain.graph import Fact, Modality
from apexmem_desktop.ui.translation import language, tr, tr_name, tr_words

_NOT_SO = "property_denied"


def is_denied(fact: Fact) -> bool:
    """Tell whether a fact says that its value does not hold, or no longer."""
    return not fact.polarity or fact.modality is Modality.NEGATED


def name_text(fact: Fact) -> str:
    """Write what a fact tells, to stand before its value; a denied verb says so."""
    return told_name(fact.property, denied=is_denied(fact))


def beside_text(fact: Fact) -> str:
    """Write a fact's value, to stand beside `name_text`."""
    return told_value(fact.property, fact.value, denied=is_denied(fact))


def value_text(fact: Fact) -> str:
    """Write a fact's value to stand alone, below or far from its property's name."""
    return alone(fact.property, fact.value, denied=is_denied(fact))


def told_name(name: str, *, denied: bool) -> str:
    """Write a property's name: "owns", "does not own"."""
    return (denied and _denied_verb(name)) or tr_name("property", name)


def told_value(name: str, value: str, *, denied: bool) -> str:
    """Write a value beside `told_name`: where no verb denies it, it is "not Tomo"."""
    return tr("fact.not", value=value) if denied and not _denied_verb(name) else value


def alone(name: str, value: str, *, denied: bool) -> str:
    """Write a value where no name stands beside it: "does not own Polo", "not Tomo"."""
    if not denied:
        return value
    verb = _denied_verb(name)
    return tr("fact.denied", what=verb, value=value) if verb else tr("fact.not", value=value)


def _denied_verb(name: str) -> str:
    return denied_name(name, language()) or tr_words(_NOT_SO, name)
