"""An answer as text that can be pasted elsewhere: plain, or with Markdown's marks."""

from apexmem_desktop.domain.answers import Answer, Citation
from apexmem_desktop.ui.dates import day_text
from apexmem_desktop.ui.translation import tr


def citation_text(citation: Citation) -> str:
    """Write a citation in one line."""
    day = day_text(citation.said_at_ms, citation.offset_minutes)
    return f"[{citation.number}] {citation.speaker}, {day}: {citation.quote}"


def answer_text(answer: Answer) -> str:
    """Write an answer with its citations as plain text."""
    lines = [answer.question, "", _said(answer), ""]
    lines += [citation_text(citation) for citation in answer.citations]
    return "\n".join(lines)


def answer_markdown(answer: Answer) -> str:
    """Write an answer with its citations in Markdown."""
    lines = [f"## {answer.question}", "", f"**{_said(answer)}**", ""]
    if answer.summary and answer.summary != answer.answer:
        lines += [answer.summary, ""]
    for citation in answer.citations:
        day = day_text(citation.said_at_ms, citation.offset_minutes)
        quote = " ".join(citation.quote.split())
        lines += [f"> {quote}", f"> — {citation.speaker}, {day} [{citation.number}]", ""]
    return "\n".join(lines)


def _said(answer: Answer) -> str:
    return tr("ask.nothing") if answer.abstained else answer.answer
