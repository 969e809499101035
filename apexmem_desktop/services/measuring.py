"""What the benches ask of the machine: its memory in use, and its models without this program."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from apexmem_desktop.domain.errors import ModelMissingError
from apexmem_desktop.services.workspace import Workspace

_STATUS = Path("/proc/self/status")


def bare_encoding_s(ws: Workspace, texts: Sequence[str]) -> float:
    """Time sentence-transformers alone on the texts, in seconds, with the embedder's own model.

    Raises:
        ModelMissingError: There is no embedder here, or it cannot be loaded.
    """
    from apexmem_desktop.inference import bare

    embedder = ws.embedder()
    if embedder is None:
        raise ModelMissingError(
            "There is no embedder on this machine.", hint="Fetch it with: apexmem models pull"
        )
    return bare.encoding_s(embedder.path, texts)


def bare_evaluation_s(ws: Workspace, tokens: int) -> float:
    """Time llama.cpp alone on so many tokens, in seconds, with the language model in use.

    Raises:
        ModelMissingError: The language model is not here, or cannot be loaded.
    """
    from apexmem_desktop.inference import bare

    return bare.evaluation_s(ws.language().path, tokens)


def keep_journal(ws: Workspace, journal: Path) -> None:
    """Write down from now on what the language model is made to compute."""
    ws.language().keep_journal(journal)


def bare_replay_s(ws: Workspace, journal: Path) -> float:
    """Time llama.cpp alone on what such a journal holds, in seconds.

    Raises:
        ModelMissingError: The language model is not here, or cannot be loaded.
    """
    from apexmem_desktop.inference import bare

    language = ws.language()
    return bare.replay_s(language.path, journal, context_tokens=language.context_tokens)


def resident_bytes() -> int | None:
    """Tell how much memory this process holds now; None where the system does not say."""
    return _from_status("VmRSS")


def peak_bytes() -> int | None:
    """Tell the most memory this process ever held; None where the system does not say."""
    # Linux counts in ru_maxrss also what the process was before it became this program: a small
    # child of a large parent would seem as large.
    told = _from_status("VmHWM")
    if told is not None:
        return told
    try:
        import resource
    except ImportError:  # Windows
        return None
    bytes_a_unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * bytes_a_unit


def children_s() -> float:
    """Tell the processor time of the children that ended, in seconds."""
    spent = os.times()
    return spent.children_user + spent.children_system


def children_peak_bytes() -> int:
    """Tell the most memory that any child held that ended; 0 where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    bytes_a_unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * bytes_a_unit


def _from_status(name: str) -> int | None:
    try:
        lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    return None
