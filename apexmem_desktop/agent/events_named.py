"""Which fact of the graph a phrase means: "her promotion", "she gave notice", "the concert".

Looked up by words (of the property and the value, of what was said, and other words for the same)
and by the nearness of the turns that told it. Nothing is guessed: two events that fit equally well
and lie apart are none.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apexmem_desktop.agent.tools import Frame
from apexmem_desktop.domain.graph import Fact, Modality
from apexmem_desktop.domain.interval import Precision
from apexmem_desktop.recall.holding import order_ms
from apexmem_desktop.recall.indexes import shared_index
from apexmem_desktop.recall.naming import find_named, is_first_person
from apexmem_desktop.recall.question import content_words, hint_properties
from apexmem_desktop.recall.vocabulary import CJK, same_stem, synonyms
from apexmem_desktop.storage.facts import find_facts
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Connection
from apexmem_desktop.storage.words import find_facts_by_words

MAX_FACTS, NEAR_TURNS = 500, 12
# So much of a phrase's words must be told by a fact, or so near must its turn lie.
LEAST_SHARE, LEAST_NEARNESS = 0.66, 0.5
_TIE, _SAME_DAYS, _DAY_MS = 0.08, 3, 86_400_000
_WORD = re.compile(r"[^\W_]+")
_THEY = re.compile(r"\b(?:he|she|they|him|her|his|their|them)\b|[他她]", re.IGNORECASE)
_OVER = re.compile(
    r"\b(?:leav\w+|left|quit\w*|resign\w*|stop\w*|end\w*|gave up|giv\w+ up|sold|sell\w*|cancel\w*"
    r"|lost|notice|without|no longer|clos\w+|shut\w*)\b|离开|辞|停|戒|不再|取消|关门|卖",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"\bagain\b|\bresum|重新|又|恢复", re.IGNORECASE)
_OVER_PROPERTIES = frozenset(("left_job", "resigned", "sold", "stopped", "cancelled", "status"))
# What is told by the kind of a fact, however it was said.
_BY_KIND: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(words, re.IGNORECASE), tuple(properties.split()))
    for words, properties in (
        (r"promot\w*|升职|晋升|升迁", "job_title"),
        (r"relocat\w*|mov(?:e|ed|es|ing)|settl\w+|搬\S?", "lives_in moved_to"),
        (r"injur\w*|hurt\w*|accident|wound\w*|sprain\w*|受伤|扭伤|伤", "health"),
        (r"sick\w*|ill|illness|disease|生病", "health"),
        (r"resign\w*|notice|辞职", "resigned left_job"),
        (r"quit\w*|leav\w+|left|离职|离开", "left_job resigned works_at"),
        (r"join\w*|start\w*|hired|employ\w*|入职|上班", "works_at started"),
        (r"job|work|工作", "works_at left_job job_title resigned"),
        (r"adopt\w*|got|get|getting|养", "pet"),
        (r"bought|buy\w*|purchas\w*|买", "bought"),
        (r"sold|sell\w*|sale|卖", "sold"),
        (r"trip|visit\w*|travel\w*|hik\w+|outing|旅行|去", "visited"),
        (r"clos\w+|shut\w*|bankrupt\w*|关门|倒闭", "status"),
        (r"marr\w+|wedding|结婚|婚礼", "relationship_status partner spouse"),
        (r"gave|give|giving|stopp?\w*|戒|停", "drinks eats practises stopped diet"),
        (r"drink\w*|drank|drunk|喝", "drinks"),
        (r"race|run\w*|ran|比赛|跑步?", "ran practises"),
    )
)
# What was said or thought as a whole clause is no event by itself.
_CLAUSES = frozenset(("says", "thinks", "feels"))
# Words that any deed may be told with: they count only where nothing else is said.
_LIGHT = frozenset(
    """went go goes going gone had have has having give gave given giving take took taking make made
    making get got getting do did done doing old new""".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A phrase as it is looked for."""

    text: str
    words: tuple[str, ...]
    near: dict[int, float]
    is_over: bool
    is_again: bool


def find_event(
    frame: Frame, phrase: str, subject_ids: Sequence[int], *, others: bool = True
) -> Fact | None:
    """Find the fact that a phrase tells of; None where none fits, or two that lie apart.

    Args:
        subject_ids: Who is spoken of; a phrase that names somebody else is theirs.
        others: Whether it may be anybody's where the phrase itself says nobody's.
    """
    with frame.vault.read() as db:
        named = [one for one in find_named(db, phrase) if one.entity_ids or one.speaker]
        people = [one for one in named if one.speaker]
        ids = [number for one in people for number in one.entity_ids] or list(subject_ids)
        bare = _without(phrase, [(one.start, one.end) for one in people])
        read = _read(frame, bare)
        if not read.words:
            return None
        things = [number for one in named if not one.speaker for number in one.entity_ids]
        known = find_facts(db, subject_ids=[*ids, *things], limit=MAX_FACTS)
        own = _best(known, read) if known else None
        if own is not None or people or not others or _THEY.search(phrase):
            return own
        return _best(_of_anybody(db, read), read)


def _without(phrase: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        rest = re.sub(r"^['’]s?\b|^的", "", phrase[end:])
        phrase = f"{phrase[:start]} {rest}"
    return phrase.strip()


def _read(frame: Frame, text: str) -> _Phrase:
    words = [w for w in content_words(text) if not is_first_person(w) and len(w) > 1]
    telling = [word for word in words if word.casefold() not in _LIGHT]
    return _Phrase(
        text=text,
        words=tuple(telling or words),
        near=_near(frame, text),
        is_over=bool(_OVER.search(text)),
        is_again=bool(_AGAIN.search(text)),
    )


def _near(frame: Frame, text: str) -> dict[int, float]:
    """Give the turns that lie near; the embedder reads no Chinese."""
    if frame.embedder is None or CJK.search(text):
        return {}
    said = text if re.match(r"(?:the|a|an)\b", text, re.IGNORECASE) else _THEY.sub("my", text, 1)
    (vector,) = frame.embedder.embed([said])
    index = shared_index(frame.vault, frame.embedder.embedder_id, "turn")
    return dict(index.search(vector, NEAR_TURNS))


def _of_anybody(db: Connection, read: _Phrase) -> list[Fact]:
    by_words = [number for number, _ in find_facts_by_words(db, " ".join(read.words), NEAR_TURNS)]
    found = find_facts(db, ids=by_words) if by_words else []
    near = find_facts(db, turn_ids=list(read.near)) if read.near else []
    return list({fact.id: fact for fact in (*found, *near)}.values())


def _best(facts: Sequence[Fact], read: _Phrase) -> Fact | None:
    scored = [(score, fact) for fact in facts if (score := _score(fact, read)) is not None]
    scored.sort(key=lambda one: (-one[0], order_ms(one[1])))
    if not scored:
        return None
    top, best = scored[0]
    for score, other in scored[1:]:
        if top - score > _TIE:
            break
        if abs(_start_ms(other) - _start_ms(best)) > _SAME_DAYS * _DAY_MS:
            return None
    return best


def _start_ms(fact: Fact) -> int:
    known = (fact.valid_from.earliest_ms, fact.valid_from.latest_ms)
    return next((one for one in known if one is not None), 0)


def _score(fact: Fact, read: _Phrase) -> float | None:
    """Tell how well a fact fits a phrase; None where too little of it does."""
    if fact.property in _CLAUSES or fact.modality is not Modality.ASSERTED:
        return None
    if not _start_ms(fact):
        return None
    told = 0.0
    own = 0
    for word in read.words:
        share = _told(word, fact)
        told += share if share < 1 else 1
        own += share == 1
    share = told / len(read.words)
    near = max((read.near.get(one.turn_id, 0.0) for one in fact.evidence), default=0.0)
    if not told or ((share < LEAST_SHARE or not own) and near < LEAST_NEARNESS):
        return None
    is_over = not fact.polarity or fact.property in _OVER_PROPERTIES
    fits = is_over == (read.is_over and not read.is_again)
    is_dated = fact.valid_from.precision is not Precision.UNKNOWN
    return share + 0.5 * near + 0.3 * fits + 0.2 * is_dated + 0.2 * _covered(fact, read)


def _covered(fact: Fact, read: _Phrase) -> float:
    """Tell how much of a fact's value a phrase says: Northlight is not an interview there."""
    parts = _WORD.findall(normalise(fact.value))
    said = [part for part in parts if any(_is_form(word, part) for word in read.words)]
    return len(said) / len(parts) if parts else 0.0


def _told(word: str, fact: Fact) -> float:
    """Tell whether a fact itself says a word: 1; only the words that told it: 0.7; none: 0."""
    value, quote = normalise(fact.value), " ".join(one.quote for one in fact.evidence)
    if CJK.search(word):
        return _told_chinese(word, fact, quote)
    if any(kind.fullmatch(word) and fact.property in names for kind, names in _BY_KIND):
        return 1
    parts = [part for part in fact.property.split("_") if len(part) > 2]
    if any(_is_form(word, one) for one in (*parts, *_WORD.findall(value))):
        return 1
    if fact.property in hint_properties(word, ()):
        return 1
    if any(_is_form(word, one) for one in _WORD.findall(normalise(fact.subject))):
        return 0.9
    return 0.7 if any(_is_form(word, one) for one in _WORD.findall(normalise(quote))) else 0


def _told_chinese(word: str, fact: Fact, quote: str) -> float:
    """Give the share of a Chinese phrase's signs that the value, the kind or the words tell."""
    left, of_own = word, 0
    for piece in (fact.value, fact.subject):
        if len(piece) > 1 and piece in left:
            left, of_own = left.replace(piece, ""), of_own + 1
    for kind, names in _BY_KIND:
        found = kind.search(left) if fact.property in names else None
        if found is not None:
            left, of_own = left.replace(found.group(), ""), of_own + 1
    rest = [sign for sign in left if CJK.fullmatch(sign) and sign not in quote]
    share = 1 - len(rest) / len(word)
    return 1 if of_own and share >= 0.5 else min(share, 0.9) if share > 0.5 else 0


def _is_form(word: str, said: str) -> bool:
    return same_stem(word, said) or any(same_stem(other, said) for other in synonyms(word))
