"""Copying from lists and tables, as plain text or as Markdown: by menu, and by two keys."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QWidget

from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.ui.dates import instant_text
from apexmem_desktop.ui.fact_words import beside_text, name_text
from apexmem_desktop.ui.rows import validity_text
from apexmem_desktop.ui.translation import tr
from apexmem_desktop.ui.turn_document import shown_words

MARKDOWN_KEYS = "Ctrl+Shift+C"


def offer_copies(view: QWidget, plain: Callable[[], str], markdown: Callable[[], str]) -> None:
    """Give a view the two actions; nothing is copied where there is nothing."""
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
    copy = QKeySequence(QKeySequence.StandardKey.Copy)
    for key, keys, spell in (
        ("table.copy", copy, plain),
        ("table.markdown", QKeySequence(MARKDOWN_KEYS), markdown),
    ):
        action = QAction(tr(key), view)
        action.setShortcut(keys)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        # A bound default: each action keeps its own words.
        action.triggered.connect(lambda _=False, words=spell: _copy(words()))
        view.addAction(action)


def fact_markdown(fact: Fact) -> str:
    """Write a fact as a point of a list, with the words that prove it."""
    name = name_text(fact)
    head = f"* **{name}**: {_one_line(beside_text(fact))} ({validity_text(fact)})"
    if not fact.evidence:
        return head
    proof = fact.evidence[0]
    said = instant_text(proof.said_at_ms, proof.offset_minutes)
    return f"{head}\n  > {_one_line(proof.quote)} — {proof.speaker}, {said}"


def turns_markdown(turns: Sequence[Turn]) -> str:
    """Write turns as quotations, each under its speaker and its time."""
    return "\n\n".join(_turn_markdown(turn) for turn in turns)


def _turn_markdown(turn: Turn) -> str:
    when = instant_text(turn.said_at_ms, turn.offset_minutes)
    quoted = "\n".join(f"> {line}".rstrip() for line in shown_words(turn).splitlines())
    return f"**{turn.speaker}**, {when}:\n\n{quoted}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _copy(words: str) -> None:
    if words:
        QGuiApplication.clipboard().setText(words)
