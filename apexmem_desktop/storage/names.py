"""When two spellings are the same name."""

import re
import unicodedata

# Direction marks and zero-width signs that exports put around names. U+200D stays: it joins emoji.
_INVISIBLE = re.compile(
    "[\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufe0e\ufe0f\ufeff\u061c]"
)
_SPACES = re.compile(r"\s+")
# casefold() gives "i" + U+0307 for the Turkish capital İ and leaves the dotless ı apart from I.
_LETTERS = str.maketrans({"İ": "i", "ı": "i", "’": "'", "‘": "'", "ʼ": "'"})


def normalise(name: str) -> str:
    """Give the form by which names are compared: case, width, spaces and marks do not count."""
    folded = unicodedata.normalize("NFKC", name).translate(_LETTERS).casefold()
    shown = _INVISIBLE.sub("", unicodedata.normalize("NFKC", folded))
    return _SPACES.sub(" ", shown).strip()
