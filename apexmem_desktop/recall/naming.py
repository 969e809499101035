"""Who and what a question names: speakers and entities by name, first name, alias or short form."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.turn import Role
from apexmem_desktop.recall.vocabulary import CJK, STOPWORDS, WORD
from apexmem_desktop.storage.conversations import find_conversations
from apexmem_desktop.storage.entities import find_entities_named
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.settled import find_settled_owner
from apexmem_desktop.storage.turns import find_conversation_turns, find_speakers
from apexmem_desktop.storage.vault import Connection

# Whose memory it is speaks of themselves, or is spoken of as "the user".
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|myself|i|[Tt]he user)\b|我(?!们)|用户")
_POSSESSIVE = re.compile(r"(?:['’]s|['’])$")
# A sign that would make a name a part of a longer word: Chinese is written without spaces.
_LETTER = r"[^\W\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff]"
_LONGEST_NAME_WORDS = 4
_CHATS_LOOKED_AT = 20
_TURNS_LOOKED_AT = 4
_LONGEST_NAME_CHARS = 6  # of a CJK name inside a sentence without spaces
_SHORTEST_PREFIX = 3  # "Mel" may be Melanie, "Me" may not


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody or something that a question names.

    Attributes:
        name: The canonical name.
        words: The words of the question that name it.
        start: Where they stand, in characters.
        entity_ids: Every entity it can be; empty while the graph knows none.
        speaker: Name as their turns bear it, "" for who never spoke.
    """

    name: str
    words: str
    start: int
    entity_ids: tuple[int, ...] = ()
    speaker: str = ""

    @property
    def end(self) -> int:
        """Where the words end, in characters."""
        return self.start + len(self.words)


def find_named(db: Connection, question: str) -> list[Named]:
    """Find everybody and everything a question names, in the order of the words.

    Where two speakers share the name used, both are given: the question does not tell which.
    Who is named twice is given twice, each time with the place in the question.
    """
    speakers = [name for name, _ in find_speakers(db) if name]
    found = _speakers_named(question, speakers)
    found += _entities_named(db, question, found)
    found = [_with_entities(db, named) for named in found]
    me = _FIRST_PERSON.search(question)
    owner = find_owner(db) if me is not None else ""
    if me is not None and owner and all(named.speaker != owner for named in found):
        found.append(_with_entities(db, Named(owner, me.group(), me.start(), (), owner)))
    return sorted(found, key=lambda named: (named.start, named.name))


def is_first_person(words: str) -> bool:
    """Tell whether these words mean the vault's owner rather than name somebody."""
    return _FIRST_PERSON.fullmatch(words) is not None


def find_owner(db: Connection) -> str:
    """Tell whose vault it is; "" when unclear.

    It is who the user said they are; else who speaks to the assistants of AI chats; else the one
    person who speaks in every conversation, which from two of them on mostly shows: an export is
    made by somebody in it.
    """
    if said := _speaker_called(db, find_settled_owner(db)):
        return said
    chats = find_conversations(db)
    users = {user for chat in chats[:_CHATS_LOOKED_AT] for user in _users(db, chat.id)}
    if len(users) == 1:
        return users.pop()
    casts = [set(chat.speakers) for chat in chats if len(chat.speakers) > 1]
    if len(casts) < 2:
        return ""
    everywhere = set.intersection(*casts)
    return everywhere.pop() if len(everywhere) == 1 else ""


def _speaker_called(db: Connection, name: str) -> str:
    wanted = normalise(name)
    speakers = (speaker for speaker, _ in find_speakers(db)) if wanted else iter(())
    return next((speaker for speaker in speakers if normalise(speaker) == wanted), "")


def _users(db: Connection, conversation_id: int) -> set[str]:
    """Name the human side of an AI chat, from its first turns."""
    first = find_conversation_turns(db, conversation_id, limit=_TURNS_LOOKED_AT)
    return {turn.speaker for turn in first if turn.role is Role.USER and turn.speaker}


def _speakers_named(question: str, speakers: Sequence[str]) -> list[Named]:
    taken = _Spans()
    # An AI chat calls its human "You"; in a question that word names nobody.
    speakers = [s for s in speakers if normalise(s) not in STOPWORDS]
    found = _written_out(question, {s: [s] for s in speakers}, taken)
    short = _short_forms(speakers)
    found += [
        Named(speaker, word, start, speaker=speaker)
        for start, word in _tokens(question)
        if not taken.covers(start, start + len(word))
        for speaker in _called(word, short)
    ]
    found += _written_out(question, {f: o for f, o in short.items() if CJK.fullmatch(f)}, taken)
    return found


def _written_out(question: str, forms: Mapping[str, Sequence[str]], taken: "_Spans") -> list[Named]:
    """Find names that stand in the question as they are, the longest first."""
    return [
        Named(speaker, words, start, speaker=speaker)
        for form in sorted(forms, key=len, reverse=True)
        for start, words in _occurrences(question, form)
        if taken.add(start, start + len(words))
        for speaker in forms[form]
    ]


def _short_forms(speakers: Sequence[str]) -> dict[str, list[str]]:
    """List what a speaker may be called: each part of the name; a CJK name without surname."""
    forms: dict[str, list[str]] = defaultdict(list)
    for speaker in speakers:
        parts = {normalise(m.group()) for m in WORD.finditer(speaker)} - STOPWORDS
        if CJK.fullmatch(speaker) and len(speaker) > 2:
            parts.add(normalise(speaker[1:]))
        for part in parts:
            if len(part) > 1:
                forms[part].append(speaker)
    return forms


def _called(word: str, forms: dict[str, list[str]]) -> list[str]:
    name = normalise(word)
    if name in forms:
        return forms[name]
    if len(name) < _SHORTEST_PREFIX or not word[0].isupper() or name in STOPWORDS:
        return []
    starts = {s for form, owners in forms.items() if form.startswith(name) for s in owners}
    return sorted(starts) if len(starts) == 1 else []


def _entities_named(db: Connection, question: str, known: Sequence[Named]) -> list[Named]:
    taken = _Spans((named.start, named.end) for named in known)
    found: list[Named] = []
    for start, words in _candidates(question):
        if taken.covers(start, start + len(words)):
            continue
        entities = find_entities_named(db, words)
        if entities and taken.add(start, start + len(words)):
            found.append(_from_entities(entities, words, start))
    return found


def _from_entities(entities: Sequence[Entity], words: str, start: int) -> Named:
    return Named(entities[0].name, words, start, tuple(e.id for e in entities))


def _with_entities(db: Connection, named: Named) -> Named:
    if named.entity_ids or not named.speaker:
        return named
    entities = find_entities_named(db, named.speaker)
    ids = tuple(e.id for e in entities)
    return Named(named.name, named.words, named.start, ids, named.speaker)


def _candidates(question: str) -> Iterator[tuple[int, str]]:
    """Give the stretches of words that could be a name, longest first."""
    tokens = list(_tokens(question))
    for length in range(_LONGEST_NAME_WORDS, 0, -1):
        for first in range(len(tokens) - length + 1):
            start, last = tokens[first][0], tokens[first + length - 1]
            ends = {tokens[first][1].casefold(), last[1].casefold()}
            if not ends & STOPWORDS:
                yield start, question[start : last[0] + len(last[1])]
    for run in CJK.finditer(question):
        text = run.group()
        for length in range(min(_LONGEST_NAME_CHARS, len(text)), 1, -1):
            for at in range(len(text) - length + 1):
                yield run.start() + at, text[at : at + length]


def _tokens(question: str) -> Iterator[tuple[int, str]]:
    """Give the words with their offsets, without "'s"; CJK runs are not words."""
    for match in WORD.finditer(CJK.sub(lambda run: " " * len(run.group()), question)):
        word = _POSSESSIVE.sub("", match.group())
        if word:
            yield match.start(), word


def _occurrences(question: str, name: str) -> Iterator[tuple[int, str]]:
    """Find a name as whole words, or anywhere where the script has no spaces."""
    before, after = ("", "") if CJK.search(name) else (rf"(?<!{_LETTER})", rf"(?!{_LETTER})")
    pattern = before + re.escape(name) + after if name[-1:].isalnum() else re.escape(name)
    for match in re.finditer(pattern, question, re.IGNORECASE):
        yield match.start(), match.group()


class _Spans:
    """Stretches of the question that are taken."""

    def __init__(self, spans: Iterator[tuple[int, int]] | None = None) -> None:
        self._spans = list(spans or ())

    def covers(self, start: int, end: int) -> bool:
        """Tell whether any of it is taken."""
        return any(s < end and start < e for s, e in self._spans)

    def add(self, start: int, end: int) -> bool:
        """Take it, unless some of it is taken."""
        if self.covers(start, end):
            return False
        self._spans.append((start, end))
        return True
