"""The child process: `python -m apexmem_desktop.inference.worker language|embedder …`.

It reads frames from its standard input and answers on its standard output.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from apexmem_desktop.inference.cores import physical_cores
from apexmem_desktop.inference.frames import write_frame
from apexmem_desktop.inference.serving import RefusedError, Service, serve


def _private_output() -> BinaryIO:
    """Take the standard output for frames; what libraries print goes to the error output."""
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return target


def _load(options: argparse.Namespace) -> Service:
    threads = options.threads or physical_cores()
    if options.kind == "language":
        from apexmem_desktop.inference.language_service import LanguageService

        return LanguageService(
            options.path,
            context_tokens=options.context,
            threads=threads,
            adapter=options.adapter,
        )
    from apexmem_desktop.inference.sentence_service import SentenceService

    return SentenceService(options.path, threads=threads)


def main(arguments: Sequence[str] | None = None) -> int:
    """Load what was asked for and serve it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("language", "embedder"))
    parser.add_argument("path", type=Path)
    parser.add_argument("--context", type=int, default=8192)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--adapter", type=Path, default=None)
    options = parser.parse_args(arguments)
    # Ctrl+C reaches the whole group; the parent hears it too and cancels what is to be cancelled.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    target = _private_output()
    try:
        service = _load(options)
    except RefusedError as error:
        write_frame(target, {"fatal": str(error), "kind": error.kind})
        return 1
    serve(service, sys.stdin.buffer, target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
