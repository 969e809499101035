"""Chinese numerals to numbers: 两, 十五, 二十三, 一百零五, 二〇二三."""

_DIGITS = {"〇": 0, "零": 0, "○": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5,
           "六": 6, "七": 7, "八": 8, "九": 9}  # fmt: skip
_SCALES = {"十": 10, "百": 100, "千": 1000}

NUMERAL = r"[0-9０-９〇零○一二两兩三四五六七八九十百千]+"


def chinese_number(text: str) -> int:
    """Read a numeral in Western or Chinese digits; ValueError if it is none."""
    if text.isdecimal():
        return int(text)
    if not text:
        raise ValueError("no numeral")
    if not any(sign in _SCALES for sign in text):
        return int("".join(str(_digit(sign)) for sign in text))
    total, digit = 0, None
    for sign in text:
        if sign in _SCALES:
            total += (1 if digit is None else digit) * _SCALES[sign]
            digit = None
        else:
            digit = _digit(sign)
    return total + (digit or 0)


def _digit(sign: str) -> int:
    if sign.isdecimal():
        return int(sign)
    if sign not in _DIGITS:
        raise ValueError(f"not a numeral: {sign}")
    return _DIGITS[sign]
