"""How sure a fact is that was said more than once."""

# What a second saying leaves of the doubt. Not two proofs of which each could err by itself: the
# same rule may misread the same turn of phrase twice, so it is little (docs/quality.md).
_DOUBT_LEFT = 0.7


def said_again(best: float) -> float:
    """Give the confidence of what was said in several messages, by that of its surest reading.

    The view `v_facts` has the same formula (storage/steps/013_said_again.sql).
    """
    return round(1 - (1 - best) * _DOUBT_LEFT, 3)
