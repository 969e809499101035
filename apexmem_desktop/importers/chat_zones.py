"""The zones of a file: one for all of it, and the chats that the user gave another."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from apexmem_desktop.domain.progress import CancelToken, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.domain.turn import ImportedConversation, ImportedTurn
from apexmem_desktop.importers.decoding import clean
from apexmem_desktop.importers.local_clock import Offsets, choose_zone
from apexmem_desktop.importers.reading import Item, Source


class ChatZones:
    """Tells by whose clock each chat of a file was written.

    Attributes:
        zone: Of the chats that have none of their own, an IANA name.
    """

    def __init__(self, choices: ImportChoices) -> None:
        """Begin.

        Raises:
            UserError: There is no zone of a name that was chosen.
        """
        self.zone = choose_zone(choices.zone)
        self._own = {
            chat_name(name): choose_zone(zone) for name, zone in choices.chat_zones if zone
        }

    def find_own(self, *names: str) -> str:
        """Tell the zone that the user gave a chat of these names; "" when it has none."""
        found = (self._own.get(chat_name(name)) for name in names if name)
        return next(filter(None, found), "") if self._own else ""

    def of(self, *names: str) -> str:
        """Tell the zone of a chat, known by its title or its id."""
        return self.find_own(*names) or self.zone


def chat_name(title: str) -> str:
    """Give what two writings of a chat's name have in common."""
    return " ".join(clean(title).casefold().split())


def in_their_zones(source: Source, choices: ImportChoices) -> Source:
    """Give chats of an export with absolute times the offsets of the zones that they were given."""
    zones = ChatZones(choices)

    def moved(progress: ProgressSink, cancel: CancelToken) -> Iterator[Item]:
        for item in source(progress, cancel):
            if not isinstance(item, ImportedConversation):
                yield item
            elif own := zones.find_own(item.title, item.external_id):
                yield _moved(item, Offsets(own))
            else:
                yield item

    return moved if choices.chat_zones else source


def _moved(chat: ImportedConversation, own: Offsets) -> ImportedConversation:
    turns = _moved_turns(chat.turns, own)
    return replace(chat, turns=tuple(turns) if isinstance(chat.turns, tuple) else turns)


def _moved_turns(turns: Iterable[ImportedTurn], own: Offsets) -> Iterator[ImportedTurn]:
    for turn in turns:
        yield turn._replace(offset_minutes=own.at(turn.said_at_ms))
