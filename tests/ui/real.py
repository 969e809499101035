"""A real memory behind the window: what the places show and decide is what the services do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.ui.memory import Memory
from tests.recall.chats import entity, store_chat, store_fact
from tests.services.test_rulings import NOW, Clock

LINES = [
    ("Ana", "2023-06-01T10:00", "The concert was on 23 May."),
    ("Ben", "2023-06-01T10:01", "No, the concert was on 30 May."),
    ("Ana", "2023-07-01T10:00", "I live in Porto."),
    ("Ana", "2023-09-01T10:00", "I live in Lisbon now, near Ben."),
    ("Ben", "2023-10-01T10:00", "I work at Velora."),
]


@contextmanager
def real_memory(folder: Path) -> Iterator[Memory]:
    """Ana moved from Porto to Lisbon; she and Ben disagree about a concert; Ana Silva is new."""
    path = folder / "m.apexmem"
    with Workspace(
        path, models_dir=folder, settings=Settings(zone="UTC"), clock=Clock(NOW)
    ) as workspace:
        turns = store_chat(workspace.vault, LINES)
        with workspace.vault.write() as db:
            for name in ("Ana", "Ben", "Ana Silva"):
                entity(db, name)
        store_fact(workspace.vault, turns[0], "concert", "took_place_on", "23 May")
        store_fact(workspace.vault, turns[1], "concert", "took_place_on", "30 May")
        store_fact(workspace.vault, turns[2], "Ana", "lives_in", "Porto")
        store_fact(workspace.vault, turns[3], "Ana", "lives_in", "Lisbon")
        store_fact(workspace.vault, turns[4], "Ben", "works_at", "Velora")
        yield Memory(workspace, path)
