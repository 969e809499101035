"""What the models cost in use: embedding, reading into the graph, answering; beside them bare."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from apexmem_desktop.bench.figures import Figure, latencies, rate, seconds, timed
from apexmem_desktop.bench.speed_chat import PLACES, THINGS, write_chat
from apexmem_desktop.bench.vaults import ZONE
from apexmem_desktop.domain.answers import AskOptions
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.services import asking, browsing, building, importing, measuring
from apexmem_desktop.services.workspace import Workspace

_PEOPLE = ("Ana", "Ben", "Cleo")


@dataclass(frozen=True, slots=True)
class Bare:
    """How the models are measured without this program; tests give stand-ins.

    Attributes:
        encoding_s: Seconds of sentence-transformers alone for some texts.
        evaluation_s: Seconds of llama.cpp alone for a number of tokens.
        replay_s: Seconds of llama.cpp alone for what a journal holds.
    """

    encoding_s: Callable[[Workspace, Sequence[str]], float] = measuring.bare_encoding_s
    evaluation_s: Callable[[Workspace, int], float] = measuring.bare_evaluation_s
    replay_s: Callable[[Workspace, Path], float] = measuring.bare_replay_s


@dataclass(frozen=True, slots=True)
class Amounts:
    """How much is put to the models; of the messages embedded, the newest are read too."""

    embedded: int
    read_turns: int
    questions: int


def fill(ws: Workspace, amounts: Amounts, folder: Path) -> None:
    """Import a chat of as many messages as are embedded."""
    export = folder / "WhatsApp Chat with Models.txt"
    write_chat(export, amounts.embedded)
    importing.import_file(ws, export, ImportChoices(zone=ZONE, date_order="dmy"))
    export.unlink()


def measure_embedding(
    ws: Workspace, bare: Bare, progress: ProgressSink, cancel: CancelToken
) -> list[Figure]:
    """Embed the turns as the program does, and their texts with sentence-transformers alone."""
    embedder = ws.embedder()
    if embedder is None:
        return []
    embedder.embed(["starts the model"])
    took_s = seconds(lambda: building.embed_pending(ws, progress=progress, cancel=cancel))
    (chat,) = browsing.conversations(ws)
    texts = [one.text for one in browsing.conversation_turns(ws, chat.id, limit=chat.turns)]
    bare_s = bare.encoding_s(ws, texts)
    name = f"embedding {len(texts):,} messages"
    return rate(name, len(texts), "messages/s", took_s, ("sentence-transformers alone", bare_s))


def measure_reading(
    ws: Workspace, amounts: Amounts, bare: Bare, progress: ProgressSink, cancel: CancelToken
) -> list[Figure]:
    """Read turns into the graph, and let llama.cpp alone evaluate as many tokens."""
    language = ws.language()
    language.count_tokens("starts the model")
    before = language.spent
    report = building.build(ws, limit=amounts.read_turns, progress=progress, cancel=cancel)
    spent = language.spent.since(before)
    name = f"reading {report.turns_read} turns into the graph"
    hundreds = max(1, report.turns_read) / 100
    figures = [
        Figure(name, report.seconds / hundreds, "s/100 turns"),
        Figure(f"{name}, model calls", report.model_calls / hundreds, "calls/100 turns"),
    ]
    if not spent.decoded_tokens:  # the patterns read all of it
        return figures
    bare_s = bare.evaluation_s(ws, spent.decoded_tokens)
    limit = f"llama.cpp alone on {spent.decoded_tokens:,} tokens"
    return [
        *figures,
        _share(f"{name}, waiting for the model's process", spent.waited_s, report.seconds),
        _share(f"{name}, inside llama_decode", spent.decode_s, report.seconds),
        *rate(f"{name}, tokens", spent.decoded_tokens, "tokens/s", report.seconds, (limit, bare_s)),
        *rate(f"{name}, tokens while decoding", spent.decoded_tokens, "tokens/s", spent.decode_s,
              (limit, bare_s)),
    ]  # fmt: skip


def measure_answers(
    ws: Workspace, amounts: Amounts, progress: ProgressSink, cancel: CancelToken
) -> list[Figure]:
    """Ask questions of the vault that was read, one after another."""
    language = ws.language()
    before = language.spent
    total_ms: list[float] = []
    first_ms: list[float] = []
    for number, question in enumerate(questions(amounts.questions), start=1):
        cancel.check()
        answer, took_s = timed(
            partial(asking.ask, ws, question, AskOptions(zone=ZONE), cancel=cancel)
        )
        total_ms.append(1000 * took_s)
        first_ms.append(answer.usage.ms_first_evidence)
        progress(Progress("Asking", number, amounts.questions, "questions", question))
    spent = language.spent.since(before)
    return [
        *latencies("first evidence of an answer", first_ms),
        *latencies("an answer", total_ms),
        _share("answers, inside llama_decode", spent.decode_s, sum(total_ms) / 1000),
    ]


def questions(count: int) -> list[str]:
    """List questions on the generated chat: where, when, what, and one that has no answer."""
    kinds = (
        "Where does {who} live?", "What did {who} buy?", "When did {who} move to {place}?",
        "What does {who} do for a living?", "Did {who} break the {thing}?",
        "What is the name of {who}'s dog?",
    )  # fmt: skip
    return [
        kinds[n % len(kinds)].format(
            who=_PEOPLE[n % len(_PEOPLE)],
            place=PLACES[n % len(PLACES)],
            thing=THINGS[n % len(THINGS)],
        )
        for n in range(count)
    ]


def _share(name: str, part_s: float, whole_s: float) -> Figure:
    return Figure(f"share of {name}", 100 * part_s / max(whole_s, 1e-9), "%")
