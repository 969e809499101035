"""What the user tells the memory directly: turns of a conversation of its own, "Your notes".

A correction needs proof like every other fact, and the user's statement is that proof: it is kept
word for word, with its time, and can be opened, cited and searched like any message.
"""

import hashlib

from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.turn import ImportedTurn, Role, TurnKind
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import conversations, jobs, sources, turns
from apexmem_desktop.storage.vault import Connection

NOTES_FORMAT = "notes"
NOTES_ID = "notes"
NOTES_TITLE = "Your notes"
SPEAKER = "You"  # as AI chats call their human; in a question the word names nobody


def append_note(db: Connection, ws: Workspace, text: str, *, at_ms: int) -> int:
    """Store the user's words as a turn, and return its number.

    Args:
        at_ms: UTC instant at which the user said so.
    """
    digest = hashlib.sha256(text.encode()).hexdigest()
    note_id = conversations.find_conversation_id(
        db, format=NOTES_FORMAT, external_id=NOTES_ID, keys=()
    )
    if note_id is None:
        note_id = conversations.append_conversation(
            db, format=NOTES_FORMAT, external_id=NOTES_ID, title=NOTES_TITLE, is_group=False
        )
    # A source each: whoever asks what was known at an earlier time sees only the notes of then.
    source_id = sources.append_source(
        db,
        format=NOTES_FORMAT,
        file_name=NOTES_TITLE,
        sha256=digest,
        zone=ws.zone,
        date_order="",
        date_order_certain=True,
        imported_at_ms=at_ms,
        turns_new=1,
        turns_known=0,
        problems=(),
    )
    turn = ImportedTurn(
        speaker=SPEAKER,
        role=Role.PERSON,
        kind=TurnKind.MESSAGE,
        text=text,
        said_at_ms=at_ms,
        offset_minutes=zones.offset_at(at_ms, ws.zone),
        key=hashlib.sha256(f"{source_id}|{at_ms}|{digest}".encode()).hexdigest()[:32],
    )
    [number] = turns.append_turns(db, conversation_id=note_id, source_id=source_id, turns=[turn])
    # Its fact is stored beside it; a model must not read it into a second one.
    jobs.set_state(db, [number], "gated", "the user's own note", now_ms=at_ms)
    return number
