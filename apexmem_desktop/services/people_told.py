"""What an import says of people in plain words: whom it took for whom, and who may be one."""

from collections.abc import Iterable

from apexmem_desktop.building.people import Met

_MOST_TOLD = 20


def spell_met(met: Iterable[Met]) -> list[str]:
    """Tell of senders whose very names were known from other apps."""
    return [
        f"{one.name} may be the {one.name} known from {', '.join(one.families)}; "
        "see: apexmem entities --proposals"
        for one in [one for one in met if one.families][:_MOST_TOLD]
    ]


def spell_called(pairs: Iterable[frozenset[tuple[str, str]]]) -> list[str]:
    """Tell of people who are called otherwise in the memory, for the same messages."""
    every = sorted({pair for some in pairs for pair in some})
    return [
        f"{here} says here what {there} says in the memory; if they are one, say: "
        f'apexmem entity merge "{there}" "{here}"'
        for here, there in every[:_MOST_TOLD]
    ]
