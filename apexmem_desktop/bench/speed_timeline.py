"""How long the timeline takes to draw one frame while it is panned; without a screen."""

from apexmem_desktop.bench.children import run_child
from apexmem_desktop.bench.figures import Figure
from apexmem_desktop.domain.progress import CancelToken

_FRAME_MS = 1000 / 60
# Processor time of this process, so that what else runs on the machine does not count.
_PAN = """
import json, random, sys, time
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.theme import apply_theme
from apexmem_desktop.ui.timeline_picture import offscreen_app
from apexmem_desktop.ui.timeline_plot import TimelinePlot
DAY_MS, LANES, FRAMES = 86_400_000, 20, 60
chance = random.Random(1)
def day(at_ms):
    return Bound(round(at_ms), round(at_ms) + DAY_MS, Precision.DAY, TimeSource.STATED)
items = []
for number in range(int(sys.argv[1])):
    from_ms = (7000 + chance.random() * 12000) * DAY_MS
    to_ms = from_ms + chance.random() * 400 * DAY_MS
    items.append(TimelineItem("fact", f"lane_{number % LANES}", f"value {number}", day(from_ms),
        day(to_ms), 0.9, number % 9 == 0, number % 31 == 0, number, None, ()))
app = offscreen_app()
apply_theme(app, "light")
plot = TimelinePlot()
plot.resize(1100, 700)
plot.show()
plot.show_items(items, 19000 * DAY_MS)
app.processEvents()
def median_ms():
    frames = []
    for _ in range(FRAMES):
        began_s = time.process_time()
        plot.pan(0.01)
        plot.draw_now()
        frames.append((time.process_time() - began_s) * 1000)
    return sorted(frames)[len(frames) // 2]
whole_ms = median_ms()
plot.zoom(0.1)
print(json.dumps({"all in view": whole_ms, "a tenth in view": median_ms()}), flush=True)
"""


def measure_timeline(facts: int, cancel: CancelToken) -> list[Figure]:
    """Pan a timeline of so many facts and give the median frame."""
    variables = {"QT_QPA_PLATFORM": "offscreen"}
    found, _ = run_child(("-c", _PAN, str(facts)), variables=variables, cancel=cancel)
    return [
        Figure(
            f"a frame of panning a timeline of {facts:,} facts, {view}",
            frame_ms,
            "ms",
            "a sixtieth of a second",
            _FRAME_MS / frame_ms,
            _FRAME_MS,
        )
        for view, frame_ms in found.items()
    ]
