"""Reads imported turns into the graph: a queue that resumes, with progress, pause and cancel."""

import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from apexmem_desktop.building.near_causes import LEAST_COSINE, MOST_NEAR, near_causes
from apexmem_desktop.building.reader import BatchReader, Tally
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink, ignore_progress
from apexmem_desktop.domain.reports import BuildReport, Changes
from apexmem_desktop.recall.indexes import shared_index
from apexmem_desktop.services import upkeep
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import embedders, facts, jobs, turns, vectors, words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from apexmem_desktop.inference.embedder import EmbedderHost
    from apexmem_desktop.inference.requests import ModelTime

# A batch is what a kill can cost, and how often the window hears of progress.
TURNS_A_BATCH = 48
EMBED_BATCH = 256
# Relevance from which a session is read for a question (paper: online construction, threshold 0.2).
LEAST_RELEVANCE = 0.2
WORDS_SHARE = 0.3  # of a turn's relevance; the rest is its meaning's
MOST_RELEVANT_TURNS = 2000
ASKED_ABOUT = 2  # the priority of what a question bears on

ChangesSink = Callable[[Changes], None]
_P = ParamSpec("_P")
_R = TypeVar("_R")


def _one_at_a_time(
    work: Callable[Concatenate[Workspace, _P], _R],
) -> Callable[Concatenate[Workspace, _P], _R]:
    """Let only one program at a time do this work on a memory file."""

    @wraps(work)
    def guarded(ws: Workspace, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        with ws.vault.working():
            return work(ws, *args, **kwargs)

    return guarded


@_one_at_a_time
def build(
    ws: Workspace,
    *,
    limit: int | None = None,
    about: str = "",
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
    on_changes: ChangesSink | None = None,
) -> BuildReport:
    """Read pending turns into the graph until none is left, `limit` is reached or it is cancelled.

    Args:
        limit: Most turns to read; None for all.
        about: Read only what is relevant to this text (the paper's online construction).

    Raises:
        ModelMissingError: The language model is not on this machine.
        ModelCrashedError: Its process ended; what was read before is kept, and reading resumes.
        VaultError: Another program is building this memory already.
    """
    token = cancel or CancelToken()
    started = time.monotonic()
    language, resolver = ws.language_for("extraction"), ws.language_for("resolution")
    hosts = [language] if resolver is language else [language, resolver]
    before = [host.spent for host in hosts]
    embed_pending(ws, progress=progress, cancel=token)
    _embed_facts(ws)  # those of a build that was killed between writing and embedding
    wanted = find_relevant(ws, about, most=limit) if about else None
    embedder = ws.embedder()
    reader = BatchReader(
        ws.vault,
        language,
        now_ms=ws.now_ms,
        embed=None if embedder is None else embedder.embed,
        resolver=resolver,
    )
    sums = Tally()
    total = _count_pending(ws, wanted, limit)
    while (done := _looked_at(sums)) < total:
        token.check()
        ids = _next_batch(ws, wanted, min(TURNS_A_BATCH, total - done))
        if not ids:
            break
        tally = reader.read(ids, cancel=token)
        _embed_facts(ws)
        _add(sums, tally)
        elapsed = time.monotonic() - started
        done = _looked_at(sums)
        progress(Progress("Reading conversations", done, total, "turns", "", elapsed))
        if on_changes is not None:
            on_changes(Changes(entities=True, facts=bool(tally.facts or tally.outdated)))
    if sums.facts or sums.outdated:
        upkeep.refresh(ws, [*sums.facts, *sums.outdated])
    spent = [host.spent.since(then) for host, then in zip(hosts, before, strict=True)]
    return _report(sums, time.monotonic() - started, spent)


def embed_pending(
    ws: Workspace,
    *,
    limit: int | None = None,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> int:
    """Compute the vectors that are missing; return how many. Without an embedder: none.

    After another embedder was chosen, searches use the old vectors until all new ones are there.
    """
    embedder = ws.embedder()
    if embedder is None:
        return 0
    token = cancel or CancelToken()
    started, done = time.monotonic(), 0
    with ws.vault.read() as db:
        missing_turns = turns.count_turns_to_embed(db, embedder.embedder_id)
    total = missing_turns if limit is None else min(limit, missing_turns)
    while done < total:
        token.check()
        with ws.vault.read() as db:
            missing = turns.find_turns_to_embed(
                db, embedder.embedder_id, min(EMBED_BATCH, total - done)
            )
        if not missing:
            break
        computed = embedder.embed([text for _, text in missing], cancel=token)
        with ws.vault.write() as db:
            pairs = [(number, computed[row]) for row, (number, _) in enumerate(missing)]
            vectors.append_turn_vectors(db, embedder.embedder_id, pairs)
        done += len(missing)
        elapsed = time.monotonic() - started
        progress(Progress("Indexing by meaning", done, total, "turns", "", elapsed))
    if done == missing_turns:
        _take_over(ws, embedder.embedder_id)
        if done and limit is None:  # who is waiting for an answer waits for no index
            for kind in ("turn", "fact"):
                shared_index(ws.vault, embedder.embedder_id, kind).refresh(token)
    return done


def _take_over(ws: Workspace, chosen: str) -> None:
    """Let a newly chosen embedder serve searches once it has all vectors; drop those before it."""
    with ws.vault.read() as db:
        replaced = embedders.find_embedders(db) not in ([], [chosen])
    if not replaced:
        return
    _embed_facts(ws)
    with ws.vault.write() as db:
        if embedders.is_complete(db, chosen):
            embedders.drop_replaced(db, chosen)


def find_relevant(
    ws: Workspace, about: str, *, least: float = LEAST_RELEVANCE, most: int | None = None
) -> list[int]:
    """Find the turns of the sessions that bear on a text, in order of time.

    Args:
        most: Leave out sessions that were read, and the less relevant ones once the better ones
            have so many turns to read.
    """
    scored = score_sessions(ws, about)
    chosen = [number for number, score in scored.items() if score >= least]
    with ws.vault.read() as db:
        if most is None:
            return turns.find_ids_of_sessions(db, chosen)
        best: list[int] = []
        size = 0
        for number in sorted(chosen, key=lambda one: -scored[one]):
            if size >= most:
                break
            unread = jobs.find_jobs(
                db, limit=most, turn_ids=turns.find_ids_of_sessions(db, [number])
            )
            if unread:
                best.append(number)
                size += len(unread)
        return turns.find_ids_of_sessions(db, best)


def is_unbuilt(ws: Workspace) -> bool:
    """Whether there are turns to read, and none was read so far."""
    with ws.vault.read() as db:
        states = jobs.counts(db)
    return states["pending"] > 0 and not states["read"] and not states["failed"]


def score_sessions(ws: Workspace, about: str) -> dict[int, float]:
    """Tell how relevant each session is to a text, 0 to 1: as its most relevant turn is.

    By meaning and by words together; sessions in which nothing was found are left out.
    """
    meaning: dict[int, float] = {}
    embedder = ws.searching_embedder()
    if embedder is not None:
        index = shared_index(ws.vault, embedder.embedder_id, "turn")
        near = index.search(embedder.embed([about])[0], MOST_RELEVANT_TURNS)
        meaning = {number: max(0.0, float(score)) for number, score in near}
    with ws.vault.read() as db:
        hits = words.find_turns_by_words(db, about, MOST_RELEVANT_TURNS)
        best = max((score for _, score in hits), default=0.0)
        said = {number: score / best for number, score in hits} if best > 0 else {}
        found = turns.find_turns(db, list(meaning | said))
    by_words = WORDS_SHARE if meaning else 1.0
    scores: dict[int, float] = {}
    for turn in found:
        score = (1 - by_words) * meaning.get(turn.id, 0.0) + by_words * said.get(turn.id, 0.0)
        scores[turn.session_id] = max(score, scores.get(turn.session_id, 0.0))
    return scores


def put_forward(ws: Workspace, about: str) -> None:
    """Let what bears on a question be read before the rest, at the next build."""
    with ws.vault.read() as db:
        if not jobs.counts(db)["pending"]:
            return
    wanted = find_relevant(ws, about)
    with ws.vault.write() as db:
        jobs.raise_priority(db, wanted, ASKED_ABOUT)


def _count_pending(ws: Workspace, wanted: list[int] | None, limit: int | None) -> int:
    with ws.vault.read() as db:
        if wanted is None:
            pending = jobs.counts(db)["pending"]
        else:
            pending = len(jobs.find_jobs(db, limit=len(wanted) or 1, turn_ids=wanted))
    return pending if limit is None else min(limit, pending)


def _next_batch(ws: Workspace, wanted: list[int] | None, size: int) -> list[int]:
    with ws.vault.read() as db:
        if wanted is None:
            return jobs.find_jobs(db, limit=size)
        pending = set(jobs.find_jobs(db, limit=len(wanted) or 1, turn_ids=wanted))
    return [number for number in wanted if number in pending][:size]  # in order of time


def _embed_facts(ws: Workspace) -> None:
    """Compute the vectors that facts lack, and link what is near; without an embedder: none."""
    embedder: EmbedderHost | None = ws.embedder()
    if embedder is None:
        return
    while True:
        with ws.vault.read() as db:
            missing = vectors.find_facts_to_embed(db, embedder.embedder_id, EMBED_BATCH)
            known = facts.find_facts(db, ids=missing) if missing else []
        if not known:
            return
        said = [f"{f.subject} {f.property.replace('_', ' ')} {f.value}" for f in known]
        computed = embedder.embed(said)
        pairs = [(fact.id, computed[row]) for row, fact in enumerate(known)]
        with ws.vault.write() as db:
            vectors.append_fact_vectors(db, embedder.embedder_id, pairs)
        _link_near(ws, embedder.embedder_id, pairs)


def _link_near(
    ws: Workspace, embedder_id: str, pairs: list[tuple[int, "npt.NDArray[np.float32]"]]
) -> None:
    """Link new facts with what is near in time and meaning, as possible causes."""
    index = shared_index(ws.vault, embedder_id, "fact")
    near = [
        (number, other, cosine)
        for number, vector in pairs
        for other, cosine in index.search(vector, MOST_NEAR)
        if other != number and cosine >= LEAST_COSINE
    ]
    if not near:
        return
    with ws.vault.write() as db:
        numbers = sorted({number for one, other, _ in near for number in (one, other)})
        there = {fact.id: fact for fact in facts.find_facts(db, ids=numbers, limit=len(numbers))}
        bonds = near_causes(
            (there[one], there[other], cosine)
            for one, other, cosine in near
            if one in there and other in there
        )
        for bond in bonds:
            facts.append_link(
                db, bond.from_id, bond.to_id, bond.kind, "rule", bond.reason, ws.now_ms()
            )


def _looked_at(sums: Tally) -> int:
    return sums.read + sum(sums.failed.values())


def _add(sums: Tally, tally: Tally) -> None:
    sums.read += tally.read
    sums.gated_out += tally.gated_out
    sums.facts += tally.facts
    sums.outdated += tally.outdated
    sums.events += tally.events
    sums.entities += tally.entities
    sums.model_calls += tally.model_calls
    sums.prompt_tokens += tally.prompt_tokens
    sums.output_tokens += tally.output_tokens
    sums.dropped = dict(Counter(sums.dropped) + Counter(tally.dropped))
    sums.failed = dict(Counter(sums.failed) + Counter(tally.failed))


def _report(sums: Tally, seconds: float, spent: list["ModelTime"]) -> BuildReport:
    return BuildReport(
        turns_read=sums.read,
        turns_gated_out=sums.gated_out,
        facts_new=len(sums.facts),
        facts_dropped=sums.dropped,
        turns_failed=sums.failed,
        events_new=sums.events,
        entities_new=sums.entities,
        model_calls=sums.model_calls,
        prompt_tokens=sums.prompt_tokens,
        output_tokens=sums.output_tokens,
        seconds=round(seconds, 3),
        waited_s=round(sum(one.waited_s for one in spent), 3),
        decode_s=round(sum(one.decode_s for one in spent), 3),
        decoded_tokens=sum(one.decoded_tokens for one in spent),
    )
