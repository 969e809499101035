"""Makes turns of the header lines of one WhatsApp chat: who speaks, what it is, when."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from apexmem_desktop.domain.turn import ImportedTurn, Role, TurnKind
from apexmem_desktop.importers.local_clock import LocalClock
from apexmem_desktop.importers.phrases import MARKS, SPACES, Phrases, without_marks
from apexmem_desktop.importers.turn_keys import TurnKeys
from apexmem_desktop.importers.whatsapp_heads import Head
from apexmem_desktop.importers.whatsapp_kinds import Kind, classify, needs_a_look

_SENDER = re.compile(rf"([^\n]{{1,200}}?):(?:[{MARKS}]*[{SPACES}]|$)")
_TIGHT_SENDER = re.compile(r"([^\n:]{1,200}):")
_TILDE = re.compile(rf"^[{SPACES}{MARKS}]*~[{SPACES}{MARKS}]*")
_TORN_LINE = re.compile(r"\d[/.]\d{1,4},? \d{1,2}[:.]\d{2} - ")  # two lines run into one
_SPACES = re.compile(f"[{SPACES}]+")
_MESSAGES_TO_JUDGE = 50
_LONGEST_SENDER_CHARS = 200


class RawTurn(NamedTuple):
    """A header line with the lines that follow it.

    Attributes:
        day: Proleptic ordinal of the local day.
        sender: As written; None when the line names none.
    """

    head: Head
    day: int
    sender: str | None
    text: str


def speaker_name(sender: str) -> str:
    """Clean a sender's name: no direction marks, single spaces, no "~" of unsaved numbers."""
    return _SPACES.sub(" ", without_marks(_TILDE.sub("", sender))).strip()


def split_senders(lines: list[str], heads: list[tuple[Head, int]]) -> list[RawTurn]:
    """Join each header line with what follows it, and split the sender off."""
    split = [_split(head.rest) for head, _ in heads]
    known = {sender for sender, _ in split if sender is not None}
    turns = []
    for index, (head, day) in enumerate(heads):
        end = heads[index + 1][0].line if index + 1 < len(heads) else len(lines)
        sender, text = split[index]
        if sender is None:
            sender, text = _split_tight(text, known)
        if end - head.line > 1:
            text = "\n".join((text, *lines[head.line + 1 : end]))
        turns.append(RawTurn(head, day, sender, text))
    return turns


def _split(rest: str) -> tuple[str | None, str]:
    colon = rest.find(": ")
    if colon > 0 and colon == rest.find(":") and colon < _LONGEST_SENDER_CHARS:
        return rest[:colon], rest[colon + 2 :]
    found = _SENDER.match(rest)
    return (None, rest) if found is None else (found[1], rest[found.end() :])


def _split_tight(rest: str, known: set[str]) -> tuple[str | None, str]:
    """Split where no space follows the colon, if somebody of that name speaks elsewhere."""
    found = _TIGHT_SENDER.match(rest)
    if found is None or found[1] not in known:
        return None, rest
    return found[1], rest[found.end() :]


class Chat:
    """One chat with its senders judged: a group's title and "System" are nobody."""

    def __init__(self, turns: list[RawTurn], phrases: Phrases, title: str) -> None:
        self._phrases = phrases
        self._turns = turns
        self._title = speaker_name(title)
        self._repeated_marked = _repeated_marked(turns)
        texts: dict[str, list[str]] = {}
        for turn in turns:
            if turn.sender is not None:
                said = texts.setdefault(turn.sender, [])
                if len(said) < _MESSAGES_TO_JUDGE:
                    said.append(turn.text)
        self._names = {
            sender: "" if self._is_nobody(sender, said) else speaker_name(sender)
            for sender, said in texts.items()
        }
        self.speakers = tuple(dict.fromkeys(name for name in self._names.values() if name))

    def _is_nobody(self, sender: str, texts: list[str]) -> bool:
        """A "sender" whose every text is a notice is the title of a group, or part of a notice."""
        if not speaker_name(sender) or _TORN_LINE.search(sender):
            return True
        for text in texts:
            whole = f"{sender}: {text}"
            if self._phrases.is_notice(text.strip()) or (
                len(texts) <= 3 and self._is_torn_notice(whole)
            ):
                continue
            kind = classify(text, self._phrases)
            if not kind.own_words or without_marks(text).strip() in self._repeated_marked:
                return False
        return True

    def _is_torn_notice(self, whole: str) -> bool:
        """A notice with a colon in it, such as a new subject, looks like a sender and a text."""
        return any(quote in whole for quote in "\"“„«「'”") and self._phrases.is_notice(whole)

    def imported(self, clock: LocalClock) -> Iterator[ImportedTurn]:
        """Make the turns, in the order of the file."""
        keys = TurnKeys()
        for turn in self._turns:
            head = turn.head
            speaker = self._names[turn.sender] if turn.sender is not None else ""
            kind = self._kind(turn, speaker)
            if kind.kind is TurnKind.NOTICE:
                speaker = ""
            said_at_ms, offset_minutes = clock.utc(turn.day, head.minute, head.second or 0)
            # To the minute: Android shows no seconds, so the same chat from both agrees.
            minute = str(turn.day * 1440 + head.minute)
            yield ImportedTurn(
                speaker,
                Role.PERSON if speaker else Role.SYSTEM,
                kind.kind,
                kind.text,
                said_at_ms,
                offset_minutes,
                keys.key(speaker, minute, kind.kind, kind.key_text),
                attachments=kind.attachments,
            )

    def _kind(self, turn: RawTurn, speaker: str) -> Kind:
        if not speaker:
            words = without_marks(turn.text).strip()
            if turn.sender is not None and not self._phrases.is_notice(turn.text.strip()):
                words = without_marks(f"{turn.sender}: {turn.text}").strip()
            return Kind(TurnKind.NOTICE, words, "", own_words=True)
        text = turn.text
        if text and not needs_a_look(text, self._phrases):
            return Kind(TurnKind.MESSAGE, text, text)
        kind = classify(text, self._phrases)
        if kind.own_words and kind.text in self._repeated_marked:
            # A placeholder for photos in a language that we have no words of.
            return Kind(TurnKind.MEDIA, "", "", (kind.text,))
        return kind


def _repeated_marked(turns: list[RawTurn]) -> frozenset[str]:
    """Short texts behind a direction mark that come again and again: left-out photos."""
    marked = Counter(
        without_marks(turn.text).strip()
        for turn in turns
        if turn.sender is not None and turn.text[:1] == "\u200e" and len(turn.text) < 60
    )
    return frozenset(text for text, count in marked.items() if count > 2)
