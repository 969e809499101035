"""Opening the vault: one writer, any number of readers, errors a user understands."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from apexmem_desktop.domain.errors import PassphraseNeededError, VaultError, VaultTooNewError
from apexmem_desktop.storage import driver
from apexmem_desktop.storage.copies import restore_hint
from apexmem_desktop.storage.faults import told_to_user
from apexmem_desktop.storage.functions import add_functions
from apexmem_desktop.storage.locking import OPEN, FileLock, in_use, working
from apexmem_desktop.storage.migrations import APPLICATION_ID, load_steps, migrate

__all__ = ["BUSY_TIMEOUT_MS", "Connection", "Vault"]

BUSY_TIMEOUT_MS = 10_000
_LOG_LIMIT_BYTES = 16_000_000  # a write-ahead log that grew is cut back to this
_CHECKED_AT_OPENING_BYTES = 16_000_000  # larger files are checked by `verify`, or after a crash
_READERS = 8


class Vault:
    """One memory file. Any thread may read; writes wait for one another.

    Attributes:
        path: The SQLite file.
        read_only: True when the file is damaged or may not be written.
        damage: What is wrong with the file, "" when nothing is.
        was_older: Whether it was brought up to date when it was opened.
        key: What every connection to it is opened with; None when it is not encrypted.
    """

    def __init__(
        self,
        path: Path,
        *,
        read_only: bool,
        damage: str,
        busy_timeout_ms: int,
        key: driver.Key | None = None,
        presence: FileLock | None = None,
        was_older: bool = False,
    ) -> None:
        self.path = path
        self.key = key
        self._presence = presence or FileLock(path, OPEN)
        self.read_only = read_only
        self.was_older = was_older
        self.damage = damage
        self._write_lock = threading.Lock()
        self._writing_thread: int | None = None
        mode = "ro" if read_only else "rw"
        self._reader = _engine(
            lambda: connect(path, mode, busy_timeout_ms, query_only=True, key=key),
            *("BEGIN", _READERS, key),
        )
        self._writer = _engine(
            lambda: connect(path, mode, busy_timeout_ms, key=key), "BEGIN IMMEDIATE", 1, key
        )

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        create: bool = True,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        passphrase: str = "",
    ) -> "Vault":
        """Open a memory file, migrating an older one; a copy of the old file stays beside it.

        Args:
            passphrase: Opens an encrypted file; a new file is encrypted with it. "" for none.

        Raises:
            PassphraseNeededError: It is encrypted, and no passphrase was given.
            WrongPassphraseError: The passphrase does not open it.
            VaultTooNewError: A later version of the program wrote it.
            VaultError: It is missing, no memory file, unreadable, its place is not writable, or
                another program is restoring or erasing it.
        """
        path = Path(path)
        is_new = _is_new(path, create=create)
        presence = FileLock(path, OPEN)
        if not presence.take(shared=True, wait_s=busy_timeout_ms / 1000):
            raise in_use(path)
        try:
            key = find_key(path, passphrase, is_new=is_new)
            return cls._open(path, key, presence, is_new=is_new, busy_timeout_ms=busy_timeout_ms)
        except BaseException:
            presence.release()
            raise

    @classmethod
    def _open(
        cls,
        path: Path,
        key: driver.Key | None,
        presence: FileLock,
        *,
        is_new: bool,
        busy_timeout_ms: int,
    ) -> "Vault":
        read_only = not is_new and not _may_write(path)
        was_older = False
        with told_to_user(path):
            mode = "rwc" if is_new else "ro" if read_only else "rw"
            with closing(connect(path, mode, busy_timeout_ms, key=key)) as db:
                damage = "" if is_new else _look_for_damage(db, path)
                read_only = read_only or bool(damage)
                if not read_only:
                    db.execute("PRAGMA journal_mode = WAL")
                    was_older = _bring_up_to_date(db, path, busy_timeout_ms)
                elif _version(db) < len(load_steps()):
                    raise VaultError(
                        f"The memory file {path.name} is older and cannot be brought up to date.",
                        hint=damage or "Allow writing to the file and its folder, and try again.",
                    )
        return cls(
            path,
            read_only=read_only,
            damage=damage,
            busy_timeout_ms=busy_timeout_ms,
            key=key,
            presence=presence,
            was_older=was_older,
        )

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Lend a connection that sees one unchanging state and cannot write."""
        with told_to_user(self.path), self._reader.begin() as db:
            yield db

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Lend the writing connection; all that is done is kept at the end, or nothing of it.

        Raises:
            DiskFullError: No room; nothing of this transaction was stored.
            VaultError: Another process kept the file locked, or the vault is read-only.
        """
        if self.read_only:
            raise VaultError(
                f"The memory file {self.path.name} is open for reading only.",
                hint=self.damage or "Allow writing to the file and its folder, and open it again.",
            )
        if self._writing_thread == threading.get_ident():
            raise RuntimeError("a write inside a write would wait for itself")
        with self._write_lock:
            self._writing_thread = threading.get_ident()
            try:
                with told_to_user(self.path), self._writer.begin() as db:
                    yield db
            finally:
                self._writing_thread = None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep every other program from having this file open meanwhile.

        Raises:
            VaultError: Another has it open.
        """
        if not self._presence.take():
            self._presence.take(shared=True)
            raise in_use(self.path)
        try:
            yield
        finally:
            self._presence.take(shared=True)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Keep other programs from long work on this file: no turn is read by two at once.

        Raises:
            VaultError: Another is at work.
        """
        with working(self.path):
            yield

    def size_bytes(self) -> int:
        """Sum what the file and its log take on the disk."""
        files = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        """Empty the log into the file and let go of it."""
        self._reader.dispose()
        self._writer.dispose()
        self._presence.release()

    def __enter__(self) -> "Vault":
        """Give the vault itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()


def connect(
    path: Path,
    mode: str,
    busy_timeout_ms: int = BUSY_TIMEOUT_MS,
    *,
    query_only: bool = False,
    key: driver.Key | None = None,
) -> sqlite3.Connection:
    """Open one SQLite connection with our settings; `mode` is ro, rw or rwc as in SQLite's URIs."""
    db = driver.open_file(path, mode, timeout_s=busy_timeout_ms / 1000, key=key)
    for setting in (
        "foreign_keys = ON",
        "recursive_triggers = ON",  # else REPLACE would delete behind the append-only triggers
        "synchronous = NORMAL",
        "mmap_size = 0",  # a failing disk must give an error, not a crash
        "cache_size = -16000",
        f"journal_size_limit = {_LOG_LIMIT_BYTES}",
        f"query_only = {int(query_only)}",
    ):
        db.execute(f"PRAGMA {setting}")
    add_functions(db)
    return db


def _engine(
    creator: Callable[[], sqlite3.Connection], begin: str, size: int, key: driver.Key | None
) -> Engine:
    engine = create_engine(
        "sqlite+pysqlite://",
        module=driver.module(key),
        creator=creator,
        poolclass=QueuePool,
        pool_size=size,
        max_overflow=-1 if size > 1 else 0,
    )

    @event.listens_for(engine, "begin")
    def _begin(db: Connection) -> None:
        db.exec_driver_sql(begin)

    return engine


def _bring_up_to_date(db: sqlite3.Connection, path: Path, busy_timeout_ms: int) -> bool:
    """Run missing steps; one program at a time, so that what is copied aside is the old file.

    Returns:
        Whether it was an older memory that steps were run on; a new one has nothing in it.
    """
    steps = load_steps()
    found = _version(db)
    if found < len(steps):
        with working(path, wait_s=busy_timeout_ms / 1000):
            migrate(db, path, steps)
    return 0 < found < len(steps)


def _is_new(path: Path, *, create: bool) -> bool:
    """Tell whether a vault is to be made here; refuse what cannot be one."""
    try:
        if path.is_dir():
            raise VaultError(
                f"{path.name} is a folder, not a memory file.", hint="Name a file inside it."
            )
        if path.exists() and path.stat().st_size > 0:
            if not driver.is_plain(path) and not driver.is_encrypted(path):
                raise VaultError(
                    f"{path.name} is not a memory file of this program.",
                    hint="Choose another file, or another name for a new memory.",
                )
            return False
        if not create:
            raise VaultError(
                f"There is no memory file {path.name}.", hint="Import something first."
            )
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise VaultError(
            f"The memory file {path.name} cannot be opened ({error.strerror}).",
            hint="Choose a folder that you may read and write.",
        ) from error
    return True


def find_key(path: Path, passphrase: str, *, is_new: bool) -> driver.Key | None:
    """Make the key of an encrypted file, or of a new one that is to be; None for one in clear."""
    if is_new:
        return driver.Key.for_new_file(passphrase) if passphrase else None
    if driver.is_plain(path):
        if not passphrase:
            return None
        raise VaultError(
            f"{path.name} is not encrypted, so no passphrase opens it.",
            hint="Leave the passphrase away. Encryption is chosen when a memory is made.",
        )
    if not passphrase:
        raise PassphraseNeededError(path.name)
    return driver.Key.for_file(path, passphrase)


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _version(db: sqlite3.Connection) -> int:
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    return found


def _look_for_damage(db: sqlite3.Connection, path: Path) -> str:
    """Refuse files of others and of later versions; say what is broken in ours."""
    supported, found = len(load_steps()), _version(db)
    owner = db.execute("PRAGMA application_id").fetchone()[0]
    if owner != APPLICATION_ID and (owner or db.execute("SELECT * FROM sqlite_master").fetchone()):
        raise VaultError(
            f"{path.name} is a database of another program.",
            hint="Choose another file, or another name for a new memory.",
        )
    if found > supported:
        raise VaultTooNewError(found, supported)
    if path.stat().st_size > _CHECKED_AT_OPENING_BYTES and not _left_open(path):
        return ""
    try:
        result: str = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    except driver.errors() as error:
        result = str(error)
    return "" if result == "ok" else f"It is damaged ({result}). {restore_hint(path)}"


def _left_open(path: Path) -> bool:
    """Tell whether the last process that used the file did not close it (or one still runs)."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0
