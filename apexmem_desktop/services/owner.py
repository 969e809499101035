"""Who the user is, in exports that call them only "You": asked once, then remembered."""

from collections.abc import Iterable
from dataclasses import replace

from apexmem_desktop.domain.owner import means_owner
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.services.settings import Settings, load_settings, save_settings
from apexmem_desktop.services.workspace import Workspace

# Exports that name everybody alike.
_BETWEEN_PEOPLE = frozenset(
    ("whatsapp", "line", "kakaotalk", "wechat", "telegram", "messenger", "discord", "slack")
)


def known_owner(choices: ImportChoices, settings: Settings) -> str:
    """Give the name that was chosen now, or the one that is remembered; "" when there is none."""
    return choices.owner.strip() or settings.owner.strip()


def is_asked(speakers: Iterable[str], owner: str, format: str) -> bool:  # noqa: A002
    """Tell whether nobody said who the user is, and an export leaves it open.

    It does where it has only a word for its owner, and where people speak to one another and the
    messenger does not tell which of them the phone belongs to.
    """
    names = list(speakers)
    return not owner and (
        any(means_owner(name) for name in names) or (format in _BETWEEN_PEOPLE and len(names) > 1)
    )


def remember_owner(ws: Workspace, name: str) -> None:
    """Remember who the user is, for the imports that follow.

    Raises:
        UserError: The settings cannot be written.
    """
    if name.strip() and name.strip() != load_settings().owner:
        save_settings(replace(load_settings(), owner=name.strip()))
    ws.use_settings(replace(ws.settings, owner=name.strip() or ws.settings.owner))
