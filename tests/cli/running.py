"""Run the command line inside the test's process, as a user would call it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from apexmem_desktop.cli.main import main


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command gave."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its one JSON document."""
        return json.loads(self.out)


Run = Callable[..., Ran]


def make_runner(capfd: pytest.CaptureFixture[str], vault: Path) -> Run:
    """Make a function that runs a command on that memory."""

    def run(*arguments: object) -> Ran:
        capfd.readouterr()
        try:
            status = main(["--vault", str(vault), *map(str, arguments)])
        except SystemExit as ended:
            status = int(ended.code or 0)
        captured = capfd.readouterr()
        return Ran(status, captured.out, captured.err)

    return run
