"""Two themes with the same names, and no colour outside them."""

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

import apexmem_desktop.ui
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.theme import SERIES_COLOURS, THEMES, apply_theme, load_theme, theme

UI = Path(apexmem_desktop.ui.__file__).parent


def test_themes_have_the_same_names() -> None:
    assert load_theme("light").colours.keys() == load_theme("dark").colours.keys()


@pytest.mark.parametrize("name", THEMES)
def test_each_theme_dresses_the_application(qapp: QApplication, name: str) -> None:
    apply_theme(qapp, name)
    assert theme().name == name
    assert "$" not in qapp.styleSheet()
    assert len(theme().series) == SERIES_COLOURS


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(
    ("ink", "paper", "least"),
    [
        ("text", "window", 7.0),
        ("text", "card", 7.0),
        ("muted", "card", 4.5),
        ("muted", "side", 4.5),
        ("on_accent", "accent", 4.5),
        ("accent", "card", 4.5),
        ("warn", "warn_soft", 4.5),
        ("mark_text", "mark", 4.5),
        ("text", "accent_soft", 4.5),
        ("danger", "window", 4.5),
        ("accent", "accent_soft", 4.5),
        ("text", "warn_soft", 4.5),
        ("muted", "window", 4.5),
    ],
)
def test_words_can_be_read_on_their_ground(name: str, ink: str, paper: str, least: float) -> None:
    colours = load_theme(name).colours
    assert contrast(QColor(colours[ink]), QColor(colours[paper])) >= least


def test_no_colour_stands_in_the_code() -> None:
    for path in UI.glob("*.py"):
        assert not re.search(r"#[0-9A-Fa-f]{6}\b", path.read_text(encoding="utf-8")), path.name


def test_every_icon_can_be_drawn(qapp: QApplication) -> None:
    for path in (resources_dir() / "icons").glob("*.svg"):
        assert not icon(path.stem).pixmap(24, 24).toImage().isNull()


def contrast(first: QColor, second: QColor) -> float:
    """WCAG contrast ratio of two colours."""
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: QColor) -> float:
    """WCAG relative luminance."""
    parts = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in (colour.redF(), colour.greenF(), colour.blueF())
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
