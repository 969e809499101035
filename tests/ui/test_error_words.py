"""Whatever a service says that went wrong is said in the window's language, in its own words."""

import ast
import re
import string
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

import apexmem_desktop
from apexmem_desktop.domain import errors
from apexmem_desktop.domain.rulings import MergePreview, SaidOfTwo
from apexmem_desktop.storage.faults import _SENTENCES
from apexmem_desktop.ui.error_words import _file, error_text, sentence_text
from apexmem_desktop.ui.merge_dialog import warning_lines
from apexmem_desktop.ui.translation import LANGUAGES, set_language

PACKAGE = Path(apexmem_desktop.__file__).parent
# The window sees nothing of these: a command line of its own, measures, and SQL typed by hand.
UNSEEN = {"cli", "bench"}
PART = "Ana"
SPOKEN = sorted({*LANGUAGES} - {"en"})
Texts = dict[str, list[str]]


def kinds(kind: type[errors.UserError] = errors.UserError) -> Iterator[type[errors.UserError]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from kinds(narrower)


def spelled(node: ast.expr, known: Texts) -> list[str]:
    """All that an expression can say, with PART for what is only known as it runs."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        said = [""]
        for value in node.values:
            own = spelled(value, known) if isinstance(value, ast.Constant) else [PART]
            said = [f"{before}{one}" for before in said for one in own]
        return said
    if isinstance(node, ast.BinOp):
        return [a + b for a in spelled(node.left, known) for b in spelled(node.right, known)]
    if isinstance(node, ast.IfExp):
        return [*spelled(node.body, known), *spelled(node.orelse, known)]
    if isinstance(node, ast.BoolOp):
        return [text for one in node.values for text in spelled(one, known)]
    if isinstance(node, ast.Name):
        return known.get(node.id, [])
    return []  # put together elsewhere: from these same sentences


def sentences_of(path: Path) -> Iterator[str]:
    """All sentences that a file gives to errors of the world."""
    names = {kind.__name__ for kind in kinds()}
    text = path.read_text(encoding="utf-8")
    if not any(f"{name}(" in text for name in names):
        return
    tree = ast.parse(text)
    known: Texts = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            known.setdefault(node.targets[0].id, []).extend(spelled(node.value, known))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    own = path.name == "errors.py"
    for call in calls:
        called = getattr(call.func, "id", getattr(call.func, "attr", ""))
        if called in names or (own and called == "__init__"):
            hints = [one.value for one in call.keywords if one.arg == "hint"]
            for node in (*call.args[:1], *hints):
                yield from spelled(node, known)


@cache
def every_sentence() -> Sequence[str]:
    files = [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in UNSEEN
    ]
    found = {text for path in files for text in sentences_of(path)}
    found |= {part.format(name=PART) for pair in _SENTENCES.values() for part in pair}
    # What consists of parts alone was said elsewhere.
    return sorted(text for text in found if re.search("[a-z]{2}", text.replace(PART, "")))


@pytest.mark.parametrize("language", SPOKEN)
def test_every_sentence_of_an_error_is_said(language: str) -> None:
    set_language(language)
    unsaid = [text for text in every_sentence() if sentence_text(text) in (None, text)]
    assert not unsaid, "these need their words in resources/translations/errors.toml"


def test_the_walk_finds_what_is_said() -> None:
    found = every_sentence()
    assert len(found) > 150
    for known in (
        "The disk is full, so nothing of this step was stored.",
        f"{PART} is empty.",
        f"{PART} is text, but not of a chat export that this program knows.",
        "There is no decision to take back.",
    ):
        assert known in found


def test_the_window_names_no_command() -> None:
    commands = ("apexmem ", "--", "APEXMEM_", "pip install")
    for sentence in every_sentence():
        said = sentence_text(sentence) or sentence
        named = [one for one in commands if one in said]
        assert not named or named == ["pip install"], said


def test_a_translation_names_only_the_parts_there_are() -> None:
    for row in _file()["said"]:
        for said in (row.get(language, "") for language in LANGUAGES):
            named = [name for _, name, _, _ in string.Formatter().parse(said) if name]
            assert all(int(name) < row["from"].count("{}") for name in named), row


def test_each_kind_of_error_has_its_words() -> None:
    words = _file()["kind"]
    for kind in kinds():
        known = [one.__name__ for one in kind.__mro__ if one.__name__ in words]
        assert all(words[known[0]][language] for language in LANGUAGES)
        seen = kind.__module__.split(".")[1] not in UNSEEN
        assert known[0] != "UserError" or kind is errors.UserError or not seen, kind


def test_a_name_is_put_where_the_language_wants_it() -> None:
    set_language("zh")
    error = errors.NotFoundError('"Ana" can be 3 speakers.', hint="Say which: Ana, Anna.")
    assert error_text(error) == "“Ana”可能指 3 个说话的人。 请说明是哪一个：Ana, Anna。"
    damaged = errors.VaultError(
        "The memory file a.apexmem is open for reading only.",
        hint="It is damaged (row 3). If you have a copy of it, restore a backup: apexmem restore"
        " FILE",
    )
    assert error_text(damaged).split("。")[:3] == [
        "记忆文件 a.apexmem 以只读方式打开",
        " 它已损坏（row 3）",
        "如果您有它的副本，请在“设置”里恢复",
    ]


def test_what_is_not_known_is_said_in_general_with_its_own_words() -> None:
    error = errors.VaultError("The moon is full.", hint="Wait.")
    assert error_text(error) == "The moon is full. Wait."
    set_language("zh")
    assert error_text(error) == "无法读写记忆文件。 (The moon is full. Wait.)"
    assert (
        error_text(ValueError("x")) == "程序内部出了问题，您的记忆完好无损。可以复制详情以便报告。"
    )


def test_why_a_merge_cannot_be_made_is_said_in_the_users_language() -> None:
    set_language("zh")
    apart = SaidOfTwo(1, "Ana", 2, "Anna", is_same=False, by="user")
    joined = SaidOfTwo(3, "Bo", 4, "Bob", is_same=True, by="model")
    preview = MergePreview(1, "Ana", 2, "Anna", ("Ana", "Anna"), 3, 9)

    def lines(**more: object) -> list[str]:
        parts = {name: getattr(preview, name) for name in preview.__slots__}
        return warning_lines(MergePreview(**{**parts, **more}))

    assert lines() == []
    assert lines(is_done=True) == ["这两个已经是同一个。"]
    assert lines(refused_by=apart) == [
        "无法合并：您认为“Ana”和“Anna”不是同一个。请先撤销那个决定。"
    ]
    assert lines(takes_back=(joined,)) == ["这会推翻：语言模型认为“Bo”和“Bob”是同一个。"]
