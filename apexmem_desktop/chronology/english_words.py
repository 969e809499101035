"""What English calls days, months, numbers and feasts. Data only."""

from collections.abc import Callable
from datetime import date, timedelta

from apexmem_desktop.chronology.clock import easter, nth_weekday

WEEKDAYS = {
    "monday": 0, "mon": 0, "tuesday": 1, "tue": 1, "tues": 1, "wednesday": 2, "wed": 2, "weds": 2,
    "thursday": 3, "thu": 3, "thur": 3, "thurs": 3, "friday": 4, "fri": 4, "saturday": 5, "sat": 5,
    "sunday": 6, "sun": 6,
}  # fmt: skip
# Short names that are English words or names besides; they need a sign that a day is meant.
DOUBTFUL_WEEKDAYS = {"mon", "wed", "fri", "sat", "sun", "tue", "thu", "weds"}

MONTHS = {
    "january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4,
    "may": 5, "june": 6, "jun": 6, "july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9,
    "sept": 9, "sep": 9, "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12,
    "dec": 12,
}  # fmt: skip
# Months that are also verbs, adjectives or given names.
DOUBTFUL_MONTHS = {
    "may", "march", "mar", "april", "june", "august", "jan", "jun", "jul", "dec", "sep", "apr",
    "nov", "aug", "oct", "feb", "sept",
}  # fmt: skip

SEASONS = {"spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn",
           "winter": "winter", "summertime": "summer", "wintertime": "winter",
           "springtime": "spring"}  # fmt: skip

UNITS = {
    "second": "second", "sec": "second", "minute": "minute", "min": "minute", "hour": "hour",
    "hr": "hour", "day": "day", "night": "day", "week": "week", "wk": "week", "fortnight": "week",
    "weekend": "weekend", "month": "month", "year": "year", "yr": "year", "decade": "decade",
}  # fmt: skip
UNITS |= {word + "s": unit for word, unit in UNITS.items()}
UNITS["mos"] = "month"

_CARDINALS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
SMALL_NUMBERS = {word: number for number, word in enumerate(_CARDINALS.split(), start=1)}
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
        "eighty": 80, "ninety": 90}  # fmt: skip
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
ORDINALS = {word: number for number, word in enumerate(_ORDINALS.split(), start=1)}
DECADES = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60,
           "seventies": 70, "eighties": 80, "nineties": 90}  # fmt: skip

# Hours from midnight; the night runs into the next day, as people mean it.
DAY_PARTS = {
    "morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 30),
    "lunchtime": (11, 14),
}  # fmt: skip

EDGES = {
    "early": "early", "beginning": "early", "start": "early", "mid": "mid", "middle": "mid",
    "late": "late", "end": "late",
}  # fmt: skip

ROLE_WORDS = {
    "since": "since", "starting": "since", "beginning": "since", "after": "since",
    "until": "until", "till": "until", "til": "until", "'til": "until", "by": "until",
    "before": "until",
}  # fmt: skip
PLACING_WORDS = {"in", "on", "at", "during", "over", "around", "about", "back", "for", "of", "from",
                 "circa", "throughout", "this", "last", "next", "between", "to", "through",
                 *ROLE_WORDS} - {"of"}  # fmt: skip
REPEATING_WORDS = {"every", "each", "most", "some", "any", "many", "per", "usually", "alternate"}

Feast = tuple[Callable[[int], date], int]


def _on(month: int, day: int, days: int = 1) -> Feast:
    return (lambda year: date(year, month, day)), days


def _nth(month: int, weekday: int, nth: int) -> Feast:
    return (lambda year: nth_weekday(year, month, weekday, nth)), 1


def _from_easter(days: int) -> Feast:
    return (lambda year: easter(year) + timedelta(days=days)), 1


_after_thanksgiving: Feast = ((lambda year: nth_weekday(year, 11, 3, 4) + timedelta(days=1)), 1)

FEASTS: dict[tuple[str, ...], Feast] = {
    ("new", "year's", "eve"): _on(12, 31),
    ("new", "years", "eve"): _on(12, 31),
    ("new", "year's", "day"): _on(1, 1),
    ("new", "years", "day"): _on(1, 1),
    ("new", "year's"): _on(1, 1),
    ("new", "year"): _on(1, 1),
    ("valentine's", "day"): _on(2, 14),
    ("valentines", "day"): _on(2, 14),
    ("valentine's",): _on(2, 14),
    ("st", "patrick's", "day"): _on(3, 17),
    ("april", "fools", "day"): _on(4, 1),
    ("april", "fool's", "day"): _on(4, 1),
    ("independence", "day"): _on(7, 4),
    ("halloween",): _on(10, 31),
    ("veterans", "day"): _on(11, 11),
    ("thanksgiving", "day"): _nth(11, 3, 4),
    ("thanksgiving",): _nth(11, 3, 4),
    ("mother's", "day"): _nth(5, 6, 2),
    ("father's", "day"): _nth(6, 6, 3),
    ("memorial", "day"): _nth(5, 0, -1),
    ("labor", "day"): _nth(9, 0, 1),
    ("christmas", "eve"): _on(12, 24),
    ("christmas", "day"): _on(12, 25),
    ("christmas",): _on(12, 25),
    ("xmas",): _on(12, 25),
    ("boxing", "day"): _on(12, 26),
    ("black", "friday"): _after_thanksgiving,
    ("may", "day"): _on(5, 1),
    ("good", "friday"): _from_easter(-2),
    ("easter", "sunday"): _from_easter(0),
    ("easter", "monday"): _from_easter(1),
    ("easter",): _from_easter(0),
}

# What an expression can begin with, besides digits; anything else is passed over at once.
_OPENERS = (
    "today tonight tonite yesterday yday tomorrow tmrw tomorow tommorow tommorrow the a an this "
    "these last past previous current next coming following upcoming earlier later in within for "
    "from between ever up st half quarter couple few several dozen about around almost nearly over "
    "roughly exactly only like maybe just more at @ noon midnight midday tmr q"
)
OPENINGS: frozenset[str] = frozenset().union(
    WEEKDAYS, MONTHS, SEASONS, UNITS, SMALL_NUMBERS, TENS, ORDINALS, DECADES, DAY_PARTS, EDGES,
    ROLE_WORDS, (name[0] for name in FEASTS),
    _OPENERS.split(),
)  # fmt: skip
