"""The arrows between rooms, the homes of heavy libraries, and the sizes of things."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "apexmem_desktop"
FILES = sorted(PACKAGE.rglob("*.py"))
IDS = [str(path.relative_to(PACKAGE)) for path in FILES]

GROUND = {"domain", "chronology", "storage", "inference"}
MAY_IMPORT = {
    "": set(),
    "domain": set(),
    "chronology": {"domain"},
    "inference": {"domain"},
    "storage": {"domain", "chronology"},
    "importers": {"domain", "chronology"},
    "building": GROUND,
    "recall": GROUND,
    "agent": GROUND | {"recall"},
    "upkeep": GROUND | {"recall"},
    "services": GROUND | {"importers", "building", "recall", "agent", "upkeep"},
    "bench": {"domain", "services"},
    "cli": {"domain", "services"},
    "ui": {"domain", "services"},
}
# The commands `gui` and `bench` have one file each, and it is loaded when they run. One bench fills
# vaults with generated facts and vectors: no service does that, since no user may.
EXCEPTIONS = {
    ("cli/window.py", "ui"),
    ("cli/bench.py", "bench"),
    ("bench/speed_graph.py", "storage"),
    ("bench/speed_limits.py", "storage"),  # the function that words are read with
}

ONLY_IN = {
    "PySide6": "ui",
    "shiboken6": "ui",
    "pyqtgraph": "ui",
    "sqlalchemy": "storage",
    "sqlite3": "storage",
    "sqlcipher3": "storage",
    "hnswlib": "storage",
    "llama_cpp": "inference",
    "sentence_transformers": "inference",
    "transformers": "inference",
    "tokenizers": "inference",
    "torch": "inference",
    "huggingface_hub": "inference",
    "dateparser": "chronology",
    "ijson": "importers",
    "platformdirs": "services",
}
# Storage is the home of our own vault, which it migrates and writes. Two files elsewhere open
# SQLite for what storage is no place for: the bench measures what the same rows cost with SQLite
# alone, and the importers read databases of phones and messengers, read-only and fenced.
ALSO_IN = {"sqlite3": ("bench/speed_limits.py", "importers/sqlite_file.py")}
# What opens connections of its own; a model download is the one that a user can start.
NETWORK = {"urllib.request", "http", "http.client", "requests", "httpx", "httpx2", "aiohttp",
           "ftplib", "smtplib", "socketserver"}  # fmt: skip
NETWORK_HOMES = re.compile(r"inference/(pulling|downloads?|fetching)\w*\.py")
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 80
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc", "mixed"}


def _room(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def _imports(path: Path) -> Iterator[str]:
    """Give the full name of everything that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_package_was_found() -> None:
    assert len(FILES) > 20


def test_every_room_has_its_arrows() -> None:
    assert {_room(path) for path in FILES} <= set(MAY_IMPORT)


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_imports_point_one_way(path: Path) -> None:
    room, name = _room(path), str(path.relative_to(PACKAGE).as_posix())
    allowed = MAY_IMPORT[room] | {room} | {to for file, to in EXCEPTIONS if file == name}
    for imported in _imports(path):
        parts = imported.split(".")
        if parts[0] == "apexmem_desktop" and len(parts) > 1 and (PACKAGE / parts[1]).is_dir():
            assert parts[1] in allowed, f"{room} imports {imported}"


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_heavy_libraries_stay_at_home(path: Path) -> None:
    name = path.relative_to(PACKAGE).as_posix()
    for imported in _imports(path):
        library = imported.split(".")[0]
        if name in ALSO_IN.get(library, ()):
            continue
        home = ONLY_IN.get(library)
        assert home in (None, _room(path)), f"{imported} belongs in {home}"


def test_domain_needs_only_the_standard_library() -> None:
    for path in (PACKAGE / "domain").glob("*.py"):
        for imported in _imports(path):
            first = imported.split(".")[0]
            assert first in sys.stdlib_module_names | {"apexmem_desktop"}, imported


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_only_model_downloads_know_the_network(path: Path) -> None:
    if NETWORK_HOMES.fullmatch(path.relative_to(PACKAGE).as_posix()):
        return
    for imported in _imports(path):
        prefixes = {imported, imported.rpartition(".")[0]}
        assert not prefixes & NETWORK, f"{imported} can open a connection"


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_sizes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= MAX_FILE_LINES, "split the file by idea"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            assert lines <= MAX_FUNCTION_LINES, f"{node.name} has {lines} lines"


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_names_say_something(path: Path) -> None:
    for part in path.relative_to(PACKAGE).with_suffix("").parts:
        assert not set(part.split("_")) & BANNED_NAMES, part


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_nothing_asks_whether_it_is_tested(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "PYTEST_CURRENT_TEST" not in text
    assert "unittest.mock" not in text


@pytest.mark.parametrize(
    "statement",
    [
        "import apexmem_desktop.cli.main",
        "from apexmem_desktop.cli.arguments import build_parser as b; b()",
    ],
)
def test_help_loads_nothing_heavy(statement: str) -> None:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = set(done.stdout.split())
    assert not loaded & {*ONLY_IN, "numpy", "pydantic", "apexmem_desktop.services.workspace"}


def test_the_window_loads_no_model_library() -> None:
    code = (
        "import sys, apexmem_desktop.services.workspace, apexmem_desktop.services.asking, "
        "apexmem_desktop.services.building, apexmem_desktop.services.importing; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert not set(done.stdout.split()) & {
        "torch", "llama_cpp", "sentence_transformers", "transformers", "PySide6",
    }  # fmt: skip
