"""The built graph against the gold of the sample exports: what is found, dated right, made up."""

import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from apexmem_desktop.bench.intervals import Estimate, share
from apexmem_desktop.bench.provenance import code_digest
from apexmem_desktop.bench.vaults import Shelf
from apexmem_desktop.domain.graph import Fact, Modality
from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.reports import BuildReport
from apexmem_desktop.services import browsing, samples
from apexmem_desktop.services.inspecting import every_fact

# Of an AI chat the gold calls the person who types "user", whatever the importer calls them.
_USER = "user"
_HALF_DAY_MS = 12 * 3_600_000  # the gold tells local days, the vault UTC


@dataclass(frozen=True, slots=True)
class GraphQuality:
    """What a build found of the gold.

    Attributes:
        recall: Share of the gold facts that are in the graph.
        precision: Share of the graph's facts that tell a gold fact. At least that many are right:
            the gold does not hold every true thing.
        dates: Of the found facts whose date the gold tells, how many have it.
        made_up: Of the places where the gold says that nothing is told, how many gave a fact.
        missed: The quotes of the gold facts that are not in the graph.
        misdated: Those of the gold facts that are there with another date.
        invented: The facts that were made from places where nothing is told.
        others: The facts that tell no gold fact; they may be true all the same.
    """

    recall: Estimate
    precision: Estimate
    dates: Estimate
    made_up: Estimate
    missed: tuple[str, ...]
    misdated: tuple[str, ...]
    invented: tuple[str, ...]
    others: tuple[str, ...]

    def lines(self) -> list[str]:
        """Write it for people."""
        return [
            f"Recall of gold facts: {self.recall.spell()}, n = {self.recall.n}",
            f"Precision, at least: {self.precision.spell()}, n = {self.precision.n}",
            f"Dates right: {self.dates.spell()}, n = {self.dates.n}",
            f"Facts from what tells none: {self.made_up.spell()}, n = {self.made_up.n}",
            *(f"missed: {quote}" for quote in self.missed),
            *(f"misdated: {quote}" for quote in self.misdated),
            *(f"made up: {fact}" for fact in self.invented),
            *(f"in no gold: {fact}" for fact in self.others),
        ]

    def to_json(self) -> dict[str, Any]:
        """Give it as plain JSON values."""
        return {
            "recall": self.recall.to_json(),
            "precision_at_least": self.precision.to_json(),
            "dates": self.dates.to_json(),
            "made_up": self.made_up.to_json(),
            "missed": list(self.missed),
            "misdated": list(self.misdated),
            "invented": list(self.invented),
            "in_no_gold": list(self.others),
        }


def measure_samples(shelf: Shelf) -> tuple[GraphQuality, BuildReport]:
    """Import and read the sample exports, and hold the graph against the gold."""
    path = shelf.folder / f"samples.{shelf.model[:12]}.{code_digest()}.apexmem"
    shelf.folder.mkdir(parents=True, exist_ok=True)
    with shelf.open_workspace(path, 8192) as ws:
        if not browsing.conversations(ws):
            samples.import_samples(ws, shelf.progress, shelf.cancel)
        report = shelf.read_all(ws, path.with_suffix(".json"))
        return hold_against(read_gold(), every_fact(ws)), report


def read_gold(file_part: str = "") -> list[dict[str, Any]]:
    """Read the gold of the samples whose file name has this part."""
    text = (resources_dir() / "samples" / "expected_facts.toml").read_text(encoding="utf-8")
    return [one for one in tomllib.loads(text)["sample"] if file_part in one["file"]]


def hold_against(gold: list[dict[str, Any]], stored: list[Fact]) -> GraphQuality:
    """Compare facts with the gold, sample by sample."""
    wanted = [fact for sample in gold for fact in sample["facts"]]
    nothing = [place for sample in gold for place in sample["not_facts"]]
    found = [(one, next((f for f in stored if _tells(f, one)), None)) for one in wanted]
    others = [fact for fact in stored if not any(_tells(fact, one) for one in wanted)]
    made_from = [[f for f in stored if _is_made_from(f, place)] for place in nothing]
    # The date of an appointment is the value itself and bounds nothing.
    dated = [
        (one, _dated_right(fact.valid_from, one["valid_from"]))
        for one, fact in found
        if fact is not None and one["valid_from"] and fact.property != "took_place_on"
    ]
    return GraphQuality(
        recall=share([fact is not None for _, fact in found]),
        precision=share([fact not in others for fact in stored]),
        dates=share([right for _, right in dated]),
        made_up=share([bool(made) for made in made_from]),
        missed=tuple(one["quote"] for one, fact in found if fact is None),
        misdated=tuple(one["quote"] for one, right in dated if not right),
        invented=tuple(_spelled(fact) for made in made_from for fact in made),
        others=tuple(map(_spelled, others)),
    )


def _spelled(fact: Fact) -> str:
    holds = "" if fact.polarity else "not "
    return (
        f"{fact.subject} {holds}{fact.property} {fact.value} [{fact.modality}, "
        f"{fact.confidence:.2f}] — {fact.evidence[0].quote!r}"
    )


def _tells(fact: Fact, gold: dict[str, Any]) -> bool:
    planned = (fact.modality is Modality.PLANNED) == (gold["modality"] == "planned")
    return (
        _is_from(fact, gold)
        and gold["value"].casefold() in fact.value.casefold()
        and _is_called(fact.subject, gold["subject"])
        and fact.polarity == gold["polarity"]
        and planned
    )


def _is_made_from(fact: Fact, place: dict[str, Any]) -> bool:
    return fact.modality is Modality.ASSERTED and _is_from(fact, place)


def _is_from(fact: Fact, gold: dict[str, Any]) -> bool:
    return any(
        _is_called(proof.speaker, gold["speaker"]) and _overlap(proof.quote, gold["quote"])
        for proof in fact.evidence
    )


def _is_called(name: str, gold: str) -> bool:
    if gold == _USER or gold in name.split():
        return True
    return name.casefold() == gold.casefold().removeprefix("the ")


def _overlap(quote: str, gold: str) -> bool:
    """Whether one stands in the other; white space does not count."""
    ours, theirs = ("".join(text.split()).casefold() for text in (quote, gold))
    return ours in theirs or theirs in ours


def _dated_right(start: Bound, gold: str) -> bool:
    """Whether the start may lie in the stretch that the gold tells."""
    if start.earliest_ms is None or start.latest_ms is None:
        return False
    first, last = (gold.split("/") * 2)[:2]
    begin, end = _stretch(first)[0], _stretch(last)[1]
    return start.earliest_ms <= end + _HALF_DAY_MS and start.latest_ms >= begin - _HALF_DAY_MS


def _stretch(written: str) -> tuple[int, int]:
    year, month, day = (int(part) for part in f"{written}-1-1".split("-")[:3])
    first = datetime(year, month, day, tzinfo=UTC)
    days = {3: 1, 2: 31, 1: 366}[written.count("-") + 1]
    last = first + timedelta(days=days)
    return round(first.timestamp() * 1000), round(last.timestamp() * 1000)
