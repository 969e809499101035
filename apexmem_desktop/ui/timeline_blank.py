"""What stands in a timeline's place where there is nothing to draw: why, and what can be done."""

from collections.abc import Callable

from PySide6.QtWidgets import QStackedWidget, QWidget

from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import button, empty_page
from apexmem_desktop.ui.translation import tr


def nothing_at_all(desk: Desk) -> QWidget:
    """Make the page of a memory without anybody in it."""
    bring = button(tr("import.title"), lambda: desk.place_asked.emit("imports"), kind="main")
    return empty_page("timeline", tr("place.timeline"), tr("timeline.empty"), bring)


class LanesOrWords(QStackedWidget):
    """The lanes, or words in their place.

    Args:
        show_all: Takes away what keeps all lanes from being shown.
    """

    def __init__(self, lanes: QWidget, desk: Desk, show_all: Callable[[], None]) -> None:
        super().__init__()
        self.addWidget(lanes)
        reading = button(tr("timeline.see_reading"), desk.queue_asked.emit)
        texts = tr("timeline.none_yet"), tr("timeline.none_yet_more")
        self.addWidget(empty_page("timeline", *texts, reading))
        every = button(tr("timeline.show_all"), show_all)
        texts = tr("timeline.no_match"), tr("timeline.no_match_more")
        self.addWidget(empty_page("search", *texts, every))

    def tell(self, *, known: int, shown: int) -> None:
        """Show what fits: so many entries are known, and so many of them are to be shown."""
        self.setCurrentIndex(0 if shown else 2 if known else 1)
