"""What the user decided, and what each decision touched."""

from dataclasses import dataclass, field
from enum import StrEnum

from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.reports import Changes


class RulingKind(StrEnum):
    """What a ruling does."""

    CONFIRM = "confirm"  # the fact is right
    REJECT = "reject"  # the fact is wrong; it never holds
    CORRECT = "correct"  # another value takes its place
    PREFER = "prefer"  # this side of a conflict is right
    PIN = "pin"  # right, and never to be ranked down
    HIDE = "hide"  # not to be shown or used
    MISFIT = "misfit"  # a turn does not answer a question
    MERGE = "merge"  # two entities are one
    SPLIT = "split"  # an entity is not those it was merged with
    UNDO = "undo"  # takes an earlier ruling back


@dataclass(frozen=True, slots=True)
class RulingAbout:
    """What a ruling was about, in parts that can be told in any language.

    Attributes:
        subject: Of the fact ruled on; "" for a ruling on entities.
        denied: Whether the fact says that the value does not hold.
        new_value: What a correction put in its place.
        names: The entities ruled on, the one that was chosen first.
        question: What a turn was said not to answer.
        quote: The beginning of that turn.
    """

    subject: str = ""
    property_name: str = ""
    value: str = ""
    denied: bool = False
    new_value: str = ""
    names: tuple[str, ...] = ()
    question: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """One decision of the user.

    Attributes:
        fact_id: The fact ruled on; None for a ruling on entities or on a turn.
        entity_id: The entity ruled on; None for a ruling on a fact or on a turn.
        says: In plain words, what was decided: "merged Anna into Ana".
        undoes_id: The ruling that this one takes back.
        again_id: The ruling that this one makes anew after it was taken back (redo).
        about: The same as `says`, in parts.
    """

    id: int
    kind: RulingKind
    ruled_at_ms: int
    says: str
    fact_id: int | None = None
    entity_id: int | None = None
    reason: str = ""
    undoes_id: int | None = None
    again_id: int | None = None
    about: RulingAbout = RulingAbout()


@dataclass(frozen=True, slots=True)
class Touched:
    """What a ruling changed for a reader, by number.

    Attributes:
        entity_ids: Entities whose merging changed; each is a number of its own, merged or not.
        fact_ids: Facts that were ruled on, or that a correction added.
        turn_ids: Turns added: the user's own words.
    """

    entity_ids: tuple[int, ...] = ()
    fact_ids: tuple[int, ...] = ()
    turn_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RulingResult:
    """A ruling that was made, and what it touched."""

    ruling: Ruling
    changed: Touched = field(default_factory=Touched)

    @property
    def changes(self) -> Changes:
        """Tell the views what to read anew."""
        return Changes(
            turns=bool(self.changed.turn_ids),
            entities=bool(self.changed.entity_ids),
            facts=bool(self.changed.fact_ids or self.changed.entity_ids),
        )


@dataclass(frozen=True, slots=True)
class SaidOfTwo:
    """What was said of two entities before, in parts that can be told in any language.

    Attributes:
        is_same: Whether they were said to be the same; else surely not.
        by: "rule", "model" or "user".
    """

    a_id: int
    a: str
    b_id: int
    b: str
    is_same: bool
    by: str

    def __str__(self) -> str:
        """Say it in plain words, as the command line does."""
        said = "to be the same" if self.is_same else "not to be the same"
        who = "you" if self.by == "user" else f"a {self.by}"
        return f"{self.a} ({self.a_id}) and {self.b} ({self.b_id}) were said {said} by {who}"


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What a merge would bring together; nothing is stored.

    Attributes:
        stays_id: The entity that would stand for both: the older one.
        moves_id: The entity that would be shown under the other's name.
        names: Every name that the merged entity would go by.
        facts_moved: Facts about the one that moves, or with it as their value.
        mentions_moved: Turns that it speaks in or is spoken of in.
        takes_back: What was said before that the merge would overrule.
        is_done: The user made them one already: there is nothing to merge.
        refused_by: What the user said before that stands against it; None when it can be done.
    """

    stays_id: int
    stays: str
    moves_id: int
    moves: str
    names: tuple[str, ...]
    facts_moved: int
    mentions_moved: int
    takes_back: tuple[SaidOfTwo, ...] = ()
    is_done: bool = False
    refused_by: SaidOfTwo | None = None


@dataclass(frozen=True, slots=True)
class SplitPreview:
    """What would be known of each, were one taken out of those it was merged with.

    Attributes:
        goes: The one that is taken out, as it would be then.
        stays: The others; more than one where only the one that goes made them one.
    """

    goes: Entity
    stays: tuple[Entity, ...]


class LinkState(StrEnum):
    """Whether a link between entities counts now."""

    STANDS = "stands"
    HELD_BACK = "held back"  # it gives way to older evidence or to the user's word
    TAKEN_BACK = "taken back"
    TAKES_BACK = "takes back"  # a row that is no link, but takes one back


@dataclass(frozen=True, slots=True)
class EntityLink:
    """One row of the log of merges.

    Attributes:
        kind: "same_as" or "not_same_as".
        by: "rule", "model" or "user".
        because: Why it is held back, in plain words.
    """

    id: int
    a_id: int
    b_id: int
    kind: str
    by: str
    reason: str
    recorded_at_ms: int
    state: LinkState
    undoes_id: int | None = None
    because: str = ""
