"""ChatGPT's data export: conversations.json, conversations-000.json …, the zip, or one chat."""

import re
from collections import Counter
from collections.abc import Iterator

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.chatgpt_branches import Node, Tree
from apexmem_desktop.importers.chatgpt_content import Content, read_content, why_hidden
from apexmem_desktop.importers.decoding import clean
from apexmem_desktop.importers.json_importer import Context, JsonImporter, shape
from apexmem_desktop.importers.json_stream import Json, as_dict, as_text
from apexmem_desktop.importers.local_clock import time_ms
from apexmem_desktop.importers.reading import Item, Skipped
from apexmem_desktop.importers.said import TITLE_CHARS, Said, made_up_title, to_turns

_FILE_ID = re.compile(r"(file[-_][A-Za-z0-9]+)(?:[-.].*)?")
_SPEAKERS = {Role.USER: "You", Role.ASSISTANT: "ChatGPT"}


class ChatGPTImporter(JsonImporter):
    """Each conversation is read by itself: a broken one is told of, the rest is unharmed."""

    name = "chatgpt"
    shapes = (
        shape("item", "mapping", "current_node"),
        shape("conversations.item", "mapping", "current_node"),
        shape("", "mapping current_node", "mapping title", "mapping create_time", "mapping id"),
    )

    def read(self, value: Json, context: Context) -> Iterator[Item]:
        """Read one conversation, as far as it goes."""
        conversation = as_dict(value)
        title = clean(as_text(conversation.get("title"))).strip()
        where = f"{context.where} ({title[:TITLE_CHARS]})" if title else context.where
        mapping = conversation.get("mapping")
        if not isinstance(mapping, dict) or not mapping:
            yield ImportProblem(where, "it has no messages (no mapping)")
            return
        tree = Tree(mapping, as_text(conversation.get("current_node")))
        hidden: Counter[str] = Counter()
        said, unknown = _said(tree, _file_names(context.export.names), hidden)
        yield from (Skipped(why, count) for why, count in hidden.items())
        for what in dict.fromkeys(tree.problems):
            yield ImportProblem(where, what)
        for kind in unknown:
            yield ImportProblem(where, f"a part of unknown type {kind[:60]!r} was left out")
        if not said:
            yield ImportProblem(where, "no message in it that anybody saw")
            return
        begun_ms = time_ms(conversation.get("create_time"))
        turns = to_turns(said, context.offsets, begun_ms=begun_ms)
        external_id = as_text(conversation.get("conversation_id")) or as_text(
            conversation.get("id")
        )
        yield ImportedConversation(clean(external_id), title or made_up_title(turns), turns)


def _file_names(names: tuple[str, ...]) -> dict[str, str]:
    return {found[1]: name for name in names if (found := _FILE_ID.fullmatch(name))}


def _said(
    tree: Tree, file_names: dict[str, str], hidden: Counter[str]
) -> tuple[list[Said], list[str]]:
    said: list[Said] = []
    unknown: dict[str, None] = {}
    shown: dict[str, str] = {}  # node -> nearest message at or above it that a reader sees
    for node in tree.nodes():
        above = shown[node.id] = shown.get(node.parent, "")
        if not node.message:
            continue
        if why := why_hidden(node.message):
            hidden[why] += 1
            continue
        content = read_content(node.message, file_names)
        if content.unknown:
            unknown |= dict.fromkeys(content.unknown)
        if not content.text and not content.attachments and content.role is not Role.TOOL:
            hidden["without words or files"] += 1
            continue
        external_id = shown[node.id] = as_text(node.message.get("id")) or node.id
        said.append(
            Said(
                speaker=content.speaker or _SPEAKERS[content.role],
                text=content.text,
                at_ms=time_ms(node.message.get("create_time")),
                role=content.role,
                kind=_kind(node, content),
                external_id=external_id,
                reply_to=above,
                attachments=content.attachments,
            )
        )
    return said, list(unknown)


def _kind(node: Node, content: Content) -> TurnKind:
    if not node.active:
        return TurnKind.ALTERNATIVE
    return TurnKind.MEDIA if content.attachments and not content.text else TurnKind.MESSAGE
