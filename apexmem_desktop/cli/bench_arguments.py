"""The options of `apexmem bench …`. Loads nothing of the benches."""

import argparse
from collections.abc import Callable
from pathlib import Path

SYSTEMS = ("apex", "full-context", "rag", "facts-only", "no-sql", "no-search")
QUERY_SYSTEMS = ("apex", "no-sql")
_BENCHES = {
    "locomo": "Questions on long conversations of two people, by LoCoMo's own measures.",
    "longmemeval": "Questions on chats with an assistant; only what a question needs is read.",
    "sealqa": "Questions on web pages that contradict one another.",
    "graph": "What was found and dated: in the samples, or with --data in LoCoMo.",
    "sql": "Questions to the whole graph of the samples, with GraphSQL and without.",
    "speed": "How fast the program is here at all it does, beside the bare limits of the machine.",
    "all": "Speed, the samples' graph, and every data set that is given.",
}
_ASKING = ("locomo", "longmemeval", "sealqa")

AddCommand = Callable[[str, str], argparse.ArgumentParser]
WholeNumber = Callable[[str], int]


def add_benches(add: AddCommand, whole_number: WholeNumber) -> None:
    """Add every bench as a command of its own."""
    for name, help_text in _BENCHES.items():
        parser = add(name, help_text)
        if name in _ASKING:
            _add_asking_options(parser, whole_number)
        elif name == "graph":
            _add_graph_options(parser, whole_number)
        elif name == "sql":
            _add_query_options(parser, whole_number)
        else:
            _add_speed_options(parser, whole_number)
        if name == "all":
            _add_all_options(parser, whole_number)
        parser.add_argument(
            "--record", type=Path, metavar="FILE",
            help="append the figures, with where they come from, to this Markdown file",
        )  # fmt: skip
        parser.add_argument(
            "--vaults", type=Path, metavar="DIR",
            help="folder of the vaults, kept for the next run (default: a passing one)",
        )  # fmt: skip
        parser.add_argument("--model", default="", metavar="NAME", help="instead of the one in use")


def _add_all_options(parser: argparse.ArgumentParser, whole_number: WholeNumber) -> None:
    for name, of_whom in (("data", "LoCoMo"), ("longmemeval", "LongMemEval"), ("sealqa", "SealQA")):
        parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=f"{of_whom}'s file")
    parser.add_argument(
        "--limit", type=whole_number, metavar="N", help="a sample of N questions of each set"
    )


def _add_speed_options(parser: argparse.ArgumentParser, whole_number: WholeNumber) -> None:
    parser.add_argument(
        "--messages", type=whole_number, action="append", metavar="N",
        help="how many messages to generate (default: 10000); each N given gets a vault of its own",
    )  # fmt: skip
    parser.add_argument(
        "--quick", action="store_true", help="a small share of everything, for every day"
    )
    parser.add_argument(
        "--no-model", action="store_true", help="leave out what needs the language model"
    )


def _add_graph_options(parser: argparse.ArgumentParser, whole_number: WholeNumber) -> None:
    parser.add_argument("--data", type=Path, metavar="FILE", help="LoCoMo's file")
    parser.add_argument(
        "--conversations", nargs="+", default=[], metavar="ID", help="only these (default: all)"
    )
    parser.add_argument(
        "--sample", type=whole_number, default=50, metavar="N", help="facts to write to --out"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of that sample")
    parser.add_argument("--out", type=Path, metavar="FILE", help="a sheet of facts to judge")
    parser.add_argument(
        "--verdicts", type=Path, metavar="FILE", help="a judged sheet, to be summed up"
    )
    parser.add_argument(
        "--no-model", action="store_true", help="build by rule alone; needs no language model"
    )
    parser.add_argument(
        "--any-code", action="store_true",
        help="take built vaults, and with --resume answers, whatever code made them",
    )  # fmt: skip


def _percent(whole_number: WholeNumber) -> WholeNumber:
    def read(text: str) -> int:
        number = whole_number(text)
        if number > 100:
            raise argparse.ArgumentTypeError(f"{text!r} is more than 100")
        return number

    return read


def _add_query_options(parser: argparse.ArgumentParser, whole_number: WholeNumber) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--held-out", action="store_true",
        help="ask the questions that nothing of the program was written on",
    )  # fmt: skip
    which.add_argument(
        "--practice", action="store_true",
        help="ask those that its routing was mended on after the held-out ones were first asked",
    )  # fmt: skip
    parser.add_argument(
        "--system", action="append", choices=QUERY_SYSTEMS, dest="query_systems",
        help="what to ask; may be given several times (default: both)",
    )  # fmt: skip
    parser.add_argument(
        "--break", type=_percent(whole_number), default=0, metavar="N", dest="broken_percent",
        help="break N of a hundred queries before they run, to see whether they are mended",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of what is broken")


def _add_asking_options(parser: argparse.ArgumentParser, whole_number: WholeNumber) -> None:
    parser.add_argument("--data", type=Path, required=True, metavar="FILE", help="the data set")
    parser.add_argument(
        "--system", action="append", choices=SYSTEMS, dest="systems",
        help="what to ask; may be given several times (default: apex)",
    )  # fmt: skip
    parser.add_argument(
        "--conversations", nargs="+", default=[], metavar="ID", help="only these (default: all)"
    )
    parser.add_argument("--limit", type=whole_number, metavar="N", help="a sample of N questions")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of sample and intervals")
    parser.add_argument("--out", type=Path, metavar="FILE", help="every answer, as JSON lines")
    parser.add_argument(
        "--resume", action="store_true", help="keep what the same code answered in --out"
    )
    parser.add_argument("--no-build", action="store_true", help="ask without reading into a graph")
    parser.add_argument(
        "--any-code", action="store_true",
        help="take built vaults, and with --resume answers, whatever code made them",
    )  # fmt: skip
