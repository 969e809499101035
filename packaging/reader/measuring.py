"""What is measured on lessons that are kept out of training."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch

# Probability of "not told" from which on a question counts as declined.
DECLINED = 0.5


@dataclass(frozen=True, slots=True)
class Marks:
    """How well the kept lessons are read, given the right beginning of each reply.

    Attributes:
        exact: Share of the replies whose every token is the likeliest.
        auc: How often a question that is not told looks less told than one that is.
        told_declined: Share of the answerable questions that would be declined.
        untold_declined: Share of the others that would be.
    """

    exact: float
    auc: float
    told_declined: float
    untold_declined: float


def mark(scores: Iterable[tuple[torch.Tensor, torch.Tensor, torch.Tensor]], not_told: int) -> Marks:
    """Measure from logits, targets and numbers of replies.

    Args:
        not_told: The token that "not told" begins with.
    """
    exact: list[bool] = []
    shares: dict[bool, list[float]] = {True: [], False: []}
    for logits, targets, replies in scores:
        for number in range(int(replies.max()) + 1):
            here = (replies == number).nonzero()[:, 0]
            exact.append(bool((logits[here].argmax(-1) == targets[here]).all()))
            share = float(logits[here[0]].softmax(-1)[not_told])
            shares[int(targets[here[0]]) == not_told].append(share)
    return Marks(
        exact=_share(exact),
        auc=auc(shares[True], shares[False]),
        told_declined=_share([share > DECLINED for share in shares[False]]),
        untold_declined=_share([share > DECLINED for share in shares[True]]),
    )


def auc(above: list[float], below: list[float]) -> float:
    """Tell how often one of the first is larger than one of the second; ties count half."""
    wins = sum((a > b) + (a == b) / 2 for a in above for b in below)
    return wins / (len(above) * len(below) or 1)


def _share(found: list[bool]) -> float:
    return sum(found) / (len(found) or 1)
