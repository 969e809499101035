"""What the user decides, as the window calls it: each call one service, each of them undoable."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apexmem_desktop.domain.clarifying import OpenQuestion
from apexmem_desktop.domain.rulings import MergePreview, Ruling, RulingResult, SplitPreview

if TYPE_CHECKING:
    from apexmem_desktop.services.workspace import Workspace


class RulingMemory:
    """The part of the memory behind the window that rules on facts, names and open questions."""

    _ws: "Workspace"

    def rule(self, kind: str, fact_id: int, reason: str = "") -> RulingResult:
        """Rule on a fact: "confirm", "reject", "prefer", "pin" or "hide"."""
        from apexmem_desktop.services import rulings

        rules = {
            "confirm": rulings.confirm,
            "reject": rulings.reject,
            "prefer": rulings.prefer,
            "pin": rulings.pin,
            "hide": rulings.hide,
        }
        return rules[kind](self._ws, fact_id, reason=reason)

    def correct(self, fact_id: int, value: str, reason: str = "") -> RulingResult:
        """Give the right value of a fact."""
        from apexmem_desktop.services import rulings

        return rulings.correct(self._ws, fact_id, value, reason=reason)

    def misfit(
        self, question: str, turn_id: int, fact_ids: Sequence[int], reason: str = ""
    ) -> RulingResult:
        """Say that a message does not answer a question, nor prove these facts."""
        from apexmem_desktop.services import rulings

        return rulings.misfit(self._ws, question, turn_id, fact_ids=fact_ids, reason=reason)

    def undo(self) -> RulingResult:
        """Take back the newest ruling that stands."""
        from apexmem_desktop.services import rulings

        return rulings.undo(self._ws)

    def redo(self) -> RulingResult:
        """Make the ruling anew that was taken back last."""
        from apexmem_desktop.services import rulings

        return rulings.redo(self._ws)

    def rulings(self) -> tuple[Ruling, ...]:
        """All that was decided, the newest first."""
        from apexmem_desktop.services import rulings

        return rulings.list_rulings(self._ws)

    def members_of(self, entity_id: int) -> tuple[tuple[int, str], ...]:
        """The names that were merged into one, each with its own number."""
        from apexmem_desktop.services import rulings

        return rulings.members_of(self._ws, entity_id)

    def preview_merge(self, a_id: int, b_id: int) -> MergePreview:
        """Tell what a merge would bring together."""
        from apexmem_desktop.services import rulings

        return rulings.preview_merge(self._ws, a_id, b_id)

    def preview_split(self, entity_id: int) -> SplitPreview:
        """Tell what would be known of each after a split."""
        from apexmem_desktop.services import rulings

        return rulings.preview_split(self._ws, entity_id)

    def merge(self, a_id: int, b_id: int) -> RulingResult:
        """Say that two are one."""
        from apexmem_desktop.services import rulings

        return rulings.merge(self._ws, a_id, b_id)

    def split(self, entity_id: int) -> RulingResult:
        """Take one out of those it was merged with."""
        from apexmem_desktop.services import rulings

        return rulings.split(self._ws, entity_id)

    def tell_apart(self, a_id: int, b_id: int) -> RulingResult:
        """Say that two are surely not one."""
        from apexmem_desktop.services import rulings

        return rulings.tell_apart(self._ws, a_id, b_id)

    def open_questions(self) -> tuple[OpenQuestion, ...]:
        """What only the user can settle."""
        from apexmem_desktop.services import clarifying

        return clarifying.open_questions(self._ws)

    def decide(self, question: OpenQuestion, choice: int, reason: str = "") -> RulingResult:
        """Settle one of these."""
        from apexmem_desktop.services import clarifying

        return clarifying.decide(self._ws, question, choice, reason=reason)
