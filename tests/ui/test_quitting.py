"""The program itself, from its start to its end: it must not end with a crash."""

import os
import subprocess
import sys
from pathlib import Path


def test_a_window_that_is_closed_as_soon_as_it_is_there_ends_cleanly(tmp_path: Path) -> None:
    home = {"APEXMEM_HOME": str(tmp_path), "APEXMEM_MODELS": str(tmp_path / "models")}
    for _ in range(3):
        ran = subprocess.run(
            [sys.executable, "-m", "apexmem_desktop.cli", "--vault", tmp_path / "memory.apexmem",
             "gui", "--until-shown"],
            env={**os.environ, **home, "QT_QPA_PLATFORM": "offscreen"},
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        assert "resident_bytes" in ran.stdout
