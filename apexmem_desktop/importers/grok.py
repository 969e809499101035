"""Grok's data export: conversations with their responses."""

from collections.abc import Iterator

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.json_importer import Context, JsonImporter, shape
from apexmem_desktop.importers.json_stream import Json, as_dict, as_list, as_text
from apexmem_desktop.importers.local_clock import time_ms
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.said import Said, made_up_title, to_turns


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
        said = [_said(response) for response in responses if as_text(response.get("message"))]
        if not said:
            yield ImportProblem(context.where, "no message in it")
            return
        begun_ms = _when(about.get("create_time"))
        turns = to_turns(said, context.offsets, begun_ms=begun_ms)
        title = as_text(about.get("title")).strip() or made_up_title(turns)
        yield ImportedConversation(as_text(about.get("id")), title, turns)


def _said(response: dict[str, Json]) -> Said:
    human = as_text(response.get("sender")).lower() in ("human", "user")
    return Said(
        speaker="You" if human else "Grok",
        text=as_text(response.get("message")).strip(),
        at_ms=_when(response.get("create_time")),
        role=Role.USER if human else Role.ASSISTANT,
        kind=TurnKind.MESSAGE,
        external_id=as_text(response.get("_id")),
        reply_to=as_text(response.get("parent_response_id")),
    )


def _when(value: Json) -> int | None:
    """Read a time; the database's own form wraps it twice."""
    date = as_dict(value).get("$date", value)
    return time_ms(as_dict(date).get("$numberLong", date))
