"""Gemini: Google Takeout's "My Activity" (JSON or HTML), its conversations, and AI Studio's."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.database_importer import left_out
from apexmem_desktop.importers.decoding import clean
from apexmem_desktop.importers.gemini_html import html_activities, is_activity_page
from apexmem_desktop.importers.html_text import to_text
from apexmem_desktop.importers.json_importer import Context, JsonImporter, Meter, shape
from apexmem_desktop.importers.json_stream import Json, as_dict, as_list, as_text
from apexmem_desktop.importers.local_clock import Offsets, time_ms
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.reading import Item, Skipped
from apexmem_desktop.importers.said import Said, file_name, made_up_title, to_turns

_SPEAKER = "Gemini"
_PRODUCT = re.compile(rb"\"[^\"]{0,40}(?:Gemini|Bard)")
_ASKED = re.compile(
    r"(?:Prompted(?: with:)?|Asked(?: Gemini:| Bard:)?|Said|Branched|Answered)[ \xa0]+"
)
_NOTHING_SAID = re.compile(
    r"(?:Created|Used|Added|Gave|Selected|Shared|Deleted|Viewed|Visited|Searched|Edited|Pinned"
    r"|Renamed|Exported|Updated)[ \xa0]"
)
_ATTACHED = re.compile(r"\s*Attached \d+ files?\.?\s*$")
_SECOND_MS = 1000


@dataclass(frozen=True, slots=True)
class Activity:
    """One line of "My Activity": what was asked, and the answer if it was kept."""

    title: str
    answer: str
    at_ms: int | None
    files: tuple[str, ...] = ()


class GeminiImporter(JsonImporter):
    """Activities name no conversation: they make one, which the silences between them divide."""

    name = "gemini"
    shapes = (
        shape("item", "title time header", "title time products", "title time safeHtmlItem"),
        shape("", "chunkedPrompt.chunks", "conversation_turns"),
    )

    def recognises(self, part: Part) -> bool:
        """Tell by keys, and for activities by the product they are of."""
        if is_activity_page(part.head):
            return True
        found = self._shape(part)
        if found is None or not found.prefix:
            return found is not None
        return _PRODUCT.search(part.head) is not None

    def read_all(
        self, export: Export, parts: tuple[Part, ...], offsets: Offsets, meter: Meter
    ) -> Iterator[Item]:
        """Read conversations as they come, and all activities together."""
        activities: list[Activity] = []
        skipped: dict[str, int] = {}
        for part in parts:
            if is_activity_page(part.head):
                meter.begin(part)
                activities += (
                    Activity(*found) for found in html_activities(part, offsets.zone, meter)
                )
                continue
            for number, value in self.values(part, meter):
                entry = as_dict(value)
                if "chunkedPrompt" in entry or "conversation_turns" in entry:
                    where = f"{part.name}, conversation {number}"
                    yield from self.read(value, Context(where, export, part, offsets))
                elif _is_gemini(entry):
                    activities.append(_activity(entry))
                else:
                    skipped["of other products"] = skipped.get("of other products", 0) + 1
        yield from _all_activities(activities, skipped, offsets)
        yield from left_out(export.file_name, skipped)

    def read(self, value: Json, context: Context) -> Iterator[Item]:
        """Read one conversation of AI Studio or of a Workspace account."""
        entry = as_dict(value)
        chunks = as_list(as_dict(entry.get("chunkedPrompt")).get("chunks"))
        turns = as_list(entry.get("conversation_turns"))
        said = list(_chunks(chunks)) if chunks else [one for turn in turns for one in _turn(turn)]
        if thoughts := sum(as_dict(chunk).get("isThought") is True for chunk in chunks):
            yield Skipped("thoughts of the assistant", thoughts)
        if not said:
            yield ImportProblem(context.where, "no message in it")
            return
        begun_ms = time_ms(entry.get("createTime") or entry.get("creation_time"))
        made = to_turns(said, context.offsets, begun_ms=begun_ms)
        title = clean(as_text(entry.get("displayName")) or as_text(entry.get("title"))).strip()
        external_id = as_text(entry.get("id")) or as_text(entry.get("creation_time"))
        yield ImportedConversation(clean(external_id), title or made_up_title(made), made)


def _all_activities(
    activities: list[Activity], skipped: dict[str, int], offsets: Offsets
) -> Iterator[Item]:
    said: list[Said] = []
    activities.reverse()  # the newest stands first; equal times keep their order then
    for one in sorted(activities, key=lambda activity: activity.at_ms or 0):
        question = _question(one)
        if not question and not one.files:
            skipped["nothing was asked"] = skipped.get("nothing was asked", 0) + 1
            continue
        # JSON gives milliseconds and HTML seconds; by seconds both give the same turns.
        at_ms = None if one.at_ms is None else one.at_ms // _SECOND_MS * _SECOND_MS
        said.append(Said("You", question, at_ms, Role.USER, attachments=one.files))
        if one.answer:
            said.append(Said(_SPEAKER, one.answer, at_ms, Role.ASSISTANT))
    if said:
        turns = to_turns(said, offsets)
        yield ImportedConversation("my-activity", "Gemini (My Activity)", turns)


def _question(one: Activity) -> str:
    """Take the program's own verb off; in other languages it stays, as it is not known."""
    title = one.title.strip()
    if asked := _ASKED.match(title):
        return _ATTACHED.sub("", title[asked.end() :]).strip()
    if _NOTHING_SAID.match(title) or not one.answer:
        return ""
    return _ATTACHED.sub("", title).strip()


def _is_gemini(entry: dict[str, Json]) -> bool:
    labels = [as_text(entry.get("header")), *map(as_text, as_list(entry.get("products")))]
    return not any(labels) or any("Gemini" in label or "Bard" in label for label in labels)


def _activity(entry: dict[str, Json]) -> Activity:
    answers = [
        to_text(as_text(as_dict(item).get("html"))) for item in as_list(entry.get("safeHtmlItem"))
    ]
    names = [*as_list(entry.get("attachedFiles")), entry.get("imageFile")]
    return Activity(
        title=as_text(entry.get("title")),
        answer="\n\n".join(filter(None, answers)),
        at_ms=time_ms(entry.get("time")),
        files=tuple(file_name(text) for name in names if (text := as_text(name))),
    )


def _chunks(chunks: list[Json]) -> Iterator[Said]:
    """Read AI Studio's pieces; of several answers to one question the last is the one kept."""
    entries = [as_dict(chunk) for chunk in chunks]
    newest: dict[str, str] = {}
    for entry in entries:
        if parent := _parent(entry):
            newest[parent] = as_text(entry.get("id"))
    for entry in entries:
        text = as_text(entry.get("text")).strip()
        files = tuple(_files(entry))
        if entry.get("isThought") is True or not (text or files):
            continue
        number, parent = as_text(entry.get("id")), _parent(entry)
        is_user = as_text(entry.get("role")) == "user"
        kind = TurnKind.MESSAGE if text else TurnKind.MEDIA
        if parent and newest.get(parent, number) != number:
            kind = TurnKind.ALTERNATIVE
        yield Said(
            "You" if is_user else _SPEAKER,
            text,
            time_ms(entry.get("createTime")),
            Role.USER if is_user else Role.ASSISTANT,
            kind,
            number,
            parent,
            files,
        )


def _parent(entry: dict[str, Json]) -> str:
    return as_text(as_dict(entry.get("branchParent")).get("id"))


def _files(entry: dict[str, Json]) -> Iterator[str]:
    for key, value in entry.items():
        kind = key.removeprefix("drive").removeprefix("inline").lower()
        if kind in ("document", "image", "video", "audio", "file") and isinstance(value, dict):
            yield as_text(value.get("name")) or kind


def _turn(value: Json) -> Iterator[Said]:
    """Read a turn of a Workspace account's conversation."""
    for key, role in (("user_turn", Role.USER), ("system_turn", Role.ASSISTANT)):
        turn = as_dict(as_dict(value).get(key))
        texts = [as_text(turn.get("prompt"))]
        for piece in map(as_dict, as_list(turn.get("text"))):
            cards = (as_text(as_dict(card).get("content")) for card in as_list(piece.get("cards")))
            texts += [as_text(piece.get("data")), *cards]
        images = [file_name(as_text(image)) for image in as_list(turn.get("images"))]
        text, files = "\n\n".join(filter(None, texts)).strip(), tuple(filter(None, images))
        if text or files:
            speaker = "You" if role is Role.USER else _SPEAKER
            kind = TurnKind.MESSAGE if text else TurnKind.MEDIA
            at_ms = time_ms(turn.get("turn_last_modified"))
            yield Said(speaker, text, at_ms, role, kind, attachments=files)
