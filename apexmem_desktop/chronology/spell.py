"""Times back to words: for answers, for the window, and beside the relative words of a prompt."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from apexmem_desktop.chronology import spell_chinese, spell_english
from apexmem_desktop.chronology.calendar import elapsed
from apexmem_desktop.chronology.clock import DAY, SEASON_FIRST_MONTH, Clock, Stretch, monday_of
from apexmem_desktop.chronology.language import is_chinese
from apexmem_desktop.chronology.parts import third
from apexmem_desktop.chronology.words import find_time_spans
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, TimeSpan
from apexmem_desktop.domain.wall import UTC_CLOCK, WallClock

_MILLISECOND = timedelta(milliseconds=1)
_HALF_A_MONTH = 15  # days
_ROUND_YEARS = 5  # of so many years nobody tells the months


def spell_span(span: TimeSpan, language: str = "en") -> str:
    """Spell what some words meant, as finely as they told it ("June 2023", "2022年夏天")."""
    words = _words(language)
    clock = Clock(span.anchor_ms or span.start_ms, span.offset_minutes, span.zone)
    start, end = _local(clock, span.start_ms), _local(clock, span.end_ms)
    if span.role == "for":
        return words.since(_spell_start(start, span.precision, language))
    return _spell(clock, Stretch(start, end, span.precision), language)


def spell_told(span: TimeSpan, language: str = "en") -> str:
    """Spell as it was told: weeks by the day they were spoken of, weekdays with their name."""
    words = _words(language)
    clock = Clock(span.anchor_ms, span.offset_minutes, span.zone)
    start = _local(clock, span.start_ms)
    length = _local(clock, span.end_ms) - start  # by the calendar: a day may last 23 hours
    weekend = length == 2 * DAY and start.weekday() == 5
    if span.role != "for" and (weekend or (length == 7 * DAY and start.weekday() == 0)):
        beside = (monday_of(start.date()) - monday_of(clock.today)).days // 7
        spellers: dict[int, Callable[[datetime, bool], str]] = {
            -1: words.week_before, 0: words.week_around, 1: words.week_after,
        }  # fmt: skip
        if beside in spellers and not (weekend and beside == 0):
            return spellers[beside](clock.now, weekend)
    if span.precision is Precision.DAY and length <= DAY and span.role != "for":
        return words.named_day(start) if words.names_day(span.phrase) else words.day(start)
    return spell_span(span, language)


def spell_instant(
    ms: int, offset_minutes: int, language: str = "en", with_time: bool = False
) -> str:
    """Spell the local day of an instant, with its hour and minute if asked."""
    words = _words(language)
    moment = _local(Clock(ms, offset_minutes), ms)
    return words.moment(moment) if with_time else words.day(moment)


def spell_bound(bound: Bound, wall: WallClock = UTC_CLOCK, language: str = "en") -> str:
    """Spell one end of a validity by the clock it was told by, with what is not known of it."""
    words, wall = _words(language), wall.of_bound(bound)
    if bound.earliest_ms is None:
        if bound.latest_ms is None:
            return words.UNKNOWN
        return words.by(spell_instant(bound.latest_ms, wall.offset_at(bound.latest_ms), language))
    if bound.latest_ms is None:
        offset_minutes = wall.offset_at(bound.earliest_ms)
        return words.not_before(spell_instant(bound.earliest_ms, offset_minutes, language))
    clock = Clock(bound.earliest_ms, wall.offset_minutes, wall.zone)
    start, end = _local(clock, bound.earliest_ms), _local(clock, bound.latest_ms + 1)
    return _spell(clock, Stretch(start, end, bound.precision), language)


def spell_duration(ms: int, language: str = "en", *, in_days: bool = False) -> str:
    """Spell a length of time in its one or two largest units ("1 year 3 months").

    Args:
        in_days: Not in months, where it is less than a year.
    """
    words = _words(language)
    minutes = abs(ms) // 60_000
    days = minutes // 1440
    if days >= 365:
        years, rest = divmod(days, 365.2425)
        counted = [(int(years), "year"), (min(11, round(rest / 30.44)), "month")]
        counted = counted if years < 5 else counted[:1]
    elif days >= 60 and not in_days:
        counted = [(round(days / 30.44), "month")]
    elif days >= 1:
        counted = [(days, "day")] if days % 7 or days < 14 else [(days // 7, "week")]
    elif minutes >= 60:
        counted = [(minutes // 60, "hour"), (minutes % 60, "minute")]
    else:
        counted = [(minutes, "minute")]
    return words.duration([(count, unit) for count, unit in counted if count])


def spell_lasting(start_ms: int, end_ms: int, wall: WallClock, language: str = "en") -> str:
    """Spell how long it was from one instant to another by the calendar ("1 year 3 months")."""
    whole = elapsed(start_ms, end_ms, wall)
    if not whole.years:
        return spell_duration((wall.day(end_ms) - wall.day(start_ms)) // _MILLISECOND, language)
    months = 12 * whole.years + whole.months + (whole.days > _HALF_A_MONTH)
    years, rest = divmod(months, 12)
    counted = [(years, "year"), *([(rest, "month")] if rest and years < _ROUND_YEARS else [])]
    return _words(language).duration(counted)


def annotate(text: str, *, anchor_ms: int, offset_minutes: int, zone: str = "") -> str:
    """Write "[= 7 May 2023]" behind each relative expression, so that no model has to reckon."""
    language = "zh" if is_chinese(text) else "en"
    pieces, done = [], 0
    for span in find_time_spans(
        text, anchor_ms=anchor_ms, offset_minutes=offset_minutes, zone=zone
    ):
        if span.source is TimeSource.WORKED_OUT:
            end = span.phrase_start + len(span.phrase)
            pieces += [text[done:end], f" [= {spell_told(span, language)}]"]
            done = end
    return "".join([*pieces, text[done:]])


def _words(language: str) -> "type[spell_english.English] | type[spell_chinese.Chinese]":
    return spell_chinese.Chinese if language.startswith("zh") else spell_english.English


def _local(clock: Clock, ms: int) -> datetime:
    return replace(clock, anchor_ms=ms).now


def _spell_start(start: datetime, precision: Precision, language: str) -> str:
    words = _words(language)
    if precision is Precision.YEAR:
        return words.year(start.year)
    return words.month(start) if precision is Precision.MONTH else words.day(start)


def _spell(clock: Clock, stretch: Stretch, language: str) -> str:
    words = _words(language)
    if stretch.precision is Precision.INSTANT:
        return words.moment(stretch.start + (stretch.end - stretch.start) // 2)
    for attempt in (_spell_days, _spell_months, _spell_years):
        spelled = attempt(clock, stretch, language)
        if spelled:
            return spelled
    return words.days(stretch.start, stretch.end - timedelta(milliseconds=1))


def _spell_days(clock: Clock, stretch: Stretch, language: str) -> str:
    words = _words(language)
    start, length = stretch.start, stretch.end - stretch.start
    if length <= DAY:
        return words.day(start)
    if length == 2 * DAY and start.weekday() == 5:
        return words.weekend_of(start)
    if length == 7 * DAY and stretch.precision is Precision.WEEK:
        if start.weekday() == 0 and start.hour == 0:
            return words.week_of(start)
        if stretch.end.date() == clock.today:
            return words.shortly_before(clock.now)
        middle = start + 3 * DAY
        apart = (middle.date() - clock.today).days
        return words.around(middle) if apart and apart % 7 == 0 else ""
    return ""


def _spell_months(clock: Clock, stretch: Stretch, language: str) -> str:
    words = _words(language)
    start, end = stretch.start, stretch.end
    if start.hour or end.hour or end.minute:
        return ""
    part = _part_of(stretch, clock.month(start.year, start.month))
    if part:
        return words.part(part, words.month(start))
    if start.day != 1 or end.day != 1:
        return ""
    months = (end.year - start.year) * 12 + end.month - start.month
    if months == 1:
        return words.month(start)
    if months == 3 and stretch.precision is Precision.SEASON and start.month in _SEASONS:
        return words.season(_SEASONS[start.month], start.year)
    part = _part_of(stretch, clock.year(start.year))
    if part and stretch.precision is Precision.SEASON:
        return words.part(part, words.year(start.year))
    return "" if months % 12 == 0 and start.month == 1 else words.months(start, end - DAY)


_SEASONS = {month: name for name, month in SEASON_FIRST_MONTH.items()}


def _part_of(stretch: Stretch, whole: Stretch) -> str:
    for part in ("early", "mid", "late"):
        piece = third(whole, part)
        if (piece.start, piece.end) == (stretch.start, stretch.end):
            return part
    return ""


def _spell_years(clock: Clock, stretch: Stretch, language: str) -> str:
    words = _words(language)
    start, end = stretch.start, stretch.end
    if (start.month, start.day, end.month, end.day) != (1, 1, 1, 1) or start.hour or end.hour:
        return ""
    years = end.year - start.year
    if years == 10 and start.year % 10 == 0:
        return words.decade(start.year)
    return words.year(start.year) if years == 1 else words.years(start.year, end.year - 1)
