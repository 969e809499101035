"""What a trace says, in plain words of the user's language where it is one of a known few."""

from collections.abc import Sequence

from apexmem_desktop.domain.answers import Usage
from apexmem_desktop.ui.translation import LANGUAGES, load_texts, tr, tr_count, tr_name
from apexmem_desktop.ui.translation import language as chosen_language

_REASON_MARK = " — "
# How the reasons begin that a candidate was left out for; what follows is from the chats.
_REASONS = {
    "its proof does not tell it": "proof",
    "no turn was given for it": "no_turn",
    "not in the turns cited": "not_cited",
    "the turns are about somebody else": "other_person",
}


def understood_lines(understood: Sequence[tuple[str, str]]) -> list[str]:
    """Write how a question was read, a line for each part of it."""
    return [_understood_line(what, as_what) for what, as_what in understood]


def dropped_lines(dropped: Sequence[str]) -> list[str]:
    """Write what was left out, and why."""
    return [_dropped_line(text) for text in dropped]


def found_by_text(signals: Sequence[str]) -> str:
    """Write what found a message, each signal once: its words, its meaning, a fact."""
    names = dict.fromkeys(tr_name("signal", signal.replace(" ", "_")) for signal in signals)
    return tr("trace.found_by", signals=tr("common.joint").join(names)) if names else ""


def cost_text(usage: Usage) -> str:
    """Write how long an answer took, and how often the language model was asked for it."""
    time = tr(
        "trace.time",
        first=f"{usage.ms_first_evidence / 1000:.1f}",
        total=f"{usage.ms_total / 1000:.1f}",
    )
    if not usage.model_calls:
        return f"{time}{tr('trace.gap')}{tr('trace.no_calls')}"
    calls = tr_count(
        "trace.calls",
        usage.model_calls,
        read=f"{usage.prompt_tokens:,}",
        written=f"{usage.output_tokens:,}",
    )
    return f"{time}{tr('trace.gap')}{calls}"


def _understood_line(what: str, as_what: str) -> str:
    texts = load_texts(chosen_language())
    name = texts.get(f"understood.{what}", what)
    if what == "kind":
        as_what = tr_name("kind", as_what)
    elif what == "language":
        as_what = texts.get(f"understood.in_{as_what}", LANGUAGES.get(as_what, as_what))
    elif what == "property":
        as_what = tr("common.joint").join(tr_name("property", one) for one in as_what.split(", "))
    return tr("understood.line", what=name, value=as_what)


def _dropped_line(text: str) -> str:
    said, mark, reason = text.partition(_REASON_MARK)
    begins, _, rest = reason.partition(": ")
    if not mark or begins not in _REASONS:
        return text
    why = tr(f"dropped.{_REASONS[begins]}")
    return tr("dropped.line", said=said, why=why) + (f"\n    “{rest}”" if rest else "")
