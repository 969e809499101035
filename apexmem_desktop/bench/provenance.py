"""Where figures come from: which code, model and machine. A figure without that is a rumour."""

import hashlib
import os
import platform
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from apexmem_desktop.domain.locations import resources_dir

_PACKAGE = Path(__file__).resolve().parent.parent
# What decides what a built vault holds. Of the rest only the answers depend.
_SHAPES_A_VAULT = ("building", "chronology", "importers", "inference", "storage")


@dataclass(frozen=True, slots=True)
class Provenance:
    """Of one run.

    Attributes:
        commit: As the checkout's HEAD tells; "" outside a checkout. The code may have been edited
            since; `code` tells.
        code: Digest of the program's source and resources as they were.
        model: sha256 of the language model's file.
    """

    commit: str
    code: str
    model: str
    machine: str


def provenance(model: str) -> Provenance:
    """Tell what this run is of."""
    return Provenance(commit(), code_digest(everything=True), model, machine())


def machine() -> str:
    """Describe the machine: cores that may be used, processor, system, Python."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count()
    return f"{cores} cores, {_processor()}, {platform.system()}, Python {platform.python_version()}"


@lru_cache(maxsize=2)
def code_digest(*, everything: bool = False) -> str:
    """Digest the source that shapes a built vault, or all of it, with prompts and ontology."""
    folders = [_PACKAGE] if everything else [_PACKAGE / name for name in _SHAPES_A_VAULT]
    files = [path for folder in folders for path in folder.rglob("*.py")]
    for name in ("ontology", "prompts", "phrases"):
        files += (resources_dir() / name).glob("*")
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def commit() -> str:
    """Return the commit that a checkout stands on, without needing git."""
    git = _PACKAGE.parent / ".git"
    try:
        if git.is_file():  # one of several worktrees of a repository
            git = Path(git.read_text(encoding="utf-8").removeprefix("gitdir: ").strip())
        head = (git / "HEAD").read_text(encoding="ascii").strip()
        if not head.startswith("ref: "):
            return head[:12]
        shared = git / "commondir"
        if shared.is_file():
            git = git / shared.read_text(encoding="utf-8").strip()
        loose = git / head.removeprefix("ref: ")
        if loose.is_file():
            return loose.read_text(encoding="ascii").strip()[:12]
        for line in (git / "packed-refs").read_text(encoding="ascii").splitlines():
            if line.endswith(head.removeprefix("ref: ")):
                return line[:12]
    except OSError:
        pass
    return ""


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
