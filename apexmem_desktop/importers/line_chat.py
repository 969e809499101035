"""What chats saved as text under day headings share: LINE and KakaoTalk."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import ClassVar

from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.chat_zones import ChatZones
from apexmem_desktop.importers.decoding import decode_head, looks_binary
from apexmem_desktop.importers.local_clock import Offsets
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.phrases import load_phrases, plain
from apexmem_desktop.importers.reading import Item, Opened
from apexmem_desktop.importers.said import TITLE_CHARS, Said, stream_turns
from apexmem_desktop.importers.text_lines import every_line
from apexmem_desktop.importers.turn_keys import DayKeys

_LINES_TO_RECOGNISE = 200
_TITLE_LINES = 3


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message as the text gives it, its clock still local."""

    day: date
    minute: int
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Log:
    """What must be known of one chat before its first turn is made.

    Attributes:
        returning: The days that come more than once with others between.
    """

    part: Part
    title: str
    speakers: frozenset[str]
    returning: frozenset[int]
    date_order: str
    date_order_certain: bool


class DayHeadedImporter:
    """A chat as text, day headings above lines with a clock. A subclass knows the lines.

    The text is walked through, once to know it and once for its turns, and never held.

    Attributes:
        media: What stands in the place of a photo or a file.
        media_with: The same with a number, or the name of the `file`.
        calls: What stands for a call.
    """

    name: ClassVar[str]
    media: ClassVar[frozenset[str]] = frozenset()
    media_with: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")
    calls: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")

    def recognises(self, part: Part) -> bool:
        """Tell by a day heading with a message under it."""
        if looks_binary(part.head):
            return False
        lines = decode_head(part.head).splitlines()[:_LINES_TO_RECOGNISE]
        return self.looks_right(lines) and any(self.spoken(lines, self.order(lines, "")[0]))

    def looks_right(self, lines: list[str]) -> bool:
        """Tell quickly from the first lines."""
        raise NotImplementedError

    def order(self, lines: Iterable[str], wish: str) -> tuple[str, bool]:
        """Decide the date order, and whether that is certain; "" where dates leave no doubt.

        Args:
            wish: What the user chose.
        """
        return "", True

    def title(self, lines: Sequence[str]) -> str:
        """Read the chat's title from its first lines; "" where they tell none."""
        raise NotImplementedError

    def spoken(self, lines: Iterable[str], order: str) -> Iterator[Spoken]:
        """Read the messages of a text."""
        raise NotImplementedError

    def open(self, export: Export, parts: tuple[Part, ...], choices: ImportChoices) -> Opened:
        """Look through every chat; the date order is that of the first."""
        zones_chosen = ChatZones(choices)
        looked = (self._look(part, choices.date_order) for part in parts)
        logs = [log for log in looked if log is not None]
        if not logs:
            raise ExportUnreadableError(
                f"{export.file_name} holds no message.", hint="Save the chat as text again."
            )

        def source(progress: ProgressSink, cancel: CancelToken) -> Iterator[Item]:
            for number, log in enumerate(logs, start=1):
                cancel.check()
                yield self._conversation(log, Offsets(zones_chosen.of(log.title)))
                progress(Progress("Reading chats", number, len(logs), "files", log.title))

        certain = all(log.date_order_certain for log in logs)
        return Opened(source, zones_chosen.zone, logs[0].date_order, certain, wall_clock=True)

    def _look(self, part: Part, wish: str) -> Log | None:
        """Look through a text; None where nobody says anything in it."""
        order, certain = self.order(every_line(part), wish)
        speakers: set[str] = set()
        met: set[int] = set()
        returning: set[int] = set()
        today = first = None
        for one in self.spoken(every_line(part), order):
            first = first or one
            if one.speaker:
                speakers.add(one.speaker)
            if one.day != today:
                today = one.day
                day = today.toordinal()
                (returning if day in met else met).add(day)
        if first is None:
            return None
        title = self.title(list(islice(every_line(part), _TITLE_LINES)))
        title = title or " & ".join(sorted(speakers)) or first.text.strip()[:TITLE_CHARS]
        return Log(part, title, frozenset(speakers), frozenset(returning), order, certain)

    def _conversation(self, log: Log, offsets: Offsets) -> ImportedConversation:
        keys = DayKeys(log.returning)
        turns = stream_turns(self._all_said(log, offsets.zone, keys), offsets, keys)
        return ImportedConversation("", log.title, turns, is_group=len(log.speakers) > 2)

    def _all_said(self, log: Log, zone: str, keys: DayKeys) -> Iterator[Said]:
        today: date | None = None
        for one in self.spoken(every_line(log.part), log.date_order):
            if one.day != today:
                today = one.day
                keys.enter(today.toordinal())
            yield self._said(one, zone)

    def _said(self, one: Spoken, zone: str) -> Said:
        local = datetime.combine(one.day, time()) + timedelta(minutes=one.minute)
        at_ms = zones.to_utc_ms(local, zone)[0]
        text = one.text.strip()
        if not one.speaker:
            return Said("", text, at_ms, Role.SYSTEM, TurnKind.NOTICE)
        bare = text.strip("[]()")
        what = load_phrases().exact.get(plain(bare))
        if bare in self.media or what == "media":
            return Said(one.speaker, "", at_ms, kind=TurnKind.MEDIA, attachments=(bare,))
        if (files := self.media_with.fullmatch(bare)) is not None:
            name = files.groupdict().get("file") or bare
            return Said(one.speaker, "", at_ms, kind=TurnKind.MEDIA, attachments=(name,))
        if what == "deleted":
            return Said(one.speaker, text, at_ms, kind=TurnKind.DELETED)
        if self.calls.fullmatch(text):
            return Said(one.speaker, text, at_ms, kind=TurnKind.CALL)
        return Said(one.speaker, text, at_ms)


def joined(begun: Iterable[Spoken | str]) -> Iterator[Spoken]:
    """Put the lines that follow a message's first behind it; those before any are of none.

    Empty lines inside a message are its own; those behind it only part it from what follows.
    """
    last: Spoken | None = None
    more: list[str] = []
    for one in begun:
        if isinstance(one, str):
            if last is not None:
                more.append(one.rstrip())
            continue
        if last is not None:
            yield _whole(last, more)
        last, more = one, []
    if last is not None:
        yield _whole(last, more)


def _whole(one: Spoken, more: list[str]) -> Spoken:
    while more and not more[-1]:
        more.pop()
    return replace(one, text="\n".join((one.text, *more))) if more else one
