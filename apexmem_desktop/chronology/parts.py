"""The early, middle and late third of a longer stretch."""

from datetime import datetime

from apexmem_desktop.chronology.clock import DAY, Stretch, month_start
from apexmem_desktop.domain.interval import Precision

_FINER = {
    Precision.YEAR: Precision.SEASON,
    Precision.SEASON: Precision.MONTH,
    Precision.MONTH: Precision.WEEK,
    Precision.WEEK: Precision.DAY,
}


def third(whole: Stretch, part: str) -> Stretch:
    """Cut a third out of a stretch, on whole days, or whole months of a year."""
    begin, days = whole.start, (whole.end - whole.start).days
    precision = _FINER.get(whole.precision, whole.precision)
    step = {"early": 0, "mid": 1, "late": 2}[part]
    if days >= 365:
        months = days // 30 // 12 * 12
        cuts = [_months_on(begin, months * third // 3) for third in range(4)]
        return Stretch(cuts[step], cuts[step + 1], precision, whole.stated)
    cuts = [begin + DAY * (days * third // 3) for third in range(4)]
    return Stretch(cuts[step], cuts[step + 1], precision, whole.stated)


def _months_on(start: datetime, months: int) -> datetime:
    first = month_start(start.year, start.month + months)
    return start.replace(year=first.year, month=first.month)
