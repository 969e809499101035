"""An empty memory gets a passphrase; one that holds something is left alone."""

from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import PassphraseNeededError, VaultError
from apexmem_desktop.services import browsing, samples
from apexmem_desktop.services.protecting import protect_new
from apexmem_desktop.services.workspace import Workspace


def test_an_empty_memory_is_made_anew_under_a_passphrase(tmp_path: Path) -> None:
    path = tmp_path / "m.apexmem"
    made = protect_new(Workspace(path), "four plain words here")
    with made:
        assert browsing.status(made).encrypted
    with pytest.raises(PassphraseNeededError):
        Workspace(path)
    with Workspace(path, passphrase="four plain words here") as again:
        assert browsing.status(again).turns == 0
    assert sorted(one.suffix for one in tmp_path.iterdir() if "unprotected" in one.name) == []


def test_a_memory_that_holds_something_stays_as_it_was(tmp_path: Path) -> None:
    with Workspace(tmp_path / "m.apexmem") as ws:
        samples.import_samples(ws)
        with pytest.raises(VaultError, match="holds something"):
            protect_new(ws, "words")
        assert browsing.status(ws).turns > 0
