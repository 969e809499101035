"""Values as people write them: read by type, compared by what they mean, one text for equal ones.

Whatever is not surely of a type stays a string: "3 km", "about ten", "03/04/2024". Nothing that
stands in a message makes this raise.
"""

import json
import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlsplit

from apexmem_desktop.domain.graph import Fact, NewFact, ValueType
from apexmem_desktop.domain.names import normalise

Parsed = str | int | float | bool | date | datetime | tuple["Value", ...]

_MOST_DIGITS = 300  # longer ones are no amount of anything, and int() may refuse them
_MOST_CHARS = 2_000  # a longer text is a text
_MOST_ITEMS = 200
_PLAIN_TEXT = (ValueType.STRING, ValueType.ENTITY)
_NUMBERS = (ValueType.INTEGER, ValueType.FLOAT)
_TRUE = frozenset({"true", "yes", "y", "1", "on", "是", "对", "真"})
_FALSE = frozenset({"false", "no", "n", "0", "off", "否", "不", "不是", "假"})
_GROUP_SPACES = dict.fromkeys(map(ord, " \u00a0\u2009\u202f'’_"), ",")
_SIGNS = str.maketrans({"\u2212": "-", "\uff0d": "-", "\uff0b": "+"})
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}")  # 3,000,000 and 30,00,000
_DOT_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:\.\d{3})+(?=,)")
_PLAIN = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_SCIENCE = re.compile(r"\d+(?:\.\d+)?[eE][+-]?\d{1,3}")
_DAY = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_CLOCK = re.compile(
    r"(?:[T ]\s*|(?<=日)\s*)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?"
    r"\s*(Z|[+-]\d{2}:?\d{2})?"
)
_SCHEME = re.compile(r"(?:https?|ftp)://|www\.", re.IGNORECASE)
_DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}
_SEPARATORS = ("\n", ";", "；", "、", "，", ",")


@dataclass(frozen=True, slots=True)
class Value:
    """One value.

    Attributes:
        type: What it was read as; STRING where it is nothing narrower.
        text: As it was written.
        data: What it means: a date for a DATE, a tuple of values for a LIST.
        normalised: Equal for equal values, as it is stored and compared in SQL.
    """

    type: ValueType
    text: str
    data: Parsed
    normalised: str

    @property
    def number(self) -> float | None:
        """The value for comparison in SQL; None when it is no number and no boolean."""
        if isinstance(self.data, bool | int | float):
            return float(self.data)
        return None


def parse(text: str, wanted: ValueType | None = None, *, options: Sequence[str] = ()) -> Value:
    """Read a value; what is not of the wanted type is a string, and so is all garbage.

    Args:
        wanted: The type that the property has; None to see what it can only be.
        options: For an ENUM the words that it can be; none for any.
    """
    if len(text) > _MOST_CHARS and wanted is not ValueType.LIST:
        return _string(text)
    if wanted is None:
        return _guess(text)
    if wanted is ValueType.ENUM:
        return _read_enum(text, options) or _string(text)
    reader = _READERS.get(wanted)
    return (reader(text) if reader is not None else None) or _string(text)


def equal(a: Value, b: Value) -> bool:
    """Tell whether two values mean the same; a whole number equals the same number with a point."""
    return _family(a) == _family(b) and a.normalised == b.normalised


def compare(a: Value, b: Value) -> int | None:
    """Order two values: -1, 0 or 1; None where neither comes first (a date and a word)."""
    if equal(a, b):
        return 0
    if _family(a) != _family(b) or a.type in (ValueType.ENUM, ValueType.BOOLEAN, ValueType.LIST):
        return None
    if a.type in _NUMBERS:
        return -1 if _amount(a) < _amount(b) else 1
    # ISO text of days and moments sorts as time does.
    return -1 if a.normalised < b.normalised else 1


def order(a: str, b: str, type: ValueType) -> int | None:  # noqa: A002
    """Order two values of one type as they were told: -1, 0 or 1; None where neither is more.

    Only what has an amount or a place in time is more or less than another: of two words neither.
    """
    if type in _PLAIN_TEXT or type is ValueType.URL:
        return None
    one, other = parse(a, type), parse(b, type)
    if one.type in _PLAIN_TEXT or other.type in _PLAIN_TEXT:
        return None  # what could not be read as its type
    return compare(one, other)


def value_key(fact: Fact | NewFact) -> str:
    """Give the text by which the values of facts are compared: 3,000 and 3000 are one number."""
    return normalised_text(fact.value, fact.value_type)


def normalised_text(text: str, type: ValueType) -> str:  # noqa: A002
    """Give the text by which a stored value is compared; SQL has the same as normalise_value()."""
    if type in _PLAIN_TEXT:  # what most facts have, and what parse() comes to for them
        return normalise(text)
    return parse(text, type).normalised


def _family(value: Value) -> object:
    if value.type in _NUMBERS:
        return ValueType.FLOAT
    if isinstance(value.data, datetime):
        # A moment without a zone is on nobody's clock: it is neither before nor after one with.
        return ValueType.DATETIME, value.data.tzinfo is not None
    return value.type


def _amount(value: Value) -> int | float:
    if not isinstance(value.data, int | float):
        raise TypeError(f"{value.type} {value.text!r} is no number")
    return value.data


def _guess(text: str) -> Value:
    """Take the narrowest type that the text can only be."""
    for reader in (_read_url, _read_datetime, _read_date):
        found = reader(text)
        if found is not None:
            return found
    cleaned = text.strip()
    # "007" and "+4917012345" are names of something, and a bare "1" or "yes" is not yet a boolean.
    if not cleaned.startswith(("+", "00")) and not re.match(r"0\d", cleaned):
        number = _read_number(text)
        if number is not None:
            return number
    if normalise(text) in ("true", "false"):
        return _read_boolean(text) or _string(text)
    if cleaned.startswith("[") and cleaned.endswith("]"):
        return _read_json_list(text) or _string(text)
    return _string(text)


def _string(text: str) -> Value:
    return Value(ValueType.STRING, text, text, normalise(text))


def _read_enum(text: str, options: Sequence[str]) -> Value | None:
    word = _enum_word(text)
    if not word or (options and word not in {_enum_word(option) for option in options}):
        return None
    return Value(ValueType.ENUM, text, word, word)


def _enum_word(text: str) -> str:
    """Spell a choice one way: "In progress", "in_progress" and "in-progress" are one."""
    return " ".join(re.split(r"[\s_-]+", normalise(text))).strip()


def _read_boolean(text: str) -> Value | None:
    word = normalise(text)
    if word not in _TRUE | _FALSE:
        return None
    holds = word in _TRUE
    return Value(ValueType.BOOLEAN, text, holds, "true" if holds else "false")


def _read_integer(text: str) -> Value | None:
    found = _read_number(text)
    return found if found is not None and found.type is ValueType.INTEGER else None


def _read_float(text: str) -> Value | None:
    found = _read_number(text)
    if found is None or isinstance(found.data, bool | str):
        return None
    return Value(ValueType.FLOAT, text, found.data, found.normalised)


def _read_number(text: str) -> Value | None:
    sign, digits = _plain_digits(text)
    if not digits:
        return None
    if digits.isdecimal():
        whole = sign * int(digits)
        return Value(ValueType.INTEGER, text, whole, str(whole))
    number = sign * float(digits)
    if not math.isfinite(number):
        return None
    return Value(ValueType.FLOAT, text, number, _spell_float(number))


def _spell_float(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)


def _plain_digits(text: str) -> tuple[int, str]:
    """Give the sign, and the digits with at most one point; "" where it is no bare number."""
    shown = "".join(map(_ascii_digit, text.strip())).translate(_SIGNS)
    sign = -1 if shown.startswith("-") else 1
    body = shown.removeprefix("-") if sign < 0 else shown.removeprefix("+")
    if not body or len(body) > _MOST_DIGITS:
        return sign, ""
    if _PLAIN.fullmatch(body) or _SCIENCE.fullmatch(body):
        return sign, body
    return sign, _ungrouped(body)


def _ascii_digit(sign: str) -> str:
    """Turn a digit of any script into its ASCII one: "３" and "٣" are 3."""
    return str(unicodedata.decimal(sign)) if sign.isdecimal() else sign


def _ungrouped(body: str) -> str:
    """Take thousands apart: 3,000  3 000  3'000.50  1.234.567  1.234,50  and a decimal comma."""
    if _DOT_GROUPED.match(body):
        body = body.replace(".", "").replace(",", ".", 1)
        return body if _PLAIN.fullmatch(body) else ""
    grouped, point, fraction = body.translate(_GROUP_SPACES).partition(".")
    if _GROUPED.fullmatch(grouped):
        joined = grouped.replace(",", "") + point + fraction
        return joined if _PLAIN.fullmatch(joined) else ""
    decimal = re.fullmatch(r"(\d+),(\d+)", body)
    return f"{decimal[1]}.{decimal[2]}" if decimal else ""


def _read_date(text: str) -> Value | None:
    found = _DAY.fullmatch(_seen(text))
    if found is None:
        return None
    try:
        day = date(*map(int, found.groups()))
    except ValueError:
        return None
    return Value(ValueType.DATE, text, day, day.isoformat())


def _read_datetime(text: str) -> Value | None:
    shown = _seen(text)
    day = _DAY.match(shown)
    clock = _CLOCK.fullmatch(shown, day.end()) if day else None
    if day is None or clock is None:
        return None
    hour, minute, second, fraction, zone = clock.groups()
    try:
        clock_text = f"{int(hour):02}:{minute}:{int(second or 0):02}.{(fraction or '0'):0<6}"
        year, month, on = map(int, day.groups())
        moment = datetime.fromisoformat(f"{year:04}-{month:02}-{on:02}T{clock_text}")
        if zone:
            moment = (moment - _offset(zone)).replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    spelt = moment.replace(tzinfo=None).isoformat(timespec="microseconds")
    return Value(ValueType.DATETIME, text, moment, spelt + ("Z" if zone else ""))


def _offset(zone: str) -> timedelta:
    if zone == "Z":
        return timedelta()
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    if hours > 23 or minutes > 59:
        raise ValueError(zone)
    east = timedelta(hours=hours, minutes=minutes)
    return east if zone[0] == "+" else -east


def _seen(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip()


def _read_url(text: str) -> Value | None:
    shown = text.strip()
    if not _SCHEME.match(shown) or any(sign.isspace() or sign < " " for sign in shown):
        return None
    whole = shown if "://" in shown[:8] else f"https://{shown}"
    try:
        parts = urlsplit(whole)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not host or not host.strip("."):
        return None
    scheme = parts.scheme.lower()
    spelt = parts._replace(
        scheme=scheme,
        netloc=_netloc(parts.netloc, host, None if port == _DEFAULT_PORTS.get(scheme) else port),
        path=parts.path if parts.path != "/" or parts.query or parts.fragment else "",
    ).geturl()
    return Value(ValueType.URL, text, spelt, spelt)


def _netloc(netloc: str, host: str, port: int | None) -> str:
    who, at, _ = netloc.rpartition("@")
    shown = f"[{host}]" if ":" in host else host
    return who + at + shown + (f":{port}" if port is not None else "")


def _read_list(text: str) -> Value | None:
    found = _read_json_list(text)
    if found is not None:
        return found
    parts = _split(text)
    return _listed(text, parts) if parts else None


def _split(text: str) -> list[str]:
    """Cut a list at its strongest separator; "3,000" is one number, not two."""
    if _read_number(text) is not None:
        return [text.strip()]
    for separator in _SEPARATORS:
        if separator in text:
            return [part.strip() for part in text.split(separator) if part.strip()]
    return [text.strip()] if text.strip() else []


def _read_json_list(text: str) -> Value | None:
    shown = text.strip()
    if not shown.startswith("["):
        return None
    try:
        items = json.loads(shown)
    except (ValueError, RecursionError):
        return None
    if not isinstance(items, list) or not all(isinstance(i, str | int | float) for i in items):
        return None
    return _listed(text, [one if isinstance(one, str) else json.dumps(one) for one in items])


def _listed(text: str, parts: Sequence[str]) -> Value | None:
    if len(parts) > _MOST_ITEMS or any(len(part) > _MOST_CHARS for part in parts):
        return None
    items = tuple(_guess(part) for part in parts)
    if any(item.type is ValueType.LIST for item in items):
        return None  # lists in lists are no value of ours
    spelt = json.dumps([item.normalised for item in items], ensure_ascii=False)
    return Value(ValueType.LIST, text, items, spelt)


_READERS = {
    ValueType.INTEGER: _read_integer,
    ValueType.FLOAT: _read_float,
    ValueType.BOOLEAN: _read_boolean,
    ValueType.DATE: _read_date,
    ValueType.DATETIME: _read_datetime,
    ValueType.URL: _read_url,
    ValueType.LIST: _read_list,
}
