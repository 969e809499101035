"""How many threads a model should use: one a physical core, since two on one core slow it down."""

import os
import platform
import subprocess
from pathlib import Path


def physical_cores() -> int:
    """Count the physical cores this process may use; at least 1."""
    logical = _usable_logical()
    return max(1, min(_installed_cores() or logical, logical))


def _usable_logical() -> int:
    if platform.system() == "Linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _installed_cores() -> int | None:
    if platform.system() == "Linux":
        return _linux_cores(Path("/sys/devices/system/cpu"))
    if platform.system() == "Darwin":
        # The fast cores only: a slow one among them makes all wait.
        return _sysctl("hw.perflevel0.physicalcpu") or _sysctl("hw.physicalcpu")
    return max(1, (os.cpu_count() or 2) // 2)


def _linux_cores(root: Path) -> int | None:
    siblings = {
        path.read_text(encoding="ascii").strip()
        for path in root.glob("cpu[0-9]*/topology/thread_siblings_list")
    }
    return len(siblings) or None


def _sysctl(name: str) -> int | None:
    try:
        found = subprocess.run(  # noqa: S603 - nothing in it comes from outside
            ["/usr/sbin/sysctl", "-n", name], capture_output=True, check=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return int(found.stdout) if found.stdout.strip().isdigit() else None
