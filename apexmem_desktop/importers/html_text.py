"""HTML to the text a reader sees; what a caller takes for a quotation is left out.

Cut apart with one linear pattern: the standard library's parser takes quadratic time on some
broken input, and mails are full of that.
"""

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?:script|style|title)\b.*?(?:</(?:script|style|title)\s*>|\Z)"
    r"|<(?P<closing>/?)(?P<tag>[a-z][a-z0-9]*)(?P<rest>(?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+)>"
    r"|<[!?/a-z][^<>]*+>?",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"\b(class|id|type)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.I)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_MANY_LINES = re.compile(r"[ \t]*\n(?:[ \t]*\n){2,}")
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "center", "dd", "div", "dl", "dt",
    "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tr", "ul",
})  # fmt: skip
_PARAGRAPHS = frozenset({
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "table", "ul", "ol",
})  # fmt: skip
_VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
    "track", "wbr",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag.

    Attributes:
        names: Its class, id and type, in lower case.
    """

    name: str
    closes: bool
    names: frozenset[str] = frozenset()


class Verdict:
    """What a caller can say of a tag that begins an element."""

    KEEP = "keep"
    SKIP = "skip"  # without what is in it
    STOP = "stop"  # here ends what is wanted


def tokens(source: str) -> Iterator[Tag | str]:
    """Give tags and the texts between them, with their entities resolved."""
    at = 0
    for found in _TOKEN.finditer(source):
        if found.start() > at:
            yield html.unescape(source[at : found.start()])
        at = found.end()
        if found["tag"]:
            name, closes = found["tag"].lower(), bool(found["closing"])
            yield Tag(name, closes, frozenset() if closes else _names(found["rest"]))
    if at < len(source):
        yield html.unescape(source[at:])


def to_text(source: str, judge: Callable[[Tag], str] = lambda _: Verdict.KEEP) -> str:
    """Write HTML as lines of text.

    Args:
        judge: Says for each tag that begins an element what becomes of it.
    """
    pieces: list[str] = []
    skipping = ""  # name of the element that is left out
    depth = 0  # of elements of that name in it
    for token in tokens(source):
        if skipping:
            if isinstance(token, Tag) and token.name == skipping:
                depth += -1 if token.closes else 1
                skipping = skipping if depth else ""
            continue
        if isinstance(token, str):
            pieces.append(_SPACES.sub(" ", token))
            continue
        verdict = Verdict.KEEP if token.closes else judge(token)
        if verdict == Verdict.STOP:
            break
        if verdict == Verdict.SKIP and token.name not in _VOID:
            skipping, depth = token.name, 1
        pieces.append(_break(token))
    return _tidy("".join(pieces))


def _names(rest: str) -> frozenset[str]:
    values = (found[2] or found[3] or found[4] or "" for found in _ATTRIBUTE.finditer(rest))
    return frozenset(name for value in values for name in value.lower().split())


def _break(tag: Tag) -> str:
    if tag.name == "br":
        return "\n"
    if tag.name == "li":
        return "" if tag.closes else "\n- "
    if tag.name in ("td", "th") and tag.closes:
        return " "
    if tag.name in _PARAGRAPHS and tag.closes:
        return "\n\n"
    return "\n" if tag.name in _BLOCKS else ""


def _tidy(text: str) -> str:
    """Take away the spaces and empty lines that no browser shows."""
    lines = (line.strip(" \t\xa0") for line in text.split("\n"))
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line.replace("\xa0", " "))
    return _MANY_LINES.sub("\n\n", "\n".join(kept)).strip()
