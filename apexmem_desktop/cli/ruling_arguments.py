"""The options of `entity`, `fact`, `misfit`, `undo`, `redo` and `rulings`."""

import argparse
from collections.abc import Callable

Make = Callable[[str, str, str], argparse.ArgumentParser]  # (name, function, help)
Subcommands = Callable[[argparse.ArgumentParser, str], Make]
FACT_RULINGS = (
    ("confirm", "Say that a fact is right."),
    ("reject", "Say that a fact is wrong; it never holds again."),
    ("prefer", "Say that this side of a conflict is right."),
    ("pin", "Say that a fact is right and matters."),
    ("hide", "Take a fact out of every answer."),
)


def add_entity(parser: argparse.ArgumentParser, below: Subcommands) -> None:
    """Describe `entity merge|split|apart|show`."""
    make = below(parser, "merge|split|apart|show")
    merge = make("merge", "run_merge", "Say that two names are one person or thing.")
    _two(merge)
    merge.add_argument(
        "--dry-run", action="store_true", help="show what it would move, store nothing"
    )
    _one(make("split", "run_split", "Take one out of those that it was merged with."), "ID")
    _two(make("apart", "run_apart", "Say that two are surely not the same."))
    show = make("show", "run_show", "Show what was merged, by whom and why.")
    show.add_argument("a", metavar="ID", help="its number or name")


def add_fact(
    parser: argparse.ArgumentParser, below: Subcommands, date: Callable[..., None]
) -> None:
    """Describe `fact confirm|reject|correct|prefer|pin|hide`."""
    make = below(parser, "confirm|reject|correct|prefer|pin|hide")
    for name, help_text in FACT_RULINGS:
        action = make(name, "run_rule", help_text)
        action.set_defaults(ruling=name)
        _fact(action)
    correct = make("correct", "run_correct", "Give the right value of a fact.")
    _fact(correct)
    correct.add_argument("value", metavar="VALUE", help="what is right")
    date(correct, "--from", "since when it holds (default: as the fact said)")


def add_misfit(parser: argparse.ArgumentParser, positive: Callable[[str], int]) -> None:
    """Describe `misfit`."""
    parser.add_argument("turn_id", type=positive, metavar="TURN", help="as the answer cites it")
    parser.add_argument(
        "--answer", type=positive, metavar="N", help="the answer's number (default: the last)"
    )
    parser.add_argument(
        "--fact", dest="fact_ids", type=positive, action="append", default=[], metavar="ID",
        help="a fact read out of these words that is wrong with them; may be given again",
    )  # fmt: skip
    _reason(parser)


def _two(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="a number or name")
    parser.add_argument("b", metavar="B", help="a number or name")
    _reason(parser)


def _one(parser: argparse.ArgumentParser, metavar: str) -> None:
    parser.add_argument("a", metavar=metavar, help="its number or name")
    _reason(parser)


def _fact(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("fact_id", type=_number, metavar="ID", help="as `facts NAME` shows it")
    _reason(parser)


def _reason(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reason", default="", metavar="TEXT", help="kept with the decision")


def _number(text: str) -> int:
    """Accept the number of a fact.

    Raises:
        argparse.ArgumentTypeError: It is something else.
    """
    if not text.isascii() or not text.isdigit() or not 0 < len(text) < 19:
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a fact")
    return int(text)
