"""What the window loads before it is on the screen."""

import subprocess
import sys


def test_the_window_opens_without_the_drawing_library() -> None:
    code = (
        "import sys, apexmem_desktop.ui.app, apexmem_desktop.ui.ask_place\n"
        "print([name for name in ('pyqtgraph', 'torch', 'llama_cpp', 'dateparser')"
        " if name in sys.modules])"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert told.stdout.strip() == "[]"
