"""Whom an older program joined through a third comes apart when a memory is brought up to date."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import text

from apexmem_desktop.storage import canon, coming_apart, entities
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import store_entity
from tests.storage.old_vaults import OLD_FILES


@pytest.mark.parametrize(("was_older", "apart"), [(True, True), (False, False)])
def test_whom_a_third_joined_comes_apart(vault: Vault, *, was_older: bool, apart: bool) -> None:
    with vault.write() as db:
        beth, elizabeth, liz = (store_entity(db, name) for name in ("Beth", "Elizabeth", "Liz"))
        entities.append_link(db, beth, elizabeth, "same_as", "rule", "a short form", 1)
        entities.append_link(db, elizabeth, liz, "same_as", "rule", "a short form", 2)
        joined = {"one": liz, "all": beth}  # as the program did before decision 0020
        db.execute(
            text("UPDATE entity_canon SET canonical_id = :all WHERE entity_id = :one"), joined
        )
    vault.was_older = was_older
    coming_apart.finish(vault)
    with vault.read() as db:
        assert (canon.same_ids(db, liz) == [liz]) == apart
        assert canon.same_ids(db, beth)[:2] == [beth, elizabeth]


def test_only_an_older_memory_was_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "old.apexmem"
    shutil.copy(OLD_FILES / "v2.sqlite", path)
    opened = []
    for _ in range(2):
        vault = Vault.open(path)
        opened.append(vault.was_older)
        vault.close()
    assert opened == [True, False]
    fresh = Vault.open(tmp_path / "new.apexmem")
    assert not fresh.was_older
    fresh.close()
