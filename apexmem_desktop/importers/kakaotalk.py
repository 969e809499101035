"""KakaoTalk's chat as text, from a computer and from a phone."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import ClassVar

from apexmem_desktop.importers.line_chat import DayHeadedImporter, Spoken, joined
from apexmem_desktop.importers.phrases import fold, load_phrases
from apexmem_desktop.importers.whatsapp_heads import hour_of_day

_DAY = re.compile(r"-{3,}\s*(\d{4})년 (\d{1,2})월 (\d{1,2})일 \S+\s*-{3,}")
_DESKTOP = re.compile(r"\[(.+?)\] \[(?:(\w{2}) )?(\d{1,2}):(\d{2})\] (.*)", re.DOTALL)
_PHONE = re.compile(
    r"(\d{4})년 (\d{1,2})월 (\d{1,2})일 (?:(\w{2}) )?(\d{1,2}):(\d{2})(?! ?[-–])"
    r"(?:, (.+?) : (.*)|[,:]?\s?(.*))",
    re.DOTALL,
)
_TITLE = re.compile(r"(.+?) (?:님과 카카오톡 대화|카카오톡 대화)")


class KakaoTalkImporter(DayHeadedImporter):
    """On a computer the day stands above its lines, on a phone in every line."""

    name = "kakaotalk"
    media: ClassVar[frozenset[str]] = frozenset(
        {"사진", "동영상", "이모티콘", "음성메시지", "파일"}
    )

    def looks_right(self, lines: list[str]) -> bool:
        """Tell by a day heading or a line with its date."""
        return any(_DAY.fullmatch(line.strip()) or _PHONE.match(line) for line in lines)

    def title(self, lines: Sequence[str]) -> str:
        """Read the title from the first line."""
        found = _TITLE.match(lines[0].strip("\ufeff ")) if lines else None
        return found[1] if found else ""

    def spoken(self, lines: Iterable[str], order: str) -> Iterator[Spoken]:
        """Read the messages; the date is written out, so there is no order to choose."""
        return (one for one in joined(_begun(lines)) if one.text.strip())


def _begun(lines: Iterable[str]) -> Iterator[Spoken | str]:
    day: date | None = None
    for line in lines:
        heading = _DAY.fullmatch(line.strip())
        if heading is not None:
            day = _date(heading[1], heading[2], heading[3])
        elif (one := _desktop(line, day) or _phone(line)) is not None:
            yield one
        else:
            yield line


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
    minute = _minute(found[2], found[3], found[4])
    return None if minute is None else Spoken(day, minute, found[1], found[5])


def _phone(line: str) -> Spoken | None:
    found = _PHONE.fullmatch(line)
    if found is None:
        return None
    day = _date(found[1], found[2], found[3])
    minute = _minute(found[4], found[5], found[6])
    if day is None or minute is None:
        return None
    return Spoken(day, minute, found[7] or "", found[8] if found[7] else found[9] or "")
