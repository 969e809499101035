"""Questions that say nothing but whom, which property, and what of it: what the facts give answers.

"Where does Mira live now?" needs no model: each of its words is the person, the property, the value
or the kind of question, so the worked-out value cannot be the answer to another question. Where one
word is left over ("Where does Mira live with her sister?") the model is asked.
"""

from collections.abc import Sequence

from apexmem_desktop.agent.proposal import Proposal
from apexmem_desktop.domain.graph import Fact, FactStatus
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.question import Understood, hint_properties
from apexmem_desktop.recall.vocabulary import CJK, same_stem
from apexmem_desktop.storage.names import normalise

_KINDS = (Kind.CURRENT, Kind.BEFORE, Kind.AFTER, Kind.HOW_LONG, Kind.CHANGED)
# What a question of these kinds says beside whom and what.
_OF_THE_KIND = frozenset(
    """long time change changed changes previous previously former formerly original originally
    prior earlier used current currently nowadays moment present latest newest recent recently name
    history evolved switch switched""".split()  # noqa: SIM905
)


def asks_plainly(read: Understood, proposal: Proposal) -> bool:
    """Tell whether a proposal answers all words of the question, so that nothing is to check."""
    first = proposal.facts[0]
    if read.kind not in _KINDS or len(read.speakers) != 1 or read.spans:
        return False
    if first.subject_id not in read.entity_ids or not first.single_valued:
        return False
    if any(fact.status is FactStatus.REJECTED for fact in proposal.facts):
        return False
    names = normalise(" ".join(f"{one.words} {one.name}" for one in read.entities)).split()
    left = [word for word in _words(read) if normalise(word) not in names]
    telling = [word for word in left if _tells(word, first.property)]
    rest = [word for word in left if word not in telling]
    return bool(telling) and all(_is_known(word, proposal.facts) for word in rest)


def _words(read: Understood) -> Sequence[str]:
    """Give the words to explain; a Chinese question is not cut into words well enough."""
    return ("",) if any(CJK.search(word) for word in read.words) else read.words


def _tells(word: str, name: str) -> bool:
    parts = [part for part in name.split("_") if len(part) > 2]
    return any(same_stem(part, word) for part in parts) or name in hint_properties(word, ())


def _is_known(word: str, facts: Sequence[Fact]) -> bool:
    if normalise(word) in _OF_THE_KIND:
        return True
    return bool(word) and any(normalise(word) in normalise(fact.value).split() for fact in facts)
