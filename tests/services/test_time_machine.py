"""Whatever is done to a memory, in any order: what was known stays, and what is so can be told.

A state machine imports, appends, corrects, rules, merges, splits, undoes, redoes and travels in
both times at random. After each step what was noted of each earlier moment is asked again.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from apexmem_desktop.domain.errors import RulingRefusedError
from apexmem_desktop.domain.graph import Fact, Modality, NewFact, Quote, ValueType
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, Validity
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.recall.holding import judge
from apexmem_desktop.services import browsing, importing, rulings
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, facts, properties, turns
from apexmem_desktop.storage.evidence import Again, append_again
from tests.recall.slow_reference import Told
from tests.services.remembering import Known, Ledger

DAY_MS = 86_400_000
FIRST_MS = 1_704_067_200_000  # 1 January 2024, when the chats begin
RECORDED_MS = 1_800_000_000_000  # the program's own clock, years later
EVERYTHING = 100_000
PEOPLE = ("Ana", "Anna", "Ben")
FIRMS = ("Lumo", "Lumo Ltd")
# name: topic, single, fixed, whether its value is an entity
PROPERTIES = {
    "lives_in": ("lives_in", True, False, False),
    "works_at": ("works_at", True, False, True),
    "likes": ("likes", False, False, False),
    "hates": ("likes", False, False, False),
    "visited": ("visited", False, False, False),
    "comes_from": ("comes_from", True, True, False),
}
SENSES = {Modality.ASSERTED: "world", Modality.NEGATED: "world", Modality.PLANNED: "plan"}
INSTANTS = tuple(FIRST_MS + half * DAY_MS // 2 for half in (-1, 9, 20, 33, 70))
Answers = dict[int, tuple[str, Bound | None, Bound, int]]

numbers = st.integers(0, 1000)
days = st.integers(0, 20)
stretches = st.none() | st.tuples(days, st.integers(0, 6))


@dataclass(frozen=True, slots=True)
class Saying:
    """A fact to append: what one of the messages says of somebody; dates count days."""

    turn: int
    subject: int
    property: str
    value: int
    start: tuple[int, int] | None
    end: tuple[int, int] | None
    polarity: bool
    modality: Modality


sayings = st.builds(
    Saying,
    turn=numbers,
    subject=st.sampled_from((0, 0, 0, 1, 1, 2)),
    property=st.sampled_from(("lives_in", "lives_in", "lives_in", *PROPERTIES)),
    value=st.integers(0, 1),
    start=stretches,
    end=st.none() | st.none() | stretches,
    polarity=st.sampled_from((True, True, False)),
    modality=st.sampled_from((*[Modality.ASSERTED] * 4, *SENSES, Modality.HYPOTHETICAL)),
)


class Remembering(RuleBasedStateMachine):
    """A memory, the ledger kept beside it, and what was noted of earlier moments."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="apexmem-"))
        self.now = RECORDED_MS
        self.ledger = Ledger()
        self.files: list[Path] = []
        self.turn_count = 0
        self.notes: list[tuple[int, list[Answers]]] = []
        self.ws = self.open()
        with self.ws.vault.write() as db:
            self.people, self.firms = (
                [
                    entities.append_entity(
                        db, name=name, type=kind, is_speaker=False, recorded_at_ms=self.now
                    )
                    for name in names
                ]
                for names, kind in ((PEOPLE, "person"), (FIRMS, "organization"))
            )

    def open(self) -> Workspace:
        chosen = Settings(zone="UTC")
        return Workspace(
            self.folder / "m.sqlite",
            models_dir=self.folder,
            settings=chosen,
            clock=lambda: self.now,
        )

    def tick(self) -> int:
        self.now += 1000
        return self.now

    # --- what can be done ---

    @rule(messages=st.lists(st.tuples(st.sampled_from(PEOPLE), days), min_size=1, max_size=4))
    def import_chat(self, messages: list[tuple[str, int]]) -> None:
        self.tick()
        number = len(self.files)
        lines = [
            f"{day + 1:02}/01/2024, 12:{index:02} - {who}: message {index} of chat {number}\n"
            for index, (who, day) in enumerate(sorted(messages, key=lambda one: one[1]))
        ]
        path = self.folder / f"WhatsApp Chat with {number}.txt"
        path.write_text("".join(lines), encoding="utf-8")
        self.files.append(path)
        report = self.imported(path)
        assert report.turns_new == len(messages)
        self.turn_count += len(messages)

    @precondition(lambda self: self.files)
    @rule(which=numbers)
    def import_again(self, which: int) -> None:
        self.tick()
        report = self.imported(self.files[which % len(self.files)])
        assert (report.turns_new, report.source_id) == (0, None)

    def imported(self, path: Path) -> Any:
        choices = ImportChoices(zone="UTC", date_order="dmy")
        return importing.import_file(self.ws, path, choices)

    @initialize(new=st.lists(sayings, min_size=3, max_size=6))
    def begin(self, new: list["Saying"]) -> None:
        """Nothing is found out of an empty memory: each run begins with a chat and some facts."""
        self.import_chat([("Ana", 3), ("Ben", 9), ("Ana", 16)])
        self.append_facts(new)

    @rule(new=st.lists(sayings, min_size=1, max_size=3))
    def append_facts(self, new: list["Saying"]) -> None:
        for saying in new:
            self.append_fact(saying)

    def append_fact(self, saying: "Saying") -> None:
        at_ms, name = self.tick(), saying.property
        topic, single, fixed, of_entity = PROPERTIES[name]
        firm = self.firms[saying.value] if of_entity else None
        spelt = (FIRMS if of_entity else ("Rome", "Oslo"))[saying.value]
        start, end = instants(saying.start), instants(saying.end)
        with self.ws.vault.write() as db:
            known = properties.ensure_property(
                db,
                name=name,
                value_type=ValueType.ENTITY if of_entity else ValueType.STRING,
                single_valued=single,
                recorded_at_ms=at_ms,
            )
            said = self.messages(db)[saying.turn % self.turn_count]
            assert said.said_at_ms is not None
            new = NewFact(
                subject_id=self.people[saying.subject],
                property_id=known.id,
                value=spelt,
                value_type=known.value_type,
                validity=Validity(bound(start) or unknown(said.said_at_ms), bound(end)),
                quotes=(Quote(said.id, 0, len(said.text), said.text),),
                confidence=0.8,
                polarity=saying.polarity,
                modality=saying.modality,
                value_entity_id=firm,
            )
            number = facts.append_fact(db, new, recorded_at_ms=at_ms)
        denied = not saying.polarity or saying.modality is Modality.NEGATED
        told = Told(
            id=number,
            subject=self.people[saying.subject],
            topic=topic,
            value=spelt,
            yes=denied if name == "hates" else not denied,
            sense=SENSES.get(saying.modality, str(saying.modality)),
            single=single,
            said=said.said_at_ms,
            start=start,
            end=end,
            fixed=fixed,
        )
        self.ledger.known.append(Known(told, at_ms, firm))

    @rule(which=numbers, turn=numbers)
    def say_again(self, which: int, turn: int) -> None:
        """A message is more proof of what is known; what was known before has no part in it."""
        at_ms, fact_id = self.tick(), self.pick(which)
        with self.ws.vault.write() as db:
            said = self.messages(db)[turn % self.turn_count]
            quote = Quote(said.id, 0, len(said.text), said.text)
            append_again(db, fact_id, Again(quote, 0.8), recorded_at_ms=at_ms)
        self.ledger.say_again(fact_id, said.said_at_ms, at_ms)

    def messages(self, db: Any) -> list[Any]:
        found = turns.find_turns(db, range(1, self.turn_count * 2 + 50))
        return [turn for turn in found if turn.text.startswith("message")]

    @precondition(lambda self: self.ledger.known)
    @rule(which=numbers, kind=st.sampled_from(["confirm", "reject", "prefer", "pin", "hide"]))
    def rule_on_a_fact(self, which: int, kind: str) -> None:
        at_ms, fact_id = self.tick(), self.pick(which)
        if self.did(lambda: getattr(rulings, kind)(self.ws, fact_id)):
            self.ledger.rule(fact_id, kind, at_ms)

    @precondition(lambda self: self.ledger.known)
    @rule(which=numbers, value=st.sampled_from(["Bern", "Rome", "Oslo"]))
    def correct(self, which: int, value: str) -> None:
        at_ms, fact_id = self.tick(), self.pick(which)
        if self.ledger.find(fact_id).value_entity is not None:
            return  # it would make an entity of its own
        made: list[Any] = []
        if self.did(lambda: made.append(rulings.correct(self.ws, fact_id, value))):
            self.ledger.correct(fact_id, made[0].changed.fact_ids[1], value, at_ms)

    def pick(self, which: int) -> int:
        return self.ledger.known[which % len(self.ledger.known)].told.id

    @rule(first=numbers, second=numbers, of_firms=st.sampled_from([False, False, True]))
    def merge(self, first: int, second: int, of_firms: bool) -> None:
        at_ms, group = self.tick(), self.firms if of_firms else self.people
        a, b = group[first % len(group)], group[second % len(group)]
        if self.did(lambda: rulings.merge(self.ws, a, b)):
            self.ledger.merge(a, b, at_ms)

    @rule(which=numbers)
    def split(self, which: int) -> None:
        at_ms, group = self.tick(), [*self.people, *self.firms]
        one = group[which % len(group)]
        if self.did(lambda: rulings.split(self.ws, one)):
            self.ledger.split(one, at_ms)

    @rule()
    def undo(self) -> None:
        at_ms = self.tick()
        assert self.did(lambda: rulings.undo(self.ws)) == bool(self.ledger.done)
        if self.ledger.done:
            self.ledger.undo(at_ms)

    @rule()
    def redo(self) -> None:
        at_ms = self.tick()
        assert self.did(lambda: rulings.redo(self.ws)) == bool(self.ledger.undone)
        if self.ledger.undone:
            self.ledger.redo(at_ms)

    def did(self, what: Callable[[], object]) -> bool:
        """Tell whether a ruling was made; one that is refused changes nothing."""
        try:
            what()
        except RulingRefusedError:
            return False
        return True

    @rule()
    def take_note(self) -> None:
        """Note what is known now; it must be told the same ever after."""
        self.notes.append((self.now, self.answers(self.now)))
        self.tick()

    @rule(at=st.sampled_from(INSTANTS), steps_back=st.integers(0, 8))
    def travel(self, at: int, steps_back: int) -> None:
        """Ask as a user does, of any time in the world and any time of knowing."""
        known = max(RECORDED_MS, self.now - 1000 * steps_back)
        expected = self.ledger.answers(at, known)
        told: dict[int, str] = {}
        for person in self.people:
            entity, found = browsing.facts_of(
                self.ws, str(person), as_of_ms=at, known_at_ms=known, history=True
            )
            assert all(f.subject_id == entity.id for f in found)
            told |= {f.id: str(f.status) for f in found}
        assert told == expected

    # --- what must hold after each of them ---

    @invariant()
    def saved_and_opened_again_it_tells_the_same(self) -> None:
        """All that follows asks the memory that was opened again, not what one had in mind."""
        before = self.answers(None)
        self.ws.close()
        self.ws = self.open()
        assert self.answers(None) == before

    @invariant()
    def what_was_known_has_not_changed(self) -> None:
        for known, noted in self.notes:
            assert self.answers(known) == noted

    @invariant()
    def what_is_told_is_what_follows_from_what_was_said(self) -> None:
        for at, told in zip(INSTANTS, self.answers(None), strict=True):
            assert statuses(told) == self.ledger.answers(at, self.now)
        for known, noted in self.notes[-1:]:
            for at, told in zip(INSTANTS, noted, strict=True):
                assert statuses(told) == self.ledger.answers(at, known)

    def answers(self, known_ms: int | None) -> list[Answers]:
        """Tell of each instant what each fact known by then is, and when it ended."""
        with self.ws.vault.read() as db:
            found = facts.find_facts(db, known_at_ms=known_ms, limit=EVERYTHING)
            ruled = facts.find_rulings(db, [f.id for f in found], known_at_ms=known_ms)
        return [self.judged(found, ruled, at) for at in INSTANTS]

    def judged(self, found: list[Fact], ruled: dict[int, str], at: int) -> Answers:
        told = judge(found, as_of_ms=at, rulings=ruled)
        return {f.id: (str(f.status), f.effective_to, f.valid_from, len(f.evidence)) for f in told}

    def teardown(self) -> None:
        self.ws.close()
        shutil.rmtree(self.folder)


def statuses(told: Answers) -> dict[int, str]:
    return {number: status for number, (status, *_) in told.items()}


def instants(stretch: tuple[int, int] | None) -> tuple[int, int] | None:
    if stretch is None:
        return None
    first, length = stretch
    return FIRST_MS + first * DAY_MS, FIRST_MS + (first + length) * DAY_MS


def bound(stretch: tuple[int, int] | None) -> Bound | None:
    return None if stretch is None else Bound(*stretch, Precision.DAY, TimeSource.STATED)


def unknown(said_ms: int) -> Bound:
    return Bound(None, said_ms, Precision.UNKNOWN, TimeSource.MESSAGE_TIME)


TestRemembering = Remembering.TestCase
TestRemembering.settings = settings(
    max_examples=100 if os.environ.get("APEXMEM_DEEP") else 12,
    stateful_step_count=40 if os.environ.get("APEXMEM_DEEP") else 20,
    suppress_health_check=list(HealthCheck),
    report_multiple_bugs=False,
)
