"""What the window's tests stand on: English, the light theme, a made-up memory, no threads."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.theme import apply_theme
from apexmem_desktop.ui.translation import set_language
from tests.ui.fake_memory import FakeMemory, InlineRunner


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the offscreen platform say what it cannot do: it says so at each window."""
    for item in items:
        if "tests/ui/" in item.path.as_posix():
            item.add_marker(pytest.mark.qt_log_ignore("does not support propagateSizeHints"))


@pytest.fixture(autouse=True)
def look(qapp: QApplication) -> None:
    """Begin each test in English and in the light theme."""
    set_language("en")
    apply_theme(qapp, "light")


@pytest.fixture
def memory() -> FakeMemory:
    """A memory of two friends."""
    return FakeMemory()


@pytest.fixture
def desk(memory: FakeMemory) -> Iterator[Desk]:
    """A desk whose work is done at once."""
    runner = InlineRunner()
    yield Desk(memory, runner)
    runner.close()


@pytest.fixture(autouse=True)
def no_leftovers(qapp: QApplication) -> Iterator[None]:
    """Delete what the test closed: no event loop runs that would."""
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
