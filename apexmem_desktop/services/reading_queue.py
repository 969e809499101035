"""The work that is still to be done: by chat, what failed, and what is to come first."""

from apexmem_desktop.domain.reading import ChatQueue, FailedTurn
from apexmem_desktop.domain.reports import Changes
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import queue

_SHOWN_FAILED = 200


def queues(ws: Workspace) -> tuple[ChatQueue, ...]:
    """Tell how far each chat has been read, what waits first."""
    with ws.vault.read() as db:
        return tuple(queue.find_queues(db))


def failed(ws: Workspace, *, limit: int = _SHOWN_FAILED) -> tuple[FailedTurn, ...]:
    """List the turns whose reading failed, with the reasons."""
    with ws.vault.read() as db:
        return tuple(queue.find_failed(db, limit=limit))


def retry_failed(ws: Workspace) -> int:
    """Let what failed be read again; return how many turns that is."""
    with ws.vault.write() as db:
        return queue.queue_failed_again(db, now_ms=ws.now_ms())


def read_first(ws: Workspace, conversation_id: int) -> Changes:
    """Let a chat be read before all others."""
    with ws.vault.write() as db:
        queue.put_chat_first(db, conversation_id)
    return Changes()
