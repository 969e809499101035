"""Dates as people and programs write them at the beginning of a line, in several languages."""

import re
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from apexmem_desktop.importers.date_order import to_date
from apexmem_desktop.importers.phrases import fold, load_phrases
from apexmem_desktop.importers.whatsapp_heads import hour_of_day

# English, German, French, Spanish, Italian, Portuguese and Dutch; each also in its short forms.
_MONTHS = (
    "january januar jänner janvier enero gennaio janeiro januari jan janv ene gen",
    "february februar feber février febrero febbraio fevereiro februari feb fév févr fev",
    "march märz mars marzo março maart mar mär mrz mrt",
    "april avril abril aprile apr avr abr",
    "may mai mayo maggio maio mei mag",
    "june juni juin junio giugno junho jun giu",
    "july juli juillet julio luglio julho jul juil lug",
    "august août agosto augustus aug ago",
    "september septembre septiembre settembre setembro sept sep set",
    "october oktober octobre octubre ottobre outubro oct okt ott out",
    "november novembre noviembre novembro nov",
    "december dezember décembre diciembre dicembre dezembro december dec dez déc dic",
)
_MONTH_OF = {name: n for n, names in enumerate(_MONTHS, start=1) for name in names.split()}
_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri"
    " sat sun montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr"
    " sa so lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim lunes"
    " martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì giovedì venerdì"
    " sabato domenica segunda terça quarta quinta sexta segunda-feira terça-feira quarta-feira"
    " quinta-feira sexta-feira maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr"
    " za zo"
)


def _any_of(words: str) -> str:
    return "|".join(sorted(map(re.escape, words.split()), key=len, reverse=True))


_MONTH = rf"(?P<month>{_any_of(' '.join(_MONTHS))})\.?"
_ASIAN_DAY = (
    r"\s*[（(]?(?:星期|周|週)?[一二三四五六日天月火水木金土월화수목금토일](?:曜日?|요일)?[）)]?"
)
_DATE = re.compile(
    rf"(?:(?:{_any_of(_WEEKDAYS)})\b\.?,?\s{{0,3}})?(?:(?:the|den|le|el|il)\s)?(?:"
    r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"
    r"|(?P<y2>\d{4})\s?[年년]\s?(?P<m2>\d{1,2})\s?[月월]\s?(?P<d2>\d{1,2})\s?[日号號일]?"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?\s{{1,3}}(?:de\s|of\s)?{_MONTH},?\s{{1,3}}(?:de\s)?"
    r"(?P<year>\d{4})(?!\d)"
    rf"|{_MONTH.replace('month', 'month2')}\s{{1,3}}(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s{{1,3}}"
    r"(?P<year2>\d{4})(?!\d)"
    r"|(?P<a>\d{1,2})(?P<sep>[./-])(?P<b>\d{1,2})(?P=sep)(?P<c>\d{4}|\d{2})(?!\d)"
    rf")(?:,?\s{{0,2}}[(]?(?:{_any_of(_WEEKDAYS)})\b[.)]?|{_ASIAN_DAY})?",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?:,?\s{1,3}|T|,\s?)(?:(?:um|at|à|a las|alle|às|om)\s)?(?P<before>[^\W\d_]{2})?"
    r"(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d{1,6})?)?(?!\d)"
    r"(?:\s?(?P<half>[ap]\.?\s?m\.?)(?![^\W\d_])|\s?uhr\b|\s?h\b)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date that stands somewhere.

    Attributes:
        numbers: Three numbers whose order is open, or year, month, day.
        is_open: Whether the order is open.
        minute: Of the day; None where no clock stands behind the date.
        end: Place behind it.
    """

    numbers: tuple[int, int, int]
    is_open: bool
    minute: int | None
    second: int | None
    end: int

    def day(self, order: str) -> date | None:
        """Give the day; None when there is none in that order."""
        return to_date(self.numbers, order if self.is_open else "ymd")


def written_date(text: str, start: int = 0) -> WrittenDate | None:
    """Read a date that begins at a place, with the clock behind it."""
    found = _DATE.match(text, start)
    if found is None:
        return None
    numbers, is_open = _numbers(found)
    if not is_open and to_date(numbers, "ymd") is None:
        return None
    clock = _CLOCK.match(text, found.end())
    minute = _minute(clock) if clock else None
    if clock is None or minute is None:
        return WrittenDate(numbers, is_open, None, None, found.end())
    second = int(clock["second"]) if clock["second"] else None
    return WrittenDate(numbers, is_open, minute, second, clock.end())


def decide_order(dates: list[WrittenDate], wish: str) -> tuple[str, bool]:
    """Decide once whether days or months stand first: all must be days and go one way in time.

    Returns:
        The order, and whether it is certain.
    """
    unclear = [one for one in dates if one.is_open]
    if not unclear:
        return "", True
    judged = {order: _judge(dates, order) for order in ("dmy", "mdy")}
    if wish in judged and judged[wish][0] <= min(judged.values())[0]:
        return wish, True
    return min(judged, key=lambda order: judged[order]), judged["dmy"] != judged["mdy"]


def _judge(dates: list[WrittenDate], order: str) -> tuple[int, int]:
    days = [one.day(order) for one in dates]
    known = [day for day in days if day is not None]
    back = sum(later < day for day, later in pairwise(known))
    forth = sum(later > day for day, later in pairwise(known))
    return len(days) - len(known), min(back, forth)  # some put the newest first


def _numbers(found: re.Match[str]) -> tuple[tuple[int, int, int], bool]:
    if found["a"]:
        return (int(found["a"]), int(found["b"]), int(found["c"])), True
    if found["day"]:
        return (int(found["year"]), _MONTH_OF[found["month"].lower()], int(found["day"])), False
    if found["day2"]:
        return (int(found["year2"]), _MONTH_OF[found["month2"].lower()], int(found["day2"])), False
    year, month, day = (found[f"{key}2"] or found[key] for key in "ymd")
    return (int(year), int(month), int(day)), False


def _minute(clock: re.Match[str]) -> int | None:
    hour = int(clock["hour"])
    half = load_phrases().periods.get(fold(clock["half"] or clock["before"] or ""))
    if clock["before"] and not half:
        return None
    hour = hour_of_day(hour, half) if half else hour
    return hour * 60 + int(clock["minute"]) if hour < 24 and int(clock["minute"]) < 60 else None
