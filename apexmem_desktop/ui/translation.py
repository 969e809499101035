"""The words of the window: `tr("ask.placeholder")` from resources/translations/*.toml."""

import re
import tomllib
from functools import cache
from string import Template
from typing import Any

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, Qt, QTranslator

from apexmem_desktop.domain.locations import resources_dir

# Around words that run from left to right in a window that does not: else "31 May" is "May 31".
_LTR, _END = "\u2066", "\u2069"
_AS_THEY_ARE = {"date.edit_format", "date.months", "date.months_short", "erase.word", "erase.joint"}
_LATIN = re.compile("[A-Za-zÀ-ɏ]")
_HOLE = re.compile(
    "(?P<before>[\u4e00-\u9fff])?\\$(?P<name>[a-z][a-z_0-9]*)(?P<after>(?=[\u4e00-\u9fff]))?"
)
_QT_NAMES = {"zh": "qtbase_zh_CN"}
LANGUAGES = {"en": "English", "zh": "中文"}


class _Chosen:
    """The language in use. One for the whole window, as fonts and palettes are."""

    language = "en"
    isolated = False  # whether the window runs the other way than its words
    qt_words: QTranslator | None = None  # kept here: Qt does not own it
    wanted = ""  # as the user chose it; "" for the computer's


def set_language(language: str) -> None:
    """Use this language from now on; "" follows the computer, and unknown ones become English."""
    _Chosen.wanted = language
    wanted = language or QLocale.system().name().split("_")[0]
    _Chosen.language = wanted if wanted in LANGUAGES else "en"


def load_qt_words(app: QCoreApplication) -> None:
    """Let Qt's own words (of menus and dialog buttons) be in the language in use."""
    if _Chosen.qt_words is not None:
        app.removeTranslator(_Chosen.qt_words)
        _Chosen.qt_words = None
    name = _QT_NAMES.get(_Chosen.language)
    words = QTranslator()
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if name and words.load(name, folder):
        app.installTranslator(words)
        _Chosen.qt_words = words


def language() -> str:
    """The language in use, "en" or "zh"."""
    return _Chosen.language


def set_mirrored(*, mirrored: bool) -> None:
    """Tell that the window runs from right to left: the words of both languages do not."""
    _Chosen.isolated = mirrored


def reading_direction() -> Qt.LayoutDirection:
    """Which way the window runs: that of the language chosen, else that of the computer's locale.

    A reader of Arabic or Hebrew who leaves the language to the computer reads English words here,
    but looks for the places at the right.
    """
    system = QLocale.system()
    chosen = _Chosen.wanted or system.name()
    return QLocale(chosen).textDirection()


@cache
def load_texts(language: str) -> dict[str, str]:
    """Read all texts of a language, keys joined with dots."""
    path = resources_dir() / "translations" / f"{language}.toml"
    return dict(_flatten(tomllib.loads(path.read_text(encoding="utf-8")), ""))


def tr(key: str, **values: object) -> str:
    """Give the text for a key, its $names filled."""
    text = load_texts(_Chosen.language)[key]
    if values:
        text = _spaced(text, values) if _Chosen.language == "zh" else text
        text = Template(text).substitute(values)
    return f"{_LTR}{text}{_END}" if _Chosen.isolated and key not in _AS_THEY_ARE else text


def _spaced(text: str, values: dict[str, object]) -> str:
    """Set a space between Chinese words and Latin ones that are filled in: 取代了 Casa Pilar."""

    def fill(hole: re.Match[str]) -> str:
        value = str(values.get(hole["name"], ""))
        before = " " if hole["before"] and _LATIN.match(value[:1]) else ""
        after = " " if hole["after"] is not None and _LATIN.match(value[-1:]) else ""
        return f"{hole['before'] or ''}{before}${{{hole['name']}}}{after}"

    return _HOLE.sub(fill, text)


def tr_count(key: str, count: int, **values: object) -> str:
    """Give `key.one` for exactly one, else `key.other`; `$$n` is the number, grouped."""
    texts = load_texts(_Chosen.language)
    form = f"{key}.one" if count == 1 and f"{key}.one" in texts else f"{key}.other"
    return tr(form, n=f"{count:,}", **values)


def tr_name(group: str, name: str) -> str:
    """Give a known name (an entity type, a property) in the user's language, else tidied."""
    texts = load_texts(_Chosen.language)
    known = texts.get(f"{group}.{name.lower()}")
    return known or tr_words(f"{group}_with", name) or name.replace("_", " ")


def tr_words(group: str, name: str) -> str:
    """Write a name that was put together from a known word and any other: went_climbing.

    Args:
        group: Where the known words stand, such as "property_with".
    """
    texts = load_texts(_Chosen.language)
    begins, _, what = name.lower().partition("_")
    pattern = texts.get(f"{group}.{begins}")
    if not pattern or not what:
        return ""
    return Template(pattern).substitute(what=texts.get(f"activity.{what}", what.replace("_", " ")))


def _flatten(table: dict[str, Any], prefix: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        pairs += _flatten(value, f"{name}.") if isinstance(value, dict) else [(name, str(value))]
    return pairs
