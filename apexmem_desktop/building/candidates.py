"""What was read from a turn but is not yet a fact."""

import builtins
from dataclasses import dataclass

from apexmem_desktop.domain.graph import Quote


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible fact, by offsets into its turn.

    Attributes:
        who: The subject's words: a name, a relation ("sister"), or the speaker's name.
        of_speaker: True when `who` is a relation of the speaker ("my sister").
        property: Name of a property shape, or a specialised one ("favourite_restaurant").
        value_start: Offset of the value in the turn's text, in characters.
        sentence_start: Offset of the sentence that it stands in.
        by: "rule" or "model".
        confidence: 0.0 to 1.0.
        named: A proper name that the value was given ("a cat … called Biscuit").
        holds: False when it is said not to be so, or no longer.
        beside: Words of other turns that belong to the proof: the question that it answers.
        from_question: The value stands in the question, the turn itself only says "yes".
        resumed: True when something that had stopped is taken up again.
        as_said: The value's own words, where "your" in them was replaced by the name of the one
            spoken to.
    """

    turn_id: int
    who: str
    of_speaker: bool
    property: str
    shape: str
    value: str
    value_start: int
    value_end: int
    sentence: str
    sentence_start: int
    by: str
    confidence: float
    named: str = ""
    holds: bool = True
    resumed: bool = False
    run_id: int | None = None
    beside: tuple[Quote, ...] = ()
    from_question: bool = False
    as_said: str = ""

    @builtins.property  # the plain name is a field of this class
    def sentence_end(self) -> int:
        """Offset just after the sentence."""
        return self.sentence_start + len(self.sentence)
