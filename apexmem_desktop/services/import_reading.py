"""Reads an export frame by frame: here, or in a process of its own while this one stores."""

import os
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from itertools import islice

from apexmem_desktop.domain.progress import CancelToken, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices, ImportProblem
from apexmem_desktop.importers import registry
from apexmem_desktop.importers.parts import Export
from apexmem_desktop.services import import_batches, import_process
from apexmem_desktop.services.import_batches import Chat, Ended, Frame, Header, batch_of
from apexmem_desktop.services.owner_names import named_owner

WORTH_A_PROCESS_BYTES = 4_000_000  # starting one takes as long as reading so much


@contextmanager
def reading(
    export: Export,
    choices: ImportChoices,
    owner: str,
    progress: ProgressSink,
    cancel: CancelToken,
) -> Iterator[Iterator[Frame]]:
    """Lend the frames of an export; whoever stops early stops the reading.

    Raises:
        ExportUnreadableError: The file is of no known format, or turns out to be damaged.
        CancelledError: The token was cancelled.
    """
    if is_read_apart(export):
        with import_process.frames_from_child(export, choices, owner, progress, cancel) as frames:
            yield frames
    else:
        with closing(frames_of(export, choices, owner, progress, cancel)) as frames:
            yield frames


def is_read_apart(export: Export) -> bool:
    """Tell whether a file is read in a process of its own."""
    unpacked_bytes = sum(part.size_bytes for part in export.parts)
    return unpacked_bytes >= WORTH_A_PROCESS_BYTES and (os.cpu_count() or 1) > 1


def frames_of(
    export: Export,
    choices: ImportChoices,
    owner: str,
    progress: ProgressSink,
    cancel: CancelToken,
) -> Generator[Frame, None, None]:
    """Read an export: its header, and of each conversation the beginning, its turns and the end."""
    found = registry.read_export(export, choices)
    yield Header(found.format, found.date_order, found.date_order_certain, found.zone)
    for item in found.conversations(progress, cancel):
        cancel.check()
        if isinstance(item, ImportProblem):
            yield item
            continue
        named = named_owner(item, owner)
        yield Chat(named.external_id, named.title, named.is_group, named.aliases)
        left = iter(named.turns)
        while some := list(islice(left, import_batches.TURNS_AT_ONCE)):
            yield batch_of(some)
        yield Ended()
