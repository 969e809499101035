"""What a timeline says in words: the hint over a bar, and what held at a moment."""

from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.dates import bound_text
from apexmem_desktop.ui.rows import shortened
from apexmem_desktop.ui.translation import tr, tr_name

_PERCENT = 100


def item_text(item: TimelineItem) -> str:
    """Write an item for its hint: what, when, how sure, and the words that prove it."""
    lines = [f"{tr_name('property', item.lane)}: {item.label}", when_text(item)]
    if item.planned:
        lines.append(tr("status.planned"))
    if item.contested:
        lines.append(tr("status.contested"))
    lines.append(confidence_text(item.confidence))
    if item.evidence:
        proof = item.evidence[0]
        lines += ["", f"{proof.speaker}: “{shortened(proof.quote)}”"]
    return "\n".join(lines)


def when_text(item: TimelineItem) -> str:
    """Write from when to when."""
    offset = item.evidence[0].offset_minutes if item.evidence else 0
    start = bound_text(item.start, offset) or tr("date.unknown")
    if item.kind == "event":
        return start
    if item.planned:
        return tr("fact.planned_for", when=start)
    end = bound_text(item.end, offset) or tr("date.still")
    return tr("fact.from_until", start=start, end=end)


def confidence_text(confidence: float) -> str:
    """Write how sure a fact is, in a word and a number."""
    word = "sure" if confidence >= 0.8 else "likely" if confidence >= 0.5 else "unsure"
    return f"{tr(f'confidence.{word}')} ({confidence * _PERCENT:.0f} %)"
