"""Reads a SQL text the way SQLite's own tokenizer does, as far as GraphSQL must know beforehand.

The authorizer is told what a statement touches, but not by which name a WITH hid it: a
common table called `v_facts` would look to it like the view. So the names are read here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["word", "name", "string", "number", "symbol"]
_TOKEN = re.compile(
    r"""
      (?P<skipped> [ \t\n\f\r\ufeff]+ | --[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<string>  '(?:[^']|'')*' )
    | (?P<name>    "(?:[^"]|"")*" | `(?:[^`]|``)*` | \[[^\]]*\] )
    | (?P<number>  \.?[0-9][0-9A-Za-z_.]* )
    | (?P<word>    [A-Za-z_\x80-\U0010ffff][0-9A-Za-z_$\x80-\U0010ffff]* )
    | (?P<symbol>  . )
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTES = {"'": "'", '"': '"', "`": "`", "[": "]"}
_A_TO_Z = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


class NotOneSelectError(ValueError):
    """The text is not one SELECT; the message says why, for the user."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a name in quotes (given without them), a text, a number or one other character."""

    kind: Kind
    text: str

    def is_word(self, *words: str) -> bool:
        """Tell whether it is one of these keywords."""
        return self.kind == "word" and self.text in words

    def is_symbol(self, symbol: str) -> bool:
        """Tell whether it is this character."""
        return self.kind == "symbol" and self.text == symbol


@dataclass(frozen=True, slots=True)
class Statement:
    """One SELECT, or WITH … SELECT.

    Attributes:
        tables: The names that its WITH clauses define, in small letters.
        sources: Every name that stands where a table may stand, in small letters.
    """

    tokens: tuple[Token, ...]
    tables: frozenset[str]
    sources: frozenset[str]


def small(name: str) -> str:
    """Write a name in small letters as SQLite compares names: A to Z alone."""
    return name.translate(_A_TO_Z)


def read_select(sql: str) -> Statement:
    """Read one SELECT or WITH; semicolons and comments around it do not count.

    Raises:
        NotOneSelectError: It is anything else, or has parameters.
    """
    tokens = list(read_tokens(sql))
    while tokens and tokens[0].is_symbol(";"):
        tokens.pop(0)
    while tokens and tokens[-1].is_symbol(";"):
        tokens.pop()
    if not tokens or not tokens[0].is_word("select", "with"):
        raise NotOneSelectError("Only one SELECT, or WITH … SELECT, is allowed here")
    for token in tokens:
        if token.is_symbol(";"):
            raise NotOneSelectError("Only one statement is allowed here")
        if token.kind == "symbol" and token.text in "?:@#$":
            raise NotOneSelectError("Parameters have no value here")
        if token.kind == "symbol" and token.text in "'\"`[":
            raise NotOneSelectError("A quote is opened and not closed")
    return Statement(tuple(tokens), find_common_tables(tokens), _find_sources(tokens))


def read_tokens(sql: str) -> Iterator[Token]:
    """Cut a text into tokens, leaving out space and comments; keywords come in small letters."""
    for found in _TOKEN.finditer(sql):
        kind, text = found.lastgroup, found.group()
        if kind == "word":
            yield Token("word", small(text))
        elif kind == "string" or kind == "name":
            yield Token(kind, _unquoted(text))
        elif kind == "number" or kind == "symbol":
            yield Token(kind, text)


def find_common_tables(tokens: Sequence[Token]) -> frozenset[str]:
    """Find each `name AS (` and `name (columns) AS (`: what WITH clauses define, and no table."""
    closing = _closing(tokens)
    return frozenset(
        small(token.text)
        for at, token in enumerate(tokens)
        if token.kind in ("word", "name", "string") and _defines(tokens, at + 1, closing)
    )


def _find_sources(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(
        small(token.text)
        for before, token in zip(tokens, tokens[1:], strict=False)
        if token.kind in ("word", "name", "string")
        and (before.is_word("from", "join") or (before.kind == "symbol" and before.text in ",(."))
    )


def _defines(tokens: Sequence[Token], at: int, closing: dict[int, int]) -> bool:
    if at < len(tokens) and tokens[at].is_symbol("("):
        at = closing.get(at, len(tokens)) + 1
    if at >= len(tokens) or not tokens[at].is_word("as"):
        return False
    at += 1
    while at < len(tokens) and tokens[at].is_word("not", "materialized"):
        at += 1
    return at < len(tokens) and tokens[at].is_symbol("(")


def _closing(tokens: Sequence[Token]) -> dict[int, int]:
    """Say for each opening bracket where it closes."""
    opened: list[int] = []
    closing: dict[int, int] = {}
    for at, token in enumerate(tokens):
        if token.is_symbol("("):
            opened.append(at)
        elif token.is_symbol(")") and opened:
            closing[opened.pop()] = at
    return closing


def _unquoted(text: str) -> str:
    end = _QUOTES[text[0]]
    inner = text[1:-1]
    return inner if end == "]" else inner.replace(end * 2, end)
