"""What a passphrase costs: the same messages in an encrypted memory, beside them in a clear one."""

from functools import partial
from pathlib import Path

from apexmem_desktop.bench.figures import Figure, latencies, rate, seconds
from apexmem_desktop.bench.speed_search import wanted_words
from apexmem_desktop.bench.vaults import ZONE
from apexmem_desktop.domain.progress import CancelToken, ProgressSink, ignore_progress
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.services import browsing, importing
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace

_PASSPHRASE = "seven lanterns under the bridge"  # noqa: S105 - of a file that is thrown away
_OPENINGS = 3
CLEAR = "the same without a passphrase"


def measure_encryption(
    folder: Path,
    export: Path,
    messages: int,
    asked: int,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> list[Figure]:
    """Import, open and search a memory under a passphrase and one without."""
    about = f"encrypted, {messages:,} turns"
    clear = folder / "clear.apexmem"
    secret = folder / "secret.apexmem"
    clear_s = _import_s(clear, export, "", progress, cancel)
    secret_s = _import_s(secret, export, _PASSPHRASE, progress, cancel)
    opening = [[1000 * seconds(partial(_open, *one)) for _ in range(_OPENINGS)]
               for one in ((secret, _PASSPHRASE), (clear, ""))]  # fmt: skip
    searching = [_search_ms(*one, asked) for one in ((secret, _PASSPHRASE), (clear, ""))]
    size, clear_size = secret.stat().st_size, clear.stat().st_size
    return [
        *rate(f"import, {about}", messages, "messages/s", secret_s, (CLEAR, clear_s)),
        *latencies(f"opening a vault, {about}", *_beside(opening))[:1],
        *latencies(f"search, words only, {about}", *_beside(searching)),
        Figure(f"size of the vault, {about}", size / 1e6, "MB", CLEAR, size / clear_size,
               clear_size / 1e6),
    ]  # fmt: skip


def _beside(ms: list[list[float]]) -> tuple[list[float], str, list[float]]:
    return ms[0], CLEAR, ms[1]


def _workspace(vault: Path, passphrase: str) -> Workspace:
    return Workspace(
        vault, settings=Settings(zone=ZONE), models_dir=vault.parent / "no-models",
        passphrase=passphrase,
    )  # fmt: skip


def _import_s(
    vault: Path, export: Path, passphrase: str, progress: ProgressSink, cancel: CancelToken | None
) -> float:
    choices = ImportChoices(zone=ZONE, date_order="dmy")
    with _workspace(vault, passphrase) as ws:
        return seconds(lambda: importing.import_file(ws, export, choices, progress, cancel))


def _open(vault: Path, passphrase: str) -> None:
    with _workspace(vault, passphrase):
        pass


def _search_ms(vault: Path, passphrase: str, asked: int) -> list[float]:
    with _workspace(vault, passphrase) as ws:
        wanted = wanted_words(asked)
        browsing.search(ws, wanted[0])
        return [1000 * seconds(partial(browsing.search, ws, words)) for words in wanted]
