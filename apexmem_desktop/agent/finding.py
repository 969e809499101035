"""Finds the answer's wording with the nearest turns in view at once, and the turns that tell it.

On 37 questions of the dev conversations the wording found so had F1 0.52. Six to twelve turns do
equally well, the nearest last: a small model reads best what it read last. Whether the turns tell
it is asked once, of the few that have its words.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from apexmem_desktop.agent.asked_time import date_of_answer
from apexmem_desktop.agent.copying import cleaned, copied_parts, is_copied, repeats, words_of
from apexmem_desktop.agent.inquiry import MAX_SHOWN_PROOF, Inquiry
from apexmem_desktop.agent.summing import summed
from apexmem_desktop.agent.told import LEAST_TOLD, Signs
from apexmem_desktop.agent.topic import topic_words
from apexmem_desktop.agent.verifying import Proved, is_of_another_property
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.inference.prompts import load_prompt
from apexmem_desktop.recall.kinds import Kind

FIND = "find"
MAX_TURNS = 8
MAX_TURNS_OF_LIST = 12
MAX_TOKENS = 40
MAX_CITED = 3
# Below it the model says that the turns tell something else, whatever their words are.
LEAST_SUPPORT = 0.35

_YES_OR_NO = re.compile(r"\W*(yes|no|是的?|没有|不是)\b", re.IGNORECASE)


def find_wording(inquiry: Inquiry) -> Proved | None:
    """Return the wording that the turns tell; None where there is none, or they do not tell it."""
    is_list = inquiry.read.kind is Kind.LIST
    hits = inquiry.admitted[: MAX_TURNS_OF_LIST if is_list else MAX_TURNS]
    if not hits:
        return None
    reply = inquiry.generate(_request(inquiry, hits))
    answer = cleaned(reply)
    if inquiry.read.kind is Kind.YES_NO:
        found = yes_or_no(answer, hits)
    else:
        found = copied(inquiry, answer, hits)
    if found is None or not _is_told(inquiry, found, hits, reply):
        return None
    return replace(found, answer=summed(inquiry.read.question, found.answer))


def _request(inquiry: Inquiry, hits: Sequence[TurnHit]) -> GenerateRequest:
    prompt = load_prompt(FIND)
    said = "\n".join(inquiry.board.said(hit) for hit in reversed(hits))
    return GenerateRequest(
        messages=prompt.render(question=inquiry.question, turns=said),
        static_messages=len(prompt.static),
        max_tokens=MAX_TOKENS,
        stop=("\n",),
    )


def yes_or_no(answer: str, hits: Sequence[TurnHit]) -> Proved | None:
    """Take only the first word, with the nearest turns as its proof."""
    said = _YES_OR_NO.match(answer)
    return Proved(said.group(1).capitalize(), tuple(hits[:MAX_CITED])) if said else None


def copied(inquiry: Inquiry, answer: str, hits: Sequence[TurnHit]) -> Proved | None:
    """Check that the wording is the turns' own, and find the turns that have it."""
    if not answer or repeats(answer, inquiry.read.question):
        return None
    cited = _telling(inquiry, hits, answer)
    told = " ".join(inquiry.board.said(hit) for hit in cited)
    if not is_copied(answer, told):
        answer = _told_of_list(inquiry, answer, told)
    if not answer:
        return None
    if is_of_another_property(inquiry, answer):
        inquiry.drop(answer, "it is known as something else than what is asked")
        return None
    if inquiry.read.kind is Kind.WHEN:
        answer = date_of_answer(answer, cited, inquiry.read.language)
    return Proved(answer, tuple(cited))


def _told_of_list(inquiry: Inquiry, answer: str, told: str) -> str:
    """Keep of several things those that the turns tell; "" for none, or where one was asked for."""
    kept, left = copied_parts(answer, told)
    if inquiry.read.kind is not Kind.LIST or not kept:
        kept, left = [], [answer]
    for part in left:
        inquiry.drop(part, "not in the turns")
    return ", ".join(kept)


def _telling(inquiry: Inquiry, hits: Sequence[TurnHit], answer: str) -> list[TurnHit]:
    """Give the few turns that together have most of the answer's words, the nearest first."""
    missing = set(words_of(answer))
    cited: list[TurnHit] = []
    while missing and len(cited) < MAX_CITED:
        own = [missing & set(words_of(inquiry.board.said(hit))) for hit in hits]
        most = max(range(len(hits)), key=lambda i: len(own[i]))
        if not own[most]:
            break
        cited.append(hits[most])
        missing -= own[most]
    return cited


def _is_told(inquiry: Inquiry, found: Proved, hits: Sequence[TurnHit], reply: Generation) -> bool:
    proof = " / ".join(inquiry.board.said(hit) for hit in found.hits)
    support = inquiry.support(found.answer, proof)
    topic = topic_words(inquiry.read, inquiry.about)
    told = Signs(support, reply.mean_logprob, found.hits, hits, topic).told()
    if support >= LEAST_SUPPORT and told >= LEAST_TOLD:
        return True
    inquiry.drop(found.answer, f"not told ({told:.2f}): {proof[:MAX_SHOWN_PROOF]}")
    return False
