"""WhatsApp's own databases, unencrypted: `msgstore.db` of Android, `ChatStorage.sqlite` of iOS."""

from collections.abc import Iterator

from apexmem_desktop.importers import whatsapp_android, whatsapp_android_old, whatsapp_ios
from apexmem_desktop.importers.database_importer import DatabaseImporter, Desk
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.sqlite_file import ForeignDatabase


class WhatsAppDatabaseImporter(DatabaseImporter):
    """One format: who moves from one phone to another keeps chats, and messages keep their ids."""

    name = "whatsapp-database"
    needs = (whatsapp_android.NEEDS, whatsapp_android_old.NEEDS, whatsapp_ios.NEEDS)

    def read(self, database: ForeignDatabase, desk: Desk) -> Iterator[Item]:
        """Read it in the way of its schema."""
        if whatsapp_ios.NEEDS.keys() <= database.tables:
            yield from whatsapp_ios.read(database, desk)
        elif whatsapp_android.NEEDS.keys() <= database.tables:
            yield from whatsapp_android.read(database, desk)
        else:
            yield from whatsapp_android_old.read(database, desk)
