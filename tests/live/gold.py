"""The questions on the sample exports, and whether an answer is right."""

import re
import tomllib
from dataclasses import dataclass

from apexmem_desktop.domain.answers import Answer, AskOptions
from apexmem_desktop.services import samples
from apexmem_desktop.services.dates import parse_date


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """One question with its hand-made answer; see the head of questions.toml."""

    question: str
    now: str
    must_abstain: bool
    evidence: tuple[str, ...]
    kind: str
    as_of: str = ""
    demo: bool = False
    may_abstain: bool = False
    any_of: tuple[str, ...] = ()
    all_of: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()

    @property
    def options(self) -> AskOptions:
        """How it is to be asked."""
        return AskOptions(
            now_ms=parse_date(self.now).end_ms(samples.ZONE),
            as_of_ms=parse_date(self.as_of).end_ms(samples.ZONE) if self.as_of else None,
            zone=samples.ZONE,
        )

    def is_right(self, answer: Answer) -> bool:
        """Tell whether an answer is right, or rightly declines."""
        if self.must_abstain or answer.abstained:
            return answer.abstained and (self.must_abstain or self.may_abstain)
        told = answer.answer
        return (
            (not self.any_of or any(_has(told, one) for one in self.any_of))
            and all(any(_has(told, one) for one in every.split("|")) for every in self.all_of)
            and not any(_has(told, one) for one in self.none_of)
        )


def read_questions() -> list[GoldQuestion]:
    """Read the questions that lie beside the samples."""
    file = samples.sample_files()[0].parent / "questions.toml"
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["question"]
    return [
        GoldQuestion(**{k: tuple(v) if isinstance(v, list) else v for k, v in entry.items()})
        for entry in entries
    ]


def _has(told: str, wanted: str) -> bool:
    """Whether it stands there: Latin words whole, in any case; other scripts anywhere."""
    told, wanted = told.casefold(), wanted.casefold()
    if not wanted.isascii():
        return wanted in told
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", told) is not None
