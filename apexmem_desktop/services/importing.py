"""Import an export: read it whole, then store what is new of it in one transaction."""

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from apexmem_desktop.building.people import meet_senders
from apexmem_desktop.domain.errors import DiskFullError
from apexmem_desktop.domain.progress import (
    CancelToken,
    Progress,
    ProgressSink,
    ignore_progress,
)
from apexmem_desktop.domain.reports import FileReport, ImportChoices
from apexmem_desktop.domain.turn import ImportedTurn
from apexmem_desktop.importers import registry
from apexmem_desktop.importers.parts import Export
from apexmem_desktop.importers.reading import Reading
from apexmem_desktop.services import import_batches, people_told
from apexmem_desktop.services.import_ahead import (
    Ahead,
    GuessedWrongError,
    check_guess,
    is_likely_new,
)
from apexmem_desktop.services.import_batches import Batch, Chat, Frame, unpacked
from apexmem_desktop.services.import_intake import Intake
from apexmem_desktop.services.import_reading import is_read_apart, reading
from apexmem_desktop.services.import_spool import Spool
from apexmem_desktop.services.known_files import find_known_file
from apexmem_desktop.services.owner import is_asked, known_owner
from apexmem_desktop.services.placing import Place, find_places
from apexmem_desktop.services.settings import load_settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import senders, sources, tombstones, turns, words
from apexmem_desktop.storage.columns import Columns, columns_of
from apexmem_desktop.storage.vault import Connection


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
    cancel = cancel or CancelToken()
    owner = known_owner(choices, ws.settings if ws is not None else load_settings())
    with _no_room_is_disk_full():
        export = registry.look_at(path, progress, cancel)
        if ws is not None and (known := _find_known(ws, export, choices, owner)) is not None:
            return known
        intake = Intake(export, choices, owner, cancel)
        with reading(export, choices, owner, progress, cancel) as frames:
            _take_all(intake, frames, cancel)
        new = intake.totals.turns
        if ws is not None:
            with ws.vault.read() as db:
                places = find_places(db, intake.reading, intake.spool, choices, store=False)
            new = sum(place.new for place in places)
            intake.totals.note(places, export.file_name)
    return _report(intake, new, None)


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
    owner = known_owner(choices, ws.settings)
    with _no_room_is_disk_full():
        export = registry.look_at(path, progress, cancel)
        if (known := _find_known(ws, export, choices, owner)) is not None:
            return known
        intake = Intake(export, choices, owner, cancel)
        with reading(export, choices, owner, progress, cancel) as frames:
            first = _take_first(intake, frames) if is_read_apart(export) else []
            if first and _is_likely_new(ws, intake, first):
                try:
                    return _store_ahead(ws, intake, first, frames, choices, cancel)
                except GuessedWrongError:
                    pass  # all of it was taken back; what was read is kept aside
            _take_all(intake, frames, cancel)
        return _store(ws, intake, choices, progress, cancel)


def _take_all(intake: Intake, frames: Iterator[Frame], cancel: CancelToken) -> None:
    """Read the file to its end, before anything is written."""
    for frame in frames:
        cancel.check()
        intake.take(frame)
    intake.refuse_empty()


def _take_first(intake: Intake, frames: Iterator[Frame]) -> list[Frame]:
    """Read up to the first turns; give them and the chat they belong to, or nothing."""
    chat: list[Frame] = []
    for frame in frames:
        intake.take(frame)
        if isinstance(frame, Chat):
            chat = [frame]
        elif isinstance(frame, Batch):
            return [*chat, frame]
    return []


def _is_likely_new(ws: Workspace, intake: Intake, first: Sequence[Frame]) -> bool:
    chat, batch = first
    if not isinstance(chat, Chat) or not isinstance(batch, Batch):
        return False
    with ws.vault.read() as db:
        return is_likely_new(db, intake.reading.format, chat, batch)


def _store_ahead(
    ws: Workspace,
    intake: Intake,
    first: Sequence[Frame],
    frames: Iterator[Frame],
    choices: ImportChoices,
    cancel: CancelToken,
) -> FileReport:
    """Store while the rest is read.

    Raises:
        GuessedWrongError: The memory has some of it; nothing is stored, but all was read.
    """
    with ws.vault.write() as db:
        before = senders.last_turn_id(db)
        ahead = Ahead(db, intake.reading)
        with words.many_turns(db):
            for frame in first:
                ahead.take(frame)
            for frame in frames:
                cancel.check()
                intake.take(frame)
                ahead.take(frame)
            ahead.flush()
        intake.refuse_empty()
        with ws.vault.read() as as_it_was:
            places = find_places(as_it_was, intake.reading, intake.spool, choices, store=False)
        check_guess(places, (kept.turns for kept in intake.spool.conversations))
        intake.totals.note(places, intake.reading.file_name)
        if ahead.stored != intake.totals.turns:
            raise RuntimeError(f"read {intake.totals.turns} turns but stored {ahead.stored}")
        _finish_source(db, ws, intake, ahead)
        _meet(db, ws, intake, before)
        cancel.check()
    return _report(intake, ahead.stored, ahead.source_id)


def _store(
    ws: Workspace,
    intake: Intake,
    choices: ImportChoices,
    progress: ProgressSink,
    cancel: CancelToken,
) -> FileReport:
    """Store what is new of a file that was read."""
    read, spool, totals = intake.reading, intake.spool, intake.totals
    with ws.vault.write() as db:
        places = find_places(db, read, spool, choices, store=True)
        totals.note(places, read.file_name)
        new = sum(place.new for place in places)
        source_id = None
        if new:
            before = senders.last_turn_id(db)
            source_id = _append_source(db, ws, intake, new)
            with words.many_turns(db):
                _append(db, spool, places, source_id, new, progress, cancel)
            _meet(db, ws, intake, before)
            if choices.erased_too:
                _unbury(db, read, spool)
        cancel.check()
    return _report(intake, new, source_id)


def _meet(db: Connection, ws: Workspace, intake: Intake, before: int) -> None:
    """Make entities of the senders of the turns after a number."""
    met = meet_senders(
        db,
        after_turn_id=before,
        owner=intake.totals.owner,
        aliases=intake.totals.aliases,
        recorded_at_ms=ws.now_ms(),
    )
    intake.totals.people += people_told.spell_met(met)


def _find_known(
    ws: Workspace, export: Export, choices: ImportChoices, owner: str
) -> FileReport | None:
    with ws.vault.read() as db:
        return find_known_file(db, export, choices, owner)


def _append_source(db: Connection, ws: Workspace, intake: Intake, new: int) -> int:
    reading, totals = intake.reading, intake.totals
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


def _finish_source(db: Connection, ws: Workspace, intake: Intake, ahead: Ahead) -> None:
    reading, totals = intake.reading, intake.totals
    sources.finish_source(
        db,
        ahead.source_id,
        zone=reading.zone,
        date_order=reading.date_order,
        date_order_certain=reading.date_order_certain,
        imported_at_ms=ws.now_ms(),
        turns_new=ahead.stored,
        problems=[*totals.problems, *totals.skipped],
    )


def _append(
    db: Connection,
    spool: Spool,
    places: Sequence[Place],
    source_id: int,
    total: int,
    progress: ProgressSink,
    cancel: CancelToken,
) -> None:
    stored = 0
    began_s = monotonic()
    for some, title in _storing(db, spool, places, source_id):
        stored += some
        cancel.check()
        elapsed_s = monotonic() - began_s
        progress(Progress("Storing", stored, total, "turns", title, elapsed_s))
    if stored != total:  # the source row, which cannot be changed, would tell a wrong number
        raise RuntimeError(f"counted {total} new turns but stored {stored}")


def _storing(
    db: Connection, spool: Spool, places: Sequence[Place], source_id: int
) -> Iterator[tuple[int, str]]:
    """Store batch by batch; give the number of turns stored and the conversation's title."""
    small: list[tuple[int, Columns]] = []
    waiting = 0
    for kept, place in zip(spool.conversations, places, strict=True):
        if not place.new or place.conversation_id is None:
            continue
        numbers = range(kept.batches) if place.fresh is None else sorted(place.fresh)
        for number, some in zip(numbers, spool.turns(kept, place.fresh), strict=True):
            if place.is_new and place.all_new and kept.batches == 1:
                small.append((place.conversation_id, columns_of(some)))
                waiting += len(some)
            else:
                stored = turns.append_turns(
                    db,
                    conversation_id=place.conversation_id,
                    source_id=source_id,
                    turns=_without_known(some, place, number),
                    known=() if place.all_new else None,
                )
                yield len(stored), kept.title
        if waiting >= import_batches.TURNS_AT_ONCE:
            yield len(turns.append_first_turns(db, source_id, small)), kept.title
            small, waiting = [], 0
    if small:
        yield len(turns.append_first_turns(db, source_id, small)), kept.title


def _without_known(some: list[ImportedTurn], place: Place, number: int) -> list[ImportedTurn]:
    """Leave out what was erased, and what is stored under another key."""
    out = place.erased | set(unpacked(place.other.get(number, b"")))
    return [turn for turn in some if turn.key not in out] if out else some


def _unbury(db: Connection, reading: Reading, spool: Spool) -> None:
    """The turns that the user wanted back are as all others from now on."""
    for kept in spool.conversations:
        for keys in spool.keys(kept):
            tombstones.unbury_turns(db, reading.format, kept.external_id, keys)


def _report(intake: Intake, new: int, source_id: int | None) -> FileReport:
    reading, totals = intake.reading, intake.totals
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
        owner_asked=is_asked(totals.speakers, totals.owner, reading.format),
        people=tuple(totals.people),
    )


@contextmanager
def _no_room_is_disk_full() -> Iterator[None]:
    """Tell a full temporary folder as what it is."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError from error
        raise
