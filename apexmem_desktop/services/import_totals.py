"""What a file holds, counted while it is read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.services import people_told
from apexmem_desktop.services.import_spool import Batch
from apexmem_desktop.services.placing import Place
from apexmem_desktop.storage.sessions import SILENCE_MS

_MAX_SPEAKERS = 1000


@dataclass(slots=True)
class Totals:
    """Counts of a file, and what it tells of itself."""

    turns: int = 0
    sessions: int = 0
    first_at_ms: int | None = None
    last_at_ms: int | None = None
    offset_minutes: int = 0
    first_offset_minutes: int = 0
    speakers: dict[str, None] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)
    problems: list[ImportProblem] = field(default_factory=list)
    skipped: list[ImportProblem] = field(default_factory=list)
    erased: int = 0
    refused: int = 0
    owner: str = ""
    aliases: dict[tuple[str, str], None] = field(default_factory=dict)
    people: list[str] = field(default_factory=list)
    _said: list[tuple[int, int]] = field(default_factory=list)

    def note(self, places: Sequence[Place], file_name: str) -> None:
        """Take in what the memory says of the conversations: what must or will stay out."""
        refused = [place.problem for place in places if place.problem]
        self.problems += refused
        self.refused = sum(problem.turns for problem in refused)
        self.erased = sum(len(place.erased) for place in places)
        self.people += people_told.spell_called(place.called for place in places)
        if self.erased:
            what = (
                f"{self.erased} turns were erased from this memory and stay out; "
                "import it with --erased-too to bring them back"
            )
            self.problems.append(ImportProblem(file_name, what))

    def tell(self, told: ImportProblem) -> None:
        """Take in what could not be read, or was left out on purpose."""
        (self.skipped if told.expected else self.problems).append(told)

    def left_out(self) -> int:
        """Count what was read but is no turn, or must not become one."""
        return self.refused + sum(skip.turns for skip in self.skipped)

    def known(self, new: int) -> int:
        """Count the turns that the memory has already."""
        return self.turns - new - self.erased - self.refused

    def add(self, batch: Batch) -> None:
        """Count some turns of a conversation in."""
        self.turns += len(batch.texts)
        for speaker in dict.fromkeys(batch.speakers):
            if speaker and len(self.speakers) < _MAX_SPEAKERS:
                self.speakers.setdefault(speaker)
        times: Sequence[Any] = batch.said_at_ms
        offsets: Sequence[int] = batch.offsets
        if None in times:
            timed = [pair for pair in zip(times, offsets, strict=True) if pair[0] is not None]
            times, offsets = [at_ms for at_ms, _ in timed], [offset for _, offset in timed]
        if times:
            self._stretch(times, offsets)

    def end(self, title: str, turns: int) -> None:
        """Say that all turns of a conversation were counted in."""
        self.titles.append(title)
        # As storage will cut it: between long silences.
        silences = 0
        reached: int | None = None
        for first, last in sorted(self._said):
            silences += reached is not None and first - reached > SILENCE_MS
            reached = last if reached is None else max(reached, last)
        self.sessions += silences + 1 if turns else 0
        self._said = []

    def _stretch(self, times: Sequence[int], offsets: Sequence[int]) -> None:
        first, last = min(times), max(times)
        if self.first_at_ms is None or first < self.first_at_ms:
            self.first_at_ms = first
            self.first_offset_minutes = offsets[times.index(first)]
        if self.last_at_ms is None or last >= self.last_at_ms:
            self.last_at_ms = last
            self.offset_minutes = offsets[-1 - times[::-1].index(last)]
        ordered = sorted(times)
        cuts = [pair for pair in pairwise(ordered) if pair[1] - pair[0] > SILENCE_MS]
        begins = [first, *(after for _, after in cuts)]
        ends = [*(before for before, _ in cuts), last]
        self._said += zip(begins, ends, strict=True)
