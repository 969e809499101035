"""Whose deed a question is about: its name is taken out, and the model says who belongs in the gap.

A question that gives one person another's deed finds the other's turns, and a small model then
reads the answer from them. Asked outright whether the turns answer it, the model tells nothing
(AUC 0.50 in a trial); asked which of the two names fills the gap, it does (see docs/quality.md).
"""

import math

from apexmem_desktop.agent.inquiry import Inquiry
from apexmem_desktop.agent.topic import share_on_topic, topic_words
from apexmem_desktop.agent.wording import one_line
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.inference.prompts import load_prompt
from apexmem_desktop.recall.fusion import owner_factor
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.naming import is_first_person
from apexmem_desktop.recall.weights import WEIGHTS
from apexmem_desktop.storage.names import normalise

WHOSE = "whose"
GAP = "___"
MAX_TURNS = 8
MAX_OTHERS = 2
MAX_TURN_CHARS = 300
# How much better the turns of whom the question names must match than the others' (see `lead`) to
# be theirs without asking.
SURELY_THEIRS = 0.6
# How much that counts beside the log odds of the name, and the sum below which the deed is somebody
# else's. Of 98 questions of the dev conversations 5 of 67 with an answer lie below it, and 21 of 31
# without one.
LEAD = 1.5
LEAST_TOGETHER = -0.8
LEAST_SHARE = 1e-3
# Of the question's words so many must stand in what is named as the nearest.
LEAST_SHARE_NAMED = 0.6


def is_anothers(inquiry: Inquiry) -> bool:
    """Tell whether the question gives whom it names what somebody else told of themselves."""
    if not only_named(inquiry) or not _others(inquiry):
        return False
    ahead = lead(inquiry)
    # Two may have made cakes, and a list of one's is asked for.
    if ahead >= SURELY_THEIRS or inquiry.read.kind is Kind.LIST:
        return False
    share = min(max(_share_of_named(inquiry), LEAST_SHARE), 1 - LEAST_SHARE)
    return LEAD * ahead + math.log(share / (1 - share)) < LEAST_TOGETHER


def lead(inquiry: Inquiry) -> float:
    """Tell by how much the best turn of whom the question names matches it better than others'.

    Twice the share of the question's words, plus the search's score (as if nobody had been named)
    over the larger one: from -3 to 3.
    """
    named = only_named(inquiry)
    topic = topic_words(inquiry.read, inquiry.about)
    told = {True: 0.0, False: 0.0}
    scored = {True: 0.0, False: 0.0}
    for hit in inquiry.board.hits:
        own = hit.speaker == named
        told[own] = max(told[own], share_on_topic(hit.text, topic))
        scored[own] = max(scored[own], _neutral(inquiry, hit))
    most = max(scored.values()) or 1.0
    return 2 * (told[True] - told[False]) + (scored[True] - scored[False]) / most


def nearest_of_others(inquiry: Inquiry) -> TurnHit | None:
    """Give the best turn about what is asked that is not said by whom the question names."""
    named = only_named(inquiry)
    topic = topic_words(inquiry.read, inquiry.about)
    others = (hit for hit in _by_score(inquiry) if hit.speaker not in ("", named))
    return next((h for h in others if share_on_topic(h.text, topic) >= LEAST_SHARE_NAMED), None)


def _share_of_named(inquiry: Inquiry) -> float:
    """Ask who belongs in the gap, once with each name first; 0 to 1."""
    named = only_named(inquiry)
    shares = []
    for reply in inquiry.generate_all(_requests(inquiry)):
        chosen = reply.choice_probabilities
        shares.append(chosen.get(named, 0.0) / (sum(chosen.values()) or 1.0))
    return sum(shares) / len(shares)


def _requests(inquiry: Inquiry) -> list[GenerateRequest]:
    prompt = load_prompt(WHOSE)
    hits = _nearest(inquiry)
    said = "\n".join(f"{one_line(h.speaker)}: {one_line(h.text)[:MAX_TURN_CHARS]}" for h in hits)
    names = [only_named(inquiry), *_others(inquiry)[:MAX_OTHERS]]
    return [
        GenerateRequest(
            messages=prompt.render(
                turns=said, question=_with_gap(inquiry), names=" or ".join(map(one_line, order))
            ),
            static_messages=len(prompt.static),
            choices=tuple(order),
        )
        for order in (names, names[::-1])
    ]


def _others(inquiry: Inquiry) -> list[str]:
    named = only_named(inquiry)
    found = (hit.speaker for hit in _nearest(inquiry))
    return [speaker for speaker in dict.fromkeys(found) if speaker not in ("", named)]


def only_named(inquiry: Inquiry) -> str:
    """Name the one speaker the question is about; "" for none, several, or who asks it."""
    speakers = inquiry.about.speakers
    own = any(one.speaker and is_first_person(one.words) for one in inquiry.read.entities)
    return speakers[0] if len(speakers) == 1 and not own else ""


def _by_score(inquiry: Inquiry) -> list[TurnHit]:
    """Rank the turns found as if nobody had been named."""
    return sorted(inquiry.board.hits, key=lambda hit: _neutral(inquiry, hit), reverse=True)


def _neutral(inquiry: Inquiry, hit: TurnHit) -> float:
    names = [normalise(name) for name in inquiry.about.names]
    return hit.score / owner_factor(hit, inquiry.read.speakers, names, WEIGHTS)


def _nearest(inquiry: Inquiry) -> list[TurnHit]:
    """Give the nearest turns in the order they were said."""
    return sorted(_by_score(inquiry)[:MAX_TURNS], key=lambda h: (h.said_at_ms or 0, h.turn_id))


def _with_gap(inquiry: Inquiry) -> str:
    text = inquiry.read.question
    named = only_named(inquiry)
    for one in sorted(inquiry.read.entities, key=lambda one: one.start, reverse=True):
        if one.speaker == named:
            text = text[: one.start] + GAP + text[one.end :]
    return text
