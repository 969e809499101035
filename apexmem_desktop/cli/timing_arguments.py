"""The options of `times` and `plans`."""

import argparse
from collections.abc import Callable

Make = Callable[[str, str, str], argparse.ArgumentParser]
AddDate = Callable[[argparse.ArgumentParser, str, str], None]

_TIMES_JSON = """\
JSON: entity, and of what was asked for:
  changes  [{property, when: bound, before: fact|null, after: fact|null}]
  around   {event, before: [held], after: [held]}
  lengths  [held + {least_days, most_days|null, ongoing}]
  count    {least, most, facts: [fact]}
  events   [event]
  related  {first: event, second: event, certain, relations: [before|meets|overlaps|…]}
where held is {property, value, from: bound, to: bound|null, certainty, facts: [number]}
and bound {earliest, latest, precision, source}.
"""
_PLANS_JSON = """\
JSON: plans [{entity, entity_id, kind, when: {from, to}, lane, label, fact_id, event_id,
evidence: [{turn_id, said_at, speaker, quote}]}]; with --overlaps also
overlaps [{entity, entity_id, certainty: certain|possible, first: plan, second: plan}].
"""


def add_times(make: Make, date: AddDate) -> None:
    """Describe `times`."""
    parser = make(
        "times",
        "run_times",
        "Tell when what holds of an entity changed, around which event, how long, how often.",
    )
    _explain(parser, _TIMES_JSON)
    parser.add_argument("name", metavar="NAME", help="its name or number")
    parser.add_argument("--property", default="", metavar="P", help="only this property")
    parser.add_argument(
        "--value", default="", metavar="V", help="only this value; with --events only this type"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--changes", action="store_true", help="what changed when (default)")
    what.add_argument(
        "--around", default="", metavar="EVENT",
        help="what held before and after an event: its number, type or words",
    )  # fmt: skip
    what.add_argument("--how-long", action="store_true", help="how long each value of P held")
    what.add_argument(
        "--how-many", action="store_true", help="how often P was done or began, from --from to --to"
    )
    what.add_argument("--events", action="store_true", help="what it took part in")
    what.add_argument(
        "--relation", nargs=2, default=None, metavar=("EVENT", "OTHER"),
        help="how two events lie to each other: before, meets, overlaps, during, …",
    )  # fmt: skip
    date(parser, "--from", "not before (how-many, events)")
    date(parser, "--to", "not after (how-many, events)")
    date(parser, "--as-of", "measure what has not ended up to then (how-long)")
    date(parser, "--known-at", "only what had been recorded by then")


def add_plans(make: Make, date: AddDate) -> None:
    """Describe `plans`."""
    parser = make("plans", "run_plans", "Show what is planned, and plans that overlap.")
    _explain(parser, _PLANS_JSON)
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="whose (default: all)")
    parser.add_argument(
        "--overlaps",
        action="store_true",
        help="also the pairs that cannot both be kept, or may not",
    )
    date(parser, "--from", "not what is over before")
    date(parser, "--to", "not what begins after")
    date(parser, "--as-of", "what was still to come then (default: now)")


def _explain(parser: argparse.ArgumentParser, shapes: str) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = shapes
