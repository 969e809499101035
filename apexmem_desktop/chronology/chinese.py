"""The Chinese grammar: 昨天, 上周五, 三年前, 2023年6月9日, 从去年起, 直到周末."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from apexmem_desktop.chronology.chinese_counted import ago, lasting
from apexmem_desktop.chronology.chinese_feasts import FEASTS, feast_in, is_worked_out
from apexmem_desktop.chronology.chinese_hours import clock_alone, with_part_of_day
from apexmem_desktop.chronology.chinese_numbers import NUMERAL, chinese_number
from apexmem_desktop.chronology.chinese_text import ChineseText, Found, Reader, any_of
from apexmem_desktop.chronology.chinese_words import (
    DAY_AND_PART,
    DAYS,
    MAY_HOLD_TIME,
    PARTS,
    SEASONS,
    STEPS,
    WEEKDAYS,
    YEARS,
)
from apexmem_desktop.chronology.clock import Clock, add_months, joined, monday_of
from apexmem_desktop.chronology.durations import period
from apexmem_desktop.chronology.nearest import (
    month_with_day,
    nearest_year,
    weekday_bare,
    year_after,
    year_before,
    year_this,
)
from apexmem_desktop.chronology.parts import third
from apexmem_desktop.chronology.tense import Tense
from apexmem_desktop.domain.interval import Precision, TimeSpan


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
    r"(?:之后|之後|以后|以後|后|後)?(?:开始|開始|起|以来|以來|至今|到现在|到現在)|之后|之後|以后|以後|(?<=[日号天末年月])[后後](?!来|來|面|天)"
)
_UNTIL_AFTER = re.compile(r"为止|為止|之前|以前|前(?!面|男|女|任|天)")
_CONNECTOR = re.compile(r"\s?(?:到|至|-|–|—|~|～)\s?")


def _with_role(s: ChineseText, i: int) -> Found | None:
    """Read 从…起, 自…以来, 直到…, …之前, …到…; else the time alone."""
    opened = _FROM.match(s.text, i)
    closing = None if opened else _UNTIL.match(s.text, i)
    marker = opened or closing
    begin = marker.end() if marker else i
    found = (None if marker else lasting(s, i)) or _single(s, begin)
    if found is None:
        return None
    if found[0].role == "for":
        return found
    ranged = _range(s, begin, found)
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


def _range(s: ChineseText, i: int, first: Found) -> Found | None:
    connector = _CONNECTOR.match(s.text, first[1])
    if connector is None:
        return None
    j = connector.end()
    last = _end_in_year(s, i, first, j) or _end_in_week(s, i, first, j) or _single(s, j)
    last = last or _short_end(s, first, j)
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
    last = s.clock.day(start.replace(day=chinese_number(day.group(1))))
    return replace(last, stated=first[0].stated), day.end()


def _end_in_year(s: ChineseText, i: int, first: Found, j: int) -> Found | None:
    """Read the end of 2021年三月到五月 and 去年三月到五月, which leans on the year before it."""
    named = _YEAR.match(s.text, i) and first[0].precision is not Precision.YEAR
    month = _SHORT_MONTH.match(s.text, j) if first[0].stated or named else None
    if month is None:
        return None
    year = first[0].start.year
    stretch, end = _month_day(s, year, month)
    if stretch.end <= first[0].start:  # 2021年十一月到二月
        stretch, end = _month_day(s, year + 1, month)
    return replace(stretch, stated=first[0].stated), end


_SHORT_WEEKDAY = re.compile(r"(?:周|週|星期|礼拜|禮拜)([一二三四五六日天])(?![年岁])")


def _end_in_week(s: ChineseText, i: int, first: Found, j: int) -> Found | None:
    """Read the end of 上周一到周四, which leans on the week before it."""
    begun, day = _WEEK_STEP.match(s.text, i), _SHORT_WEEKDAY.match(s.text, j)
    if begun is None or day is None or begun.group(2) in (None, "末"):
        return None
    monday = monday_of(first[0].start.date())
    return s.clock.day(monday + timedelta(days=WEEKDAYS[day.group(1)])), day.end()


def _single(s: ChineseText, i: int) -> Found | None:
    best: Found | None = None
    for reader in _READERS:
        found = reader(s, i)
        if found is not None and (best is None or found[1] > best[1]):
            best = found
    if best is None:
        return clock_alone(s, i)
    return with_part_of_day(s, _like_today(s, best) or best)


_LIKE_TODAY = re.compile(r"的?(?:(今天|今日|这一天|這一天|同一天)|这个?时候|這個?時候|此时|同期)")


def _like_today(s: ChineseText, whole: Found) -> Found | None:
    """Read 去年的今天, 三年前的今天, 上周的今天 as one day, and 去年这个时候 as the month."""
    found = _LIKE_TODAY.match(s.text, whole[1])
    stretch, today = whole[0], s.clock.today
    if found is None or stretch.stated:
        return None
    if found.group(1) and stretch.precision is Precision.WEEK:
        first = stretch.start.date()
        day = first + timedelta(days=(today.weekday() - first.weekday()) % 7)
        return s.clock.day(day), found.end()
    if stretch.precision is Precision.MONTH and found.group(1):
        start = stretch.start.date()
        months = 12 * (start.year - today.year) + start.month - today.month
    elif stretch.precision is Precision.YEAR:
        months = 12 * (stretch.start.year - today.year)
    else:
        return None
    day = add_months(today, months)
    one = s.clock.day(day) if found.group(1) else s.clock.month(day.year, day.month)
    return one, found.end()


# "目前天气" and "以后天天" have no 前天 and no 后天 in them
_DAY = re.compile(rf"({any_of(DAY_AND_PART)})|((?<![目以之])(?:{any_of(DAYS)}))")


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
    rf"({any_of(YEARS)})|(\d{{4}}|[〇零○一二三四五六七八九]{{4}})"
    # the first of 2015-2018年 borrows its 年
    r"(?:\s?年(?![级份度])(?:份)?|(?=\s?[-–—~～至到]\s?\d{4}\s?年))"
    # 98年 and 08年; what may be a number of years (20年, 50年) is none
    r"|(?<![\d.])(0\d|[5-9][1-9])年(?![前后後来來以之多了间間级级代历的])"
)
_HALF = re.compile(r"(?:的)?([上下])半年")
_QUARTER = re.compile(r"(?:的)?第?([一二三四1-4])季度")
_SEASON = re.compile(r"(?:的)?([春夏秋冬])(?:天|季|(?!节|節))")


def _year(s: ChineseText, i: int) -> Found | None:
    """Read a year, with its half, season, month, day or feast."""
    found = _YEAR.match(s.text, i)
    if found is None:
        return None
    short = found.group(3)
    stated = found.group(1) is None
    if short:
        year = int(short) + (2000 if short[0] == "0" else 1900)
    elif stated:
        year = chinese_number(found.group(2))
    else:
        year = s.clock.today.year + YEARS[found.group(1)]
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
    quarter = _QUARTER.match(s.text, i)
    if quarter is not None:
        months = s.clock.month(year, 3 * chinese_number(quarter.group(1)) - 2, 3)
        return replace(months, precision=Precision.SEASON), quarter.end()
    season = _SEASON.match(s.text, i)
    if season is not None:
        return s.clock.season(SEASONS[season.group(1)], year), season.end()
    month = _SHORT_MONTH.match(s.text, j)
    if month is not None:
        return _month_day(s, year, month)
    feast = _FEAST.match(s.text, j)
    if feast is not None and is_worked_out(feast.group(), year):
        return feast_in(s.clock, feast.group(), year), feast.end()
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
_FEAST = re.compile(rf"(?:{any_of(FEASTS)})(?![节節]?快[乐樂])")  # a greeting tells no time
_BARE_EDGE = re.compile(
    r"(?<![大今去明前后])(月底|月初|月中|年底|年末|年初(?![一二三四五六七八九十])|年中)"
    r"|(?<!月)([上中下])旬"
)
_DECADE = re.compile(r"(?:上个?世纪|二十世纪|20世纪)?([2-9]0|[二三四五六七八九]十)年代")


_TENS = {"上": "early", "中": "mid", "下": "late"}  # of the days of a month
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
    if feast is not None and is_worked_out(feast.group(), s.clock.today.year):
        tense, name = s.tense(i, feast.end()), feast.group()
        return nearest_year(s.clock, tense, lambda year: feast_in(s.clock, name, year)), feast.end()
    edge = _BARE_EDGE.match(s.text, i)
    if edge is not None:
        whole = s.clock.months_from_now(0)
        if edge.group(2):
            return third(whole, _TENS[edge.group(2)]), edge.end()
        if edge.group(1)[0] == "年":
            whole = s.clock.year(s.clock.today.year)
        return third(whole, _THIRDS[edge.group(1)[1]]), edge.end()
    decade = _DECADE.match(s.text, i)
    if decade is not None:
        years = s.clock.year(1900 + chinese_number(decade.group(1)), 10).as_stated()
        return _edged(s, (years, decade.end()))
    return _step_of_year(s, i)


_HALF_YEAR = re.compile(r"(?<!年)([上下])半年")
_QUARTER_STEP = re.compile(rf"({_STEP})(?:个|個)?季度")


def _step_of_year(s: ChineseText, i: int) -> Found | None:
    """Read 上半年 of this year, 上个季度."""
    half = _HALF_YEAR.match(s.text, i)
    if half is not None:
        return _inside_year(s, s.clock.today.year, i)
    quarter = _QUARTER_STEP.match(s.text, i)
    if quarter is None:
        return None
    return period(s.clock, "quarter", STEPS[quarter.group(1)]), quarter.end()


# 2023.6.8 is how a date is written; after a Latin letter or 版本 it counts versions
_DOTTED = re.compile(
    r"(?<![A-Za-z\d.])(?<!版本)((?:19|20)\d\d)\.(\d{1,2})\.(\d{1,2})(?!\.?\d|[版A-Za-z])"
)


def _dotted(s: ChineseText, i: int) -> Found | None:
    """Read 2023.6.8, the year first."""
    found = _DOTTED.match(s.text, i)
    if found is None:
        return None
    return s.clock.day(date(*map(int, found.groups()))).as_stated(), found.end()


_READERS: tuple[Reader, ...] = (
    _dotted, _day, _year, _month_step, _week_step, _weekday, _weekend, _month, ago,
    _day_of_month, _named,
)  # fmt: skip

_OPENING = re.compile(
    rf"自|从|從|直|一直到|截|至|到|{any_of(DAY_AND_PART)}|{any_of(DAYS)}|{any_of(YEARS)}|\d|"
    rf"[〇零○一二两兩三四五六七八九十百千几幾半好大]|{any_of(FEASTS)}|上|下|这|這|本|周|週|星期|礼拜|禮拜|"
    rf"近|最近|过去|過去|已经|已經|都|快|月|年|前|20世纪|{any_of(PARTS)}"
)
