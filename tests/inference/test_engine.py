"""How many requests share one cache, on a model that writes "ok" and ends."""

from collections.abc import Callable

import numpy as np
import pytest

from apexmem_desktop.inference.engine import Engine, PromptTooLongError
from apexmem_desktop.inference.llama import Logits, Row
from apexmem_desktop.inference.requests import GenerateRequest, Generation, Message

END = 256
REPLY = [*b"ok", END]


class TinyLlama:
    """One token a byte. Each sequence replies "ok"; the cache is counted as llama.cpp would."""

    def __init__(self, cells: int) -> None:
        self.cells = cells
        self.batch_tokens = 64
        self.vocab = None
        self.end_token = END
        self.decoded = 0
        self.fullest = 0
        self.adapted = False
        self.adapted_rows: list[bool] = []
        self._cells: dict[int, list[tuple[int, int]]] = {}
        self._rows: list[Row] = []
        self._replied: dict[int, int] = {}

    def chat_template(self) -> str:
        return ""

    def token_text(self, _: str) -> str:
        return ""

    def adds_begin_token(self) -> bool:
        return False

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        return list(text.encode())

    def piece(self, token: int) -> bytes:
        return bytes([token])

    def is_end(self, token: int) -> bool:
        return token == END

    def decode(self, rows: list[Row]) -> None:
        assert len(rows) <= self.batch_tokens
        for row in rows:
            held = self._cells.setdefault(row.sequence, [])
            assert len(held) == row.position
            held.append((self.decoded, row.token))
            self.adapted_rows.append(self.adapted)
            self.decoded += 1
        self._rows = rows
        self.fullest = max(
            self.fullest, len({cell for one in self._cells.values() for cell in one})
        )
        assert self.fullest <= self.cells

    def adapt(self, on: bool) -> None:
        self.adapted = on

    def logits(self, row: int) -> Logits:
        sequence = self._rows[row].sequence
        said = self._replied.get(sequence, 0)
        self._replied[sequence] = said + 1
        found = np.zeros(END + 1, dtype=np.float32)
        found[REPLY[said % len(REPLY)]] = 20.0
        return found

    def share(self, source: int, target: int, length: int) -> None:
        self._cells[target] = self._cells[source][:length]

    def truncate(self, sequence: int, length: int) -> None:
        self._cells[sequence] = self._cells.get(sequence, [])[:length]
        if length == 0:
            self._replied.pop(sequence, None)


def _engine(llama: TinyLlama, context_tokens: int) -> Engine:
    return Engine(llama, context_tokens=context_tokens, parallel=4, kept=2)  # type: ignore[arg-type]


def _never() -> bool:
    return False


def _request(rule: str, text: str = "?", **settings: object) -> GenerateRequest:
    messages = (Message("system", rule), Message("user", text))
    return GenerateRequest(messages, 1, **{"max_tokens": 8, **settings})  # type: ignore[arg-type]


def _run(
    engine: Engine, requests: list[GenerateRequest], cancelled: Callable[[], bool] = _never
) -> list[Generation]:
    return engine.generate(requests, on_text=lambda *_: None, cancelled=cancelled)


def test_more_requests_than_room_are_all_answered() -> None:
    llama = TinyLlama(cells=400)
    engine = _engine(llama, 300)
    requests = [_request(f"rule {number % 3} " + "x" * 60, "y" * number) for number in range(20)]
    found = _run(engine, requests)
    assert [one.text for one in found] == ["ok"] * 20
    assert {one.finish for one in found} == {"stop"}
    assert llama.fullest > 200


def test_a_prefix_is_decoded_once_for_all() -> None:
    llama = TinyLlama(cells=2000)
    engine = _engine(llama, 1000)
    found = _run(engine, [_request("x" * 200)] * 8)
    assert found[0].reused_tokens == 0
    assert all(one.reused_tokens > 200 for one in found[1:])
    assert llama.decoded < 2 * found[0].prompt_tokens + 8 * 60


def test_what_two_of_a_batch_begin_with_is_decoded_once_and_then_forgotten() -> None:
    llama = TinyLlama(cells=2000)
    engine = _engine(llama, 1000)
    asked = "the same turns " * 20
    first, second = _run(engine, [_request("x" * 100, f"{asked}{end}") for end in "ab"])
    assert first.text == second.text == "ok"
    assert llama.decoded < first.prompt_tokens + 100
    # The static part is kept for the next batch, and no more than that.
    (again,) = _run(engine, [_request("x" * 100, f"{asked}a")])
    assert 100 <= again.reused_tokens < 200


def test_what_is_shared_makes_room_where_it_is_needed() -> None:
    llama = TinyLlama(cells=500)
    requests = [_request("x" * 20, "y" * 120 + end) for end in "abc"]
    found = _run(_engine(llama, 400), [*requests, _request("z" * 20, "w" * 280)])
    assert [one.text for one in found] == ["ok"] * 4


def test_a_prompt_as_long_as_the_context_drives_old_prefixes_out() -> None:
    llama = TinyLlama(cells=400)
    engine = _engine(llama, 400)
    _run(engine, [_request("a" * 60), _request("b" * 60)])
    assert _run(engine, [_request("c" * 200, "d" * 80)])[0].text == "ok"


def test_one_too_long_refuses_the_batch_before_any_work() -> None:
    llama = TinyLlama(cells=400)
    with pytest.raises(PromptTooLongError, match="400"):
        _run(_engine(llama, 400), [_request("a"), _request("b" * 400)])
    assert llama.decoded == 0


def test_a_cancel_leaves_the_cache_usable() -> None:
    llama = TinyLlama(cells=400)
    engine = _engine(llama, 400)
    looks = iter([False, False, True])
    found = _run(engine, [_request("a" * 100)] * 9, lambda: next(looks, True))
    assert {one.finish for one in found} == {"cancelled"}
    assert [one.text for one in _run(engine, [_request("a" * 100)] * 9)] == ["ok"] * 9


def test_a_cancel_is_heard_before_the_next_token() -> None:
    """Whatever it was to write yet, nothing is decoded after the token that was told last."""
    llama = TinyLlama(cells=400)
    told: list[str] = []
    decoded: list[int] = []

    def hear(_: int, text: str) -> None:
        told.append(text)
        decoded.append(llama.decoded)

    found = _engine(llama, 400).generate(
        [_request("a")], on_text=hear, cancelled=lambda: bool(told)
    )
    assert (found[0].text, found[0].finish) == ("o", "cancelled")
    assert told == ["o"]
    assert decoded == [llama.decoded]


def test_a_cancel_is_heard_between_the_parts_of_a_long_prompt() -> None:
    llama = TinyLlama(cells=2000)
    found = _engine(llama, 1000).generate(
        [_request("a", "b" * 600)],
        on_text=lambda *_: None,
        cancelled=lambda: llama.decoded > llama.batch_tokens,
    )
    assert found[0].finish == "cancelled"
    assert llama.decoded <= 3 * llama.batch_tokens


def test_choices_are_scored_down_to_where_they_differ() -> None:
    llama = TinyLlama(cells=400)
    [found] = _run(_engine(llama, 400), [_request("a", choices=("ox", "ok", "no"))])
    assert sum(found.choice_probabilities.values()) == pytest.approx(1.0)
    assert found.text == "ok"
    assert found.choice_probabilities["ok"] > 0.99
    assert found.choice_mass == pytest.approx(1.0, abs=1e-3)


def test_what_the_adapter_answers_shares_nothing_with_the_rest() -> None:
    llama = TinyLlama(cells=2000)
    engine = _engine(llama, 1000)
    heard: list[tuple[int, str]] = []
    requests = [_request("x" * 100, "ab"[n % 2], adapted=n % 2 == 1) for n in range(4)]
    found = engine.generate(
        requests, on_text=lambda index, text: heard.append((index, text)), cancelled=_never
    )
    assert [one.text for one in found] == ["ok"] * 4
    assert {index for index, _ in heard} == {0, 1, 2, 3}
    # The same instructions are decoded once with it and once without it.
    assert [one.reused_tokens > 100 for one in found] == [False, False, True, True]
    assert sum(llama.adapted_rows) > 100
    assert len(llama.adapted_rows) - sum(llama.adapted_rows) > 100


def test_what_is_withheld_is_not_said_and_how_probable_it_was_is_told() -> None:
    engine = _engine(TinyLlama(cells=1000), 500)
    withheld, other, none = _run(
        engine, [_request("x", withheld="oh"), _request("x", withheld="no"), _request("x")]
    )
    assert withheld.withheld_probability == pytest.approx(1.0)
    assert not withheld.text.startswith("o")
    assert other.withheld_probability < 1e-6
    assert none.withheld_probability == 0.0
    assert other.text == none.text == "ok"
