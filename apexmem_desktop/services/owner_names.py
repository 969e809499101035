"""The owner's name in the place of the messenger's "You"; the reader of a file needs no more."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from apexmem_desktop.domain.owner import means_owner
from apexmem_desktop.domain.turn import ImportedConversation, ImportedTurn


def named_owner(conversation: ImportedConversation, owner: str) -> ImportedConversation:
    """Put the owner's name in the place of the messenger's word; the turns' keys stay."""
    if not owner:
        return conversation
    aliases = tuple(
        (owner if means_owner(name) else name, other) for name, other in conversation.aliases
    )
    return replace(conversation, turns=_named(conversation.turns, owner), aliases=aliases)


def _named(turns: Iterable[ImportedTurn], owner: str) -> Iterator[ImportedTurn]:
    names: dict[str, str] = {}
    for turn in turns:
        name = names.get(turn.speaker)
        if name is None:
            name = names[turn.speaker] = owner if means_owner(turn.speaker) else turn.speaker
        yield turn if name == turn.speaker else turn._replace(speaker=name)
