"""What the computer tells of itself."""

from pathlib import Path

import pytest

from apexmem_desktop.services import machine


def supply(folder: Path, name: str, kind: str, online: str = "") -> None:
    one = folder / name
    one.mkdir(parents=True)
    (one / "type").write_text(f"{kind}\n")
    if online:
        (one / "online").write_text(f"{online}\n")


@pytest.mark.parametrize(("online", "on_battery"), [("0", True), ("1", False)])
def test_a_laptop_runs_on_its_battery_unless_plugged_in(
    tmp_path: Path, online: str, on_battery: bool
) -> None:
    supply(tmp_path, "AC", "Mains", online)
    supply(tmp_path, "BAT0", "Battery")
    assert machine.look(power_dir=tmp_path).on_battery is on_battery


def test_without_a_battery_it_is_on_mains(tmp_path: Path) -> None:
    assert not machine.look(power_dir=tmp_path / "none").on_battery


def test_memory_is_read_where_it_is_told(tmp_path: Path) -> None:
    told = tmp_path / "meminfo"
    told.write_text("MemTotal:  8000 kB\nMemAvailable:  2000 kB\nHugePages_Total: 0\n")
    seen = machine.look(told, tmp_path)
    assert (seen.memory_bytes, seen.free_bytes) == (8000 * 1024, 2000 * 1024)
