"""Which messages do not answer a question: what the user says of a citation, and takes back."""

from collections.abc import Sequence

from apexmem_desktop.domain.errors import NotFoundError, RulingRefusedError
from apexmem_desktop.domain.rulings import RulingKind, RulingResult, Touched
from apexmem_desktop.services.ruling_log import write_consequence, write_ruling
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import derived, facts, turns
from apexmem_desktop.storage.rulings import find_misfits
from apexmem_desktop.upkeep import deriving


def misfit(
    ws: Workspace,
    question: str,
    turn_id: int,
    *,
    fact_ids: Sequence[int] = (),
    reason: str = "",
) -> RulingResult:
    """Say that a turn does not answer a question: it is not cited for it again.

    Args:
        question: As it was read (`Answer.read_as`): a follow-up with what was asked before.
        fact_ids: Facts that were read out of the turn's words and are wrong with it: they are
            rejected in the same ruling, and hold again when that is taken back.

    Raises:
        NotFoundError: There is no such turn or fact.
        RulingRefusedError: It was said already.
    """
    at_ms = ws.now_ms()
    with ws.vault.write() as db:
        turn = turns.get_turn(db, turn_id)
        if len(facts.find_facts(db, ids=list(fact_ids))) < len(set(fact_ids)):
            raise NotFoundError("One of these facts is not in this memory.", hint="Ask again.")
        if turn_id in find_misfits(db, question):
            raise RulingRefusedError(
                "This message was said not to fit already.", hint="Take it back with: apexmem undo"
            )
        result = write_ruling(
            db,
            RulingKind.MISFIT,
            f'said that turn {turn.id} by {turn.speaker or "nobody"} does not fit: "{question}"',
            Touched(fact_ids=tuple(fact_ids)),
            at_ms=at_ms,
            reason=reason,
            turn_id=turn_id,
            question=question,
        )
        for fact_id in fact_ids:
            number = result.ruling.id
            write_consequence(db, number, RulingKind.REJECT, fact_id=fact_id, at_ms=at_ms)
        deriving.refresh(db, derived.find_subjects(db, tuple(fact_ids)), now_ms=at_ms)
        return result
