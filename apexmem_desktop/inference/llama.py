"""A thin, typed hand on llama.cpp: load, tokenise, decode. Runs in the child process only."""

import ctypes
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from apexmem_desktop.inference.journal import Journal

Logits = NDArray[np.float32]

FLASH_ATTENTION_ON = 1


class ModelUnreadableError(Exception):
    """llama.cpp could not load the file, or not make room for its cache."""


@dataclass(frozen=True, slots=True)
class Row:
    """One token to decode.

    Attributes:
        position: Place in its sequence, from 0.
        wants_logits: Whether the next token's logits are needed after it.
    """

    token: int
    position: int
    sequence: int
    wants_logits: bool


class Llama:
    """One model with one context, in which several sequences live in one unified cache.

    Attributes:
        cells: Tokens the cache holds, all sequences together.
        batch_tokens: Most rows of one `decode`.
        decode_s: Seconds spent inside llama_decode so far.
        decoded_tokens: Tokens it was given.
        journal: Keeps all that is asked of llama.cpp; None as long as nobody wants it.
    """

    def __init__(
        self,
        path: Path,
        *,
        cells: int,
        sequences: int,
        threads: int,
        batch_tokens: int,
        adapter: Path | None = None,
    ) -> None:
        llama_cpp.llama_backend_init()
        self._model = _load_model(path)
        self._adapter = _load_adapter(self._model, adapter) if adapter is not None else None
        self._context = _make_context(self._model, cells, sequences, threads, batch_tokens)
        vocab = llama_cpp.llama_model_get_vocab(self._model)
        if vocab is None:
            raise ModelUnreadableError("the model has no vocabulary")
        self._vocab = vocab
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._batch = llama_cpp.llama_batch_init(batch_tokens, 0, 1)
        self._pieces: dict[int, bytes] = {}
        self.vocab_size = int(llama_cpp.llama_vocab_n_tokens(self._vocab))
        self.cells = int(llama_cpp.llama_n_ctx(self._context))
        self.batch_tokens = batch_tokens
        self.decode_s = 0.0
        self.decoded_tokens = 0
        self.journal: Journal | None = None

    def adapt(self, on: bool) -> None:
        """Let the adapter take part in what is decoded from now on, or not.

        What was decoded with it and without it does not fit together in one sequence.
        """
        if self._adapter is None:
            if on:
                raise ValueError("there is no adapter for this model")
            return
        handles = (ctypes.c_void_p * 1)(ctypes.cast(self._adapter, ctypes.c_void_p))
        pointers = ctypes.cast(handles, ctypes.POINTER(llama_cpp.llama_adapter_lora_p_ctypes))
        scales = (ctypes.c_float * 1)(1.0)
        if llama_cpp.llama_set_adapters_lora(self._context, pointers, int(on), scales) != 0:
            raise RuntimeError("llama.cpp could not take the adapter in")

    @property
    def vocab(self) -> llama_cpp.llama_vocab_p:
        """The vocabulary's handle, for samplers."""
        return self._vocab

    def chat_template(self) -> str:
        """Give the file's own chat template, "" where it has none."""
        found = llama_cpp.llama_model_chat_template(self._model, None)
        return found.decode("utf-8", "replace") if found else ""

    def token_text(self, which: str) -> str:
        """Give the text of the "bos" or "eos" token, "" where there is none."""
        find = {"bos": llama_cpp.llama_vocab_bos, "eos": llama_cpp.llama_vocab_eos}[which]
        token = int(find(self._vocab))
        if token < 0:
            return ""
        found = llama_cpp.llama_vocab_get_text(self._vocab, token)
        return found.decode("utf-8", "replace") if found else ""

    @property
    def end_token(self) -> int:
        """The token that ends a reply."""
        turn_end = int(llama_cpp.llama_vocab_eot(self._vocab))
        return turn_end if turn_end >= 0 else int(llama_cpp.llama_vocab_eos(self._vocab))

    def adds_begin_token(self) -> bool:
        """Whether this model's prompts begin with its begin token."""
        return bool(llama_cpp.llama_vocab_get_add_bos(self._vocab))

    def begin_token(self) -> int:
        """Give the token that begins a prompt."""
        return int(llama_cpp.llama_vocab_bos(self._vocab))

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        """Split text into tokens; `special` reads control tokens written in it as such."""
        raw = text.encode("utf-8", "replace")
        room = len(raw) + 8
        tokens = (llama_cpp.llama_token * room)()
        count = llama_cpp.llama_tokenize(self._vocab, raw, len(raw), tokens, room, False, special)
        if count < 0:
            raise ValueError("the text could not be split into tokens")
        return list(tokens[:count])

    def piece(self, token: int) -> bytes:
        """Give the bytes a token stands for; control tokens stand for none."""
        known = self._pieces.get(token)
        if known is None:
            buffer = ctypes.create_string_buffer(256)
            length = llama_cpp.llama_token_to_piece(self._vocab, token, buffer, 256, 0, False)
            known = self._pieces[token] = buffer.raw[: max(length, 0)]
        return known

    def is_end(self, token: int) -> bool:
        """Whether the token ends a reply."""
        return bool(llama_cpp.llama_vocab_is_eog(self._vocab, token))

    def decode(self, rows: Sequence[Row]) -> None:
        """Run the rows through the model; `logits` then speaks of them."""
        if self.journal is not None:
            self.journal.decoded(rows)
        batch = self._batch
        batch.n_tokens = len(rows)
        for index, row in enumerate(rows):
            batch.token[index] = row.token
            batch.pos[index] = row.position
            batch.n_seq_id[index] = 1
            batch.seq_id[index][0] = row.sequence
            batch.logits[index] = row.wants_logits
        began = time.perf_counter()
        code = llama_cpp.llama_decode(self._context, batch)
        self.decode_s += time.perf_counter() - began
        self.decoded_tokens += len(rows)
        if code != 0:
            raise RuntimeError(f"llama_decode gave {code} for {len(rows)} tokens")

    def logits(self, row: int) -> Logits:
        """Give the next-token logits after a row of the last `decode`; valid until the next."""
        pointer = llama_cpp.llama_get_logits_ith(self._context, row)
        return np.ctypeslib.as_array(pointer, (self.vocab_size,))

    def share(self, source: int, target: int, length: int) -> None:
        """Let a sequence have the first tokens of another, without computing or copying them."""
        if self.journal is not None:
            self.journal.shared(source, target, length)
        llama_cpp.llama_memory_seq_cp(self._memory, source, target, 0, length)

    def truncate(self, sequence: int, length: int) -> None:
        """Forget what a sequence has from a position on."""
        if self.journal is not None:
            self.journal.truncated(sequence, length)
        llama_cpp.llama_memory_seq_rm(self._memory, sequence, length, -1)


def _load_model(path: Path) -> llama_cpp.llama_model_p:
    params = llama_cpp.llama_model_default_params()
    params.n_gpu_layers = 0
    params.use_extra_bufts = not _is_x86()
    model = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
    if model is None:
        raise ModelUnreadableError("llama.cpp cannot read it as a model")
    return model


def _load_adapter(model: llama_cpp.llama_model_p, path: Path) -> llama_cpp.llama_adapter_lora_p:
    adapter = llama_cpp.llama_adapter_lora_init(model, str(path).encode())
    if adapter is None:
        raise ModelUnreadableError(f"its adapter {path.name} does not fit it")
    return adapter


def _is_x86() -> bool:
    """Whether to leave the weights as the file has them, instead of repacked for the processor.

    Measured on x86-64 with AVX-512: repacked, prompts ran at 104 tokens/s and 32 replies together
    at 60; as they are, 145 and 70, and loading takes no copy. Only a lone reply was slower, 28
    instead of 34. ARM has kernels that need the repacked form.
    """
    return platform.machine().lower() in {"x86_64", "amd64"}


def _make_context(
    model: llama_cpp.llama_model_p, cells: int, sequences: int, threads: int, batch_tokens: int
) -> llama_cpp.llama_context_p:
    params = llama_cpp.llama_context_default_params()
    params.n_ctx = cells
    params.n_batch = params.n_ubatch = batch_tokens
    params.n_seq_max = sequences
    params.n_threads = params.n_threads_batch = threads
    params.kv_unified = True
    # Flash attention passes over the cells of other sequences instead of multiplying them by 0.
    params.flash_attn_type = FLASH_ATTENTION_ON
    params.no_perf = True
    context = llama_cpp.llama_init_from_model(model, params)
    if context is None:
        raise ModelUnreadableError("there is not enough memory for its cache")
    return context
