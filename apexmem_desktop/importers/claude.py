"""Claude's data export from the web: conversations.json, the zip with it, or one conversation."""

from collections import Counter
from collections.abc import Iterator

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.chatgpt_branches import Node, Tree
from apexmem_desktop.importers.decoding import clean
from apexmem_desktop.importers.json_importer import Context, JsonImporter, shape
from apexmem_desktop.importers.json_stream import Json, as_dict, as_list, as_text
from apexmem_desktop.importers.local_clock import time_ms
from apexmem_desktop.importers.reading import Item, Skipped
from apexmem_desktop.importers.said import TITLE_CHARS, Said, made_up_title, to_turns

# Claude's ids of a conversation's root, which is no message.
_ROOTS = frozenset({"", "00000000-0000-4000-8000-000000000000"})
_THOUGHTS = frozenset({"thinking", "redacted_thinking"})
_HIDDEN_BLOCKS = frozenset({"token_budget", "flag", "tool_result", "web_search_tool_result"})
THOUGHTS = "thoughts of the assistant"


_ANYWHERE = ("item", "projects.item", "")


class ClaudeImporter(JsonImporter):
    """Words of the person and of Claude; thoughts are left out, tool calls only counted."""

    name = "claude"
    shapes = (
        *(shape(prefix, "chat_messages") for prefix in ("item", "conversations.item", "")),
        *(shape(prefix, "docs prompt_template", "docs is_starter_project") for prefix in _ANYWHERE),
    )

    def read(self, value: Json, context: Context) -> Iterator[Item]:
        """Read one conversation."""
        conversation = as_dict(value)
        if "chat_messages" not in conversation and "docs" in conversation:
            yield from _project(conversation, context)
            return
        title = as_text(conversation.get("name")) or as_text(conversation.get("title"))
        title = clean(title).strip()
        where = f"{context.where} ({title[:TITLE_CHARS]})" if title else context.where
        messages = conversation.get("chat_messages")
        if not isinstance(messages, list):
            yield ImportProblem(where, "it has no messages")
            return
        tree = _tree(messages, as_text(conversation.get("current_leaf_message_uuid")))
        hidden: Counter[str] = Counter()
        unknown: list[str] = []
        said = [one for node in tree.nodes() for one in _said(node, hidden, unknown)]
        yield from (Skipped(why, count) for why, count in hidden.items())
        parts = (f"a part of unknown type {kind[:40]!r} was left out" for kind in unknown)
        for what in dict.fromkeys((*tree.problems, *parts)):
            yield ImportProblem(where, what)
        if not said:
            yield ImportProblem(where, "no message in it that anybody saw")
            return
        begun_ms = time_ms(conversation.get("created_at"))
        turns = to_turns(said, context.offsets, begun_ms=begun_ms)
        external_id = clean(as_text(conversation.get("uuid")))
        yield ImportedConversation(external_id, title or made_up_title(turns), turns)


def _project(project: dict[str, Json], context: Context) -> Iterator[Item]:
    """Read a project: what the person wrote for it, and its files, which are nobody's word."""
    name = clean(as_text(project.get("name"))).strip()
    begun_ms = time_ms(project.get("created_at"))
    said = [
        Said("You", text, begun_ms, Role.USER)
        for key in ("description", "prompt_template")
        if (text := as_text(project.get(key)).strip())
    ]
    for entry in map(as_dict, as_list(project.get("docs"))):
        file, text = as_text(entry.get("filename")), as_text(entry.get("content")).strip()
        if file or text:
            at_ms = time_ms(entry.get("created_at")) or begun_ms
            number = as_text(entry.get("uuid"))
            said.append(
                Said(
                    file or "file", text, at_ms, Role.TOOL, TurnKind.MEDIA, number,
                    attachments=(file or "file",), identity=number,
                )
            )  # fmt: skip
    if not said:
        yield Skipped("projects without words or files")
        return
    turns = to_turns(said, context.offsets, begun_ms=begun_ms)
    number = clean(as_text(project.get("uuid")))
    title = name or made_up_title(turns)
    yield ImportedConversation(f"project:{number}" if number else "", title, turns)


def _tree(messages: list[Json], current: str) -> Tree:
    """Make the tree of messages; older exports name no message before, and are one line."""
    mapping: dict[str, Json] = {}
    for number, value in enumerate(messages):
        message = as_dict(value)
        parent = as_text(message.get("parent_message_uuid"))
        mapping[as_text(message.get("uuid")) or f"message {number}"] = {
            "parent": "" if parent in _ROOTS else parent,
            "message": {**message, "create_time": message.get("created_at")},
        }
    return Tree(mapping, current)


def _said(node: Node, hidden: Counter[str], unknown: list[str]) -> Iterator[Said]:
    message = node.message
    if not message:
        return
    texts, tools = _blocks(message, hidden, unknown)
    sender = as_text(message.get("sender")) or as_text(message.get("role"))
    role = Role.USER if sender in ("human", "user") else Role.ASSISTANT
    at_ms = time_ms(message.get("created_at"))
    kind = TurnKind.MESSAGE if node.active else TurnKind.ALTERNATIVE
    for tool in tools:
        yield Said(tool, "", at_ms, Role.TOOL, kind, reply_to=node.parent)
    files = _file_names(message)
    text = "\n\n".join(texts)
    if not text and not files:
        hidden["without words or files"] += not tools
        return
    if not text and node.active:
        kind = TurnKind.MEDIA
    speaker = "You" if role is Role.USER else "Claude"
    yield Said(speaker, text, at_ms, role, kind, node.id, node.parent, files)


def _blocks(
    message: dict[str, Json], hidden: Counter[str], unknown: list[str]
) -> tuple[list[str], list[str]]:
    """Read the blocks of a message: texts, and names of the tools that were called."""
    content = message.get("content")
    if isinstance(content, str):
        return [content.strip()], []
    texts: list[str] = []
    tools: list[str] = []
    for value in as_list(content):
        block = as_dict(value)
        kind = as_text(block.get("type"))
        if kind in ("tool_use", "server_tool_use"):
            tools.append(as_text(block.get("name")) or "tool")
        elif kind in _THOUGHTS:
            hidden[THOUGHTS] += 1
        elif kind in _HIDDEN_BLOCKS:
            continue
        elif text := as_text(block.get("text")).strip():
            texts.append(text)
        elif kind and "text" not in block:
            unknown.append(kind)
    if not texts and (text := as_text(message.get("text")).strip()):
        texts = [text]
    return texts, tools


def _file_names(message: dict[str, Json]) -> tuple[str, ...]:
    names = [
        as_text(as_dict(entry).get("file_name")) or as_text(as_dict(entry).get("name"))
        for key in ("attachments", "files", "files_v2")
        for entry in as_list(message.get(key))
    ]
    return tuple(dict.fromkeys(name for name in names if name))
