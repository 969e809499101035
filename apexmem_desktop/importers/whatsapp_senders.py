"""Who sent a message of a WhatsApp text: what stands between its header and its words."""

import re

from apexmem_desktop.importers.phrases import MARKS, SPACES, without_marks

_SENDER = re.compile(rf"([^\n]{{1,200}}?):(?:[{MARKS}]*[{SPACES}]|$)")
_TIGHT_SENDER = re.compile(r"([^\n:]{1,200}):")
_TILDE = re.compile(rf"^[{SPACES}{MARKS}]*~[{SPACES}{MARKS}]*")
_SPACES = re.compile(f"[{SPACES}]+")
_LONGEST_SENDER_CHARS = 200


def speaker_name(sender: str) -> str:
    """Clean a sender's name: no direction marks, single spaces, no "~" of unsaved numbers."""
    return _SPACES.sub(" ", without_marks(_TILDE.sub("", sender))).strip()


def split_sender(line: str, cut: int) -> tuple[str | None, int]:
    """Split a line behind its header; give the sender, if it names one, and where words begin."""
    colon = line.find(":", cut)
    if cut < colon < cut + _LONGEST_SENDER_CHARS and line.startswith(" ", colon + 1):
        return line[cut:colon], colon + 2
    found = _SENDER.match(line, cut) if colon > 0 else None
    return (None, cut) if found is None else (found[1], found.end())


def tight_sender(text: str, cut: int) -> str:
    """Give what could be a sender's name where no space follows the colon; "" for nothing."""
    found = _TIGHT_SENDER.match(text, cut)
    return "" if found is None else found[1]
