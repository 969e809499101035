"""The embedder as the rest of the program sees it: texts in, unit vectors out.

It runs in a child process; nothing here imports torch.
"""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from apexmem_desktop.domain.errors import CancelledError, ModelMissingError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.host import ChildHost, ChildRefusedError, worker_command

WIDTH = 384


class EmbedderHost:
    """One sentence embedder in its own process, started at the first call.

    Attributes:
        path: The model's folder.
    """

    def __init__(self, model_dir: Path, *, threads: int = 0) -> None:
        self.path = Path(model_dir)
        self._host = ChildHost(worker_command("embedder", self.path, f"--threads={threads}"))

    @property
    def embedder_id(self) -> str:
        """What vectors are stored under: they compare only with those of the same embedder."""
        return f"{self.path.name}/{WIDTH}"

    @property
    def pid(self) -> int | None:
        """The child's process number; None while it is not running."""
        return self._host.pid

    def embed(
        self, texts: Sequence[str], *, cancel: CancelToken | None = None
    ) -> NDArray[np.float32]:
        """Give one unit vector a text, as an array of shape [texts, 384].

        Raises:
            CancelledError: It was cancelled; a cancel gives no vectors.
            ModelCrashedError: The child died; the next call starts a new one.
            ModelMissingError: The model's folder is missing or damaged.
        """
        if not texts:
            return np.empty((0, WIDTH), dtype=np.float32)
        result, payload = self._call({"op": "embed", "texts": list(texts)}, cancel)
        vectors = np.frombuffer(payload, dtype=np.float32)
        return vectors.reshape(result["rows"], result["width"]).copy()

    def close(self) -> None:
        """End the child process."""
        self._host.close()

    def __enter__(self) -> Self:
        """Give the host itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the child process."""
        self.close()

    def _call(
        self, message: dict[str, Any], cancel: CancelToken | None
    ) -> tuple[dict[str, Any], bytes]:
        if not (self.path / "modules.json").is_file():
            raise ModelMissingError(
                f"The embedder {self.path.name} is not in {self.path.parent}.",
                hint="Fetch it with: apexmem models pull all-MiniLM-L6-v2",
            )
        try:
            return self._host.call(message, cancel=cancel)
        except ChildRefusedError as error:
            if error.kind == "cancelled":
                raise CancelledError from error
            raise ModelMissingError(
                f"The embedder {self.path.name} does not work: {error}.",
                hint="Fetch it again with: apexmem models pull all-MiniLM-L6-v2",
            ) from error
