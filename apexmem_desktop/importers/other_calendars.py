"""Dates of the calendars that phones in Iran and in Arab countries may show, as days of ours."""

from datetime import date

# Years in which a chat can have been: both calendars count from another beginning than ours.
_PERSIAN_YEARS = range(1385, 1430)
_ISLAMIC_YEARS = range(1430, 1470)
_NEW_YEAR_BEFORE = date(2004, 3, 20).toordinal()  # 1 Farvardin 1383, first of a 33-year round
_ROUND_YEARS = 33
_LEAP_YEARS = (0, 4, 8, 12, 16, 20, 24, 28)  # in a round that begins with 1375
_ISLAMIC_BEGINNING = 227_015  # 1 Muharram of the year 1, by the civil reckoning
_LAST_MONTH = 12


def gregorian(year: int, month: int, day: int) -> date:
    """Give the day of our calendar; years of other calendars tell themselves by their number.

    The Islamic reckoning is the civil one: what was seen in the sky may differ by a day.

    Raises:
        ValueError: There is no such day.
    """
    if year in _PERSIAN_YEARS:
        return date.fromordinal(_persian(year, month, day))
    if year in _ISLAMIC_YEARS:
        return date.fromordinal(_islamic(year, month, day))
    return date(year, month, day)


def _persian(year: int, month: int, day: int) -> int:
    longest = 31 if month <= 6 else 30 if month < _LAST_MONTH or _is_leap(year) else 29
    if not 1 <= month <= _LAST_MONTH or not 1 <= day <= longest:
        raise ValueError("no day of the Persian calendar")
    days = sum(366 if _is_leap(one) else 365 for one in range(1383, year))
    before = 31 * (month - 1) if month <= 7 else 186 + 30 * (month - 7)
    return _NEW_YEAR_BEFORE + days + before + day - 1


def _is_leap(year: int) -> bool:
    return (year - 1375) % _ROUND_YEARS in _LEAP_YEARS


def _islamic(year: int, month: int, day: int) -> int:
    if not 1 <= month <= _LAST_MONTH or not 1 <= day <= 30:
        raise ValueError("no day of the Islamic calendar")
    months = (59 * (month - 1) + 1) // 2
    years = 354 * (year - 1) + (3 + 11 * year) // 30
    return _ISLAMIC_BEGINNING + years + months + day - 1
