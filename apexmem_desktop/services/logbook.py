"""A log that can be shown to anybody: what happened and where in the program, never what was said.

The message of an error may quote a chat, so only its kind and the places in the code are written.
"""

import logging
import platform
import sys
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path

from apexmem_desktop import __version__

_LOGGER = logging.getLogger("apexmem_desktop.log")
_MOST_BYTES = 500_000
_OLD_FILES = 2


def open_log(path: Path) -> None:
    """Write to this file from now on; where it cannot be written, nothing is."""
    close_log()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            path, maxBytes=_MOST_BYTES, backupCount=_OLD_FILES, encoding="utf-8", delay=True
        )
        path.touch()
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    _LOGGER.addHandler(handler)
    _LOGGER.setLevel(logging.INFO)
    _LOGGER.propagate = False
    note(f"started: {about_program()}")


def close_log() -> None:
    """Stop writing."""
    for handler in list(_LOGGER.handlers):
        _LOGGER.removeHandler(handler)
        handler.close()


def note(words: str) -> None:
    """Write one line. The caller puts no word of a message into it."""
    _LOGGER.info(words)


def note_error(error: BaseException) -> None:
    """Write the kind of an error and where it came from, without its message."""
    _LOGGER.error("error: %s", " < ".join(error_places(error)))


def error_places(error: BaseException) -> list[str]:
    """Give an error's kind, and the places in the code that it passed, the innermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in reversed(frames)]
    return [type(error).__name__, *places]


def about_program() -> str:
    """Name the program, its version and what it runs on."""
    python = ".".join(map(str, sys.version_info[:3]))
    return f"APEX-MEM {__version__}, Python {python}, {platform.platform()}"
