"""Write what was learned as an adapter that llama.cpp takes in, named after the model's file.

python packaging/reader/export.py MODEL.gguf build/reader2.pt resources/adapters
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from gguf import GGUFWriter

from apexmem_desktop.inference.adapters import NAMED_CHARS
from apexmem_desktop.inference.verified import recorded_sha256, sha256_of
from train import ALPHA


def export(learned: Path, target: Path) -> None:
    """Write the adapter of a training's file."""
    writer = GGUFWriter(target, "qwen2")
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", ALPHA)
    for name, (down, up) in torch.load(learned).items():
        writer.add_tensor(f"{name}.lora_a", down.numpy().astype(np.float16))
        writer.add_tensor(f"{name}.lora_b", up.numpy().astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    """Export what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("learned", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    sha256 = recorded_sha256(options.model) or sha256_of(options.model)
    options.folder.mkdir(parents=True, exist_ok=True)
    target = options.folder / f"reader-{sha256[:NAMED_CHARS]}.gguf"
    export(options.learned, target)
    print(target)


if __name__ == "__main__":
    main()
