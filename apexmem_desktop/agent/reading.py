"""Reads the found turns one by one for the answer, and takes the surest.

Shown one turn and the question, a small model copies the answer or writes "none"; then it is asked
of each answer whether that turn tells it. This costs four times the tokens of `finding`, and its
pick has the worse wording (F1 0.31 against 0.38 on 32 questions of the dev conversations). But it
can tell that nobody said it, and that two say different things, where no one is named whose words
must answer.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from apexmem_desktop.agent import deciding
from apexmem_desktop.agent.asked_time import date_of_answer
from apexmem_desktop.agent.copying import cleaned, is_copied, repeats
from apexmem_desktop.agent.inquiry import Inquiry
from apexmem_desktop.agent.topic import share_on_topic, topic_words
from apexmem_desktop.agent.verifying import Proved, is_of_another_property
from apexmem_desktop.agent.wording import joined
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.inference.prompts import load_prompt
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.storage.names import normalise

READ = "read"
MAX_TURNS = 8
MAX_TURNS_OF_LIST = 12
MAX_TOKENS = 32
# Probability of "told", times how sure the copying was. On invented chats right readings lay at
# 0.33 and above, answers to what nobody had told at 0.25 and below.
LEAST_SURE = 0.33
# The same where the turn has at least half of the words of what is asked.
LEAST_SURE_ON_TOPIC = 0.27
MUCH_ON_TOPIC = 0.5
# The same where the turn has no word of what is asked: a green jumper is no favourite colour. On
# the samples, answers to what nobody had told lay at 0.50 and below.
LEAST_SURE_OFF_TOPIC = 0.55
# From which on a second reading belongs to a list.
LEAST_SURE_OF_MORE = 0.3
MAX_LISTED = 5
# Within so long of each other two people speak of the same thing.
MAX_APART_MS = 86_400_000


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


def read_turns(inquiry: Inquiry, *, most: int = MAX_TURNS_OF_LIST) -> Proved | None:
    """Return the surest answer that a found turn gives; None when none is sure enough.

    Args:
        most: Turns that are read.
    """
    if inquiry.read.kind in (Kind.YES_NO, Kind.HOW_MANY):
        return None  # neither can be copied from a turn
    is_list = inquiry.read.kind is Kind.LIST
    hits = inquiry.admitted[: min(most, MAX_TURNS_OF_LIST if is_list else MAX_TURNS)]
    replies = inquiry.generate_all(copy_requests(inquiry, hits))
    readings = _copied(inquiry, hits, replies)
    sure = _sure(inquiry, _weigh(inquiry, readings))
    if not sure:
        return None
    if is_list:
        return _listed(inquiry, sure)
    best = sure[0]
    if inquiry.read.kind is Kind.WHEN:
        return Proved(date_of_answer(best.answer, [best.hit], inquiry.read.language), (best.hit,))
    return _with_other_side(inquiry, best, sure[1:])


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


def has_two_sides(read: Proved) -> bool:
    """Tell whether two people are cited, who say different things."""
    return len({hit.speaker for hit in read.hits}) > 1


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


def copy_requests(inquiry: Inquiry, hits: Sequence[TurnHit]) -> list[GenerateRequest]:
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
        answer = cleaned(reply)
        if not answer:
            continue
        told = inquiry.board.said(hit)
        if not is_copied(answer, told) or repeats(answer, inquiry.read.question):
            inquiry.drop(answer, f"not in the turn: {hit.text[:100]}")
            continue
        readings.append(Reading(answer, hit, math.exp(min(0.0, reply.mean_logprob)), place))
    return readings


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
