"""Which stored chat an export continues, and which of its turns are there under another key.

A chat's own id decides where there is one, then equal turns. Two phones call the same people by
other names, and the phone's database has ids where the exported text has none: there, who says the
same words in the same minutes is the same chat.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from apexmem_desktop.domain.turn import ImportedConversation, ImportedTurn, TurnKind
from apexmem_desktop.storage import chat_matches, conversations
from apexmem_desktop.storage.chat_matches import StoredChat, StoredWords
from apexmem_desktop.storage.vault import Connection

_MINUTE_MS = 60_000
# Formats in which the same chat can come; those of AI chats have ids that never change.
_FAMILIES = {"whatsapp-database": "whatsapp"} | {
    name: name
    for name in (
        *("whatsapp", "line", "kakaotalk", "wechat", "telegram", "messenger", "signal"),
        *("imessage", "sms-backup"),
    )
}
_SURE = 3  # so many equal turns (speaker, clock, words) are no coincidence
_SURE_BETWEEN_IDS = 8  # two ids of one app mean two chats, unless much is the same
_LOOKED_AT = 24
_LEAST_SHARE = 0.5
_SAME_SPEAKER_SHARE = 0.8
_WORDS = (TurnKind.MESSAGE, TurnKind.MEDIA)  # of other kinds the wording differs by language


class ChatFinder:
    """Finds the stored chats that those of one export are, before its turns are stored."""

    def __init__(self, db: Connection, format: str) -> None:  # noqa: A002
        self._db = db
        self._format = format
        family = _FAMILIES.get(format)
        self._kin = [name for name, of in _FAMILIES.items() if of == family] or [format]
        self._can_differ = family is not None

    @cached_property
    def _chats(self) -> dict[int, StoredChat]:
        return {chat.id: chat for chat in chat_matches.find_chats(self._db, self._kin)}

    def find(self, conversation: ImportedConversation) -> int | None:
        """Find the stored chat that an imported one is; None when it is new."""
        if conversation.external_id:
            known = conversations.find_conversation_id(
                self._db, format=self._format, external_id=conversation.external_id, keys=()
            )
        else:
            known = self._by_keys(conversation)
        if known is None and self._can_differ:
            known = self._by_words(conversation)
        return known

    def _by_keys(self, conversation: ImportedConversation) -> int | None:
        spoken = [turn.key for turn in conversation.turns if turn.speaker]
        keys = spoken or [turn.key for turn in conversation.turns]
        for chat_id, shared in chat_matches.count_shared(self._db, self._format, keys):
            chat = self._chats.get(chat_id)
            if shared >= _SURE or chat is None:
                return chat_id
            if shared >= min(len(keys), chat.spoken or 1) and not _titles_differ(
                chat, conversation
            ):
                return chat_id
        return None

    def _by_words(self, conversation: ImportedConversation) -> int | None:
        telling = [
            turn
            for turn in conversation.turns
            if turn.speaker and turn.text and turn.kind is TurnKind.MESSAGE
            and turn.said_at_ms is not None
        ]  # fmt: skip
        best: tuple[int, int] | None = None
        for chat in self._chats.values():
            hits = self._count_equal(chat, conversation, telling)
            if hits and (best is None or hits > best[0]):
                best = (hits, chat.id)
        return best[1] if best is not None else None

    def _count_equal(
        self, chat: StoredChat, conversation: ImportedConversation, telling: list[ImportedTurn]
    ) -> int:
        """Count the sampled turns that stand in a chat; 0 when it is another chat."""
        if chat.first_at_ms is None or chat.last_at_ms is None:
            return 0
        from_ms = chat.first_at_ms - chat.first_at_ms % _MINUTE_MS
        before_ms = chat.last_at_ms + _MINUTE_MS
        both = [turn for turn in telling if from_ms <= (turn.said_at_ms or 0) < before_ms]
        sample = sorted(both, key=lambda turn: -len(turn.text))[:_LOOKED_AT]
        pairs = [
            (turn.speaker, speaker)
            for turn in sample
            if (speaker := self._who_said(chat.id, turn)) is not None
        ]
        ids_differ = (
            chat.format == self._format
            and chat.external_id != conversation.external_id
            and bool(chat.external_id)
        )
        if ids_differ:
            enough = len(pairs) >= _SURE_BETWEEN_IDS and len(set(pairs)) > 1
        else:
            whole = 1 < len(pairs) == len(sample) >= min(len(telling), chat.spoken)
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


def _titles_differ(chat: StoredChat, conversation: ImportedConversation) -> bool:
    """Tell whether both chats have a title of their own, and another one."""
    speakers = frozenset(turn.speaker for turn in conversation.turns if turn.speaker)
    own = not _is_made_up(chat.title, chat.speakers)
    return (
        own and chat.title != conversation.title and not _is_made_up(conversation.title, speakers)
    )


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


def known_by_words(
    db: Connection, conversation_id: int, all_turns: Sequence[ImportedTurn], new: Iterable[str]
) -> dict[str, str]:
    """Find turns that the chat has under another key, and the name they are stored under.

    A stored turn answers for one imported turn only, so that equal messages both stay. Somebody
    who speaks in the export under their stored name is nobody else in it.

    Args:
        new: Keys that are not stored.
    """
    unknown = set(new)
    turns = [turn for turn in all_turns if turn.key in unknown and turn.said_at_ms is not None]
    times = [turn.said_at_ms for turn in turns if turn.said_at_ms is not None]
    if not times:
        return {}
    from_ms = min(times) // _MINUTE_MS * _MINUTE_MS
    before_ms = (max(times) // _MINUTE_MS + 1) * _MINUTE_MS
    answered = {turn.key for turn in all_turns}
    left: dict[tuple[int, str, str], list[StoredWords]] = {}
    for stored in chat_matches.find_words(db, conversation_id, from_ms, before_ms):
        if stored.key not in answered:
            place = _place(stored.said_at_ms, stored.kind, stored.text)
            left.setdefault(place, []).append(stored)
    here = {turn.speaker for turn in all_turns}
    return dict(_answered(turns, left, here)) if left else {}


def names_that_differ(
    turns: Iterable[ImportedTurn], stored_by: Mapping[str, str]
) -> frozenset[tuple[str, str]]:
    """List who is called otherwise in the memory: (name in the export, stored name)."""
    if not stored_by:
        return frozenset()
    pairs = ((turn.speaker, stored_by.get(turn.key, turn.speaker)) for turn in turns)
    return frozenset(pair for pair in pairs if pair[0] != pair[1])


def _answered(
    turns: Iterable[ImportedTurn],
    left: dict[tuple[int, str, str], list[StoredWords]],
    here: set[str],
) -> Iterator[tuple[str, str]]:
    for turn in turns:
        waiting = left.get(_place(turn.said_at_ms or 0, turn.kind, turn.text), [])
        chosen = next((one for one in waiting if one.speaker == turn.speaker), None)
        chosen = chosen or next((one for one in waiting if one.speaker not in here), None)
        if chosen is not None:
            waiting.remove(chosen)
            yield turn.key, chosen.speaker


def _place(at_ms: int, kind: str, text: str) -> tuple[int, str, str]:
    return at_ms // _MINUTE_MS, str(kind), text if kind in _WORDS else ""
