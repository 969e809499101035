"""Backups by plan: made when due, few kept, and the user's own never touched."""

from dataclasses import replace
from pathlib import Path

from apexmem_desktop.services import backup_plan
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace, clock_ms

DAY_MS = 86_400_000


def test_without_a_folder_nothing_is_due(tmp_path: Path) -> None:
    with Workspace(tmp_path / "m.apexmem", settings=Settings()) as ws:
        assert not backup_plan.is_due(ws, ws.settings)


def test_it_is_due_after_its_days_and_keeps_a_few(tmp_path: Path) -> None:
    folder = tmp_path / "safe"
    settings = replace(Settings(), backup_folder=str(folder), backup_every_days=2, backups_kept=2)
    now = [clock_ms()]
    with Workspace(tmp_path / "m.apexmem", settings=settings, clock=lambda: now[0]) as ws:
        assert backup_plan.is_due(ws, settings)
        backup_plan.make(ws, settings)
        assert not backup_plan.is_due(ws, settings)
        (folder / "m.mine.apexmem").write_bytes(b"the user's own")
        made = []
        for _ in range(3):
            now[0] += 3 * DAY_MS
            assert backup_plan.is_due(ws, settings)
            made.append(Path(backup_plan.make(ws, settings).path).name)
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted([*made[1:], "m.mine.apexmem"])
