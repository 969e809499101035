"""How long the window takes to be there, and what memory it holds; without a screen or a model."""

from pathlib import Path

from apexmem_desktop.bench.children import run_child
from apexmem_desktop.bench.figures import Figure
from apexmem_desktop.domain.progress import CancelToken

# As small as a program with a window of Qt's can be.
_BARE = """
import json, os
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QMainWindow
def resident_bytes():
    if not os.path.exists("/proc/self/status"):
        return None
    with open("/proc/self/status") as lines:
        return sum(int(one.split()[1]) * 1024 for one in lines if one.startswith("VmRSS"))
class Painted(QObject):
    def eventFilter(self, _, event):
        if event.type() == QEvent.Type.Paint:
            print(json.dumps({"resident_bytes": resident_bytes()}), flush=True)
            app.exit()
        return False
app = QApplication([])
window = QMainWindow()
seen = Painted()
window.installEventFilter(seen)
window.show()
app.exec()
"""


def measure_window(vault: Path, about: str, starts: int, cancel: CancelToken) -> list[Figure]:
    """Start the program's window on a vault, and an empty window of Qt's."""
    # A profile of its own: neither the user's settings nor their models count.
    home = vault.with_name("window-profile")
    variables = {
        "QT_QPA_PLATFORM": "offscreen",
        "APEXMEM_HOME": str(home),
        "APEXMEM_MODELS": str(home / "models"),
    }
    command = ("-m", "apexmem_desktop.cli", "--vault", str(vault), "gui", "--until-shown")
    found, took_s = _quickest(command, starts, variables, cancel)
    bare, bare_s = _quickest(("-c", _BARE), starts, variables, cancel)
    limit = "an empty window of Qt's"
    figures = [Figure(f"window start, {about}", took_s, "s", limit, bare_s / took_s, bare_s)]
    if found is not None and bare is not None:
        figures.append(
            Figure(
                f"memory of the window, {about}", found / 1e6, "MB", limit, found / bare, bare / 1e6
            )
        )
    return figures


def _quickest(
    command: tuple[str, ...], starts: int, variables: dict[str, str], cancel: CancelToken
) -> tuple[int | None, float]:
    """Start some times and give the quickest: the first one also reads the files from the disk."""
    runs = [run_child(command, variables=variables, cancel=cancel) for _ in range(starts)]
    message, took_s = min(runs, key=lambda run: run[1])
    return message["resident_bytes"], took_s
