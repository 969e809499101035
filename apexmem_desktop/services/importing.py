"""Import an export: read it whole, then store what is new of it in one transaction."""

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from apexmem_desktop.building.people import meet_senders
from apexmem_desktop.domain.errors import DiskFullError, ExportUnreadableError
from apexmem_desktop.domain.progress import (
    CancelToken,
    Progress,
    ProgressSink,
    ignore_progress,
)
from apexmem_desktop.domain.reports import FileReport, ImportChoices, ImportProblem
from apexmem_desktop.domain.turn import ImportedTurn
from apexmem_desktop.importers import registry
from apexmem_desktop.importers.parts import Export
from apexmem_desktop.importers.reading import Reading
from apexmem_desktop.services import people_told
from apexmem_desktop.services.import_spool import TURNS_AT_ONCE, Spool, unpacked
from apexmem_desktop.services.import_totals import Totals
from apexmem_desktop.services.known_files import find_known_file
from apexmem_desktop.services.owner import is_asked, known_owner, named_owner
from apexmem_desktop.services.placing import Place, find_places
from apexmem_desktop.services.settings import load_settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import senders, sources, tombstones, turns, words
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
        reading, spool, totals = _read(export, choices, owner, progress, cancel)
        new = totals.turns
        if ws is not None:
            with ws.vault.read() as db:
                places = find_places(db, reading, spool, choices, store=False)
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
    owner = known_owner(choices, ws.settings)
    with _no_room_is_disk_full():
        export = registry.look_at(path, progress, cancel)
        if (known := _find_known(ws, export, choices, owner)) is not None:
            return known
        reading, spool, totals = _read(export, choices, owner, progress, cancel)
        with ws.vault.write() as db:
            places = find_places(db, reading, spool, choices, store=True)
            totals.note(places, reading.file_name)
            new = sum(place.new for place in places)
            source_id = None
            if new:
                before = senders.last_turn_id(db)
                source_id = _append_source(db, ws, reading, totals, new)
                with words.many_turns(db):
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


def _find_known(
    ws: Workspace, export: Export, choices: ImportChoices, owner: str
) -> FileReport | None:
    with ws.vault.read() as db:
        return find_known_file(db, export, choices, owner)


def _read(
    export: Export,
    choices: ImportChoices,
    owner: str,
    progress: ProgressSink,
    cancel: CancelToken,
) -> tuple[Reading, Spool, Totals]:
    """Read the whole file, before anything is written."""
    reading = registry.read_export(export, choices)
    totals = Totals(problems=_unfollowed(reading, choices), owner=owner)
    spool = Spool(cancel)
    for item in reading.conversations(progress, cancel):
        cancel.check()
        if isinstance(item, ImportProblem):
            totals.tell(item)
        else:
            named = named_owner(item, owner)
            kept = spool.append(named, totals.add)
            totals.end(kept.title, kept.turns)
            totals.aliases |= dict.fromkeys(named.aliases)
    _refuse_empty(reading, totals)
    return reading, spool, totals


def _unfollowed(reading: Reading, choices: ImportChoices) -> list[ImportProblem]:
    """Tell of a date order that was asked for, but makes no days of the file's dates."""
    if not choices.date_order or reading.date_order in ("", choices.date_order):
        return []
    what = f"its dates cannot be {choices.date_order}; they were read as {reading.date_order}"
    return [ImportProblem(reading.file_name, what)]


def _refuse_empty(reading: Reading, totals: Totals) -> None:
    """Say so when nothing could be read, instead of calling that a success."""
    if totals.turns:
        return
    first = totals.problems[0] if totals.problems else None
    raise ExportUnreadableError(
        f"No message could be read from {reading.file_name}"
        + (f": {first.what} ({first.where})." if first else f" ({reading.format})."),
        hint="Export the chat again as text or JSON and import that file.",
    )


def _append_source(
    db: Connection, ws: Workspace, reading: Reading, totals: Totals, new: int
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
    small: list[tuple[int, list[ImportedTurn]]] = []
    waiting = 0
    for kept, place in zip(spool.conversations, places, strict=True):
        if not place.new or place.conversation_id is None:
            continue
        numbers = range(kept.batches) if place.fresh is None else sorted(place.fresh)
        for number, some in zip(numbers, spool.turns(kept, place.fresh), strict=True):
            if place.is_new and place.all_new and kept.batches == 1:
                small.append((place.conversation_id, some))
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
        if waiting >= TURNS_AT_ONCE:
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


def _report(reading: Reading, totals: Totals, new: int, source_id: int | None) -> FileReport:
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


@contextmanager
def _no_room_is_disk_full() -> Iterator[None]:
    """Tell a full temporary folder as what it is."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError from error
        raise
