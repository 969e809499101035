"""Asks the model whether the message says just what a candidate says: one token, yes or no.

A small model proposes too much, but it tells apart what was said from what was not when it is shown
one statement at a time. The probability of "yes" is the measured part of a fact's confidence.
"""

from collections.abc import Sequence
from dataclasses import replace

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.confidence import of_checked
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.inference.prompts import load_prompt

PROMPT = "check"
YES, NO = "yes", "no"

# Below this the candidate is dropped: on labelled samples two of three there were wrong.
LEAST_YES = 0.8
# Of these the checker says yes too easily: half of what it passed at 0.8 was only a mood, and of
# what it passed at 0.9 of plain clauses still every other one.
LEAST_YES_VAGUE = 0.965
VAGUE = frozenset({"likes", "practises", "started", "made", "plans", "owns"})


def check_request(speaker: str, candidate: Candidate) -> GenerateRequest:
    """Ask whether the candidate's sentence says it."""
    prompt = load_prompt(PROMPT)
    statement = load_shapes()[candidate.shape].sentence(candidate.who, candidate.value)
    return GenerateRequest(
        messages=prompt.render(
            speaker=speaker, message=candidate.sentence[:400], statement=statement
        ),
        static_messages=len(prompt.static),
        choices=(YES, NO),
    )


def weigh(
    candidates: Sequence[Candidate], replies: Sequence[Generation]
) -> tuple[list[Candidate], list[Candidate]]:
    """Split candidates into those the message says, with their confidence, and the rest."""
    said: list[Candidate] = []
    unsaid: list[Candidate] = []
    for candidate, reply in zip(candidates, replies, strict=True):
        yes = share_of_yes(reply)
        weighed = replace(candidate, confidence=of_checked(yes))
        least = LEAST_YES_VAGUE if candidate.shape in VAGUE else LEAST_YES
        (said if yes >= least else unsaid).append(weighed)
    return said, unsaid


def share_of_yes(reply: Generation) -> float:
    """Return yes / (yes + no), 0 when the model would say neither."""
    yes = reply.choice_probabilities.get(YES, 0.0)
    no = reply.choice_probabilities.get(NO, 0.0)
    return yes / (yes + no) if yes + no > 0 else 0.0
