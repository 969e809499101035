"""Full-text search: what goes into the index, and how a user's words become a safe query.

SQLite's tokeniser keeps a run of Chinese, Japanese or Thai as one word. Such runs are written out
as single signs, then as pairs. The pairs of a run stand side by side, so a phrase of pairs finds
just the turns that hold those signs in a row: 出版社 is "出版 版社", not 出版 here and 版社 there.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeAlias

from sqlalchemy import TextClause
from sqlalchemy import text as sql_text

from apexmem_desktop.storage.indexable import (
    STOPWORDS,
    UNSPACED,
    indexable,
    pairs,
    telling_words,
)
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.rows import insert_tuples
from apexmem_desktop.storage.vault import Connection

_REBUILT_AT_ONCE = 5_000
_GATHERED_BYTES = 1024 * 1024  # as FTS5 has it by itself
# With more, its table is looked up in slow memory; with less, it is written and merged more often.
_MANY_GATHERED_BYTES = 8 * 1024 * 1024
_KATAKANA = re.compile("[\u30a0-\u30ff]+")  # writes words from abroad, and ends where they end
_WORD_SIGNS = 3
_PREFIX_CHARS = 3  # what begins with fewer letters is too much to gather while somebody types
_QUOTED_CHARS = 400  # a query is a question, not a document
_COMMON_SCORE = 0.01  # less than any word that tells something gets
_READ_FOR_COMMON = 20_000  # turns; words that stand in every tenth are found in far fewer


Occurs: TypeAlias = Callable[[str], bool]


def _never(_: str) -> bool:
    return False


def _always(_: str) -> bool:
    return True


def query_terms(text: str, occurs: Occurs = _never) -> list[str]:
    """List the words and phrases a search should look for, each once, in their order.

    Stopwords are left out unless nothing else is there.

    Args:
        occurs: Tells whether a phrase stands anywhere in the index.
    """
    plain = unicodedata.normalize("NFKC", text)[:_QUOTED_CHARS]
    terms = [term for run in UNSPACED.findall(plain) for term in _run_terms(run, occurs)]
    words = _words(UNSPACED.sub(" ", plain).replace("’", "'"))
    telling = [word for word in words if word.casefold() not in STOPWORDS]
    return list(dict.fromkeys([*(telling or ([] if terms else words)), *terms]))


def _run_terms(run: str, occurs: Occurs) -> list[str]:
    """Give what to look for to find a run of signs: itself where it occurs, or else its parts."""
    parts = pairs(run)
    if len(parts) < 2:
        return parts or [run]
    whole = " ".join(parts)
    if not occurs(whole):
        return parts
    # What is longer than a word is a question: others say the same with some of its words.
    is_word = len(run) <= _WORD_SIGNS or _KATAKANA.fullmatch(run) is not None
    return [whole] if is_word else [whole, *parts]


def _words(text: str) -> list[str]:
    """Cut a text as the index does: marks belong to words, an apostrophe inside one as well."""
    kept = "".join(c if c == "'" or unicodedata.category(c)[0] in "LNM" else " " for c in text)
    return [word for part in kept.split() if (word := part.strip("'"))]


def match_query(text: str, occurs: Occurs = _never) -> str:
    """Turn any words into an FTS5 query that cannot be misread; "" when nothing can be sought."""
    return " OR ".join(f'"{term}"' for term in query_terms(text, occurs))


def beginning_query(words: Iterable[str]) -> str:
    """Make an FTS5 query for texts with any of the words, or one that begins so; "" for none."""
    terms = [term for word in words for term in query_terms(word, _always)]
    return " OR ".join(f'"{term}" *' for term in dict.fromkeys(terms))


def _occurs_in(db: Connection, table: str) -> Occurs:
    """Make the question whether a phrase stands in "turn_words" or "fact_words"."""
    sql = sql_text(f"SELECT 1 FROM {table} WHERE {table} MATCH :query LIMIT 1")  # noqa: S608
    return lambda phrase: db.execute(sql, {"query": f'"{phrase}"'}).first() is not None


def index_turns(db: Connection, rows: Iterable[tuple[int, str]]) -> None:
    """Put turns (id, text) into the index; each may be put there once."""
    index_written(db, ((number, telling_words(indexable(text))) for number, text in rows))


@contextmanager
def many_turns(db: Connection) -> Iterator[None]:
    """Let the index gather more words before it writes: for a large import twice as fast.

    Within one transaction: one that fails takes the setting back too.
    """
    _gather(db, _MANY_GATHERED_BYTES)
    yield
    _gather(db, _GATHERED_BYTES)


def _gather(db: Connection, size_bytes: int) -> None:
    sql = "INSERT INTO turn_words (turn_words, rank) VALUES ('hashsize', ?)"
    db.exec_driver_sql(sql, (size_bytes,))


def index_written(db: Connection, rows: Iterable[tuple[int, str]]) -> None:
    """Put turns into the index as `index_turns` does, whose texts are in its form already."""
    _index(db, "turn_words", rows)


def index_facts(db: Connection, rows: Iterable[tuple[int, str]]) -> None:
    """Put facts (id, words) into the index; each may be put there once."""
    _index(db, "fact_words", ((number, indexable(text)) for number, text in rows))


def rebuild(db: Connection, table: str, rows: Iterable[tuple[int, str]]) -> None:
    """Empty "turn_words" or "fact_words" and fill it from all turns or facts."""
    db.exec_driver_sql(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")  # noqa: S608
    index = index_turns if table == "turn_words" else index_facts
    left = iter(rows)
    while some := list(islice(left, _REBUILT_AT_ONCE)):
        index(db, some)


def is_too_common(word: str) -> bool:
    """Tell whether a word stands in so many texts that it says nothing about any."""
    return word.casefold() in STOPWORDS


def _index(db: Connection, table: str, rows: Iterable[tuple[int, str]]) -> None:
    insert_tuples(db, f"INSERT INTO {table} (rowid, text) VALUES (?, ?)", rows)  # noqa: S608


def find_turns_by_words(
    db: Connection,
    text: str,
    limit: int,
    *,
    speaker: str | None = None,
    from_ms: int | None = None,
    to_ms: int | None = None,
) -> list[tuple[int, float]]:
    """Find turns by their words, best first, as (turn id, score); higher scores are better.

    Args:
        from_ms: First instant that counts, UTC.
        to_ms: First instant that no longer counts, UTC.
    """
    query = match_query(text, _occurs_in(db, "turn_words"))
    if not query:
        return []
    joined, conditions, values = _filters(speaker, from_ms, to_ms)
    if common := _all_common(text):
        return [
            (number, _COMMON_SCORE) for number in _read_for(db, common, limit, conditions, values)
        ]
    sql = (  # the parts are our own words; the user's are bound
        f"SELECT turn_words.rowid, rank FROM turn_words{joined} "  # noqa: S608
        f"WHERE turn_words MATCH :query{conditions} ORDER BY rank LIMIT :limit"
    )
    found = db.execute(sql_text(sql), values | {"query": query, "limit": limit})
    return [(number, -rank) for number, rank in found]


def find_quick(
    db: Connection,
    text: str,
    limit: int,
    *,
    speaker: str | None = None,
    from_ms: int | None = None,
    to_ms: int | None = None,
) -> list[int]:
    """Find turns while somebody types, the newest first: those with all the words, then with any.

    Nothing is ranked, so the index is read only until there are enough. The last word may be the
    beginning of one.
    """
    joined, conditions, values = _filters(speaker, from_ms, to_ms)
    if common := _all_common(text):
        return _read_for(db, common, limit, conditions, values, is_typed=True)
    sql = sql_text(
        f"SELECT turn_words.rowid FROM turn_words{joined} "  # noqa: S608 - our own words
        f"WHERE turn_words MATCH :query{conditions} ORDER BY turn_words.rowid DESC LIMIT :limit"
    )
    return _quick(db, sql, text, limit, values)


def _all_common(text: str) -> list[str]:
    """Give the words of a text where no other is there than those that turns are not indexed by."""
    terms = [term.casefold() for term in query_terms(text, _always)]
    return terms if all(term in STOPWORDS for term in terms) else []


def _read_for(
    db: Connection,
    wanted: Sequence[str],
    limit: int,
    conditions: str,
    values: dict[str, Any],
    *,
    is_typed: bool = False,
) -> list[int]:
    """Find turns with words that are in no index by reading the newest ones.

    Args:
        is_typed: The last word may be the beginning of one.
    """
    sql = sql_text(
        f"SELECT turns.id, turns.text FROM turns_said turns WHERE 1{conditions} "  # noqa: S608
        "ORDER BY turns.id DESC LIMIT :most_read"
    )
    found: list[int] = []
    for number, text in db.execute(sql, values | {"most_read": _READ_FOR_COMMON}):
        said = {word.casefold() for word in _words(text.replace("’", "'"))}
        *whole, last = wanted
        begins = is_typed and any(word.startswith(last) for word in said)
        if said.issuperset(whole) and (begins or last in said):
            found.append(number)
            if len(found) == limit:
                break
    return found


def find_facts_quick(db: Connection, text: str, limit: int) -> list[int]:
    """Find facts while somebody types, as `find_quick` finds turns."""
    sql = sql_text(
        "SELECT rowid FROM fact_words WHERE fact_words MATCH :query "
        "ORDER BY rowid DESC LIMIT :limit"
    )
    return _quick(db, sql, text, limit, {})


def _quick(
    db: Connection, sql: TextClause, text: str, limit: int, values: dict[str, Any]
) -> list[int]:
    found: dict[int, None] = {}
    for query in _typed_queries(text):
        if len(found) < limit:
            rows = db.execute(sql, values | {"query": query, "limit": limit})
            found |= dict.fromkeys(rows.scalars())
    return list(found)[:limit]


def _typed_queries(text: str) -> list[str]:
    """Give the query for all the words, and the one for any of them."""
    terms = [f'"{term}"' for term in query_terms(text, _always)]
    if not terms:
        return []
    last = terms[-1].strip('"')
    if len(last) >= _PREFIX_CHARS and text.endswith(last):
        terms[-1] += "*"
    return list(dict.fromkeys((" AND ".join(terms), " OR ".join(terms))))


def _filters(
    speaker: str | None, from_ms: int | None, to_ms: int | None
) -> tuple[str, str, dict[str, Any]]:
    """Give the join, the conditions and the values that keep to a speaker and a time."""
    conditions, values = "", dict[str, Any]()
    if from_ms is not None:
        conditions += " AND turns.said_at_ms >= :from_ms"
        values["from_ms"] = from_ms
    if to_ms is not None:
        conditions += " AND turns.said_at_ms < :to_ms"
        values["to_ms"] = to_ms
    if speaker is not None:
        conditions += " AND normalise(turns.speaker) = :speaker"
        values["speaker"] = normalise(speaker)
    # CROSS JOIN: the index is asked first, and only what it found is looked at.
    joined = " CROSS JOIN turns_said turns ON turns.id = turn_words.rowid" if conditions else ""
    return joined, conditions, values


def find_facts_by_words(db: Connection, text: str, limit: int) -> list[tuple[int, float]]:
    """Find facts by the words of subject, property, value and quote, best first."""
    query = match_query(text, _occurs_in(db, "fact_words"))
    if not query:
        return []
    found = db.execute(
        sql_text(
            "SELECT rowid, rank FROM fact_words WHERE fact_words MATCH :query "
            "ORDER BY rank LIMIT :limit"
        ),
        {"query": query, "limit": limit},
    )
    return [(number, -rank) for number, rank in found]
