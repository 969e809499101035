"""Questions that ask for advice: told from their words, and what is left of them is their topic.

"Can you recommend a film for tonight?" asks for what no memory holds. What it may hold is what
the asker told of themselves that bears on films. "Did you recommend a film?" is a question about
the past, and none for advice. The words are in `resources/ontology/advice.toml`.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from apexmem_desktop.domain.locations import resources_dir


@dataclass(frozen=True, slots=True)
class _Phrases:
    """How advice is asked for in one language, and what asks for something past instead."""

    asking: tuple[re.Pattern[str], ...]
    past: re.Pattern[str]


def asks_advice(question: str, language: str) -> bool:
    """Tell whether a question asks for advice, not for what was said or done.

    Args:
        language: "en" or "zh".
    """
    past = _phrases(language).past.search(question)
    return past is None and bool(_asking(question, language))


def advice_topic(question: str, language: str) -> str:
    """Give the question with blanks where it asks for advice, as long as it was.

    So names and time words stand in it where they stood.
    """
    kept = list(question)
    for start, end in _asking(question, language):
        kept[start:end] = " " * (end - start)
    topic = "".join(kept)
    return topic if re.search(r"\w", topic) else question


def advice_words(words: Iterable[str]) -> tuple[str, ...]:
    """Leave out words that every question for advice may have, and that tell nothing of its topic.

    Where nothing is left they all stay.
    """
    words = tuple(words)
    kept = tuple(word for word in words if word.casefold() not in _no_topic())
    return kept or words


def _asking(question: str, language: str) -> list[tuple[int, int]]:
    """Find the words that ask; what kind of thing is asked for stands between two parts of them."""
    spans: list[tuple[int, int]] = []
    for pattern in _phrases(language).asking:
        for match in pattern.finditer(question):
            inner = next((n for n, v in match.groupdict().items() if v), "")
            if inner:
                spans += [(match.start(), match.start(inner)), (match.end(inner), match.end())]
            else:
                spans.append(match.span())
    return spans


@cache
def _phrases(language: str) -> _Phrases:
    name = "chinese" if language == "zh" else "english"
    told = _read()
    return _Phrases(
        tuple(_compiled(one, told) for one in told[name]), _compiled(told[f"{name}_past"], told)
    )


@cache
def _no_topic() -> frozenset[str]:
    return frozenset(_read()["no_topic"].split())


def _compiled(pattern: str, told: dict[str, Any]) -> re.Pattern[str]:
    for name, part in told["parts"].items():
        pattern = pattern.replace(f"<{name}>", part)
    return re.compile(pattern, re.IGNORECASE)


@cache
def _read() -> dict[str, Any]:
    with (resources_dir() / "ontology" / "advice.toml").open("rb") as file:
        return tomllib.load(file)
