"""How English writes times: 9 June 2023, the week of 5 June 2023, early March 2023."""

import re
from collections.abc import Sequence
from datetime import datetime

from apexmem_desktop.chronology.english_words import WEEKDAYS

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class English:
    """The words of English for each shape of time."""

    UNKNOWN = "at an unknown time"

    @staticmethod
    def day(moment: datetime) -> str:
        """Write a day."""
        return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"

    @staticmethod
    def named_day(moment: datetime) -> str:
        """Write a day with its weekday."""
        return f"{_DAYS[moment.weekday()]} {English.day(moment)}"

    @staticmethod
    def names_day(phrase: str) -> bool:
        """Tell whether a phrase named a weekday."""
        return any(word in WEEKDAYS for word in re.findall(r"[a-z]+", phrase.lower()))

    @staticmethod
    def moment(moment: datetime) -> str:
        """Write a day with hour and minute."""
        return f"{English.day(moment)}, {moment.hour:02}:{moment.minute:02}"

    @staticmethod
    def days(first: datetime, last: datetime) -> str:
        """Write a run of days, both ends included."""
        if (first.year, first.month) == (last.year, last.month):
            return f"{first.day} to {English.day(last)}"
        if first.year == last.year:
            return f"{first.day} {_MONTHS[first.month - 1]} to {English.day(last)}"
        return f"{English.day(first)} to {English.day(last)}"

    @staticmethod
    def week_of(monday: datetime) -> str:
        """Write a week by its Monday."""
        return f"the week of {English.day(monday)}"

    @staticmethod
    def weekend_of(saturday: datetime) -> str:
        """Write a weekend by its Saturday."""
        return f"the weekend of {English.day(saturday)}"

    @staticmethod
    def week_before(day: datetime, weekend: bool) -> str:
        """Write the week or weekend before the one of a day."""
        return f"the {'weekend' if weekend else 'week'} before {English.day(day)}"

    @staticmethod
    def week_around(day: datetime, weekend: bool) -> str:
        """Write the week or weekend of a day."""
        return f"the {'weekend' if weekend else 'week'} of {English.day(day)}"

    @staticmethod
    def week_after(day: datetime, weekend: bool) -> str:
        """Write the week or weekend after the one of a day."""
        return f"the {'weekend' if weekend else 'week'} after {English.day(day)}"

    @staticmethod
    def shortly_before(day: datetime) -> str:
        """Write the few days before a day."""
        return f"a few days before {English.day(day)}"

    @staticmethod
    def around(day: datetime) -> str:
        """Write a day that is meant roughly."""
        return f"around {English.day(day)}"

    @staticmethod
    def month(moment: datetime) -> str:
        """Write a month with its year."""
        return f"{_MONTHS[moment.month - 1]} {moment.year}"

    @staticmethod
    def months(first: datetime, last: datetime) -> str:
        """Write a run of months, both ends included."""
        if first.year == last.year:
            return f"{_MONTHS[first.month - 1]} to {English.month(last)}"
        return f"{English.month(first)} to {English.month(last)}"

    @staticmethod
    def season(name: str, year: int) -> str:
        """Write a season; a winter is named by both its years."""
        return f"winter {year}/{(year + 1) % 100:02}" if name == "winter" else f"{name} {year}"

    @staticmethod
    def year(year: int) -> str:
        """Write a year."""
        return str(year)

    @staticmethod
    def years(first: int, last: int) -> str:
        """Write a run of years, both ends included."""
        return f"{first} to {last}"

    @staticmethod
    def decade(first: int) -> str:
        """Write a decade."""
        return f"the {first}s"

    @staticmethod
    def part(part: str, whole: str) -> str:
        """Write the early, middle or late third of a month or year."""
        return f"mid-{whole}" if part == "mid" else f"{part} {whole}"

    @staticmethod
    def since(time: str) -> str:
        """Write a start."""
        return f"since {time}"

    @staticmethod
    def by(day: str) -> str:
        """Write that something was so by a day at the latest."""
        return f"by {day}"

    @staticmethod
    def not_before(day: str) -> str:
        """Write that something was so on a day at the earliest."""
        return f"{day} or later"

    @staticmethod
    def duration(counted: Sequence[tuple[int, str]]) -> str:
        """Write counted units."""
        written = [f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in counted]
        return " ".join(written) or "less than a minute"
