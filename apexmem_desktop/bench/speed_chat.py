"""Generated chat: a WhatsApp export of any length, the same each time."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink, ignore_progress

_PEOPLE = ("Ana Lima", "Ben Roth", "Cleo Park")
_SAYINGS = (
    "I moved to {place} last week", "we bought a {thing} yesterday", "are you coming on {day}?",
    "my sister lives in {place} now", "haha no way", "the {thing} is broken again, so annoying",
    "I'm going to {place} on {day}", "see you on {day} then", "I started as a {job} in {place}",
    "did anybody see my {thing}?", "work was long today, the {job} next door sang all day",
    "the {job} next door talked me into a {thing}",
)  # fmt: skip
_WORDS = {
    "place": ("Lisbon", "Porto", "Leeds", "Graz", "Bergen", "Turin", "Ghent", "Malmö"),
    "thing": ("tent", "bicycle", "piano", "kettle", "camera", "sofa", "drill", "canoe"),
    "day": ("Monday", "Tuesday", "Friday", "Saturday", "3 June", "the 14th"),
    "job": ("nurse", "baker", "teacher", "welder", "pilot", "plumber"),
}
PLACES, THINGS = _WORDS["place"], _WORDS["thing"]
# Real chats have few words said often and many said once in years; so have these.
_VOCABULARY = 20_000
_MOST_ADDED = 7
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "el", "or")]
_FIRST = datetime(2019, 3, 1, 8, 0, tzinfo=UTC)
_SPAN_MINUTES = 6 * 365 * 1440  # however many there are, none is said in the future
_MOST_MEAN_MINUTES = 127.0
_PAUSES = 0.02  # share of the messages that come after a silence
_REPORTED = 20_000


def chat_text(messages: int) -> str:
    """Write an Android export of that many messages; the same each time."""
    return "".join(f"{line}\n" for line in _lines(messages))


def write_chat(
    path: Path,
    messages: int,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> None:
    """Write such an export to a file."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(_lines(messages), start=1):
            file.write(f"{line}\n")
            if number % _REPORTED == 0:
                (cancel or CancelToken()).check()
                progress(Progress("Generating messages", number, messages, "messages"))


def made_up_words() -> list[str]:
    """List the words of the chat that mean nothing, the most said first."""
    draw = random.Random(3)  # noqa: S311 - made-up words, no secret
    found: dict[str, None] = {}
    while len(found) < _VOCABULARY:
        found["".join(draw.choices(_SYLLABLES, k=draw.choice((2, 2, 3, 4))))] = None
    return list(found)


def _lines(messages: int) -> Iterator[str]:
    draw = random.Random(7)  # noqa: S311 - made-up chatter, no secret
    words = made_up_words()
    zipf = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    mean = min(_MOST_MEAN_MINUTES, _SPAN_MINUTES / messages)
    pause = max(0.0, mean - 1) / _PAUSES
    at = _FIRST
    for _ in range(messages):
        minutes = (
            draw.expovariate(1 / pause)
            if pause and draw.random() < _PAUSES
            else draw.choice((0, 1, 1, 2))
        )
        at += timedelta(minutes=int(minutes))
        said = draw.choice(_SAYINGS).format_map({k: draw.choice(v) for k, v in _WORDS.items()})
        added = " ".join(draw.choices(words, cum_weights=zipf, k=draw.randrange(_MOST_ADDED)))
        yield f"{at:%d/%m/%Y, %H:%M} - {draw.choice(_PEOPLE)}: {said} {added}".rstrip()
