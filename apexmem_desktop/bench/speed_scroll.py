"""How long the window takes to draw a frame while a conversation is scrolled; without a screen."""

from pathlib import Path

from apexmem_desktop.bench.children import run_child
from apexmem_desktop.bench.figures import Figure
from apexmem_desktop.domain.progress import CancelToken

_FRAME_MS = 1000 / 60
_FELT_MS = 100.0
# A jump is over when the turns are drawn; a frame counts what the GUI thread itself worked, the
# pages that come in on the way included.
_SCROLL = """
import json, random, sys, time
from pathlib import Path
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.ui.conversations_place import ConversationsPlace
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.screenshots import settle
from apexmem_desktop.ui.tasks import TaskRunner
from apexmem_desktop.ui.theme import apply_theme
from apexmem_desktop.ui.timeline_picture import offscreen_app
JUMPS, FRAMES, STEP_PX = 30, 400, 90
app, vault, chance = offscreen_app(), Path(sys.argv[1]), random.Random(1)
apply_theme(app, "light")
tasks = TaskRunner()
settings = Settings(theme="light", ui_language="en")
place = ConversationsPlace(Desk(Memory(Workspace(vault, settings=settings), vault), tasks))
place.resize(1100, 800)
place.show()
settle(tasks)
view, jumps, frames, held = place.turns, [], [], 0
for _ in range(JUMPS):
    began_s = time.perf_counter()
    view.jump_to_number(chance.randrange(max(1, view.whole.maximum())))
    settle(tasks)
    app.processEvents()
    jumps.append((time.perf_counter() - began_s) * 1000)
for _ in range(FRAMES):
    began_s = time.thread_time()
    view.verticalScrollBar().setValue(view.verticalScrollBar().value() + STEP_PX)
    app.processEvents()
    frames.append((time.thread_time() - began_s) * 1000)
    held = max(held, len(view.turn_list.turns))
def at(times, share):
    return sorted(times)[int(len(times) * share)]
print(json.dumps({"jump": at(jumps, 0.5), "median": at(frames, 0.5), "95 %": at(frames, 0.95),
    "held": held}), flush=True)
tasks.close()
"""


def measure_scrolling(vault: Path, about: str, cancel: CancelToken) -> list[Figure]:
    """Jump about in the longest conversation and scroll in it; give frames and a jump."""
    variables = {"QT_QPA_PLATFORM": "offscreen"}
    found, _ = run_child(("-c", _SCROLL, str(vault)), variables=variables, cancel=cancel)
    held = f"{found['held']} turns at hand"
    limit = "a sixtieth of a second"
    frames = [
        Figure(
            f"a frame of scrolling a conversation, {about}, {held}, {part}",
            found[part],
            "ms",
            limit,
            _FRAME_MS / max(found[part], 1e-9),
            _FRAME_MS,
        )
        for part in ("median", "95 %")
    ]
    jump = found["jump"]
    name = f"a jump to anywhere in a conversation, {about}, median"
    felt = Figure(name, jump, "ms", "what one feels", _FELT_MS / max(jump, 1e-9), _FELT_MS)
    return [*frames, felt]
