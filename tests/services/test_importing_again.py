"""An import is read again with another date order; a wrong file changes nothing."""

from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import CancelledError, DiskFullError, UserError
from apexmem_desktop.domain.progress import CancelToken, ignore_progress
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.services import browsing, importing, importing_again, maintenance
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import going_back

LINES = "03/04/2023, 10:00 - Ida: hello\n05/04/2023, 10:00 - Max: good morning, Ida\n"


def test_another_date_order_takes_the_place_of_the_first(tmp_path: Path) -> None:
    file = tmp_path / "WhatsApp Chat with Ida.txt"
    file.write_text(LINES, encoding="utf-8")
    other = tmp_path / "other.json"
    other.write_text("[]", encoding="utf-8")
    with Workspace(tmp_path / "m.apexmem", settings=Settings(zone="UTC")) as ws:
        importing.import_file(ws, file, ImportChoices(date_order="dmy"))
        [source] = browsing.sources(ws)
        with pytest.raises(UserError):
            importing_again.read_again(ws, source.id, other, ImportChoices())
        assert browsing.status(ws).turns == 2
        report = importing_again.read_again(ws, source.id, file, ImportChoices(date_order="mdy"))
        assert (report.turns_new, report.date_order) == (2, "mdy")
        [chat] = browsing.conversations(ws)
        assert chat.first_at_ms == 1_677_924_000_000  # 4 March 2023, 10:00
        assert [one.date_order for one in browsing.sources(ws)] == ["mdy"]


def test_where_the_second_import_fails_the_first_is_still_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "WhatsApp Chat with Ida.txt"
    file.write_text(LINES, encoding="utf-8")

    def no_room(*_: object) -> None:
        raise DiskFullError

    with Workspace(tmp_path / "m.apexmem", settings=Settings(zone="UTC")) as ws:
        importing.import_file(ws, file, ImportChoices(date_order="dmy"))
        before = browsing.sources(ws), browsing.conversations(ws)
        monkeypatch.setattr(importing_again, "import_file", no_room)
        with pytest.raises(DiskFullError):
            importing_again.read_again(ws, 1, file, ImportChoices(date_order="mdy"))
        assert (browsing.sources(ws), browsing.conversations(ws)) == before
        assert browsing.search(ws, "morning").turns
        assert all(check.ok for check in maintenance.verify(ws))
        monkeypatch.undo()
        importing_again.read_again(ws, 1, file, ImportChoices(date_order="mdy"))
        assert [one.date_order for one in browsing.sources(ws)] == ["mdy"]
    assert not list(tmp_path.glob("*.to-go-back-to"))


def test_a_cancel_while_it_is_brought_in_again_gives_back_what_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "WhatsApp Chat with Ida.txt"
    file.write_text(LINES, encoding="utf-8")
    token = CancelToken()
    erase = importing_again.erase

    def erase_and_cancel(*told: object) -> None:
        erase(*told)  # type: ignore[arg-type]
        token.cancel()

    monkeypatch.setattr(importing_again, "erase", erase_and_cancel)
    choices = ImportChoices(date_order="mdy")
    with Workspace(tmp_path / "m.apexmem", settings=Settings(zone="UTC")) as ws:
        importing.import_file(ws, file, ImportChoices(date_order="dmy"))
        with pytest.raises(CancelledError):
            importing_again.read_again(ws, 1, file, choices, ignore_progress, token)
        assert [one.date_order for one in browsing.sources(ws)] == ["dmy"]
        assert browsing.status(ws).turns == 2


def test_a_program_that_ends_meanwhile_finds_the_memory_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "WhatsApp Chat with Ida.txt"
    file.write_text(LINES, encoding="utf-8")
    path = tmp_path / "m.apexmem"
    with Workspace(path, settings=Settings(zone="UTC")) as ws:
        importing.import_file(ws, file, ImportChoices(date_order="dmy"))
        monkeypatch.setattr(going_back, "_go_back", lambda _vault: None)  # as if it were killed
        monkeypatch.setattr(importing_again, "import_file", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            importing_again.read_again(ws, 1, file, ImportChoices(date_order="mdy"))
        assert browsing.status(ws).turns == 0
    monkeypatch.undo()
    with Workspace(path, settings=Settings(zone="UTC")) as ws:
        assert [one.date_order for one in browsing.sources(ws)] == ["dmy"]
        assert browsing.status(ws).turns == 2
