"""Trains the gate's score on chat of our own: `python -m apexmem_desktop.building.gate_training`.

It prints the bias and the weights for `resources/gate/weights.toml`. The threshold is not learned:
it is set so that 35 % of the turns of long chats are passed over.
"""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from apexmem_desktop.building.dialogue import WINDOW
from apexmem_desktop.building.gate import find_openings
from apexmem_desktop.building.noting import FEATURES, features
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.turn import Role, Turn, TurnKind

_LINE = re.compile(r"(?P<noted>[+-]) (?P<speaker>\w+): (?P<text>.+)")
_SAID_AT_MS = 1_718_186_400_000  # 12 June 2024
_SHRINKING = 40.0  # keeps the weights small: there are only some hundred turns
_STEPS = 3000

Floats = NDArray[np.float64]


def own_turns() -> tuple[Floats, Floats]:
    """Measure the turns of `resources/gate/turns.txt`; give features and whether each was noted."""
    rows, noted = [], []
    for one, before, is_noted in _read_chats():
        openings = find_openings(one, before)
        told = [candidate for opening in openings for candidate in opening.told]
        rows.append(features(one, before, told, opens=bool(openings)))
        noted.append(is_noted)
    return np.array(rows, dtype=np.float64), np.array(noted, dtype=np.float64)


def _read_chats() -> Iterator[tuple[Turn, tuple[Turn, ...], bool]]:
    text = (resources_dir() / "gate" / "turns.txt").read_text(encoding="utf-8")
    number = 0
    for session, chat in enumerate(text.split("\n\n"), 1):
        said: list[Turn] = []
        for match in _LINE.finditer(chat):
            number += 1
            turn = Turn(
                number, session, session, match["speaker"], Role.PERSON, TurnKind.MESSAGE,
                match["text"], _SAID_AT_MS, 0, number,
            )  # fmt: skip
            yield turn, tuple(said[-WINDOW:]), match["noted"] == "+"
            said.append(turn)


def fit(measured: Floats, noted: Floats) -> tuple[float, Floats]:
    """Fit logistic regression with small weights by gradient descent; give bias and weights."""
    mean, spread = measured.mean(axis=0), measured.std(axis=0) + 1e-9
    scaled = (measured - mean) / spread
    weights, bias = np.zeros(scaled.shape[1]), 0.0
    for _ in range(_STEPS):
        wrong = 1 / (1 + np.exp(-(scaled @ weights + bias))) - noted
        weights -= 0.1 * (scaled.T @ wrong + _SHRINKING * weights) / len(noted)
        bias -= 0.1 * float(wrong.mean())
    raw = weights / spread
    return bias - float(raw @ mean), raw


def main() -> None:
    """Print what belongs into `weights.toml`."""
    bias, weights = fit(*own_turns())
    lines = [f"bias = {bias:.3f}", "", "[weights]"]
    lines += [f"{name} = {weight:.3f}" for name, weight in zip(FEATURES, weights, strict=True)]
    print("\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    main()
