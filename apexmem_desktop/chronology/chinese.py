"""The Chinese grammar: 昨天, 上周五, 三年前, 2023年6月9日, 从去年起, 直到周末."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta

from apexmem_desktop.chronology.chinese_numbers import NUMERAL, chinese_number
from apexmem_desktop.chronology.chinese_words import (
    DAY_AND_PART,
    DAYS,
    FEASTS,
    MAY_HOLD_TIME,
    PARTS,
    SEASONS,
    STEPS,
    UNITS,
    WEEKDAYS,
    YEARS,
)
from apexmem_desktop.chronology.clock import DAY, Clock, Stretch, joined, monday_of
from apexmem_desktop.chronology.durations import away, moved, unit_precision
from apexmem_desktop.chronology.nearest import (
    month_with_day,
    nearest_year,
    weekday_bare,
    year_after,
    year_before,
    year_this,
)
from apexmem_desktop.chronology.parts import third
from apexmem_desktop.chronology.tense import Tense, tense_at
from apexmem_desktop.domain.interval import Precision, TimeSpan

Found = tuple[Stretch, int]  # what was meant, and the offset after it
Reader = Callable[["ChineseText", int], Found | None]


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


class ChineseText:
    """A Chinese text under the eyes of the grammar, read by offset."""

    def __init__(self, text: str, clock: Clock) -> None:
        self.text = text
        self.clock = clock

    def tense(self, start: int, end: int) -> Tense:
        """Read the tense around a stretch of the text."""
        return tense_at(self.text, start, end, "zh")


def find_chinese(text: str, clock: Clock) -> Iterator[TimeSpan]:
    """Yield the time expressions of a Chinese text from left to right, without overlaps."""
    if not MAY_HOLD_TIME.search(text):
        return
    source = ChineseText(text, clock)
    position = 0
    while (opening := _OPENING.search(text, position)) is not None:
        start = opening.start()
        found = _read(source, start)
        if found is None:
            position = start + 1
            continue
        stretch, position = found
        yield clock.span(stretch, text[start:position], start)


def parse_chinese(phrase: str, clock: Clock) -> TimeSpan | None:
    """Read a text that is one time expression and nothing else."""
    for start in (0, 1) if phrase[:1] in "在于於" else (0,):
        found = _read(ChineseText(phrase, clock), start)
        if found is not None and found[1] == len(phrase.rstrip("的")):
            return clock.span(found[0], phrase[start : found[1]], start)
    return None


def _read(s: ChineseText, i: int) -> Found | None:
    try:
        return _with_role(s, i)
    except (ValueError, OverflowError, StopIteration):
        return None


_FROM = re.compile(r"自从|自從|从|從|自")
_UNTIL = re.compile(r"(?:一直|直)到|(?<![一二三四五六日天末])到|直至|截至|截止到?|至")
_SINCE_AFTER = re.compile(
    r"(?:之后|之後|以后|以後|后|後)?(?:开始|開始|起|以来|以來|至今|到现在|到現在)|之后|之後|以后|以後|(?<=[日号天末年月])[后後](?!来|來|面)"
)
_UNTIL_AFTER = re.compile(r"为止|為止|之前|以前|前(?!面|男|女|任)")
_CONNECTOR = re.compile(r"\s?(?:到|至|-|–|—|~|～)\s?")


def _with_role(s: ChineseText, i: int) -> Found | None:
    """Read 从…起, 自…以来, 直到…, …之前, …到…; else the time alone."""
    opened = _FROM.match(s.text, i)
    closing = None if opened else _UNTIL.match(s.text, i)
    marker = opened or closing
    begin = marker.end() if marker else i
    found = (None if marker else _lasting(s, i)) or _single(s, begin)
    if found is None:
        return None
    if found[0].role == "for":
        return found
    ranged = _range(s, found)
    if ranged is not None:
        return ranged if not closing else None
    stretch, end = found
    if closing:
        stop = re.compile(r"为止|為止").match(s.text, end)
        return stretch.with_role("until"), stop.end() if stop else end
    after = _SINCE_AFTER.match(s.text, end)
    if after is not None:
        return stretch.with_role("since"), after.end()
    before = _UNTIL_AFTER.match(s.text, end)
    if before is not None and not opened:
        return stretch.with_role("until"), before.end()
    return (stretch.with_role("since") if opened else stretch), end


def _range(s: ChineseText, first: Found) -> Found | None:
    connector = _CONNECTOR.match(s.text, first[1])
    last = _single(s, connector.end()) if connector else None
    if last is None:
        last = _short_end(s, first, connector.end()) if connector else None
    if last is None:
        return None
    begin, end = first[0], last[0]
    if end.end <= begin.start and end.precision is Precision.MONTH:
        start = end.start
        end = s.clock.month(start.year + 1, start.month)
    return joined(begin, end), last[1]


_SHORT_DAY = re.compile(rf"({NUMERAL})[日号號]")
_SHORT_MONTH = re.compile(rf"({NUMERAL})月(?![一两几三\d]次)(?:份)?(?:({NUMERAL})[日号號])?")


def _short_end(s: ChineseText, first: Found, i: int) -> Found | None:
    """Read the end of 6月3日到5日, which leans on the month before it."""
    day = _SHORT_DAY.match(s.text, i)
    if day is None:
        return None
    start = first[0].start.date()
    return s.clock.day(start.replace(day=chinese_number(day.group(1)))), day.end()


def _single(s: ChineseText, i: int) -> Found | None:
    best: Found | None = None
    for reader in _READERS:
        found = reader(s, i)
        if found is not None and (best is None or found[1] > best[1]):
            best = found
    if best is None:
        return _clock_alone(s, i)
    return _with_part_of_day(s, best)


_DAY = re.compile(rf"({_any(DAY_AND_PART)})|({_any(DAYS)})")


def _day(s: ChineseText, i: int) -> Found | None:
    found = _DAY.match(s.text, i)
    if found is None:
        return None
    if found.group(2):
        steps, part = DAYS[found.group(2)], ""
    else:
        steps, part = DAY_AND_PART[found.group(1)]
    day = s.clock.today + timedelta(days=steps)
    return (s.clock.hours(day, *PARTS[part]) if part else s.clock.day(day)), found.end()


_EDGE = re.compile(
    r"(?:的)?(年初|月初|初(?![一二三四五六七八九十中恋])|年中|月中旬?|中旬|上旬|下旬|年底|年末|月底|月末|底|末(?!期)|年尾)"
)
_THIRDS = {"初": "early", "上": "early", "中": "mid", "下": "late", "底": "late", "末": "late",
           "尾": "late"}  # fmt: skip


def _edged(s: ChineseText, whole: Found) -> Found:
    """Narrow a month or a year by 初, 中旬, 底 behind it."""
    edge = _EDGE.match(s.text, whole[1])
    if edge is None:
        return whole
    sign = edge.group(1).lstrip("年月")[0]
    return third(whole[0], _THIRDS[sign]), edge.end()


_YEAR = re.compile(
    rf"({_any(YEARS)})|(\d{{4}}|[〇零○一二三四五六七八九]{{4}})\s?年(?![级份度])(?:份)?"
)
_HALF = re.compile(r"(?:的)?([上下])半年")
_SEASON = re.compile(r"(?:的)?([春夏秋冬])(?:天|季|节)?")


def _year(s: ChineseText, i: int) -> Found | None:
    """Read a year, with its half, season, month, day or feast."""
    found = _YEAR.match(s.text, i)
    if found is None:
        return None
    stated = found.group(2) is not None
    year = chinese_number(found.group(2)) if stated else s.clock.today.year + YEARS[found.group(1)]
    if not 1900 <= year <= 2100:
        return None
    stretch, end = _inside_year(s, year, found.end())
    return replace(stretch, stated=stated), end


def _inside_year(s: ChineseText, year: int, i: int) -> Found:
    gap = re.compile(r"\s?的?").match(s.text, i)
    j = gap.end() if gap else i
    half = _HALF.match(s.text, i)
    if half is not None:
        months = s.clock.month(year, 1 if half.group(1) == "上" else 7, 6)
        return replace(months, precision=Precision.SEASON), half.end()
    season = _SEASON.match(s.text, i)
    if season is not None:
        return s.clock.season(SEASONS[season.group(1)], year), season.end()
    month = _SHORT_MONTH.match(s.text, j)
    if month is not None:
        return _month_day(s, year, month)
    feast = _FEAST.match(s.text, j)
    if feast is not None:
        return s.clock.day(date(year, *FEASTS[feast.group()])), feast.end()
    return _edged(s, (s.clock.year(year), i))


def _month_day(s: ChineseText, year: int, month: re.Match[str]) -> Found:
    number = chinese_number(month.group(1))
    if month.group(2):
        return s.clock.day(date(year, number, chinese_number(month.group(2)))), month.end()
    if not 1 <= number <= 12:
        raise ValueError(f"no month {number}")
    return _edged(s, (s.clock.month(year, number), month.end()))


def _month(s: ChineseText, i: int) -> Found | None:
    """Read 三月, 三月五号, 6月9日, with the year left open."""
    found = _SHORT_MONTH.match(s.text, i)
    if found is None:
        return None
    end = _month_day(s, 2000, found)[1]  # 2000 has a 29 February
    tense = s.tense(i, end)
    stretch = nearest_year(s.clock, tense, lambda year: _month_day(s, year, found)[0])
    return stretch, end


_STEP = "上上|下下|上|这|這|本|下"
_MONTH_STEP = re.compile(rf"({_STEP})(?:个|個)?月(?!亮|光|饼)(?:份)?的?(?:({NUMERAL})[日号號])?")


def _month_step(s: ChineseText, i: int) -> Found | None:
    """Read 上个月, 下月五号, 这个月底."""
    found = _MONTH_STEP.match(s.text, i)
    if found is None:
        return None
    month = s.clock.months_from_now(STEPS[found.group(1)])
    if found.group(2):
        day = chinese_number(found.group(2))
        return s.clock.day(month.start.date().replace(day=day)), found.end()
    return _edged(s, (month, found.end()))


_WEEK_NAME = "(?:个|個)?(?:周|週|星期|礼拜|禮拜)"
_WEEK_STEP = re.compile(rf"({_STEP}){_WEEK_NAME}([一二三四五六日天]|末)?(?![年岁])")


def _week_step(s: ChineseText, i: int) -> Found | None:
    """Read 上周, 下周五, 这个周末."""
    found = _WEEK_STEP.match(s.text, i)
    if found is None:
        return None
    steps, day = STEPS[found.group(1)], found.group(2)
    if day is None:
        return s.clock.week(steps), found.end()
    if day == "末":
        return s.clock.weekend(steps), found.end()
    monday = monday_of(s.clock.today) + timedelta(weeks=steps)
    return s.clock.day(monday + timedelta(days=WEEKDAYS[day])), found.end()


_WEEKDAY = re.compile(
    r"(?<![每一两几二三四五六七八九十\d双单隔各])(?<![一二三四五六日天][到至])(?:周|週|星期|礼拜|禮拜)([一二三四五六日天])(?![年岁天到至、和])"
)
_WEEKEND = re.compile(r"(?<![每上下这個个一两几度])(?:周|週)末(?!愉快|快乐)")


def _weekday(s: ChineseText, i: int) -> Found | None:
    found = _WEEKDAY.match(s.text, i)
    if found is None or s.text[max(0, i - 1) : i] in {"每", "逢"}:
        return None
    weekday = WEEKDAYS[found.group(1)]
    day = weekday_bare(s.clock.today, weekday, s.tense(i, found.end()))
    return s.clock.day(day), found.end()


def _weekend(s: ChineseText, i: int) -> Found | None:
    found = _WEEKEND.match(s.text, i)
    if found is None:
        return None
    past = s.tense(i, found.end()) is Tense.PAST and s.clock.today.weekday() < 5
    return s.clock.weekend(-1 if past else 0), found.end()


_COUNT = rf"(大半|半|十几|好几|几|幾|两三|三四|四五|五六|一两|{NUMERAL})"
_UNIT = rf"({_any(UNITS)})"
_AGO = re.compile(rf"{_COUNT}(多)?{_UNIT}(半|多)?(?:之|以)?(前|后|後|内)(?!面|来|來|男|女|任|卫)")
_VAGUE = {"半": (0.5, 0.5), "大半": (0.5, 0.9), "几": (3, 6), "幾": (3, 6), "好几": (4, 8),
          "十几": (11, 19), "两三": (2, 3), "三四": (3, 4), "四五": (4, 5), "五六": (5, 6),
          "一两": (1, 2)}  # fmt: skip


def _count(text: str) -> tuple[float, float]:
    return _VAGUE[text] if text in _VAGUE else (chinese_number(text),) * 2


def _ago(s: ChineseText, i: int) -> Found | None:
    """Read 三年前, 半个月前, 两天后, 几周以后."""
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


def _lasting(s: ChineseText, i: int) -> Found | None:
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


_DAY_NUMBER = re.compile(
    rf"(?<![\d年月])({NUMERAL})[号號](?![楼线門门店房车院桌馆机厅码称召员球位选角])"
)


def _day_of_month(s: ChineseText, i: int) -> Found | None:
    found = _DAY_NUMBER.match(s.text, i)
    if found is None:
        return None
    number = chinese_number(found.group(1))
    if not 1 <= number <= 31:
        return None
    return month_with_day(s.clock, s.tense(i, found.end()), number), found.end()


_SEASON_STEP = re.compile(r"(上|这|這|下)(?:个|個)?([春夏秋冬])(?:天|季)")
_FEAST = re.compile(_any(FEASTS))
_BARE_EDGE = re.compile(
    r"(?<![大今去明前后])(月底|月初|月中|年底|年末|年初(?![一二三四五六七八九十])|年中)"
)
_DECADE = re.compile(r"(?:上个?世纪|二十世纪|20世纪)?([2-9]0|[二三四五六七八九]十)年代")


_LATELY = re.compile(r"前(?:几|些|两|幾)天")


def _named(s: ChineseText, i: int) -> Found | None:
    """Read 这个夏天, 圣诞节, 月底, 九十年代."""
    lately = _LATELY.match(s.text, i)
    if lately is not None:
        week_ago = s.clock.today - timedelta(days=7)
        return s.clock.days(week_ago, 7, Precision.WEEK), lately.end()
    season = _SEASON_STEP.match(s.text, i)
    if season is not None:
        choose = {"上": year_before, "下": year_after}.get(season.group(1), year_this)
        name = SEASONS[season.group(2)]
        return choose(s.clock, lambda year: s.clock.season(name, year)), season.end()
    feast = _FEAST.match(s.text, i)
    if feast is not None:
        month, day = FEASTS[feast.group()]
        tense = s.tense(i, feast.end())
        in_year = nearest_year(s.clock, tense, lambda year: s.clock.day(date(year, month, day)))
        return in_year, feast.end()
    edge = _BARE_EDGE.match(s.text, i)
    if edge is not None:
        whole = s.clock.months_from_now(0)
        if edge.group(1)[0] == "年":
            whole = s.clock.year(s.clock.today.year)
        return third(whole, _THIRDS[edge.group(1)[1]]), edge.end()
    decade = _DECADE.match(s.text, i)
    if decade is not None:
        return s.clock.year(1900 + chinese_number(decade.group(1)), 10).as_stated(), decade.end()
    return None


_CLOCK = re.compile(
    rf"(?:的)?({_any(PARTS)})?({NUMERAL})(?:点|點|时(?!候|间))(?:钟|鐘)?(半|([一三])刻|({NUMERAL})分?)?"
)
_PART = re.compile(rf"(?:的)?({_any(PARTS)})")


def _time_of_day(s: ChineseText, i: int) -> tuple[int, int, str, int] | None:
    found = _CLOCK.match(s.text, i)
    if found is None:
        return None
    hour, part = chinese_number(found.group(2)), found.group(1) or ""
    tail = found.group(3) or ""
    minute = 30 if tail == "半" else 0
    if found.group(4):
        minute = 15 * chinese_number(found.group(4))
    elif found.group(5):
        minute = chinese_number(found.group(5))
    if hour < 12 and part in {"下午", "傍晚", "晚上", "夜晚", "晚间", "晚間"}:
        hour += 12
    if hour < 4 and part == "中午":
        hour += 12
    return (hour, minute, part, found.end()) if hour < 24 and minute < 60 else None


def _with_part_of_day(s: ChineseText, found: Found) -> Found:
    day, i = found
    if day.precision is not Precision.DAY or day.end - day.start > DAY:
        return found
    hour = _time_of_day(s, i)
    if hour is not None:
        start = day.start.replace(hour=0) + timedelta(hours=hour[0], minutes=hour[1])
        if day.start.hour >= 17 and hour[0] < 12:
            start += timedelta(hours=12)
        return replace(s.clock.minute(start), stated=day.stated), hour[3]
    part = _PART.match(s.text, i)
    if part is not None and day.end - day.start == DAY:
        narrowed = s.clock.hours(day.start.date(), *PARTS[part.group(1)])
        return replace(narrowed, stated=day.stated), part.end()
    return found


def _clock_alone(s: ChineseText, i: int) -> Found | None:
    """Read 下午三点 of today; a lone 三点 may be three points, so a part of the day is needed."""
    hour = _time_of_day(s, i)
    if hour is None or not hour[2]:
        return None
    start = s.clock.midnight(s.clock.today) + timedelta(hours=hour[0], minutes=hour[1])
    return s.clock.minute(start), hour[3]


_READERS: tuple[Reader, ...] = (
    _day, _year, _month_step, _week_step, _weekday, _weekend, _month, _ago, _day_of_month, _named,
)  # fmt: skip

_OPENING = re.compile(
    rf"自|从|從|直|一直到|截|至|到|{_any(DAY_AND_PART)}|{_any(DAYS)}|{_any(YEARS)}|\d|"
    rf"[〇零○一二两兩三四五六七八九十百千几幾半好大]|{_any(FEASTS)}|上|下|这|這|本|周|週|星期|礼拜|禮拜|"
    rf"近|最近|过去|過去|已经|已經|都|快|月|年|前|20世纪|{_any(PARTS)}"
)
