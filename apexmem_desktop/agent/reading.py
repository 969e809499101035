"""Reads the found turns one by one for the answer, and takes the surest.

A small model that is shown ten turns at once mixes them up: on one conversation of the dev data
it gave F1 0.06 so, with the evidence before it. Shown one turn and the question, it copies the
answer or writes "none"; then it is asked of each answer whether that turn tells it. All turns go
in one batch, and with them one request that shows all of them, the nearest last, for the wording:
on 32 questions of the dev conversations that had F1 0.38, the pick of the turn by turn readings
0.31, while only the latter can tell that nobody said it. Lists are better joined turn by turn
(0.39 against 0.30).
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from apexmem_desktop.agent import deciding
from apexmem_desktop.agent.asked_time import date_of_answer
from apexmem_desktop.agent.inquiry import Inquiry
from apexmem_desktop.agent.topic import share_on_topic, topic_words
from apexmem_desktop.agent.verifying import Proved, is_of_another_property
from apexmem_desktop.agent.wording import joined
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.inference.prompts import load_prompt
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.storage.names import normalise

READ, FIND = "read", "find"
NONE = "none"
MAX_TURNS = 8
MAX_TURNS_OF_LIST = 12
MAX_TOKENS = 32
MAX_TOKENS_FOUND = 40
# Probability of "told", times how sure the copying was. On invented chats right readings lay at
# 0.33 and above, answers to what nobody had told at 0.25 and below.
LEAST_SURE = 0.33
# The same where the turn has at least half of the words of what is asked.
LEAST_SURE_ON_TOPIC = 0.27
MUCH_ON_TOPIC = 0.5
# The same where the turn has no word of what is asked: a green jumper is no favourite colour. On
# the samples, answers to what nobody had told lay at 0.50 and below.
LEAST_SURE_OFF_TOPIC = 0.55
# Probability of "told" from which on the wording found with all turns in view is taken.
LEAST_TOLD = 0.35
MAX_CITED = 3
# From which on a second reading belongs to a list.
LEAST_SURE_OF_MORE = 0.3
MAX_LISTED = 5
# Within so long of each other two people speak of the same thing.
MAX_APART_MS = 86_400_000
# Share of an answer's words that must stand in the turn: it is copied, not thought up.
LEAST_COPIED = 0.75

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")
# Not a value of its own: whom one speaks to, and the speaker.
_NOBODY = frozenset({"", NONE, "i", "me", "you", "yes", "no", "unknown", "n/a", "没有", "无"})


@dataclass(frozen=True, slots=True)
class Reading:
    """What one turn gave.

    Attributes:
        sure: 0 to 1; see LEAST_SURE.
        place: The turn's rank among those found, from 0.
        topic: Share of the words of what is asked that the turn has.
    """

    answer: str
    hit: TurnHit
    sure: float
    place: int
    topic: float = 0.0

    @property
    def fit(self) -> float:
        """How well it answers: how sure it is, on the topic, and how near the search found it.

        By `sure` alone the pick had F1 0.25 on 32 questions of the dev conversations, by this 0.31:
        a small model is as sure of an answer to another question.
        """
        return self.sure * (0.4 + self.topic) / (8 + self.place)


def read_turns(inquiry: Inquiry) -> Proved | None:
    """Return the surest answer that a found turn gives; None when none is sure enough."""
    if inquiry.read.kind in (Kind.YES_NO, Kind.HOW_MANY):
        return None  # neither can be copied from a turn
    is_list = inquiry.read.kind is Kind.LIST
    admitted = [hit for hit in inquiry.board.hits if inquiry.about.admits(hit)]
    hits = admitted[: MAX_TURNS_OF_LIST if is_list else MAX_TURNS]
    requests = _copy_requests(inquiry, hits)
    if not is_list and hits:
        requests.append(_find_request(inquiry, admitted[:MAX_TURNS_OF_LIST]))
    replies = inquiry.generate_all(requests)
    readings = _copied(inquiry, hits, replies[: len(hits)])
    found = None if is_list or not hits else _found(inquiry, admitted, replies[-1])
    sure = _sure(inquiry, _weigh(inquiry, readings))
    if not sure:
        return None
    if is_list:
        return _listed(inquiry, sure)
    best = sure[0]
    if found is not None and _is_told(inquiry, found):
        return found
    if inquiry.read.kind is Kind.WHEN:
        return Proved(date_of_answer(best.answer, [best.hit], inquiry.read.language), (best.hit,))
    return _with_other_side(inquiry, best, sure[1:])


def _find_request(inquiry: Inquiry, hits: Sequence[TurnHit]) -> GenerateRequest:
    """Show all turns at once, the nearest last: a small model reads best what it read last."""
    prompt = load_prompt(FIND)
    said = "\n".join(inquiry.board.said(hit) for hit in reversed(hits))
    return GenerateRequest(
        messages=prompt.render(question=inquiry.question, turns=said),
        static_messages=len(prompt.static),
        max_tokens=MAX_TOKENS_FOUND,
        stop=("\n",),
    )


def _found(inquiry: Inquiry, hits: Sequence[TurnHit], reply: Generation) -> Proved | None:
    """Check the wording that was found with all turns in view, and find the turns that tell it."""
    answer = _cleaned(reply)
    if not answer or reply.finish != "stop" or _repeats(answer, inquiry.read.question):
        return None
    cited = _telling(inquiry, hits[:MAX_TURNS_OF_LIST], answer)
    told = " ".join(inquiry.board.said(hit) for hit in cited)
    if _share_copied(answer, told) < LEAST_COPIED:
        inquiry.drop(answer, "not in the turns")
        return None
    if is_of_another_property(inquiry, answer):
        inquiry.drop(answer, "it is known as something else than what is asked")
        return None
    if inquiry.read.kind is Kind.WHEN:
        answer = date_of_answer(answer, cited, inquiry.read.language)
    return Proved(answer, tuple(cited))


def _telling(inquiry: Inquiry, hits: Sequence[TurnHit], answer: str) -> list[TurnHit]:
    """Give the few turns that together have most of the answer's words, the nearest first."""
    missing = set(_WORD.findall(normalise(answer)))
    cited: list[TurnHit] = []
    while missing and len(cited) < MAX_CITED:
        own = [missing & set(_WORD.findall(normalise(inquiry.board.said(hit)))) for hit in hits]
        most = max(range(len(hits)), key=lambda i: len(own[i]), default=0)
        if not hits or not own[most]:
            break
        cited.append(hits[most])
        missing -= own[most]
    return cited


def _is_told(inquiry: Inquiry, found: Proved) -> bool:
    proof = " / ".join(inquiry.board.said(hit) for hit in found.hits)
    return inquiry.is_told(found.answer, proof, at_least=LEAST_TOLD)


def _sure(inquiry: Inquiry, readings: Sequence[Reading]) -> list[Reading]:
    """Keep the readings that are sure enough, and note the others."""
    kept = []
    for one in readings:
        if is_of_another_property(inquiry, one.answer):
            inquiry.drop(one.answer, "it is known as something else than what is asked")
        elif one.sure < _least_sure(one):
            inquiry.drop(one.answer, f"not sure enough ({one.sure:.2f}): {one.hit.text[:100]}")
        else:
            kept.append(one)
    return sorted(kept, key=lambda one: one.fit, reverse=True)


def _least_sure(one: Reading) -> float:
    if one.topic >= MUCH_ON_TOPIC:
        return LEAST_SURE_ON_TOPIC
    return LEAST_SURE if one.topic else LEAST_SURE_OFF_TOPIC


def _with_other_side(inquiry: Inquiry, best: Reading, others: Sequence[Reading]) -> Proved:
    """Give both sides where somebody else says otherwise in the same talk about the same thing.

    Where a person is named, the turns are that person's own, and the surest is the answer.
    """
    for other in others:
        if (
            not inquiry.about.speakers
            and other.hit.speaker != best.hit.speaker
            and other.hit.session_id == best.hit.session_id
            and abs((other.hit.said_at_ms or 0) - (best.hit.said_at_ms or 0)) <= MAX_APART_MS
            and normalise(other.answer) not in normalise(best.answer)
            and normalise(best.answer) not in normalise(other.answer)
        ):
            both = joined([best.answer, other.answer], inquiry.read.language)
            return Proved(both, (best.hit, other.hit))
    return Proved(best.answer, (best.hit,))


def _copy_requests(inquiry: Inquiry, hits: Sequence[TurnHit]) -> list[GenerateRequest]:
    """Let the model copy the answer from each turn."""
    prompt = load_prompt(READ)
    return [
        GenerateRequest(
            messages=prompt.render(question=inquiry.question, message=inquiry.board.said(hit)),
            static_messages=len(prompt.static),
            max_tokens=MAX_TOKENS,
            stop=("\n",),
        )
        for hit in hits
    ]


def _copied(
    inquiry: Inquiry, hits: Sequence[TurnHit], replies: Sequence[Generation]
) -> list[Reading]:
    """Keep what was really copied; the second best of nothing is nothing."""
    readings = []
    for place, (hit, reply) in enumerate(zip(hits, replies, strict=True)):
        answer = _cleaned(reply)
        if not answer or reply.finish != "stop":
            continue
        told = inquiry.board.said(hit)
        if _share_copied(answer, told) < LEAST_COPIED or _repeats(answer, inquiry.read.question):
            inquiry.drop(answer, f"not in the turn: {hit.text[:100]}")
            continue
        readings.append(Reading(answer, hit, math.exp(min(0.0, reply.mean_logprob)), place))
    return readings


def _cleaned(reply: Generation) -> str:
    """Take the quotes and the full stop off; "" for what is no value of its own."""
    answer = reply.text.strip().strip("\"'“”").rstrip(".。")
    return "" if normalise(answer) in _NOBODY else answer


def _share_copied(answer: str, told: str) -> float:
    words = _WORD.findall(normalise(answer))
    there = set(_WORD.findall(normalise(told)))
    return sum(word in there for word in words) / len(words) if words else 0.0


def _repeats(answer: str, question: str) -> bool:
    """Whether it only gives back what the question says."""
    return normalise(answer) in normalise(question)


def _weigh(inquiry: Inquiry, readings: Sequence[Reading]) -> list[Reading]:
    """Ask of each reading whether its turn tells it."""
    requests = [
        deciding.support_request(inquiry.question, one.answer, inquiry.board.said(one.hit))
        for one in readings
    ]
    topic = topic_words(inquiry.read, inquiry.about)
    weighed = []
    for one, reply in zip(readings, inquiry.generate_all(requests), strict=True):
        yes = reply.choice_probabilities.get("yes", 0.0)
        no = reply.choice_probabilities.get("no", 0.0)
        told = yes / (yes + no) if yes + no > 0 else 0.0
        share = share_on_topic(one.hit.text, topic)
        weighed.append(replace(one, sure=one.sure * told, topic=share))
    return weighed


def _listed(inquiry: Inquiry, sure: Sequence[Reading]) -> Proved:
    """Join what several turns gave, each answer once."""
    kept = {normalise(sure[0].answer): sure[0]}
    for one in sure[1:]:
        if one.sure >= LEAST_SURE_OF_MORE and len(kept) < MAX_LISTED:
            kept.setdefault(normalise(one.answer), one)
    answers = [one.answer for one in kept.values()]
    return Proved(joined(answers, inquiry.read.language), tuple(o.hit for o in kept.values()))
