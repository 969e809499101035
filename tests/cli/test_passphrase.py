"""An encrypted memory on the command line: made, opened, and kept shut."""

import getpass
import sys
from pathlib import Path

import pytest

from tests.cli.running import Run

PASSPHRASE = "correct horse"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret.txt"
    file.write_text(f"\ufeff{PASSPHRASE}\r\nthe rest does not count\n", encoding="utf-8")
    return file


@pytest.fixture
def made(run: Run, chat: Path, secret: Path) -> Run:
    """A command line on an encrypted memory of one chat."""
    ran = run("import", chat, "--date-order", "dmy", "--encrypt", "--passphrase-file", secret)
    assert ran.status == 0, ran.err
    return run


class _Terminal:
    """Stands in for a person at a terminal, who answers with these words in turn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
        self.asked: list[str] = []
        self._answers = list(answers)
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(getpass, "getpass", self._answer)

    def _answer(self, prompt: str) -> str:
        self.asked.append(prompt)
        return self._answers.pop(0)


def test_every_command_opens_it_with_the_file(made: Run, vault: Path, secret: Path) -> None:
    assert b"Porto" not in vault.read_bytes()
    found = made("search", "Porto", "--json", "--passphrase-file", secret)
    assert [turn["text"] for turn in found.json["turns"]][:1] == ["morning! I live in Porto now"]
    status = made("--passphrase-file", secret, "status", "--json")
    assert status.json["encrypted"] is True
    assert "encrypted" in made("status", "--passphrase-file", secret).out
    assert made("verify", "--passphrase-file", secret).status == 0
    counted = made("sql", "SELECT count(*) FROM v_turns", "--json", "--passphrase-file", secret)
    assert counted.json["rows"] == [[4]]


def test_the_environment_opens_it(made: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APEXMEM_PASSPHRASE", PASSPHRASE)
    assert made("status", "--json").json["turns"] == 4


def test_a_person_is_asked(made: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal(monkeypatch, PASSPHRASE)
    assert made("status", "--json").json["turns"] == 4
    assert terminal.asked == ["Passphrase of memory.apexmem: "]


def test_without_one_and_with_nobody_to_ask_it_is_told(made: Run) -> None:
    ran = made("status")
    assert ran.status == 1
    assert "is encrypted" in ran.err
    assert "APEXMEM_PASSPHRASE" in ran.err


def test_a_wrong_one_is_told(made: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APEXMEM_PASSPHRASE", "wrong horse")
    ran = made("status")
    assert ran.status == 1
    assert "does not open memory.apexmem" in ran.err
    assert "nobody can open the file any more" in ran.err
    assert "wrong horse" not in ran.err
    assert len(ran.err.strip().splitlines()) == 2


def test_a_new_memory_is_encrypted_when_a_person_says_so_and_types_the_same_twice(
    run: Run, chat: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _Terminal(monkeypatch, PASSPHRASE, "correct hoarse")
    ran = run("import", chat, "--date-order", "dmy", "--encrypt")
    assert ran.status == 1
    assert "differ" in ran.err
    assert not vault.exists()
    _Terminal(monkeypatch, "")
    assert "protects nothing" in run("import", chat, "--date-order", "dmy", "--encrypt").err
    _Terminal(monkeypatch, PASSPHRASE, PASSPHRASE)
    ran = run("import", chat, "--date-order", "dmy", "--encrypt")
    assert ran.status == 0
    assert "Write the passphrase down" in ran.err
    monkeypatch.setenv("APEXMEM_PASSPHRASE", PASSPHRASE)
    assert run("status", "--json").json["encrypted"] is True


def test_a_passphrase_given_for_a_new_memory_is_used(
    run: Run, chat: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else somebody would believe that it is encrypted."""
    monkeypatch.setenv("APEXMEM_PASSPHRASE", PASSPHRASE)
    run("import", chat, "--date-order", "dmy")
    assert b"Porto" not in vault.read_bytes()


def test_nothing_is_encrypted_unasked(run: Run, chat: Path, vault: Path, secret: Path) -> None:
    run("import", chat, "--date-order", "dmy")
    assert b"Porto" in vault.read_bytes()
    ran = run("import", chat, "--encrypt")
    assert (ran.status, "not encrypted" in ran.err) == (1, True)
    ran = run("status", "--passphrase-file", secret)
    assert (ran.status, "not encrypted" in ran.err) == (1, True)


def test_one_in_the_environment_is_for_whichever_memory_needs_it(
    run: Run, chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("import", chat, "--date-order", "dmy")
    monkeypatch.setenv("APEXMEM_PASSPHRASE", PASSPHRASE)
    assert run("status", "--json").json["encrypted"] is False


@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xff\xfe"])
def test_a_passphrase_file_without_one_is_told(
    run: Run, chat: Path, tmp_path: Path, vault: Path, content: bytes | None
) -> None:
    file = tmp_path / "p"
    if content is not None:
        file.write_bytes(content)
    ran = run("import", chat, "--encrypt", "--passphrase-file", file)
    assert ran.status == 1
    assert "passphrase file" in ran.err
    assert not vault.exists()
