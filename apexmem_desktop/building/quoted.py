"""What a turn shows or quotes: the picture under "I made this", and another's words in a reply.

A caption is written by a program and tells nothing by itself; it only says what "this" is. A quoted
line belongs to whom it quotes: where it names them, what it tells is told of them. No model.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.clauses import CLAUSE_CONFIDENCE, load_words
from apexmem_desktop.building.grounding import fits_kind
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.statements import Sentence
from apexmem_desktop.domain.graph import Quote
from apexmem_desktop.domain.turn import Turn

_CAPTION = re.compile(
    r"\[shared image: (?:(?:an? )?(?:photo|photography|picture|image|close up)s? of )?"
    r"(?P<thing>[^\]\n]{3,60})\]"
)
_MADE = re.compile(
    r"(?:^|[,.!:;–—-] |\b(?:and|but|so|[Yy]es,?|[Yy]eah,?) )(?:I|[Ww]e)(?:['’]ve| have)? "
    r"(?:(?:just|also|finally|recently|even|actually) )*"
    r"(?P<verb>made|painted|drew|baked|cooked|knitted|sewed|built|carved|bought|planted|grew|"
    r"found|won) (?:this|these)"
    r"(?= *(?:$|[.,!;:)–—-]|(?:one|last|yesterday|today|for|at|in|with|myself|and)\b))"
)
# A caption of people says nothing of the thing, and a place behind "in" is not part of it.
_PEOPLE = re.compile(
    r"\b(?:m[ae]n|wom[ae]n|person|people|group|girl|boy|child(?:ren)?|kids?|bride|groom|couple|family"
    r"|someone|crowd|team)\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(r" (?:on|in|at|with|sitting|standing|next|near|under|over|being|and) .*")
_ARTICLE = re.compile(r"^(?:an?|the|some) ")

_WROTE = re.compile(
    r"^(?P<lead>(?:On [^\n]{4,60}, )?(?P<who>[A-ZÀ-Þ][\w'’ -]{1,40}?) wrote:[ ]*\n)?"
    r"(?P<lines>(?:^>[^\n]*(?:\n|\Z))+)",
    re.MULTILINE,
)
_NAMED_LINE = re.compile(r"^>[ ]*(?P<who>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){0,2}): (?=\S)")
_PROGRAMS = frozenset({"assistant", "system", "user", "observation", "final answer"})
_MARKS = re.compile(r"^>[ ]*", re.MULTILINE)


def read_pictured(turn: Turn, sentence: Sentence) -> Iterator[Candidate]:
    """Read "I made this" beside a picture: the caption says what was made."""
    captions = list(_CAPTION.finditer(turn.text))
    made = _MADE.search(sentence.text) if len(captions) == 1 else None
    if made is None or _PEOPLE.search(captions[0]["thing"]):
        return
    start, end = captions[0].span("thing")
    if article := _ARTICLE.match(turn.text[start:end]):
        start += article.end()
    if behind := _BEHIND.search(turn.text[start:end]):
        end = start + behind.start()
    name = load_words().same.get(made["verb"], made["verb"])
    shape = name if name in load_shapes() else "did"
    value = turn.text[start:end]
    if len(value) < 3 or not fits_kind(value, load_shapes()[shape].value_kind):
        return
    shown = Quote(turn.id, *captions[0].span(), captions[0].group())
    yield Candidate(
        turn_id=turn.id, who=turn.speaker, of_speaker=False, property=name, shape=shape,
        value=value, value_start=start, value_end=end, sentence=sentence.text,
        sentence_start=sentence.start, by="rule", confidence=CLAUSE_CONFIDENCE, beside=(shown,),
    )  # fmt: skip


def find_quoted(turn: Turn, before: Sequence[Turn]) -> Iterator[Turn]:
    """Give each quoted passage whose speaker it names, as if that one had said it here.

    Every other character is blank, so that places in it are places in the turn. What stands in the
    turns before is left out: there it was read where it was said.
    """
    for match in _WROTE.finditer(turn.text):
        start = match.start("lines")
        named = _NAMED_LINE.match(match["lines"])
        who = match["who"] or (named["who"] if named else "")
        words = _MARKS.sub(lambda mark: " " * len(mark.group()), match["lines"])
        if named and not match["who"]:
            words = " " * named.end() + words[named.end() :]
        if (
            who
            and who.casefold() not in _PROGRAMS
            and not any(words.strip() in one.text for one in before)
        ):
            yield replace(turn, speaker=who, text=_blank(turn.text, start, words))


def _blank(text: str, start: int, words: str) -> str:
    def space(part: str) -> str:
        return re.sub(r"[^\n]", " ", part)

    return space(text[:start]) + words + space(text[start + len(words) :])
