"""Colours, fonts and the one style sheet. Widgets name a colour; only the theme files know it."""

import tomllib
from dataclasses import dataclass
from functools import cache
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from apexmem_desktop.domain.locations import resources_dir

THEMES = ("light", "dark")
SERIES_COLOURS = 8
_BASE_POINTS = 10.5
# Sizes that the style sheet names as $px16 and so on, and that grow with the text.
_SHEET_PX = (2, 4, 6, 8, 11, 14, 16, 20, 24)
# The first that the machine has is used; the Chinese ones stand in for missing glyphs.
_LATIN = ("Inter", "Segoe UI Variable", "Segoe UI", "SF Pro Text", "Noto Sans", "DejaVu Sans")
_CHINESE = ("PingFang SC", "Microsoft YaHei UI", "Noto Sans CJK SC", "Source Han Sans SC")


@dataclass(frozen=True)
class Theme:
    """One set of colours.

    Attributes:
        series: Colours for lanes of a timeline, told apart at a glance.
    """

    name: str
    colours: dict[str, str]
    series: tuple[str, ...]

    def colour(self, name: str, alpha: int = 255) -> QColor:
        """Give a named colour, with `alpha` of 255 parts opaque."""
        colour = QColor(self.colours[name])
        colour.setAlpha(alpha)
        return colour

    def series_colour(self, number: int) -> QColor:
        """Give the colour of lane `number`; they repeat."""
        return QColor(self.series[number % len(self.series)])


class _Chosen:
    """The theme in use. One for the whole window."""

    name = "light"
    text_percent = 100


def theme() -> Theme:
    """The theme in use."""
    return load_theme(_Chosen.name)


@cache
def load_theme(name: str) -> Theme:
    """Read a theme's colours from resources/theme."""
    path = resources_dir() / "theme" / f"{name}.toml"
    colours = tomllib.loads(path.read_text(encoding="utf-8"))["colours"]
    series = tuple(colours.pop("series"))
    return Theme(name, colours, series)


def apply_theme(app: QApplication, wanted: str, text_percent: int = 100) -> None:
    """Dress the whole application; "" or "system" follows the desktop.

    Args:
        text_percent: Size of all text, in percent of what is usual.
    """
    _Chosen.name = wanted if wanted in THEMES else _system_theme(app)
    same_size = _Chosen.text_percent == text_percent
    _Chosen.text_percent = text_percent
    chosen = theme()
    sheet = _sheet(chosen)
    # Dressing costs time for every widget there is.
    if app.styleSheet() == sheet and same_size:
        return
    app.setStyle("Fusion")
    app.setFont(_base_font(text_percent))
    app.setPalette(_palette(chosen))
    app.setStyleSheet(sheet)


def sized(widget: QWidget, factor: float, *, bold: bool = False) -> None:
    """Scale a widget's text from the application's font, so that text size stays one setting."""
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * factor)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    widget.setFont(font)


def scaled(px: int) -> int:
    """Scale a size in pixels with the text: signs grow with the words beside them."""
    return round(px * _Chosen.text_percent / 100)


def _system_theme(app: QApplication) -> str:
    dark = app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return "dark" if dark else "light"


def _base_font(text_percent: int) -> QFont:
    have = set(QFontDatabase.families())
    families = [name for name in _LATIN if name in have][:1]
    families += [name for name in _CHINESE if name in have]
    font = QFont()
    font.setFamilies(families or [font.family()])
    font.setPointSizeF(_BASE_POINTS * text_percent / 100)
    return font


def _sheet(chosen: Theme) -> str:
    folder = resources_dir() / "theme"
    text = (folder / "window.qss").read_text(encoding="utf-8")
    sizes = {f"px{px}": str(max(1, scaled(px))) for px in _SHEET_PX}
    return Template(text).substitute(
        chosen.colours,
        **sizes,
        arrow_icon=(folder / "arrow.svg").as_posix(),
        check_icon=(folder / f"check_{chosen.name}.svg").as_posix(),
    )


def _palette(chosen: Theme) -> QPalette:
    roles = {
        QPalette.ColorRole.Window: "window",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "card",
        QPalette.ColorRole.AlternateBase: "raised",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.Button: "card",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "on_accent",
        QPalette.ColorRole.PlaceholderText: "faint",
        QPalette.ColorRole.Link: "accent",
        QPalette.ColorRole.ToolTipBase: "card",
        QPalette.ColorRole.ToolTipText: "text",
        QPalette.ColorRole.Mid: "line",
    }
    palette = QPalette()
    for role, name in roles.items():
        palette.setColor(role, chosen.colour(name))
    return palette
