"""Names in running text: whole words in scripts with spaces, anywhere in those without."""

import pytest

from apexmem_desktop.storage.name_pattern import NamePattern, is_telling


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Ana Lima", "then ana  LIMA came"),
        ("Ana Lima", "Ana Lima's house"),
        ("Ana Lima", "with_Ana Lima_2024"),
        ("Zoë", "ZOË said so"),
        ("王芳", "昨天王芳来了"),
        ("王芳", "Wang 王芳!"),
        ("İpek", "ipek geldi"),
        ("Ｋｉｍ", "so Kim left"),
        ("O'Neil", "O’Neil"),
        ("C++ Tom", "ask C++ Tom"),
    ],
)
def test_found_and_struck_out(name: str, text: str) -> None:
    pattern = NamePattern([name])
    assert pattern.is_in(text)
    assert not pattern.is_in(pattern.strike_out(text))


@pytest.mark.parametrize(
    ("name", "text"),
    [("Ana", "a banana"), ("Ana", "Anabel"), ("Will", "goodwill"), ("Ana Lima", "Ana in Lima")],
)
def test_part_of_another_word_is_no_name(name: str, text: str) -> None:
    pattern = NamePattern([name])
    assert not pattern.is_in(text)
    assert pattern.strike_out(text) == text


def test_only_the_name_is_struck_out() -> None:
    pattern = NamePattern(["Ana Lima", "Ana"])
    assert pattern.strike_out("Chat of Ana Lima and Ben") == "Chat of [erased] and Ben"
    assert not NamePattern([]).is_in("anything")
    assert not pattern.is_in(None)


def test_which_names_mean_somebody_wherever_they_stand() -> None:
    assert [n for n in ("Will", "Bo", "Ana", "王", "王芳", "ü", "Zoë") if is_telling(n)] == [
        "Ana", "王芳", "Zoë",
    ]  # fmt: skip
