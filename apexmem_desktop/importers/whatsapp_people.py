"""Names behind WhatsApp's addresses, and contact cards."""

import re

from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.importers.database_importer import OWNER, cell_text
from apexmem_desktop.importers.parts import Export
from apexmem_desktop.importers.sqlite_file import ForeignDatabase, open_database, table_columns

_CARD_NAME = re.compile(r"^FN(?:;[^:\r\n]*)?:(.+)$", re.MULTILINE)
_CONTACTS = "wa_contacts"
_OWN_NAME_KEYS = ("user_push_name", "push_name")


def spoken_name(jid: str) -> str:
    """Write an address as people write it: a phone number with its plus."""
    user = jid.partition("@")[0].partition(":")[0].partition(".")[0]
    return f"+{user}" if user.isdecimal() and not jid.endswith(("@g.us", "@lid")) else user


def spoken_number(jid: str) -> str:
    """Write an address as a phone number; "" for one that is none."""
    name = spoken_name(jid)
    return name if name.startswith("+") else ""


def is_group(jid: str) -> bool:
    """Tell a group, a channel or a list from a person."""
    return jid.endswith(("@g.us", "@newsletter", "@broadcast"))


def card_names(cards: str) -> str:
    """Name the people on contact cards."""
    return ", ".join(name.strip() for name in _CARD_NAME.findall(cards))


def contact_names(database: ForeignDatabase, export: Export, cancel: CancelToken) -> dict[str, str]:
    """Read the address book, by address: in the same database, or in `wa.db` beside it in a zip."""
    names = _contacts(database)
    for part in export.parts:
        if _CONTACTS in table_columns(part):
            with open_database(part, cancel) as book:
                names = _contacts(book) | names
    return names


def own_name(database: ForeignDatabase) -> str:
    """Read the name that the phone's owner gave themselves."""
    found = {
        cell_text(key): cell_text(value).strip()
        for key, value in database.rows("props", ("key", "value"))
    }
    return next((found[key] for key in _OWN_NAME_KEYS if found.get(key)), OWNER)


def _contacts(database: ForeignDatabase) -> dict[str, str]:
    columns = ("jid", "display_name", "wa_name", "number")
    names = {}
    for jid, *candidates in database.rows(_CONTACTS, columns):
        name = next((text for cell in candidates if (text := cell_text(cell).strip())), "")
        if name:
            names[cell_text(jid)] = name
    return names
