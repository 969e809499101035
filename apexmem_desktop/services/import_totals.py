"""What a file holds, counted while it is read."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import SILENCE_MS
from apexmem_desktop.services import people_told
from apexmem_desktop.services.import_batches import Brief
from apexmem_desktop.services.placing import Place

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

    def add(self, brief: Brief) -> None:
        """Count some turns of a conversation in."""
        self.turns += brief.turns
        for speaker in brief.speakers:
            if speaker and len(self.speakers) < _MAX_SPEAKERS:
                self.speakers.setdefault(speaker)
        self._said += brief.stretches
        first, last = brief.first, brief.last
        if first is not None and (self.first_at_ms is None or first[0] < self.first_at_ms):
            self.first_at_ms, self.first_offset_minutes = first
        if last is not None and (self.last_at_ms is None or last[0] >= self.last_at_ms):
            self.last_at_ms, self.offset_minutes = last

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
