"""Measuring a model without this program: what comes back, and what cannot be measured."""

from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import ModelMissingError
from apexmem_desktop.inference import bare
from apexmem_desktop.services import measuring
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace


def test_a_model_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match="nothing is not in"):
        bare.encoding_s(tmp_path / "nothing", ["a text"])


def test_a_model_that_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    (tmp_path / "damaged.gguf").write_bytes(b"GGUF and no more")
    with pytest.raises(ModelMissingError, match=r"damaged.gguf could not be measured: .*read it"):
        bare.evaluation_s(tmp_path / "damaged.gguf", 10)


def test_without_models_there_is_nothing_to_measure(tmp_path: Path) -> None:
    with (
        Workspace(tmp_path / "v.apexmem", settings=Settings()) as ws,
        pytest.raises(ModelMissingError),
    ):
        measuring.bare_encoding_s(ws, ["a text"])
    with (
        Workspace(tmp_path / "v.apexmem", settings=Settings()) as ws,
        pytest.raises(ModelMissingError),
    ):
        measuring.bare_evaluation_s(ws, 10)


@pytest.mark.live
def test_the_real_models_are_measured(tmp_path: Path) -> None:
    with Workspace(tmp_path / "v.apexmem", settings=Settings()) as ws:
        assert measuring.bare_evaluation_s(ws, bare.BATCH_TOKENS + 20) > 0  # two batches
        assert measuring.bare_encoding_s(ws, ["a text", "another"]) > 0


@pytest.mark.live
def test_a_host_tells_what_its_calls_took(tmp_path: Path) -> None:
    from apexmem_desktop.inference.requests import GenerateRequest, Message

    with Workspace(tmp_path / "v.apexmem", settings=Settings()) as ws:
        language = ws.language()
        before = language.spent
        (reply,) = language.generate(
            [GenerateRequest((Message("user", "Say yes."),), max_tokens=4)]
        )
        spent = language.spent.since(before)
    # The last token of a reply is not decoded: nothing comes after it.
    computed = reply.prompt_tokens - reply.reused_tokens + reply.output_tokens
    assert computed - 1 <= spent.decoded_tokens <= computed
    assert 0 < spent.decode_s < spent.waited_s
