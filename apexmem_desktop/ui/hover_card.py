"""The card over a bar or a point of a timeline: what, when, how sure, and the words."""

from html import escape

from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.dates import day_text
from apexmem_desktop.ui.rows import shortened
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.timeline_words import confidence_text, label_text, lane_text, when_text
from apexmem_desktop.ui.translation import tr, tr_count

_WIDTH_PX = 340
_STEPS = 5
_FULL, _LACKING = "●", "○"


def item_html(item: TimelineItem) -> str:
    """Write an item's card in the colours of the theme."""
    colours = theme().colours
    parts = [
        f'<div style="color:{colours["muted"]}">{escape(lane_text(item))}</div>',
        f'<div style="font-size:large"><b>{escape(label_text(item))}</b></div>',
        f"<div>{escape(when_text(item))}{_signs(item)}</div>",
        f'<div style="color:{colours["muted"]}">{_sureness(item.confidence)}</div>',
        *_proof(item),
    ]
    return f'<table width="{_WIDTH_PX}"><tr><td>{"".join(parts)}</td></tr></table>'


def _signs(item: TimelineItem) -> str:
    signs = [tr("status.planned")] * item.planned
    contested = escape(tr("status.contested"))
    warn = [f'<span style="color:{theme().colours["warn"]}">⚠ {contested}</span>'] * item.contested
    return "".join(f" · {one}" for one in [*map(escape, signs), *warn])


def _sureness(confidence: float) -> str:
    full = round(confidence * _STEPS)
    dots = _FULL * full + _LACKING * (_STEPS - full)
    accent = theme().colours["accent"]
    return f'<span style="color:{accent}">{dots}</span> {escape(confidence_text(confidence))}'


def _proof(item: TimelineItem) -> list[str]:
    if not item.evidence:
        return []
    proof, colours = item.evidence[0], theme().colours
    day = day_text(proof.said_at_ms, proof.offset_minutes)
    who = " · ".join(part for part in (proof.speaker, day) if part)
    more = len(item.evidence) - 1
    told = f" · {tr_count('hover.more', more)}" if more else ""
    quote = escape(shortened(proof.quote))
    mark = f"background-color:{colours['mark']};color:{colours['mark_text']}"
    return [
        f'<p style="margin-top:8px;margin-bottom:2px"><span style="{mark}">{quote}</span></p>',
        f'<div style="color:{colours["muted"]}">{escape(who)}{escape(told)}</div>',
    ]
