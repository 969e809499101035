"""Lets those whom an older program joined through a third come apart when their memory is opened.

Who stands for whom is worked out when links change (decision 0020), so a memory that an older
program wrote would keep its merges until then. It is done once, when the memory is brought up to
date, and costs one pass over the links; a memory without links is left as it is.
"""

from apexmem_desktop.storage import canon
from apexmem_desktop.storage.vault import Vault


def finish(vault: Vault) -> None:
    """Work out anew who stands for whom, in a memory that was just brought up to date."""
    if not vault.was_older or vault.read_only:
        return
    with vault.read() as db:
        linked = {end for link in canon.read_links(db) for end in (link.a, link.b)}
    if linked:
        with vault.write() as db:
            canon.refresh(db, linked)
