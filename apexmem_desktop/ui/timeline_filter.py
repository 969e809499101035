"""What of a timeline is shown: by kind, and by words in a lane's name or a value."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QWidget

from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.timeline_lanes import lane_of
from apexmem_desktop.ui.timeline_words import label_text
from apexmem_desktop.ui.translation import tr, tr_name

KINDS = ("all", "changed", "holding", "planned", "contested", "events")
_WORDS_CHARS = 18
_KIND_CHARS = 10


class TimelineFilter(QWidget):
    """A box of kinds and a line for words."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kind = QComboBox()
        for kind in KINDS:
            self.kind.addItem(tr(f"lanes.{kind}"), kind)
        self.kind.setMinimumContentsLength(_KIND_CHARS)
        self.kind.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.kind.setAccessibleName(tr("lanes.kind"))
        self.words = QLineEdit()
        self.words.setPlaceholderText(tr("lanes.words"))
        self.words.setAccessibleName(tr("lanes.words"))
        self.words.setClearButtonEnabled(True)
        self.words.addAction(icon("search", "faint"), QLineEdit.ActionPosition.LeadingPosition)
        self.words.setMinimumWidth(self.fontMetrics().averageCharWidth() * _WORDS_CHARS // 2)
        self.words.setMaximumWidth(self.fontMetrics().averageCharWidth() * _WORDS_CHARS * 2)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.kind)
        layout.addWidget(self.words)
        self.kind.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.words.textChanged.connect(lambda _: self.changed.emit())

    def admitted(self, items: Sequence[TimelineItem]) -> tuple[TimelineItem, ...]:
        """Keep what is to be shown."""
        kind, words = self.kind.currentData(), self.words.text().strip().casefold()
        kept = _of_kind(items, kind)
        return tuple(one for one in kept if not words or words in _text(one).casefold())


def _of_kind(items: Sequence[TimelineItem], kind: str) -> Sequence[TimelineItem]:
    if kind == "changed":
        ended = {lane_of(one) for one in items if one.kind == "fact" and one.end is not None}
        return [one for one in items if lane_of(one) in ended]
    kinds: dict[str, Callable[[TimelineItem], bool]] = {
        "holding": lambda one: one.kind == "fact" and one.end is None and not one.planned,
        "planned": lambda one: one.planned,
        "contested": lambda one: one.contested,
        "events": lambda one: one.kind == "event",
    }
    return items if kind not in kinds else [one for one in items if kinds[kind](one)]


def _text(item: TimelineItem) -> str:
    return f"{tr_name('property', item.lane)} {label_text(item)}"
