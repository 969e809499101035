"""From a question to an answer: evidence first, what can be worked out next, then the ReAct loop.

Method: APEX-MEM (ACL 2026), resolution at question time by an agent with four tools. Here the
search and the look-up of the entities named are done at once, without the model; facts that answer
by themselves are only put to the model for a yes or no; and only what is left goes to the loop.
The last word is always an answer that its proof carries, or a plain "not in your memory".
"""

from collections.abc import Sequence
from dataclasses import replace

from apexmem_desktop.agent import composing, tools
from apexmem_desktop.agent.advising import find_bearing
from apexmem_desktop.agent.board import Board
from apexmem_desktop.agent.denials import find_denials
from apexmem_desktop.agent.finding import MAX_TURNS, find_wording
from apexmem_desktop.agent.following import read_question
from apexmem_desktop.agent.gap import is_anothers, nearest_of_others, only_named
from apexmem_desktop.agent.graph_apart import find_apart
from apexmem_desktop.agent.inquiry import (
    LEAST_SUPPORT_OF_FINDS,
    Asked,
    Inquiry,
    Language,
    NewsSink,
)
from apexmem_desktop.agent.loop import decide
from apexmem_desktop.agent.names_asked import missing_names
from apexmem_desktop.agent.newer import is_amount, newest
from apexmem_desktop.agent.plain import asks_plainly
from apexmem_desktop.agent.proposals import Proposal, is_surest, propose
from apexmem_desktop.agent.querying import find_in_graph
from apexmem_desktop.agent.reading import has_two_sides, read_turns
from apexmem_desktop.agent.reasons import find_reasons
from apexmem_desktop.agent.reckoning import (
    Dated,
    Reckoning,
    dated,
    read_reckoning,
    reckon,
)
from apexmem_desktop.agent.summing import difference, read_difference
from apexmem_desktop.agent.taught import hear, is_untold, prove_heard
from apexmem_desktop.agent.things_asked import missing_things
from apexmem_desktop.agent.told_number import counted_word, is_number_told
from apexmem_desktop.agent.verifying import Proved
from apexmem_desktop.agent.whose import About, find_about
from apexmem_desktop.domain.answers import Answer, EvidenceFound, ReadingTurns
from apexmem_desktop.domain.graph import Entity, Fact
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.wall import WallClock
from apexmem_desktop.inference.embedder import EmbedderHost
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.lookup import judged_facts
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.storage.entities import find_entities
from apexmem_desktop.storage.rulings import find_misfits
from apexmem_desktop.storage.vault import Vault

MAX_PROPOSALS = 3
MAX_LOOKED_UP = 3
MAX_CALLED = 5
# Where no wording was told, so many of the nearest turns are still heard by themselves.
MAX_READ_AGAIN = 4


class Agent:
    """Answers questions over one vault; `language` None stops at the evidence."""

    def __init__(
        self,
        vault: Vault,
        embedder: EmbedderHost | None,
        language: Language | None,
        *,
        on_news: NewsSink,
        cancel: CancelToken,
        change_query: tools.QueryChange = tools.as_written,
    ) -> None:
        self._vault = vault
        self._embedder = embedder
        self._language = language
        self._tell = on_news
        self._cancel = cancel
        self._change_query = change_query

    def answer(self, asked: Asked) -> Answer:
        """Answer a question, or say that the memory does not know.

        Raises:
            ModelCrashedError: The model's process ended; the next question starts a new one.
            CancelledError: It was cancelled.
        """
        inquiry = self._open(asked)
        _gather(inquiry)
        if inquiry.language is None:
            return composing.only_evidence(inquiry)
        if inquiry.read.kind is Kind.ADVICE:
            lines = find_bearing(inquiry)
            return composing.from_lines(inquiry, lines) if lines else composing.decline(inquiry)
        of_graph = find_apart(inquiry)
        if of_graph is not None:
            return composing.from_facts(inquiry, of_graph)
        what = read_reckoning(inquiry.question)
        if what is not None:
            return self._reckoned(inquiry, what)
        compared = read_difference(inquiry.question)
        apart = self._apart(inquiry, compared) if compared is not None else None
        if apart is not None:
            return composing.from_turns(inquiry, apart)
        return _resolve(inquiry, self._known_facts(inquiry))

    def _reckoned(self, inquiry: Inquiry, what: Reckoning) -> Answer:
        asked = inquiry.asked
        parts: list[Inquiry] = []
        proved = reckon(
            what,
            lambda question: self._date(inquiry, question, parts),
            today=WallClock(asked.offset_minutes).day(asked.now_ms),
            language=inquiry.read.language,
        )
        if proved is not None:
            return composing.from_turns(inquiry, proved)
        nearest = nearest_of_others(parts[-1]) if parts else None
        return composing.decline(inquiry, nearest=nearest)

    def _apart(self, inquiry: Inquiry, questions: Sequence[str]) -> Proved | None:
        """Work out by how much two amounts differ; None where one of them is not told."""
        told: list[Proved] = []
        for question in questions:
            proved = self._wording(inquiry, question, [])
            if proved is None:
                return None
            told.append(proved)
        apart = difference(told[0].answer, told[1].answer)
        hits = tuple({hit.turn_id: hit for one in told for hit in one.hits}.values())
        return Proved(apart, hits) if apart else None

    def _date(self, inquiry: Inquiry, question: str, others: list[Inquiry]) -> Dated | None:
        proved = self._wording(inquiry, question, others)
        return dated(proved) if proved is not None else None

    def _wording(self, inquiry: Inquiry, question: str, others: list[Inquiry]) -> Proved | None:
        """Answer a question for a part of another, at the cost of the inquiry.

        Args:
            others: Takes the inquiry of what is somebody else's.
        """
        unfit = inquiry.board.unfit
        own = self._open(replace(inquiry.asked, question=question, unfit=unfit))
        _gather(own)
        proved = None
        if not _what_nobody_told(own):
            proved = _wording_of_part(own, others)
        inquiry.take_over(own)
        return proved

    def _open(self, asked: Asked) -> Inquiry:
        with self._vault.read() as db:
            reading = read_question(db, asked)
            unfit = asked.unfit | find_misfits(db, reading.read.question)
        frame = self._frame(asked, reading.read, unfit)
        facts = self._facts(frame, reading.read.entity_ids)
        about = find_about(reading.read, facts, self._called)
        return Inquiry(
            asked=asked,
            read=reading.read,
            about=about,
            that=reading.that,
            frame=frame,
            language=self._language,
            tell=self._tell,
            cancel=self._cancel,
        )

    def _frame(self, asked: Asked, read: Understood, unfit: frozenset[int]) -> tools.Frame:
        given = (asked.options.as_of_ms, read.as_of_ms, asked.now_ms)
        return tools.Frame(
            vault=self._vault,
            embedder=self._embedder,
            read=read,
            as_of_ms=next(ms for ms in given if ms is not None),
            known_at_ms=asked.options.known_at_ms,
            board=Board(read.language, topic=read.words, unfit=unfit),
            allowed=asked.options.tools,
            change_query=self._change_query,
        )

    def _called(self, name: str) -> list[Entity]:
        with self._vault.read() as db:
            return find_entities(db, matching=name, limit=MAX_CALLED)

    def _known_facts(self, inquiry: Inquiry) -> list[Fact]:
        """Read the facts an answer may be worked out from: all of whom it is about.

        Only where nobody is named, or it is asked who it is, the facts that the search found.
        """
        about = inquiry.about
        if "EntityLookup" not in inquiry.frame.allowed:
            return list(inquiry.board.facts)
        own = self._facts(inquiry.frame, about.entity_ids)
        nobody = about == About()
        if not nobody and inquiry.read.kind is not Kind.WHO:
            return own
        found = self._completed(inquiry)
        return list({fact.id: fact for fact in (*own, *found)}.values())

    def _completed(self, inquiry: Inquiry) -> list[Fact]:
        """Read the whole of what the search found a part of, so that no side is missing."""
        found = inquiry.board.facts
        topics = {(fact.subject_id, fact.property) for fact in found}
        whole = self._facts(inquiry.frame, tuple(dict.fromkeys(f.subject_id for f in found)))
        return [fact for fact in whole if (fact.subject_id, fact.property) in topics]

    def _facts(self, frame: tools.Frame, entity_ids: Sequence[int]) -> list[Fact]:
        with self._vault.read() as db:
            found = [
                fact
                for entity_id in entity_ids
                for fact in judged_facts(
                    db, entity_id, as_of_ms=frame.as_of_ms, known_at_ms=frame.known_at_ms
                )
            ]
        return frame.board.fitting({fact.id: fact for fact in found}.values())


def _is_taught(inquiry: Inquiry) -> bool:
    language = inquiry.language
    return language is not None and language.is_taught and bool(inquiry.board.hits)


def _wording_of_part(part: Inquiry, others: list[Inquiry]) -> Proved | None:
    if _is_taught(part):
        heard = hear(part)
        untold = is_untold(part, heard)
        proved = None if untold else prove_heard(part, heard)
    else:
        untold = is_anothers(part)
        proved = None if untold else find_wording(part)
    if untold:
        others.append(part)
    return proved


def _gather(inquiry: Inquiry) -> None:
    """Search and look up at once, and tell what was found before the model says a word."""
    allowed = inquiry.frame.allowed
    if "Search" in allowed:
        inquiry.use("Search", inquiry.read.question)
    inquiry.ms_first_evidence = inquiry.ms()
    board = inquiry.board
    if inquiry.read.question != inquiry.asked.question:
        # Found by what was asked before in this chat: alone, the question names none of it.
        board.hits = [replace(hit, why=(*hit.why, "dialogue")) for hit in board.hits]
    inquiry.tell(EvidenceFound(tuple(board.hits), tuple(board.facts), inquiry.ms_first_evidence))
    # "I" and "the user" are no names that anything is found by.
    names = dict.fromkeys(named.speaker or named.words for named in inquiry.read.entities)
    for name in list(names)[:MAX_LOOKED_UP] if "EntityLookup" in allowed else ():
        inquiry.use("EntityLookup", name)


def _resolve(inquiry: Inquiry, facts: Sequence[Fact]) -> Answer:
    """Try what is surest first: worked out from facts, told outright, found by the loop."""
    of_graph = find_in_graph(inquiry)
    if of_graph is not None:
        return composing.from_facts(inquiry, of_graph)
    missing = _what_nobody_told(inquiry)
    counts = inquiry.read.kind is Kind.HOW_MANY
    # The graph may know by its kind what is counted, but not what is named beside it.
    beside = [thing for thing in missing if thing != counted_word(inquiry.read)]
    proposals = [] if counts and beside else _propose(inquiry, facts)
    is_told = counts and is_number_told(inquiry.read, inquiry.admitted)
    surest = [one for one in proposals if is_surest(inquiry.read, one, facts) and not is_told]
    proposal = _first_fitting(inquiry, surest)
    if proposal is not None:
        return composing.from_facts(inquiry, proposal)
    if missing:
        return composing.decline(inquiry, missing=missing)
    inquiry.tell(ReadingTurns(len(inquiry.admitted[:MAX_TURNS])))
    others = [one for one in proposals if one not in surest]
    if _is_taught(inquiry):
        return _hear(inquiry, others)
    if is_anothers(inquiry):
        return composing.decline(inquiry, nearest=nearest_of_others(inquiry))
    proved = _first_reason(inquiry) or _first_denial(inquiry) or _read(inquiry)
    if proved is not None:
        return composing.from_turns(inquiry, proved)
    proposal = _first_fitting(inquiry, others)
    if proposal is not None:
        return composing.from_facts(inquiry, proposal)
    proved = decide(inquiry)
    return composing.from_turns(inquiry, proved) if proved else composing.decline(inquiry)


def _hear(inquiry: Inquiry, proposals: Sequence[Proposal]) -> Answer:
    """Answer with the model that was taught to read: one call for most questions."""
    heard = hear(inquiry)
    if is_untold(inquiry, heard):
        inquiry.drop(heard.answer, f"probably not told ({heard.not_told:.2f})")
        return composing.decline(inquiry, nearest=nearest_of_others(inquiry))
    proved = prove_heard(inquiry, heard)
    if proved is not None:
        # It has seen the days of the turns; only amounts change by what was told further off.
        last = newest(inquiry, proved) if is_amount(proved.answer) else proved
        return composing.from_turns(inquiry, last)
    proposal = _first_fitting(inquiry, proposals)
    if proposal is not None:
        return composing.from_facts(inquiry, proposal)
    # Of what one person did not tell, the loop found two wrong answers and none that was right.
    proved = None if only_named(inquiry) else decide(inquiry)
    return composing.from_turns(inquiry, proved) if proved else composing.decline(inquiry)


def _what_nobody_told(inquiry: Inquiry) -> list[str]:
    """Give what the question names and no turn near it has; a guess, or a list, may do so.

    In German every noun has a capital: there a capital names nothing. Things are known in English.
    """
    language = inquiry.language_of_question
    if inquiry.read.kind in (Kind.YES_NO, Kind.LIST) or language == "de":
        return []
    if "Search" not in inquiry.frame.allowed:  # no turns were looked for
        return []
    near = (inquiry.read, inquiry.about, inquiry.board.hits)
    things = missing_things(*near) if language == "en" else []
    return list(dict.fromkeys([*missing_names(*near), *things]))


def _propose(inquiry: Inquiry, facts: Sequence[Fact]) -> list[Proposal]:
    read = inquiry.read
    return propose(read, facts, as_of_ms=inquiry.frame.as_of_ms, that=inquiry.that)[:MAX_PROPOSALS]


def _read(inquiry: Inquiry) -> Proved | None:
    """Find the wording in the turns of whom the question names; else hear each turn by itself.

    Where nobody is named it may be that nobody said it, or that two say different things.
    """
    if inquiry.about.speakers:
        found = find_wording(inquiry)
        if found is not None:
            return newest(inquiry, found)
        return read_turns(inquiry, most=MAX_READ_AGAIN)
    read = read_turns(inquiry)
    if read is None or has_two_sides(read):
        return read
    return find_wording(inquiry) or read


def _first_fitting(inquiry: Inquiry, proposals: Sequence[Proposal]) -> Proposal | None:
    """Return the first worked-out answer that is surely one to this question, or the model says so.

    Where nothing of the question is left to check, the answer is there before any model call.
    """
    language = inquiry.read.language
    for proposal in proposals:
        if proposal.certain or asks_plainly(inquiry.read, proposal):
            return proposal
        if inquiry.is_told(
            proposal.answer, proposal.proof(language), at_least=LEAST_SUPPORT_OF_FINDS
        ):
            return proposal
    return None


def _first_reason(inquiry: Inquiry) -> Proved | None:
    """Return the first told reason that the model takes for the one asked for."""
    if inquiry.read.kind is not Kind.WHY:
        return None
    hits = inquiry.admitted
    for reason in find_reasons(inquiry.read, hits)[:MAX_PROPOSALS]:
        proof = inquiry.board.said(reason.hit)
        if inquiry.is_told(reason.text, proof, at_least=LEAST_SUPPORT_OF_FINDS):
            return Proved(reason.text, (reason.hit,))
    return None


def _first_denial(inquiry: Inquiry) -> Proved | None:
    """Return the first turn that the model takes for a "no" to a question of yes or no."""
    if inquiry.read.kind is not Kind.YES_NO:
        return None
    no = "没有" if inquiry.read.language == "zh" else "No"
    hits = inquiry.admitted
    for hit in find_denials(inquiry.read, hits)[:MAX_PROPOSALS]:
        if inquiry.is_told(no, inquiry.board.said(hit), at_least=LEAST_SUPPORT_OF_FINDS):
            return Proved(no, (hit,))
    return None
