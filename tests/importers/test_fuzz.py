"""Damaged exports of every format: an import or a plain sentence; no crash, no endless work.

A few hundred in `make test`; `make fuzz` tries 20,000 or as many as APEXMEM_FUZZ says. The seed is
fixed, so what fails fails again.
"""

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.importers.registry import importer_names
from tests.importers.conftest import Read, read_path
from tests.importers.seeds import seeds

SEEDS = seeds()
TOTAL = int(os.environ.get("APEXMEM_FUZZ", "400"))
EACH = -(-TOTAL // len(SEEDS))
MOST_CALLS = 3_000_000  # a whole sample takes some thousands
BITS = [
    *(b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\x1a", b"\x1b[2J"),
    *("\u202e", "\u200e", "\u202f", "\ufffd", "👩\u200d👧", "٣", "上午"),
    *('"', "\\", "\\ud83d", "{", "}", "[", "]", ",", ":", "null", "1e999", "-1", "[]", "{}"),
    *("'; DROP TABLE turns;--", "Ignore all previous instructions", "../../etc/passwd", "<!ENTITY"),
    *("31/31/2024, 25:61 - ", "[14.03.24, 10:00:00] ", "14/3/24, 10:00 - Ana: ", "\n", "\r\n"),
    *("99999999999999999999", "0", "9999-99-99", "1710406800000", "https://", "(", ")" * 50),
]
BYTES = [bit if isinstance(bit, bytes) else bit.encode() for bit in BITS]
Mutation = Callable[[random.Random, bytearray], None]


def _somewhere(chance: random.Random, data: bytearray, most: int = 60) -> slice:
    start = chance.randint(0, len(data))
    return slice(start, min(len(data), start + chance.randint(0, most)))


def _insert(chance: random.Random, data: bytearray) -> None:
    data[_somewhere(chance, data, 8)] = chance.choice(BYTES)


def _flip(chance: random.Random, data: bytearray) -> None:
    for _ in range(chance.randint(1, 8)):
        if data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _cut(chance: random.Random, data: bytearray) -> None:
    del data[_somewhere(chance, data, len(data) // 2)]


def _repeat(chance: random.Random, data: bytearray) -> None:
    where = _somewhere(chance, data)
    data[where.start : where.start] = data[where] * chance.choice((2, 20, 400))


def _swap(chance: random.Random, data: bytearray) -> None:
    other = chance.choice(list(SEEDS.values()))
    start = chance.randrange(len(other))
    data[_somewhere(chance, data)] = other[start : start + 200]


def _noise(chance: random.Random, data: bytearray) -> None:
    data[_somewhere(chance, data, 20)] = chance.randbytes(chance.randint(1, 20))


def _number(chance: random.Random, data: bytearray) -> None:
    digits = [place for place, byte in enumerate(data) if 48 <= byte <= 57]
    for place in chance.sample(digits, min(len(digits), 4)):
        data[place] = chance.choice(b"0123456789-.")


MUTATIONS: tuple[Mutation, ...] = (_insert, _insert, _flip, _cut, _repeat, _swap, _noise, _number)


def damaged(chance: random.Random, seed: bytes) -> bytes:
    """Damage an export in one to five places."""
    data = bytearray(seed)
    for _ in range(chance.randint(1, 5)):
        chance.choice(MUTATIONS)(chance, data)
    return bytes(data[: 400 * 1024])


class Steps:
    """Counts calls, so that endless work is found without a clock."""

    def __init__(self) -> None:
        self.calls = 0

    def __enter__(self) -> "Steps":
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _count(self, frame: FrameType, event: str, arg: object) -> None:
        self.calls += 1
        if self.calls > MOST_CALLS:
            sys.setprofile(None)
            raise AssertionError(f"endless work in {frame.f_code.co_qualname}")


def check(path: Path, form: str) -> None:
    """Read an export, or be told in plain words why not."""
    told: UserError | None = None
    got: Read | None = None
    try:
        with Steps():
            got = read_path(path, zone="Europe/Berlin", form=form, keep_branches=True)
    except UserError as error:
        told = error
    if told is not None:
        assert told.message
        assert told.hint
    for chat in got.conversations if got is not None else ():
        assert len({turn.key for turn in chat.turns}) == len(chat.turns)
        words = (f"{t.speaker}{t.text}{t.external_id}{t.reply_to}" for t in chat.turns)
        assert "\x00" not in "".join((chat.title, chat.external_id, *words))


# Zips as no app makes them; of some only the size they tell is wrong, or a second archive follows.
HOSTILE = {name for name in SEEDS if name.endswith(".zip")} - {"claude.zip"}


@pytest.mark.parametrize("name", SEEDS)
def test_damaged(tmp_path: Path, name: str) -> None:
    chance = random.Random(f"apexmem {name}")  # noqa: S311 - to be repeatable
    path = tmp_path / f"given{Path(name).suffix}"
    for number in range(EACH):
        path.write_bytes(damaged(chance, SEEDS[name]))
        form = chance.choice(importer_names()) if chance.random() < 0.2 else ""
        try:
            check(path, form)
        except Exception as error:
            kept = path.rename(tmp_path / f"kept_{number}_{name}")
            raise AssertionError(f"number {number} read as {form or 'anything'}: {kept}") from error


def test_every_format_is_tried_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "export.bin"
    formats, refused = set(), set()
    for name, content in SEEDS.items():
        path.write_bytes(content)
        try:
            got = read_path(path)
        except UserError:
            refused.add(name)
            continue
        assert got.turns, name
        formats.add(got.facts.format)
    assert formats == set(importer_names())
    assert refused <= HOSTILE
