"""What many turns share and is kept once: who said it, how, by which clock, in which import."""

from sqlalchemy import func, select

from apexmem_desktop.domain.turn import Role, TurnKind
from apexmem_desktop.storage.columns import Columns, Voice
from apexmem_desktop.storage.rows import append_tuples
from apexmem_desktop.storage.tables import stretches, voices
from apexmem_desktop.storage.vault import Connection

_READABLE_KINDS = {TurnKind.MESSAGE, TurnKind.MEDIA, TurnKind.POLL}
_READABLE_ROLES = {Role.PERSON, Role.USER}
_COLUMNS = (
    *("id", "source_id", "conversation_id", "speaker", "role", "kind"),
    *("offset_minutes", "first_number", "is_read"),
)


def is_read(role: Role, kind: TurnKind) -> bool:
    """Tell whether the graph is built from such turns, rather than that they tell of nobody."""
    return role in _READABLE_ROLES and kind in _READABLE_KINDS


class NewVoices:
    """Finds or makes the voices of turns, and stores all that were made at once."""

    def __init__(self, db: Connection, source_id: int) -> None:
        self._db = db
        self._source_id = source_id
        self._next_id = (db.execute(select(func.max(voices.c.id))).scalar() or 0) + 1
        self._rows: list[tuple[int | str, ...]] = []

    def of(
        self,
        conversation_id: int,
        first_number: int,
        new: Columns,
        *,
        known: dict[Voice, int] | None = None,
    ) -> list[int]:
        """Give the voice of each turn of a chat.

        Args:
            first_number: What their numbers have more than their positions.
            known: Its voices with this first number, as `find_voices` gives them; None for none.
        """
        known = {} if known is None else known
        numbers = []
        for voice in new.voices:
            number = known.get(voice)
            if number is None:
                number = self._next_id + len(self._rows)
                speaker, role, kind, offset_minutes = voice
                self._rows.append(
                    (
                        *(number, self._source_id, conversation_id, speaker),
                        *(str(role), str(kind), offset_minutes, first_number),
                        int(is_read(role, kind)),
                    )
                )
            numbers.append(number)
        return list(map(numbers.__getitem__, new.spoken))

    def store(self) -> None:
        """Store what was made."""
        append_tuples(self._db, voices, _COLUMNS, self._rows)


def find_voices(
    db: Connection, conversation_id: int, source_id: int, first_number: int
) -> dict[Voice, int]:
    """Map the voices that a chat has of an import, as far as this first number, to our numbers."""
    of = voices.c
    stored = db.execute(
        select(of.id, of.speaker, of.role, of.kind, of.offset_minutes)
        .where(of.conversation_id == conversation_id, of.source_id == source_id)
        .where(of.first_number == first_number)
    )
    return {
        (speaker, Role(role), TurnKind(kind), offset): number
        for number, speaker, role, kind, offset in stored
    }


def next_position(db: Connection, conversation_id: int) -> int:
    """Give the first place in a chat that no turn has; those of erased ones may stay empty."""
    last_id = select(func.max(stretches.c.last_id)).where(
        stretches.c.conversation_id == conversation_id
    )
    # Turns stored later have higher numbers and places, and at least the same difference of both.
    first = select(func.max(voices.c.first_number)).where(
        voices.c.conversation_id == conversation_id
    )
    last, first_number = db.execute(
        select(last_id.scalar_subquery(), first.scalar_subquery())
    ).one()
    return 0 if last is None or first_number is None else last - first_number + 1
