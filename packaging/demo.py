"""`make demo`: a fresh memory from the sample exports, built, questioned, and drawn.

Everything is done by the program's own services with the real model. Run a second time with
nothing changed, it shows what the first run gave; `make demo-again` does it all anew.
"""

import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from apexmem_desktop.cli.asking import spell_answer
from apexmem_desktop.cli.importing import spell_report
from apexmem_desktop.cli.output import ProgressLine, spell_seconds
from apexmem_desktop.cli.spelling import spell_fact, spell_proofs
from apexmem_desktop.domain.answers import AskOptions
from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.services import asking, browsing, building, samples
from apexmem_desktop.services.dates import parse_date
from apexmem_desktop.services.workspace import Workspace

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = resources_dir() / "samples"


class Transcript:
    """Prints, and keeps what was printed."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def say(self, *lines: str) -> None:
        """Print the lines and keep them."""
        for line in lines:
            print(line, flush=True)
            self._file.write(f"{line}\n")


def main() -> int:
    """Make the demo, or show the one that is there."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/demo")
    try:
        if is_fresh(folder):
            print((folder / "answers.txt").read_text(encoding="utf-8"))
            print(f"(That was the last run, in {folder}; `make demo-again` does it anew.)")
        else:
            make(folder)
    except UserError as error:
        print(error, file=sys.stderr)
        return 1
    open_window(folder / "demo.apexmem")
    return 0


def is_fresh(folder: Path) -> bool:
    """Tell whether a finished demo is newer than all that it was made from."""
    done = folder / ".done"
    if not done.is_file():
        return False
    made_from = [ROOT / "requirements.lock"]
    for name in ("apexmem_desktop", "resources", "models", "packaging"):
        made_from += [path for path in (ROOT / name).rglob("*") if path.suffix != ".pyc"]
    made_at = done.stat().st_mtime
    return all(path.stat().st_mtime <= made_at for path in made_from if path.is_file())


def make(folder: Path) -> None:
    """Import, build, ask, show a history, draw."""
    began_s = time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with (folder / "answers.txt").open("w", encoding="utf-8") as file:
        transcript = Transcript(file)
        with Workspace(folder / "demo.apexmem") as ws:
            import_samples(ws, transcript)
            build(ws, transcript)
            ask_questions(ws, transcript)
            show_history(ws, transcript)
        draw(folder, transcript)
        transcript.say("", f"All of this took {spell_seconds(time.monotonic() - began_s)}.")
    (folder / ".done").touch()


def import_samples(ws: Workspace, transcript: Transcript) -> None:
    """Import every sample export."""
    transcript.say("== Import")
    for report in samples.import_samples(ws):
        transcript.say(*spell_report(report, dry_run=False))


def build(ws: Workspace, transcript: Transcript) -> None:
    """Read the turns into the graph, with progress."""
    transcript.say("", "== Build")
    progress = ProgressLine(sys.stderr)
    building.embed_pending(ws, progress=progress, cancel=CancelToken())
    report = building.build(ws, progress=progress)
    dropped = sum(report.facts_dropped.values())
    transcript.say(
        f"Read {report.turns_read} turns in {spell_seconds(report.seconds)}, passed over "
        f"{report.turns_gated_out}: {report.facts_new} facts, {report.events_new} events, "
        f"{report.entities_new} people and things; {dropped} candidates did not stand."
    )


def ask_questions(ws: Workspace, transcript: Transcript) -> None:
    """Ask the questions that are marked for the demo."""
    transcript.say("", "== Questions")
    text = (SAMPLES / "questions.toml").read_text(encoding="utf-8")
    for entry in tomllib.loads(text)["question"]:
        if not entry.get("demo", False):
            continue
        options = AskOptions(
            now_ms=parse_date(entry["now"]).end_ms(samples.ZONE), zone=samples.ZONE
        )
        if "as_of" in entry:
            options = replace(options, as_of_ms=parse_date(entry["as_of"]).end_ms(samples.ZONE))
        answer = asking.ask(ws, entry["question"], options)
        transcript.say("", f"{entry['kind']}: {entry['question']}", *spell_answer(answer))


def show_history(ws: Workspace, transcript: Transcript) -> None:
    """Show every version of the property that changed most."""
    versions = most_changed(ws)
    if not versions:
        transcript.say("", "== History", "No property has two values yet.")
        return
    transcript.say("", f"== History of {versions[0].property}, {versions[0].subject}")
    for fact in versions:
        transcript.say(spell_fact(fact), *(f"    {proof}" for proof in spell_proofs(fact)))


def most_changed(ws: Workspace) -> tuple[Fact, ...]:
    """Return the versions of the single-valued property with the most values, newest first."""
    values: dict[tuple[int, str], set[str]] = defaultdict(set)
    for entity in browsing.list_entities(ws, type="person", limit=20):
        for fact in browsing.facts_of(ws, str(entity.id), history=True)[1]:
            if fact.single_valued:
                values[fact.subject_id, fact.property].add(fact.value.casefold())
    if not values:
        return ()
    subject_id, name = max(values, key=lambda key: len(values[key]))
    if len(values[subject_id, name]) < 2:
        return ()
    return browsing.property_history(ws, subject_id, name)


def draw(folder: Path, transcript: Transcript) -> None:
    """Save pictures of the window, which a process of its own draws without a screen."""
    transcript.say("", "== Pictures")
    command = [sys.executable, "-m", "apexmem_desktop.cli", "--vault", str(folder / "demo.apexmem")]
    subprocess.run([*command, "--quiet", "screenshots", str(folder)], check=True)
    transcript.say(*(str(path) for path in sorted(folder.glob("*.png"))))


def open_window(vault: Path) -> None:
    """Open the window on the demo's memory where there is a screen, and leave it open."""
    has_screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if has_screen and not os.environ.get("CI"):
        command = [sys.executable, "-m", "apexmem_desktop.cli", "--vault", str(vault), "gui"]
        subprocess.Popen(command, start_new_session=True)


if __name__ == "__main__":
    sys.exit(main())
