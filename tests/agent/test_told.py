"""Whether an answer is told: each sign counts, and none of them alone."""

from dataclasses import replace

from apexmem_desktop.agent.told import LEAST_TOLD, Signs
from apexmem_desktop.domain.answers import TurnHit


def _hit(text: str, score: float) -> TurnHit:
    return TurnHit(
        turn_id=1,
        session_id=1,
        session_title="",
        speaker="Ana Ruiz",
        said_at_ms=0,
        offset_minutes=0,
        text=text,
        score=score,
        why=(),
    )


NEAR = _hit("my new kiln is bright orange", 0.5)
FAR = _hit("see you on Friday", 0.1)
TOLD = Signs(0.7, -0.1, [NEAR], [NEAR, FAR], ["kiln", "colour"])


def test_what_stands_in_near_turns_on_the_topic_is_told() -> None:
    assert TOLD.told() > LEAST_TOLD


def test_what_was_copied_from_a_turn_beside_the_point_is_not() -> None:
    beside = replace(TOLD, cited=[FAR], near=[FAR], mean_logprob=-0.4)
    assert beside.told() < LEAST_TOLD


def test_each_sign_counts() -> None:
    weaker = [
        replace(TOLD, support=0.1),
        replace(TOLD, mean_logprob=-1.0),
        replace(TOLD, cited=[FAR]),
        replace(TOLD, near=[FAR]),
        replace(TOLD, topic=["lake"]),
    ]
    assert all(one.told() < TOLD.told() for one in weaker)


def test_without_turns_nothing_is_told() -> None:
    assert replace(TOLD, cited=[], near=[]).told() < LEAST_TOLD
