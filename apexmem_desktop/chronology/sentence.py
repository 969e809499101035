"""A text cut into tokens that keep their offsets, with the clock it was said by."""

import re
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from apexmem_desktop.chronology.clock import Clock, Stretch
from apexmem_desktop.chronology.tense import Tense, tense_at

Reading = tuple[Stretch, int]  # what was meant, and the index of the token after it

# Digits in these mean no time: addresses, mail, prices, percentages, versions, phone numbers.
_NO_TIME = re.compile(
    r"""
    \b(?:https?://|www\.)\S+ | \S+@\S+\.\S+ | [@\#]\w+
    | [$€£¥₹]\s?\d[\d.,]*(?:\s?[kKmM]\b)?
    | \d[\d.,]*\s?(?:[$€£¥₹%°]|(?:USD|EUR|GBP|dollars|euros|bucks)\b)
    | \+?\(?\d{2,4}\)?(?:[-.\ ]\d{3,4}){2,}\b | \+\d[\d\ -]{6,}\d | \bv\d+(?:\.\d+)+
    """,
    re.VERBOSE,
)

_TOKEN = re.compile(
    r"""
    (?P<date> (?<![\d/.-])\d{4}-\d{1,2}-\d{1,2}(?=T\d|(?![\d-]))
        | (?<![\d/.-])\d{4}/\d{1,2}/\d{1,2}(?![\d/])
        | (?<![\d/.-])\d{1,2}(?P<mark>[/.-])\d{1,2}(?P=mark)\d{4}(?![\d/]) )
    | (?P<ampm> \d{1,2}(?:[:.]\d{2})?\ ?(?:[aApP]\.?[mM]\b\.?) )
    | (?P<time> \d{1,2}:\d{2}(?::\d{2})?(?![\d:]) )
    | (?P<ordinal> \d{1,2}(?:st|nd|rd|th)\b )
    | (?P<shortyear> (?<=\ )'\d{2}(?!\w) )
    | (?P<decade> (?:\d{4}|'?\d0)'?s\b )
    | (?P<number> \d+(?:[.,]\d+)*(?:/\d+)? )
    | (?P<word> [^\W\d_]+(?:'[^\W\d_]+)* | '[^\W\d_]+ )
    | (?P<mark_> [^\w\s] )
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a mark, in small letters, with its place in the text."""

    word: str
    kind: str
    start: int
    end: int
    capital: bool


_NOTHING = Token("", "", 0, 0, capital=False)


def hide(text: str) -> str:
    """Blank out, at equal length, what has digits but tells no time."""
    return _NO_TIME.sub(lambda found: "\x00" * len(found.group()), text)


def _tokens(text: str) -> tuple[Token, ...]:
    found = []
    for match in _TOKEN.finditer(hide(text.replace("’", "'"))):
        raw = match.group()
        kind = match.lastgroup or ""
        if match.group("date"):
            kind = "date"
        word = raw.lower()
        if kind == "word" and word.endswith("'s") and word[:-2] not in _KEEP_S:
            word = word[:-2]
        found.append(Token(word, kind.rstrip("_"), match.start(), match.end(), raw[0].isupper()))
    return tuple(found)


# Feasts whose name has an 's of its own; "yesterday's" loses its.
_KEEP_S = {"year", "valentine", "patrick", "fool", "mother", "father", "let", "it", "that"}


class Sentence:
    """A text under the eyes of the grammar. Asking past either end gives an empty token.

    Attributes:
        alone: The text is one time phrase, so a lone "2019" or "March" is meant as time.
    """

    def __init__(
        self, text: str, clock: Clock, *, alone: bool = False, tense: Tense | None = None
    ) -> None:
        self.text = text
        self.given_tense = tense
        self.clock = clock
        self.alone = alone

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens in order."""
        return _tokens(self.text)

    def in_tense(self, tense: Tense) -> "Sentence":
        """Give the same sentence, read in a tense that the words around do not tell."""
        told = copy(self)
        told.given_tense = tense
        return told

    def at(self, index: int) -> Token:
        """Give a token, or an empty one outside the text."""
        return self.tokens[index] if 0 <= index < len(self.tokens) else _NOTHING

    def word(self, index: int) -> str:
        """Give the small-letter form of a token; "" outside the text."""
        return self.at(index).word

    def starts(self, index: int, *words: str) -> bool:
        """Tell whether these words follow one another from here."""
        return all(self.word(index + step) == word for step, word in enumerate(words))

    def skip(self, index: int, *words: str) -> int:
        """Step over a token if it is one of these words."""
        return index + 1 if self.word(index) in words else index

    def tense(self, index: int) -> Tense:
        """Read the tense of the words around a token, unless it was given."""
        if self.given_tense is not None:
            return self.given_tense
        token = self.at(index)
        return tense_at(self.text, token.start, token.end)
