"""Lets the model read the nearest turns with what it was taught: the answer, and how told it is.

An adapter was trained on invented chats to copy the answer or to write "not told" (see
`packaging/reader` and docs/decisions/0025). So one call gives what otherwise takes three: whose
deed it is, the wording, and whether the turns tell it.
"""

import math
import re
from dataclasses import dataclass, replace

from apexmem_desktop.agent.copying import cleaned
from apexmem_desktop.agent.finding import copied, yes_or_no
from apexmem_desktop.agent.gap import lead, only_named
from apexmem_desktop.agent.inquiry import Inquiry
from apexmem_desktop.agent.summing import summed
from apexmem_desktop.agent.verifying import Proved
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.domain.turn import Role
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.inference.prompts import load_prompt
from apexmem_desktop.recall.kinds import Kind

FIND = "find_taught"
NOT_TOLD = "not told"
MAX_TOKENS = 40
# Eight are read no better, and a third later: docs/quality.md.
MAX_TURNS = 5
MAX_TURNS_OF_LIST = 12
# Weights of `is_untold`, by logistic regression; see docs/quality.md.
BIAS = -0.25
NOT_TOLD_WEIGHT = 0.6
LEAD_WEIGHT = -1.6
# Where nobody is named, from 0.92 on "not told" is believed.
LEAD_OF_NOBODY = 0.76
# Others' turns may match much better in words; then the model's own word counts all the same.
LEAST_LEAD = -0.8
LEAST_SHARE = 1e-4
# Who is spoken to may be told of: "so glad that you got the job!" answers for the other.
_SPEAKS_TO = re.compile(r"\byour?\b|你", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heard:
    """What the taught model makes of a question.

    Attributes:
        answer: The wording; "" for what is cut off or no value.
        not_told: Probability that the turns do not tell it, 0 to 1.
        hits: The turns it was shown, the nearest first.
    """

    answer: str
    not_told: float
    hits: tuple[TurnHit, ...]


def hear(inquiry: Inquiry) -> Heard:
    """Ask once, with the nearest turns of everybody in view, the nearest last.

    Of everybody: with the turns of the person named alone, what another did looked untold less
    often (AUC 0.63 instead of 0.68 on 80 questions of the dev conversations).
    """
    hits = _shown(inquiry)
    prompt = load_prompt(FIND)
    said = "\n".join(inquiry.board.said(hit) for hit in reversed(hits))
    reply = inquiry.generate(
        GenerateRequest(
            messages=prompt.render(question=inquiry.question, turns=said),
            static_messages=len(prompt.static),
            max_tokens=MAX_TOKENS,
            stop=("\n",),
            withheld=NOT_TOLD,
            adapted=True,
        )
    )
    return Heard(cleaned(reply), reply.withheld_probability, hits)


def _shown(inquiry: Inquiry) -> tuple[TurnHit, ...]:
    """Give the nearest turns, an assistant's only where they may tell something."""
    silent = inquiry.about.assistants is False
    hits = [hit for hit in inquiry.board.hits if not (silent and hit.role is Role.ASSISTANT)]
    is_list = inquiry.read.kind is Kind.LIST
    return tuple(hits[: MAX_TURNS_OF_LIST if is_list else MAX_TURNS])


def is_untold(inquiry: Inquiry, heard: Heard) -> bool:
    """Tell whether whom the question names did not tell it: somebody else did, or nobody.

    How probable the model finds "not told" is weighed with how much better the turns of whom the
    question names match it than the others' (`gap.lead`).
    """
    share = min(max(heard.not_told, LEAST_SHARE), 1 - LEAST_SHARE)
    ahead = max(lead(inquiry), LEAST_LEAD) if only_named(inquiry) else LEAD_OF_NOBODY
    odds = math.log(share / (1 - share))
    return BIAS + NOT_TOLD_WEIGHT * odds + LEAD_WEIGHT * ahead > 0


def prove_heard(inquiry: Inquiry, heard: Heard) -> Proved | None:
    """Check the wording against the turns of this person; None where they do not have it."""
    own = [hit for hit in heard.hits if inquiry.about.admits(hit) or _SPEAKS_TO.search(hit.text)]
    if not own:
        return None
    if inquiry.read.kind is Kind.YES_NO:
        return yes_or_no(heard.answer, own)
    proved = copied(inquiry, heard.answer, own)
    if proved is None:
        return None
    return replace(proved, answer=summed(inquiry.read.question, proved.answer))
