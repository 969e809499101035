"""Reads a SQL text the way SQLite's own tokenizer does, as far as GraphSQL must know beforehand.

The authorizer is told what a statement touches, but not by which name a WITH hid it: a
common table called `v_facts` would look to it like the view. So the names are read here.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["word", "name", "string", "number", "symbol"]
_TOKEN = re.compile(
    r"""
      (?P<skipped> [ \t\n\v\f\r\ufeff]+ | --[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<string>  '(?:[^']|'')*' )
    | (?P<name>    "(?:[^"]|"")*" | `(?:[^`]|``)*` | \[[^\]]*\] )
    | (?P<number>  \.?[0-9][0-9A-Za-z_.]* )
    | (?P<word>    [A-Za-z_\x80-\U0010ffff][0-9A-Za-z_$\x80-\U0010ffff]* )
    | (?P<symbol>  . )
    """,
    re.VERBOSE | re.DOTALL,
)
_MOST_COPIES = 1_000_000  # counting further would only make the numbers longer
_MOST_TABLES = 50
_SUMMING = frozenset({"count", "sum", "total", "avg"})
_BY_ORDER = ("group_concat", "over", "window")
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
        nested: Those of them that are defined inside brackets, so that outside of these the same
            name means another table.
        sources: Every name that stands where a table may stand, in small letters.
        copies: How many tables and views it comes to when each table of WITH is written out
            wherever it is used, as SQLite does: each may double the one before.
        is_counting: It counts or sums up, so that the order of what it reads does not matter.
    """

    tokens: tuple[Token, ...]
    tables: frozenset[str]
    nested: frozenset[str]
    sources: frozenset[str]
    copies: int
    is_counting: bool


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
        if token.kind == "symbol" and not token.text.isprintable():
            raise NotOneSelectError("The query holds what is no sign of SQL")
    sources = _find_sources(tokens)
    return Statement(
        tuple(tokens),
        find_common_tables(tokens),
        _find_nested(tokens),
        frozenset(small(tokens[at].text) for at in sources),
        _count_copies(tokens, sources),
        _is_counting(tokens),
    )


def _is_counting(tokens: Sequence[Token]) -> bool:
    """Tell whether the outermost SELECT sums up, and nothing goes by the order of what it reads."""
    if any(token.is_word(*_BY_ORDER) for token in tokens):
        return False
    depths = list(accumulate(token.is_symbol("(") - token.is_symbol(")") for token in tokens))
    outermost = [token for token, depth in zip(tokens, depths, strict=True) if depth == 0]
    inner = [token for token, depth in zip(tokens, depths, strict=True) if depth > 0]
    if any(token.is_word("union", "except", "intersect") for token in outermost):
        return False
    words = [token.text for token in outermost if token.kind == "word"]
    if "select" not in words or "from" not in words:
        return False
    listed = words[words.index("select") : words.index("from")]
    return not {"min", "max"}.intersection(listed) and (
        not any(token.is_word("limit") for token in inner)
        and any(word in _SUMMING for word in listed)
    )


def read_tokens(sql: str) -> Iterator[Token]:
    """Cut a text into tokens, leaving out space and comments; keywords come in small letters."""
    for found in _TOKEN.finditer(sql):
        kind, text = found.lastgroup, found.group()
        if kind == "word":
            yield Token("word", small(text))
        elif kind in ("string", "name"):
            yield Token("string" if kind == "string" else "name", _unquoted(text))
        elif kind != "skipped":
            yield Token("number" if kind == "number" else "symbol", text)


def find_common_tables(tokens: Sequence[Token]) -> frozenset[str]:
    """Find each `name AS (` and `name (columns) AS (`: what WITH clauses define, and no table."""
    return frozenset(name for name, _ in _find_bodies(tokens))


def _find_bodies(tokens: Sequence[Token]) -> list[tuple[str, range]]:
    closing = _closing(tokens)
    return [
        (small(token.text), body)
        for at, token in enumerate(tokens)
        if _may_name(token) and (body := _body(tokens, at + 1, closing)) is not None
    ]


def _find_nested(tokens: Sequence[Token]) -> frozenset[str]:
    changes = (token.is_symbol("(") - token.is_symbol(")") for token in tokens)
    depth_after = list(accumulate(changes))
    # The bracket that opens the body counts for itself.
    return frozenset(name for name, body in _find_bodies(tokens) if depth_after[body.start] > 1)


def _may_name(token: Token) -> bool:
    return token.kind in ("word", "name", "string")  # SQLite takes a text for a name, too


def _find_sources(tokens: Sequence[Token]) -> list[int]:
    """Find the places of names that may be tables: all that are, and some columns."""
    return [
        at
        for at in range(1, len(tokens))
        if _may_name(tokens[at])
        and (
            tokens[at - 1].is_word("from", "join")
            or (tokens[at - 1].kind == "symbol" and tokens[at - 1].text in ",(.")
        )
    ]


def _body(tokens: Sequence[Token], at: int, closing: dict[int, int]) -> range | None:
    """Give the tokens between the brackets of `(columns) AS (…)`; None when it is not that."""
    if at < len(tokens) and tokens[at].is_symbol("("):
        at = closing.get(at, len(tokens)) + 1
    if at >= len(tokens) or not tokens[at].is_word("as"):
        return None
    at += 1
    while at < len(tokens) and tokens[at].is_word("not", "materialized"):
        at += 1
    if at >= len(tokens) or not tokens[at].is_symbol("("):
        return None
    return range(at, closing.get(at, len(tokens)))


def _count_copies(tokens: Sequence[Token], sources: Sequence[int]) -> int:
    """Count until no table of WITH becomes larger: they may be defined in any order."""
    bodies = _find_bodies(tokens)
    if len(bodies) > _MOST_TABLES:
        return _MOST_COPIES
    used = [
        (name, Counter(small(tokens[at].text) for at in sources if at in body))
        for name, body in bodies
    ]
    worth: dict[str, int] = {}
    for _ in used:
        before = dict(worth)
        for name, names in used:
            worth[name] = _worth(names, worth, own=name)
        if worth == before:
            break
    return _worth(Counter(small(tokens[at].text) for at in sources), worth, own="")


def _worth(names: Counter[str], worth: dict[str, int], own: str) -> int:
    total = 1 + sum(n * worth.get(name, 1) for name, n in names.items() if name != own)
    return min(total, _MOST_COPIES)


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
