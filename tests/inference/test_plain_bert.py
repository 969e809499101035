"""The embedder in torch alone, on a tiny model: held against torch's own encoder."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from torch.nn.functional import layer_norm

from apexmem_desktop.inference.plain_bert import PlainBert, is_plain_bert
from apexmem_desktop.inference.sentence_service import SentenceService
from apexmem_desktop.inference.serving import RefusedError

WIDTH, HEADS, WIDE, LAYERS, MOST_TOKENS = 8, 2, 16, 2, 6
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "ana", "likes", "chess", "tea", "and")
SENTENCE = "config_sentence_transformers.json"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    kinds = ("Transformer", "Pooling", "Normalize")
    parts = [{"type": f"sentence_transformers.models.{kind}"} for kind in kinds]
    (tmp_path / "1_Pooling").mkdir()
    written: dict[str, object] = {
        "modules.json": parts,
        "config.json": {
            "architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu",
            "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "layer_norm_eps": 1e-12,
            "max_position_embeddings": 16, "pad_token_id": 0,
        },
        "sentence_bert_config.json": {"max_seq_length": MOST_TOKENS, "do_lower_case": False},
        "1_Pooling/config.json": {"pooling_mode_cls_token": False,
                                  "pooling_mode_mean_tokens": True},
        SENTENCE: {},
    }  # fmt: skip
    for name, told in written.items():
        (tmp_path / name).write_text(json.dumps(told), encoding="utf-8")
    save_file(_weights(), tmp_path / "model.safetensors")
    _tokenizer().save(str(tmp_path / "tokenizer.json"))
    return tmp_path


def _weights() -> dict[str, torch.Tensor]:
    draw = torch.Generator().manual_seed(5)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (16, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    linear = {f"attention.self.{one}": (WIDTH, WIDTH) for one in ("query", "key", "value")}
    linear |= {"attention.output.dense": (WIDTH, WIDTH), "intermediate.dense": (WIDE, WIDTH),
               "output.dense": (WIDTH, WIDE)}  # fmt: skip
    norms = ["embeddings.LayerNorm"]
    for number in range(LAYERS):
        at = f"encoder.layer.{number}"
        for name, shape in linear.items():
            shapes |= {f"{at}.{name}.weight": shape, f"{at}.{name}.bias": shape[:1]}
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for name in norms:
        shapes |= {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}
    return {name: torch.randn(shape, generator=draw) for name, shape in shapes.items()}


def _tokenizer() -> Tokenizer:
    made = Tokenizer(WordPiece({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.enable_padding(length=12)  # what a tokenizer file may hold besides counts for nothing
    return made


def _by_torch(tokens: list[int]) -> torch.Tensor:
    """Compute one text's vector with torch's own encoder layers."""
    w = _weights()
    x = w["embeddings.word_embeddings.weight"][tokens]
    x = x + w["embeddings.position_embeddings.weight"][: len(tokens)]
    x = x + w["embeddings.token_type_embeddings.weight"][0]
    norm = "embeddings.LayerNorm"
    x = layer_norm(x, (WIDTH,), w[f"{norm}.weight"], w[f"{norm}.bias"], 1e-12)[None]
    for number in range(LAYERS):
        at = f"encoder.layer.{number}"
        layer = torch.nn.TransformerEncoderLayer(
            WIDTH, HEADS, WIDE, dropout=0.0, activation="gelu", layer_norm_eps=1e-12,
            batch_first=True,
        )  # fmt: skip
        names = {"self_attn.out_proj": "attention.output.dense", "linear1": "intermediate.dense",
                 "linear2": "output.dense", "norm1": "attention.output.LayerNorm",
                 "norm2": "output.LayerNorm"}  # fmt: skip
        state = {f"{ours}.{part}": w[f"{at}.{theirs}.{part}"]
                 for ours, theirs in names.items() for part in ("weight", "bias")}  # fmt: skip
        for part in ("weight", "bias"):
            three = [w[f"{at}.attention.self.{one}.{part}"] for one in ("query", "key", "value")]
            state[f"self_attn.in_proj_{part}"] = torch.cat(three)
        layer.load_state_dict(state)
        with torch.inference_mode():
            x = layer(x)
    return x[0].mean(0)


def test_it_computes_what_torchs_own_layers_do(model: Path) -> None:
    with torch.inference_mode():
        [found] = PlainBert(model, dtype=torch.float32).encode(["ana likes chess"], 32)
    torch.testing.assert_close(found, _by_torch([2, 4, 5, 6, 3]), atol=1e-5, rtol=1e-5)


def test_neither_order_nor_company_nor_padding_changes_a_vector(model: Path) -> None:
    texts = ["tea", "ana likes tea and", "", "  chess ", "ana and tea"]
    loaded = PlainBert(model, dtype=torch.float32)
    with torch.inference_mode():
        alone = torch.cat([loaded.encode([text], 1) for text in texts])
        torch.testing.assert_close(loaded.encode(texts, 32), alone, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(loaded.encode(texts, 2), alone, atol=1e-5, rtol=1e-5)
    assert len({tuple(one.tolist()) for one in alone}) == len(texts)


def test_of_a_long_text_the_beginning_counts(model: Path) -> None:
    loaded = PlainBert(model, dtype=torch.float32)
    with torch.inference_mode():
        long, short, other = loaded.encode(
            ["ana likes chess and tea tea tea", "ana likes chess and", "ana likes chess tea"], 32
        )
    torch.testing.assert_close(long, short)
    assert not torch.allclose(long, other)


def _without(name: str) -> Callable[[Path], None]:
    return lambda model: (model / name).unlink()


def _with(name: str, **told: Any) -> Callable[[Path], None]:
    def change(model: Path) -> None:
        file = model / name
        known = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(json.dumps({**known, **told}), encoding="utf-8")

    return change


def _as(name: str, text: str) -> Callable[[Path], None]:
    def change(model: Path) -> None:
        (model / name).write_text(text, encoding="utf-8")

    return change


@pytest.mark.parametrize(
    "change",
    [
        _without("model.safetensors"),
        _without("tokenizer.json"),
        _without("1_Pooling/config.json"),
        _with("config.json", model_type="roberta"),
        _with("config.json", hidden_act="relu"),
        _with("config.json", position_embedding_type="relative_key"),
        _with("1_Pooling/config.json", pooling_mode_max_tokens=True),
        _with("1_Pooling/config.json", pooling_mode_mean_tokens=False),
        _with("sentence_bert_config.json", do_lower_case=True),
        _with("sentence_bert_config.json", max_seq_length=None),
        _with(SENTENCE, prompts={"query": "search for: "}),
        _as("modules.json", '[{"type": "Transformer"}, {"type": "Dense"}, {"type": "Normalize"}]'),
        _as("modules.json", '{"no": "list"}'),
        _as("config.json", "not json"),
        _as("config.json", "[]"),
    ],
)
def test_any_other_shape_is_left_to_sentence_transformers(
    model: Path, change: Callable[[Path], None]
) -> None:
    assert is_plain_bert(model)
    change(model)
    assert not is_plain_bert(model)


def test_damaged_weights_are_told(model: Path) -> None:
    (model / "model.safetensors").write_bytes(b"nothing of the kind")
    with pytest.raises(RefusedError) as caught:
        SentenceService(model, threads=1)
    assert caught.value.kind == "unreadable"


def test_sentence_transformers_is_not_loaded_for_it(model: Path) -> None:
    code = (
        "import sys; from pathlib import Path; "
        "from apexmem_desktop.inference.sentence_service import SentenceService; "
        "made = SentenceService(Path(sys.argv[1]), threads=1); "
        "head, rows = made.handle({'texts': ['ana', 'tea']}, emit=print, cancelled=lambda: False); "
        "assert (head['rows'], head['width'], len(rows)) == (2, 8, 64), head; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(model)],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert not {"sentence_transformers", "transformers"} & set(done.stdout.split())
