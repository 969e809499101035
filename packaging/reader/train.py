"""Trains the reading adapter for a model's file, in two rounds.

Only the upper half of the layers learns; what the lower half makes of a lesson is kept, so that
every epoch but the first costs half. For the commands see README.md here.
"""

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import torch

from lessons import Lesson, LessonWriter
from measuring import Marks, mark
from packed import SHOWN, pack
from qwen2 import Qwen2
from written import Block, files_of_round, read_blocks

FIRST_LAYER = 14
RANK = 16
ALPHA = 32.0
# Lessons of one step: about 2,500 tokens.
AT_ONCE = 3
HELD_OUT = 0.08
WARM_UP_STEPS = 10
MARKED_EACH = 30
TOLD_EACH = 5
THREADS = 2


@dataclass(frozen=True, slots=True)
class Round:
    """How one round is trained.

    Attributes:
        epochs: How often each lesson is seen.
        rate: The highest learning rate; it falls to 0 along a cosine.
        repeated: How many blocks of the round before are mixed in.
    """

    epochs: float
    rate: float
    repeated: int = 0


ROUNDS = {1: Round(epochs=1.5, rate=4e-4), 2: Round(epochs=0.85, rate=3e-4, repeated=56)}


class Trainer:
    """Holds the model and what its lower layers made of each lesson: these do not learn."""

    def __init__(self, model: Qwen2) -> None:
        self._model = model
        self._lower: dict[int, torch.Tensor] = {}

    def scores(self, lessons: Sequence[Lesson]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Give the logits where something is to be written, what it is, and of which reply."""
        packed = pack(lessons)
        x = torch.cat([self._lower_of(lesson) for lesson in lessons])
        angles = self._model.angles(packed.positions)
        for layer in range(FIRST_LAYER, self._model.layers):
            x = self._model.layer(layer, x, packed.masks, angles)
        wanted = packed.targets != SHOWN
        return self._model.logits(x[wanted]), packed.targets[wanted], packed.replies[wanted]

    def loss(self, lessons: Sequence[Lesson]) -> torch.Tensor:
        """Give the loss by reply: between that of a token and that of a whole reply.

        By token, long replies would be all that counts; by reply, "not told" would.
        """
        logits, targets, replies = self.scores(lessons)
        by_token = torch.nn.functional.cross_entropy(logits, targets, reduction="none")
        replies_here = int(replies.max()) + 1
        total = torch.zeros(replies_here).index_add(0, replies, by_token)
        length = torch.zeros(replies_here).index_add(0, replies, torch.ones_like(by_token))
        return (total / length.sqrt()).mean()

    def marks(self, lessons: Sequence[Lesson], not_told: int) -> Marks:
        """Measure what was learned, on lessons that are not trained."""
        with torch.no_grad():
            return mark((self.scores([lesson]) for lesson in lessons), not_told)

    def _lower_of(self, lesson: Lesson) -> torch.Tensor:
        if id(lesson) not in self._lower:
            packed = pack([lesson])
            with torch.no_grad():
                x = self._model.embed(packed.tokens)
                angles = self._model.angles(packed.positions)
                for layer in range(FIRST_LAYER):
                    x = self._model.layer(layer, x, packed.masks, angles)
            self._lower[id(lesson)] = x
        return self._lower[id(lesson)]


def blocks_of(number: int, rng: Random) -> list[Block]:
    """Give the blocks of a round, with some of the one before."""
    blocks = [block for path in files_of_round(number) for block in read_blocks(path)]
    repeated = ROUNDS[number].repeated
    if repeated:
        earlier = [block for path in files_of_round(number - 1) for block in read_blocks(path)]
        blocks += rng.sample(earlier, repeated)
    return blocks


def rate_at(step: int, steps: int, highest: float) -> float:
    """Give the learning rate: a short climb, then down along a cosine."""
    return (
        highest * min(1.0, (step + 1) / WARM_UP_STEPS) * (1 + math.cos(math.pi * step / steps)) / 2
    )


def train(
    model: Qwen2, lessons: list[Lesson], settings: Round, not_told: int, target: Path
) -> None:
    """Train one round, and write what was learned, now and then and at the end."""
    rng = Random(3)
    rng.shuffle(lessons)
    held_out = max(1, int(len(lessons) * HELD_OUT))
    kept, taught = lessons[:held_out], lessons[held_out:]
    trainer = Trainer(model)
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=settings.rate, weight_decay=0.01, betas=(0.9, 0.95)
    )
    steps = int(len(taught) * settings.epochs / AT_ONCE)
    started = time.monotonic()
    waiting: list[Lesson] = []
    for step in range(steps):
        if len(waiting) < AT_ONCE:
            waiting = rng.sample(taught, len(taught))
        loss = trainer.loss([waiting.pop() for _ in range(AT_ONCE)])
        optimiser.zero_grad()
        loss.backward()
        for group in optimiser.param_groups:
            group["lr"] = rate_at(step, steps, settings.rate)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        done = step + 1
        if done % TOLD_EACH == 0:
            print(f"{done}/{steps} loss {float(loss):.3f}, {time.monotonic() - started:.0f} s")
        if done % MARKED_EACH == 0 or done == steps:
            print(trainer.marks(kept, not_told))
            model.save(target)


def main() -> None:
    """Train the round that the command line names."""
    parser = argparse.ArgumentParser(description="Train one round.")
    parser.add_argument("round", type=int, choices=sorted(ROUNDS))
    parser.add_argument("model", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--begin", type=Path, default=None, help="what the round before wrote")
    options = parser.parse_args()
    torch.set_num_threads(THREADS)
    options.target.parent.mkdir(parents=True, exist_ok=True)
    writer = LessonWriter(options.model)
    rng = Random(7)
    lessons = writer.lessons(blocks_of(options.round, rng), rng)
    model = Qwen2(options.model)
    model.add_lora(FIRST_LAYER, RANK, ALPHA)
    if options.begin is not None:
        model.load(options.begin)
    print(f"{len(lessons)} lessons")
    not_told = writer.first_token("not told")
    train(model, lessons, ROUNDS[options.round], not_told, options.target)


if __name__ == "__main__":
    main()
