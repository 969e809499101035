"""The fast reader of JSON arrays: it gives what ijson gives, and leaves the rest to it."""

import io
import json

import ijson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.importers.json_items import ArrayItems
from apexmem_desktop.importers.json_stream import stream
from apexmem_desktop.importers.parts import Part

_TEXTS = st.text(st.sampled_from('ab"\\/[]{},:\n \t0é界😀\x7f'), max_size=8)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**16), 10**16) | st.floats(-1e9, 1e9) | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=8,
)


def _given_piece_by_piece(text: str, chars: int) -> ArrayItems:
    pieces = iter([text[at : at + chars] for at in range(0, len(text), chars)])
    return ArrayItems(lambda: next(pieces, ""))


def _by_ijson(text: str) -> list[object] | None:
    source = io.BytesIO(text.encode())
    try:
        return list(ijson.items(source, "item", use_float=True, multiple_values=True))
    except ijson.JSONError:
        return None


def _read(text: str) -> list[object] | None:
    data = text.encode()
    try:
        return list(stream(Part("export", len(data), data[:64], lambda: io.BytesIO(data)), "item"))
    except ExportUnreadableError:
        return None


@given(st.lists(_VALUES, max_size=4), st.integers(1, 30), st.booleans(), st.sampled_from([None, 1]))
def test_any_array_in_any_pieces(
    values: list[object], chars: int, ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(values, ensure_ascii=ascii_only, indent=indent)
    items = _given_piece_by_piece(text, chars)
    assert list(items) == values == _by_ijson(text)
    assert items.left is None


@pytest.mark.parametrize(
    "text",
    [
        *(
            "[]",
            " [ ] \n",
            "[1,2]",
            "[1,]",
            "[,1]",
            "[1 2]",
            "[1",
            "[1,",
            "[",
            "",
            "7",
            "{}",
            "[1]]",
        ),
        *("[1][2, 3]", "[1]\n[2]", "[1]x", '{"a": 1}\n{"a": 2}', "[01]", "[1.]", "[-]", "[tru]"),
        *(
            "[NaN]",
            "[1, Infinity]",
            "[1e400]",
            "[1, 9223372036854775807, 2]",
            "[123456789012345678901]",
        ),
        *(r'["\ud83d\ude00", "\ud800", 3]', r'["\\ud800"]', r'[1, "\ud83d\ud83d"]', r'["\x"]'),
        *('["a\x01b"]', '["cut', '[{"a" 1}]', '[{"a": 1, "a": 2}]', '[1, {"a": [2, {}]}, "b"]'),
    ],
)
def test_odd_and_broken_files_are_as_ijson_reads_them(text: str) -> None:
    assert _read(text) == _by_ijson(text)


@given(st.text(st.sampled_from('[]{},:"\\ud8 1e.-a\n'), max_size=24))
def test_any_marks_are_as_ijson_reads_them(text: str) -> None:
    assert _read(f"[1,{text}") == _by_ijson(f"[1,{text}")


def test_a_number_may_be_cut_anywhere() -> None:
    items = _given_piece_by_piece("[0.0, 12.5e-3, -1E+2, 7]", 1)
    assert list(items) == [0.0, 0.0125, -100.0, 7]
    assert items.left is None


def test_what_is_left_stands_behind_one_value() -> None:
    items = _given_piece_by_piece('["a", "b", NaN, "c"]', 4)
    assert list(items) == ["a", "b"]
    assert items.left is not None
    assert items.left.startswith("[0, NaN")


def test_a_value_is_not_read_again_with_every_piece() -> None:
    text = json.dumps(["x" * 4096, "y"])
    asked: list[int] = []

    class Counted(ArrayItems):
        def _next(self) -> tuple[object, bool]:
            asked.append(len(self._text))
            return super()._next()

    pieces = iter([text[at : at + 16] for at in range(0, len(text), 16)])
    assert list(Counted(lambda: next(pieces, ""))) == ["x" * 4096, "y"]
    assert len(asked) < 16  # each time of twice as much


@pytest.mark.parametrize("opening", ['{"a":', "["])
@pytest.mark.parametrize(
    ("depth", "is_read"), [(150, True), (199, True), (200, False), (5000, False)]
)
def test_nesting_is_counted_outside_of_strings(opening: str, depth: int, is_read: bool) -> None:
    closing = "}" if opening.startswith("{") else "]"
    deep = opening * depth + "1" + closing * depth
    marks = json.dumps('"\\[{' * 300)
    assert (_read(f"[{marks}, {deep}, [[]], {{}}]") is not None) is is_read
