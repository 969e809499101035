"""Whose vectors there are, and whose serve searches while another embedder takes over."""

from sqlalchemy import delete, func, select

from apexmem_desktop.storage.tables import fact_vectors, facts, turn_vectors, turns
from apexmem_desktop.storage.turns import embeddable
from apexmem_desktop.storage.vault import Connection

_TABLES = (turn_vectors, fact_vectors)


def find_embedders(db: Connection) -> list[str]:
    """List those that have vectors, by name."""
    found: set[str] = set()
    for table in _TABLES:
        # One step of the index a name, not one a vector.
        wanted = select(func.min(table.c.embedder))
        name = db.execute(wanted).scalar()
        while name is not None:
            found.add(name)
            name = db.execute(wanted.where(table.c.embedder > name)).scalar()
    return sorted(found)


def find_serving(db: Connection, chosen: str) -> str:
    """Tell whose vectors searches should use: the chosen one's, once none of them is missing."""
    others = [name for name in find_embedders(db) if name != chosen]
    if not others or is_complete(db, chosen):
        return chosen
    number = func.count()
    return max(
        others,
        key=lambda name: db.execute(
            select(number).select_from(turn_vectors).where(turn_vectors.c.embedder == name)
        ).scalar_one(),
    )


def is_complete(db: Connection, embedder: str) -> bool:
    """Tell whether every turn with words and every fact has this embedder's vector.

    Vectors are computed for the newest first, so the oldest are looked at first.
    """
    turn = select(turns.c.id).where(*embeddable(embedder)).order_by(turns.c.id).limit(1)
    known = select(fact_vectors.c.fact_id).where(
        fact_vectors.c.embedder == embedder, fact_vectors.c.fact_id == facts.c.id
    )
    fact = select(facts.c.id).where(~known.exists()).order_by(facts.c.id).limit(1)
    return db.execute(turn).first() is None and db.execute(fact).first() is None


def drop_replaced(db: Connection, chosen: str) -> None:
    """Remove the vectors of every other embedder."""
    for table in _TABLES:
        db.execute(delete(table).where(table.c.embedder != chosen))
