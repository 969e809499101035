"""Import an export: read it whole, then store what is new of it in one transaction."""

import errno
import pickle
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import IO

from apexmem_desktop.building.people import meet_senders
from apexmem_desktop.domain.errors import DiskFullError, ExportUnreadableError
from apexmem_desktop.domain.progress import (
    CancelToken,
    Progress,
    ProgressSink,
    ignore_progress,
)
from apexmem_desktop.domain.reports import FileReport, ImportChoices, ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation
from apexmem_desktop.importers import registry
from apexmem_desktop.importers.reading import Reading
from apexmem_desktop.services import people_told
from apexmem_desktop.services.joining import ChatFinder, known_by_words, names_that_differ
from apexmem_desktop.services.owner import is_asked, known_owner, named_owner
from apexmem_desktop.services.rereading import misread_problem
from apexmem_desktop.services.settings import load_settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import conversations, senders, sources, tombstones, turns
from apexmem_desktop.storage.sessions import SILENCE_MS
from apexmem_desktop.storage.vault import Connection

_IN_MEMORY_BYTES = 64 * 1024 * 1024
_MAX_SPEAKERS = 1000


@dataclass(slots=True)
class _Totals:
    """What a file holds, counted while it is read."""

    turns: int = 0
    sessions: int = 0
    first_at_ms: int | None = None
    last_at_ms: int | None = None
    offset_minutes: int = 0
    first_offset_minutes: int = 0
    speakers: dict[str, None] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)
    problems: list[ImportProblem] = field(default_factory=list)
    skipped: list[ImportProblem] = field(default_factory=list)
    erased: int = 0
    refused: int = 0
    owner: str = ""
    aliases: dict[tuple[str, str], None] = field(default_factory=dict)
    people: list[str] = field(default_factory=list)

    def note(self, places: Sequence["_Place"], file_name: str) -> None:
        """Take in what the memory says of the conversations: what must or will stay out."""
        refused = [place.problem for place in places if place.problem]
        self.problems += refused
        self.refused = sum(problem.turns for problem in refused)
        self.erased = sum(len(place.erased) for place in places)
        self.people += people_told.spell_called(place.called for place in places)
        if self.erased:
            what = (
                f"{self.erased} turns were erased from this memory and stay out; "
                "import it with --erased-too to bring them back"
            )
            self.problems.append(ImportProblem(file_name, what))

    def left_out(self) -> int:
        """Count what was read but is no turn, or must not become one."""
        return self.refused + sum(skip.turns for skip in self.skipped)

    def known(self, new: int) -> int:
        """Count the turns that the memory has already."""
        return self.turns - new - self.erased - self.refused

    def add(self, conversation: ImportedConversation) -> None:
        """Count one conversation in."""
        self.titles.append(conversation.title)
        self.aliases |= dict.fromkeys(conversation.aliases)
        self.turns += len(conversation.turns)
        self.sessions += _count_sessions(conversation)
        for turn in conversation.turns:
            if turn.speaker and len(self.speakers) < _MAX_SPEAKERS:
                self.speakers.setdefault(turn.speaker)
            if turn.said_at_ms is not None:
                self._stretch(turn.said_at_ms, turn.offset_minutes)

    def _stretch(self, at_ms: int, offset_minutes: int) -> None:
        if self.first_at_ms is None or at_ms < self.first_at_ms:
            self.first_at_ms = at_ms
            self.first_offset_minutes = offset_minutes
        if self.last_at_ms is None or at_ms >= self.last_at_ms:
            self.last_at_ms = at_ms
            self.offset_minutes = offset_minutes


class _Spool:
    """Conversations kept aside between reading and storing.

    So no transaction is held while a slow file is parsed, and both looks see the same data. Small
    imports stay in memory; larger ones go to an unnamed file that vanishes with the process.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._count = 0

    def append(self, conversation: ImportedConversation) -> None:
        """Keep one more."""
        pickle.dump(conversation, self._file, protocol=pickle.HIGHEST_PROTOCOL)
        self._count += 1

    def __iter__(self) -> Iterator[ImportedConversation]:
        """Give all back, in order; only one such walk at a time."""
        self._file.seek(0)
        for _ in range(self._count):
            yield pickle.load(self._file)  # noqa: S301 - our own bytes of a moment ago


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a conversation of the file belongs in the vault.

    Attributes:
        conversation_id: None while it is new (in a preview), or not to be stored.
        new: Turns that the vault does not have.
        problem: Set when nothing of it may be stored, and why.
        erased: Keys of turns that stay out, since the user erased them.
        other: Keys of turns that are stored under another key, and the names they are stored by.
        called: Names of the export and of the memory for the same person, where they differ.
    """

    conversation_id: int | None
    new: int
    problem: ImportProblem | None = None
    erased: frozenset[str] = frozenset()
    other: Mapping[str, str] = field(default_factory=dict)
    called: frozenset[tuple[str, str]] = frozenset()


def preview_file(
    path: Path,
    choices: ImportChoices,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
    ws: Workspace | None = None,
) -> FileReport:
    """Tell what an import would do; stores nothing.

    Args:
        ws: Where it would be stored; without it every turn counts as new.

    Raises:
        ExportUnreadableError: The file is missing, damaged, or of no known format.
        CancelledError: The token was cancelled.
    """
    reading = registry.open_export(path, choices)
    settings = ws.settings if ws is not None else load_settings()
    totals = _Totals(problems=_unfollowed(reading, choices), owner=known_owner(choices, settings))
    new = 0
    with _no_room_is_disk_full(), _open_spool() as file:
        spool = _Spool(file)
        _read(reading, spool, totals, progress, cancel or CancelToken())
        _refuse_empty(reading, totals)
        if ws is None:
            new = totals.turns
        else:
            with ws.vault.read() as db:
                places = _find_places(db, reading, spool, choices, store=False)
            new = sum(place.new for place in places)
            totals.note(places, reading.file_name)
    return _report(reading, totals, new, None)


def import_file(
    ws: Workspace,
    path: Path,
    choices: ImportChoices,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> FileReport:
    """Store the turns of an export that the memory does not have yet: all of them, or none.

    Raises:
        ExportUnreadableError: The file is missing, damaged, or of no known format.
        DiskFullError: There was no room; nothing was stored.
        VaultError: The memory file cannot be written.
        CancelledError: The token was cancelled; nothing was stored.
    """
    cancel = cancel or CancelToken()
    reading = registry.open_export(path, choices)
    totals = _Totals(
        problems=_unfollowed(reading, choices), owner=known_owner(choices, ws.settings)
    )
    with _no_room_is_disk_full(), _open_spool() as file:
        spool = _Spool(file)
        _read(reading, spool, totals, progress, cancel)
        _refuse_empty(reading, totals)
        with ws.vault.write() as db:
            places = _find_places(db, reading, spool, choices, store=True)
            totals.note(places, reading.file_name)
            new = sum(place.new for place in places)
            source_id = None
            if new:
                before = senders.last_turn_id(db)
                source_id = _append_source(db, ws, reading, totals, new)
                _append(db, spool, places, source_id, new, progress, cancel)
                met = meet_senders(
                    db,
                    after_turn_id=before,
                    format=reading.format,
                    aliases=totals.aliases,
                    recorded_at_ms=ws.now_ms(),
                )
                totals.people += people_told.spell_met(met)
                if choices.erased_too:
                    _unbury(db, reading, spool)
            cancel.check()
    return _report(reading, totals, new, source_id)


def _read(
    reading: Reading,
    spool: _Spool,
    totals: _Totals,
    progress: ProgressSink,
    cancel: CancelToken,
) -> None:
    """Read the whole file, before anything is written."""
    for item in reading.conversations(progress, cancel):
        cancel.check()
        if isinstance(item, ImportProblem):
            (totals.skipped if item.expected else totals.problems).append(item)
        else:
            item = named_owner(item, totals.owner)
            totals.add(item)
            spool.append(item)


def _unfollowed(reading: Reading, choices: ImportChoices) -> list[ImportProblem]:
    """Tell of a date order that was asked for, but makes no days of the file's dates."""
    if not choices.date_order or reading.date_order in ("", choices.date_order):
        return []
    what = f"its dates cannot be {choices.date_order}; they were read as {reading.date_order}"
    return [ImportProblem(reading.file_name, what)]


def _refuse_empty(reading: Reading, totals: _Totals) -> None:
    """Say so when nothing could be read, instead of calling that a success."""
    if totals.turns:
        return
    first = totals.problems[0] if totals.problems else None
    raise ExportUnreadableError(
        f"No message could be read from {reading.file_name}"
        + (f": {first.what} ({first.where})." if first else f" ({reading.format})."),
        hint="Export the chat again as text or JSON and import that file.",
    )


def _find_places(
    db: Connection,
    reading: Reading,
    spool: Iterable[ImportedConversation],
    choices: ImportChoices,
    *,
    store: bool,
) -> list[_Place]:
    """Find for each conversation where it belongs and how much of it is new.

    Args:
        store: Make the conversations that are new.
    """
    seen: dict[int, set[str]] = {}
    places = []
    finder = ChatFinder(db, reading.format)
    for conversation in spool:
        keys = [turn.key for turn in conversation.turns]
        conversation_id = finder.find(conversation)
        problem = misread_problem(db, reading, conversation, conversation_id)
        if problem is not None:
            places.append(_Place(None, 0, problem))
            continue
        known = turns.find_known_keys(db, conversation_id, keys) if conversation_id else set()
        other: dict[str, str] = {}
        if conversation_id and len(known) < len(keys):
            unknown = set(keys) - known
            other = known_by_words(db, conversation_id, conversation.turns, unknown)
        erased = _find_erased(db, reading, conversation, keys, choices)
        if conversation_id is None and store and not erased.issuperset(keys):
            conversation_id = conversations.append_conversation(
                db,
                format=reading.format,
                external_id=conversation.external_id,
                title=conversation.title,
                is_group=conversation.is_group,
            )
        # A file may hold one conversation twice; its turns then count once.
        in_file = seen.setdefault(conversation_id or -len(places) - 1, set())
        new = set(keys) - known - in_file - erased - other.keys()
        in_file |= new
        called = names_that_differ(conversation.turns, other)
        places.append(_Place(conversation_id, len(new), None, erased, other, called))
    return places


def _find_erased(
    db: Connection,
    reading: Reading,
    conversation: ImportedConversation,
    keys: Sequence[str],
    choices: ImportChoices,
) -> frozenset[str]:
    """Find the turns that stay out, since the user erased them and did not ask for them again."""
    if choices.erased_too:
        return frozenset()
    chat_id = conversation.external_id
    return frozenset(tombstones.find_erased_keys(db, reading.format, chat_id, keys))


def _append_source(
    db: Connection, ws: Workspace, reading: Reading, totals: _Totals, new: int
) -> int:
    return sources.append_source(
        db,
        format=reading.format,
        file_name=reading.file_name,
        sha256=reading.sha256,
        zone=reading.zone,
        date_order=reading.date_order,
        date_order_certain=reading.date_order_certain,
        imported_at_ms=ws.now_ms(),
        turns_new=new,
        turns_known=totals.known(new),
        problems=[*totals.problems, *totals.skipped],
    )


def _append(
    db: Connection,
    spool: Iterable[ImportedConversation],
    places: Sequence[_Place],
    source_id: int,
    total: int,
    progress: ProgressSink,
    cancel: CancelToken,
) -> None:
    stored = 0
    for conversation, place in zip(spool, places, strict=True):
        cancel.check()
        if not place.new or place.conversation_id is None:
            continue
        stored += len(
            turns.append_turns(
                db,
                conversation_id=place.conversation_id,
                source_id=source_id,
                turns=[
                    turn
                    for turn in conversation.turns
                    if turn.key not in place.erased and turn.key not in place.other
                ],
            )
        )
        progress(Progress("Storing", stored, total, "turns", conversation.title))
    if stored != total:  # the source row, which cannot be changed, would tell a wrong number
        raise RuntimeError(f"counted {total} new turns but stored {stored}")


def _unbury(db: Connection, reading: Reading, spool: Iterable[ImportedConversation]) -> None:
    """The turns that the user wanted back are as all others from now on."""
    for conversation in spool:
        keys = [turn.key for turn in conversation.turns]
        tombstones.unbury_turns(db, reading.format, conversation.external_id, keys)


def _report(reading: Reading, totals: _Totals, new: int, source_id: int | None) -> FileReport:
    return FileReport(
        file=reading.file_name,
        format=reading.format,
        sessions=totals.sessions,
        turns_new=new,
        turns_known=totals.known(new),
        first_at_ms=totals.first_at_ms,
        last_at_ms=totals.last_at_ms,
        speakers=tuple(totals.speakers),
        date_order=reading.date_order,
        date_order_certain=reading.date_order_certain,
        zone=reading.zone,
        problems=tuple(totals.problems),
        source_id=source_id,
        titles=tuple(totals.titles),
        offset_minutes=totals.offset_minutes,
        first_offset_minutes=totals.first_offset_minutes,
        turns_erased=totals.erased,
        skipped=tuple(totals.skipped),
        turns_skipped=totals.left_out(),
        owner=totals.owner,
        owner_asked=is_asked(totals.speakers, totals.owner),
        people=tuple(totals.people),
    )


def _count_sessions(conversation: ImportedConversation) -> int:
    """Count the parts between long silences, as storage will cut them."""
    times = sorted(turn.said_at_ms for turn in conversation.turns if turn.said_at_ms is not None)
    silences = sum(1 for before, at in pairwise(times) if at - before > SILENCE_MS)
    return silences + 1 if conversation.turns else 0


def _open_spool() -> tempfile.SpooledTemporaryFile[bytes]:
    return tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)


@contextmanager
def _no_room_is_disk_full() -> Iterator[None]:
    """Tell a full temporary folder as what it is."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError from error
        raise
