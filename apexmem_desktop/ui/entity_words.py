"""What a card says of somebody besides the facts: what is new, and where it is known from."""

from collections import Counter
from collections.abc import Sequence

from apexmem_desktop.domain.graph import Evidence, Fact, FactStatus
from apexmem_desktop.domain.wall import clock_of
from apexmem_desktop.ui.dates import bound_text
from apexmem_desktop.ui.fact_words import beside_text, name_text
from apexmem_desktop.ui.translation import tr

_SHOWN_NEWS, _SHOWN_SOURCES = 3, 5
_HAPPENED = (FactStatus.CURRENT, FactStatus.PAST, FactStatus.CONTESTED)


def lately_text(facts: Sequence[Fact]) -> str:
    """Write what came to be last, the newest first; "" where nothing has a date."""
    dated = [one for one in facts if one.status in _HAPPENED and one.valid_from.earliest_ms]
    dated.sort(key=lambda one: -(one.valid_from.earliest_ms or 0))
    lines: dict[str, None] = {}  # what was said again is one line
    for fact in dated:
        lines[_news_text(fact)] = None
        if len(lines) == _SHOWN_NEWS:
            break
    return tr("people.lately", what=" · ".join(lines)) if lines else ""


def _news_text(fact: Fact) -> str:
    return tr(
        "people.lately_one",
        what=name_text(fact),
        value=beside_text(fact),
        when=bound_text(fact.valid_from, clock_of(fact.evidence)),
    )


def sources_of(facts: Sequence[Fact]) -> dict[str, tuple[int, Evidence]]:
    """Give the conversations that most is known from: how many facts, and a proof in each."""
    counts: Counter[str] = Counter()
    proofs: dict[str, Evidence] = {}
    for fact in facts:
        for title in dict.fromkeys(proof.session_title for proof in fact.evidence):
            counts[title] += 1
        for proof in fact.evidence:
            proofs.setdefault(proof.session_title, proof)
    most = [(title, count) for title, count in counts.most_common(_SHOWN_SOURCES) if title]
    return {title: (count, proofs[title]) for title, count in most}
