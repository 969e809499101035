"""By whose clock a single chat was written: said once, kept with the chat, used for later exports.

Which chat of the memory one of a file is shows only when it was read. Where that one has a zone of
its own, the file is read once more with it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from apexmem_desktop.domain.reports import FileReport, ImportChoices, ReadChat
from apexmem_desktop.importers.chat_zones import chat_name
from apexmem_desktop.importers.reading import Reading
from apexmem_desktop.services.import_spool import Kept, Spool
from apexmem_desktop.services.placing import Place
from apexmem_desktop.storage import settled
from apexmem_desktop.storage.known_sources import KnownSource
from apexmem_desktop.storage.vault import Connection


class OtherZonesError(Exception):
    """Chats of the file have zones of their own, and were read with others."""

    def __init__(self, zones: Sequence[tuple[str, str]]) -> None:
        super().__init__("read again with these zones")
        self.zones = tuple(zones)


def with_their_zones(
    choices: ImportChoices, work: Callable[[ImportChoices], FileReport]
) -> FileReport:
    """Do a work; once more where the chats turn out to have zones of their own."""
    try:
        return work(choices)
    except OtherZonesError as found:
        return work(replace(choices, chat_zones=(*choices.chat_zones, *found.zones)))


def check_zones(
    db: Connection,
    reading: Reading,
    spool: Spool,
    places: Sequence[Place],
    choices: ImportChoices,
) -> None:
    """See whether each chat was read with its own zone.

    Raises:
        OtherZonesError: Some were not.
    """
    zones = settled.find_chat_zones(db)
    if not zones and not any(place.shifted_from for place in places):
        return
    given = {chat_name(name) for name, _ in choices.chat_zones}
    wrong: list[tuple[str, str]] = []
    for kept, place in zip(spool.conversations, places, strict=True):
        zone = _zone_it_has(db, reading, place, choices, zones)
        if zone and zone != kept.zone and not _names(kept) & given:
            wrong.append((kept.external_id or kept.title, zone))
    if wrong:
        raise OtherZonesError(wrong)


def _zone_it_has(
    db: Connection,
    reading: Reading,
    place: Place,
    choices: ImportChoices,
    zones: dict[int, str],
) -> str:
    """Tell the zone that the memory knows of a chat, where this reading must not go on without."""
    if place.shifted_from is not None:
        # The same words by another clock. What the user says now about all of the file weighs more
        # than by which clock the last one was read, but not more than what was said of this chat.
        known = zones.get(place.shifted_from, "")
        return known or ("" if choices.zone else settled.find_imported_zone(db, place.shifted_from))
    if reading.wall_clock or place.conversation_id is None or not place.new:
        return ""  # its times are those of the memory already: this is the clock
    return zones.get(place.conversation_id, "")


def keep_zones(
    db: Connection,
    spool: Spool,
    places: Sequence[Place],
    source_id: int | None,
    choices: ImportChoices,
    *,
    at_ms: int,
) -> None:
    """Keep the zones that the user gave chats of a file, now that these are stored."""
    given = {chat_name(name): zone for name, zone in choices.chat_zones}
    if not given:
        return
    wanted: dict[str, str] = {}
    found: dict[int, str] = {}
    for kept, place in zip(spool.conversations, places, strict=True):
        for name in _names(kept) & given.keys():
            wanted |= dict.fromkeys((kept.title, kept.external_id), given[name])
            if place.conversation_id is not None:
                found[place.conversation_id] = given[name]
    if source_id is not None:
        named = settled.find_chats_named(db, source_id, filter(None, wanted))
        found |= {number: wanted[name] for number, name in named.items()}
    for number, zone in found.items():
        settled.settle_chat_zone(db, number, zone, at_ms=at_ms)


def are_as_kept(db: Connection, known: KnownSource, choices: ImportChoices) -> bool:
    """Tell whether the chats of a known import have the zones that are asked for now."""
    given = {chat_name(name): zone for name, zone in choices.chat_zones}
    zones = settled.find_chat_zones(db) if given else {}
    return all(
        given.get(name, zones.get(number, "")) == zones.get(number, "")
        for number, *both in known.chats
        for name in map(chat_name, both)
    )


def read_chats(spool: Spool) -> tuple[ReadChat, ...]:
    """List the chats of a file that was read."""
    return tuple(ReadChat(one.external_id, one.title, one.zone) for one in spool.conversations)


def known_chats(db: Connection, known: KnownSource) -> Iterator[ReadChat]:
    """List the chats of a file that is known."""
    zones = settled.find_chat_zones(db)
    for number, title, external_id in known.chats:
        yield ReadChat(external_id, title, zones.get(number, known.source.zone))


def find_unknown(choices: ImportChoices, chats: Iterable[ReadChat]) -> tuple[str, ...]:
    """Find the names that were given a zone and that none of these chats has."""
    known = {chat_name(name) for chat in chats for name in (chat.title, chat.external_id)}
    return tuple(name for name, _ in choices.chat_zones if chat_name(name) not in known)


def _names(kept: Kept) -> set[str]:
    return {chat_name(name) for name in (kept.title, kept.external_id) if name}
