"""When two spellings are one name: the same in Python, in SQL and in every stored column."""

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apexmem_desktop.domain.graph import ValueType
from apexmem_desktop.domain.values import normalised_text
from apexmem_desktop.storage import entities
from apexmem_desktop.storage.functions import add_functions
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import store_entity

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
ENGLAND, SCOTLAND = (
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(sign)) for sign in tag) + "\U000e007f"
    for tag in ("gbeng", "gbsct")
)
SAME = {
    "case": ("Ana Lima", "ANA LIMA", "ana lima", "aNA lIMA"),
    "spaces": ("Ana Lima", "  Ana   Lima ", "Ana\u00a0Lima", "Ana\u202fLima", "Ana\tLima\n"),
    "Turkish I": ("\u0130stanbul", "istanbul", "ISTANBUL", "\u0131stanbul", "i\u0307stanbul",
                  "I\u0307stanbul"),
    "full width": ("\uff21\uff4e\uff41\u3000\uff11", "Ana 1"),
    "half-width kana": ("\uff76\uff9e\uff9d", "ガン"),
    "ligature": ("\ufb01nn", "finn"),
    "German sharp s": ("Straße", "STRASSE", "strasse", "STRA\u1e9eE"),
    "Greek final sigma": ("Σίσυφος", "ΣΊΣΥΦΟΣ", "σίσυφοσ"),
    "combining marks": ("José", "Jose\u0301", "JOSÉ"),
    "two marks in either order": ("a\u0323\u0307", "a\u0307\u0323"),
    "Vietnamese": ("Việt", "Vie\u0323\u0302t", "VIỆT"),
    "direction marks": ("Ana", "\u200eAna", "\u202aAna\u202c", "\u2068Ana\u2069", "A\u200fna"),
    "Arabic with marks": ("سارة", "\u200f\u061cسارة\u200f"),
    "zero-width signs": ("Ana", "A\u200bn\u200ca", "\ufeffAna", "A\u00adna", "A\u200dna"),
    "joiner between letters": ("क्ष", "क्\u200dष"),
    "emoji style": ("Ana \u2764", "Ana \u2764\ufe0f"),
    "emoji only": ("\U0001f98a", " \U0001f98a\ufe0f "),
    "a family is one sign": (FAMILY, FAMILY.replace("\u200d", "\u200d\u200d")),
    "apostrophes": ("O'Neil", "O\u2019Neil", "O\u02bcNeil"),
    "phone": ("+49 170 1234567", "\u202a+49 170 1234567\u202c", "+49\u00a0170\u00a01234567",
              "+491701234567", "+49 (170) 123-4567", "+49 170 123\u201145\u201167",
              "\uff0b49 170 1234567"),
    "controls": ("Ana", "A\x00na", "Ana\x7f"),
}  # fmt: skip
DIFFERENT = {
    "an accent counts": ("José", "Jose"),
    "a digit counts": ("Room 12", "Room 13"),
    "family and its members": (FAMILY, FAMILY.replace("\u200d", "")),
    "two emoji": ("\U0001f98a", "\U0001f43b"),
    "skin tones": ("\U0001f44d", "\U0001f44d\U0001f3fd"),
    "flags made of tags": (ENGLAND, SCOTLAND),
    "names that show nothing": ("\u3164", "\u200e"),
    "one that shows nothing, and none": ("\u200e", ""),
    "phones": ("+49 170 1234567", "+49 170 1234568"),
    "a sum is no phone": ("+1 2", "+12"),
    "letters and their look-alikes": ("Ana", "\u0410na"),
}


@pytest.fixture(scope="module")
def sql() -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(":memory:")
    add_functions(db)
    yield db
    db.close()


@pytest.mark.parametrize("spellings", SAME.values(), ids=SAME.keys())
def test_spellings_of_one_name(spellings: tuple[str, ...]) -> None:
    assert len({normalise(one) for one in spellings}) == 1
    assert normalise(spellings[0]) != ""


@pytest.mark.parametrize("names", DIFFERENT.values(), ids=DIFFERENT.keys())
def test_names_that_are_not_one(names: tuple[str, str]) -> None:
    assert normalise(names[0]) != normalise(names[1])


SPELLINGS = [one for row in SAME.values() for one in row]
NAMES = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=20),
    st.text(
        st.sampled_from(sorted({sign for row in SAME.values() for one in row for sign in one}))
    ),
    st.sampled_from([one for row in SAME.values() for one in row]),
)


@given(NAMES)
@example("\u1fb3\u0301")
@example("a\u200d\u0301")
@example("\u200d\u200d")
def test_normalising_twice_changes_nothing(name: str) -> None:
    assert normalise(normalise(name)) == normalise(name)


@given(NAMES)
def test_what_surrounds_a_name_does_not_count(name: str) -> None:
    assert normalise(f" \u200ex{name}y\u202c\n") == normalise(f"x{name}y")


@given(NAMES)
@example("A\x00na")
@example("\x00")
def test_sql_gives_the_same(sql: sqlite3.Connection, name: str) -> None:
    assert sql.execute("SELECT normalise(?)", (name,)).fetchone() == (normalise(name),)


@given(NAMES, st.sampled_from(ValueType))
def test_sql_compares_values_alike(sql: sqlite3.Connection, value: str, kind: ValueType) -> None:
    found = sql.execute("SELECT normalise_value(?, ?)", (value, str(kind))).fetchone()
    assert found == (normalised_text(value, kind),)


def test_the_column_holds_what_sql_and_python_give(vault: Vault) -> None:
    """Known fault 51: one name is one entity, however it is spelt."""
    with vault.write() as db:
        for spellings in SAME.values():
            number = store_entity(db, spellings[0])
            for spelling in spellings:
                assert number in [e.id for e in entities.find_entities_named(db, spelling)]
        rows = db.exec_driver_sql("SELECT name, normalised, normalise(name) FROM entity_names")
        for name, stored, worked_out in rows:
            assert stored == worked_out == normalise(name)
