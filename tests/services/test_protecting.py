"""An empty memory gets a passphrase; one that holds something is left alone."""

from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import (
    PassphraseNeededError,
    VaultError,
    WrongPassphraseError,
)
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.services import browsing, importing, maintenance, protecting
from apexmem_desktop.services.protecting import (
    ProtectingFailedError,
    change_passphrase,
    protect_new,
)
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import rekeying
from apexmem_desktop.storage.driver import Key

LINES = "03/04/2023, 10:00 - Ida: the secret garden\n05/04/2023, 10:00 - Max: good morning, Ida\n"


def chat(folder: Path) -> Path:
    file = folder / "WhatsApp Chat with Ida.txt"
    file.write_text(LINES, encoding="utf-8")
    return file


def filled(folder: Path, passphrase: str = "") -> Workspace:
    ws = Workspace(folder / "m.apexmem", models_dir=folder, passphrase=passphrase)
    importing.import_file(ws, chat(folder), ImportChoices(zone="UTC"))
    return ws


def holds(ws: Workspace) -> bool:
    found = browsing.search(ws, "garden").turns
    return bool(found) and all(check.ok for check in maintenance.verify(ws))


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
        importing.import_file(ws, chat(tmp_path), ImportChoices(zone="UTC"))
        with pytest.raises(VaultError, match="holds something"):
            protect_new(ws, "words")
        assert browsing.status(ws).turns > 0


def test_a_filled_memory_gets_a_passphrase_another_one_and_none(tmp_path: Path) -> None:
    ws = filled(tmp_path)
    ws.vault.path.with_name("m.apexmem.before-step-1").write_bytes(ws.vault.path.read_bytes())
    ws = change_passphrase(ws, "four plain words here")
    with ws:
        assert not list(tmp_path.glob("*.before-*"))
        assert browsing.status(ws).encrypted
        assert holds(ws)
        assert b"garden" not in ws.vault.path.read_bytes()
        ws = change_passphrase(ws, "five other plain words here")
    with ws:
        assert holds(ws)
    with pytest.raises(WrongPassphraseError):
        Workspace(tmp_path / "m.apexmem", passphrase="four plain words here")
    ws = Workspace(tmp_path / "m.apexmem", passphrase="five other plain words here")
    with change_passphrase(ws, "") as ws:
        assert not browsing.status(ws).encrypted
        assert holds(ws)
    assert not [one for one in tmp_path.iterdir() if "key" in one.name]


@pytest.mark.parametrize("fails", ["_compare", "remove_caches"])
def test_what_goes_wrong_leaves_the_memory_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    def fail(*_: object) -> None:
        raise VaultError("no", hint="no")

    ws = filled(tmp_path)
    monkeypatch.setattr(rekeying, fails, fail)
    with pytest.raises(ProtectingFailedError) as raised:
        change_passphrase(ws, "four plain words here")
    with raised.value.reopened as again:
        assert not browsing.status(again).encrypted
        assert holds(again)
    assert not [one for one in tmp_path.iterdir() if "key" in one.name]


def test_a_new_file_that_does_not_open_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = filled(tmp_path)
    monkeypatch.setattr(protecting.Key, "for_new_file", lambda _: Key.derive("other", bytes(16)))
    with pytest.raises(ProtectingFailedError) as raised:
        change_passphrase(ws, "four plain words here")
    with raised.value.reopened as again:
        assert holds(again)


def test_an_exchange_that_was_cut_off_is_taken_back_at_the_next_opening(tmp_path: Path) -> None:
    filled(tmp_path).close()
    path = tmp_path / "m.apexmem"
    path.replace(path.with_name("m.apexmem.under-old-key"))
    with Workspace(path, models_dir=tmp_path) as ws:
        assert holds(ws)
