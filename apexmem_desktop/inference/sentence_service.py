"""What the embedder child answers: texts to vectors."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

from apexmem_desktop.inference.frames import Frame
from apexmem_desktop.inference.serving import Emit, RefusedError

BATCH_TEXTS = 32
# Long texts first would make a batch as wide as its longest; a cancel is heard between these.
CHUNK_TEXTS = 256


class SentenceService:
    """One sentence-transformers model, loaded from a folder."""

    def __init__(self, path: Path, *, threads: int) -> None:
        logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
        torch.set_num_threads(threads)
        try:
            self._model = SentenceTransformer(
                str(path), device="cpu", local_files_only=True, trust_remote_code=False
            )
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise RefusedError("unreadable", f"{type(error).__name__}: {error}"[:300]) from error
        if is_fast_in_bfloat16():
            self._model = self._model.bfloat16()

    def handle(
        self, message: dict[str, Any], *, emit: Emit, cancelled: Callable[[], bool]
    ) -> Frame:
        """Answer "embed": float32 rows of unit length, as bytes behind the result."""
        texts: list[str] = message["texts"]
        parts: list[np.ndarray[Any, np.dtype[np.float32]]] = []
        for start in range(0, len(texts), CHUNK_TEXTS):
            if cancelled():
                raise RefusedError("cancelled", "cancelled")
            parts.append(self._embed(texts[start : start + CHUNK_TEXTS]))
        vectors = np.concatenate(parts)
        return {"rows": vectors.shape[0], "width": vectors.shape[1]}, vectors.tobytes()

    def _embed(self, texts: list[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        with torch.inference_mode():
            found = self._model.encode(
                texts, batch_size=BATCH_TEXTS, convert_to_tensor=True, show_progress_bar=False
            )
            # Normalised here: bfloat16 has three digits, too few for unit length.
            wide = torch.nn.functional.normalize(found.float(), dim=1)
        vectors: np.ndarray[Any, np.dtype[np.float32]] = wide.numpy()
        return np.ascontiguousarray(vectors, dtype=np.float32)


def is_fast_in_bfloat16() -> bool:
    """Whether this processor multiplies bfloat16 itself; others imitate it, slowly."""
    found = torch.backends.cpu.get_cpu_capability()
    has = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
    return found.startswith("AVX512") and has is not None and bool(has())
