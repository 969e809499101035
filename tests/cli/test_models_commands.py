"""The commands `models …`, with small files in place of weights."""

from pathlib import Path

import pytest

from apexmem_desktop.services import models
from apexmem_desktop.services.settings import load_settings
from tests.cli.running import Run

KEYS = {"name", "file", "bytes", "sha256", "licence", "present", "verified", "in_use"}


def test_the_list_needs_no_memory_and_no_network(run: Run, vault: Path) -> None:
    listed = run("models", "list", "--json").json["models"]
    assert run("models", "--json").json["models"] == listed
    assert all(model.keys() >= KEYS for model in listed)
    assert not any(model["present"] for model in listed)
    assert {"language", "embedding"} <= {model["use"] for model in listed}
    assert not vault.exists()
    assert models.default_language_model() in run("models").out


def test_a_missing_file_does_not_verify(run: Run) -> None:
    ran = run("models", "verify", models.default_language_model())
    assert ran.status == 1
    assert "apexmem models pull" in ran.err


@pytest.mark.parametrize("command", ["pull", "verify", "use"])
def test_a_name_that_is_none_is_told(run: Run, command: str) -> None:
    ran = run("models", command, "no-such-model")
    assert ran.status == 1
    assert "no-such-model" in ran.err
    assert "Traceback" not in ran.err


def test_a_model_is_chosen_for_a_part_of_the_work(run: Run) -> None:
    listed = run("models", "--json").json["models"]
    other = next(m["name"] for m in listed if m["use"] == "language" and not m["in_use"])
    told = run("models", "use", other, "--for", "answering")
    assert f"In use for answering: {other}" in told.out
    after = {model["name"]: model["stages"] for model in run("models", "--json").json["models"]}
    assert after[other] == ["answering"]
    run("models", "use", "usual", "--for", "answering")
    assert load_settings().answering_model == ""


def test_a_damaged_file_is_told_before_it_is_loaded(imported: Run, profile: Path) -> None:
    listed = imported("models", "--json").json["models"]
    default = models.default_language_model()
    (entry,) = (model for model in listed if model["name"] == default)
    weights = profile / "models" / entry["file"]
    weights.parent.mkdir(parents=True)
    weights.write_bytes(b"GGUF but cut short")

    assert imported("models", "verify", default).status == 1
    ran = imported("ask", "Where does Ben live?", "--quiet")
    assert ran.status == 1
    assert "damaged" in ran.err
    assert f"apexmem models pull {default}" in ran.err


def test_pull_without_a_name_fetches_what_is_needed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pulled: list[str] = []
    monkeypatch.setattr(models, "pull_model", lambda name, *_: pulled.append(name))
    assert run("models", "pull").status == 0
    assert len(pulled) == 2
    assert pulled[0] == models.default_language_model()


def test_a_file_of_ones_own_can_be_used_and_must_be_one(imported: Run, tmp_path: Path) -> None:
    text = tmp_path / "mine.gguf"
    text.write_bytes(b"not weights")
    used = imported("models", "use", text)
    asked = imported("ask", "Where?", "--quiet")
    assert 1 in (used.status, asked.status)
    assert "GGUF" in used.err + asked.err


def test_an_embedder_of_ones_own_is_used_and_must_be_one(imported: Run, tmp_path: Path) -> None:
    folder = tmp_path / "embedder"
    folder.mkdir()
    refused = imported("models", "use", folder)
    assert refused.status == 1
    assert "no embedder" in refused.err
    (folder / "modules.json").write_text("[]", encoding="utf-8")
    used = imported("models", "use", folder)
    assert used.status == 0
    assert "indexes your messages anew" in used.out
    assert load_settings().embedder == str(folder)
    assert load_settings().language_model == ""


def test_an_embedder_of_the_list_is_no_language_model(imported: Run) -> None:
    used = imported("models", "use", "all-MiniLM-L6-v2", "--json")
    assert used.status == 0
    in_use = {one["name"] for one in used.json["models"] if one["in_use"]}
    assert "all-MiniLM-L6-v2" in in_use
    assert load_settings().embedder == "all-MiniLM-L6-v2"
    assert load_settings().language_model == ""
