"""Who the user is, in exports that call them only "You": asked once, then remembered."""

from collections.abc import Iterable
from dataclasses import replace

from apexmem_desktop.domain.owner import means_owner
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.domain.turn import ImportedConversation
from apexmem_desktop.services.settings import Settings, load_settings, save_settings
from apexmem_desktop.services.workspace import Workspace


def known_owner(choices: ImportChoices, settings: Settings) -> str:
    """Give the name that was chosen now, or the one that is remembered; "" when there is none."""
    return choices.owner.strip() or settings.owner.strip()


def named_owner(conversation: ImportedConversation, owner: str) -> ImportedConversation:
    """Put the owner's name in the place of the messenger's word; the turns' keys stay."""
    if not owner or not any(means_owner(turn.speaker) for turn in conversation.turns):
        return conversation
    turns = tuple(
        replace(turn, speaker=owner) if means_owner(turn.speaker) else turn
        for turn in conversation.turns
    )
    aliases = tuple(
        (owner if means_owner(name) else name, other) for name, other in conversation.aliases
    )
    return replace(conversation, turns=turns, aliases=aliases)


def is_asked(speakers: Iterable[str], owner: str) -> bool:
    """Tell whether an export names its owner by no name, and nobody said who that is."""
    return not owner and any(means_owner(name) for name in speakers)


def remember_owner(ws: Workspace, name: str) -> None:
    """Remember who the user is, for the imports that follow.

    Raises:
        UserError: The settings cannot be written.
    """
    if name.strip() and name.strip() != load_settings().owner:
        save_settings(replace(load_settings(), owner=name.strip()))
    ws.use_settings(replace(ws.settings, owner=name.strip() or ws.settings.owner))
