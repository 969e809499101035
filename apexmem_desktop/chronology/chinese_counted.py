"""Counted time in Chinese: 三年前, 两个半小时后, 三年了, 最近两周."""

import re

from apexmem_desktop.chronology.chinese_numbers import NUMERAL, chinese_number
from apexmem_desktop.chronology.chinese_text import ChineseText, Found, any_of
from apexmem_desktop.chronology.chinese_words import UNITS
from apexmem_desktop.chronology.clock import Stretch
from apexmem_desktop.chronology.durations import away, moved, unit_precision

_COUNT = rf"(大半|半|十几|好几|几|幾|两三|三四|四五|五六|一两|{NUMERAL})"


_UNIT = rf"({any_of(UNITS)})"


_AGO = re.compile(rf"{_COUNT}(多)?{_UNIT}(半|多)?(?:之|以)?(前|后|後|内)(?!面|来|來|男|女|任|卫)")


_HALVED = {"月": "month", "小时": "hour", "小時": "hour", "钟头": "hour", "星期": "week",
           "礼拜": "week"}  # fmt: skip


_VAGUE = {"半": (0.5, 0.5), "大半": (0.5, 0.9), "几": (3, 6), "幾": (3, 6), "好几": (4, 8),
          "十几": (11, 19), "两三": (2, 3), "三四": (3, 4), "四五": (4, 5), "五六": (5, 6),
          "一两": (1, 2)}  # fmt: skip


def _count(text: str) -> tuple[float, float]:
    return _VAGUE[text] if text in _VAGUE else (chinese_number(text),) * 2


_AND_HALF = re.compile(
    rf"({NUMERAL})[个個]半({any_of(_HALVED)})(?:之|以)?([前后後])(?!面|来|來|男|女|任|卫)"
)


def _and_half_ago(s: ChineseText, i: int) -> Found | None:
    """Read 一个半月前, 两个半小时后."""
    found = _AND_HALF.match(s.text, i)
    if found is None:
        return None
    count = chinese_number(found.group(1)) + 0.5
    return moved(
        s.clock, _HALVED[found.group(2)], -count if found.group(3) == "前" else count
    ), found.end()


def ago(s: ChineseText, i: int) -> Found | None:
    """Read 三年前, 半个月前, 两天后, 几周以后."""
    if (half := _and_half_ago(s, i)) is not None:
        return half
    found = _AGO.match(s.text, i)
    if found is None or s.text[i - 1 : i] in {"第", "每", "这"}:
        return None
    low, high = _count(found.group(1))
    if found.group(4) == "半":
        low, high = low + 0.5, high + 0.5
    unit = UNITS[found.group(3)]
    if low >= 1000 or (unit == "day" and low < 1):
        return None
    if found.group(5) == "前":
        return moved(s.clock, unit, -low, -high), found.end()
    far = moved(s.clock, unit, low, high)
    if found.group(5) == "内":
        return Stretch(min(s.clock.now, far.start), far.end, far.precision), found.end()
    return far, found.end()


_LASTING = re.compile(
    rf"(?:(已经|已經|都|快)?{_COUNT}(?:多)?{_UNIT}(半|多)?(?:(来|來|以来|以來)|(了)(?=$|[，。！？,.!?\s；;])))"
    rf"|(?:这|這|近|最近|过去|過去)(?:的)?{_COUNT}(?:多)?{_UNIT}(?!前|后|级|生|里面)"
)


def lasting(s: ChineseText, i: int) -> Found | None:
    """Read a stretch up to now: 三年了, 两年来, 最近三个月; 住了三年 alone may be over."""
    found = _LASTING.match(s.text, i)
    if found is None:
        return None
    recent = found.group(7) is not None
    count, unit = (found.group(7), found.group(8)) if recent else (found.group(2), found.group(3))
    _, high = _count(count)
    if found.group(4) == "半":
        high += 0.5
    unit = UNITS[unit]
    if unit == "minute" or (recent and s.text[i] in "这這" and unit == "day" and high < 2):
        return None
    begin = away(s.clock, unit, -high)
    role = "at" if recent else "for"
    return Stretch(begin, s.clock.now, unit_precision(unit), role=role), found.end()
