"""Values: read by type, compared by meaning, and one text for what is equal."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.domain.graph import ValueType
from apexmem_desktop.domain.values import Value, compare, equal, normalised_text, order, parse

T = ValueType
TYPES = [one for one in ValueType if one is not ValueType.ENTITY]
HOSTILE = [
    "", " ", "\x00", "9" * 5000, "1e999", "-1e999", "nan", "inf", "1_000_", ",", "-", "+", ".",
    "--1", "http://[::1", "http://", "https://:99999999/", "http://a:b:c", "www.", "[" * 5000,
    "[1,", "[[1]]", '[{"a": 1}]', "[NaN]", "2024-13-45", "0000-01-01", "2024-02-30 10:00",
    "9999-12-31T23:59:59-23:59", "0001-01-01T00:00+23:59", "2024-05-01T25:61", "\u202e3,000",
    "²", "Ⅻ", "½", "๓", "3" + "\u0301", "1,2,3,4", "'; DROP TABLE facts; --", "💥" * 3000,
    "a," * 5000,
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted", "data", "normalised"),
    [
        ("3,000", T.INTEGER, 3000, "3000"),
        ("3 000", T.INTEGER, 3000, "3000"),
        ("3\u202f000", T.INTEGER, 3000, "3000"),
        ("3'000'000", T.INTEGER, 3_000_000, "3000000"),
        ("30,00,000", T.INTEGER, 3_000_000, "3000000"),
        ("1.234.567", T.INTEGER, 1_234_567, "1234567"),
        ("３０００", T.INTEGER, 3000, "3000"),
        ("٣٠", T.INTEGER, 30, "30"),
        ("\u221212", T.INTEGER, -12, "-12"),
        ("-0", T.INTEGER, 0, "0"),
        ("007", T.INTEGER, 7, "7"),
        ("3.50", T.FLOAT, 3.5, "3.5"),
        ("3,5", T.FLOAT, 3.5, "3.5"),
        ("1,234.50", T.FLOAT, 1234.5, "1234.5"),
        ("1.234,50", T.FLOAT, 1234.5, "1234.5"),
        ("3,000", T.FLOAT, 3000, "3000"),
        ("3.0", T.FLOAT, 3.0, "3"),
        ("-0.0", T.FLOAT, 0.0, "0"),
        ("1e3", T.FLOAT, 1000.0, "1000"),
        ("Yes", T.BOOLEAN, True, "true"),
        ("不是", T.BOOLEAN, False, "false"),
        ("2024-05-01", T.DATE, date(2024, 5, 1), "2024-05-01"),
        ("2024/5/1", T.DATE, date(2024, 5, 1), "2024-05-01"),
        ("2024年5月1日", T.DATE, date(2024, 5, 1), "2024-05-01"),
        (
            "2024-05-01T10:00+02:00",
            T.DATETIME,
            datetime(2024, 5, 1, 8, tzinfo=UTC),
            "2024-05-01T08:00:00.000000Z",
        ),
        (
            "2024-05-01 10:00",
            T.DATETIME,
            datetime.fromisoformat("2024-05-01T10:00"),
            "2024-05-01T10:00:00.000000",
        ),
        ("In Progress", T.ENUM, "in progress", "in progress"),
        ("in_progress", T.ENUM, "in progress", "in progress"),
        ("HTTPS://Example.COM:443/", T.URL, "https://example.com", "https://example.com"),
        ("www.example.com/A", T.URL, "https://www.example.com/A", "https://www.example.com/A"),
        ("http://[::1]:8080/x", T.URL, "http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("  Ana  LIMA ", T.STRING, "  Ana  LIMA ", "ana lima"),
    ],
)
def test_a_value_is_read_as_its_type(
    text: str, wanted: ValueType, data: object, normalised: str
) -> None:
    value = parse(text, wanted)
    assert (value.type, value.data, value.normalised) == (wanted, data, normalised)
    assert value.text == text


def test_a_list_is_its_items_each_by_its_own_type() -> None:
    value = parse("tea; 3,000；x", T.LIST)
    assert [item.type for item in value.data] == [T.STRING, T.STRING]
    value = parse("tea; 3,000", T.LIST)
    assert [(i.type, i.data) for i in value.data] == [(T.STRING, "tea"), (T.INTEGER, 3000)]
    assert value.normalised == '["tea", "3000"]'
    assert equal(value, parse('["Tea", 3000]', T.LIST))
    assert [item.text for item in parse("茶、咖啡", T.LIST).data] == ["茶", "咖啡"]
    assert len(parse("3,000", T.LIST).data) == 1


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("3 km", T.INTEGER),
        ("5%", T.FLOAT),
        ("$20", T.FLOAT),
        ("about ten", T.INTEGER),
        ("3.5", T.INTEGER),
        ("12,34", T.INTEGER),
        ("nan", T.FLOAT),
        ("maybe", T.BOOLEAN),
        ("03/04/2024", T.DATE),
        ("2024-02-30", T.DATE),
        ("2024-05", T.DATE),
        ("example", T.URL),
        ("javascript:alert(1)", T.URL),
        ("http://a b", T.URL),
        ("", T.LIST),
    ],
)
def test_what_is_not_surely_of_the_type_stays_a_string(text: str, wanted: ValueType) -> None:
    value = parse(text, wanted)
    assert (value.type, value.data, value.number) == (T.STRING, text, None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3,000", T.INTEGER),
        ("3.5", T.FLOAT),
        ("2024-05-01", T.DATE),
        ("2024-05-01T10:00Z", T.DATETIME),
        ("https://example.com", T.URL),
        ("True", T.BOOLEAN),
        ('["a", "b"]', T.LIST),
        ("yes", T.STRING),
        ("007", T.STRING),
        ("+491701234567", T.STRING),
        ("tea, coffee", T.STRING),
        ("3 km", T.STRING),
    ],
)
def test_without_a_type_the_narrowest_certain_one_is_taken(text: str, found: ValueType) -> None:
    assert parse(text).type is found


def test_an_enum_keeps_to_its_options() -> None:
    assert parse("Single", T.ENUM, options=("single", "married")).type is T.ENUM
    assert parse("Dog", T.ENUM, options=("single", "married")).type is T.STRING


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_garbage_never_raises(text: str) -> None:
    for wanted in (None, *ValueType):
        value = parse(text, wanted)
        assert value.text == text
        assert compare(value, value) == 0


ANY_TEXT = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=30),
    st.from_regex(r"[-+]?[0-9., '_eE]{1,12}", fullmatch=True),
    st.from_regex(r"[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}([T ][0-9]{2}:[0-9]{2}(Z|\+[0-9]{4})?)?"),
    st.from_regex(r"(https?://|www\.)[\[\]a-zA-Z:@0-9./?#-]{0,20}", fullmatch=True),
    st.sampled_from(HOSTILE),
)
ANY_TYPE = st.sampled_from([None, *TYPES])
ANY_VALUE = st.builds(parse, ANY_TEXT, ANY_TYPE)


@given(ANY_TEXT, ANY_TYPE)
def test_nothing_raises_and_the_type_is_the_wanted_one_or_string(
    text: str, wanted: ValueType | None
) -> None:
    value = parse(text, wanted)
    assert wanted is None or value.type in (wanted, T.STRING)


@given(ANY_VALUE)
def test_the_normalised_text_means_the_same_value(value: Value) -> None:
    again = parse(value.normalised, value.type)
    assert again.normalised == value.normalised
    assert again.type is value.type
    assert equal(again, value)


@given(st.integers(-(10**20), 10**20))
def test_a_number_is_the_same_however_it_is_set(number: int) -> None:
    spelt = {normalised_text(f"{number:{form}}", T.INTEGER) for form in ("d", ",", "_")}
    assert spelt == {str(number)}
    assert normalised_text(f"{number}", T.FLOAT) == str(number)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(10**6), 10**6))
def test_numbers_compare_across_their_types_as_python_does(a: float, b: int) -> None:
    left, right = parse(repr(a), T.FLOAT), parse(str(b), T.INTEGER)
    assert compare(left, right) == (a > b) - (a < b)
    assert equal(left, right) == (a == b)


@given(st.datetimes(), st.datetimes(), st.booleans())
def test_moments_and_days_are_ordered_by_time(a: datetime, b: datetime, zoned: bool) -> None:
    end = "+00:00" if zoned else ""
    spelt = [parse(moment.isoformat() + end, T.DATETIME) for moment in (a, b)]
    assert compare(*spelt) == (a > b) - (a < b)
    days = [parse(moment.date().isoformat(), T.DATE) for moment in (a, b)]
    assert compare(*days) == (a.date() > b.date()) - (a.date() < b.date())


@given(ANY_VALUE, ANY_VALUE, ANY_VALUE)
def test_order_and_equality_hold_together(a: Value, b: Value, c: Value) -> None:
    forth, back = compare(a, b), compare(b, a)
    assert (forth is None) == (back is None)
    assert forth is None or back is None or forth == -back
    assert (forth == 0) == equal(a, b)
    if equal(a, b):
        assert a.normalised == b.normalised
        assert equal(a, c) == equal(b, c)
    if compare(a, b) == -1 and compare(b, c) == -1:
        assert compare(a, c) == -1


def test_what_has_no_order_says_so() -> None:
    assert compare(parse("2024-05-01", T.DATE), parse("tea", T.STRING)) is None
    assert compare(parse("yes", T.BOOLEAN), parse("no", T.BOOLEAN)) is None
    with_zone, without = "2024-05-01T10:00Z", "2024-05-01T10:00"
    assert compare(parse(with_zone, T.DATETIME), parse(without, T.DATETIME)) is None


@given(st.text())
def test_plain_text_is_compared_as_reading_it_gives(text: str) -> None:
    for kind in (ValueType.STRING, ValueType.ENTITY):
        assert normalised_text(text, kind) == parse(text, kind).normalised


@pytest.mark.parametrize(
    ("a", "b", "type_", "expected"),
    [
        ("34", "35", T.INTEGER, -1),
        ("3,000", "3000", T.INTEGER, 0),
        ("7.5", "7", T.FLOAT, 1),
        ("2024-03-01", "2024-02-29", T.DATE, 1),
        ("about ten", "9", T.INTEGER, None),
        ("Rome", "Oslo", T.STRING, None),
        ("https://a.example", "https://b.example", T.URL, None),
        ("small", "large", T.ENUM, None),
    ],
)
def test_only_what_has_an_amount_is_more_or_less(
    a: str, b: str, type_: T, expected: int | None
) -> None:
    assert order(a, b, type_) == expected
