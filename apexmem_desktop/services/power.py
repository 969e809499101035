"""Whether this computer runs on its battery, as Linux, Windows and macOS tell it."""

import ctypes
import subprocess
import sys
from pathlib import Path

_SUPPLIES = Path("/sys/class/power_supply")
_PMSET = ("/usr/bin/pmset", "-g", "ps")
_LONGEST_S = 5.0
_ON_BATTERY, _NO_BATTERY, _UNKNOWN = 0, 128, 255


def on_battery(supplies: Path = _SUPPLIES) -> bool | None:
    """Tell whether it runs on its battery; None where the system does not tell."""
    if sys.platform == "win32":
        return _windows()
    if sys.platform == "darwin":
        return read_pmset(_pmset())
    return read_supplies(supplies)


def read_supplies(folder: Path) -> bool | None:
    """Read Linux's folder of power supplies: a battery, and no mains supply that is on.

    The battery of a mouse or a headset is one of a device, and says nothing of the computer.
    """
    try:
        supplies = sorted(folder.iterdir())
    except OSError:
        return None
    told = [
        (_read(one / "type"), _read(one / "online"))
        for one in supplies
        if _read(one / "scope") != "Device"
    ]
    has_battery = any(kind == "Battery" for kind, _ in told)
    return has_battery and not any(
        online == "1" for kind, online in told if kind in ("Mains", "USB", "Wireless")
    )


def read_pmset(text: str) -> bool | None:
    """Read what macOS's pmset says: Now drawing from 'AC Power'."""
    if "'AC Power'" in text:
        return False
    return True if "'Battery Power'" in text else None


def read_status(line: int, flag: int) -> bool | None:
    """Read Windows' two bytes: the state of the line, and what kind of battery there is."""
    if flag != _UNKNOWN and flag & _NO_BATTERY:
        return False
    return None if line == _UNKNOWN else line == _ON_BATTERY


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def _pmset() -> str:
    try:
        told = subprocess.run(  # noqa: S603 - a fixed program of the system, no words of ours
            _PMSET, capture_output=True, text=True, timeout=_LONGEST_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return told.stdout


class _Status(ctypes.Structure):
    _fields_ = (
        ("line", ctypes.c_ubyte),
        ("flag", ctypes.c_ubyte),
        ("percent", ctypes.c_ubyte),
        ("saver", ctypes.c_ubyte),
        ("left_s", ctypes.c_ulong),
        ("full_s", ctypes.c_ulong),
    )


def _windows() -> bool | None:
    if sys.platform == "win32":
        told = _Status()
        if ctypes.windll.kernel32.GetSystemPowerStatus(ctypes.byref(told)):
            return read_status(told.line, told.flag)
    return None
