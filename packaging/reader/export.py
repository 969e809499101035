"""Write what was learned as an adapter that llama.cpp takes in, named after the model's file.

python packaging/reader/export.py MODEL.gguf build/reader1.pt build/reader2.pt resources/adapters

Of several trainings, each begun from the one before, the mean of the weights is taken: it answers
better than either (docs/quality.md), as in stochastic weight averaging (Izmailov and others, 2018).
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from gguf import GGUFWriter

from apexmem_desktop.inference.adapters import NAMED_CHARS
from apexmem_desktop.inference.verified import recorded_sha256, sha256_of
from train import ALPHA


def export(trainings: Sequence[Path], target: Path) -> None:
    """Write the mean of what trainings learned as one adapter."""
    learned = [torch.load(one) for one in trainings]
    writer = GGUFWriter(target, "qwen2")
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", ALPHA)
    for name in learned[0]:
        for at, kind in enumerate(("lora_a", "lora_b")):
            mean = sum(one[name][at].float() for one in learned) / len(learned)
            writer.add_tensor(f"{name}.{kind}", mean.numpy().astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    """Export what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("learned", type=Path, nargs="+")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    sha256 = recorded_sha256(options.model) or sha256_of(options.model)
    options.folder.mkdir(parents=True, exist_ok=True)
    target = options.folder / f"reader-{sha256[:NAMED_CHARS]}.gguf"
    export(options.learned, target)
    print(target)


if __name__ == "__main__":
    main()
