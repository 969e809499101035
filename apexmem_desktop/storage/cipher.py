"""SQLCipher's connections. Loaded when the first encrypted memory is opened, by `driver` alone."""

from typing import TYPE_CHECKING

from sqlcipher3 import dbapi2 as dbapi

if TYPE_CHECKING:
    from apexmem_desktop.storage.driver import Key

_SETTINGS = (
    "cipher_log_level = NONE",  # it would write each wrong passphrase to stderr, in its own words
    "cipher_default_compatibility = 4",  # a later SQLCipher still makes and reads today's files
)
_KEYED_SETTINGS = (
    "temp_store = MEMORY",  # a sort that spills would write what it sorts in clear
)


class KeyedConnection(dbapi.Connection):  # type: ignore[misc]  # SQLCipher's module has no types
    """A connection that knows its key, so that a copy of its file can be opened under the same."""

    key: "Key"


def open_keyed(where: str, timeout_s: float, key: "Key") -> KeyedConnection:
    """Open a file under a key and read from it, which fails when the key does not fit."""
    db: KeyedConnection = dbapi.connect(
        where,
        timeout=timeout_s,
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        factory=KeyedConnection,
    )
    try:
        db.key = key
        for setting in (*_SETTINGS, key.setting(), *_KEYED_SETTINGS):
            db.execute(f"PRAGMA {setting}")
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def open_any(where: str, key: "Key | None") -> object:
    """Open a file under its key, or one in clear, so that another can be attached to it."""
    if key is not None:
        return open_keyed(where, 0.0, key)
    db = dbapi.connect(where, uri=True, isolation_level=None)
    for setting in _SETTINGS:
        db.execute(f"PRAGMA {setting}")
    return db
