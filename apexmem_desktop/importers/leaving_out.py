"""What is read but is nobody's words: counted by reason, and told once a file."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from apexmem_desktop.domain.progress import CancelToken, ProgressSink
from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, ImportedTurn, TurnKind
from apexmem_desktop.importers.decoding import clean
from apexmem_desktop.importers.reading import Skipped, Source, Told, ToldSource

LEFT_BRANCHES = "answers of branches that were left (kept as alternatives if you ask for them)"


def told_once(source: Source, where: str, *, keep_branches: bool) -> ToldSource:
    """Pass on what a source gives; skips are added up and come last, left branches with them."""

    def summed(progress: ProgressSink, cancel: CancelToken) -> Iterator[Told]:
        counts: dict[str, int] = {}
        for item in source(progress, cancel):
            if isinstance(item, Skipped):
                counts[item.why] = counts.get(item.why, 0) + item.count
            elif isinstance(item, ImportProblem):
                yield item
            else:
                kept = _storable(item if keep_branches else _active(item, counts))
                if kept.turns != ():
                    yield kept
        for why, count in counts.items():
            if not count:
                continue
            yield ImportProblem(where, f"{count} left out: {why}", turns=count, expected=True)

    return summed


def _storable(conversation: ImportedConversation) -> ImportedConversation:
    """Clean what is named once a conversation; its turns are clean already."""
    title, external_id = clean(conversation.title), clean(conversation.external_id)
    if (title, external_id) == (conversation.title, conversation.external_id):
        return conversation
    return replace(conversation, title=title, external_id=external_id)


def _active(conversation: ImportedConversation, counts: dict[str, int]) -> ImportedConversation:
    turns = _passed(conversation.turns, counts)
    # A stream stays one: what it leaves is counted when its turns pass by.
    kept = tuple(turns) if isinstance(conversation.turns, tuple) else turns
    return replace(conversation, turns=kept)


def _passed(turns: Iterable[ImportedTurn], counts: dict[str, int]) -> Iterator[ImportedTurn]:
    for turn in turns:
        if turn.kind is TurnKind.ALTERNATIVE:
            counts[LEFT_BRANCHES] = counts.get(LEFT_BRANCHES, 0) + 1
        else:
            yield turn
