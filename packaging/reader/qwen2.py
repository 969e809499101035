"""Qwen2 in plain torch, with the weights of llama.cpp's file, and LoRA on its last layers.

The weights are those that the program runs with, taken out of their four bits: so the adapter
learns to make up for what these lost, too.
"""

import math
from pathlib import Path

import numpy as np
import torch
from gguf import GGUFReader, ReaderTensor
from gguf.quants import dequantize
from torch.nn import functional

Angles = tuple[torch.Tensor, torch.Tensor]

LINEAR = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")


class Qwen2:
    """The model, one row of tokens at a time; only what LoRA adds is learned.

    Attributes:
        layers: How many it has.
        lora: For each weight by its name in the file: down to the rank, and up again.
    """

    def __init__(self, path: Path) -> None:
        reader = GGUFReader(path)
        self.layers = int(_field(reader, "block_count"))
        self.lora: dict[str, tuple[torch.nn.Parameter, torch.nn.Parameter]] = {}
        self._width = int(_field(reader, "embedding_length"))
        self._heads = int(_field(reader, "attention.head_count"))
        self._kv_heads = int(_field(reader, "attention.head_count_kv"))
        self._head_width = self._width // self._heads
        self._epsilon = _field(reader, "attention.layer_norm_rms_epsilon")
        self._base = _field(reader, "rope.freq_base")
        self._weights = {one.name: _weight(one) for one in reader.tensors}
        embedding = self._weights["token_embd.weight"]
        self._output = self._weights.get("output.weight", embedding)
        self._scale = 0.0

    def add_lora(self, first_layer: int, rank: int, alpha: float) -> None:
        """Let the layers from this one on learn; at first it changes nothing."""
        generator = torch.Generator().manual_seed(0)
        self._scale = alpha / rank
        for layer in range(first_layer, self.layers):
            for kind in LINEAR:
                name = f"blk.{layer}.{kind}.weight"
                wide_out, wide_in = self._weights[name].shape
                down = torch.randn(rank, wide_in, generator=generator) / math.sqrt(wide_in)
                self.lora[name] = (
                    torch.nn.Parameter(down),
                    torch.nn.Parameter(torch.zeros(wide_out, rank)),
                )

    def parameters(self) -> list[torch.nn.Parameter]:
        """Give all that is learned."""
        return [parameter for pair in self.lora.values() for parameter in pair]

    def save(self, path: Path) -> None:
        """Write what was learned."""
        learned = {n: (a.detach().half(), b.detach().half()) for n, (a, b) in self.lora.items()}
        torch.save(learned, path)

    def load(self, path: Path) -> None:
        """Go on from what was learned before."""
        for name, pair in torch.load(path).items():
            for parameter, saved in zip(self.lora[name], pair, strict=True):
                parameter.data.copy_(saved.float())

    def embed(self, tokens: torch.Tensor) -> torch.Tensor:
        """Look the tokens up."""
        return self._weights["token_embd.weight"][tokens]

    def angles(self, positions: torch.Tensor) -> Angles:
        """Give cosine and sine by which each position is turned."""
        steps = torch.arange(0, self._head_width, 2).float() / self._head_width
        turned = positions.float()[:, None] / (self._base**steps)[None]
        both = torch.cat([turned, turned], -1)
        return both.cos(), both.sin()

    def layer(
        self, number: int, x: torch.Tensor, masks: list[torch.Tensor], angles: Angles
    ) -> torch.Tensor:
        """Compute one layer."""
        block = f"blk.{number}."
        x = x + self._attend(block, self._norm(x, block + "attn_norm.weight"), masks, angles)
        y = self._norm(x, block + "ffn_norm.weight")
        gate = functional.silu(self._linear(y, block + "ffn_gate"))
        return x + self._linear(gate * self._linear(y, block + "ffn_up"), block + "ffn_down")

    def logits(self, x: torch.Tensor) -> torch.Tensor:
        """Give what comes next, for each of the rows given."""
        return functional.linear(self._norm(x, "output_norm.weight"), self._output).float()

    def _attend(
        self, block: str, x: torch.Tensor, masks: list[torch.Tensor], angles: Angles
    ) -> torch.Tensor:
        query = _turned(self._split(block + "attn_q", x, self._heads), angles)
        key = _turned(self._split(block + "attn_k", x, self._kv_heads), angles)
        value = self._split(block + "attn_v", x, self._kv_heads)
        shared = self._heads // self._kv_heads
        key, value = key.repeat_interleave(shared, 0), value.repeat_interleave(shared, 0)
        parts, at = [], 0
        for mask in masks:
            here = slice(at, at + len(mask))
            part = functional.scaled_dot_product_attention(
                query[None, :, here], key[None, :, here], value[None, :, here], attn_mask=mask
            )
            parts.append(part[0].transpose(0, 1))
            at += len(mask)
        together = torch.cat(parts).reshape(len(x), self._width)
        return self._linear(together, block + "attn_output")

    def _split(self, name: str, x: torch.Tensor, heads: int) -> torch.Tensor:
        return self._linear(x, name).view(len(x), heads, self._head_width).transpose(0, 1)

    def _linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = f"{name}.weight", self._weights.get(f"{name}.bias")
        y = functional.linear(x, self._weights[weight], None if bias is None else bias.to(x.dtype))
        if weight in self.lora:
            down, up = (one.to(x.dtype) for one in self.lora[weight])
            y = y + functional.linear(functional.linear(x, down), up) * self._scale
        return y

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        exact = x.float()
        mean = exact.pow(2).mean(-1, keepdim=True)
        return (exact * torch.rsqrt(mean + self._epsilon) * self._weights[name]).to(torch.bfloat16)


def _field(reader: GGUFReader, name: str) -> float:
    return float(reader.fields[f"qwen2.{name}"].parts[-1][0].item())


def _weight(tensor: ReaderTensor) -> torch.Tensor:
    data = np.ascontiguousarray(dequantize(tensor.data, tensor.tensor_type))
    exact = tensor.name.endswith(("norm.weight", ".bias"))
    return torch.from_numpy(data).to(torch.float32 if exact else torch.bfloat16)


def _turned(x: torch.Tensor, angles: Angles) -> torch.Tensor:
    cosine, sine = angles
    exact = x.float()
    first, second = exact.chunk(2, -1)
    return (exact * cosine + torch.cat([-second, first], -1) * sine).to(torch.bfloat16)
