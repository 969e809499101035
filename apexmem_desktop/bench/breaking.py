"""Breaks some of the agent's queries before they run, so that there is something to mend.

What is mended is counted only where something fails, and the grammar lets hardly any query fail.
These are the faults that a small model's free SQL has: five kinds, each equally often, by a seed.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from apexmem_desktop.domain.answers import Step

# A literal, so that nothing between quotes is taken for a name of SQL.
_LITERAL = r"'(?:[^']|'')*'"
_COLUMN = re.compile(
    rf"{_LITERAL}|\b(subject|property|value|valid_from|valid_to|from_precision|is_current|polarity"
    r"|modality|status|fact_id|said_at|speaker|quote|text|name|title|type)\b",
)
_SOURCE = re.compile(rf"{_LITERAL}|\b(?:FROM|JOIN)\s+(\w+)", re.IGNORECASE)
_BRACKET = re.compile(rf"{_LITERAL}|(\))")
_CALL = re.compile(rf"{_LITERAL}|\b(count|min|max|sum|avg|lower|days_between|months_between)\(")
_RESULT = re.compile(
    rf"{_LITERAL}|\bSELECT\s+(?:DISTINCT\s+)?((?:\w+\.)?\w+)(?=\s*(?:,|\bFROM\b))", re.IGNORECASE
)


def _last(pattern: re.Pattern[str], sql: str) -> re.Match[str] | None:
    found = [one for one in pattern.finditer(sql) if one.group(1)]
    return found[-1] if found else None


def _spoiled(pattern: re.Pattern[str], sql: str, change: Callable[[str], str]) -> str:
    """Change the last name that a pattern finds; "" where it finds none."""
    found = _last(pattern, sql)
    if found is None:
        return ""
    return sql[: found.start(1)] + change(found[1]) + sql[found.end(1) :]


def _break_column(sql: str) -> str:
    return _spoiled(_COLUMN, sql, lambda name: name[:-2] + name[-1] + name[-2])


def _break_view(sql: str) -> str:
    return _spoiled(_SOURCE, sql, lambda name: f"{name}_table")


def _break_quote(sql: str) -> str:
    before, found, after = sql.rpartition("'")
    return before + after if found else ""


def _break_bracket(sql: str) -> str:
    return _spoiled(_BRACKET, sql, lambda _: "")


def _break_function(sql: str) -> str:
    called = _spoiled(_CALL, sql, lambda name: f"{name}_of")
    return called or _spoiled(_RESULT, sql, lambda column: f"to_text({column})")


KINDS: Mapping[str, Callable[[str], str]] = {
    "column": _break_column,
    "view": _break_view,
    "quote": _break_quote,
    "bracket": _break_bracket,
    "function": _break_function,
}
"""How a query is broken: a misspelt column, a view that does not exist, a quote or a bracket left
out, a function that does not exist. Each gives "" where the query has nothing of its kind."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A query that was broken, as it ran."""

    kind: str
    sql: str


@dataclass
class Breaker:
    """Breaks a share of the queries, at most one a question: the mend runs as it was written.

    Attributes:
        percent: How many of a hundred queries, 0 to 100.
        seed: What is drawn, and in what order the kinds come.
        broken: The query of this question that was broken; None until one is.
    """

    percent: int
    seed: int
    broken: Broken | None = None
    _random: Random = field(default_factory=Random, init=False, compare=False)
    _made: Counter[str] = field(default_factory=Counter, init=False, compare=False)

    def next_question(self, question: str) -> None:
        """Begin a question. What is drawn depends on it and the seed, not on others' queries."""
        self.broken = None
        self._random = Random(f"{self.seed}:{question}")  # noqa: S311 - not for secrets

    def change(self, sql: str) -> str:
        """Give the query broken, or as it was written."""
        if self.broken is not None or self._random.randrange(100) >= self.percent:
            return sql
        # The kind made least often so far, so that each is seen in a small set of questions.
        for kind in sorted(KINDS, key=lambda one: (self._made[one], self._random.random())):
            made = KINDS[kind](sql)
            if made:
                self._made[kind] += 1
                self.broken = Broken(kind, made)
                return made
        return sql


@dataclass(frozen=True, slots=True)
class Mending:
    """What became of one broken query.

    Attributes:
        refused: Whether it failed, as it should.
        mended: Whether another query of the question ran after it.
        by_model: Whether the model was asked for this question. Where a query leaves no choice, the
            program writes it, and writes it again.
        right: Whether the question was answered right in the end, by whatever way.
    """

    kind: str
    refused: bool
    mended: bool
    by_model: bool
    right: bool


def read_mending(broken: Broken, steps: Sequence[Step], *, by_model: bool, right: bool) -> Mending:
    """Tell what became of a broken query from the steps of its question."""
    queries = [step for step in steps if step.tool == "GraphSQL"]
    at = next(n for n, step in enumerate(queries) if step.arguments == broken.sql)
    mended = any(not step.error for step in queries[at + 1 :])
    return Mending(broken.kind, bool(queries[at].error), mended, by_model, right)


def counts(mendings: Sequence[Mending]) -> dict[str, dict[str, int]]:
    """Count by kind, and all together."""
    kinds = {kind: [one for one in mendings if one.kind == kind] for kind in KINDS}
    return {name: _count(of) for name, of in {**kinds, "all": list(mendings)}.items()}


def _count(mendings: Sequence[Mending]) -> dict[str, int]:
    mended = [one for one in mendings if one.mended]
    return {
        "broken": len(mendings),
        "refused": sum(one.refused for one in mendings),
        "mended": len(mended),
        "mended_by_model": sum(one.by_model for one in mended),
        "right": sum(one.right for one in mendings),
        "right_mended": sum(one.right for one in mended),
    }


def lines(mendings: Sequence[Mending]) -> list[str]:
    """Say by kind what became of the broken queries, as a Markdown table; [] where none was."""
    if not mendings:
        return []
    found = [
        "| broken | n | refused | mended | with a model call | right | right of the mended |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, of in counts(mendings).items():
        found.append(f"| {name} | {' | '.join(map(str, of.values()))} |")
    return found
