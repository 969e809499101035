"""The parts of a question to the graph: what is asked, around which events, without whom.

Only by its words: "Which races did Mira run / after / she moved", "除了Mira，/还有谁养了宠物".
"""

import re
from dataclasses import dataclass

_AFTER = r"(?:ever since|since|after|following|as soon as|once)"
_BEFORE = r"(?:before|until|till|prior to|up to)"
_HOW = rf"(?P<how>{_AFTER}|{_BEFORE})"
_BEHIND = re.compile(
    rf"^(?P<main>\W*(?:and |so |but )?(?:what|which|where|who|whose|how (?:many|often))\b.+?),?\s+"
    rf"(?P<near>(?:right|just|directly|immediately|next|shortly)\s+)?{_HOW}\s+(?P<event>.+?)\W*$",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    rf"^\W*(?P<near>(?:right|just|directly|immediately|shortly)\s+)?{_HOW}\s+(?P<event>[^,]+),\s*"
    r"(?P<main>(?:what|which|where|who|whose|how (?:many|often))\b.+)$",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"^(?:在|自从|从)?(?P<event>.+?)(?P<how>之前|以前|之后|以后|以来|(?<=[\u4e00-\u9fff])[前后])[，,]?"
    r"(?P<main>.*?(?:什么|哪|谁|几|多少).*)$"
)
_MORE = re.compile(rf",?\s+(?:and|but)\s+{_HOW}\s+", re.IGNORECASE)
_NEAREST = re.compile(r"\b(?:first|next|last)\b|第一|最先|接着|随后", re.IGNORECASE)
_APART_FROM = re.compile(
    r",?\s*(?:\b(?:apart|aside) from|\bbesides|\bexcept(?: for)?|\bother than|\bnot counting"
    r"|除了|除)\s*(?P<whom>[^,，?？]+?)(?:以外|之外|外)?(?=[,，?？]|$)[,，]?",
    re.IGNORECASE,
)
_ELSE = re.compile(r"\belse\b|\balso\b|还(?=有)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Around:
    """A question about what lies around events.

    Attributes:
        main: What is asked, with spaces in the place of the rest, so that places are kept.
        events: Each phrase, its place in the question, and whether what is asked lies after it.
        is_nearest: Whether only what lies nearest is asked for.
    """

    main: str
    events: tuple[tuple[str, int, bool], ...]
    is_nearest: bool = False


def read_around(question: str) -> Around | None:
    """Take a question apart at its events; None for one that has none."""
    chinese = _CHINESE.match(question)
    if chinese is not None:
        is_after = chinese["how"] in ("之后", "以后", "以来", "后")
        event = ((chinese["event"], chinese.start("event"), is_after),)
        nearest = bool(_NEAREST.search(chinese["main"]))
        return Around(_only(question, *chinese.span("main")), event, nearest)
    found = _AHEAD.match(question) or _BEHIND.match(question)
    if found is None:
        return None
    main = _only(question, *found.span("main"))
    nearest = bool(found["near"] or _NEAREST.search(found["main"]))
    return Around(main, _events(found), nearest)


def _events(found: re.Match[str]) -> tuple[tuple[str, int, bool], ...]:
    """Give the phrases: "after A but before B" has two."""
    phrase, start, how = found["event"], found.start("event"), found["how"]
    more = _MORE.search(phrase)
    if more is None:
        return ((phrase, start, _is_after(how)),)
    return (
        (phrase[: more.start()], start, _is_after(how)),
        (phrase[more.end() :], start + more.end(), _is_after(more["how"])),
    )


def _is_after(how: str) -> bool:
    return re.fullmatch(_AFTER, how, re.IGNORECASE) is not None


def leave_out(question: str) -> tuple[str, str, int]:
    """Take "besides Mira" out of a question: what is left, whom it names, and where.

    What was taken out is made of spaces, so that places are kept; "" where nobody is left out.
    """
    found = _APART_FROM.search(question)
    if found is None:
        return question, "", 0
    rest = _blank(question, *found.span())
    return _ELSE.sub(lambda one: " " * len(one.group()), rest), found["whom"], found.start("whom")


def _blank(text: str, start: int, end: int) -> str:
    return f"{text[:start]}{' ' * (end - start)}{text[end:]}"


def blanked(text: str, start: int, end: int) -> str:
    """Give a text with spaces in the place of a part."""
    return _blank(text, start, end)


def _only(text: str, start: int, end: int) -> str:
    return f"{' ' * start}{text[start:end]}{' ' * (len(text) - end)}"
