"""What this computer has: memory, threads, and whether it runs on its battery."""

import os
from pathlib import Path

from apexmem_desktop.domain.reading import Machine

_MEMORY = Path("/proc/meminfo")
_POWER = Path("/sys/class/power_supply")


def look(memory_file: Path = _MEMORY, power_dir: Path = _POWER) -> Machine:
    """Tell what this computer has; 0 for what it does not tell."""
    told = _meminfo(memory_file)
    total = told.get("MemTotal", 0) or _pages()
    return Machine(
        memory_bytes=total,
        free_bytes=told.get("MemAvailable", 0),
        cores=os.cpu_count() or 1,
        on_battery=_on_battery(power_dir),
    )


def _meminfo(path: Path) -> dict[str, int]:
    try:
        lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return {}
    parts = [line.split() for line in lines]
    return {one[0].rstrip(":"): int(one[1]) * 1024 for one in parts if len(one) > 2}


def _pages() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return 0


def _on_battery(folder: Path) -> bool:
    """Tell whether there is a battery and no mains supply that is on."""
    supplies = [(_read(one / "type"), _read(one / "online")) for one in _children(folder)]
    mains = [online for kind, online in supplies if kind in ("Mains", "USB")]
    has_battery = any(kind == "Battery" for kind, _ in supplies)
    return has_battery and "1" not in mains


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
