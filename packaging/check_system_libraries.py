"""Check that what Qt needs of the system is there.

As root on Debian or a relative it is installed; elsewhere the one line to run is printed, and the
exit status is 1 when the window could not start without it.
"""

import ctypes.util
import os
import shutil
import subprocess
import sys

# Library of Qt or its platform plugins → the Debian package that has it.
LIBRARIES = {
    "EGL": "libegl1",
    "GL": "libgl1",
    "xkbcommon": "libxkbcommon0",
    "xkbcommon-x11": "libxkbcommon-x11-0",
    "dbus-1": "libdbus-1-3",
    "fontconfig": "libfontconfig1",
    "freetype": "libfreetype6",
    "glib-2.0": "libglib2.0-0",
    "X11-xcb": "libx11-xcb1",
    "xcb-cursor": "libxcb-cursor0",
    "xcb-icccm": "libxcb-icccm4",
    "xcb-image": "libxcb-image0",
    "xcb-keysyms": "libxcb-keysyms1",
    "xcb-randr": "libxcb-randr0",
    "xcb-render-util": "libxcb-render-util0",
    "xcb-shape": "libxcb-shape0",
    "xcb-xinerama": "libxcb-xinerama0",
    "xcb-xkb": "libxcb-xkb1",
}
ESSENTIAL = ("EGL", "GL", "xkbcommon", "dbus-1", "fontconfig", "freetype", "glib-2.0")
CHINESE_FONT = "fonts-noto-cjk"
# Family → package: what the window is drawn with where it is there, and emoji of the chats.
OTHER_FONTS = {"Inter": "fonts-inter", "Noto Color Emoji": "fonts-noto-color-emoji"}


def main() -> int:
    """Check, and install or explain."""
    if not sys.platform.startswith("linux"):
        return 0  # elsewhere the package brings all that Qt needs
    missing = [name for name in LIBRARIES if ctypes.util.find_library(name) is None]
    packages = [LIBRARIES[name] for name in missing]
    packages += _missing_fonts()
    if not packages:
        return 0
    if shutil.which("apt-get") is None:
        print(f"Install what Qt needs of your system: {', '.join(missing) or 'fonts'}.")
        return int(any(name in ESSENTIAL for name in missing))
    if os.geteuid() == 0:
        return _install(packages)
    print("Some system libraries of Qt are missing. Run this line, then make again:")
    print(f"  sudo apt-get install --yes {' '.join(packages)}")
    return int(any(name in ESSENTIAL for name in missing))


def _missing_fonts() -> list[str]:
    """Name the packages of fonts without which chats would show boxes for signs."""
    if shutil.which("fc-list") is None:
        return [CHINESE_FONT, *OTHER_FONTS.values()]
    missing = [] if _has_font(":lang=zh") else [CHINESE_FONT]
    return missing + [package for name, package in OTHER_FONTS.items() if not _has_font(name)]


def _has_font(wanted: str) -> bool:
    found = subprocess.run(["fc-list", wanted], capture_output=True, check=False)
    return bool(found.stdout.strip())


def _install(packages: list[str]) -> int:
    """Install them; Debian's newer names are taken where an old one is gone."""
    print(f"Installing system libraries of Qt: {' '.join(packages)}")
    command = ["apt-get", "install", "--yes", "--no-install-recommends"]
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], env=quiet, check=False)
    done = subprocess.run(
        [*command, "-qq", "fontconfig", *packages],
        env=quiet, stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    if done.returncode == 0:
        return 0
    print(f"That failed. Run it yourself: {' '.join(command)} {' '.join(packages)}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
