"""The log of what the user decided: what stands, what was taken back, and how to say it.

The vault keeps rows only. A ruling that merges or corrects keeps in its detail which rows it made,
so that taking it back means taking back each of them, by further rows. A redo rules anew: the row
of an undo is never taken back itself, so that every reader may see a ruling as standing or not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apexmem_desktop.domain.graph import Fact, Modality
from apexmem_desktop.domain.rulings import (
    Ruling,
    RulingAbout,
    RulingKind,
    RulingResult,
    Touched,
)
from apexmem_desktop.storage.entities import find_own_names
from apexmem_desktop.storage.facts import find_facts
from apexmem_desktop.storage.rulings import StoredRuling, append_ruling, find_all_rulings
from apexmem_desktop.storage.turns import find_turns
from apexmem_desktop.storage.vault import Connection

_QUOTE_CHARS = 120


@dataclass(frozen=True, slots=True)
class RulingLog:
    """Rulings by whether they stand.

    Attributes:
        rows: What the user did, oldest first; consequences of a ruling are not listed.
        standing: Rulings that undo would take back, the next one last.
        undone: Rows of undos that redo would make good again, the next one last.
        consequences: By ruling: the rows that were written along with it.
    """

    rows: tuple[StoredRuling, ...]
    standing: tuple[StoredRuling, ...]
    undone: tuple[StoredRuling, ...]
    consequences: Mapping[int, tuple[StoredRuling, ...]]

    def get(self, ruling_id: int) -> StoredRuling:
        """Give the row of a number that the log itself named."""
        return next(row for row in self.rows if row.id == ruling_id)


def read_log(db: Connection) -> RulingLog:
    """Read all rulings and walk through them in the order they were made."""
    every = find_all_rulings(db)
    rows = [row for row in every if "part_of" not in row.detail]
    standing: list[StoredRuling] = []
    undone: list[StoredRuling] = []
    for row in rows:
        if row.undoes_id is not None:
            standing = [one for one in standing if one.id != row.undoes_id]
            undone.append(row)
        elif "redoes" in row.detail:
            undone = [one for one in undone if one.id != row.detail["redoes"]]
            standing.append(row)
        else:
            undone.clear()
            standing.append(row)
    consequences: dict[int, tuple[StoredRuling, ...]] = {}
    for row in every:
        if "part_of" in row.detail:
            owner = row.detail["part_of"]
            consequences[owner] = (*consequences.get(owner, ()), row)
    return RulingLog(tuple(rows), tuple(standing), tuple(undone), consequences)


def write_ruling(
    db: Connection,
    kind: RulingKind,
    says: str,
    changed: Touched,
    *,
    at_ms: int,
    fact_id: int | None = None,
    entity_id: int | None = None,
    reason: str = "",
    undoes_id: int | None = None,
    link_rows: Sequence[int] = (),
    **more: Any,
) -> RulingResult:
    """Store what the user did, with what it takes to take it back.

    Args:
        link_rows: The rows of `entity_links` that it appended.
        more: What else a later undo or redo needs to know.
    """
    detail = {
        "says": says,
        "link_rows": list(link_rows),
        "changed": [list(changed.entity_ids), list(changed.fact_ids), list(changed.turn_ids)],
        **more,
    }
    number = append_ruling(
        db,
        kind=str(kind),
        ruled_at_ms=at_ms,
        fact_id=fact_id,
        entity_id=entity_id,
        detail=detail,
        reason=reason,
        undoes_id=undoes_id,
    )
    row = StoredRuling(number, str(kind), fact_id, entity_id, detail, reason, undoes_id, at_ms)
    ruling = Ruling(
        id=number,
        kind=kind,
        ruled_at_ms=at_ms,
        says=says,
        fact_id=fact_id,
        entity_id=entity_id,
        reason=reason,
        undoes_id=undoes_id,
        again_id=more.get("again"),
        about=find_abouts(db, [row])[number],
    )
    return RulingResult(ruling, changed)


def write_consequence(
    db: Connection,
    owner_id: int,
    kind: RulingKind,
    *,
    fact_id: int,
    at_ms: int,
    undoes_id: int | None = None,
) -> None:
    """Store a row that comes with a ruling and is taken back with it."""
    append_ruling(
        db,
        kind=str(kind),
        ruled_at_ms=at_ms,
        fact_id=fact_id,
        detail={"part_of": owner_id},
        undoes_id=undoes_id,
    )


def find_abouts(db: Connection, rows: Sequence[StoredRuling]) -> dict[int, RulingAbout]:
    """Tell in parts what rulings were about: by the facts and the names as they are known now."""
    both = ((row.fact_id, row.detail.get("new_fact")) for row in rows)
    numbers = {number for pair in both for number in pair if number is not None}
    told = {fact.id: fact for fact in find_facts(db, ids=sorted(numbers))}
    names = find_own_names(db, sorted({one for row in rows for one in _entities_of(row)}))
    turn_ids = {row.detail["turn_id"] for row in rows if "turn_id" in row.detail}
    quotes = {turn.id: turn.text[:_QUOTE_CHARS] for turn in find_turns(db, sorted(turn_ids))}
    return {row.id: _about(row, told, names, quotes) for row in rows}


def _about(
    row: StoredRuling,
    told: Mapping[int, Fact],
    names: Mapping[int, str],
    quotes: Mapping[int, str],
) -> RulingAbout:
    if "turn_id" in row.detail:
        quote = quotes.get(row.detail["turn_id"], "")
        return RulingAbout(question=row.detail["question"], quote=quote)
    fact, new = told.get(row.fact_id or 0), told.get(row.detail.get("new_fact", 0))
    if fact is None:
        return RulingAbout(names=tuple(names[one] for one in _entities_of(row) if one in names))
    return RulingAbout(
        subject=fact.subject,
        property_name=fact.property,
        value=fact.value,
        denied=not fact.polarity or fact.modality is Modality.NEGATED,
        new_value=new.value if new is not None else "",
    )


def _entities_of(row: StoredRuling) -> list[int]:
    """List the entities of a ruling, the one that it names first."""
    if row.entity_id is None:
        return []
    if "both" in row.detail:
        return list(row.detail["both"])
    return list(dict.fromkeys([row.entity_id, *touched_by(row).entity_ids]))


def as_ruling(row: StoredRuling, about: RulingAbout) -> Ruling:
    """Give a row as the faces of the program see it."""
    return Ruling(
        id=row.id,
        kind=RulingKind(row.kind),
        ruled_at_ms=row.ruled_at_ms,
        says=row.detail.get("says", row.kind),
        fact_id=row.fact_id,
        entity_id=row.entity_id,
        reason=row.reason,
        undoes_id=row.undoes_id,
        again_id=row.detail.get("again"),
        about=about,
    )


def touched_by(row: StoredRuling) -> Touched:
    """Tell what a stored ruling touched."""
    entity_ids, fact_ids, turn_ids = row.detail.get("changed", [[], [], []])
    return Touched(tuple(entity_ids), tuple(fact_ids), tuple(turn_ids))
