"""What is read piece by piece is read as if it were held: lines, encodings, keys of turns."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apexmem_desktop.importers import decoding, parts
from apexmem_desktop.importers.aside import Aside
from apexmem_desktop.importers.decoding import decode, find_encoding
from apexmem_desktop.importers.json_stream import stream
from apexmem_desktop.importers.parts import Part, open_parts
from apexmem_desktop.importers.text_lines import read_lines
from apexmem_desktop.importers.turn_keys import DayKeys, TurnKeys

PIECES = st.lists(
    st.sampled_from([b"a", b"\r", b"\n", b"\r\n", b"\x00", "é".encode(), "🙂".encode(), b"\xff"]),
    min_size=1,
    max_size=40,
)


@pytest.mark.parametrize("chunk_bytes", [1, 2, 3, 7, 1000])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=PIECES)
def test_lines_are_those_of_the_whole_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk_bytes: int, pieces: list[bytes]
) -> None:
    data = b"words before, in which nothing is broken: \xc3\xa9\xc3\xa9\n" + b"".join(pieces)
    path = tmp_path / "text.txt"
    path.write_bytes(data)
    monkeypatch.setattr(parts, "_CHUNK_BYTES", chunk_bytes)
    (part,) = open_parts(path).parts

    text = decode(data).replace("\x00", "\ufffd").replace("\r\n", "\n").replace("\r", "\n")
    assert [line for some in read_lines(part) for line in some] == text.split("\n")


@pytest.mark.parametrize(
    "data",
    [
        "\ufeffhallo".encode(),
        "\ufeffhallo".encode("utf-16-le"),
        "hallo hallo hallo".encode("utf-16-be"),
        "grün, süß, schön".encode("cp1252"),
        "grün, süß, schön ".encode() + b"\xff",
        b"",
    ],
)
def test_the_encoding_of_a_stream_is_that_of_its_whole(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoding, mark_bytes = find_encoding(io.BytesIO(data))
    assert data[mark_bytes:].decode(encoding, "replace") == decode(data)
    # Also where what tells it stands further back.
    monkeypatch.setattr(decoding, "_CHUNK_BYTES", 64)
    encoding, _ = find_encoding(io.BytesIO(b"x" * 100 + "ü".encode()))
    assert encoding == "utf-8"


@given(said=st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["ok", "yes"])), max_size=30))
def test_keys_day_by_day_are_those_of_the_whole_chat(said: list[tuple[int, str]]) -> None:
    days = [day for day, _ in said]
    returning = {
        day
        for day in days
        if len(set(range(days.index(day), len(days) - days[::-1].index(day)))) != days.count(day)
    }
    whole, daily = TurnKeys(), DayKeys(returning)
    today = 0
    for day, text in said:
        if day != today:
            daily.enter(day)
            today = day
        assert daily.key(str(day), text) == whole.key(str(day), text)


def test_what_is_put_aside_comes_back_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apexmem_desktop.importers.aside._IN_MEMORY_BYTES", 10)
    kept = Aside()
    values = [("text \ud800", 1, None), [b"bytes", ("a", ())], 2**70]
    for value in values:
        kept.append(value)
    assert kept[1] == values[1]
    kept.append("more")
    assert list(kept) == [*values, "more"]
    assert len(kept) == 4


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_json_in_wide_letters_is_read_piece_by_piece(encoding: str) -> None:
    values = [{"text": f"größer 出版社 😀 {number}"} for number in range(40_000)]
    data = json.dumps(values, ensure_ascii=False).encode(encoding)
    asked: list[int] = []

    class Source(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            asked.append(-1 if size is None else size)
            return super().read(size)

    part = Part("wide.json", len(data), data[:1000], lambda: Source(data))
    assert list(stream(part, "item")) == values
    assert min(asked) > 0
    assert max(asked) < len(data)
