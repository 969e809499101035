"""What of a timeline is shown: by kind, and by words in a lane's name or a value."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.search_box import SearchBox
from apexmem_desktop.ui.timeline_groups import GROUPINGS
from apexmem_desktop.ui.timeline_lanes import lane_of
from apexmem_desktop.ui.timeline_words import label_text
from apexmem_desktop.ui.translation import tr, tr_name

KINDS = ("all", "changed", "holding", "planned", "contested", "events")
_WORDS_CHARS = 17
_KIND_CHARS = 9


class TimelineFilter(QObject):
    """A box of kinds, one of groupings, and a line for words; its owner lays them out."""

    changed = Signal()
    grouped = Signal(str)  # one of GROUPINGS

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self.kind = QComboBox()
        for kind in KINDS:
            self.kind.addItem(tr(f"lanes.{kind}"), kind)
        self.kind.setAccessibleName(tr("lanes.kind"))
        self.group = QComboBox()
        for grouping in GROUPINGS:
            self.group.addItem(tr(f"groups.{grouping}"), grouping)
        self.group.setAccessibleName(tr("lanes.group"))
        self.group.setToolTip(tr("lanes.group"))
        for box in (self.kind, self.group):
            box.setMinimumContentsLength(_KIND_CHARS)
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
        self.words = SearchBox(tr("lanes.words"))
        self.words.setFixedWidth(owner.fontMetrics().averageCharWidth() * _WORDS_CHARS)
        self.kind.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.group.currentIndexChanged.connect(
            lambda _: self.grouped.emit(self.group.currentData())
        )
        self.words.textChanged.connect(lambda _: self.changed.emit())

    def widgets(self) -> tuple[QWidget, ...]:
        """Give what is to be laid out, in reading order."""
        return self.kind, self.group, self.words

    def show_all(self) -> None:
        """Show every kind, and whatever its words."""
        self.kind.setCurrentIndex(0)
        self.words.clear()

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
