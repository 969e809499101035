"""Which stored chat an export continues.

A chat's own id decides where there is one, then equal turns. Two phones call the same people by
other names, and the phone's database has ids where the exported text has none: there, who says the
same words in the same minutes is the same chat.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from heapq import nlargest
from itertools import chain

from apexmem_desktop.domain.families import family_of
from apexmem_desktop.domain.turn import ImportedTurn, TurnKind
from apexmem_desktop.services.import_spool import Kept, Spool
from apexmem_desktop.storage import chat_matches
from apexmem_desktop.storage.chat_matches import StoredChat
from apexmem_desktop.storage.keys import count_walked
from apexmem_desktop.storage.vault import Connection

_MINUTE_MS = 60_000
# Formats in which the same chat can come; those of AI chats have ids that never change.
_CAN_DIFFER = (
    *("whatsapp", "whatsapp-database", "line", "kakaotalk", "wechat", "telegram", "messenger"),
    *("signal", "imessage", "sms-backup"),
)
_SURE = 3  # so many equal turns (speaker, clock, words) are no coincidence
_SURE_BETWEEN_IDS = 8  # two ids of one app mean two chats, unless much is the same
_LOOKED_AT = 24
_LEAST_SHARE = 0.5
_SAME_SPEAKER_SHARE = 0.8


class ChatFinder:
    """Finds the stored chats that those of one export are, before its turns are stored."""

    def __init__(self, db: Connection, format: str, spool: Spool) -> None:  # noqa: A002
        self._db = db
        self._format = format
        self._spool = spool
        family = family_of(format)
        self._kin = [name for name in _CAN_DIFFER if family_of(name) == family] or [format]
        self._can_differ = format in _CAN_DIFFER

    @cached_property
    def _chats(self) -> dict[int, StoredChat]:
        return {chat.id: chat for chat in chat_matches.find_chats(self._db, self._kin)}

    def find(self, kept: Kept) -> int | None:
        """Find the stored chat that an imported one is, if no id of its own tells that."""
        known = None if kept.external_id else self._by_keys(kept)
        if known is None and self._can_differ:
            known = self._by_words(kept)
        return known

    @cached_property
    def _nameless(self) -> dict[int, StoredChat]:
        return {
            chat.id: chat
            for chat in self._chats.values()
            if chat.format == self._format and not chat.external_id
        }

    def _by_keys(self, kept: Kept) -> int | None:
        nameless = self._nameless
        if not nameless:
            return None
        if self._is_walked:
            shared, asked = self._walked.get(kept.first, Counter[int]()), kept.spoken or kept.turns
        else:
            shared, asked = self._probed(kept)
        for chat_id, count in sorted(shared.items(), key=lambda one: (-one[1], one[0])):
            chat = nameless[chat_id]
            is_all = count >= min(asked, chat.spoken or 1)
            if count >= _SURE or (is_all and not _titles_differ(chat, kept)):
                return chat_id
        return None

    def _probed(self, kept: Kept) -> tuple[Counter[int], int]:
        """Ask the chats for the keys; return how many each has, and how many were asked for."""
        shared: Counter[int] = Counter()
        left = self._keys(kept)
        first = next(left, [])
        shared.update(dict(chat_matches.count_shared(self._db, first, list(self._nameless))))
        if len(self._nameless) == 1 and max(shared.values(), default=0) >= _SURE:
            return shared, len(first)  # no other could share more
        walked = count_walked(self._db, list(self._nameless), ((0, keys) for keys in left))
        return shared + walked.get(0, Counter()), kept.spoken or kept.turns

    @cached_property
    def _is_walked(self) -> bool:
        """Whether there are more to ask for than one: all are walked through once, not for each."""
        return sum(not kept.external_id for kept in self._spool.conversations) > 1

    @cached_property
    def _walked(self) -> dict[int, Counter[int]]:
        nameless = (kept for kept in self._spool.conversations if not kept.external_id)
        asked = ((kept.first, keys) for kept in nameless for keys in self._keys(kept))
        return count_walked(self._db, list(self._nameless), asked)

    def _keys(self, kept: Kept) -> Iterator[list[str]]:
        return self._spool.spoken_keys(kept) if kept.spoken else self._spool.keys(kept)

    def _by_words(self, kept: Kept) -> int | None:
        chats = [
            chat
            for chat in self._chats.values()
            if chat.first_at_ms is not None and chat.last_at_ms is not None
        ]
        if not chats:
            return None
        samples, telling = self._samples(kept, chats)
        best: tuple[int, int] | None = None
        for chat in chats:
            hits = self._count_equal(chat, kept, samples.get(chat.id, []), telling)
            if hits and (best is None or hits > best[0]):
                best = (hits, chat.id)
        return best[1] if best is not None else None

    def _samples(
        self, kept: Kept, chats: Sequence[StoredChat]
    ) -> tuple[dict[int, list[ImportedTurn]], int]:
        """Take for each stored chat the longest texts of its time; count all that could tell."""
        samples: dict[int, list[ImportedTurn]] = {}
        telling = 0
        for some in self._spool.turns(kept):
            told = list(filter(_is_telling, some))
            telling += len(told)
            times = [turn.said_at_ms or 0 for turn in told]
            for chat in chats if told else ():
                from_ms, before_ms = _stretch(chat)
                if max(times) < from_ms or min(times) >= before_ms:
                    continue
                both = (turn for turn in told if from_ms <= (turn.said_at_ms or 0) < before_ms)
                longest = chain(samples.get(chat.id, ()), both)
                samples[chat.id] = nlargest(_LOOKED_AT, longest, key=lambda turn: len(turn.text))
        return samples, telling

    def _count_equal(
        self, chat: StoredChat, kept: Kept, sample: Sequence[ImportedTurn], telling: int
    ) -> int:
        """Count the sampled turns that stand in a chat; 0 when it is another chat."""
        pairs = [
            (turn.speaker, speaker)
            for turn in sample
            if (speaker := self._who_said(chat.id, turn)) is not None
        ]
        ids_differ = (
            chat.format == self._format
            and chat.external_id != kept.external_id
            and bool(chat.external_id)
        )
        if ids_differ:
            enough = len(pairs) >= _SURE_BETWEEN_IDS and len(set(pairs)) > 1
        else:
            whole = 1 < len(pairs) == len(sample) >= min(telling, chat.spoken)
            enough = len(pairs) >= _SURE or whole
        fits = enough and len(pairs) >= _LEAST_SHARE * len(sample) and _is_one_to_one(pairs)
        return len(pairs) if fits else 0

    def _who_said(self, chat_id: int, turn: ImportedTurn) -> str | None:
        minute_ms = (turn.said_at_ms or 0) // _MINUTE_MS * _MINUTE_MS
        found = chat_matches.find_words(self._db, chat_id, minute_ms, minute_ms + _MINUTE_MS)
        same = [one.speaker for one in found if one.text == turn.text]
        if turn.speaker in same:
            return turn.speaker
        return same[0] if same else None


def _is_telling(turn: ImportedTurn) -> bool:
    return (
        bool(turn.speaker and turn.text)
        and turn.kind is TurnKind.MESSAGE
        and turn.said_at_ms is not None
    )


def _stretch(chat: StoredChat) -> tuple[int, int]:
    """Give the whole minutes in which a chat was."""
    first_ms, last_ms = chat.first_at_ms or 0, chat.last_at_ms or 0
    return first_ms - first_ms % _MINUTE_MS, last_ms + _MINUTE_MS


def _titles_differ(chat: StoredChat, kept: Kept) -> bool:
    """Tell whether both chats have a title of their own, and another one."""
    own = not _is_made_up(chat.title, chat.speakers)
    return own and chat.title != kept.title and not _is_made_up(kept.title, kept.speakers - {""})


def _is_made_up(title: str, speakers: frozenset[str]) -> bool:
    few, many = set(title.split(" & ")), set(title.split(", "))
    return few == speakers or (len(many) > 2 and many <= speakers)


def _is_one_to_one(pairs: Sequence[tuple[str, str]]) -> bool:
    """Tell whether each name of one export stands for one of the other, but for a few slips."""
    for which in (0, 1):
        by_name: dict[str, Counter[str]] = {}
        for pair in pairs:
            by_name.setdefault(pair[which], Counter())[pair[1 - which]] += 1
        same = sum(max(counted.values()) for counted in by_name.values())
        if same < _SAME_SPEAKER_SHARE * len(pairs):
            return False
    return True
