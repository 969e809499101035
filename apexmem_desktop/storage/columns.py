"""Turns as they are stored: in columns. A loop over turns takes several times as long."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from apexmem_desktop.domain.turn import ImportedTurn, Role, TurnKind
from apexmem_desktop.storage.indexable import indexable, telling_words
from apexmem_desktop.storage.packs import ALONE_CHARS, Own, shrunk, stored_keys

# From which length on the reading process writes a text's form for the index. It shrinks texts
# meanwhile: at 2,000 it and the storing one have as much to do (ChatGPT's long answers).
_REWRITTEN_CHARS = 2000

Voice: TypeAlias = tuple[str, Role, TurnKind, int]
"""Who said it, how, and the offset of the clock from UTC in minutes."""


class Columns(NamedTuple):
    """Some turns of a chat, which differ in their keys. What is rare is None where no turn has it.

    Attributes:
        voices: Each that speaks, once.
        spoken: Of each turn, the place of its voice in `voices`.
        said: When; None where the export gives no time.
        keys: As they are stored.
        external_ids: The export's own ids; "" for none.
        replies: External ids of what turns answer; "" for none.
        attachments: Their file names.
        rewritten: By their place, the index's forms of long texts and those in other scripts.
        alone: By their place, long texts as their own rows hold them.
    """

    voices: Sequence[Voice]
    spoken: Sequence[int]
    texts: Sequence[str]
    said: Sequence[int | None]
    keys: Sequence[str | bytes]
    external_ids: Sequence[str] | None = None
    replies: Sequence[str] | None = None
    attachments: Sequence[tuple[str, ...]] | None = None
    rewritten: Mapping[int, str] | None = None
    alone: Mapping[int, str | bytes] | None = None

    def indexed(self) -> Sequence[str]:
        """Give the texts as the index takes them."""
        if not self.rewritten:
            return list(map(telling_words, self.texts))
        forms = self.rewritten
        return [
            forms[place] if place in forms else telling_words(text)
            for place, text in enumerate(self.texts)
        ]

    def rows(self) -> Sequence[Own]:
        """Give the texts as rows of their own hold them."""
        if not self.alone:
            return self.texts
        own: list[Own] = list(self.texts)
        for place, text in self.alone.items():
            own[place] = text
        return own


def columns_of(turns: Sequence[ImportedTurn]) -> Columns:
    """Put turns into columns."""
    if not turns:
        return Columns((), (), (), (), ())
    columns: Iterator[tuple[Any, ...]] = zip(*turns, strict=True)
    speakers, roles, kinds, texts = islice(columns, 4)
    said, offsets, keys = islice(columns, 3)
    external_ids, replies, attachments = (one if any(one) else None for one in columns)
    voices, spoken = voices_of(speakers, roles, kinds, offsets)
    return Columns(
        *(voices, spoken, texts, said, stored_keys(keys)),
        *(external_ids, replies, attachments, rewritten(texts), alone(texts)),
    )


def voices_of(*parts: Iterable[Any]) -> tuple[tuple[Any, ...], list[int]]:
    """List the voices, and of each turn the place of its voice in that list."""
    each = list(zip(*parts, strict=True))
    places = {voice: place for place, voice in enumerate(dict.fromkeys(each))}
    return tuple(places), list(map(places.__getitem__, each))


def rewritten(texts: Sequence[str]) -> dict[int, str] | None:
    """Give the index's forms of very long texts and those in other scripts, by place.

    Of the rest the storing process writes them, so that it and the reading one have as much to do.
    """
    found = {
        place: telling_words(indexable(text))
        for place, text in enumerate(texts)
        if len(text) > _REWRITTEN_CHARS or not text.isascii()
    }
    return found or None


def alone(texts: Sequence[str]) -> dict[int, str | bytes] | None:
    """Give long texts as their own rows hold them, by place."""
    found = {place: shrunk(text) for place, text in enumerate(texts) if len(text) > ALONE_CHARS}
    return found or None
