"""Compares what a build stored with the gold beside the sample exports."""

import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from apexmem_desktop.domain.graph import Fact, Modality
from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.locations import resources_dir

# Of an AI chat the gold calls the person who types "user", whatever the importer calls them.
_USER = "user"


@dataclass
class Measured:
    """What was found of the gold, what was not, and what is in no gold."""

    found: list[tuple[dict[str, Any], Fact]] = field(default_factory=list)
    missed: list[dict[str, Any]] = field(default_factory=list)
    misdated: list[tuple[dict[str, Any], Fact]] = field(default_factory=list)
    made_up: list[tuple[dict[str, Any], Fact]] = field(default_factory=list)
    others: list[Fact] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """The share of gold facts that were stored."""
        return len(self.found) / (len(self.found) + len(self.missed))

    @property
    def least_precision(self) -> float:
        """The share of stored facts that match a gold fact; the rest may be true all the same."""
        matched = {fact.id for _, fact in self.found}
        return len(matched) / (len(matched) + len(self.others))

    def report(self) -> str:
        """Write it all out for somebody who improves the patterns."""
        lines = [
            f"recall {self.recall:.2f} ({len(self.found)} of {len(self.found) + len(self.missed)})",
            f"precision at least {self.least_precision:.2f} ({len(self.others)} others)",
            f"misdated {len(self.misdated)}, not_facts turned to facts {len(self.made_up)}",
        ]
        lines += [f"MISSED   {gold['property']}: {gold['quote']}" for gold in self.missed]
        lines += [
            f"MISDATED {gold['valid_from']} {_day(fact.valid_from)}: {gold['quote']}"
            for gold, fact in self.misdated
        ]
        lines += [f"MADE UP  {spell(fact)}" for _, fact in self.made_up]
        lines += [f"OTHER    {spell(fact)}" for fact in self.others]
        return "\n".join(lines)


def read_gold(file_part: str = "") -> list[dict[str, Any]]:
    """Read the gold of the samples whose file name has this part."""
    text = (resources_dir() / "samples" / "expected_facts.toml").read_text(encoding="utf-8")
    return [one for one in tomllib.loads(text)["sample"] if file_part in one["file"]]


def measure(samples: list[dict[str, Any]], stored: list[Fact]) -> Measured:
    """Hold stored facts against the gold."""
    result = Measured()
    for gold in (one for sample in samples for one in sample["facts"]):
        fact = next((one for one in stored if _tells(one, gold)), None)
        if fact is None:
            result.missed.append(gold)
            continue
        result.found.append((gold, fact))
        # The date of an appointment is the value itself and bounds nothing.
        dated_by_value = fact.property == "took_place_on"
        if not dated_by_value and not _dated_right(fact.valid_from, gold["valid_from"]):
            result.misdated.append((gold, fact))
    for gold in (one for sample in samples for one in sample["not_facts"]):
        result.made_up += [(gold, one) for one in stored if _is_made_from(one, gold)]
    known = {fact.id for _, fact in result.found}
    result.others = [one for one in stored if one.id not in known]
    return result


def spell(fact: Fact) -> str:
    """Write a fact on one line."""
    holds = "" if fact.polarity else "not "
    return (
        f"{fact.subject} {holds}{fact.property} {fact.value} [{fact.modality}, "
        f"{fact.confidence:.2f}] — {fact.evidence[0].quote!r}"
    )


def _tells(fact: Fact, gold: dict[str, Any]) -> bool:
    shown = fact.evidence[0]
    planned = (fact.modality is Modality.PLANNED) == (gold["modality"] == "planned")
    return (
        _is_speaker(shown.speaker, gold["speaker"])
        and _overlap(shown.quote, gold["quote"])
        and gold["value"].casefold() in fact.value.casefold()
        and _is_speaker(fact.subject, gold["subject"])
        and fact.polarity == gold["polarity"]
        and planned
    )


def _is_made_from(fact: Fact, gold: dict[str, Any]) -> bool:
    shown = fact.evidence[0]
    return (
        fact.modality is Modality.ASSERTED
        and _is_speaker(shown.speaker, gold["speaker"])
        and _overlap(shown.quote, gold["quote"])
    )


def _is_speaker(name: str, gold: str) -> bool:
    if gold == _USER or gold in name.split():
        return True
    return name.casefold() == gold.casefold().removeprefix("the ")


def _overlap(quote: str, gold: str) -> bool:
    """Whether one stands in the other; white space does not count."""
    ours, theirs = ("".join(text.split()).casefold() for text in (quote, gold))
    return ours in theirs or theirs in ours


def _dated_right(start: Bound, gold: str) -> bool:
    """Whether the start may lie in the stretch that the gold tells."""
    if not gold:
        return True
    if start.earliest_ms is None or start.latest_ms is None:
        return False
    first, last = (gold.split("/") * 2)[:2]
    begin, end = _bounds(first)[0], _bounds(last)[1]
    day_ms = 24 * 3_600_000  # the gold tells local days, the store UTC
    return start.earliest_ms <= end + day_ms // 2 and start.latest_ms >= begin - day_ms // 2


def _bounds(written: str) -> tuple[int, int]:
    year, month, day = (int(part) for part in f"{written}-1-1".split("-")[:3])
    first = datetime(year, month, day, tzinfo=UTC)
    parts = written.count("-") + 1
    length = {3: timedelta(days=1), 2: timedelta(days=31), 1: timedelta(days=366)}[parts]
    return round(first.timestamp() * 1000), round((first + length).timestamp() * 1000)


def _day(bound: Bound) -> str:
    if bound.earliest_ms is None:
        return "unknown"
    return datetime.fromtimestamp(bound.earliest_ms / 1000, UTC).date().isoformat()
