"""Measurements that need a process of their own, so that no other work counts into them."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink, ignore_progress

_ROOT = Path(__file__).resolve().parents[2]


def run_child(
    arguments: Sequence[str],
    *,
    variables: Mapping[str, str] | None = None,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> tuple[dict[str, Any], float]:
    """Run Python with these arguments until it prints one JSON object; give it and the seconds.

    Args:
        arguments: As "-m", a module, and its own.
        variables: Of the environment, beside those of this process.

    Raises:
        UserError: It ended without a result.
        CancelledError: The token was cancelled; the child is gone.
    """
    token = cancel or CancelToken()
    began = time.perf_counter()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        with _child(arguments, variables or {}, said.fileno()) as child:
            for line in child.stdout or ():
                token.check()
                message = json.loads(line)
                if "stage" not in message:
                    return message, time.perf_counter() - began
                progress(Progress(**message))
        token.check()  # Ctrl-C reaches the child too
        said.seek(0)
        last = said.read().strip().splitlines()[-1:]
    raise UserError(
        f"A measuring process ended without a result: {' '.join(last) or 'it said nothing'}.",
        hint="Try fewer messages with --messages.",
    )


@contextmanager
def _child(
    arguments: Sequence[str], variables: Mapping[str, str], errors: int
) -> Iterator[subprocess.Popen[str]]:
    known = os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join(filter(None, (str(_ROOT), known)))
    child = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-P", *arguments],
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", **variables},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, encoding="utf-8",
    )  # fmt: skip
    try:
        with child:
            try:
                yield child
                child.wait()
            except BaseException:
                child.kill()
                raise
    finally:
        child.kill()


def tell_progress(progress: Progress) -> None:
    """Tell the parent how far a measurement is."""
    tell(asdict(progress))


def tell(message: Mapping[str, Any]) -> None:
    """Give the parent a line of JSON."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()
