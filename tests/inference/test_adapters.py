"""An adapter goes with one file of a model, and reaches llama.cpp with it."""

import argparse
from pathlib import Path

import pytest

from apexmem_desktop.inference import adapters, language_service, worker
from apexmem_desktop.inference.adapters import reader_for
from apexmem_desktop.inference.host import worker_command
from apexmem_desktop.inference.language import LanguageHost
from apexmem_desktop.inference.verified import record_sha256

SHA256 = "0123456789ab" + "c" * 52


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF")
    return path


@pytest.fixture
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The adapter of the model whose sha256 is SHA256."""
    path = tmp_path / "resources" / "adapters" / "reader-0123456789ab.gguf"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"GGUF")
    monkeypatch.setattr(adapters, "resources_dir", lambda: tmp_path / "resources")
    return path


def test_a_file_that_was_never_verified_has_none(model: Path, adapter: Path) -> None:
    assert adapter.is_file()
    assert reader_for(model) is None
    assert not LanguageHost(model).is_taught


def test_another_model_has_none(model: Path, adapter: Path) -> None:
    record_sha256(model, "f" * 64)
    assert adapter.is_file()
    assert reader_for(model) is None


def test_the_file_it_was_trained_on_has_it(model: Path, adapter: Path) -> None:
    record_sha256(model, SHA256)
    assert reader_for(model) == adapter
    assert LanguageHost(model).is_taught


def test_a_file_that_changed_since_has_none(model: Path, adapter: Path) -> None:
    record_sha256(model, SHA256)
    model.write_bytes(b"GGUF and more")
    assert adapter.is_file()
    assert reader_for(model) is None


def test_without_the_adapters_file_there_is_none(model: Path, adapter: Path) -> None:
    record_sha256(model, SHA256)
    adapter.unlink()
    assert reader_for(model) is None


def test_the_child_is_told_of_it(
    model: Path, adapter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[object, ...]] = []

    def command(*arguments: object) -> list[str]:
        started.append(arguments)
        return worker_command("language", model)

    monkeypatch.setattr("apexmem_desktop.inference.language.worker_command", command)
    LanguageHost(model)
    record_sha256(model, SHA256)
    LanguageHost(model)
    without, with_it = started
    assert not any(str(one).startswith("--adapter") for one in without)
    assert f"--adapter={adapter}" in with_it


@pytest.mark.parametrize("path", [None, Path("some/reader.gguf")])
def test_the_child_gives_it_to_llama(
    model: Path, monkeypatch: pytest.MonkeyPatch, path: Path | None
) -> None:
    loaded: list[Path | None] = []

    def load(*_: object, adapter: Path | None = None, **__: object) -> None:
        loaded.append(adapter)
        raise LookupError

    monkeypatch.setattr(language_service, "Llama", load)
    options = argparse.Namespace(kind="language", path=model, context=512, threads=1, adapter=path)
    with pytest.raises(LookupError):
        worker._load(options)
    assert loaded == [path]
