"""What one ChatGPT message says: its words, its files, and whether a person saw it."""

import re
from typing import NamedTuple

from apexmem_desktop.domain.turn import Role
from apexmem_desktop.importers.decoding import clean
from apexmem_desktop.importers.json_stream import Json, as_dict, as_list, as_text

_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
_EVERYBODY = frozenset({"all", "assistant"})
_PROFILES = frozenset({"user_editable_context", "model_editable_context"})
_TEXT_FIELDS = ("text", "result", "content", "user_profile")
# Marks that only ChatGPT's own page can show: private-use brackets around references.
_REFERENCES = re.compile("\ue200[^\ue200\ue201]*\ue201|【\\d+†[^【】]*】")


class Content(NamedTuple):
    """One message as far as it concerns a memory.

    Attributes:
        speaker: Name of the tool for a tool's turn, "" else.
        unknown: Names of parts that could not be read.
    """

    role: Role
    speaker: str
    text: str
    attachments: tuple[str, ...]
    unknown: tuple[str, ...] = ()


def why_hidden(message: dict[str, Json]) -> str:
    """Say why the user never saw it in the conversation; "" for what was seen."""
    kind = as_text(as_dict(message.get("content")).get("content_type"))
    if kind in _THOUGHTS:
        return "thoughts of the assistant"
    metadata = as_dict(message.get("metadata"))
    if metadata.get("is_visually_hidden_from_conversation") is True:
        return "hidden in the conversation"
    if metadata.get("is_user_system_message") is True:
        return "profile texts"
    if as_text(as_dict(message.get("author")).get("role")) == "system":
        return "system texts"
    if kind in _PROFILES:
        return "profile texts"
    return ""


def read_content(message: dict[str, Json], file_names: dict[str, str]) -> Content:
    """Read a message that is not hidden.

    Args:
        file_names: From a file's id in the export to its name in the zip.
    """
    author = as_dict(message.get("author"))
    role_name = as_text(author.get("role")) or "assistant"
    text, files, unknown = _said(message.get("content"), file_names)
    if listed := as_list(as_dict(message.get("metadata")).get("attachments")):
        files = [*files, *filter(None, map(_listed_name, listed))]
    text = clean(text.strip())
    if not text.isascii() and ("\ue200" in text or "†" in text):
        text = _REFERENCES.sub("", text).strip()
    attachments = tuple(dict.fromkeys(map(clean, files))) if files else ()
    if role_name == "tool":
        # A tool's output (whole web pages) is not what anybody said; its files are kept.
        return Content(Role.TOOL, as_text(author.get("name")) or "tool", "", attachments)
    if role_name == "user":
        return Content(Role.USER, "", text, attachments, tuple(unknown))
    recipient = as_text(message.get("recipient")) or "all"
    if role_name == "assistant" and recipient not in _EVERYBODY:
        return Content(Role.TOOL, recipient, text, attachments)
    return Content(Role.ASSISTANT, "", text, attachments, tuple(unknown))


def _said(content: Json, file_names: dict[str, str]) -> tuple[str, list[str], list[str]]:
    """Give the words of a message's content, its files, and what could not be read."""
    if isinstance(content, str):
        return content, [], []
    plain = as_dict(content)
    parts = plain.get("parts")
    # Nearly every message is one text.
    if isinstance(parts, list) and len(parts) == 1 and plain.get("content_type") != "code":
        (part,) = parts
        if isinstance(part, str):
            return part, [], []
    texts, files, unknown = _parts(plain, file_names)
    return "\n".join(texts), files, unknown


def _listed_name(entry: Json) -> str:
    listed = as_dict(entry)
    return as_text(listed.get("name")) or as_text(listed.get("id"))


def _parts(
    content: dict[str, Json], file_names: dict[str, str]
) -> tuple[list[str], list[str], list[str]]:
    texts: list[str] = []
    files: list[str] = []
    unknown: list[str] = []
    kind = as_text(content.get("content_type"))
    if kind == "code":
        language = as_text(content.get("language"))
        code = as_text(content.get("text"))
        return [f"```{'' if language == 'unknown' else language}\n{code}\n```"], [], []
    if "parts" not in content:
        found = [as_text(content[key]) for key in _TEXT_FIELDS if as_text(content.get(key))]
        return found[:1], [], [kind] if not found and kind else []
    for part in as_list(content.get("parts")):
        if isinstance(part, str):
            if part.strip():
                texts.append(part)
            continue
        _read_object(as_dict(part), file_names, texts, files, unknown)
    return texts, files, unknown


def _read_object(
    part: dict[str, Json],
    file_names: dict[str, str],
    texts: list[str],
    files: list[str],
    unknown: list[str],
) -> None:
    if text := as_text(part.get("text")):
        texts.append(text)
    pointers = _pointers(part)
    files.extend(_file_name(pointer, file_names) for pointer in pointers)
    if not text and not pointers and (kind := as_text(part.get("content_type"))):
        unknown.append(kind)


def _pointers(part: dict[str, Json]) -> list[str]:
    """Find the files a part points to; speech keeps them one level deeper."""
    found = [as_text(part.get("asset_pointer"))]
    found += [as_text(as_dict(value).get("asset_pointer")) for value in part.values()]
    return [pointer for pointer in found if pointer]


def _file_name(pointer: str, file_names: dict[str, str]) -> str:
    file_id = pointer.rpartition("://")[2].partition("?")[0]
    return file_names.get(file_id, file_id)
