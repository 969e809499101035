"""What each signal counts in a search. Tuned on the dev conversations; the only place for them."""

from dataclasses import dataclass, replace

from apexmem_desktop.recall.kinds import Kind


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of reciprocal-rank fusion and what is added to it.

    A hit of rank r (from 1) in a list adds `weight / (rank_offset + r)`.

    Attributes:
        rank_offset: The larger, the less the first ranks stand out.
        words: Turns by their words (BM25).
        meaning: Turns by the nearness of their vectors.
        talk: Turns by the nearness of their vectors and their neighbours', names left out.
        fact_words: Turns that prove a fact whose words match.
        fact_meaning: Turns that prove a fact whose vector is near.
        graph: Turns that prove what is known of the entities and properties asked about.
        before: Share of its score that a hit gives to the turn before it.
        after: Share of its score that a hit gives to the turn after it.
        answer: Instead of `after`, where the hit asks something.
        far: What the turns two away get of that share.
        session: Share of its session's three best scores that each hit gets.
        mix: Share in which a turn's own score and its neighbours' gifts add to the largest of them.
        owner: Factor for turns spoken by a person the question names.
        named: Factor for turns spoken to that person which name them.
        other: Factor for other people's turns while somebody is named.
        short: Factor for turns too short to tell anything.
        wider: Turns by synonyms of the question's words.
        in_span: Factor for turns said in the time the question names.
        untelling: For advice, factor for the asker's turns that tell nothing of themselves.
        each_more: For advice, what each word of the topic after the first adds to 1.
        pair: For advice, what two words of the topic side by side add to 1.
        of_type: What a fact of the kind of memory that is asked for has more, in matching words.
    """

    rank_offset: float = 8.0
    words: float = 1.0
    meaning: float = 1.0
    talk: float = 0.7
    fact_words: float = 0.5
    fact_meaning: float = 0.5
    graph: float = 0.5
    before: float = 0.2
    after: float = 0.6
    answer: float = 0.8
    far: float = 0.6
    session: float = 0.06
    mix: float = 0.5
    owner: float = 1.3
    named: float = 0.9
    other: float = 0.8
    short: float = 0.6
    wider: float = 0.5
    in_span: float = 2.0
    untelling: float = 0.6
    each_more: float = 0.3
    pair: float = 0.6
    of_type: float = 0.25


WEIGHTS = Weights()
# What the asker told of themselves bears on advice, and often stands in a talk of something else:
# so a turn counts by itself, not by those around it, and an assistant's advice counts little. Tuned
# on invented questions and the oracle set's; see docs/quality.md.
ADVICE = replace(
    WEIGHTS,
    words=0.8,
    meaning=1.5,
    talk=0.6,
    fact_words=0.0,
    fact_meaning=0.2,
    graph=0.0,
    before=0.0,
    after=0.0,
    answer=0.0,
    session=0.0,
    other=0.4,
)


def weights_for(kind: Kind) -> Weights:
    """Give the weights for a kind of question."""
    return ADVICE if kind is Kind.ADVICE else WEIGHTS


# How many of each list are looked at, whatever is asked for: fusion needs more than it gives.
POOL = 100
# Of so many best hits the turns beside them are read; reading them costs more than ranking.
NEIGHBOURED = 40
# Of equal hits the one that proves a weightier fact goes first; far below any difference of scores.
TIED = 1e-12
# A turn this short says nothing by itself: its neighbours do.
SHORT_CHARS = 25
# Vectors farther apart have nothing to do with each other; a small vault would find all its turns.
NEAR_COSINE = 0.2
# What the nearness of the turn before, and of that after, counts in a stretch of talk.
TALK_SHARE = 0.3
