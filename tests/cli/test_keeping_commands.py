"""The commands that keep the memory safe."""

from pathlib import Path

from apexmem_desktop.storage import drops, jobs
from apexmem_desktop.storage.vault import Vault
from tests.cli.running import Run


def test_a_backup_is_made_listed_and_restored(imported: Run, vault: Path, tmp_path: Path) -> None:
    target = tmp_path / "copies" / "monday.apexmem"
    made = imported("backup", target, "--json").json
    assert made["path"] == str(target)
    assert made["bytes"] == target.stat().st_size
    assert not made["automatic"]
    assert made["made_at"]

    again = imported("backup", target)
    assert again.status == 1
    assert "there already" in again.err
    assert imported("backup", target, "--replace").status == 0

    assert str(target) in imported("restore").out
    assert [one["path"] for one in imported("restore", "--json").json["backups"]] == [str(target)]

    vault.unlink()
    restored = imported("restore", target, "--json").json
    assert restored["turns"] == 4
    assert imported("status", "--json").json["turns"] == 4
    said = imported("restore", target).out
    assert "4 turns" in said
    assert "kept as" in said


def test_without_backups_the_list_says_how_to_make_one(imported: Run) -> None:
    assert "apexmem backup" in imported("restore").out


def test_what_cannot_be_restored_is_told_plainly(imported: Run, tmp_path: Path) -> None:
    ran = imported("restore", tmp_path / "none")
    assert ran.status == 1
    assert len(ran.err.splitlines()) == 2


def test_erasing_is_shown_confirmed_and_done(imported: Run, vault: Path, chat: Path) -> None:
    shown = imported("erase", "--source", 1, "--dry-run")
    assert "Would erase WhatsApp Chat with Ben Roth.txt: 4 turns" in shown.out
    refused = imported("erase", "--source", 1)
    assert refused.status == 1
    assert "--yes" in refused.err
    assert imported("status", "--json").json["turns"] == 4
    erased = imported("erase", "--source", 1, "--yes", "--json").json
    assert (erased["turns"], erased["finished"]) == (4, True)
    assert imported("status", "--json").json["turns"] == 0
    assert b"Porto" not in vault.read_bytes()
    again = imported("import", chat, "--zone", "Europe/Berlin", "--json").json["files"][0]
    assert (again["turns_new"], again["turns_erased"]) == (0, 4)
    assert "erased" in again["problems"][0]["what"]
    back = imported("import", chat, "--zone", "Europe/Berlin", "--erased-too", "--json").json
    assert back["files"][0]["turns_new"] == 4


def test_what_is_to_be_erased_must_be_named(imported: Run) -> None:
    assert imported("erase").status == 2
    assert imported("erase", "--all", "--source", 1).status == 2
    told = imported("erase", "--source", 9, "--yes")
    assert told.status == 1
    assert "1 (WhatsApp Chat with Ben Roth.txt)" in told.err
    assert imported("erase", "--all", "--yes").out.startswith("Erased everything: 4 turns")


def test_an_export_is_written_once(imported: Run, tmp_path: Path) -> None:
    told = imported("export", tmp_path / "out", "--as", "markdown", "--json").json
    assert told["counted"]["turns"] == 4
    assert "4 turns" in imported("export", tmp_path / "more").out
    again = imported("export", tmp_path / "more")
    assert again.status == 1
    assert "new or empty" in again.err
    assert imported("export", tmp_path / "x", "--as", "pdf").status == 2


def test_how_far_the_reading_is_and_what_failed(imported: Run, vault: Path) -> None:
    queue = imported("build", "--status", "--json").json
    assert (queue["pending"], queue["failed"], queue["failures"]) == (4, 0, [])
    with Vault.open(vault) as opened, opened.write() as db:
        jobs.set_state(
            db, jobs.find_jobs(db, limit=1), "failed", "the model said nothing", now_ms=1
        )
    queue = imported("build", "--status", "--json").json
    assert (queue["pending"], queue["failed"]) == (3, 1)
    assert queue["failures"][0]["reason"] == "the model said nothing"
    told = imported("build", "--status").out
    assert "3 turns wait to be read" in told
    assert "the model said nothing" in told


def test_what_was_read_and_not_stored_is_shown_with_its_reason(imported: Run, vault: Path) -> None:
    assert "has been dropped" in imported("build", "--dropped").out
    with Vault.open(vault) as opened, opened.write() as db:
        for reason in ("value not in the turn", "not a fact", "value not in the turn"):
            drops.append_drop(
                db, turn_id=1, reason=reason, candidate="Ana | likes | tea", recorded_at_ms=1
            )
    told = imported("build", "--dropped", "--json").json
    assert list(told["counts"].items()) == [("value not in the turn", 2), ("not a fact", 1)]
    assert [one["reason"] for one in told["dropped"]] == [
        "value not in the turn", "not a fact", "value not in the turn",
    ]  # fmt: skip
    assert (told["dropped"][0]["turn_id"], told["dropped"][0]["candidate"]) == (
        1, "Ana | likes | tea",
    )  # fmt: skip
    assert told["dropped"][0]["text"]
    some = imported("build", "--dropped", "not a fact", "--json").json
    assert [one["reason"] for one in some["dropped"]] == ["not a fact"]
    shown = imported("build", "--dropped").out
    assert "2: value not in the turn" in shown
    assert "Ana | likes | tea (not a fact)" in shown
