"""Which facts a question to the graph looks for: the properties it may mean, the words of values.

Each of its words must be a person, a property, a value of the graph, a time, or say nothing. Where
one is left over, it is no question to the graph.
"""

import re
from collections.abc import Iterable, Sequence

from apexmem_desktop.agent.graph_shapes import Sought
from apexmem_desktop.agent.kind_nouns import in_order, is_kind_noun, other_hints
from apexmem_desktop.agent.whose import kin_property
from apexmem_desktop.domain.graph import Fact, Property
from apexmem_desktop.recall.naming import Named
from apexmem_desktop.recall.question import hint_properties
from apexmem_desktop.recall.vocabulary import CJK, same_stem
from apexmem_desktop.storage.facts import find_facts
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Connection

MAX_PROPERTIES = 4
MAX_FACTS = 3000
_WORD = re.compile(r"[^\W_]+")
# Nouns of what is asked for that the property tells anyway, and words that ask for nothing.
_SAY_NOTHING = frozenset(
    """people people's person persons everyone everybody anyone anybody friend friends contact
    contacts among something anything things thing places place kinds kind sorts different cities
    city towns town countries country times time recently recent newest latest earliest often name
    names currently go went became become got total number another other else new 人""".split()  # noqa: SIM905
)


_LIKED_BEST = frozenset("like liked likes best most prefer preferred love loved".split())  # noqa: SIM905


def find_sought(
    db: Connection,
    text: str,
    words: Sequence[str],
    named: Sequence[Named],
    known: Sequence[Property],
    *,
    apart: Sequence[str] = (),
    subject_ids: Sequence[int] = (),
    empty: Iterable[str] = (),
) -> Sought | None:
    """Find the properties and the words of values; None where a word is left that means neither.

    Args:
        apart: Properties that something else of the question means.
        subject_ids: Whose facts they must be, where that is known.
        empty: Words that say nothing here.
    """
    exists = [one.name for one in known]
    hints = [*hint_properties(text, known), *other_hints(text, exists)]
    names = [n for n in dict.fromkeys(hints) if n in exists and n not in apart and not is_loose(n)]
    own: list[Fact] = []
    if subject_ids and names:
        own = find_facts(db, subject_ids=subject_ids, limit=MAX_FACTS)
        names = [name for name in names if any(fact.property == name for fact in own)]
    names = in_order(names, text)[:MAX_PROPERTIES]
    mine = {normalise(part) for one in named for part in (*one.words.split(), *one.name.split())}
    silent = _SAY_NOTHING | set(empty) | mine
    if any(name.startswith("favourite_") for name in names):
        silent |= _LIKED_BEST
    left = [word for word in words if normalise(word) not in silent]
    left = [word for word in left if not _tells_property(word, (*names, *apart), known)]
    # "Became team lead" names no property: the value does.
    found = find_facts(db, property_names=names or None, limit=MAX_FACTS) if names or left else []
    values = [w for w in left if not CJK.search(w) or any(w in fact.value for fact in found)]
    values = [word for word in values if not _is_where(word, names, own)]
    having = [fact for fact in found if _has(fact, values)]
    if values and not having:
        return None
    if values and not names:
        of_them = dict.fromkeys(fact.property for fact in having if not is_loose(fact.property))
        names = list(of_them)[:MAX_PROPERTIES]
    elif values:
        names = [name for name in names if any(fact.property == name for fact in having)]
    called = [name for name in names if _is_called(name, text)]
    return Sought(tuple(called or names), tuple(values)) if names else None


def _is_where(word: str, names: Sequence[str], own: Sequence[Fact]) -> bool:
    """Whether a word only says for whom somebody had a role: "her role at Velora"."""
    return "job_title" in names and any(
        fact.property in ("works_at", "left_job") and _has(fact, [word]) for fact in own
    )


def is_loose(name: str) -> bool:
    """Whether a property is a turn of phrase that was kept as it was told: is_running_out_of."""
    return name.startswith("is_")


def _is_called(name: str, text: str) -> bool:
    """Whether all of a property's name stands in the question: nothing is left to choose then.

    A small model that may choose takes "bought" for a pet.
    """
    parts = [p for p in name.split("_") if p not in ("in", "at", "on", "to", "from", "went", "did")]
    words = _WORD.findall(text)
    return all(any(same_stem(part, word) for word in words) for part in parts)


def _tells_property(word: str, names: Sequence[str], known: Sequence[Property]) -> bool:
    if any(same_stem(word, part) for name in names for part in name.split("_")):
        return True
    if is_kind_noun(word, names) or kin_property(word) in names:
        return True
    hints = {*hint_properties(word, known), *other_hints(word, [one.name for one in known])}
    return bool(hints & set(names))


def _has(fact: Fact, words: Sequence[str]) -> bool:
    value = normalise(fact.value)
    return all(normalise(word) in value for word in words)
