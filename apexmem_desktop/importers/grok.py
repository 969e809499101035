"""Grok's data export: conversations with their responses."""

from collections import Counter
from collections.abc import Iterator

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.chatgpt_branches import Node, Tree
from apexmem_desktop.importers.json_importer import Context, JsonImporter, shape
from apexmem_desktop.importers.json_stream import Json, as_dict, as_list, as_text
from apexmem_desktop.importers.local_clock import time_ms
from apexmem_desktop.importers.reading import Item, Skipped
from apexmem_desktop.importers.said import Said, file_name, made_up_title, to_turns

_THOUGHTS = ("thinking_trace", "agent_thinking_traces")
_FILES = ("file_attachments", "image_attachments", "generated_image_urls")


class GrokImporter(JsonImporter):
    """Each conversation stands beside its responses, the person's own among them."""

    name = "grok"
    shapes = tuple(
        shape(prefix, "conversation responses", "responses.item.response")
        for prefix in ("conversations.item", "item", "")
    )

    def read(self, value: Json, context: Context) -> Iterator[Item]:
        """Read one conversation."""
        entry = as_dict(value)
        about = as_dict(entry.get("conversation"))
        responses = [
            as_dict(as_dict(value).get("response")) for value in as_list(entry.get("responses"))
        ]
        hidden: Counter[str] = Counter()
        tree = _tree(responses, as_text(about.get("leaf_response_id")))
        said = [one for node in tree.nodes() for one in _said(node, hidden)]
        yield from (Skipped(why, count) for why, count in hidden.items())
        for what in dict.fromkeys(tree.problems):
            yield ImportProblem(context.where, what)
        if not said:
            yield ImportProblem(context.where, "no message in it")
            return
        begun_ms = _when(about.get("create_time"))
        turns = to_turns(said, context.offsets, begun_ms=begun_ms)
        title = as_text(about.get("title")).strip() or made_up_title(turns)
        yield ImportedConversation(as_text(about.get("id")), title, turns)


def _tree(responses: list[dict[str, Json]], current: str) -> Tree:
    """Make the tree of responses; one that names none before follows the one above it."""
    mapping: dict[str, Json] = {}
    last = ""
    for number, response in enumerate(responses):
        key = as_text(response.get("_id")) or f"response {number}"
        mapping[key] = {
            "parent": as_text(response.get("parent_response_id")) or last,
            "message": {**response, "create_time": _when(response.get("create_time"))},
        }
        last = key
    return Tree(mapping, current)


def _said(node: Node, hidden: Counter[str]) -> Iterator[Said]:
    response = node.message
    hidden["thoughts of the assistant"] += sum(bool(response.get(key)) for key in _THOUGHTS)
    files = tuple(dict.fromkeys(filter(None, map(_file, _attached(response)))))
    text = as_text(response.get("message")).strip()
    if not text and not files:
        hidden["without words or files"] += 1
        return
    human = as_text(response.get("sender")).lower() in ("human", "user")
    kind = TurnKind.MESSAGE if text else TurnKind.MEDIA
    yield Said(
        speaker="You" if human else "Grok",
        text=text,
        at_ms=time_ms(response.get("create_time")),
        role=Role.USER if human else Role.ASSISTANT,
        kind=kind if node.active else TurnKind.ALTERNATIVE,
        external_id=as_text(response.get("_id")),
        reply_to=as_text(response.get("parent_response_id")),
        attachments=files,
    )


def _attached(response: dict[str, Json]) -> Iterator[Json]:
    for key in _FILES:
        yield from as_list(response.get(key))


def _file(value: Json) -> str:
    """Name a file that stands as its name, its address, or with more about it."""
    about = as_dict(value)
    name = as_text(about.get("file_name")) or as_text(about.get("name"))
    return name or file_name(as_text(about.get("url")) or as_text(value))


def _when(value: Json) -> int | None:
    """Read a time; the database's own form wraps it twice."""
    date = as_dict(value).get("$date", value)
    return time_ms(as_dict(date).get("$numberLong", date))
