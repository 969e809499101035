"""What is wrong with a model's reply: each of the ways in which small models fail, in one place."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from apexmem_desktop.inference.language import GenerateRequest, Generation

CUT_OFF = "the model's reply was cut off"
REPEATED = "the model repeated itself"
EMPTY = "the model said nothing"
OUT_OF_FORM = "the model did not keep to the form"
OTHER_LANGUAGE = "the model answered in another language"

_MOST_EQUAL_LINES = 2
_PHRASE = re.compile(r"(?P<phrase>\S.{0,40}?)(?:\s*(?P=phrase)){3,}", re.DOTALL)
_LEAST_REPEATED_CHARS = 8  # "ha ha ha ha" and "----" are words of people
# Of the first word of a letter's Unicode name: what reads as one language's writing.
_SCRIPTS = {
    "CJK": "han", "HIRAGANA": "kana", "KATAKANA": "kana", "HANGUL": "hangul", "LATIN": "latin",
    "CYRILLIC": "cyrillic", "ARABIC": "arabic", "HEBREW": "hebrew", "GREEK": "greek",
    "THAI": "thai", "DEVANAGARI": "devanagari",
}  # fmt: skip


def why_bad_choice(request: GenerateRequest, reply: Generation) -> str:
    """Say what is wrong with a reply to a choice; "" when it weighs the choices."""
    weighed = [reply.choice_probabilities.get(choice, 0.0) for choice in request.choices]
    if not any(weighed):
        return EMPTY
    return "" if sum(weighed) <= 1.001 else OUT_OF_FORM


def why_bad_lines(
    reply: Generation, *, line: re.Pattern[str], nothing: str, words: Iterable[str]
) -> str:
    """Say what is wrong with a reply of lines; "" when it can be used as it is.

    Args:
        line: What each line must be, wholly.
        nothing: The reply that stands for no line.
        words: What the reply copies from, e.g. the message and the speaker's name.
    """
    text, source = reply.text.strip(), "\n".join(words)
    if not text:
        return EMPTY
    if _is_repeated(text, source):
        return REPEATED
    if reply.finish == "length":
        return CUT_OFF
    if text == nothing:
        return ""
    if _scripts(text) - _scripts(source) - {"latin"}:
        return OTHER_LANGUAGE
    whole = all(line.fullmatch(one) for one in text.split("\n"))
    return "" if whole else OUT_OF_FORM


def _is_repeated(text: str, source: str) -> bool:
    """Whether it goes in circles by itself: what a person said over and over may be copied."""
    lines = Counter(text.split("\n"))
    if max(lines.values()) > _MOST_EQUAL_LINES:
        return True
    circles = [one.group() for one in _PHRASE.finditer(text)]
    return any(len(one) >= _LEAST_REPEATED_CHARS and one not in source for one in circles)


def _scripts(text: str) -> set[str]:
    """The kinds of writing in a text; property names are Latin everywhere."""
    letters = {char for char in text if char.isalpha()}
    named = {unicodedata.name(char, "").split(" ")[0] for char in letters}
    return {_SCRIPTS[name] for name in named if name in _SCRIPTS}
