"""What is erased goes out of the packs of texts and keys that it shared with what stays."""

from pathlib import Path

from apexmem_desktop.domain.reports import EraseScope
from apexmem_desktop.services import building, importing
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.storage.packs import _unpacked
from tests.services.test_erasing import UTC, Chatty, entity, erase, found_in_files, write
from tests.storage.old_vaults import MADE_AT_MS

TURNS = 150
EVERY = 10
MARK = b"xanadu"


def chat() -> str:
    lines = (
        "Zelda Quimby: I moved to Xanadu" if n % EVERY == 3 else f"Ben Roth: so he said it {n}"
        for n in range(TURNS)
    )
    return "\n".join(
        f"03/04/2024, {10 + n // 60}:{n % 60:02} - {line}" for n, line in enumerate(lines)
    )


def packs(ws: Chatty) -> list[bytes]:
    with ws.vault.read() as db:
        return list(db.exec_driver_sql("SELECT texts FROM text_packs").scalars())


def keys(ws: Chatty) -> bytes:
    with ws.vault.read() as db:
        return b"".join(db.exec_driver_sql("SELECT keys FROM key_packs").scalars())


def told(pack: bytes) -> bytes:
    return b" ".join(_unpacked(pack)).lower()


def test_a_person_goes_out_of_packs_with_every_byte(tmp_path: Path) -> None:
    settings = Settings(zone="UTC")
    home = tmp_path / "home"
    home.mkdir()
    export = write(tmp_path, "WhatsApp Chat with Zelda.txt", chat())
    with Chatty(home / "memory.apexmem", settings=settings, clock=lambda: MADE_AT_MS) as ws:
        importing.import_file(ws, export, UTC)
        building.build(ws)
        before, known = packs(ws), keys(ws)
        assert len(before) == 1
        assert MARK in told(before[0])
        report = erase(ws, EraseScope("entity", entity(ws, "Zelda Quimby")))
        assert report.turns == TURNS // EVERY
        [after] = packs(ws)
        assert MARK not in told(after)
        assert b"so he said it 64" in told(after)
        # The pack as it was, and the keys of what went, stand in no file any more.
        parts = [before[0][at : at + 40] for at in range(0, len(before[0]) - 40, 40)]
        parts += [known[at : at + 12] for at in range(3 * 12, len(known), EVERY * 12)]
        files = b"".join(file.read_bytes() for file in sorted(home.iterdir()))
        assert [part for part in parts if part in files] == []
        assert found_in_files(ws.vault.path, ("xanadu", "quimby")) == {}
        again = importing.import_file(ws, export, UTC)
        assert (again.turns_new, again.turns_erased) == (0, TURNS // EVERY)
