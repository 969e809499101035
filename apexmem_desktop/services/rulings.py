"""What the user decides: who is whom, and which facts are right. Everything can be taken back.

Each function appends; none changes a row. Nothing here is final: `undo` takes back the newest
ruling that stands, again and again down to the first; `redo` makes anew what was just undone.
"""

from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.rulings import MergePreview, Ruling, RulingResult
from apexmem_desktop.services.workspace import Workspace


def merge(ws: Workspace, a_id: int, b_id: int, *, reason: str = "") -> RulingResult:
    """Say that two entities are one.

    Raises:
        NotFoundError: One of the numbers belongs to nothing.
        RulingRefusedError: They are one already, or were told apart through a third.
    """
    raise NotImplementedError


def preview_merge(ws: Workspace, a_id: int, b_id: int) -> MergePreview:
    """Tell what a merge would bring together; stores nothing."""
    raise NotImplementedError


def split(ws: Workspace, entity_id: int, *, reason: str = "") -> RulingResult:
    """Take one entity out of those it was merged with, and keep it from them.

    Raises:
        RulingRefusedError: It is not merged with anything.
    """
    raise NotImplementedError


def tell_apart(ws: Workspace, a_id: int, b_id: int, *, reason: str = "") -> RulingResult:
    """Say that two entities are surely not the same.

    Raises:
        RulingRefusedError: The user joined them through others, or told them apart already.
    """
    raise NotImplementedError


def confirm(ws: Workspace, fact_id: int, *, reason: str = "") -> RulingResult:
    """Say that a fact is right."""
    raise NotImplementedError


def reject(ws: Workspace, fact_id: int, *, reason: str = "") -> RulingResult:
    """Say that a fact is wrong: it stays to be seen, and never holds."""
    raise NotImplementedError


def prefer(ws: Workspace, fact_id: int, *, reason: str = "") -> RulingResult:
    """Say that this side of a conflict is right."""
    raise NotImplementedError


def pin(ws: Workspace, fact_id: int, *, reason: str = "") -> RulingResult:
    """Say that a fact is right and matters."""
    raise NotImplementedError


def hide(ws: Workspace, fact_id: int, *, reason: str = "") -> RulingResult:
    """Take a fact out of every answer, without saying that it is wrong."""
    raise NotImplementedError


def correct(
    ws: Workspace,
    fact_id: int,
    value: str,
    *,
    valid_from: Bound | None = None,
    reason: str = "",
) -> RulingResult:
    """Give the right value of a fact; `changed.fact_ids` is (the old fact, the new one).

    The user's statement becomes a turn of the conversation "Your notes", which proves the new
    fact; that takes the old one's place and, without `valid_from`, its time.

    Raises:
        RulingRefusedError: The value is empty, or is the value that the fact has.
    """
    raise NotImplementedError


def undo(ws: Workspace) -> RulingResult:
    """Take back the newest ruling that stands.

    Raises:
        RulingRefusedError: No ruling stands.
    """
    raise NotImplementedError


def redo(ws: Workspace) -> RulingResult:
    """Make anew the ruling that was taken back last; a new ruling in between ends that.

    Raises:
        RulingRefusedError: There is nothing to redo.
    """
    raise NotImplementedError


def list_rulings(ws: Workspace, *, limit: int = 200) -> tuple[Ruling, ...]:
    """List what the user decided, the newest first, undos and redos among it."""
    raise NotImplementedError
