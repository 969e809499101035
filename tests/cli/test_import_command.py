"""The command `import`: what it stores, what it tells, and what it refuses."""

import io
import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from apexmem_desktop.storage import sources
from tests.cli.running import Run

KEYS = {
    "file", "format", "sessions", "turns_new", "turns_known", "first_at", "last_at", "speakers",
    "date_order", "date_order_certain", "zone", "problems",
}  # fmt: skip


def test_it_stores_and_tells(run: Run, chat: Path) -> None:
    ran = run("import", chat, "--zone", "Europe/Berlin", "--json")
    (report,) = ran.json["files"]
    assert ran.status == 0
    assert report.keys() >= KEYS
    assert report["turns_new"] == 4
    assert report["first_at"] == "2024-04-03T10:00:00+02:00"
    assert report["speakers"] == ["Ana Lima", "Ben Roth"]
    assert (report["date_order"], report["date_order_certain"]) == ("dmy", True)
    assert run("status", "--json").json["turns"] == 4


def test_one_chat_of_many_can_have_its_own_zone(run: Run, chat: Path, tmp_path: Path) -> None:
    both = tmp_path / "both.zip"
    with zipfile.ZipFile(both, "w") as packed:
        packed.write(chat, "WhatsApp Chat with Ben Roth.txt")
        packed.writestr("WhatsApp Chat with A=B.txt", "14/4/2024, 09:00 - Cem: hi\n")
    zones = ("--zone", "UTC", "--chat-zone", "a=b=Asia/Tokyo")
    for ran in (run("import", both, *zones, "--json"), run("import", both, *zones[:2], "--json")):
        assert {one["title"]: one["zone"] for one in ran.json["files"][0]["chats"]} == {
            "Ben Roth": "UTC",
            "A=B": "Asia/Tokyo",
        }
    (hit,) = run("search", "hi", "--person", "Cem", "--json").json["turns"]
    assert hit["said_at"] == "2024-04-14T09:00:00+09:00"


def test_a_zone_for_a_chat_that_is_not_there_is_told(run: Run, chat: Path) -> None:
    ran = run("import", chat, "--zone", "UTC", "--chat-zone", "Dora=Asia/Tokyo")
    assert ran.status == 1
    assert 'There is no chat "Dora" in it. The chats are: Ben Roth' in ran.err
    assert run("import", chat, "--chat-zone", "Ben Roth=Nowhere").status == 1
    assert run("import", chat, "--chat-zone", "Asia/Tokyo").status == 2


def test_again_adds_nothing(imported: Run, chat: Path) -> None:
    (report,) = imported("import", chat, "--zone", "Europe/Berlin", "--json").json["files"]
    assert (report["turns_new"], report["turns_known"]) == (0, 4)


def test_a_dry_run_stores_nothing_and_makes_no_memory(run: Run, chat: Path, vault: Path) -> None:
    (report,) = run("import", chat, "--dry-run", "--json").json["files"]
    assert report["turns_new"] == 4
    assert not vault.exists()


def test_a_dry_run_knows_what_is_there(imported: Run, chat: Path) -> None:
    with chat.open("a", encoding="utf-8") as file:
        file.write("14/04/2024, 09:00 - Ana Lima: nice\n")
    ran = imported("import", chat, "--zone", "Europe/Berlin", "--dry-run", "--json")
    (report,) = ran.json["files"]
    assert (report["turns_new"], report["turns_known"]) == (1, 4)
    assert imported("status", "--json").json["turns"] == 4


def test_it_can_be_searched_at_once(imported: Run) -> None:
    (hit,) = imported("search", "Porto", "--json").json["turns"][:1]
    assert hit["text"] == "morning! I live in Porto now"
    assert hit["said_at"] == "2024-04-03T10:01:00+02:00"


def test_one_bad_file_does_not_keep_the_others_out(run: Run, chat: Path, tmp_path: Path) -> None:
    ran = run("import", tmp_path / "none.txt", chat, "--json")
    assert ran.status == 1
    assert [one["turns_new"] for one in ran.json["files"]] == [4]
    assert "none.txt" in ran.err


def test_progress_goes_to_stderr_and_quiet_stops_it(run: Run, chat: Path) -> None:
    loud = run("import", chat, "--json")
    assert json.loads(loud.out)
    assert "turns" in loud.err or "bytes" in loud.err
    assert run("import", chat, "--json", "--quiet").err == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_import_ends_with_130_and_stores_nothing(
    imported: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    append_source = sources.append_source

    def interrupt(*args: Any, **kwargs: Any) -> int:
        signal.raise_signal(number)
        return append_source(*args, **kwargs)

    before = signal.getsignal(number)
    monkeypatch.setattr(sources, "append_source", interrupt)
    other = tmp_path / "other.txt"
    other.write_text("03/04/2025, 10:00 - Cem Ak: hello\n14/04/2025, 10:00 - Cem Ak: bye\n")
    ran = imported("import", other, "--json", "--quiet")
    assert (ran.status, ran.out) == (130, "")
    assert imported("status", "--json").json["turns"] == 4
    assert signal.getsignal(number) == before


def test_a_zone_that_is_none_is_told(run: Run, chat: Path) -> None:
    ran = run("import", chat, "--zone", "Europe/Atlantis")
    assert_told(ran.status, ran.out, ran.err)
    assert "Europe/Atlantis" in ran.err


def _zip(entries: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return file.getvalue()


WHOLE_ZIP = _zip({"_chat.txt": b"[03.04.24, 10:00:00] Ana: hi\n" * 200})
BAD_FILES = {
    "empty.txt": b"",
    "binary.txt": bytes(range(256)) * 40,
    "truncated.zip": WHOLE_ZIP[: len(WHOLE_ZIP) // 2],
    "climbing.zip": _zip({"../../outside.txt": b"03/04/2024, 10:00 - Ana: hi\n"}),
    "other.json": b'{"menu": {"items": [1, 2, 3]}}',
    "list.json": b'[{"price": 3}, {"price": 4}]',
    "cut.json": b'[{"title": "x", "mapping": {',
    "novel.txt": b"It was a dark and stormy night; the rain fell in torrents.\n" * 9,
}


def assert_told(status: int, out: str, err: str) -> None:
    """Check an error as a user meets it: one or two plain lines and no traceback."""
    assert status == 1
    assert "Traceback" not in err
    lines = [line for line in err.splitlines() if line.strip()]
    assert 1 <= len(lines) <= 2
    assert out == ""


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_are_told_and_lose_nothing(imported: Run, tmp_path: Path, name: str) -> None:
    bad = tmp_path / "bad" / name
    bad.parent.mkdir()
    bad.write_bytes(BAD_FILES[name])
    ran = imported("import", bad, "--quiet")
    assert_told(ran.status, ran.out, ran.err)
    assert name in ran.err
    assert imported("status", "--json").json["turns"] == 4
    assert not (tmp_path / "outside.txt").exists()
    assert not (tmp_path.parent / "outside.txt").exists()


def test_a_missing_file_and_a_folder_are_told(imported: Run, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("none.txt", "folder"):
        ran = imported("import", tmp_path / name, "--quiet")
        assert_told(ran.status, ran.out, ran.err)


def test_a_memory_that_is_none_is_told(run: Run, chat: Path, vault: Path) -> None:
    vault.write_bytes(b"dear diary, " * 100)
    ran = run("import", chat, "--quiet")
    assert_told(ran.status, ran.out, ran.err)
    assert vault.read_bytes() == b"dear diary, " * 100


def test_a_memory_of_a_newer_program_is_told(imported: Run, chat: Path, vault: Path) -> None:
    # The format's 4-byte version number is at offset 60 of an SQLite file.
    content = bytearray(vault.read_bytes())
    content[60:64] = (9999).to_bytes(4, "big")
    vault.write_bytes(content)
    for command in (["import", chat, "--quiet"], ["status"], ["ask", "where?"]):
        ran = imported(*command)
        assert_told(ran.status, ran.out, ran.err)
        assert "9999" in ran.err
    assert vault.read_bytes() == content


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs limits on file sizes")
def test_a_full_disk_is_told_and_stores_nothing(imported: Run, tmp_path: Path, vault: Path) -> None:
    """A limit on the size of files makes every write beyond it fail, as a full disk does."""
    import resource

    big = tmp_path / "big.txt"
    words = "all the words that one chat can hold "
    big.write_text(
        "".join(f"{d:02}/05/2024, {h:02}:{m:02} - Ana Lima: {words * 5}{d}{h}{m}\n"
                for d in range(1, 29) for h in range(24) for m in range(0, 60, 5)),
        encoding="utf-8",
    )  # fmt: skip
    limit = vault.stat().st_size + 50_000

    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    command = [sys.executable, "-c", _IGNORE_XFSZ, "--vault", vault, "import", big, "--quiet"]
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True, text=True, check=False, preexec_fn=limit_files, timeout=120,
    )  # fmt: skip
    assert_told(done.returncode, done.stdout, done.stderr)
    assert imported("status", "--json").json["turns"] == 4
    assert imported("verify", "--json").json["ok"]


_IGNORE_XFSZ = (
    "import signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    "from apexmem_desktop.cli.main import main; sys.exit(main())"
)
