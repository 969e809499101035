"""Parts of a day and hours in Chinese: 下午三点, 明天15:30, 昨晚两点."""

import re
from dataclasses import replace
from datetime import timedelta

from apexmem_desktop.chronology.chinese_numbers import NUMERAL, chinese_number
from apexmem_desktop.chronology.chinese_text import ChineseText, Found, any_of
from apexmem_desktop.chronology.chinese_words import PARTS
from apexmem_desktop.chronology.clock import DAY
from apexmem_desktop.domain.interval import Precision

_CLOCK = re.compile(
    rf"(?:的)?({any_of(PARTS)})?({NUMERAL})(?:点|點|时(?!候|间))(?:钟|鐘)?(半|([一三])刻|({NUMERAL})分?)?"
)


_PART = re.compile(rf"(?:的)?({any_of(PARTS)})")


def time_of_day(s: ChineseText, i: int) -> tuple[int, int, str, int] | None:
    """Read hour, minute, the part of the day named before them, and the offset after."""
    found = _CLOCK.match(s.text, i)
    if found is None:
        return _with_colon(s, i)
    hour, part = chinese_number(found.group(2)), found.group(1) or ""
    tail = found.group(3) or ""
    minute = 30 if tail == "半" else 0
    if found.group(4):
        minute = 15 * chinese_number(found.group(4))
    elif found.group(5):
        minute = chinese_number(found.group(5))
    hour = _in_part(hour, part)
    return (hour, minute, part, found.end()) if hour <= 24 and minute < 60 else None


_COLON = re.compile(rf"(?:的)?({any_of(PARTS)})?(\d{{1,2}})[:：](\d{{2}})(?![\d:：])")


def _with_colon(s: ChineseText, i: int) -> tuple[int, int, str, int] | None:
    found = _COLON.match(s.text, i)
    if found is None:
        return None
    part = found.group(1) or ""
    hour, minute = _in_part(int(found.group(2)), part), int(found.group(3))
    return (hour, minute, part, found.end()) if hour <= 24 and minute < 60 else None


_EVENING = {"晚上", "夜晚", "晚间", "晚間"}
_NIGHT = {"夜里", "夜间", "夜間", "半夜", "深夜", "午夜"}


def _in_part(hour: int, part: str) -> int:
    """Count an hour from midnight by the part of the day: 下午三点 is 15, 晚上十二点 is 24."""
    if part in _EVENING | _NIGHT and hour == 12:
        return 24
    if hour < 12 and part in {"下午", "傍晚"} | _EVENING:
        return hour + 12
    if 6 <= hour < 12 and part in _NIGHT:  # 夜里十一点 is late, 夜里两点 is early
        return hour + 12
    return hour + 12 if hour < 4 and part == "中午" else hour


def with_part_of_day(s: ChineseText, found: Found) -> Found:
    """Narrow a day by the part of it or the hour that stands behind it."""
    day, i = found
    if day.precision is not Precision.DAY or day.end - day.start > DAY:
        return found
    hour = time_of_day(s, i)
    if hour is not None:
        start = day.start.replace(hour=0) + timedelta(hours=hour[0], minutes=hour[1])
        if day.start.hour >= 17 and not hour[2] and hour[0] <= 12:
            start += timedelta(hours=24 if hour[0] < 5 else 12)  # 昨晚两点 is after midnight
        return replace(s.clock.minute(start), stated=day.stated), hour[3]
    part = _PART.match(s.text, i)
    if part is not None and day.end - day.start == DAY:
        narrowed = s.clock.hours(day.start.date(), *PARTS[part.group(1)])
        return replace(narrowed, stated=day.stated), part.end()
    return found


def clock_alone(s: ChineseText, i: int) -> Found | None:
    """Read 下午三点 of today; a lone 三点 may be three points, so a part of the day is needed."""
    hour = time_of_day(s, i)
    if hour is None or not hour[2]:
        return None
    start = s.clock.midnight(s.clock.today) + timedelta(hours=hour[0], minutes=hour[1])
    return s.clock.minute(start), hour[3]
