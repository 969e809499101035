"""What a timeline says in words: the hint over a bar, and what held at a moment."""

from collections.abc import Sequence
from dataclasses import replace

from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.domain.wall import clock_of
from apexmem_desktop.ui.dates import bound_text, held_text
from apexmem_desktop.ui.fact_words import alone, told_name, told_value
from apexmem_desktop.ui.rows import shortened
from apexmem_desktop.ui.translation import tr, tr_name

_PERCENT = 100


def label_text(item: TimelineItem) -> str:
    """Write an item's value, and before it what was done once; a denied one says so."""
    label = item.label.removeprefix("not ") if item.denied else item.label
    if not item.deed:
        return alone(item.lane, label, denied=item.denied)
    value = label.removeprefix(item.deed.replace("_", " ")).lstrip()
    what = told_name(item.deed, denied=item.denied)
    return tr("fact.denied", what=what, value=told_value(item.deed, value, denied=item.denied))


def without_name(items: Sequence[TimelineItem], name: str) -> tuple[TimelineItem, ...]:
    """Leave out of each event whose timeline it is: the title tells that."""
    return tuple(
        replace(item, label=item.label.removeprefix(name).lstrip())
        if item.kind == "event" and item.label.startswith(f"{name} ")
        else item
        for item in items
    )


def lane_text(item: TimelineItem) -> str:
    """Write what an item tells about."""
    return tr("timeline.events") if item.kind == "event" else tr_name("property", item.lane)


def item_text(item: TimelineItem) -> str:
    """Write an item to be read aloud: what, when, how sure, and the words that prove it."""
    lines = [_told_text(item), when_text(item)]
    if item.planned:
        lines.append(tr("status.planned"))
    if item.contested:
        lines.append(tr("status.contested"))
    lines.append(confidence_text(item.confidence))
    if item.evidence:
        proof = item.evidence[0]
        lines += ["", f"{proof.speaker}: “{shortened(proof.quote)}”"]
    return "\n".join(lines)


def _told_text(item: TimelineItem) -> str:
    if not item.denied or item.deed:
        return f"{lane_text(item)}: {label_text(item)}"
    value = told_value(item.lane, item.label.removeprefix("not "), denied=True)
    return f"{told_name(item.lane, denied=True)}: {value}"


def when_text(item: TimelineItem) -> str:
    """Write from when to when."""
    clock = clock_of(item.evidence)
    if item.kind == "event":
        return bound_text(item.start, clock) or tr("date.unknown")
    return held_text(item.start, item.end, clock, planned=item.planned, denied=item.denied)


def confidence_text(confidence: float) -> str:
    """Write how sure a fact is, in a word and a number."""
    word = "sure" if confidence >= 0.8 else "likely" if confidence >= 0.5 else "unsure"
    return f"{tr(f'confidence.{word}')} ({confidence * _PERCENT:.0f} %)"
