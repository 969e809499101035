"""KakaoTalk's chat as text, from a computer and from a phone."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import chain, islice
from typing import ClassVar

from apexmem_desktop.importers.line_chat import DayHeadedImporter, Spoken, joined
from apexmem_desktop.importers.phrases import fold, load_phrases
from apexmem_desktop.importers.whatsapp_heads import hour_of_day
from apexmem_desktop.importers.written_dates import written_date

_DAY = re.compile(r"-{3,}\s*(\S.{6,40}?\S)\s*-{3,}")
_KOREAN_DAY = re.compile(r"(\d{4})년 (\d{1,2})월 (\d{1,2})일(?: \S+)?")
_DESKTOP = re.compile(
    r"\[(.+?)\] \[(?:(\w{2}) )?(\d{1,2}):(\d{2})(?: ([AaPp][Mm]))?\] (.*)", re.DOTALL
)
_PHONE = re.compile(
    r"(\d{4})년 (\d{1,2})월 (\d{1,2})일 (?:(\w{2}) )?(\d{1,2}):(\d{2})(?! ?[-–])"
    r"(?:, (.+?) : (.*)|[,:]?\s?(.*))",
    re.DOTALL,
)
_IPHONE = re.compile(
    r"(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})\.? (?:(\w{2}) )?(\d{1,2}):(\d{2})"
    r"(?:, (.+?) : (.*)|[,:] ?(\S.*))",
    re.DOTALL,
)
_WORDS = re.compile(r",? (.{1,60}?) : (.*)|[,:] (\S.*)", re.DOTALL)
_TITLE = (
    re.compile(r"(.+?) (?:님과 카카오톡 대화|카카오톡 대화)"),
    re.compile(r"KakaoTalk Chats? with (.+)", re.IGNORECASE),
)
_TABLE = ("date", "user", "message")
_WRITTEN = re.compile(r"(?:\d{1,2}\.? )?[A-Z][a-z]{2,8}[ .,]")
# On a computer these stand in a line of their own, with nobody's name before them.
_NOTICE = re.compile(
    r".{1,60}님이 (?:들어왔습니다|나갔습니다|들어오셨습니다|나가셨습니다)\.?"
    r"|.{1,60}님이 .{1,400}(?:초대했습니다|내보냈습니다|하였습니다|되었습니다)\.?"
    r"|.{1,60}님을 (?:내보냈습니다|초대했습니다)\.?"
    r"|채팅방 관리자가 .{1,80}(?:했습니다|렸습니다)\.?"
    r"|.{1,60} (?:joined this chatroom|left this chatroom|has left|has joined)\.?"
    r"|.{1,60} invited .{1,400} to (?:this|the) chat(?:room)?\.?"
)


class KakaoTalkImporter(DayHeadedImporter):
    """A computer writes the day above its lines, a phone in every line, and a Mac a table."""

    name = "kakaotalk"
    media: ClassVar[frozenset[str]] = frozenset(
        {"사진", "동영상", "이모티콘", "음성메시지", "파일", "Photo", "Video", "Emoticons"}
    )

    media_with = re.compile(
        r"(?:사진|동영상|Photos?|Videos?) \d{1,3}(?:장|개)?|(?:파일|File): (?P<file>\S.{0,200})"
    )
    calls = re.compile(r"(?:보이스톡|페이스톡|그룹콜|라이브톡|Voice Call|Video Call)(?: .{1,20})?")

    def looks_right(self, lines: list[str]) -> bool:
        """Tell by a day heading or a line with its date; in other words only if it says so."""
        named = bool(lines) and "kakaotalk" in lines[0].casefold()
        return _is_table(lines[:1]) or any(
            _day(line) or _PHONE.match(line) or _iphone(line) or (named and _written(line))
            for line in lines
        )

    def title(self, lines: Sequence[str]) -> str:
        """Read the title from the first line."""
        first = lines[0].strip("\ufeff ") if lines else ""
        found = next(filter(None, (pattern.match(first) for pattern in _TITLE)), None)
        return found[1] if found else ""

    def spoken(self, lines: Iterable[str], order: str) -> Iterator[Spoken]:
        """Read the messages; the date is written out, so there is no order to choose."""
        left = iter(lines)
        first = list(islice(left, 1))
        begun = _rows(left) if _is_table(first) else joined(_begun(chain(first, left)))
        return (one for one in begun if one.text.strip())


def _begun(lines: Iterable[str]) -> Iterator[Spoken | str]:
    day: date | None = None
    minute = 0
    held: list[str] = []  # a day alone in its line, and the empty lines behind it
    held_day: date | None = None
    for line in lines:
        heading = _day(line)
        one = None if heading is not None else _desktop(line, day) or _phone(line)
        if held and not line.strip():
            held.append(line)
            continue
        if heading is None and (one is None or one.day != held_day):
            yield from held  # somebody wrote it
        held = []
        if heading is not None:
            day, minute = heading, 0
        elif one is not None:
            minute = one.minute
            yield one
        elif day is not None and _NOTICE.fullmatch(line.strip()):
            yield Spoken(day, minute, "", line.strip())  # said between those around it
        elif (held_day := _bare_day(line)) is not None:
            held = [line]
        else:
            yield line
    yield from held


def _bare_day(line: str) -> date | None:
    """Read the day that phones write above its messages, with or without a clock."""
    text = line.strip()
    if korean := _KOREAN_DAY.fullmatch(text):
        return _date(korean[1], korean[2], korean[3])
    when = written_date(text) if text[:1].isalpha() else None
    return when.day("ymd") if when is not None and when.end == len(text) else None


def _is_table(lines: Sequence[str]) -> bool:
    return bool(lines) and tuple(lines[0].strip("\ufeff ").casefold().split(",")) == _TABLE


def _rows(lines: Iterable[str]) -> Iterator[Spoken]:
    """Read a table; what is no row of it is passed over, however long it is."""
    rows = csv.reader(f"{line}\n" for line in lines)
    while True:
        try:
            row = next(rows, None)
        except csv.Error:
            continue
        if row is None:
            return
        when = written_date(row[0]) if len(row) == len(_TABLE) else None
        day = when.day("ymd") if when is not None and not when.is_open else None
        if when is not None and day is not None and when.minute is not None:
            speaker = "" if _NOTICE.fullmatch(row[2].strip()) else row[1].strip()
            yield Spoken(day, when.minute, speaker, row[2].strip("\n"))


def _day(line: str) -> date | None:
    found = _DAY.fullmatch(line.strip())
    if found is None:
        return None
    if korean := _KOREAN_DAY.fullmatch(found[1]):
        return _date(korean[1], korean[2], korean[3])
    # Numbers alone stand so in texts of other apps.
    when = written_date(found[1]) if found[1][0].isalpha() else None
    return when.day("ymd") if when is not None and not when.is_open else None


def _date(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _minute(half: str | None, hour: str, minute: str) -> int | None:
    hours = int(hour)
    if period := load_phrases().periods.get(fold(half or "")):
        hours = hour_of_day(hours, period)
    return hours * 60 + int(minute) if hours < 24 and int(minute) < 60 else None


def _desktop(line: str, day: date | None) -> Spoken | None:
    found = _DESKTOP.fullmatch(line)
    if found is None or day is None:
        return None
    minute = _minute(found[2] or found[5], found[3], found[4])
    return None if minute is None else Spoken(day, minute, found[1], found[6])


def _phone(line: str) -> Spoken | None:
    found = _PHONE.fullmatch(line)
    return _written(line) or _iphone(line) if found is None else _dated(found)


def _iphone(line: str) -> Spoken | None:
    found = _IPHONE.fullmatch(line)
    return None if found is None else _dated(found)


def _dated(found: re.Match[str]) -> Spoken | None:
    day = _date(found[1], found[2], found[3])
    minute = _minute(found[4], found[5], found[6])
    if day is None or minute is None:
        return None
    return Spoken(day, minute, found[7] or "", found[8] if found[7] else found[9] or "")


def _written(line: str) -> Spoken | None:
    """Read a line of a phone in English: "Mar 13, 2024 at 10:00, Ana : hello"."""
    if not _WRITTEN.match(line):
        return None
    when = written_date(line)
    if when is None or when.is_open or when.minute is None:
        return None
    day, found = when.day("ymd"), _WORDS.fullmatch(line, when.end)
    if day is None or found is None:
        return None
    return Spoken(day, when.minute, (found[1] or "").strip(), found[2] or found[3] or "")
