"""Lessons side by side in one row of tokens, so that none is padded.

Within a lesson, what belongs to a question sees the turns before it and itself, no other question.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from lessons import Lesson

# Not a target: what the model is shown, not what it is to write.
SHOWN = -100


@dataclass(frozen=True, slots=True)
class Packed:
    """Several lessons as tensors.

    Attributes:
        tokens: All of them, one after another.
        positions: The place of each token in its own prompt.
        masks: What may be attended to, one square a lesson: 0 or minus infinity.
        targets: The token that is to come next; SHOWN where none is to be learned.
        replies: The number of the reply each token belongs to; -1 for turns.
    """

    tokens: torch.Tensor
    positions: torch.Tensor
    masks: list[torch.Tensor]
    targets: torch.Tensor
    replies: torch.Tensor


def pack(lessons: Sequence[Lesson]) -> Packed:
    """Put lessons side by side; replies are numbered through."""
    tokens: list[int] = []
    positions: list[int] = []
    targets: list[int] = []
    replies: list[int] = []
    masks: list[torch.Tensor] = []
    count = 0
    for lesson in lessons:
        prefix = len(lesson.prefix)
        owners = [-1] * prefix
        tokens += lesson.prefix
        positions += range(prefix)
        targets += [SHOWN] * prefix
        for prompt, reply in lesson.parts:
            row = [*prompt, *reply[:-1]]
            tokens += row
            positions += range(prefix, prefix + len(row))
            targets += [SHOWN] * (len(prompt) - 1) + reply
            owners += [count] * len(row)
            count += 1
        masks.append(_mask(torch.tensor(owners)))
        replies += owners
    return Packed(
        torch.tensor(tokens),
        torch.tensor(positions),
        masks,
        torch.tensor(targets),
        torch.tensor(replies),
    )


def _mask(owners: torch.Tensor) -> torch.Tensor:
    at = torch.arange(len(owners))
    earlier = at[None] <= at[:, None]
    seen = earlier & ((owners[None] == -1) | (owners[None] == owners[:, None]))
    return torch.zeros(seen.shape, dtype=torch.bfloat16).masked_fill(~seen, float("-inf"))
