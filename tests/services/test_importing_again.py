"""An import is read again with another date order; a wrong file changes nothing."""

from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.services import browsing, importing, importing_again
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace

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
