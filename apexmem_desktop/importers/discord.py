"""Discord as DiscordChatExporter writes it in JSON: one channel a file."""

from collections.abc import Iterator

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.json_importer import Context, JsonImporter, shape
from apexmem_desktop.importers.json_stream import Json, as_dict, as_list, as_text
from apexmem_desktop.importers.local_clock import iso_ms
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.said import Said, aliases, heard, to_turns

_WORDS = frozenset({"Default", "Reply", "0", "19", ""})


class DiscordImporter(JsonImporter):
    """A channel, a group or a direct chat."""

    name = "discord"
    shapes = (shape("", "guild channel messages"),)

    def read(self, value: Json, context: Context) -> Iterator[Item]:
        """Read one channel."""
        export = as_dict(value)
        channel, guild = as_dict(export.get("channel")), as_dict(export.get("guild"))
        said, silent = heard(as_list(export.get("messages")), _said)
        yield silent
        if not said:
            yield ImportProblem(context.where, "no message in it")
            return
        direct = as_text(channel.get("type")).startswith("Direct")
        name = as_text(channel.get("name"))
        title = name if direct else f"{as_text(guild.get('name'))} – {name}"
        yield ImportedConversation(
            external_id=as_text(channel.get("id")),
            title=title,
            turns=to_turns(said, context.offsets),
            is_group=as_text(channel.get("type")) != "DirectTextChat",
            aliases=aliases(said),
        )


def _said(message: dict[str, Json]) -> Said | None:
    author = as_dict(message.get("author"))
    speaker = as_text(author.get("nickname")) or as_text(author.get("name"))
    text = as_text(message.get("content")).strip()
    stamp = as_text(message.get("timestamp"))
    at_ms, external_id = iso_ms(stamp), as_text(message.get("id"))
    kind = as_text(message.get("type"))
    if kind == "Call":
        return Said(speaker, text, at_ms, kind=TurnKind.CALL, external_id=external_id)
    if kind not in _WORDS:
        notice = f"{speaker}: {text}" if text else f"{speaker}: {kind}"
        return Said("", notice, at_ms, Role.SYSTEM, TurnKind.NOTICE, external_id)
    files = tuple(
        name
        for key, name_key in (("attachments", "fileName"), ("stickers", "name"))
        for entry in as_list(message.get(key))
        if (name := as_text(as_dict(entry).get(name_key)))
    )
    if not text:
        text = "\n".join(_embeds(message))
    if not text and not files:
        return None
    return Said(
        speaker,
        text,
        at_ms,
        Role.TOOL if author.get("isBot") is True else Role.PERSON,
        TurnKind.MEDIA if files else TurnKind.MESSAGE,
        external_id,
        as_text(as_dict(message.get("reference")).get("messageId")),
        files,
        also=as_text(author.get("name")),
    )


def _embeds(message: dict[str, Json]) -> Iterator[str]:
    for value in as_list(message.get("embeds")):
        embed = as_dict(value)
        for key in ("title", "description"):
            if words := as_text(embed.get(key)).strip():
                yield words
