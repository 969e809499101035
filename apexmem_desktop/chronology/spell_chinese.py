"""How Chinese writes times: 2023年6月9日, 2023年6月5日那一周, 2023年3月初."""

from collections.abc import Sequence
from datetime import datetime

_SEASONS = {"spring": "春天", "summer": "夏天", "autumn": "秋天", "winter": "冬天"}
_MONTH_PARTS = {"early": "初", "mid": "中旬", "late": "底"}
_YEAR_PARTS = {"early": "年初", "mid": "年中", "late": "年底"}
_UNITS = {
    "year": "年",
    "month": "个月",
    "week": "周",
    "day": "天",
    "hour": "小时",
    "minute": "分钟",
}
_DAYS = "一二三四五六日"


class Chinese:
    """The words of Chinese for each shape of time."""

    UNKNOWN = "时间不详"

    @staticmethod
    def day(moment: datetime) -> str:
        """Write a day."""
        return f"{moment.year}年{moment.month}月{moment.day}日"

    @staticmethod
    def named_day(moment: datetime) -> str:
        """Write a day with its weekday."""
        return f"{Chinese.day(moment)}星期{_DAYS[moment.weekday()]}"

    @staticmethod
    def names_day(phrase: str) -> bool:
        """Tell whether a phrase named a weekday."""
        return any(name in phrase for name in ("周", "星期", "礼拜"))

    @staticmethod
    def moment(moment: datetime) -> str:
        """Write a day with hour and minute."""
        return f"{Chinese.day(moment)}{moment.hour:02}:{moment.minute:02}"

    @staticmethod
    def days(first: datetime, last: datetime) -> str:
        """Write a run of days, both ends included."""
        return f"{Chinese.day(first)}至{Chinese.day(last)}"

    @staticmethod
    def week_of(monday: datetime) -> str:
        """Write a week by its Monday."""
        return f"{Chinese.day(monday)}那一周"

    @staticmethod
    def weekend_of(saturday: datetime) -> str:
        """Write a weekend by its Saturday."""
        return f"{Chinese.day(saturday)}那个周末"

    @staticmethod
    def week_before(day: datetime, weekend: bool) -> str:
        """Write the week or weekend before the one of a day."""
        return f"{Chinese.day(day)}的前一{'个周末' if weekend else '周'}"

    @staticmethod
    def week_around(day: datetime, weekend: bool) -> str:
        """Write the week or weekend of a day."""
        return f"{Chinese.day(day)}所在的{'周末' if weekend else '一周'}"

    @staticmethod
    def week_after(day: datetime, weekend: bool) -> str:
        """Write the week or weekend after the one of a day."""
        return f"{Chinese.day(day)}的后一{'个周末' if weekend else '周'}"

    @staticmethod
    def shortly_before(day: datetime) -> str:
        """Write the few days before a day."""
        return f"{Chinese.day(day)}前几天"

    @staticmethod
    def around(day: datetime) -> str:
        """Write a day that is meant roughly."""
        return f"{Chinese.day(day)}前后"

    @staticmethod
    def month(moment: datetime) -> str:
        """Write a month with its year."""
        return f"{moment.year}年{moment.month}月"

    @staticmethod
    def months(first: datetime, last: datetime) -> str:
        """Write a run of months, both ends included."""
        return f"{Chinese.month(first)}至{Chinese.month(last)}"

    @staticmethod
    def season(name: str, year: int) -> str:
        """Write a season."""
        return f"{year}年{_SEASONS[name]}"

    @staticmethod
    def year(year: int) -> str:
        """Write a year."""
        return f"{year}年"

    @staticmethod
    def years(first: int, last: int) -> str:
        """Write a run of years, both ends included."""
        return f"{first}年至{last}年"

    @staticmethod
    def decade(first: int) -> str:
        """Write a decade."""
        return f"{first}年代"

    @staticmethod
    def part(part: str, whole: str) -> str:
        """Write the early, middle or late third of a month or year."""
        if whole.endswith("月"):
            return whole + _MONTH_PARTS[part]
        return whole.removesuffix("年") + _YEAR_PARTS[part]

    @staticmethod
    def since(time: str) -> str:
        """Write a start."""
        return f"自{time}起"

    @staticmethod
    def by(day: str) -> str:
        """Write that something was so by a day at the latest."""
        return f"最晚{day}"

    @staticmethod
    def not_before(day: str) -> str:
        """Write that something was so on a day at the earliest."""
        return f"{day}或更晚"

    @staticmethod
    def duration(counted: Sequence[tuple[int, str]]) -> str:
        """Write counted units."""
        return "".join(f"{count}{_UNITS[unit]}" for count, unit in counted) or "不到一分钟"
