"""Adapters: a few weights beside a model's own that teach it one task better (LoRA).

What is in `resources/adapters` was trained on invented chats; `packaging/reader` has them and the
script. An adapter fits only the very file it was trained on, so it is named after that file's
sha256.
"""

from pathlib import Path

from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.inference.verified import recorded_sha256

NAMED_CHARS = 12


def reader_for(model: Path) -> Path | None:
    """Find the adapter that teaches this model to read turns; None where there is none for it."""
    sha256 = recorded_sha256(model)
    path = resources_dir() / "adapters" / f"reader-{sha256[:NAMED_CHARS]}.gguf"
    return path if sha256 and path.is_file() else None
