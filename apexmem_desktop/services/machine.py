"""What this computer has: memory, threads, and whether it runs on its battery."""

import ctypes
import os
import platform
import sys
from pathlib import Path

from apexmem_desktop.domain.reading import Machine
from apexmem_desktop.services import power

_MEMORY = Path("/proc/meminfo")
_PROCESSOR = Path("/proc/cpuinfo")
_POWER = Path("/sys/class/power_supply")


def look(memory_file: Path = _MEMORY, power_dir: Path = _POWER) -> Machine:
    """Tell what this computer has; 0 for what it does not tell."""
    total, free = _windows_memory() or _linux_memory(memory_file)
    battery = power.on_battery(power_dir)
    return Machine(
        memory_bytes=total or _pages(),
        free_bytes=free,
        cores=os.cpu_count() or 1,
        on_battery=bool(battery),
        tells_power=battery is not None,
        processor=_processor(),
    )


def described(machine: Machine) -> str:
    """Name a computer as somebody would who compares two of them."""
    size = f"{machine.memory_bytes / 1e9:.0f} GB" if machine.memory_bytes else ""
    parts = (machine.processor, f"{machine.cores} × CPU", size)
    return ", ".join(filter(None, parts))


def _linux_memory(path: Path) -> tuple[int, int]:
    try:
        lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0, 0
    parts = [line.split() for line in lines]
    told = {one[0].rstrip(":"): int(one[1]) * 1024 for one in parts if len(one) > 2}
    return told.get("MemTotal", 0), told.get("MemAvailable", 0)


def _processor(path: Path = _PROCESSOR) -> str:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = (one.partition(":")[2].strip() for one in lines if one.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()


def _pages() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return 0


class _MemoryStatus(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_ulong),
        ("load", ctypes.c_ulong),
        ("total", ctypes.c_ulonglong),
        ("free", ctypes.c_ulonglong),
        ("rest", ctypes.c_ulonglong * 5),
    )


def _windows_memory() -> tuple[int, int] | None:
    if sys.platform == "win32":
        told = _MemoryStatus(ctypes.sizeof(_MemoryStatus))
        if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(told)):
            return int(told.total), int(told.free)
    return None
