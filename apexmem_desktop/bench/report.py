"""Sums scored answers up: by category, with intervals, and what they cost."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from apexmem_desktop.bench.cases import Question, Scored
from apexmem_desktop.bench.intervals import Estimate, mean, quantile, share
from apexmem_desktop.bench.provenance import Provenance
from apexmem_desktop.bench.scoring import recall_at
from apexmem_desktop.bench.vaults import added
from apexmem_desktop.domain.reports import BuildReport

RECALL_AT = (5, 10, 25)

TotalOf = Callable[[Question], str]
"""Names the total that an answerable question counts in."""


@dataclass(frozen=True, slots=True)
class Group:
    """What the answers of one system to one kind of question are worth.

    Attributes:
        score: Mean score; the bench says of what.
        date_right: Share of the dates asked for that were right.
        recall: By how many turns were looked at, the share of the evidence among them.
        abstained: Share of answers that declined. Right for questions without an answer.
    """

    name: str
    score: Estimate
    date_right: Estimate
    recall: Mapping[int, Estimate]
    abstained: Estimate

    def to_json(self) -> dict[str, Any]:
        """Give it as plain JSON values."""
        return {
            "name": self.name,
            "n": self.score.n,
            "score": self.score.to_json(),
            "date_right": self.date_right.to_json(),
            "recall": {str(at): one.to_json() for at, one in self.recall.items()},
            "abstained": self.abstained.to_json(),
        }


def answerable(_: Question) -> str:
    """Count all questions that have an answer in one total."""
    return "answerable"


def group(name: str, scored: Sequence[Scored], *, seed: int) -> Group:
    """Sum up these answers."""
    recall = {
        at: mean(
            [
                found
                for one in scored
                if not one.question.names_sessions
                and (found := recall_at(one.reply.found, one.question.evidence, at)) is not None
            ],
            seed=seed,
        )
        for at in RECALL_AT
    }
    return Group(
        name=name,
        score=mean([one.score for one in scored], seed=seed),
        date_right=share([one.date_right for one in scored if one.date_right is not None]),
        recall=recall,
        abstained=share([one.reply.abstained for one in scored]),
    )


def groups(
    scored: Sequence[Scored],
    categories: Mapping[str, str],
    *,
    seed: int,
    total_of: TotalOf,
) -> list[Group]:
    """Sum up by category, then all questions that have an answer."""
    found = []
    for key, name in categories.items():
        of_one = [one for one in scored if one.question.category == key]
        if of_one:
            found.append(group(name, of_one, seed=seed))
    with_answer = [one for one in scored if not one.question.declinable]
    for total in sorted({total_of(one.question) for one in with_answer}):
        of_one = [one for one in with_answer if total_of(one.question) == total]
        found.append(group(total, of_one, seed=seed))
    return found


def costs(scored: Sequence[Scored]) -> dict[str, Any]:
    """Tell what an answer costs: means, and of times the median and the 95th percentile."""
    n = max(1, len(scored))
    usages = [one.reply.usage for one in scored]
    seconds = [usage.ms_total / 1000 for usage in usages]
    first = [usage.ms_first_evidence / 1000 for usage in usages]
    words = [usage.ms_first_words / 1000 for usage in usages]
    return {
        "model_calls": round(sum(usage.model_calls for usage in usages) / n, 2),
        "prompt_tokens": round(sum(usage.prompt_tokens for usage in usages) / n),
        "output_tokens": round(sum(usage.output_tokens for usage in usages) / n, 1),
        "tool_calls": round(sum(len(one.reply.steps) for one in scored) / n, 2),
        "seconds_median": round(quantile(seconds, 0.5), 2),
        "seconds_p95": round(quantile(seconds, 0.95), 2),
        "first_evidence_seconds_median": round(quantile(first, 0.5), 3),
        "first_words_seconds_median": round(quantile(words, 0.5), 2),
        "first_words_seconds_p95": round(quantile(words, 0.95), 2),
        "sql": query_counts([one.reply.steps for one in scored]),
        "errors": sum(bool(one.reply.error) for one in scored),
    }


def query_counts(replies: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, int]:
    """Count the queries of GraphSQL: how many ran, and of the failed how many were mended.

    A failed query counts as mended where one of the same answer ran after it.
    """
    counts = {"queries": 0, "ran": 0, "failed": 0, "mended": 0}
    for steps in replies:
        failed = [bool(one["error"]) for one in steps if one["tool"] == "GraphSQL"]
        counts["queries"] += len(failed)
        counts["ran"] += failed.count(False)
        counts["failed"] += failed.count(True)
        counts["mended"] += sum(one and False in failed[at:] for at, one in enumerate(failed))
    return counts


def query_line(name: str, sql: Mapping[str, int]) -> list[str]:
    """Say how GraphSQL's queries went; nothing where none was made."""
    if not sql["queries"]:
        return []
    share = f"{sql['ran'] / sql['queries']:.0%}"
    mended = f", {sql['mended']} of {sql['failed']} failures mended" if sql["failed"] else ""
    return [f"{name}, GraphSQL: {sql['ran']} of {sql['queries']} queries ran ({share}){mended}."]


def build_costs(reports: Sequence[BuildReport]) -> dict[str, Any] | None:
    """Tell what reading the vaults cost, for a hundred turns; None when nothing was read."""
    total = BuildReport()
    for one in reports:
        total = added(total, one)
    hundreds = total.turns_read / 100  # those that the gate passed over are among them
    if not hundreds:
        return None
    return {
        "per_hundred_turns": {
            "model_calls": round(total.model_calls / hundreds, 1),
            "prompt_tokens": round(total.prompt_tokens / hundreds),
            "output_tokens": round(total.output_tokens / hundreds),
            "seconds": round(total.seconds / hundreds, 1),
        },
        "inside_llama": round(total.decode_s / total.seconds, 3) if total.seconds else 0.0,
        "tokens_per_s": round(total.decoded_tokens / total.decode_s, 1) if total.decode_s else 0.0,
        "total": asdict(total),
    }


def llama_lines(cost: Mapping[str, Any] | None, bare_tokens_per_s: float) -> list[str]:
    """Say how much of a build llama.cpp took, beside llama.cpp alone; [] where no model ran."""
    if not cost or not cost["tokens_per_s"]:
        return []
    ratio = cost["tokens_per_s"] / bare_tokens_per_s if bare_tokens_per_s else 0.0
    return [
        f"Inside llama.cpp: {cost['inside_llama']:.0%} of the building's wall time, at "
        f"{cost['tokens_per_s']:.0f} tokens/s; llama.cpp alone on as many tokens of plain prompts: "
        f"{bare_tokens_per_s:.0f} tokens/s ({ratio:.2f})."
    ]


def replay_lines(cost: Mapping[str, Any], replayed_s: float) -> list[str]:
    """Say how long a build waited for its model, beside llama.cpp alone on the same decodes."""
    total = cost["total"]
    tokens, waited_s = total["decoded_tokens"], total["waited_s"]
    if not waited_s or not replayed_s:
        return []
    return [
        f"The same {tokens:,} tokens, batch by batch with the same kept prefixes and replies: the "
        f"build's calls {tokens / waited_s:.1f} tokens/s, llama.cpp alone right after "
        f"{tokens / replayed_s:.1f} tokens/s; ratio {replayed_s / waited_s:.2f}."
    ]


def table(systems: Mapping[str, Sequence[Group]], *, score: str) -> list[str]:
    """Write the groups as a Markdown table."""
    heads = ["system", "questions", "n", f"{score} (95 %)", "date right", "recall@5", "@10", "@25",
             "abstained"]  # fmt: skip
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for system, found in systems.items():
        for one in found:
            cells = [system, one.name, str(one.score.n), one.score.spell(), one.date_right.spell()]
            cells += [f"{r.value:.2f}" if r.n else "—" for r in one.recall.values()]
            cells.append(one.abstained.spell())
            lines.append("| " + " | ".join(cells) + " |")
    return lines


def origin_lines(origin: Provenance) -> list[str]:
    """Say where the figures come from."""
    return [
        f"Commit {origin.commit or 'unknown'}, code {origin.code}, model {origin.model[:12]}; "
        f"{origin.machine}."
    ]


def cost_lines(name: str, cost: Mapping[str, Any]) -> list[str]:
    """Say what one system's answers cost, in one line."""
    return [
        f"{name}: {cost['model_calls']} model calls, {cost['prompt_tokens']} + "
        f"{cost['output_tokens']} tokens, {cost['tool_calls']} tool calls a question; "
        f"{cost['seconds_median']} s median, {cost['seconds_p95']} s at 95 %, "
        f"evidence after {cost['first_evidence_seconds_median']} s, first words after "
        f"{cost['first_words_seconds_median']} s median, {cost['first_words_seconds_p95']} s at "
        f"95 %; {cost['errors']} errors.",
        *query_line(name, cost["sql"]),
    ]


def build_lines(name: str, cost: Mapping[str, Any] | None) -> list[str]:
    """Say what reading cost, in one line; nothing when nothing was read."""
    if cost is None:
        return []
    per = cost["per_hundred_turns"]
    return [
        f"{name}, building: {per['seconds']} s, {per['model_calls']} model calls, "
        f"{per['prompt_tokens']} + {per['output_tokens']} tokens for a hundred turns."
    ]
