"""The commands that keep the memory safe."""

from pathlib import Path

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
