"""How long the window's event loop leaves somebody waiting while it imports and answers."""

from pathlib import Path

from apexmem_desktop.bench.children import run_child
from apexmem_desktop.bench.figures import Figure
from apexmem_desktop.domain.progress import CancelToken

LONGEST_MS = 50.0
# The window as it is, driven as by a user; a gap counts as `ui.heartbeat` says.
_DRIVE = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QEventLoop, QTimer
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.ui.app import Shell
from apexmem_desktop.ui.heartbeat import Heartbeat
from apexmem_desktop.ui.import_dialog import ImportDialog
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.timeline_picture import offscreen_app
vault, export = Path(sys.argv[1]), Path(sys.argv[2])
app = offscreen_app()
memory = Memory(Workspace(vault, settings=Settings(theme="light", ui_language="en")), vault)
shell, loop, look = Shell(app, memory), QEventLoop(), QTimer(interval=20)
goal = []
look.timeout.connect(lambda: loop.quit() if goal[-1]() else None)
def wait(until):
    goal.append(until)
    look.start()
    loop.exec()
    look.stop()
def is_quiet():
    return not shell.tasks.busy and not shell.job.running
window = shell.open()
beat, found = Heartbeat(), {}
def measured(name, act, until):
    beat.start()
    act()
    wait(until)
    found[name] = beat.stop()
measured("making the places", lambda: None, lambda: is_quiet() and window.stack.made("timeline"))
dialog = ImportDialog(shell.desk, [export], window)
dialog.show()
measured("looking into an export", lambda: None, dialog.store.isEnabled)
measured("an import", dialog.start, dialog.store.isHidden)
dialog.close()
measured("reading", shell.desk.build_asked.emit, is_quiet)
window.go_to("ask")
measured("an answer", lambda: window.ask.ask("Where does Ada live?"), is_quiet)
print(json.dumps(found), flush=True)
shell.close()
"""


def measure_gaps(vault: Path, export: Path, about: str, cancel: CancelToken) -> list[Figure]:
    """Give the longest gap of the event loop in each of the window's long jobs, without a model."""
    home = vault.with_name("gaps-profile")
    variables = {
        "QT_QPA_PLATFORM": "offscreen",
        "APEXMEM_HOME": str(home),
        "APEXMEM_MODELS": str(home / "models"),
    }
    found, _ = run_child(
        ("-c", _DRIVE, str(vault), str(export)), variables=variables, cancel=cancel
    )
    return [
        Figure(
            f"longest gap of the event loop, {job}, {about}",
            gap_ms,
            "ms",
            "what nobody feels",
            LONGEST_MS / max(gap_ms, 1e-9),
            LONGEST_MS,
        )
        for job, gap_ms in found.items()
    ]
