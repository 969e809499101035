"""Which SQLite opens a file: Python's own, or SQLCipher for a memory under a passphrase.

The one seam between the two. SQLCipher's module has the same functions, but its classes are its
own: its errors are no `sqlite3.Error`, and it cannot set SQLite's limits (`setlimit`).
"""

import hashlib
import os
import sqlite3
import sys
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import cast

from apexmem_desktop.domain.errors import VaultError, WrongPassphraseError

MAGIC = b"SQLite format 3\x00"
_SALT_BYTES = 16
_PAGE_BYTES = 4096
# SQLCipher 4's own way to a key, done once a vault instead of once a connection: it takes 0.2 s.
_ROUNDS = 256_000
_KEY_BYTES = 32
# Of 4,096 random bytes, fewer than 250 different ones come about once in 10^18 files.
_RANDOM_LOOKING = 250


@dataclass(frozen=True, slots=True)
class Key:
    """What a passphrase and the salt in a file's first 16 bytes make; never shown, never stored."""

    raw: bytes = field(repr=False)
    salt: bytes = field(repr=False)

    @classmethod
    def derive(cls, passphrase: str, salt: bytes) -> "Key":
        """Work the key out, as SQLCipher does; letters count alike however they were typed."""
        words = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
        return cls(hashlib.pbkdf2_hmac("sha512", words, salt, _ROUNDS, _KEY_BYTES), salt)

    @classmethod
    def for_new_file(cls, passphrase: str) -> "Key":
        """Make the key of a file that is not there yet."""
        return cls.derive(passphrase, os.urandom(_SALT_BYTES))

    @classmethod
    def for_file(cls, path: Path, passphrase: str) -> "Key":
        """Make the key of an encrypted file; whether it fits is seen when the file is opened."""
        with path.open("rb") as file:
            return cls.derive(passphrase, file.read(_SALT_BYTES))

    def setting(self) -> str:
        """Write it as SQLCipher's PRAGMA takes it: digits only, so that nothing needs quoting."""
        return f"key = \"x'{self.raw.hex()}{self.salt.hex()}'\""


def is_plain(path: Path) -> bool:
    """Tell whether a file begins as every SQLite file that is not encrypted does."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def is_encrypted(path: Path) -> bool:
    """Tell whether a file looks like one of SQLCipher's: whole pages, and nothing but noise.

    An encrypted file has no mark of its own, which is the point of it; only the key tells surely.
    """
    if not path.is_file() or path.stat().st_size % _PAGE_BYTES:
        return False
    with path.open("rb") as file:
        page = file.read(_PAGE_BYTES)
    return page[: len(MAGIC)] != MAGIC and len(set(page)) >= _RANDOM_LOOKING


def module(key: Key | None) -> ModuleType:
    """Give the DB-API module that opens files of this key; None for files in clear.

    Raises:
        VaultError: The file is encrypted, and SQLCipher is not installed.
    """
    return sqlite3 if key is None else _cipher().dbapi


def open_file(path: Path, mode: str, *, timeout_s: float, key: Key | None) -> sqlite3.Connection:
    """Open one autocommit connection; `mode` is ro, rw or rwc as in SQLite's URIs.

    Raises:
        WrongPassphraseError: The key does not open the file.
    """
    where = f"{path.absolute().as_uri()}?mode={mode}"
    if key is None:
        return sqlite3.connect(
            where,
            timeout=timeout_s,
            uri=True,
            isolation_level=None,  # we write BEGIN ourselves
            check_same_thread=False,  # the pool hands a connection to one thread at a time
        )
    cipher = _cipher()
    try:
        return cast("sqlite3.Connection", cipher.open_keyed(where, timeout_s, key))
    except cipher.dbapi.DatabaseError as error:
        if error_code(error) == sqlite3.SQLITE_NOTADB:
            raise WrongPassphraseError(path.name) from error
        raise


def open_for_export(path: Path, key: Key | None) -> sqlite3.Connection:
    """Open a file, encrypted or in clear, by SQLCipher's module: only that writes under other keys.

    Raises:
        VaultError: SQLCipher is not installed.
    """
    where = f"{path.absolute().as_uri()}?mode=rw"
    return cast("sqlite3.Connection", _cipher().open_any(where, key))


def attach(db: sqlite3.Connection, path: Path, name: str, key: Key | None) -> None:
    """Attach a file to such a connection, under a key of its own; None for one in clear."""
    words = "" if key is None else f"x'{key.raw.hex()}{key.salt.hex()}'"
    db.execute(f"ATTACH DATABASE ? AS {name} KEY ?", (str(path.absolute()), words))


def open_like(db: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """Open or make another file under the key of this connection's, as for a copy of it."""
    return open_file(path, "rwc", timeout_s=0, key=key_of(db))


def key_of(db: sqlite3.Connection) -> Key | None:
    """Give the key of a connection that `open_file` opened; None when its file is in clear."""
    key: Key | None = getattr(db, "key", None)
    return key


def errors() -> tuple[type[Exception], ...]:
    """List the classes of errors that may come from a connection."""
    loaded = sys.modules.get("sqlcipher3.dbapi2")
    return (sqlite3.Error,) if loaded is None else (sqlite3.Error, loaded.Error)


def error_code(error: BaseException) -> int:
    """Give SQLite's kind of an error; 0 when it is none of SQLite's."""
    code: int = getattr(error, "sqlite_errorcode", 0) or 0
    return code & 0xFF  # SQLite keeps the kind in the lowest byte


def _cipher() -> ModuleType:
    try:
        from apexmem_desktop.storage import cipher
    except ImportError as error:
        raise VaultError(
            "Encrypted memories need SQLCipher, which is not installed.",
            hint="Install it with: pip install sqlcipher3",
        ) from error
    return cipher
