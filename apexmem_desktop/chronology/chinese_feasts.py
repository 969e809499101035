"""What Chinese calls feasts and holidays, of the solar calendar and of the lunar one."""

import tomllib
from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache

from apexmem_desktop.chronology.clock import Clock, Stretch, nth_weekday
from apexmem_desktop.domain.interval import Precision
from apexmem_desktop.domain.locations import resources_dir

_LONGEST_FEAST_DAYS = 15  # longer are the holidays of schools, which begin on no one day
Feast = tuple[Callable[[int], date], int]


def _on(month: int, day: int, days: int = 1) -> Feast:
    return (lambda year: date(year, month, day)), days


def _nth(month: int, weekday: int, nth: int) -> Feast:
    return (lambda year: nth_weekday(year, month, weekday, nth)), 1


def _qingming(year: int) -> date:
    """Work out 清明, 4 or 5 April, by the rule of thumb for two centuries."""
    tenths = 48_100 if year >= 2000 else 55_900
    short = year % 100
    return date(year, 4, (short * 2_422 + tenths) // 10_000 - short // 4)


@lru_cache(maxsize=1)
def _lunar_days() -> dict[int, tuple[date, ...]]:
    """Give the days of 春节, 端午, 七夕, 中秋 and 重阳 in each year that the table has."""
    text = (resources_dir() / "calendar" / "lunar_feasts.toml").read_text(encoding="utf-8")
    return {
        int(year): tuple(date.fromisoformat(f"{year}-{day}") for day in days)
        for year, days in tomllib.loads(text).items()
    }


def _lunar(place: int, later: int = 0, days: int = 1) -> Feast:
    return (lambda year: _lunar_days()[year][place] + timedelta(days=later)), days


_NEW_YEAR, _MAY_DAY, _NATIONAL_DAY = _on(1, 1), _on(5, 1), _on(10, 1)
_GOLDEN_WEEK = _on(10, 1, 7)
FEASTS: dict[str, Feast] = {
    "元旦": _NEW_YEAR, "元旦假期": _on(1, 1, 3), "情人节": _on(2, 14), "妇女节": _on(3, 8),
    "三八节": _on(3, 8), "愚人节": _on(4, 1), "劳动节": _MAY_DAY, "五一": _MAY_DAY,
    "五一假期": _on(5, 1, 5), "五一长假": _on(5, 1, 5), "儿童节": _on(6, 1), "六一": _on(6, 1),
    "母亲节": _nth(5, 6, 2), "父亲节": _nth(6, 6, 3), "教师节": _on(9, 10),
    "国庆节": _NATIONAL_DAY, "国庆": _NATIONAL_DAY, "國慶": _NATIONAL_DAY,
    "国庆假期": _GOLDEN_WEEK, "国庆长假": _GOLDEN_WEEK, "十一假期": _GOLDEN_WEEK,
    "十一长假": _GOLDEN_WEEK, "国庆黄金周": _GOLDEN_WEEK, "万圣节": _on(10, 31),
    "双十一": _on(11, 11), "双11": _on(11, 11), "感恩节": _nth(11, 3, 4), "平安夜": _on(12, 24),
    "圣诞节": _on(12, 25), "圣诞": _on(12, 25), "聖誕節": _on(12, 25), "聖誕": _on(12, 25),
    "跨年夜": _on(12, 31), "清明节": (_qingming, 1), "清明假期": (_qingming, 3),
    "暑假": _on(7, 1, 62), "寒假": _on(1, 15, 45),
}  # fmt: skip
# Whoever speaks of 春节 or 过年 means the days around it; the names of single days mean these.
_WEEK_OF_SPRING_FEAST = _lunar(0, -1, 8)
_LUNAR_FEASTS: dict[str, Feast] = {
    "春节": _WEEK_OF_SPRING_FEAST, "春節": _WEEK_OF_SPRING_FEAST, "春节假期": _WEEK_OF_SPRING_FEAST,
    "大年三十": _lunar(0, -1), "年三十": _lunar(0, -1), "除夕": _lunar(0, -1),
    "大年初一": _lunar(0), "大年初二": _lunar(0, 1), "大年初三": _lunar(0, 2),
    "元宵节": _lunar(0, 14), "元宵": _lunar(0, 14), "端午节": _lunar(1), "端午": _lunar(1),
    "七夕节": _lunar(2), "七夕": _lunar(2), "中秋节": _lunar(3), "中秋": _lunar(3),
    "中秋節": _lunar(3), "重阳节": _lunar(4), "重阳": _lunar(4),
}  # fmt: skip
FEASTS |= _LUNAR_FEASTS


def is_worked_out(name: str, year: int) -> bool:
    """Tell whether a feast's day is known in a year and in those beside it."""
    return name not in _LUNAR_FEASTS or {year - 1, year, year + 1} <= _lunar_days().keys()


def feast_in(clock: Clock, name: str, year: int) -> Stretch:
    """Span a feast, or the holiday around it, in a year."""
    first, days = FEASTS[name]
    precision = Precision.SEASON if days > _LONGEST_FEAST_DAYS else Precision.DAY
    return clock.days(first(year), days, precision)
