"""SealQA: questions whose web pages contradict one another; each page is a session of its date."""

import re
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from apexmem_desktop.bench.cases import Question, Reply
from apexmem_desktop.bench.scoring import alternatives, tells
from apexmem_desktop.bench.shapes import Checked, read_entries
from apexmem_desktop.bench.vaults import Export

CATEGORY = "conflicting pages"
MAX_PART_CHARS = 1200
MAX_PARTS_A_PAGE = 12
_PUBLISHED = re.compile(r"Published Time: (?:\w{3}, )?(\d{1,2}) (\w{3}) (\d{4})")
_FORMATS = ("%b %d, %Y", "%d %b %Y", "%Y-%m-%d")


def read_pages(path: Path, wanted: Collection[str] = ()) -> tuple[list[Export], list[Question]]:
    """Read the pages; those of one question make one vault.

    Raises:
        DataShapeError: The file has another shape.
    """
    pages: dict[str, list[Checked]] = {}
    for at, entry in enumerate(read_entries(path), start=1):
        page = Checked(path, f"line {at}", entry)
        page.text("context")
        pages.setdefault(f"seal-{page.text('seal0_id')}", []).append(page)
    exports, questions = [], []
    for name, of_one in pages.items():
        if wanted and name not in wanted:
            continue
        exports.append(Export(name, "longmemeval", (_as_chats(name, of_one),)))
        first = of_one[0]
        questions.append(
            Question(name, name, CATEGORY, first.text("question"), first.text("answer"))
        )
    return exports, questions


def score(question: Question, reply: Reply) -> tuple[float, bool | None]:
    """Tell whether the answer holds the gold."""
    said = not reply.abstained and any(
        tells(reply.answer, one) for one in alternatives(question.gold)
    )
    return float(said), None


def _as_chats(name: str, pages: list[Checked]) -> dict[str, Any]:
    """Write the pages as dated chats, which an importer reads."""
    return {
        "question_id": name,
        "haystack_dates": [_date_text(page) for page in pages],
        "haystack_session_ids": [f"page{at}" for at in range(1, len(pages) + 1)],
        "haystack_sessions": [
            [{"role": "user", "content": part} for part in _parts(page)] for page in pages
        ],
    }


def _date_text(page: Checked) -> str:
    published = _PUBLISHED.search(page.text("context"))
    written = " ".join(published.groups()) if published else page.text("date")
    for form in _FORMATS:
        try:
            return f"{datetime.strptime(written, form).replace(tzinfo=UTC):%Y/%m/%d (%a) 12:00}"
        except ValueError:
            continue
    return ""


def _parts(page: Checked) -> Iterator[str]:
    """Split a page at its paragraphs into parts of a size that a search can tell apart."""
    title = page.text("title")
    part = ""
    given = 0
    for paragraph in page.text("context").split("\n\n"):
        if part and len(part) + len(paragraph) > MAX_PART_CHARS:
            yield f"{title}: {part}"
            given += 1
            part = ""
        if given == MAX_PARTS_A_PAGE:
            return
        part = f"{part}\n{paragraph}"[-MAX_PART_CHARS:].strip()
    if part:
        yield f"{title}: {part}"
