"""A vault of its own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.storage.vault import Vault


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with Vault.open(tmp_path / "memory.sqlite") as opened:
        yield opened
