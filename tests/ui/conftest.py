"""What the window's tests stand on: English, the light theme, a made-up memory, no threads."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtWidgets import QApplication

from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.theme import apply_theme
from apexmem_desktop.ui.translation import set_language
from tests.ui.fake_memory import FakeMemory, InlineRunner


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the offscreen platform say what it cannot do: it says so at each window."""
    for item in items:
        if "tests/ui/" in item.path.as_posix():
            said = ("does not support", "systemTrayWindowChanged")
            item.add_marker(pytest.mark.qt_log_ignore(*said))


@pytest.fixture(autouse=True)
def look(qapp: QApplication) -> None:
    """Begin each test in English and in the light theme."""
    set_language("en")
    apply_theme(qapp, "light")


@pytest.fixture(autouse=True)
def own_geometry(tmp_path: Path) -> None:
    """Keep the window's geometry of each test to itself, and out of the user's folder."""
    for form in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
        QSettings.setPath(form, QSettings.Scope.UserScope, str(tmp_path / "settings"))


@pytest.fixture(autouse=True)
def no_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask no desktop of the machine that the tests run on."""
    for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)


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
