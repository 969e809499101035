"""The work that is still to be done: by chat, what failed, and what is to come first."""

from apexmem_desktop.domain.errors import ModelMissingError
from apexmem_desktop.domain.reading import ChatQueue, Drops, FailedTurn, QueueOverview
from apexmem_desktop.domain.reports import Changes
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import drops, jobs, queue, runs

_SHOWN_FAILED = 200


def queues(ws: Workspace) -> tuple[ChatQueue, ...]:
    """Tell how far each chat has been read, what waits first."""
    with ws.vault.read() as db:
        return tuple(queue.find_queues(db))


def failed(ws: Workspace, *, limit: int = _SHOWN_FAILED) -> tuple[FailedTurn, ...]:
    """List the turns whose reading failed, with the reasons."""
    with ws.vault.read() as db:
        return tuple(queue.find_failed(db, limit=limit))


def dropped(ws: Workspace, *, reason: str = "", limit: int = _SHOWN_FAILED) -> Drops:
    """Show what was read and not stored, and why.

    Args:
        reason: Show only what was dropped for this reason; "" for any.
    """
    with ws.vault.read() as db:
        found = drops.find_drops(db, reason=reason, limit=limit)
        return Drops(drops.count_drops(db), tuple(found))


def overview(ws: Workspace, *, limit: int = _SHOWN_FAILED) -> QueueOverview:
    """Tell how far the whole memory has been read, with what failed and why."""
    with ws.vault.read() as db:
        count = jobs.counts(db)
        return QueueOverview(
            pending=count["pending"],
            read=count["read"],
            passed_over=count["gated"],
            failed=count["failed"],
            read_by_others=len(runs.find_turns_of_others(db, _model_id(ws))),
            failures=tuple(queue.find_failed(db, limit=limit)),
        )


def queue_read_by_others(ws: Workspace) -> int:
    """Let what another model has read be read again, after all else; return how many turns.

    What the other one read and this one does not find gives way then; see `BatchReader`.
    """
    with ws.vault.write() as db:
        numbers = runs.find_turns_of_others(db, _model_id(ws))
        jobs.queue_again(db, numbers, now_ms=ws.now_ms())
        return len(numbers)


def _model_id(ws: Workspace) -> str:
    """Name the model in use; without one every model is another."""
    try:
        return ws.language_for("extraction").model_id
    except ModelMissingError:
        return ""


def retry_failed(ws: Workspace) -> int:
    """Let what failed be read again; return how many turns that is."""
    with ws.vault.write() as db:
        return queue.queue_failed_again(db, now_ms=ws.now_ms())


def read_first(ws: Workspace, conversation_id: int) -> Changes:
    """Let a chat be read before all others."""
    with ws.vault.write() as db:
        queue.put_chat_first(db, conversation_id)
    return Changes()
