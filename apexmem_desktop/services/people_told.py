"""What an import says of people in plain words: whom it took for whom, and who may be one."""

from collections.abc import Iterable

from apexmem_desktop.building.people import Met

_MOST_TOLD = 20


def spell_met(met: Iterable[Met]) -> list[str]:
    """Tell of senders who were known from other formats by the very same name."""
    return [
        f"{one.name} is taken for the {one.name} known from {', '.join(one.formats)}"
        for one in list(met)[:_MOST_TOLD]
    ]


def spell_called(pairs: Iterable[frozenset[tuple[str, str]]]) -> list[str]:
    """Tell of people who are called otherwise in the memory, for the same messages."""
    every = sorted({pair for some in pairs for pair in some})
    return [
        f"{here} says here what {there} says in the memory; if they are one, say: "
        f'apexmem entity merge "{there}" "{here}"'
        for here, there in every[:_MOST_TOLD]
    ]
