"""What every test stands on: no screen, no network, no profile of the user's."""

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.pop("DISPLAY", None)

from apexmem_desktop.services.locations import models_dir

REAL_MODELS = models_dir()
# A busy machine is no fault of the code: no test asserts how long something takes by the clock.
# The same examples each time, so that a failure is the change's own; APEXMEM_DEEP=1 looks further.
hypothesis.settings.register_profile("apexmem", deadline=None, derandomize=True)
hypothesis.settings.register_profile("deep", deadline=None, max_examples=1000)
hypothesis.settings.load_profile("deep" if os.environ.get("APEXMEM_DEEP") else "apexmem")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class _Network:
    """What the running test may reach. Audit hooks cannot be removed, so one asks this."""

    loopback = False


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse every socket but those inside this machine's own kernel (and pytest's none)."""
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event in ("socket.connect", "socket.bind", "socket.sendto"):
        sock, address = arguments[0], arguments[1]
        if getattr(sock, "family", None) == getattr(socket, "AF_UNIX", object()):
            return
        host = address[0] if isinstance(address, tuple) else address
    else:
        return
    if _Network.loopback and host in _LOOPBACK:
        return
    raise PermissionError(f"a test reached for the network: {event} {host!r}")


sys.addaudithook(_watch)


@pytest.fixture(autouse=True)
def _closed_network(request: pytest.FixtureRequest) -> Iterator[None]:
    """Open this machine's own addresses to tests that say so, and nothing else to any."""
    _Network.loopback = request.node.get_closest_marker("loopback") is not None
    yield
    _Network.loopback = False


@pytest.fixture(autouse=True)
def profile(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Give the test a user's folder of its own; only live tests see the real model files."""
    home = tmp_path / "profile"
    monkeypatch.setenv("APEXMEM_HOME", str(home))
    live = request.node.get_closest_marker("live") is not None
    monkeypatch.setenv("APEXMEM_MODELS", str(REAL_MODELS if live else home / "models"))
    return home


@pytest.fixture
def exports() -> Path:
    """Give the folder of real exports that lies beside some checkouts; skip where it is absent."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data" / "exports"
    if not folder.is_dir():
        pytest.skip("no real exports beside this checkout")
    return folder
