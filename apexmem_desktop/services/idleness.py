"""How long nobody has touched this computer, in whatever program.

X11, Windows and macOS tell it to any program that asks. Under Wayland only the desktop knows,
and the window asks that by D-Bus (`ui.idle_clock`); where nothing tells it, the answer is None.
"""

import ctypes
import ctypes.util
import os
import sys
from collections.abc import Mapping

_ANY_INPUT, _WHOLE_SESSION = 0xFFFFFFFF, 0
_TICKS = 1 << 32  # Windows counts milliseconds in 32 bits, and begins anew after 49 days


def idle_ms(environment: Mapping[str, str] = os.environ) -> int | None:
    """Tell for how many milliseconds no key or mouse was used; None where nobody tells."""
    if sys.platform == "win32":
        return _windows()
    if sys.platform == "darwin":
        return _mac()
    # Under Wayland the X server sees only what is done in its own windows.
    display = environment.get("DISPLAY")
    return _x11(display) if display and not environment.get("WAYLAND_DISPLAY") else None


def ticks_between(last: int, now: int) -> int:
    """Count from one of Windows' ticks to another, across their beginning anew."""
    return (now - last) % _TICKS


class _ScreenSaverInfo(ctypes.Structure):
    _fields_ = (
        ("window", ctypes.c_ulong),
        ("state", ctypes.c_int),
        ("kind", ctypes.c_int),
        ("til_or_since", ctypes.c_ulong),
        ("idle", ctypes.c_ulong),
        ("mask", ctypes.c_ulong),
    )


def _x11(display_name: str) -> int | None:
    try:
        x11, saver = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXss.so.1")
    except OSError:
        return None
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    saver.XScreenSaverQueryExtension.argtypes = [ctypes.c_void_p] * 3
    saver.XScreenSaverQueryInfo.argtypes = [
        ctypes.c_void_p, ctypes.c_ulong, ctypes.POINTER(_ScreenSaverInfo),
    ]  # fmt: skip
    display = x11.XOpenDisplay(display_name.encode())
    if not display:
        return None
    try:
        return _x11_idle(x11, saver, display)
    finally:
        x11.XCloseDisplay(display)


def _x11_idle(x11: ctypes.CDLL, saver: ctypes.CDLL, display: int) -> int | None:
    """Ask an open display; without the extension a question would be an X error."""
    event, error, told = ctypes.c_int(), ctypes.c_int(), _ScreenSaverInfo()
    has = saver.XScreenSaverQueryExtension(display, ctypes.byref(event), ctypes.byref(error))
    root = x11.XDefaultRootWindow(display)
    if not has or not saver.XScreenSaverQueryInfo(display, root, ctypes.byref(told)):
        return None
    return int(told.idle)


def _mac() -> int | None:
    path = ctypes.util.find_library("ApplicationServices")
    if path is None:
        return None
    since = ctypes.CDLL(path).CGEventSourceSecondsSinceLastEventType
    since.argtypes = [ctypes.c_int32, ctypes.c_uint32]
    since.restype = ctypes.c_double
    return round(1000 * float(since(_WHOLE_SESSION, _ANY_INPUT)))


class _LastInput(ctypes.Structure):
    _fields_ = (("size", ctypes.c_uint), ("ticks", ctypes.c_uint))


def _windows() -> int | None:
    if sys.platform == "win32":
        told = _LastInput(ctypes.sizeof(_LastInput), 0)
        if ctypes.windll.user32.GetLastInputInfo(ctypes.byref(told)):
            return ticks_between(told.ticks, ctypes.windll.kernel32.GetTickCount() & (_TICKS - 1))
    return None
