"""The models with nothing of this program around them: what the benches hold its speed against.

Each measurement loads the model in a process of its own, with the settings that the program's own
child processes use, does the work once, and gives the seconds without the loading.
"""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from apexmem_desktop.domain.errors import ModelMissingError
from apexmem_desktop.inference.cores import physical_cores
from apexmem_desktop.inference.host import child_environment

# What llama.cpp takes at once unless told otherwise; its own bench measures prompts of this length.
BATCH_TOKENS = 512
_WARM_TEXTS, _WARM_TOKENS = 64, 32


def encoding_s(model_dir: Path, texts: Sequence[str]) -> float:
    """Time sentence-transformers' `encode` of all the texts at once.

    Raises:
        ModelMissingError: The model cannot be loaded.
    """
    return _measured("encode", model_dir, json.dumps(list(texts)))


def evaluation_s(model: Path, tokens: int) -> float:
    """Time llama.cpp's evaluation of so many tokens, as prompts of 512.

    Raises:
        ModelMissingError: The model cannot be loaded.
    """
    return _measured("evaluate", model, str(tokens))


def replay_s(model: Path, journal: Path, *, context_tokens: int) -> float:
    """Time llama.cpp alone on just what a journal says that it was made to compute.

    Raises:
        ModelMissingError: The model cannot be loaded.
    """
    return _measured("replay", model, json.dumps([str(journal), context_tokens]))


def _measured(what: str, path: Path, work: str) -> float:
    if not path.exists():
        raise ModelMissingError(
            f"{path.name} is not in {path.parent}.", hint="Fetch it with: apexmem models pull"
        )
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-P", "-m", "apexmem_desktop.inference.bare", what, str(path)],
        input=work, capture_output=True, encoding="utf-8", env=child_environment(), check=False,
    )  # fmt: skip
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise ModelMissingError(
            f"{path.name} could not be measured: {' '.join(last)}",
            hint="Check it with: apexmem models verify",
        )
    return float(done.stdout.split()[-1])


def _encode(path: Path, texts: list[str]) -> float:
    import torch
    from sentence_transformers import SentenceTransformer

    from apexmem_desktop.inference.sentence_service import BATCH_TEXTS, is_fast_in_bfloat16

    torch.set_num_threads(physical_cores())
    model = SentenceTransformer(
        str(path), device="cpu", local_files_only=True, trust_remote_code=False
    )
    if is_fast_in_bfloat16():
        model = model.bfloat16()
    options = {"batch_size": BATCH_TEXTS, "convert_to_tensor": True, "show_progress_bar": False}
    with torch.inference_mode():
        model.encode(texts[:_WARM_TEXTS], **options)
        began = time.perf_counter()
        model.encode(texts, **options)
        return time.perf_counter() - began


def _evaluate(path: Path, tokens: int) -> float:
    from apexmem_desktop.inference.llama import Llama, Row

    llama = Llama(
        path, cells=BATCH_TOKENS, sequences=1, threads=physical_cores(), batch_tokens=BATCH_TOKENS
    )
    said = llama.tokenize(
        "Which token it is changes nothing about how long it takes. ", special=False
    )
    rows = [Row(said[at % len(said)], at, 0, at == BATCH_TOKENS - 1) for at in range(BATCH_TOKENS)]
    llama.decode(rows[:_WARM_TOKENS])
    began = time.perf_counter()
    for start in range(0, tokens, BATCH_TOKENS):
        llama.truncate(0, 0)
        llama.decode(rows[: tokens - start])
    return time.perf_counter() - began


def _replay(path: Path, journal: Path, context_tokens: int) -> float:
    from apexmem_desktop.inference.journal import replay_s as computed_again_s
    from apexmem_desktop.inference.language_service import load

    llama = load(path, context_tokens=context_tokens, threads=physical_cores())
    return computed_again_s(llama, journal)


def main() -> None:
    """Measure one model; print the seconds."""
    what, path = sys.argv[1], Path(sys.argv[2])
    work = sys.stdin.read()
    if what == "replay":
        journal, context_tokens = json.loads(work)
        seconds = _replay(path, Path(journal), context_tokens)
    else:
        given = json.loads(work)
        seconds = _encode(path, given) if what == "encode" else _evaluate(path, int(given))
    print(seconds)  # noqa: T201 - to the process that started this one


if __name__ == "__main__":
    main()
