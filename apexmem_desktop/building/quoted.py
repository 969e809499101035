"""What a turn shows or quotes: the picture under "I made this", and another's words in a reply.

A caption is written by a program and tells nothing by itself; it only says what "this" is. A
quoted line, and what stands between quotation marks behind "Omar said", belongs to whom it quotes:
where it names them, what it tells is told of them. No model.
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
    r"(?:(?:^|[,.!:;–—-] |\b(?:and|but|so|[Yy]es,?|[Yy]eah,?) )(?:I|[Ww]e)(?:['’]ve| have)? "
    r"(?:(?:just|also|finally|recently|even|actually) )*|^(?:[Jj]ust|[Ff]inally) )"
    r"(?P<verb>made|painted|drew|baked|cooked|knitted|sewed|built|carved|bought|planted|grew|"
    r"found|won) (?:this|these)"
    r"(?= *(?:$|[.,!;:)–—-]|(?:one|last|yesterday|today|for|at|in|with|myself|and)\b))"
)
_MADE_CHINESE = re.compile(
    r"(?:^|[,，。！!；\s])我?(?:们)?(?:自己|刚|今天|昨天|终于|亲手)*(?P<verb>做|画|烤|织|种|买)了"
    r"(?:这|这个|这些|这幅|这只|这件|这张|这把|这条|这束|一下)(?=$|[,，。！!；\s])"
)
_CHINESE_VERBS = {"做": "made", "画": "painted", "烤": "baked", "织": "knitted", "种": "planted",
                  "买": "bought"}  # fmt: skip
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
_SAYS = (
    r"(?:said|says|told (?:me|us)|texted(?: me| us)?|wrote|messaged(?: me)?|replied|announced|goes"
    r"|was like|asked)"
)
_MARKED = r"[\"“「](?P<words>[^\"“”「」\n]{4,300})[\"”」]"
_SAID = (
    re.compile(
        rf"(?:(?P<who>\b[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?)|(?P<other>\b(?!I\b)\w+)) {_SAYS}"
        rf"(?: yesterday| today| just now)?[,:]? ?{_MARKED}"
    ),
    re.compile(
        rf"{_MARKED},? (?:said|says|wrote|announced) (?:(?P<who>[A-ZÀ-Þ][\w-]+)|(?P<other>\w+))"
    ),
    re.compile(
        r"(?:(?:^|(?<=[,，。！!；;\s]))(?P<who>(?![我你他她它咱这那])[\u4e00-\u9fff]{2,3}?)"
        r"|(?P<other>[^我,，。\s]))(?:昨天|今天|刚才|刚刚|刚|昨晚)?"
        r"(?:说道?|告诉我|跟我说|对我说|回复我?|发消息说|写道)[:：,，]? ?" + _MARKED,
        re.MULTILINE,
    ),
)
_SPEAKS_OF_SELF = re.compile(r"\b(?:I|my|we|our)\b|[我咱]", re.IGNORECASE)
_NO_NAMES = frozenset({"he", "she", "they", "it", "we", "you", "who", "someone", "somebody"})


def read_pictured(turn: Turn, sentence: Sentence) -> Iterator[Candidate]:
    """Read "I made this" beside a picture: the caption says what was made."""
    captions = list(_CAPTION.finditer(turn.text))
    text = sentence.text
    made = _MADE.search(text) or _MADE_CHINESE.search(text) if len(captions) == 1 else None
    if made is None or _PEOPLE.search(captions[0]["thing"]):
        return
    start, end = captions[0].span("thing")
    if article := _ARTICLE.match(turn.text[start:end]):
        start += article.end()
    if behind := _BEHIND.search(turn.text[start:end]):
        end = start + behind.start()
    name = _CHINESE_VERBS.get(made["verb"], made["verb"])
    name = load_words().same.get(name, name)
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


def find_spoken(turn: Turn) -> Iterator[Turn]:
    """Give what stands between quotation marks behind "Omar said", as if Omar had said it here."""
    for match in (found for pattern in _SAID for found in pattern.finditer(turn.text)):
        who = match["who"]
        if who and who.casefold() not in _NO_NAMES and _SPEAKS_OF_SELF.search(match["words"]):
            words = match["words"]
            yield replace(turn, speaker=who, text=_blank(turn.text, match.start("words"), words))


def without_spoken(text: str) -> str:
    """Blank what others are quoted to have said of themselves: "I" there is not the speaker."""
    for pattern in _SAID:
        for match in pattern.finditer(text):
            start, end = match.span("words")
            if _SPEAKS_OF_SELF.search(match["words"]):
                text = text[:start] + _space(text[start:end]) + text[end:]
    return text


def _blank(text: str, start: int, words: str) -> str:
    return _space(text[:start]) + words + _space(text[start + len(words) :])


def _space(part: str) -> str:
    return re.sub(r"[^\n]", " ", part)
