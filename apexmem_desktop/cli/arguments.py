"""The commands and their options. Each command's module is loaded when it runs, not before."""

import argparse
import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from apexmem_desktop import __version__
from apexmem_desktop.cli.bench_arguments import add_benches
from apexmem_desktop.cli.ruling_arguments import Make, add_entity, add_fact, add_misfit
from apexmem_desktop.cli.timing_arguments import add_plans, add_times

Run = Callable[[argparse.Namespace], int | None]
_DATE = re.compile(r"\d{4}(-\d{1,2}(-\d{1,2})?)?([T ]\d{2}:\d{2}.*)?")
_DATE_HELP = "YYYY, YYYY-MM, YYYY-MM-DD or ISO 8601"


def build_parser() -> argparse.ArgumentParser:
    """Describe the whole command line."""
    parser = argparse.ArgumentParser(
        prog="apexmem",
        description="A memory of your conversations, kept and read on your own machine.",
        parents=[_common(argparse.SUPPRESS)],
    )
    parser.add_argument("--version", action="version", version=f"apexmem {__version__}")
    parser.set_defaults(vault=None, json=False, quiet=False, passphrase_file=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add in (
        _add_import, _add_build, _add_ask, _add_search, _add_entities, _add_facts, _add_timeline,
        _add_sql, _add_schema, _add_status, _add_verify, _add_models, _add_trace,
        _add_dialogues, _add_gui,        _add_screenshots, _add_bench, _add_backup, _add_restore,
        _add_timing, _add_export, _add_erase,
        _add_rulings,
    ):  # fmt: skip
        add(commands)
    return parser


def date_text(text: str) -> str:
    """Accept what looks like a date; the command reads it when it knows the zone.

    Raises:
        argparse.ArgumentTypeError: It does not look like one.
    """
    from apexmem_desktop.cli.dates import check_date

    if not _DATE.fullmatch(text.strip()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a date: write {_DATE_HELP}")
    try:
        check_date(text.strip())
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date: {error}") from error
    return text.strip()


def positive(text: str) -> int:
    """Accept a whole number of one or more.

    Raises:
        argparse.ArgumentTypeError: It is something else.
    """
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 1 or more")
    return int(text)


def _common(default: object) -> argparse.ArgumentParser:
    """Options that stand before or after the command; a missing one must not undo the other."""
    common = argparse.ArgumentParser(add_help=False, argument_default=default)
    group = common.add_argument_group("options of every command")
    group.add_argument(
        "--vault", type=Path, metavar="PATH", help="the memory file (default: in your data folder)"
    )
    group.add_argument(
        "--passphrase-file",
        type=Path,
        metavar="FILE",
        help="its first line opens an encrypted memory (or APEXMEM_PASSPHRASE, or you are asked)",
    )
    group.add_argument("--json", action="store_true", help="one JSON document on stdout")
    group.add_argument("--quiet", action="store_true", help="no progress on stderr")
    return common


# argparse gives this class no public name.
_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001


def _lazy(module: str, function: str) -> Run:
    """Make a command that loads its module when it is run."""

    def run(options: argparse.Namespace) -> int | None:
        loaded = importlib.import_module(f"apexmem_desktop.cli.{module}")
        status: int | None = getattr(loaded, function)(options)
        return status

    return run


def _command(
    commands: _Commands, name: str, module: str, function: str, help_text: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=help_text, description=help_text, parents=[_common(argparse.SUPPRESS)]
    )
    parser.set_defaults(run=_lazy(module, function))
    return parser


def _date(parser: argparse.ArgumentParser, flag: str, help_text: str) -> None:
    dest = flag.lstrip("-").replace("-", "_") + "_date"
    parser.add_argument(flag, dest=dest, type=date_text, metavar="DATE", help=help_text)


def _chat_zone(text: str) -> tuple[str, str]:
    """Read what is said of one chat; its name may hold the sign itself."""
    name, _, zone = (part.strip() for part in text.rpartition("="))
    if not name or not zone:
        raise argparse.ArgumentTypeError(f'{text!r} is not as in "Ana & Ben=Asia/Tokyo"')
    return name, zone


def _add_import(commands: _Commands) -> None:
    parser = _command(
        commands, "import", "importing", "run_import", "Store the new turns of chat exports."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="an export")
    parser.add_argument("--zone", default="", help="time zone of its clock, e.g. Europe/Berlin")
    parser.add_argument(
        "--chat-zone", action="append", default=[], type=_chat_zone, metavar="NAME=ZONE",
        help="time zone of one chat in the file; may be given again, and is kept with the chat",
    )  # fmt: skip
    parser.add_argument(
        "--date-order",
        default="",
        choices=("dmy", "mdy", "ymd", "ydm"),
        help="when the file leaves doubt",
    )
    parser.add_argument(
        "--year", type=int, default=0, metavar="YEAR",
        help="the last year of dates that name none",
    )  # fmt: skip
    parser.add_argument(
        "--format", default="", metavar="NAME", help="the format, instead of recognising it"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what it holds, store nothing")
    parser.add_argument(
        "--keep-branches",
        action="store_true",
        help="keep the branches of AI chats that were left, as alternatives",
    )
    parser.add_argument(
        "--owner", default="", metavar="NAME", help='who "You" is in exports; remembered'
    )
    parser.add_argument(
        "--erased-too", action="store_true", help="bring back turns that were erased earlier"
    )
    parser.add_argument(
        "--encrypt", action="store_true", help="a memory made now is kept under a passphrase"
    )


def _add_build(commands: _Commands) -> None:
    parser = _command(
        commands, "build", "building", "run_build", "Read stored turns into the graph; resumes."
    )
    parser.add_argument("--limit", type=positive, metavar="TURNS", help="stop after so many turns")
    parser.add_argument("--about", default="", metavar="TEXT", help="only what bears on TEXT")
    parser.add_argument(
        "--retry-failed", action="store_true", help="read again what failed, after the rest"
    )
    parser.add_argument(
        "--reread", action="store_true",
        help="also read again what another model read; what is not found again gives way",
    )  # fmt: skip
    parser.add_argument(
        "--status", action="store_true", help="only tell what waits, and what failed and why"
    )
    parser.add_argument(
        "--dropped", nargs="?", const="", metavar="REASON",
        help="only show what was read and not stored, and why",
    )  # fmt: skip


def _add_ask(commands: _Commands) -> None:
    parser = _command(commands, "ask", "asking", "run_ask", "Answer a question from the memory.")
    parser.add_argument("question", metavar="QUESTION")
    _date(parser, "--as-of", f"answer with what held then ({_DATE_HELP})")
    _date(parser, "--known-at", "use only what had been recorded by then")
    _date(parser, "--now", 'what "today" is for the question')
    parser.add_argument("--no-model", action="store_true", help="stop at the evidence")
    parser.add_argument(
        "--read-first", type=positive, default=None, metavar="TURNS",
        help="first read up to so many turns that bear on it into the graph "
        "(a few of them where nothing was read so far)",
    )  # fmt: skip


def _add_search(commands: _Commands) -> None:
    parser = _command(
        commands, "search", "browsing", "run_search", "Search turns, facts and entities."
    )
    parser.add_argument("words", metavar="WORDS", nargs="+")
    parser.add_argument("--person", default="", metavar="P", help="only what P said")
    _date(parser, "--from", f"said then or later ({_DATE_HELP})")
    _date(parser, "--to", "said then or earlier")
    _date(parser, "--known-at", "only what had been imported and recorded by then")
    parser.add_argument("--limit", type=positive, default=20, metavar="N")


def _add_entities(commands: _Commands) -> None:
    parser = _command(commands, "entities", "browsing", "run_entities", "List people and things.")
    parser.add_argument("--type", default="", metavar="T", help="e.g. person, place")
    parser.add_argument("--matching", default="", metavar="TEXT", help="whose name has TEXT")
    parser.add_argument(
        "--proposals", action="store_true", help="who may be one person: merge or tell apart"
    )
    parser.add_argument("--limit", type=positive, default=200, metavar="N")


def _add_facts(commands: _Commands) -> None:
    parser = _command(commands, "facts", "browsing", "run_facts", "Show what holds of an entity.")
    parser.add_argument("name", metavar="NAME", help="its name or number")
    parser.add_argument("--property", default="", metavar="P", help="only this property")
    _date(parser, "--as-of", f"what held then ({_DATE_HELP})")
    _date(parser, "--known-at", "only what had been recorded by then")
    parser.add_argument("--history", action="store_true", help="all versions, newest first")


def _add_timeline(commands: _Commands) -> None:
    parser = _command(
        commands,
        "timeline",
        "browsing",
        "run_timeline",
        "Show an entity's events and facts in order.",
    )
    parser.add_argument("name", metavar="NAME", help="its name or number")
    parser.add_argument("--png", type=Path, metavar="FILE", help="also draw it as in the window")
    _date(parser, "--from", f"not what ended before ({_DATE_HELP})")
    _date(parser, "--to", "not what began after")


def _add_timing(commands: _Commands) -> None:
    def make(name: str, function: str, help_text: str) -> argparse.ArgumentParser:
        return _command(commands, name, "timing", function, help_text)

    add_times(make, _date)
    add_plans(make, _date)


def _add_sql(commands: _Commands) -> None:
    parser = _command(
        commands, "sql", "queries", "run_sql", "Run one SELECT, with the limits of the agent."
    )
    parser.add_argument("query", metavar="SELECT")


def _add_schema(commands: _Commands) -> None:
    _command(commands, "schema", "queries", "run_schema", "Show the views that sql can read.")


def _add_status(commands: _Commands) -> None:
    _command(commands, "status", "upkeep", "run_status", "Show counts, queue, models and sizes.")


def _add_verify(commands: _Commands) -> None:
    _command(
        commands, "verify", "upkeep", "run_verify", "Check the memory; mend what can be rebuilt."
    )


def _add_backup(commands: _Commands) -> None:
    parser = _command(
        commands,
        "backup",
        "keeping",
        "run_backup",
        "Copy the memory to a file, and check the copy.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--replace", action="store_true", help="replace FILE if it is there")


def _add_restore(commands: _Commands) -> None:
    parser = _command(
        commands,
        "restore",
        "keeping",
        "run_restore",
        "Put a backup in the memory's place; the memory as it was is kept beside it.",
    )
    parser.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="a backup; without it, list those known"
    )


def _add_export(commands: _Commands) -> None:
    parser = _command(
        commands, "export", "keeping", "run_export", "Write the whole memory into a new folder."
    )
    parser.add_argument("dir", type=Path, metavar="DIR")
    parser.add_argument(
        "--as",
        dest="form",
        default="json",
        choices=("json", "markdown", "ics"),
        help="json and markdown: all of it; ics: a calendar of what has a date",
    )


def _add_erase(commands: _Commands) -> None:
    parser = _command(
        commands,
        "erase",
        "keeping",
        "run_erase",
        "Erase for good: from every table, index, cache and copy that the program keeps.",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--entity", type=positive, metavar="N", help="a person or thing, by its number in entities"
    )
    what.add_argument("--source", type=positive, metavar="N", help="what came with one import")
    what.add_argument("--all", action="store_true", help="everything")
    parser.add_argument(
        "--keep-mentions", action="store_true", help="keep what others said of the entity"
    )
    parser.add_argument("--dry-run", action="store_true", help="only show what it would take")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _add_models(commands: _Commands) -> None:
    parser = _command(commands, "models", "models", "run_list", "The models that can be used.")
    actions = parser.add_subparsers(metavar="list|pull|verify|use")
    for name, help_text, names in (
        ("list", "List the catalogue (default).", None),
        ("pull", "Fetch models; without NAME those that the program needs.", "*"),
        ("verify", "Check the files; without NAME all that are here.", "*"),
        (
            "use",
            "Choose a model: a NAME of the list, a .gguf file, or an embedder's folder.",
            1,
        ),
    ):
        action = _command(actions, name, "models", f"run_{name}", help_text)
        if names is not None:
            action.add_argument("names", nargs=names, metavar="NAME")
        if name == "use":
            action.add_argument(
                "--for",
                dest="stage",
                default="",
                choices=("extraction", "resolution", "answering"),
                help="only for this part of the work; `usual` as NAME takes it back",
            )


def _add_trace(commands: _Commands) -> None:
    parser = _command(commands, "trace", "asking", "run_trace", "Show how an answer was found.")
    parser.add_argument(
        "number", nargs="?", type=positive, metavar="N", help="its number (default: the last)"
    )


def _add_dialogues(commands: _Commands) -> None:
    parser = _command(
        commands, "dialogues", "dialogues", "run_list", "What was asked, with its follow-ups."
    )
    actions = parser.add_subparsers(metavar="list|show|delete")
    for name, help_text in (
        ("list", "List them, the last asked first (default)."),
        ("show", "Show the questions and answers of one."),
        ("delete", "Delete one with its answers; chats and facts stay."),
    ):
        action = _command(actions, name, "dialogues", f"run_{name}", help_text)
        if name == "list":
            action.add_argument("--limit", type=positive, default=200, metavar="N")
        else:
            action.add_argument("number", type=positive, metavar="ID", help="its number")


def _add_gui(commands: _Commands) -> None:
    parser = _command(commands, "gui", "window", "run_gui", "Open the window.")
    # For `bench speed`: says that the window is there, and closes it.
    parser.add_argument("--until-shown", action="store_true", help=argparse.SUPPRESS)


def _add_screenshots(commands: _Commands) -> None:
    parser = _command(
        commands, "screenshots", "window", "run_screenshots", "Save a picture of every place."
    )
    parser.add_argument("dir", type=Path, metavar="DIR")
    parser.add_argument(
        "--text-percent", type=positive, default=100, metavar="N", help="size of all text"
    )
    parser.add_argument(
        "--look",
        action="append",
        metavar="NAME",
        help="only this look, such as dark-zh or light-en-mirrored; may be given several times",
    )


def _add_bench(commands: _Commands) -> None:
    parser = _command(commands, "bench", "bench", "run_none", "Measure this memory.")
    benches = parser.add_subparsers(title="benches", metavar="BENCH", required=True)
    add_benches(
        lambda name, help_text: _command(benches, name, "bench", f"run_{name}", help_text), positive
    )


def _add_rulings(commands: _Commands) -> None:
    def below(parser: argparse.ArgumentParser, metavar: str) -> Make:
        actions = parser.add_subparsers(title="decisions", metavar=metavar, required=True)
        return lambda name, function, help_text: _command(
            actions, name, "rulings", function, help_text
        )

    words = "Decide who is whom; undo takes it back."
    add_entity(_command(commands, "entity", "rulings", "run_show", words), below)
    words = "Decide which facts are right; undo takes it back."
    add_fact(_command(commands, "fact", "rulings", "run_rule", words), below, _date)
    words = "Say that a turn does not answer a question: it is not cited for it again."
    add_misfit(_command(commands, "misfit", "rulings", "run_misfit", words), positive)
    for name, words in (
        ("undo", "Take back the newest decision; again for the one before."),
        ("redo", "Make again the decision that was just taken back."),
    ):
        _command(commands, name, "rulings", f"run_{name}", words)
    parser = _command(commands, "rulings", "rulings", "run_rulings", "List what was decided.")
    parser.add_argument("--limit", type=positive, default=200, metavar="N")
