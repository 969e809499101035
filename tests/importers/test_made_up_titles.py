"""A chat without a title is named after its first words, cut behind a whole one."""

import pytest

from apexmem_desktop.importers.said import TITLE_CHARS, begin_of


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("Laptop for data work", "Laptop for data work"),
        ("word " * 30, f"{('word ' * 11).strip()}…"),
        ("长" * 90, f"{'长' * (TITLE_CHARS - 1)}…"),
    ],
)
def test_a_title_ends_with_a_whole_word(words: str, title: str) -> None:
    assert begin_of(words) == title
    assert len(begin_of(words)) <= TITLE_CHARS
