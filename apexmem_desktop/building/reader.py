"""Reads a batch of turns into the graph: gate, extract, ground, resolve, append.

No transaction is open while the model thinks: read, close, think, write. A batch is written whole
or not at all, so a kill between two batches loses only the thinking of one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from apexmem_desktop.building import checking, extraction, identity
from apexmem_desktop.building.appending import Appender
from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.deriving import with_consequences, with_given_name
from apexmem_desktop.building.dialogue import find_earlier
from apexmem_desktop.building.gate import Opening, find_openings, spare_model
from apexmem_desktop.building.grounding import why_ungrounded
from apexmem_desktop.building.identity import Identity
from apexmem_desktop.building.mentions import find_mentions
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.inference.prompts import load_prompt
from apexmem_desktop.storage import entities, jobs, runs, turns
from apexmem_desktop.storage.vault import Connection, Vault

# Requests that the model reads side by side: on two cores 32 replies cost a third less than
# one by one.
MODEL_BATCH = 32


class Language(Protocol):
    """What the reader needs of a language model."""

    @property
    def model_id(self) -> str:
        """Identify the weights, for `runs`."""

    def generate(
        self, requests: Sequence[GenerateRequest], *, cancel: CancelToken | None = None
    ) -> list[Generation]:
        """Answer the requests, in their order."""


@dataclass(slots=True)
class Tally:
    """What reading a batch gave and cost."""

    read: int = 0
    gated_out: int = 0
    facts: list[int] = field(default_factory=list)
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


@dataclass(frozen=True, slots=True)
class _Call:
    """One model call, to be noted in `runs`."""

    purpose: str
    turn_id: int
    request: GenerateRequest
    reply: Generation
    sentence_start: int = -1  # of the sentence that it was about, where it was about one


class BatchReader:
    """Reads batches of turns with one model."""

    def __init__(self, vault: Vault, language: Language, *, now_ms: Callable[[], int]) -> None:
        self._vault = vault
        self._language = language
        self._now_ms = now_ms

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
            doubts = identity.find_doubts(db, kept)
        requests = [identity.same_request(doubt) for doubt in doubts]
        replies = self._generate(requests, cancel)
        calls = [
            _Call(identity.PROMPT, doubt.turn_id, request, reply, doubt.sentence_start)
            for doubt, request, reply in zip(doubts, requests, replies, strict=True)
        ]
        return identity.decide(doubts, replies), calls

    def _extract(self, batch: Sequence[_Read], cancel: CancelToken) -> list[_Call]:
        """Ask the model about each sentence that no pattern read."""
        open_ones = [(one, opening) for one in batch for opening in _unread(one)]
        requests = [
            extraction.extract_request(one.turn, opening.sentence, opening.shapes)
            for one, opening in open_ones
        ]
        replies = self._generate(requests, cancel)
        calls = []
        for (one, opening), request, reply in zip(open_ones, requests, replies, strict=True):
            start = opening.sentence.start
            calls.append(_Call(extraction.PROMPT, one.turn.id, request, reply, start))
            one.kept += extraction.read_reply(
                one.turn, opening.sentence, reply.text, cut_off=reply.finish != "stop"
            )
        return calls

    def _check(self, batch: Sequence[_Read], cancel: CancelToken) -> list[_Call]:
        """Ask the model of each thing it proposed whether the words really say it."""
        asked = [(one, candidate) for one in batch for candidate in _take_proposed(one)]
        requests = [checking.check_request(one.turn.speaker, c) for one, c in asked]
        replies = self._generate(requests, cancel)
        for (one, candidate), reply in zip(asked, replies, strict=True):
            said, unsaid = checking.weigh([candidate], [reply])
            one.kept += said
            one.refused += [(c, "the message does not say so") for c in unsaid]
        return [
            _Call(checking.PROMPT, candidate.turn_id, request, reply, candidate.sentence_start)
            for (_, candidate), request, reply in zip(asked, requests, replies, strict=True)
        ]

    def _generate(
        self, requests: Sequence[GenerateRequest], cancel: CancelToken
    ) -> list[Generation]:
        replies: list[Generation] = []
        for start in range(0, len(requests), MODEL_BATCH):
            cancel.check()
            part = requests[start : start + MODEL_BATCH]
            replies += self._language.generate(part, cancel=cancel)
            # Replies that were cut short by a cancel must not pass for a turn that was read.
            cancel.check()
        return replies

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
            known = entities.find_entities(db, limit=2000)
            entities.append_mentions(db, find_mentions((one.turn for one in batch), known))
            _close_jobs(db, batch, now_ms)
            tally.entities = entities.count_entities(db) - before
        tally.read, tally.gated_out = len(batch), sum(not one.openings for one in batch)
        tally.facts, tally.events = appender.done.facts, appender.done.events
        tally.dropped = appender.done.dropped
        tally.model_calls = len(calls)
        tally.prompt_tokens = sum(call.reply.prompt_tokens for call in calls)
        tally.output_tokens = sum(call.reply.output_tokens for call in calls)
        return tally

    def _append_runs(
        self, db: Connection, calls: Sequence[_Call], now_ms: int
    ) -> dict[tuple[int, int], int]:
        """Note each call; return the run that proposed the facts of each sentence."""
        proposed: dict[tuple[int, int], int] = {}
        for call in calls:
            prompt = load_prompt(call.purpose)
            number = runs.append_run(
                db,
                purpose=call.purpose,
                prompt_version=prompt.version,
                prompt_sha256=prompt.sha256,
                schema_sha256=call.request.schema_sha256,
                model_sha256=self._language.model_id,
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
    """The sentences of which no rule has read what they may tell."""
    return [opening for opening in one.openings if opening.asks]


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


def _close_jobs(db: Connection, batch: Sequence[_Read], now_ms: int) -> None:
    read = [one.turn.id for one in batch if one.openings]
    gated = [one.turn.id for one in batch if not one.openings]
    jobs.set_state(db, read, "read", now_ms=now_ms)
    jobs.set_state(db, gated, "gated", "nothing lasting in it", now_ms=now_ms)
