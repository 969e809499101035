"""What the user erases is gone from every table, index, cache and copy that the program keeps."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import DiskFullError, NotFoundError, VaultError
from apexmem_desktop.domain.reports import EraseReport, EraseScope, ImportChoices
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.services import backup_plan, browsing, building, importing, maintenance
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.storage import (
    entities,
    erasing,
    facts,
    integrity,
    jobs,
    purging,
    rulings,
    traces,
    turns,
    vectors,
    words,
)
from apexmem_desktop.storage.cascade import KEPT_TABLES, _foreign_keys, _tables
from apexmem_desktop.storage.copies import write_copy
from apexmem_desktop.storage.vault import Vault, connect
from apexmem_desktop.storage.vectors import VectorIndex
from tests.fakes import ScriptedLanguage
from tests.storage.builders import count
from tests.storage.old_vaults import MADE_AT_MS, ScriptedWorkspace

UTC = ImportChoices(zone="UTC")
# Zelda goes: what she says, what is said of her, and what only such turns tell.
ZELDA = """\
03/04/2024, 10:00 - Zelda Quimby: I moved to Xanadu
03/04/2024, 10:01 - Ben Roth: I moved to Porto
03/04/2024, 10:02 - Ben Roth: my sister Zelda Quimby loves zitherplaying
03/04/2024, 10:03 - Zelda Quimby: I have a dog named Quaxo
03/04/2024, 10:04 - Ben Roth: My fencing with Lena started
03/04/2024, 10:05 - Ben Roth: I work as a nurse
"""
OTHER = """\
05/05/2024, 09:00 - Ben Roth: I live in Porto
05/05/2024, 09:01 - Mia Wolf: I moved to Genoa
05/05/2024, 09:02 - Mia Wolf: my cat is called Tofu
"""
OF_ZELDA = ("zelda", "quimby", "xanadu", "quaxo", "zither")
OF_THE_CHAT = (*OF_ZELDA, "fencing", "lena", "nurse", "with ben")
OF_THE_OTHER = ("wolf", "genoa", "tofu")
FOREVER = ("turns_no_delete",)  # what the test must find, or it looks in the wrong place


class Chatty(ScriptedWorkspace):
    """The language model tells of fencing, so that its raw replies hold words of the chat."""

    def language(self) -> ScriptedLanguage:  # type: ignore[override]
        return ScriptedLanguage(_reply)


def _reply(request: GenerateRequest) -> str:
    return "yes" if request.choices else "Ben Roth | started | fencing"


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chatty]:
    monkeypatch.setattr(vectors, "BRUTE_FORCE_BELOW", 1)
    folder = tmp_path / "home"
    folder.mkdir()
    settings = Settings(zone="UTC")
    with Chatty(folder / "memory.apexmem", settings=settings, clock=lambda: MADE_AT_MS) as opened:
        fill(opened, tmp_path)
        yield opened


def write(folder: Path, name: str, chat: str) -> Path:
    path = folder / name
    path.write_text(chat, encoding="utf-8")
    return path


def fill(ws: Chatty, folder: Path) -> None:
    """Use every table: imports, the graph, rulings, answers, drops, caches and copies."""
    importing.import_file(ws, write(folder, "WhatsApp Chat with Ben.txt", ZELDA), UTC)
    importing.import_file(ws, write(folder, "WhatsApp Chat with Mia Wolf.txt", OTHER), UTC)
    building.build(ws)
    with ws.vault.write() as db:
        for fact in facts.find_facts(db):
            rulings.append_ruling(
                db, kind="confirm", ruled_at_ms=MADE_AT_MS, fact_id=fact.id, reason=fact.value
            )
        said = [turn.text for turn in turns.find_turns(db, range(1, 10))]
        answer = json.dumps({"answer": "Xanadu", "evidence": said})
        traces.append_trace(db, question="Zelda?", answer_json=answer, asked_at_ms=MADE_AT_MS)
        jobs.set_state(db, [2], "failed", "it spoke of Zelda Quimby", now_ms=MADE_AT_MS)
    for kind in ("turn", "fact"):
        assert VectorIndex(ws.vault, ws.embedder().embedder_id, kind).refresh()  # type: ignore[arg-type]
    with closing(connect(ws.vault.path, "ro")) as db:
        write_copy(db, ws.vault.path.with_name("memory.apexmem.before-v9"))


def found_in_files(path: Path, needles: tuple[str, ...]) -> dict[str, list[str]]:
    """Read every byte of every file beside the memory; letters of either case."""
    found: dict[str, list[str]] = {}
    for file in sorted(path.parent.iterdir()):
        data = file.read_bytes().lower()
        for needle in needles:
            if needle.encode() in data:
                found.setdefault(needle, []).append(file.name)
    return found


def entity(ws: Chatty, name: str) -> int:
    with ws.vault.read() as db:
        return next(one.id for one in entities.find_entities(db) if one.name == name)


def erase(ws: Chatty, scope: EraseScope) -> EraseReport:
    """Erase; the preview must have told just that, and the vault be in order afterwards."""
    before = ws.vault.path.read_bytes()
    told = maintenance.preview_erasing(ws, scope)
    assert not told.finished
    assert ws.vault.path.read_bytes() == before
    report = maintenance.erase(ws, scope)
    assert report.finished
    assert report.bytes_freed > 0
    assert (told.turns, told.facts, told.events, told.entities, told.answers, told.copies) == (
        report.turns, report.facts, report.events, report.entities, report.answers, report.copies,
    )  # fmt: skip
    checks = integrity.check(ws.vault)
    assert [check for check in checks if not check.ok or "anew" in check.detail] == []
    return report


def texts(ws: Chatty) -> list[str]:
    with ws.vault.read() as db:
        return [turn.text for turn in turns.find_turns(db, range(1, 100))]


def known(ws: Chatty) -> set[tuple[str, str]]:
    with ws.vault.read() as db:
        return {(fact.subject, fact.value) for fact in facts.find_facts(db)}


def test_the_memory_holds_what_is_to_go(ws: Chatty) -> None:
    found = found_in_files(ws.vault.path, (*OF_THE_CHAT, *OF_THE_OTHER, *FOREVER))
    assert set(found) == {*OF_THE_CHAT, *OF_THE_OTHER, *FOREVER}
    assert {file.name for file in ws.vault.path.parent.iterdir()} >= {
        *found["xanadu"],
        "memory.apexmem.turn-vectors.hnsw",
        "memory.apexmem.fact-vectors.hnsw",
    }
    assert set(found["xanadu"]) >= {"memory.apexmem-wal", "memory.apexmem.before-v9"}
    assert {("Zelda Quimby", "Xanadu"), ("Ben Roth", "Porto"), ("Mia Wolf", "Genoa")} <= known(ws)
    for table in ("runs", "rulings", "traces", "turn_vectors", "fact_vectors", "mentions"):
        assert count(ws.vault, table) > 0, table


def test_a_person_goes_with_what_others_said_of_her(ws: Chatty) -> None:
    report = erase(ws, EraseScope("entity", entity(ws, "Zelda Quimby")))
    assert report.what == "Zelda Quimby"
    assert (report.turns, report.turns_by_others) == (3, 1)
    assert report.answers == 1
    found = found_in_files(ws.vault.path, (*OF_ZELDA, *FOREVER))
    assert found == {needle: ["memory.apexmem"] for needle in FOREVER}
    assert texts(ws) == [
        "I moved to Porto", "My fencing with Lena started", "I work as a nurse",
        "I live in Porto", "I moved to Genoa", "my cat is called Tofu",
    ]  # fmt: skip
    assert {("Ben Roth", "Porto"), ("Mia Wolf", "Genoa")} <= known(ws)
    with ws.vault.read() as db:
        assert words.find_turns_by_words(db, "Xanadu zitherplaying", 5) == []
        assert [n for n, _ in words.find_turns_by_words(db, "Genoa", 5)] == [8]
        assert words.find_facts_by_words(db, "Genoa", 5)
    assert len(VectorIndex(ws.vault, ws.embedder().embedder_id)) == 6
    with Vault.open(ws.vault.path.with_name("new.sqlite")) as new, new.read() as db:
        triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
        wanted = db.exec_driver_sql(triggers).all()
    with ws.vault.read() as db:
        assert db.exec_driver_sql(triggers).all() == wanted


def test_her_words_alone_can_go(ws: Chatty) -> None:
    report = erase(ws, EraseScope("entity", entity(ws, "Zelda Quimby"), with_mentions=False))
    assert (report.turns, report.turns_by_others) == (2, 0)
    assert "my sister Zelda Quimby loves zitherplaying" in texts(ws)
    assert found_in_files(ws.vault.path, ("xanadu", "quaxo")) == {}
    assert not [fact for fact in known(ws) if "Zelda" in fact[0]]


def test_a_town_goes_with_who_moved_there(ws: Chatty) -> None:
    erase(ws, EraseScope("entity", entity(ws, "Genoa")))
    assert found_in_files(ws.vault.path, ("genoa",)) == {}
    assert "my cat is called Tofu" in texts(ws)
    assert "I moved to Genoa" not in texts(ws)


def test_a_name_is_struck_out_of_titles_and_file_names(ws: Chatty) -> None:
    erase(ws, EraseScope("entity", entity(ws, "Mia Wolf")))
    assert found_in_files(ws.vault.path, ("mia", "wolf", "genoa", "tofu")) == {}
    assert browsing.sources(ws)[0].file == "WhatsApp Chat with [erased].txt"
    assert "I live in Porto" in texts(ws)


def test_an_import_goes_with_all_that_only_it_told(ws: Chatty) -> None:
    report = erase(ws, EraseScope("source", 1))
    assert report.what == "WhatsApp Chat with Ben.txt"
    assert (report.turns, report.sources, report.conversations) == (6, 1, 1)
    assert found_in_files(ws.vault.path, OF_THE_CHAT) == {}
    assert set(found_in_files(ws.vault.path, OF_THE_OTHER)) == set(OF_THE_OTHER)
    assert ("Ben Roth", "Porto") in known(ws)  # he said so in the other chat too
    assert [source.id for source in browsing.sources(ws)] == [2]
    with ws.vault.read() as db:
        assert {e.name for e in entities.find_entities(db)} >= {"Ben Roth", "Mia Wolf", "Porto"}


def test_everything_goes(ws: Chatty) -> None:
    report = erase(ws, EraseScope("all"))
    assert report.turns == 9
    assert report.copies == (str(ws.vault.path.with_name("memory.apexmem.before-v9")),)
    needles = (*OF_THE_CHAT, *OF_THE_OTHER, "roth", "porto", *FOREVER)
    assert set(found_in_files(ws.vault.path, needles)) == set(FOREVER)
    with ws.vault.read() as db:
        for table in (*_tables(db)[0], *_tables(db)[1]):
            if table not in KEPT_TABLES:
                sql = f"SELECT count(*) FROM {table}"
                assert db.exec_driver_sql(sql).scalar_one() == 0, table
    names = {file.name for file in ws.vault.path.parent.iterdir() if "lock" not in file.name}
    assert names <= {"memory.apexmem", "memory.apexmem-wal", "memory.apexmem-shm"}


def test_after_erasing_the_memory_works_on(ws: Chatty, tmp_path: Path) -> None:
    erase(ws, EraseScope("source", 1))
    more = write(
        tmp_path, "WhatsApp Chat with Kim.txt", "06/06/2024, 09:00 - Kim: I moved to Bari\n"
    )
    assert importing.import_file(ws, more, UTC).turns_new == 1
    assert building.build(ws).facts_new == 1
    assert ("Kim", "Bari") in known(ws)
    with pytest.raises(VaultError), ws.vault.read() as db:
        db.exec_driver_sql("DELETE FROM turns")


def test_erased_turns_come_back_only_when_wanted(ws: Chatty, tmp_path: Path) -> None:
    erase(ws, EraseScope("entity", entity(ws, "Zelda Quimby")))
    longer = f"{ZELDA}04/04/2024, 10:00 - Zelda Quimby: I moved to Yonder\n"
    chat = write(tmp_path, "WhatsApp Chat with Ben.txt", longer)
    seen = importing.preview_file(chat, UTC, ws=ws)
    assert (seen.turns_new, seen.turns_known, seen.turns_erased) == (1, 3, 3)
    told = importing.import_file(ws, chat, UTC)
    assert (told.turns_new, told.turns_known, told.turns_erased) == (1, 3, 3)
    assert "3 turns were erased" in told.problems[-1].what
    assert "I moved to Xanadu" not in texts(ws)
    back = importing.import_file(ws, chat, ImportChoices(zone="UTC", erased_too=True))
    assert (back.turns_new, back.turns_known, back.turns_erased) == (3, 4, 0)
    assert "I moved to Xanadu" in texts(ws)
    assert importing.import_file(ws, chat, UTC).turns_erased == 0


def test_a_whole_erased_import_leaves_no_empty_chat(ws: Chatty, tmp_path: Path) -> None:
    erase(ws, EraseScope("source", 1))
    told = importing.import_file(ws, tmp_path / "WhatsApp Chat with Ben.txt", UTC)
    assert (told.turns_new, told.turns_erased, told.source_id) == (0, 6, None)
    assert count(ws.vault, "conversations") == 1


def test_a_tombstone_has_no_words(ws: Chatty) -> None:
    erase(ws, EraseScope("source", 1))
    with ws.vault.read() as db:
        row = db.exec_driver_sql("SELECT * FROM erasures").one()
        assert (row.scope, row.turns, row.erased_at_ms, row.finished) == (
            "source", 6, MADE_AT_MS, 1,
        )  # fmt: skip
        digests = list(db.exec_driver_sql("SELECT digest FROM erased_turns").scalars())
    assert len(digests) == 6
    assert all(len(digest) == 32 and int(digest, 16) for digest in digests)


def test_a_backup_of_the_users_is_named_and_left(ws: Chatty, tmp_path: Path) -> None:
    maintenance.back_up(ws, tmp_path / "mine.apexmem")
    report = erase(ws, EraseScope("all"))
    assert report.backups_kept == (str(tmp_path / "mine.apexmem"),)
    assert b"Xanadu" in (tmp_path / "mine.apexmem").read_bytes()


def test_a_backup_that_was_made_by_plan_goes_too(ws: Chatty, tmp_path: Path) -> None:
    plan = Settings(zone="UTC", backup_folder=str(tmp_path / "safe"), backup_every_days=1)
    made = Path(backup_plan.make(ws, plan).path)
    assert b"Xanadu" in made.read_bytes()
    assert not backup_plan.is_due(ws, plan)
    report = erase(ws, EraseScope("entity", entity(ws, "Zelda Quimby")))
    assert str(made) in report.copies
    assert report.backups_kept == ()
    assert list(made.parent.iterdir()) == []
    assert backup_plan.is_due(ws, plan)


def test_what_is_not_there_is_told(ws: Chatty) -> None:
    with pytest.raises(NotFoundError, match="import number 7") as told:
        maintenance.erase(ws, EraseScope("source", 7))
    assert "2 (WhatsApp Chat with Mia Wolf.txt)" in told.value.hint
    with pytest.raises(NotFoundError, match="number 999"):
        maintenance.erase(ws, EraseScope("entity", 999))
    assert len(texts(ws)) == 9


def test_nobody_else_may_have_the_memory_open(ws: Chatty) -> None:
    with (
        Vault.open(ws.vault.path),
        pytest.raises(VaultError, match="open in another program"),
    ):
        maintenance.erase(ws, EraseScope("all"))
    assert len(texts(ws)) == 9


def test_a_name_that_others_have_too_is_not_sought_in_what_they_say(
    ws: Chatty, tmp_path: Path
) -> None:
    chat = (
        "07/06/2024, 09:00 - Will: I moved to Rimini\n07/06/2024, 09:01 - Kim: what will you do\n"
    )
    importing.import_file(ws, write(tmp_path, "WhatsApp Chat with Will.txt", chat), UTC)
    building.build(ws)
    report = erase(ws, EraseScope("entity", entity(ws, "Will")))
    assert report.not_sought == ("Will",)
    assert "what will you do" in texts(ws)
    assert "I moved to Rimini" not in texts(ws)


def test_an_erasure_that_fails_changes_nothing(ws: Chatty, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(_: object) -> None:
        raise DiskFullError

    before = known(ws), texts(ws)
    with monkeypatch.context() as patched:
        patched.setattr(erasing, "_build_anew", no_room)
        with pytest.raises(DiskFullError):
            maintenance.erase(ws, EraseScope("all"))
    assert (known(ws), texts(ws)) == before
    assert all(check.ok for check in integrity.check(ws.vault))


def test_what_was_cut_off_is_finished_at_the_next_opening(
    ws: Chatty, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the process is killed between the transaction and the rewriting of the file."""
    with monkeypatch.context() as patched:
        patched.setattr(purging, "purge", lambda _vault: None)
        maintenance.erase(ws, EraseScope("source", 1))
    ws.close()
    assert found_in_files(ws.vault.path, OF_THE_CHAT)
    with Chatty(ws.vault.path, settings=Settings(zone="UTC")):
        pass
    assert found_in_files(ws.vault.path, OF_THE_CHAT) == {}


def test_erasing_knows_every_table(ws: Chatty) -> None:
    """A new table must point to what it was made of, or erasing passes it by."""
    with ws.vault.read() as db:
        numbered, bare = _tables(db)
        reached = {"sources", "turns", "conversations", "entities", "facts", "events", "traces",
                   "properties", "fact_kinds", "event_kinds"}  # fmt: skip
        for table in (*numbered, *bare):
            parents = {parent for _, parent in _foreign_keys(db, table)}
            # job_counts holds how many jobs there are, and nothing of any. From text_packs, whose
            # numbers tell the turns, storage.unpacking takes what goes (test_erasing_packs). What
            # is kept of judgements, and for whom it is outdated, is built anew.
            own = {"runs", "job_counts", "text_packs", "facts_kept", "subjects_touched"}
            known_here = table in {*reached, *KEPT_TABLES, *own}
            assert known_here or parents - {"runs"}, table
        virtual = db.exec_driver_sql(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual'"
        )
        assert set(virtual.scalars()) == {"turn_words", "fact_words"}, "erasing._build_anew"


def test_an_encrypted_memory_is_erased_too(tmp_path: Path) -> None:
    pytest.importorskip("sqlcipher3")
    path = tmp_path / "memory.apexmem"
    settings = Settings(zone="UTC")
    with Chatty(path, settings=settings, clock=lambda: MADE_AT_MS, passphrase="sesame") as ws:
        importing.import_file(ws, write(tmp_path, "WhatsApp Chat with Ben.txt", ZELDA), UTC)
        importing.import_file(ws, write(tmp_path, "WhatsApp Chat with Mia Wolf.txt", OTHER), UTC)
        building.build(ws)
        erase(ws, EraseScope("entity", entity(ws, "Zelda Quimby")))
        assert "I moved to Xanadu" not in texts(ws)
    with closing(connect(path, "ro", key=ws.vault.key)) as db:
        assert db.execute("PRAGMA freelist_count").fetchone() == (0,)
