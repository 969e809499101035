"""LINE's "save chat": a text with day headings and lines of clock, name and words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import ClassVar

from apexmem_desktop.importers.date_order import to_date
from apexmem_desktop.importers.decoding import decode_head
from apexmem_desktop.importers.line_chat import DayHeadedImporter, Spoken, joined
from apexmem_desktop.importers.parts import Part
from apexmem_desktop.importers.phrases import fold, load_phrases
from apexmem_desktop.importers.whatsapp_heads import hour_of_day

_DAY = re.compile(
    r"(?:([^\W\d][^\s\d,/]{0,14}),? )?(\d{1,4})([./-])\s?(\d{1,2})[./-]\s?(\d{1,4})\.?"
    r"(?:\s?[(（]?[^\W\d]\S{0,24}?[)）]?)?"
)
_MESSAGE = re.compile(
    r"([^\W\d]{2,6})?\s?(\d{1,2})(?::|\.(?=\d{2}\t))(\d{2})\s?([ap]\.?m\.?)?"
    r"(?:\t([^\t]*)\t(.*)|\t(.*)| (\S+) (.+))",
    re.IGNORECASE | re.DOTALL,
)
_WEEKDAYS = {name: n for n, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_TITLE = (
    re.compile(r"\[LINE\]\s*(?:Chat history (?:with|in)|ประวัติการแชทกับ)\s*(.+)"),
    re.compile(r"\[LINE\]\s*(.+?)(?:とのトーク履歴|のトーク履歴|的聊天記錄|的聊天记录)"),
    re.compile(r"\[LINE\]\s*與?(.+?)(?:的聊天記錄|의 대화|님과의 대화)"),
)


class LineImporter(DayHeadedImporter):
    """Private chats and groups, in English, Japanese, Chinese, Thai and Korean."""

    name = "line"
    media: ClassVar[frozenset[str]] = frozenset(
        {
            "写真",
            "動画",
            "スタンプ",
            "ボイスメッセージ",
            "ファイル",
            "Photo",
            "Photos",
            "Video",
            "Sticker",
            "Stickers",
            "File",
            "Voice",
            "圖片",
            "影片",
            "貼圖",
            "語音訊息",
            "照片",
            "사진",
            "동영상",
            "스티커",
            "รูป",
            "สติกเกอร์",
            "วิดีโอ",
            "Voice message",
        }
    )

    calls = re.compile(r"☎.{1,60}")

    def looks_right(self, lines: list[str]) -> bool:
        """Tell by its first line, or by a day heading at the top."""
        written = [line for line in lines if line.strip("\ufeff ")]
        return bool(written) and (
            written[0].lstrip("\ufeff").startswith("[LINE]")
            or _DAY.fullmatch(written[0].strip("\ufeff ")) is not None
        )

    def recognises(self, part: Part) -> bool:
        """Tell a chat from a diary: where no tab and no first line says so, people speak again."""
        if not super().recognises(part):
            return False
        head = decode_head(part.head)
        if "\t" in head or head.lstrip("\ufeff\r\n ").startswith("[LINE]"):
            return True
        lines = head.splitlines()
        speakers = [one.speaker for one in self.spoken(lines, self.order(lines, "")[0])]
        return len(set(speakers)) <= len(speakers) // 2 + 1

    def order(self, lines: Iterable[str], wish: str) -> tuple[str, bool]:
        """Decide the order from all headings."""
        return _order(lines, wish)

    def title(self, lines: Sequence[str]) -> str:
        """Read the title from the first lines, in any language."""
        return _title(lines)

    def spoken(self, lines: Iterable[str], order: str) -> Iterator[Spoken]:
        """Read the messages under their day headings."""
        return map(_unquoted, joined(_begun(lines, order)))


def _begun(lines: Iterable[str], order: str) -> Iterator[Spoken | str]:
    day: date | None = None
    for line in lines:
        heading = _DAY.fullmatch(line.strip())
        if heading is not None and (found := _day(heading, order)) is not None:
            day = found
        elif day is not None and (one := _message(line, day)) is not None:
            yield one
        else:
            yield line


def _title(lines: Sequence[str]) -> str:
    for line in lines[:3]:
        for pattern in _TITLE:
            if found := pattern.match(line.strip("\ufeff ")):
                return found[1].strip()
    return ""


def _day(found: re.Match[str], order: str) -> date | None:
    _, a, _, b, c = found.groups()
    return to_date((int(a), int(b), int(c)), "ymd" if len(a) == 4 else order)


def _order(lines: Iterable[str], wish: str) -> tuple[str, bool]:
    """Decide the order from all headings: the one in which all are days and go forward."""
    found = [match for line in lines if (match := _DAY.fullmatch(line.strip())) is not None]
    if any(len(match[2]) == 4 for match in found):
        return "ymd", True
    judged = {order: _judge(found, order) for order in ("dmy", "mdy")}
    if wish in judged and judged[wish][0] <= min(judged.values())[0]:
        return wish, True
    best = min(judged, key=lambda order: judged[order])
    return best, judged["dmy"] != judged["mdy"]


def _judge(headings: list[re.Match[str]], order: str) -> tuple[int, int]:
    """Count headings that are no day or name another weekday, and steps back in time."""
    days = [(match, _day(match, order)) for match in headings]
    wrong = sum(
        day is None or _WEEKDAYS.get((match[1] or "")[:3].lower(), day.weekday()) != day.weekday()
        for match, day in days
    )
    known = [day for _, day in days if day is not None]
    return wrong, sum(later < day for day, later in pairwise(known))


def _message(line: str, day: date) -> Spoken | None:
    found = _MESSAGE.fullmatch(line.rstrip("\r"))
    if found is None:
        return None
    before, hour, minute, after, tab_name, tab_text, notice, name, text = found.groups()
    hours = int(hour)
    if half := load_phrases().periods.get(fold(before or after or "")):
        hours = hour_of_day(hours, half)
    if hours > 23 or int(minute) > 59:
        return None
    words = next((part for part in (tab_text, notice, text) if part is not None), "")
    return Spoken(day, hours * 60 + int(minute), (tab_name or name or "").strip(), words)


def _unquoted(one: Spoken) -> Spoken:
    """Take off the quotation marks that LINE puts around words of several lines."""
    text = one.text
    if "\n" in text and text.startswith('"') and text.endswith('"'):
        text = text[1:-1].replace('""', '"')
    return Spoken(one.day, one.minute, one.speaker, text)
