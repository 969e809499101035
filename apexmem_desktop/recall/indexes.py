"""The vector indexes that searches share."""

from functools import lru_cache
from typing import Literal

from apexmem_desktop.storage.vault import Vault
from apexmem_desktop.storage.vectors import VectorIndex


@lru_cache(maxsize=4)  # two kinds for the open vault, and for one more that is being closed
def shared_index(vault: Vault, embedder_id: str, kind: Literal["turn", "fact"]) -> VectorIndex:
    """Give the one index of a vault: it holds the vectors in memory between searches."""
    return VectorIndex(vault, embedder_id, kind)
