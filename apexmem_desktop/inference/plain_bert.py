"""A BERT whose token vectors are averaged, in torch alone: the default embedder is one.

Loading sentence-transformers takes four seconds of processor time, most of it spent on parts that
no embedding needs. Of models of this one shape nothing but the weights and the tokenizer is loaded
here; the vectors are the same.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn.functional import (
    embedding,
    gelu,
    layer_norm,
    linear,
    scaled_dot_product_attention,
)

_WEIGHTS, _TOKENIZER = "model.safetensors", "tokenizer.json"
_PARTS = ["Transformer", "Pooling", "Normalize"]
# What the configuration has to say for the computation below to be the model's own.
_CONFIG = {"architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu"}
_POSITIONS = "absolute"
_POOLING = "pooling_mode_mean_tokens"


def is_plain_bert(path: Path) -> bool:
    """Whether the embedder in a folder is one of the shape that is computed here."""
    if not all((path / name).is_file() for name in (_WEIGHTS, _TOKENIZER)):
        return False
    try:
        parts = json.loads((path / "modules.json").read_text(encoding="utf-8"))
        config = _read(path, "config.json")
        sentence = _read(path, "sentence_bert_config.json")
        pooling = _read(path, "1_Pooling/config.json")
        # An embedder may want words before each text; sentence-transformers knows of these.
        prompts = _read(path, "config_sentence_transformers.json").get("prompts") or {}
        kinds = [part["type"].rsplit(".", 1)[-1] for part in parts]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
    pooled = [name for name, on in pooling.items() if name.startswith("pooling_mode") and on]
    return (
        kinds == _PARTS
        and all(config.get(name) == value for name, value in _CONFIG.items())
        and config.get("position_embedding_type", _POSITIONS) == _POSITIONS
        and pooled == [_POOLING]
        and isinstance(sentence.get("max_seq_length"), int)
        and not sentence.get("do_lower_case")
        and not any(prompts.values())
    )


def _read(path: Path, name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((path / name).read_text(encoding="utf-8"))
    return found


class PlainBert:
    """The model, loaded from its folder.

    Raises:
        OSError, ValueError, KeyError, RuntimeError: The folder holds something else.
    """

    def __init__(self, path: Path, *, dtype: torch.dtype) -> None:
        config = json.loads((path / "config.json").read_text(encoding="utf-8"))
        sentence = json.loads((path / "sentence_bert_config.json").read_text(encoding="utf-8"))
        self._heads: int = config["num_attention_heads"]
        self._layers: int = config["num_hidden_layers"]
        self._epsilon: float = config["layer_norm_eps"]
        loaded = load_file(path / _WEIGHTS)
        self._weights = {
            name: weight.to(dtype) for name, weight in loaded.items() if weight.is_floating_point()
        }
        self._tokenizer = Tokenizer.from_file(str(path / _TOKENIZER))
        most_tokens = min(sentence["max_seq_length"], config["max_position_embeddings"])
        self._tokenizer.enable_truncation(most_tokens)
        self._tokenizer.enable_padding(pad_id=config["pad_token_id"])

    def encode(self, texts: Sequence[str], batch_texts: int) -> torch.Tensor:
        """Give one vector a text, shape [texts, width]; not of unit length."""
        # Texts of one length together: a batch is as wide as its longest.
        order = sorted(range(len(texts)), key=lambda at: -len(texts[at]))
        found: list[torch.Tensor] = [torch.empty(0)] * len(texts)
        for start in range(0, len(order), batch_texts):
            part = order[start : start + batch_texts]
            vectors = self._mean([texts[at].strip() for at in part])
            for at, vector in zip(part, vectors, strict=True):
                found[at] = vector
        return torch.stack(found)

    def _mean(self, texts: list[str]) -> torch.Tensor:
        read = self._tokenizer.encode_batch(texts)
        tokens = torch.tensor([one.ids for one in read])
        there = torch.tensor([one.attention_mask for one in read], dtype=torch.bool)
        x = self._embed(tokens)
        for number in range(self._layers):
            x = self._layer(f"encoder.layer.{number}", x, there)
        weight = there.unsqueeze(-1).to(x.dtype)
        return (x * weight).sum(1) / weight.sum(1)

    def _embed(self, tokens: torch.Tensor) -> torch.Tensor:
        words, positions, kinds = (
            self._weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        x = embedding(tokens, words) + kinds[0] + positions[: tokens.shape[1]]
        return self._norm("embeddings.LayerNorm", x)

    def _layer(self, name: str, x: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """Compute one layer; `there` tells tokens from padding, shape [texts, tokens]."""
        query, key, value = (
            self._linear(f"{name}.attention.self.{part}", x)
            .unflatten(-1, (self._heads, -1))
            .transpose(1, 2)
            for part in ("query", "key", "value")
        )
        seen = scaled_dot_product_attention(query, key, value, attn_mask=there[:, None, None, :])
        seen = self._linear(f"{name}.attention.output.dense", seen.transpose(1, 2).flatten(-2))
        x = self._norm(f"{name}.attention.output.LayerNorm", seen + x)
        wide = gelu(self._linear(f"{name}.intermediate.dense", x))
        return self._norm(f"{name}.output.LayerNorm", self._linear(f"{name}.output.dense", wide) + x)

    def _linear(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return linear(x, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _norm(self, name: str, x: torch.Tensor) -> torch.Tensor:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return layer_norm(x, weight.shape, weight, bias, self._epsilon)
