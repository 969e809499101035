"""The release of Qt for Python that is installed has none of the faults that we know."""

import sys

from PySide6.QtCore import QObject, Signal


class Speaker(QObject):
    """Says something."""

    said = Signal(object)


def test_an_emit_loses_no_reference() -> None:
    """Release 6.12.0 gives back True without owning it: below Python 3.12 that ends in an abort."""
    speaker = Speaker()
    before = sys.getrefcount(True)
    for _ in range(50):
        speaker.said.emit("word")
    assert sys.getrefcount(True) > before - 40
