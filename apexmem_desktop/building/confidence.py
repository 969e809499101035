"""How sure a fact is, by how it was read: measured shares, and the only place that sets them.

Each number is what was judged right of facts read so (docs/quality.md, "the graph, with views as
they were said", and its curve by `bench graph --verdicts`): 0.97 of 91 stored with 0.90, 0.90 of 39
with 0.85. They stay below what was measured, because a stranger judges harder than who wrote the
rules. Whoever changes a rule judges a sheet anew and changes the number here.
"""

BY_PATTERN = 0.9
BY_VIEW = 0.9
BY_CLAUSE = 0.85
# At most, of what "we" did where nobody says who else is meant.
BY_WE = 0.85
# What the model's "yes" is worth at most: a checker that is sure is still a small model.
BY_MODEL_AT_MOST = 0.85
# What the model proposed and nobody has checked yet; such a thing is never stored.
PROPOSED = 0.5


def of_checked(yes: float) -> float:
    """Give the confidence of what the model proposed, by its own share of "yes"."""
    return round(BY_MODEL_AT_MOST * yes, 3)
