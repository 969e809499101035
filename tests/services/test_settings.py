"""Settings survive, and damage to them is told."""

from dataclasses import replace
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import NotFoundError, UserError
from apexmem_desktop.services import models
from apexmem_desktop.services.locations import default_vault_path, models_dir, settings_path
from apexmem_desktop.services.models import list_models
from apexmem_desktop.services.settings import Settings, load_settings, save_settings
from apexmem_desktop.services.workspace import Workspace


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


def test_a_stage_may_have_a_model_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    small, large = [one.name for one in list_models(Settings(), tmp_path) if one.use == "language"][
        :2
    ]
    models.use_model(small, file)
    kept = models.use_model(large, file, stage="answering")
    assert (kept.language_model, kept.model_for("answering")) == (small, large)
    assert (kept.model_for("extraction"), load_settings(file)) == ("", kept)
    by_name = {one.name: one for one in list_models(kept, tmp_path)}
    assert by_name[small].stages == ("extraction", "resolution")
    assert (by_name[large].stages, by_name[large].in_use) == (("answering",), True)
    kept = models.use_model(small, file, stage="answering")
    assert kept.model_for("answering") == ""  # no second process of the same model
    assert models.use_model("", file, stage="answering").answering_model == ""


def test_what_only_finds_reads_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="reads no language"):
        models.use_model(models.default_embedder(), tmp_path / "s.toml", stage="extraction")


def test_each_model_has_one_process_and_loses_it_when_it_is_not_named_any_more(
    tmp_path: Path,
) -> None:
    own, other = tmp_path / "own.gguf", tmp_path / "other.gguf"
    for file in (own, other):
        file.write_bytes(b"GGUF")
    settings = Settings(
        language_model=str(own), extraction_model=str(other), answering_model=str(other)
    )
    with Workspace(tmp_path / "m.apexmem", settings=settings) as ws:
        usual, reading = ws.language(), ws.language_for("extraction")
        assert reading is ws.language_for("answering")
        assert (usual.path, reading.path) == (own, other)
        assert ws.language_for("resolution") is usual
        ws.use_settings(replace(settings, extraction_model="", answering_model=""))
        assert ws.language_for("answering") is usual is ws.language()
        ws.use_settings(replace(settings, threads=3))
        assert ws.language() is not usual
        assert ws.language_for("extraction") is not reading
