"""What holds when, the slow way: from the words of DESIGN.md part 3, pair by pair.

Nothing here is shared with the program. Its rules, in the words they were written from:

* When a fact ended is stored only if somebody said so; otherwise it is worked out from the next
  value of the same single-valued property. Many-valued properties never end one another.
  Who says "I worked there until May" says it of what was told before of working there, too.
* What is denied ends what was said, and saying it again ends the denial: these two cannot both be.
* Never across modalities. A plan is not an event yet; it is over once it came true or was denied.
* A fact learned late but valid earlier does not win over a newer one: valid time decides.
* Each bound is an interval. A fact may have begun from its earliest start on; it surely had begun
  by its latest start, when it was said, and before it ended. While another value was said to
  hold, it had not begun.
* A correction is a new row and a link: what was said to take another's place cannot be so
  together with it.
* Where two begin with equal right both are shown, until the user's word settles it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

REFUSED = ("reject", "correct", "hide")
BACKED = ("confirm", "prefer", "pin")


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that was told.

    Attributes:
        topic: What it is about; "hates tofu" is of the topic of likes.
        value: Equal for equal values.
        yes: Whether it says that something is so.
        sense: "world" for what is said of the world, "plan", or another modality by its name.
        said: When it was said.
        start: Earliest and latest start, where words told one; else it held when it was said.
            The earliest is None where only the latest is known.
        end: Earliest and latest end, where words told one.
        fixed: Whether it holds from the first day of a life.
        replaces: What it was said outright to take the place of, by number.
    """

    id: int
    subject: int
    topic: str
    value: str
    yes: bool
    sense: str
    single: bool
    said: int
    start: tuple[int | None, int] | None = None
    end: tuple[int, int] | None = None
    fixed: bool = False
    replaces: int | None = None


def answer(told: Iterable[Told], rulings: Mapping[int, str], at: int) -> dict[int, str]:
    """Tell of each thing told what it is at an instant: current, past, planned and so on."""
    everything = list(told)
    standing = [one for one in everything if rulings.get(one.id) not in REFUSED]
    world = _World(standing, {i for i, kind in rulings.items() if kind in BACKED})
    return {one.id: world.status(one, at) if one in standing else "rejected" for one in everything}


@dataclass(frozen=True, slots=True)
class _World:
    told: list[Told]
    backed: set[int]

    def status(self, one: Told, at: int) -> str:
        if self.is_beaten(one) or self.is_over(one, at):
            return "past"
        if one.sense != "world" or not self.has_begun(one, at):
            return "planned"
        return "contested" if self.has_equal(one, at) else "current"

    def rivals(self, one: Told) -> list[Told]:
        """Give what cannot be so together with it."""
        return [
            other
            for other in self.told
            if (other.subject, other.topic, other.sense) == (one.subject, one.topic, one.sense)
            and (
                _replaces(one, other)
                or _replaces(other, one)
                or (
                    one.yes != other.yes
                    if one.value == other.value
                    else one.single and one.sense == "world" and one.yes and other.yes
                )
            )
        ]

    def has_begun(self, one: Told, at: int) -> bool:
        if at < may_begin(one):
            return False
        return all(surely(r) >= surely(one) or at >= surely(r) for r in self.rivals(one))

    def is_over(self, one: Told, at: int) -> bool:
        if any(at >= end for end in self.said_ends(one)):
            return True
        if any(surely(r) > surely(one) and self.has_begun(r, at) for r in self.rivals(one)):
            return True
        return one.sense == "plan" and any(at >= surely(x) for x in self.settling(one))

    def said_ends(self, one: Told) -> list[int]:
        """Give when it was surely over: its own end, else one that was told of the same value."""
        if one.end is not None:
            return [one.end[1]]
        same = (one.subject, one.topic, one.sense, one.value, one.yes)
        return [
            x.end[1]
            for x in self.told
            if x.end is not None
            and (x.subject, x.topic, x.sense, x.value, x.yes) == same
            and x.end[1] >= surely(one)
        ]

    def settling(self, plan: Told) -> list[Told]:
        """Give what was told of the world after a plan and settles it."""
        stated = None if plan.single or plan.start is None else plan.start[0]
        due = plan.said if stated is None else stated
        return [
            other
            for other in self.told
            if (other.subject, other.topic, other.value, other.sense)
            == (plan.subject, plan.topic, plan.value, "world")
            and surely(other) > plan.said
            and (other.yes != plan.yes or surely(other) >= due)
        ]

    def is_beaten(self, one: Told) -> bool:
        """Tell whether another that begins with equal right has the user's word, or its place."""
        return any(
            _replaces(r, one) and not _replaces(one, r)
            if (r.id in self.backed) == (one.id in self.backed)
            else r.id in self.backed
            for r in self.rivals(one)
            if surely(r) == surely(one)
        )

    def has_equal(self, one: Told, at: int) -> bool:
        return any(
            surely(r) == surely(one)
            and self.has_begun(r, at)
            and not self.is_over(r, at)
            and not self.is_beaten(r)
            for r in self.rivals(one)
        )


def _replaces(one: Told, other: Told) -> bool:
    return one.replaces == other.id


def surely(one: Told) -> int:
    """Tell by when it had surely begun."""
    if one.fixed:
        return -(10**30)
    limits = [one.said if one.start is None else one.start[1]]
    if one.start is None or one.start[0] is None or one.said >= one.start[0]:
        limits.append(one.said)
    if one.end is not None:
        limits.append(one.end[0])
    return min(limits)


def may_begin(one: Told) -> int:
    """Tell from when on it may have begun."""
    if one.fixed or one.start is None or one.start[0] is None:
        return surely(one)
    return min(one.start[0], surely(one))
