"""What the language host says before and without a model; and the stand-ins for it."""

from pathlib import Path

import numpy as np
import pytest

from apexmem_desktop.domain.errors import ModelCrashedError, ModelMissingError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.embedder import EmbedderHost
from apexmem_desktop.inference.language import GenerateRequest, LanguageHost, Message
from apexmem_desktop.inference.verified import record_sha256
from tests.fakes import HashEmbedder, ScriptedLanguage

REQUEST = GenerateRequest((Message("user", "hello"),))


def test_a_missing_model_is_told_and_starts_nothing(tmp_path: Path) -> None:
    host = LanguageHost(tmp_path / "none.gguf")
    with pytest.raises(ModelMissingError) as caught:
        host.generate([REQUEST])
    assert "none.gguf" in caught.value.message
    assert "apexmem models pull" in caught.value.hint
    assert host.pid is None


def test_a_file_that_is_no_model_is_told(tmp_path: Path) -> None:
    path = tmp_path / "damaged.gguf"
    path.write_bytes(b"GGUF but not really")
    with LanguageHost(path) as host:
        with pytest.raises(ModelMissingError, match="cannot be loaded"):
            host.generate([REQUEST])
        with pytest.raises(ModelMissingError, match="cannot be loaded"):
            host.count_tokens("again")


def test_a_missing_embedder_is_told(tmp_path: Path) -> None:
    host = EmbedderHost(tmp_path / "all-MiniLM-L6-v2")
    assert host.embedder_id == "all-MiniLM-L6-v2/384"
    assert host.embed([]).shape == (0, 384)
    with pytest.raises(ModelMissingError):
        host.embed(["text"])


def test_nothing_asked_is_nothing_answered(tmp_path: Path) -> None:
    assert LanguageHost(tmp_path / "none.gguf").generate([]) == []


def test_the_id_is_the_sum_once_it_is_known(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF")
    host = LanguageHost(path)
    assert host.model_id == "m.gguf"
    record_sha256(path, "ab" * 32)
    assert host.model_id == "ab" * 32


def test_a_request_survives_the_border() -> None:
    request = GenerateRequest(
        messages=(Message("system", "s"), Message("user", "ü 你")),
        static_messages=1,
        grammar="root ::= [a]",
        max_tokens=3,
        temperature=0.5,
        stop=("x",),
        choices=("a", "b"),
        answer_start="{",
    )
    assert GenerateRequest.from_json(request.to_json()) == request


def test_the_scripted_model_follows_its_script() -> None:
    host = ScriptedLanguage(["one", ModelCrashedError(), "yes"])
    shown: list[str] = []
    assert host.generate([REQUEST], on_text=lambda _, text: shown.append(text))[0].text == "one"
    assert shown == ["one"]
    with pytest.raises(ModelCrashedError):
        host.generate([REQUEST])
    chosen = host.generate([GenerateRequest(REQUEST.messages, choices=("yes", "no"))])[0]
    assert chosen.choice_probabilities == pytest.approx({"yes": 0.98, "no": 0.02})
    assert len(host.requests) == 3
    cancel = CancelToken()
    cancel.cancel()
    assert host.generate([REQUEST], cancel=cancel)[0].finish == "cancelled"
    with pytest.raises(AssertionError, match="no reply left"):
        host.generate([REQUEST])


def test_the_scripted_model_takes_a_function() -> None:
    host = ScriptedLanguage(lambda request: request.messages[-1].text.upper())
    assert [one.text for one in host.generate([REQUEST, REQUEST])] == ["HELLO", "HELLO"]


def test_hashed_vectors_are_near_where_words_are_shared() -> None:
    a, b, c = HashEmbedder().embed(["the red house", "the red car", "seven small goats"])
    assert np.linalg.norm(a) == pytest.approx(1.0, abs=1e-5)
    assert a @ b > a @ c
