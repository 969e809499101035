"""What chats saved as text under day headings share: LINE and KakaoTalk."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import ClassVar

from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.decoding import decode, decode_head, looks_binary
from apexmem_desktop.importers.local_clock import Offsets, choose_zone
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.phrases import load_phrases, plain
from apexmem_desktop.importers.reading import Item, Opened
from apexmem_desktop.importers.said import Said, made_up_title, to_turns

_LINES_TO_RECOGNISE = 200


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message as the text gives it, its clock still local."""

    day: date
    minute: int
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Log:
    """One chat as read from its text."""

    title: str
    spoken: list[Spoken]
    date_order: str = ""
    date_order_certain: bool = True


class DayHeadedImporter:
    """A chat as text, day headings above lines with a clock. A subclass knows the lines."""

    name: ClassVar[str]
    media: ClassVar[frozenset[str]] = frozenset()

    def recognises(self, part: Part) -> bool:
        """Tell by a day heading with a message under it."""
        if looks_binary(part.head):
            return False
        lines = decode_head(part.head).splitlines()[:_LINES_TO_RECOGNISE]
        return self.looks_right(lines) and bool(self.parse(lines, "").spoken)

    def looks_right(self, lines: list[str]) -> bool:
        """Tell quickly from the first lines."""
        raise NotImplementedError

    def parse(self, lines: list[str], wish: str) -> Log:
        """Read the messages of a text; `wish` is the date order the user chose."""
        raise NotImplementedError

    def open(self, export: Export, parts: tuple[Part, ...], choices: ImportChoices) -> Opened:
        """Read every chat; the date order is that of the first."""
        zone = choose_zone(choices.zone)
        logs = [self.parse(decode(part.read()).splitlines(), choices.date_order) for part in parts]
        logs = [log for log in logs if log.spoken]
        if not logs:
            raise ExportUnreadableError(
                f"{export.file_name} holds no message.", hint="Save the chat as text again."
            )

        def source(progress: ProgressSink, cancel: CancelToken) -> Iterator[Item]:
            offsets = Offsets(zone)
            for number, log in enumerate(logs, start=1):
                cancel.check()
                yield self._conversation(log, offsets)
                progress(Progress("Reading chats", number, len(logs), "files", log.title))

        certain = all(log.date_order_certain for log in logs)
        return Opened(source, zone, logs[0].date_order, certain)

    def _conversation(self, log: Log, offsets: Offsets) -> ImportedConversation:
        turns = to_turns((self._said(one, offsets.zone) for one in log.spoken), offsets)
        speakers = {turn.speaker for turn in turns if turn.speaker}
        title = log.title or " & ".join(sorted(speakers)) or made_up_title(turns)
        return ImportedConversation("", title, turns, is_group=len(speakers) > 2)

    def _said(self, one: Spoken, zone: str) -> Said:
        local = datetime.combine(one.day, time()) + timedelta(minutes=one.minute)
        at_ms = zones.to_utc_ms(local, zone)[0]
        text = one.text.strip()
        if not one.speaker:
            return Said("", text, at_ms, Role.SYSTEM, TurnKind.NOTICE)
        bare = text.strip("[]()")
        if bare in self.media or load_phrases().exact.get(plain(bare)) == "media":
            return Said(one.speaker, "", at_ms, kind=TurnKind.MEDIA, attachments=(bare,))
        return Said(one.speaker, text, at_ms)
