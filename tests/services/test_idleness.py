"""When nobody uses the computer, and what it runs on, as each system tells it."""

from pathlib import Path

import pytest

from apexmem_desktop.services import idleness, power


def test_under_wayland_the_x_server_is_not_asked() -> None:
    told = {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}
    assert idleness.idle_ms(told) is None


def test_without_a_screen_nobody_tells() -> None:
    assert idleness.idle_ms({}) is None
    assert idleness.idle_ms({"DISPLAY": ":no-such-screen"}) is None


def test_windows_ticks_begin_anew() -> None:
    assert idleness.ticks_between(1000, 121_000) == 120_000
    assert idleness.ticks_between((1 << 32) - 500, 700) == 1200


@pytest.mark.parametrize(
    ("text", "battery"),
    [
        ("Now drawing from 'AC Power'\n", False),
        ("Now drawing from 'Battery Power'\n -InternalBattery-0 93%; discharging", True),
        ("", None),
    ],
)
def test_what_macos_says(text: str, battery: bool | None) -> None:
    assert power.read_pmset(text) is battery


@pytest.mark.parametrize(
    ("line", "flag", "battery"),
    [(0, 1, True), (1, 8, False), (1, 128, False), (0, 128, False), (255, 255, None)],
)
def test_what_windows_says(line: int, flag: int, battery: bool | None) -> None:
    assert power.read_status(line, flag) is battery


def supply(folder: Path, name: str, **told: str) -> None:
    (folder / name).mkdir(parents=True)
    for key, value in told.items():
        (folder / name / key).write_text(f"{value}\n")


def test_the_battery_of_a_mouse_is_not_the_computers(tmp_path: Path) -> None:
    supply(tmp_path, "hidpp_battery_0", type="Battery", scope="Device", online="1")
    assert power.read_supplies(tmp_path) is False


def test_a_laptop_that_charges_by_usb_is_on_mains(tmp_path: Path) -> None:
    supply(tmp_path, "BAT0", type="Battery", scope="System")
    supply(tmp_path, "ucsi", type="USB", online="0")
    assert power.read_supplies(tmp_path) is True
    (tmp_path / "ucsi" / "online").write_text("1\n")
    assert power.read_supplies(tmp_path) is False


def test_a_system_without_that_folder_does_not_tell(tmp_path: Path) -> None:
    assert power.read_supplies(tmp_path / "none") is None
