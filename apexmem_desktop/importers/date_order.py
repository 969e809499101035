"""Decides once for a file whether 03/04 is the third of April or the fourth of March."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise, product

from apexmem_desktop.importers.missing_years import FoundYear, find_year, is_yearless, with_year
from apexmem_desktop.importers.other_calendars import gregorian
from apexmem_desktop.importers.whatsapp_heads import WORDED, Stamp, Style, full_year

_ORDERS = ("dmy", "mdy", "ymd")
_EVERY_ORDER = (*_ORDERS, "ydm")
_EARLIEST_YEAR = 2009  # WhatsApp's first
# So many times more steps back in time must an order need before it is ruled out by that.
_MONOTONY_FACTOR = 3
_FAR_BACK_DAYS = 14
_MOST_APART = 4  # ways to write, of which each could have an order of its own
_MOST_DATES_APART = 20_000
_Dates = Sequence[tuple[Style, tuple[int, int, int]]]


@dataclass(frozen=True, slots=True)
class DateOrders:
    """The order of each way to write a header.

    Attributes:
        main: The order of most lines; "" where their months have names.
        certain: False when at least one order, or the year, is a guess.
        year: The last year of the dates that name none; None where all name theirs.
    """

    by_style: dict[Style, str]
    main: str
    certain: bool
    year: FoundYear | None = None

    def day(self, stamp: Stamp) -> date | None:
        """Read a header's date; None when there is no such day in the decided order.

        None as well for a way to write that only lines have whose clock no day has (25:61).
        """
        order = self.by_style.get(stamp.style)
        return None if order is None else to_date(self._numbers(stamp), order)

    def other_day(self, stamp: Stamp) -> date | None:
        """Read a header's date in any other order in which it is a day."""
        candidates = (to_date(self._numbers(stamp), order) for order in _possible(stamp.style))
        return next((day for day in candidates if day is not None), None)

    def _numbers(self, stamp: Stamp) -> tuple[int, int, int]:
        return stamp.date if self.year is None else with_year(stamp.date, self.year.year)


_READ = {
    "dmy": lambda a, b, c: (c, b, a),
    "mdy": lambda a, b, c: (c, a, b),
    "ymd": lambda a, b, c: (a, b, c),
    "ydm": lambda a, b, c: (a, c, b),
}


def to_date(numbers: tuple[int, int, int], order: str) -> date | None:
    """Put three numbers in order into a day, None when there is no such day."""
    a, b, c = numbers
    year, month, day = _READ[order](a, b, c)
    try:
        return gregorian(full_year(year), month, day)
    except ValueError:
        return None


def decide(
    chats: Sequence[Iterable[Stamp]],
    *,
    wish: str,
    today: date,
    year: int = 0,
    written_on: date | None = None,
) -> DateOrders:
    """Decide from the dates of all lines of all chats of a file, in their order.

    Args:
        wish: The user's choice; it is followed wherever it makes days at all.
        today: No message is from later than the day after.
        year: What the user said of the year that dates do not name; 0 for nothing.
        written_on: When the file was written.
    """
    dates = [list(_changes(chat)) for chat in chats]
    if not any(is_yearless(numbers) for chat in dates for _, numbers in chat):
        return _decide(dates, wish, today)
    found = _find_year(dates, wish, today, year, min(written_on or today, today))
    filled = [[(style, with_year(n, found.year)) for style, n in chat] for chat in dates]
    decided = _decide(filled, wish, today)
    return replace(decided, certain=decided.certain and found.certain, year=found)


def _find_year(
    dates: Sequence[_Dates], wish: str, today: date, year: int, written_on: date
) -> FoundYear:
    """Find the year that some dates do not name, from those that do."""
    named = [[one for one in chat if not is_yearless(one[1])] for chat in dates]
    orders = _decide(named, wish, today) if any(named) else None
    days = [
        [
            (numbers, None if orders is None else orders.day(Stamp(style, numbers)))
            for style, numbers in chat
        ]
        for chat in dates
    ]
    told = [[one for one in chat if one[1] is not None or is_yearless(one[0])] for chat in days]
    return find_year(told, year, written_on)


def _decide(dates: Sequence[_Dates], wish: str, today: date) -> DateOrders:
    counts: dict[Style, int] = {}
    for chat in dates:
        for style, _ in chat:
            counts[style] = counts.get(style, 0) + 1
    styles = sorted(counts, key=lambda style: -counts[style])
    joint = _decide_together(dates, styles, wish, today)
    decided = joint or {style: _decide_one(dates, {style}, wish, today) for style in styles}
    in_numbers = (style for style in styles if style.separator != WORDED)
    first = next(in_numbers, None)
    return DateOrders(
        by_style={style: order for style, (order, _) in decided.items()},
        main="" if first is None else decided[first][0],
        certain=all(certain for _, certain in decided.values()),
    )


def _changes(chat: Iterable[Stamp]) -> Iterator[tuple[Style, tuple[int, int, int]]]:
    """Leave out repeats of the same date: only changes tell anything."""
    before: Stamp | None = None
    for stamp in chat:
        if stamp != before:
            yield stamp
        before = stamp


def _decide_together(
    dates: Sequence[_Dates], styles: list[Style], wish: str, today: date
) -> dict[Style, tuple[str, bool]] | None:
    """One order for all styles, if there is one that makes a day of every line."""
    open_styles = [style for style in styles if not style.year_first]
    closed = {style for style in styles if style.year_first}
    decided = dict.fromkeys(closed, _decide_one(dates, closed, wish, today))
    if open_styles:
        order, certain = _decide_one(dates, set(open_styles), wish, today)
        if any(
            style in open_styles and to_date(numbers, order) is None
            for chat in dates
            for style, numbers in chat
        ):
            return None
        decided |= dict.fromkeys(open_styles, (order, certain))
        if not wish and len(open_styles) > 1 and (apart := _apart(dates, decided, today)):
            decided |= apart
    return decided


def _apart(
    dates: Sequence[_Dates], together: dict[Style, tuple[str, bool]], today: date
) -> dict[Style, tuple[str, bool]]:
    """Find orders of their own for each way to write, where one for all goes back in time.

    Who takes a new phone may take one of another country, and the chat goes on.
    """
    joint = {style: order for style, (order, _) in together.items()}
    wrong, back, span, longest = _judge_together(dates, joint, today)
    if not back or len(joint) > _MOST_APART or sum(map(len, dates)) > _MOST_DATES_APART:
        return {}
    open_styles = [style for style in joint if not style.year_first]
    choices = product(*(_possible(style) for style in open_styles))
    every = [joint | dict(zip(open_styles, orders, strict=True)) for orders in choices]
    judged = [(_judge_together(dates, one, today), one) for one in every]
    (least_wrong, least_back, short, _), best = min(judged, key=lambda one: one[0][:3])
    if least_wrong > wrong or least_back * _MONOTONY_FACTOR >= back or short >= span:
        return {}
    certain = longest >= _FAR_BACK_DAYS
    return {style: (best[style], certain) for style in open_styles}


def _judge_together(
    dates: Sequence[_Dates], orders: dict[Style, str], today: date
) -> tuple[int, int, int, int]:
    """Judge as `_judge`, over all ways to write, and give the longest step back in days."""
    wrong = back = span = longest = 0
    for chat in dates:
        found = [to_date(numbers, orders[style]) for style, numbers in chat]
        days = [day for day in found if day is not None]
        late = sum(day.year < _EARLIEST_YEAR or (day - today).days > 1 for day in days)
        wrong += len(found) - len(days) + late
        steps = [(earlier - later).days for earlier, later in pairwise(days) if later < earlier]
        back += len(steps)
        longest = max(longest, *steps, 0)
        span += (max(days) - min(days)).days if days else 0
    return wrong, back, span, longest


def _decide_one(
    dates: Sequence[_Dates], styles: set[Style], wish: str, today: date
) -> tuple[str, bool]:
    possible = [order for order in _ORDERS if all(order in _possible(style) for style in styles)]
    if not possible:
        return "dmy", True
    chats = [[numbers for style, numbers in chat if style in styles] for chat in dates]
    judged = {order: _judge(chats, order, today) for order in possible}
    fewest = min(wrong for wrong, _, _ in judged.values())
    if wish and _judge(chats, wish, today)[0] <= fewest:
        return wish, True
    if fewest and (unusual := _find_unusual(chats, judged, today)):
        return unusual, True
    left = [order for order in possible if judged[order][0] == fewest]
    if len(left) == 1:
        return left[0], True
    left.sort(key=lambda order: judged[order][1])
    first, second = judged[left[0]][1], judged[left[1]][1]
    if second > first * _MONOTONY_FACTOR:
        return left[0], True
    return _guess(left, judged, chats, styles), False


def _find_unusual(
    chats: list[list[tuple[int, int, int]]], judged: dict[str, tuple[int, int, int]], today: date
) -> str:
    """Find the one order in which all are days and go forward, where no usual one does that.

    "12.31.24" is nobody's usual writing, nor "24/31/12"; but then nothing else fits.
    """
    steps_back = min(back for _, back, _ in judged.values())
    others = {order: _judge(chats, order, today) for order in _EVERY_ORDER if order not in judged}
    fitting = [
        order for order, (wrong, back, _) in others.items() if (wrong, back) <= (0, steps_back)
    ]
    return fitting[0] if len(fitting) == 1 else ""


def _judge(
    chats: list[list[tuple[int, int, int]]], order: str, today: date
) -> tuple[int, int, int]:
    """Count what speaks against an order: dates that are none, steps back in time, days spanned."""
    wrong = back = span = 0
    for chat in chats:
        days = [day for numbers in chat if (day := to_date(numbers, order)) is not None]
        impossible = sum(
            day.year < _EARLIEST_YEAR or day.toordinal() > today.toordinal() + 1 for day in days
        )
        wrong += len(chat) - len(days) + impossible + _is_anniversary(days)
        back += sum(later < earlier for earlier, later in pairwise(days))
        span += (max(days) - min(days)).days if days else 0
    return wrong, back, span


def _is_anniversary(days: list[date]) -> bool:
    """Nobody writes on one and the same day of every year, and on no other."""
    return len(set(days)) > 1 and len({(day.month, day.day) for day in days}) == 1


def _possible(style: Style) -> tuple[str, ...]:
    """Tell which orders a way of writing leaves open."""
    if style.year_first:
        return ("ymd",)
    if style.separator == ".":
        return ("dmy",)  # 12.31.2024 or 24.12.31 only where nothing else fits
    if style.separator == ". ":
        return ("dmy",) if style.long_year else ("dmy", "ymd")
    return ("dmy", "mdy") if style.long_year else _ORDERS


def _guess(
    left: list[str],
    judged: dict[str, tuple[int, int, int]],
    chats: list[list[tuple[int, int, int]]],
    styles: set[Style],
) -> str:
    """Guess: the order in which the days lie closer together, then what is more usual."""
    spans = {order: judged[order][2] for order in left}
    shortest = min(spans.values())
    near = [order for order in left if spans[order] <= shortest]
    if len(near) == 1 and sum(map(len, chats)) > 2:
        return near[0]
    usual = ("dmy", "mdy", "ymd")
    if any(style.separator == "-" for style in styles):
        usual = ("dmy", "ymd", "mdy")
    elif all(style.capitals and not style.long_year for style in styles):
        usual = ("mdy", "dmy", "ymd")
    return next(order for order in usual if order in left)
