"""The real embedder in its real process."""

import os
import signal
from collections.abc import Iterator

import numpy as np
import pytest

from apexmem_desktop.domain.errors import CancelledError
from apexmem_desktop.domain.locations import catalog_path
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.catalogue import default_entry, load_catalogue, model_path
from apexmem_desktop.inference.embedder import EmbedderHost
from apexmem_desktop.services.locations import models_dir

MODEL = model_path(default_entry(load_catalogue(catalog_path()), "embedding"), models_dir())
pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not MODEL.is_dir(), reason="the embedder is not on this machine"),
]


@pytest.fixture(scope="module")
def embedder() -> Iterator[EmbedderHost]:
    with EmbedderHost(MODEL) as host:
        yield host


def test_near_in_meaning_is_near(embedder: EmbedderHost) -> None:
    vectors = embedder.embed(["I bought a dog.", "We have a new puppy.", "The rent went up.", ""])
    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1, 1], abs=1e-4)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


def test_order_does_not_depend_on_length(embedder: EmbedderHost) -> None:
    texts = ["short", "a much longer text about many things " * 9, "middle sized text here"]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert np.sum(together * alone, axis=1) == pytest.approx([1, 1, 1], abs=0.01)


def test_a_cancel_gives_nothing_and_a_kill_is_forgotten(embedder: EmbedderHost) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CancelledError):
        embedder.embed(["text"], cancel=cancel)
    embedder.embed(["text"])
    assert embedder.pid is not None
    os.kill(embedder.pid, signal.SIGKILL)
    while embedder.pid is not None:
        pass
    assert embedder.embed(["text"]).shape == (1, 384)
