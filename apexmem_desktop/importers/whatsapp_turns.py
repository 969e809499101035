"""Makes turns of the messages of one WhatsApp chat: who speaks, what it is, when."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import groupby

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedTurn, Role, TurnKind
from apexmem_desktop.importers.date_order import DateOrders
from apexmem_desktop.importers.local_clock import LocalClock
from apexmem_desktop.importers.phrases import Phrases, without_marks
from apexmem_desktop.importers.turn_keys import DayKeys
from apexmem_desktop.importers.whatsapp_heads import REFUSED, Stamp, Style
from apexmem_desktop.importers.whatsapp_kinds import Kind, classify, needs_a_look, without_title
from apexmem_desktop.importers.whatsapp_log import Log, Raw, Run, Senders
from apexmem_desktop.importers.whatsapp_senders import speaker_name, tight_sender

_TORN_LINE = re.compile(r"\d[/.]\d{1,4},? \d{1,2}[:.]\d{2} - ")  # two lines run into one
_MOST_PROBLEMS = 20
_LONGEST_QUOTE_LINES = 20
_DAY_MINUTES = 1440
_PERSON, _MESSAGE = Role.PERSON, TurnKind.MESSAGE


class Dated:
    """A log with its dates made days, and without the headers that are none of its own.

    Attributes:
        days: The day of each stamp, as date.toordinal gives it; None for what is no day.
        problems: Dates that fit in no other way than the others'.
    """

    def __init__(self, log: Log, orders: DateOrders) -> None:
        self.log = log
        self.days = [_ordinal(orders, stamp) for stamp in log.stamps]
        odd = {
            number: _oddity(day)
            for number, (stamp, day) in enumerate(zip(log.stamps, self.days, strict=True))
            if orders.day(stamp) is None and stamp.style.separator != REFUSED
        }
        self.problems = _told(log, odd) if odd else []
        dropped = {number for number, run in enumerate(log.runs) if self.days[run.stamp] is None}
        self._dropped = dropped | _quoted(log, self.days, dropped)
        self.runs = [run for number, run in enumerate(log.runs) if number not in self._dropped]
        self.senders = log.senders
        if self._dropped or not log.unsplit.isdisjoint(log.senders.numbers):
            self._hear_again()

    @property
    def messages(self) -> int:
        """How many messages there are."""
        return sum(run.messages for run in self.runs)

    def returning_days(self) -> frozenset[int]:
        """Find the days that come more than once with others between."""
        met: set[int] = set()
        returning: set[int] = set()
        for day, _ in groupby(self.days[run.stamp] for run in self.runs):
            if day is not None:
                (returning if day in met else met).add(day)
        return frozenset(returning)

    def __iter__(self) -> Iterator[Raw]:
        """Give the messages."""
        return iter(self.log) if self.senders is self.log.senders else self._mended()

    def _hear_again(self) -> None:
        """Listen to the senders once more, where the log's own ear was misled."""
        names = list(self.log.senders.numbers)
        # Only who is set apart by a space somewhere is known to be a sender.
        known = {names[raw[3]] for raw in self._kept() if raw[3] >= 0}
        self.senders = heard = Senders()
        self._names, self._known = names, known
        for raw in self._mended():
            if raw[3] >= 0:
                heard.hear(raw[3], raw[5], raw[6])

    def _mended(self) -> Iterator[Raw]:
        """Give the messages with senders also where no space follows the colon."""
        number = self.senders.number
        for stamp, minute, second, sender, line, cut, text in self._kept():
            if sender >= 0:
                yield stamp, minute, second, number(self._names[sender]), line, cut, text
            elif (name := tight_sender(text, cut)) in self._known:
                after = cut + len(name) + 1
                yield stamp, minute, second, number(name), line, after, text
            else:
                yield stamp, minute, second, -1, line, cut, text

    def _kept(self) -> Iterator[Raw]:
        """Give the messages; what is dropped is part of the words of the one before."""
        run, stamp = -1, -1
        begun: list[Raw] = []
        for raw in self.log:
            if raw[0] != stamp:
                run, stamp = run + 1, raw[0]
            if run not in self._dropped:
                yield from _whole(begun)
                begun = [raw]
            elif begun:
                begun.append(raw)
        yield from _whole(begun)


def _whole(parts: list[Raw]) -> Iterator[Raw]:
    if len(parts) == 1:
        yield parts[0]
    elif parts:
        yield (*parts[0][:6], "\n".join(part[6] for part in parts))


def _ordinal(orders: DateOrders, stamp: Stamp) -> int | None:
    day = orders.day(stamp) or orders.other_day(stamp)
    return None if day is None else day.toordinal()


def _oddity(day: int | None) -> str:
    if day is None:
        return "its date is no day of the calendar; kept as part of the message before"
    return f"its date fits no other line; read as {date.fromordinal(day).isoformat()}"


def _told(log: Log, odd: Mapping[int, str]) -> list[ImportProblem]:
    """List the first lines whose date is odd."""
    problems: list[ImportProblem] = []
    for raw in log:
        if raw[0] in odd:
            problems.append(ImportProblem(f"{log.name}, line {raw[4] + 1}", odd[raw[0]]))
            if len(problems) == _MOST_PROBLEMS:
                break
    return problems


def _quoted(log: Log, days: list[int | None], dropped: set[int]) -> set[int]:
    """Find headers that somebody pasted into a message.

    They are written in another way than the lines around them and are older than the message
    that quotes them. A phone that was changed writes in another way too, but goes on in time.
    """
    ways = [_way(stamp) for stamp in log.stamps]
    if len(set(ways)) < 2:
        return set()
    dated = [(number, run) for number, run in enumerate(log.runs) if number not in dropped]
    spans = [list(span) for _, span in groupby(dated, key=lambda entry: ways[entry[1].stamp])]
    quoted: set[int] = set()
    last: Run | None = None
    for number, span in enumerate(spans):
        first = span[0][1]
        way, lines = ways[first.stamp], sum(run.messages for _, run in span)
        if (
            last is not None
            and way != ways[last.stamp]
            and _begins(first, days) < _ends(last, days)
        ):
            following = ways[spans[number + 1][0][1].stamp] if number + 1 < len(spans) else None
            at_end = following is None and lines <= _LONGEST_QUOTE_LINES
            if at_end or following == ways[last.stamp]:
                quoted.update(one for one, _ in span)
                continue
        last = span[-1][1]
    return quoted


def _way(stamp: Stamp) -> Style:
    """The way a header is written; "AM" beside "pm" is no change of it."""
    return stamp.style._replace(capitals=False)


def _begins(run: Run, days: list[int | None]) -> tuple[int, int]:
    return days[run.stamp] or 0, run.first_minute


def _ends(run: Run, days: list[int | None]) -> tuple[int, int]:
    return days[run.stamp] or 0, run.last_minute


class Chat:
    """One chat with its senders judged: a group's title and "System" are nobody."""

    def __init__(self, dated: Dated, phrases: Phrases, title: str) -> None:
        self._phrases = phrases
        self._dated = dated
        self._title = speaker_name(title)
        self._repeated_marked = dated.senders.repeated_marked()
        self._senders = list(dated.senders.numbers)
        self._names = [
            "" if self._is_nobody(sender, said) else speaker_name(sender)
            for sender, said in zip(self._senders, dated.senders.first_texts, strict=True)
        ]
        self.speakers = tuple(dict.fromkeys(name for name in self._names if name))

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
            kind = classify(without_title(text, self._phrases), self._phrases)
            if not kind.own_words or without_marks(text).strip() in self._repeated_marked:
                return False
        return True

    def _is_torn_notice(self, whole: str) -> bool:
        """A notice with a colon in it, such as a new subject, looks like a sender and a text."""
        return any(quote in whole for quote in "\"“„«「'”") and self._phrases.is_notice(whole)

    def imported(self, clock: LocalClock) -> Iterator[ImportedTurn]:
        """Make the turns, in the order of the file."""
        keys = DayKeys(self._dated.returning_days())
        days, names, phrases = self._dated.days, self._names, self._phrases
        today, base = -1, 0
        whole: tuple[int, int] | None = None
        for stamp, minute, second, sender, _, cut, text in self._dated:
            day = days[stamp]
            if day is None:  # such messages are part of the one before
                continue
            if day != today:
                today, base, whole = day, day * _DAY_MINUTES, clock.whole_day(day)
                keys.enter(day)
            if second < 0:
                second = 0
            if whole is None:
                said_at_ms, offset_minutes = clock.utc(day, minute, second)
            else:
                said_at_ms, offset_minutes = whole[0] + (minute * 60 + second) * 1000, whole[1]
            speaker = names[sender] if sender >= 0 else ""
            words = text[cut:]
            # The key is to the minute: Android shows no seconds, so the same chat from both agrees.
            if (
                speaker
                and words
                and not needs_a_look(words, phrases)
                and not words.startswith(speaker)
            ):
                key = keys.key(f"{speaker}\x1f{base + minute}\x1fmessage\x1f{words}")
                yield ImportedTurn(
                    speaker, _PERSON, _MESSAGE, words, said_at_ms, offset_minutes, key
                )
                continue
            kind, words, key_text, attachments, _own = self._kind(sender, speaker, words)
            speaker = "" if kind is TurnKind.NOTICE else speaker
            yield ImportedTurn(
                speaker,
                _PERSON if speaker else Role.SYSTEM,
                kind,
                words,
                said_at_ms,
                offset_minutes,
                keys.key(speaker, str(base + minute), kind, key_text),
                attachments=attachments,
            )

    def _kind(self, sender: int, speaker: str, text: str) -> Kind:
        if not speaker:
            notice = without_title(text, self._phrases)
            words = without_marks(notice).strip()
            if sender >= 0 and notice is text and not self._phrases.is_notice(text.strip()):
                words = without_marks(f"{self._senders[sender]}: {text}").strip()
            return Kind(TurnKind.NOTICE, words, "", own_words=True)
        if text.startswith(speaker) and self._phrases.is_notice(text):
            # Some phones name the one who changed a setting before the notice of it.
            return Kind(TurnKind.NOTICE, without_marks(text).strip(), "", own_words=True)
        kind = classify(text, self._phrases)
        if kind.kind is TurnKind.NOTICE and kind.own_words and kind.text in self._repeated_marked:
            # A placeholder for photos in a language that we have no words of.
            return Kind(TurnKind.MEDIA, "", "", (kind.text,))
        return kind
