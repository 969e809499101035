"""Settings survive, and damage to them is told."""

from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.services.locations import default_vault_path, models_dir, settings_path
from apexmem_desktop.services.settings import Settings, load_settings, save_settings


def test_what_was_saved_is_loaded() -> None:
    settings = Settings(language_model='/models/a "b"\\c.gguf', zone="Asia/Tokyo", ui_language="zh")
    save_settings(settings)
    assert load_settings() == settings
    assert [path.name for path in settings_path().parent.iterdir()] == ["settings.toml"]


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "none.toml") == Settings()


def test_keys_of_another_version_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('zone = "Asia/Tokyo"\nfuture = 3\ntheme = 7\n', encoding="utf-8")
    assert load_settings(path) == Settings(zone="Asia/Tokyo")


@pytest.mark.parametrize("content", [b"zone = ", b"\xff\xfe"])
def test_a_damaged_file_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"settings\.toml"):
        load_settings(path)


def test_an_unwritable_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be saved"):
        save_settings(Settings(), tmp_path / "file" / "settings.toml")


def test_one_variable_moves_everything(profile: Path) -> None:
    for path in (default_vault_path(), settings_path(), models_dir()):
        assert path.is_relative_to(profile)


def test_the_models_may_be_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("APEXMEM_MODELS", str(tmp_path / "weights"))
    assert models_dir() == tmp_path / "weights"
