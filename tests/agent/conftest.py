"""A memory to ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.storage.vault import Vault


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    """An empty vault."""
    opened = Vault.open(tmp_path / "memory.sqlite")
    yield opened
    opened.close()
