"""What an importer says that it could not read, or left out, is said in the window's language."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFrame, QLabel
from pytestqt.qtbot import QtBot

import apexmem_desktop
from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.ui.error_words import sentence_text
from apexmem_desktop.ui.problem_list import problem_list, problem_text
from apexmem_desktop.ui.translation import LANGUAGES, set_language
from tests.ui.test_error_words import PART, spelled

PACKAGE = Path(apexmem_desktop.__file__).parent
SPOKEN = sorted({*LANGUAGES} - {"en"})
# Who says it: the function's name, and which of what it is given is said.
SAYING = {"ImportProblem": 1, "Skipped": 0, "_leave_out": 0, "skip": 0}
KEPT = {"why", "what"}  # names that hold such words, but for notices of a chat, which are messages
NOTICES = ("imessage.py", "whatsapp_android_old.py", "whatsapp_android.py", "registry.py")
REASONS = {"_oddity", "hidden_reason", "why_hidden", "_why_left"}


def sayings(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            number = SAYING.get(name)
            if number is not None and number < len(node.args):
                yield from spelled(node.args[number], {})
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            held = node.targets[0].id
            if held == "why" or (held == "what" and path.name not in NOTICES):
                yield from spelled(node.value, {})
        if isinstance(node, ast.Subscript) and getattr(node.value, "id", "") in {"hidden"}:
            yield from spelled(node.slice, {})
        if isinstance(node, ast.FunctionDef) and returns_reasons(node):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return) and inner.value is not None:
                    yield from spelled(inner.value, {})


def returns_reasons(function: ast.FunctionDef) -> bool:
    """Whether a function gives back why something is left out."""
    return function.name in REASONS


@cache
def every_saying() -> tuple[str, ...]:
    files = [
        *sorted((PACKAGE / "importers").glob("*.py")),
        *sorted((PACKAGE / "services").glob("import*.py")),
        PACKAGE / "services" / "rereading.py",
    ]
    found = {text for path in files for text in sayings(path)}
    return tuple(
        sorted(
            text
            for text in found
            if " " in text.replace(PART, "").strip(" :") and re.search("[a-z]{3}", text)
        )
    )


@pytest.mark.parametrize("language", SPOKEN)
def test_every_problem_is_said(language: str) -> None:
    set_language(language)
    unsaid = [text for text in every_saying() if sentence_text(text) in (None, text)]
    assert not unsaid, "these need their words in resources/translations/problems.toml"


def test_the_walk_finds_what_is_said() -> None:
    assert len(every_saying()) > 20
    assert "it has no messages (no mapping)" in every_saying()
    assert f"{PART} left out: {PART}" in every_saying()
    assert "text before the first date was left out" in every_saying()


def test_parts_of_a_sentence_are_said_too() -> None:
    set_language("zh")
    hidden = ImportProblem("chat.zip", "3 left out: thoughts of the assistant", 3, expected=True)
    assert problem_text(hidden) == "chat.zip：略去 3 条：助手的思考过程"
    odd = ImportProblem("a.txt, line 5", "its date fits no other line; read as 2024-02-03")
    assert problem_text(odd) == "a.txt，第 5 行：日期的写法与其他行不同；已按 2024-02-03 读取"


def test_what_was_left_out_on_purpose_does_not_warn(qtbot: QtBot) -> None:
    left = ImportProblem("chat.zip", "3 left out: thoughts of the assistant", 3, expected=True)
    fault = ImportProblem("a.txt, line 5", "could not be read")
    boxes = problem_list((left, fault))
    qtbot.addWidget(boxes)
    found = {one.objectName(): one for one in boxes.findChildren(QFrame) if one.objectName()}
    assert set(found) == {"warning", "quiet"}
    warned = [one.text() for one in found["warning"].findChildren(QLabel)]
    assert warned == ["One place could not be read", "a.txt, line 5: could not be read"]
    quiet = [one.text() for one in found["quiet"].findChildren(QLabel)]
    assert quiet[1] == "chat.zip: 3 left out: thoughts of the assistant"
