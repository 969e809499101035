"""A file that is in the memory already, told without being read again."""

from apexmem_desktop.domain.reports import FileReport, ImportChoices
from apexmem_desktop.importers.leaving_out import LEFT_BRANCHES
from apexmem_desktop.importers.local_clock import choose_zone
from apexmem_desktop.importers.parts import Export
from apexmem_desktop.services import chat_zones
from apexmem_desktop.services.owner import is_asked
from apexmem_desktop.storage.known_sources import KnownSource, find_whole_sources
from apexmem_desktop.storage.vault import Connection


def find_known_file(
    db: Connection, export: Export, choices: ImportChoices, owner: str
) -> FileReport | None:
    """Report on a file that was imported with the same choices, if all of it is still there.

    Where something of it could not be read, it is read again: this program may have learned to.
    """
    return next(
        (
            _report(db, export, known, owner)
            for known in find_whole_sources(db, export.sha256)
            if _is_as_chosen(known, choices) and chat_zones.are_as_kept(db, known, choices)
        ),
        None,
    )


def _is_as_chosen(known: KnownSource, choices: ImportChoices) -> bool:
    source = known.source
    if choices.keep_branches and any(LEFT_BRANCHES in skip.what for skip in source.problems):
        return False
    return (
        all(problem.expected for problem in source.problems)
        and source.zone in ("", choose_zone(choices.zone))
        and (choices.date_order in ("", source.date_order) or not source.date_order)
        and choices.format in ("", source.format)
    )


def _report(db: Connection, export: Export, known: KnownSource, owner: str) -> FileReport:
    source = known.source
    return FileReport(
        file=export.file_name,
        format=source.format,
        sessions=known.sessions,
        turns_new=0,
        turns_known=source.turns_new,
        first_at_ms=known.first_at_ms,
        last_at_ms=known.last_at_ms,
        speakers=known.speakers,
        date_order=source.date_order,
        date_order_certain=source.date_order_certain,
        zone=source.zone,
        titles=tuple(title for _, title, _ in known.chats),
        offset_minutes=known.offset_minutes,
        first_offset_minutes=known.first_offset_minutes,
        skipped=source.problems,
        turns_skipped=sum(skip.turns for skip in source.problems),
        owner=owner,
        owner_asked=is_asked(known.speakers, owner, source.format),
        chats=tuple(chat_zones.known_chats(db, known)),
    )
