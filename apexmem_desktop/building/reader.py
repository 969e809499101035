"""Reads a batch of turns into the graph: gate, extract, ground, resolve, append.

No transaction is open while the model thinks: read, close, think, write. A batch is written whole
or not at all, so a kill between two batches loses only the thinking of one. A turn of which the
model gives nothing usable is kept as failed with the reason; what the rest of it told is stored.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from apexmem_desktop.building import checking, extraction, identity
from apexmem_desktop.building.appending import Appender
from apexmem_desktop.building.asking import Asked, Language, Outcome, ask_all
from apexmem_desktop.building.bad_replies import why_bad_choice
from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.deriving import with_consequences, with_given_name
from apexmem_desktop.building.dialogue import find_earlier
from apexmem_desktop.building.gate import Opening, find_openings, spare_model
from apexmem_desktop.building.grounding import why_ungrounded
from apexmem_desktop.building.identity import Embed, Identity
from apexmem_desktop.building.mentions import find_mentions
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.inference.prompts import load_prompt
from apexmem_desktop.storage import entities, jobs, rulings, runs, turns
from apexmem_desktop.storage.vault import Connection, Vault

READ_AGAIN = "another model read the message again and did not find it there"


@dataclass(slots=True)
class Tally:
    """What reading a batch gave and cost."""

    read: int = 0
    gated_out: int = 0
    failed: dict[str, int] = field(default_factory=dict)
    facts: list[int] = field(default_factory=list)
    outdated: list[int] = field(default_factory=list)
    dropped: dict[str, int] = field(default_factory=dict)
    events: int = 0
    entities: int = 0
    model_calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0


@dataclass(slots=True)
class _Read:
    """One turn on its way."""

    turn: Turn
    openings: tuple[Opening, ...]
    kept: list[Candidate] = field(default_factory=list)
    refused: list[tuple[Candidate, str]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def note(self, outcome: Outcome) -> None:
        """Keep why a question about this turn had no usable reply."""
        if outcome.failure:
            self.failures.append(outcome.failure)


@dataclass(frozen=True, slots=True)
class _Call:
    """One model call, to be noted in `runs`."""

    purpose: str
    turn_id: int
    reply: Generation
    schema_sha256: str
    sentence_start: int = -1  # of the sentence that it was about, where it was about one


class BatchReader:
    """Reads batches of turns with one model; another one may decide whom a near name means."""

    def __init__(
        self,
        vault: Vault,
        language: Language,
        *,
        now_ms: Callable[[], int],
        embed: Embed | None = None,
        resolver: Language | None = None,
    ) -> None:
        self._vault = vault
        self._language = language
        self._resolver = resolver or language
        self._now_ms = now_ms
        self._embed = embed

    def read(self, turn_ids: Sequence[int], *, cancel: CancelToken) -> Tally:
        """Read these turns and write what they tell; all of it or nothing."""
        with self._vault.read() as db:
            wanted = turns.find_turns(db, turn_ids)
            before = find_earlier(db, wanted)
            batch = [_read_by_rule(t, before[t.id]) for t in wanted]
        for one in batch:
            _read_patterns(one)
        calls = self._extract(batch, cancel) + self._check(batch, cancel)
        for one in batch:
            _ground(one)
        identities, asked = self._identify(batch, cancel)
        return self._write(batch, calls + asked, identities)

    def _identify(
        self, batch: Sequence[_Read], cancel: CancelToken
    ) -> tuple[dict[str, Identity], list[_Call]]:
        """Ask the model which new names are those of somebody or something known."""
        kept = [candidate for one in batch for candidate in one.kept]
        with self._vault.read() as db:
            doubts = identity.find_doubts(db, kept, self._embed)
        pairs = [(doubt, near) for doubt in doubts for near in doubt.near]
        asked = [_choice(identity.same_request(doubt, near)) for doubt, near in pairs]
        calls: list[_Call] = []
        outcomes = ask_all(self._resolver, asked, cancel)
        for (doubt, _), outcome in zip(pairs, outcomes, strict=True):
            calls += _calls(identity.PROMPT, doubt.turn_id, doubt.sentence_start, outcome)
        return identity.decide_all(pairs, outcomes), calls

    def _extract(self, batch: Sequence[_Read], cancel: CancelToken) -> list[_Call]:
        """Ask the model about each sentence that no pattern read."""
        open_ones = [(one, opening) for one in batch for opening in _unread(one)]
        asked = [_extraction(one.turn, opening) for one, opening in open_ones]
        calls: list[_Call] = []
        outcomes = ask_all(self._language, asked, cancel)
        for (one, opening), outcome in zip(open_ones, outcomes, strict=True):
            sentence = opening.sentence
            calls += _calls(extraction.PROMPT, one.turn.id, sentence.start, outcome)
            one.note(outcome)
            one.kept += _proposed(one.turn, opening, outcome)
        return calls

    def _check(self, batch: Sequence[_Read], cancel: CancelToken) -> list[_Call]:
        """Ask the model of each thing it proposed whether the words really say it."""
        pairs = [(one, candidate) for one in batch for candidate in _take_proposed(one)]
        asked = [_choice(checking.check_request(one.turn.speaker, c)) for one, c in pairs]
        calls: list[_Call] = []
        outcomes = ask_all(self._language, asked, cancel)
        for (one, candidate), outcome in zip(pairs, outcomes, strict=True):
            calls += _calls(checking.PROMPT, candidate.turn_id, candidate.sentence_start, outcome)
            one.note(outcome)
            if outcome.reply is None:
                one.refused.append((candidate, outcome.failure))
                continue
            said, unsaid = checking.weigh([candidate], [outcome.reply])
            one.kept += said
            one.refused += [(c, "the message does not say so") for c in unsaid]
        return calls

    def _write(
        self,
        batch: Sequence[_Read],
        calls: Sequence[_Call],
        identities: Mapping[str, Identity],
    ) -> Tally:
        now_ms = self._now_ms()
        tally = Tally()
        with self._vault.write() as db:
            before = entities.count_entities(db)
            run_ids = self._append_runs(db, calls, now_ms)
            appender = Appender(db, recorded_at_ms=now_ms, identities=identities)
            for one in batch:
                speaker_id = appender.speaker(one.turn)
                for candidate in one.kept:
                    told = _with_run(candidate, run_ids)
                    appender.append(one.turn, speaker_id, told)
                for candidate, reason in one.refused:
                    appender.drop(_with_run(candidate, run_ids), reason)
            tally.outdated = self._outdate(db, batch, appender.done.found_again, now_ms)
            known = entities.find_entities(db, limit=2000)
            entities.append_mentions(db, find_mentions((one.turn for one in batch), known))
            tally.failed = _close_jobs(db, batch, now_ms)
            tally.entities = entities.count_entities(db) - before
        tally.read = len(batch) - sum(tally.failed.values())
        tally.gated_out = sum(not one.openings for one in batch)
        tally.facts, tally.events = appender.done.facts, appender.done.events
        tally.dropped = appender.done.dropped
        tally.model_calls = len(calls)
        tally.prompt_tokens = sum(call.reply.prompt_tokens for call in calls)
        tally.output_tokens = sum(call.reply.output_tokens for call in calls)
        return tally

    def _outdate(
        self, db: Connection, batch: Sequence[_Read], found: set[int], now_ms: int
    ) -> list[int]:
        """Let what another model read of these turns, and this one did not find, give way.

        It stays stored with its proof. What the user has ruled on stays as ruled, and of a turn
        that failed nothing is known.
        """
        numbers = [one.turn.id for one in batch if not one.failures]
        earlier = runs.find_facts_of_others(db, numbers, self._language.model_id)
        ruled = rulings.find_rulings(db, earlier)
        outdated = [one for one in earlier if one not in found and one not in ruled]
        for number in outdated:
            rulings.append_outdated(db, number, READ_AGAIN, ruled_at_ms=now_ms)
        return outdated

    def _append_runs(
        self, db: Connection, calls: Sequence[_Call], now_ms: int
    ) -> dict[tuple[int, int], int]:
        """Note each call; return the run that proposed the facts of each sentence."""
        proposed: dict[tuple[int, int], int] = {}
        for call in calls:
            prompt = load_prompt(call.purpose)
            asked = self._resolver if call.purpose == identity.PROMPT else self._language
            number = runs.append_run(
                db,
                purpose=call.purpose,
                prompt_version=prompt.version,
                prompt_sha256=prompt.sha256,
                schema_sha256=call.schema_sha256,
                model_sha256=asked.model_id,
                turn_ids=[call.turn_id],
                output=call.reply.text or str(call.reply.choice_probabilities),
                prompt_tokens=call.reply.prompt_tokens,
                output_tokens=call.reply.output_tokens,
                ms=call.reply.ms,
                started_at_ms=now_ms,
            )
            if call.purpose == extraction.PROMPT:
                proposed[call.turn_id, call.sentence_start] = number
        return proposed


def _read_by_rule(turn: Turn, before: Sequence[Turn]) -> _Read:
    return _Read(turn, spare_model(turn, before, find_openings(turn, before)))


def _read_patterns(one: _Read) -> None:
    for opening in one.openings:
        one.kept += [with_given_name(one.turn, candidate) for candidate in opening.told]


def _take_proposed(one: _Read) -> list[Candidate]:
    """Take out what the model proposed; what its words do not carry is refused at once."""
    proposed = [candidate for candidate in one.kept if candidate.by == "model"]
    one.kept = [candidate for candidate in one.kept if candidate.by != "model"]
    standing = []
    for candidate in proposed:
        reason = why_ungrounded(one.turn, candidate)
        if reason:
            one.refused.append((candidate, reason))
        else:
            standing.append(candidate)
    return standing


def _with_run(candidate: Candidate, run_ids: dict[tuple[int, int], int]) -> Candidate:
    """Note which model call proposed a candidate; a pattern's has none."""
    if candidate.by != "model":
        return candidate
    return replace(candidate, run_id=run_ids.get((candidate.turn_id, candidate.sentence_start)))


def _unread(one: _Read) -> list[Opening]:
    """The sentences of which no rule has read what they may tell, and the model might."""
    return [
        opening
        for opening in one.openings
        if opening.asks and extraction.is_worth_asking(opening.sentence, opening.shapes)
    ]


def _ground(one: _Read) -> None:
    """Keep what its words carry, with what follows from it."""
    standing = []
    for candidate in one.kept:
        reason = why_ungrounded(one.turn, candidate)
        if reason:
            one.refused.append((candidate, reason))
        else:
            standing.append(candidate)
    one.kept = with_consequences(standing)


def _extraction(turn: Turn, opening: Opening) -> Asked:
    sentence, shapes = opening.sentence, opening.shapes
    return Asked(
        extraction.extract_request(turn, sentence, shapes),
        extraction.extract_request(
            turn,
            sentence,
            shapes,
            most_facts=extraction.NARROW_FACTS,
            most_units=extraction.NARROW_UNITS,
        ),
        lambda _, reply: extraction.why_bad(turn, sentence, reply),
    )


def _proposed(turn: Turn, opening: Opening, outcome: Outcome) -> list[Candidate]:
    """Read the usable reply, and the whole lines of one that was cut off before it."""
    readable = [one for one in outcome.replies if one is outcome.reply or one.finish == "length"]
    found = [
        candidate
        for reply in readable
        for candidate in extraction.read_reply(
            turn, opening.sentence, reply.text, cut_off=reply.finish != "stop"
        )
    ]
    return list({(one.who, one.property, one.value): one for one in found}.values())


def _choice(request: GenerateRequest) -> Asked:
    """Ask for a choice; nothing is narrower than one word of two, so it is asked alike again."""
    return Asked(request, request, why_bad_choice)


def _calls(purpose: str, turn_id: int, sentence_start: int, outcome: Outcome) -> list[_Call]:
    had = zip(outcome.replies, outcome.schemas, strict=True)
    return [_Call(purpose, turn_id, reply, schema, sentence_start) for reply, schema in had]


def _close_jobs(db: Connection, batch: Sequence[_Read], now_ms: int) -> dict[str, int]:
    """Note how each turn's reading went; return how many failed, by reason."""
    failed: dict[str, list[int]] = {}
    for one in batch:
        if one.failures:
            failed.setdefault(one.failures[0], []).append(one.turn.id)
    read = [one.turn.id for one in batch if one.openings and not one.failures]
    gated = [one.turn.id for one in batch if not one.openings]
    jobs.set_state(db, read, "read", now_ms=now_ms)
    jobs.set_state(db, gated, "gated", "nothing lasting in it", now_ms=now_ms)
    for reason, numbers in failed.items():
        jobs.set_state(db, numbers, "failed", reason, now_ms=now_ms)
    return {reason: len(numbers) for reason, numbers in failed.items()}
