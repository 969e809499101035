"""Names that a question gives beside whom it is about: turns that have none of one do not answer.

"How often does she see Dr. Johnson?" is not answered by how often she sees Dr. Smith, however near
that turn lies. Of 55 answerable questions of the dev conversations with such a name 9 have one that
no near turn has, 4 of them guesses by their nature; of 16 without an answer 7.
"""

import re
from collections.abc import Sequence

from apexmem_desktop.agent.whose import About
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.recall.vocabulary import STOPWORDS
from apexmem_desktop.storage.names import normalise

_WORD = re.compile(r"[^\W_]+(?:['’+][^\W_]+)*")
_OWNED = re.compile(r"['’]s?$")
# Capitals that name no thing: the calendar's, and what one answers with.
_NO_NAMES = frozenset(
    """january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday i yes no answer dr mr mrs ms""".split()  # noqa: SIM905
)
LEAST_SHARE, LEAST_CHARS = 0.7, 4


def missing_names(read: Understood, about: About, hits: Sequence[TurnHit]) -> list[str]:
    """Give the names of a question that none of the turns has, English capitals only."""
    told = normalise(" ".join(f"{hit.speaker} {hit.text}" for hit in hits))
    return [name for name in _names(read, about) if not _stands_in(name, told)]


def _names(read: Understood, about: About) -> list[str]:
    own = normalise(" ".join([*about.names, *(named.words for named in read.entities)])).split()
    found = []
    for word in _WORD.finditer(read.question):
        bare = normalise(_OWNED.sub("", word.group()))
        is_capital = word.start() > 0 and any(char.isupper() for char in word.group())
        if is_capital and bare not in _NO_NAMES and bare not in STOPWORDS and bare not in own:
            found.append(bare)
    return found


def beginning(word: str) -> str:
    """Give so much of a word as must stand in a turn: its ending may be another."""
    return word[: max(LEAST_CHARS, round(len(word) * LEAST_SHARE))]


def _stands_in(name: str, told: str) -> bool:
    return re.search(rf"(?<![a-z0-9]){re.escape(beginning(name))}", told) is not None
