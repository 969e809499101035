"""What is said across turns: a question and its answer, whom "he" means.

"Where do you work now?" and "At Siemens, since May" tell a fact together, and both prove it. What
was spoken of some turns ago is known from a small window; where two could be meant, nothing is
read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.clauses import load_words
from apexmem_desktop.building.confidence import BY_CLAUSE
from apexmem_desktop.building.grounding import fits_kind
from apexmem_desktop.building.objects import find_object
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.patterns import RELATIONS
from apexmem_desktop.building.statements import Saying, Sentence, split_sentences
from apexmem_desktop.domain.graph import Quote
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.storage import turns
from apexmem_desktop.storage.vault import Connection

WINDOW = 3  # earlier turns that are looked at
# Question and answer together leave less doubt than a clause alone, but more than a pattern.
ANSWER_CONFIDENCE = BY_CLAUSE

_ENGLISH = (
    (r"where (?:do|are) you (?:now |currently )?work(?:ing)?|who do you work for", "works_at"),
    (r"where (?:do|are) you (?:now |currently )?liv(?:e|ing)|where did you move(?: to)?",
     "lives_in"),
    (r"where (?:are you from|did you grow up|were you born|do you come from)", "comes_from"),
    (r"what do you do(?: for (?:a living|work))?(?=\s*(?:now|these days)?\?)"
     r"|what(?:'s| is) your job",
     "job_title"),
    (r"what(?:'s| is| was) your (?:all-time )?favou?rite (?P<kind>[a-z]+)", "favourite"),
    (r"how old are you", "age"),
    (r"when(?:'s| is) your birthday", "birthday"),
    (r"what (?:else )?(?:are you studying|do you study|did you study)", "studies"),
    (r"where (?:did you go|have you been|did you travel)\b", "visited"),
    (r"what(?: else)? did you buy", "bought"),
    (r"what are you reading", "reads"),
    (r"what(?:'s| is) your (?:dog|cat|pet|puppy|kitten)(?:'s name| called)", "pet"),
    (r"what instruments? do you play", "plays_instrument"),
    (r"what are you allergic to", "allergic_to"),
)  # fmt: skip
_CHINESE = (
    (r"你(?:现在|目前)?在哪[里儿]?(?:上班|工作)", "works_at"),
    (r"你(?:现在|目前)?(?:住在?|搬到)哪[里儿]?", "lives_in"),
    (r"你是?哪里人|你老家(?:在|是)?哪[里儿]?", "comes_from"),
    (r"你(?:现在)?(?:是)?(?:做|从事)什么(?:工作|职业|的)", "job_title"),
    (r"你(?:今年)?(?:多大|几岁)", "age"),
    (r"你(?:的)?生日(?:是)?(?:什么时候|哪天|几月几号|几号)", "birthday"),
    (r"你(?:大学)?(?:学|读)(?:的是)?什么(?:专业)?", "studies"),
    (r"你对什么过敏", "allergic_to"),
    (r"你(?:平时)?喜欢(?:吃|看|听|玩)?什么", "likes"),
    (r"你买了什么", "bought"),
)
_ASKED = tuple((re.compile(q, re.IGNORECASE), name) for q, name in (*_ENGLISH, *_CHINESE))
_DID_YOU = re.compile(
    r"^\W*(?:(?:so|oh|and|wait|hey|wow)\W+)*(?:did you(?: guys)?|have you(?: guys)?)"
    r"(?: (?:just|really|finally|already|actually))? (?P<verb>[a-z]+) (?P<rest>[^?]+)\?",
    re.IGNORECASE,
)
_QUIT = re.compile(r"^\W*(?:so )?did you (?P<verb>quit|resign|graduate|retire|move)\??$", re.I)
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|yea|sure did|i did|i have|we did|indeed|对啊?|是的|嗯)(?![\w'’])",
    re.IGNORECASE,
)
_NO_YES = re.compile(r"\b(?:but not|not yet|no|never|kidding|joking|wish)\b", re.IGNORECASE)
_AN_ANSWER = re.compile(
    r"^\W*(?:(?:well|oh|hmm|haha+|right now|currently|now|still|it['’]s|its|it is|that would be|"
    r"definitely|probably|mostly|mainly|at|in|for|to|from|with|as|on|i['’]m|just|hey [A-Z]\w+|"
    r"my favou?rite is|我?(?:现在|目前)?(?:在|是|住在?|去|做|搬到|对)?)"
    r"(?:[,!.…]+\s*|\s+|(?=[\u4e00-\u9fff])))*",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-ZÀ-Þ][\w&'’-]*(?:(?: (?:of|de|la|the|and|&))? [A-ZÀ-Þ0-9][\w&'’-]*){0,4}")
_HAN_VALUE = re.compile(r"[\u4e00-\u9fffA-Za-z0-9]{1,12}(?=$|[,，。!！、；\s了呀啊])")
_THING = re.compile(r"(?:(?:an?|the|some|my)\s+)?[a-z][\w'’-]*(?: [\w'’-]+){0,4}", re.IGNORECASE)
_SUBJECT = re.compile(
    r"^(?:i|we|you|he|she|they|it|there|that|this|what|who|how|why|thanks|not|no|sorry|my|"
    r"guess|depends|lots?|so|good|great|everything|nothing|something|all|none)\b",
    re.I,
)
_NUMBER = re.compile(
    r"(?:i['’]m |我?(?:今年)?)?(?P<number>\d{1,3})(?: years old|岁|\b)", re.IGNORECASE
)
_DATE = re.compile(
    r"(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? "
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?"
    r"|(?:\d{1,2}|[一二三四五六七八九十]{1,2})月(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号])",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"\[shared image:[^\]]*\]")


def find_earlier(db: Connection, batch: Iterable[Turn]) -> dict[int, tuple[Turn, ...]]:
    """Find the few turns before each of a batch, oldest first; only those of its own session.

    Turns are numbered as they come in; one that a later import put between is not seen.
    """
    near = {one.id: range(max(1, one.id - WINDOW), one.id) for one in batch}
    wanted = sorted({number for numbers in near.values() for number in numbers})
    found = {one.id: one for one in turns.find_turns(db, wanted)}
    return {
        one.id: tuple(
            found[number]
            for number in near[one.id]
            if number in found and found[number].session_id == one.session_id
        )
        for one in batch
    }


def read_answers(turn: Turn, before: Sequence[Turn]) -> Iterator[Candidate]:
    """Read what a turn tells together with the question that it answers."""
    asked = next((one for one in reversed(before) if one.speaker != turn.speaker), None)
    if asked is None or before[-1] is not asked:
        return
    answers = [one for one in split_sentences(_plain(turn.text)) if one.text]
    if not answers or answers[0].saying is Saying.QUESTION:
        return
    for question in reversed(split_sentences(_plain(asked.text))):
        if not question.text.endswith(("?", "？")) and question.saying is not Saying.QUESTION:
            continue
        proof = Quote(asked.id, question.start, question.end, question.text)
        found = _answered(turn, answers[0], question.text, proof)
        if found is not None:
            yield found
        return  # an answer goes with the last question


def _plain(text: str) -> str:
    return _CAPTION.sub(lambda match: " " * len(match.group()), text)


def _answered(turn: Turn, answer: Sentence, question: str, proof: Quote) -> Candidate | None:
    yes = _YES.match(answer.text)
    if yes is not None:
        return None if _NO_YES.search(answer.text) else _confirmed(turn, answer, question, proof)
    for asks, name in _ASKED:
        match = asks.search(question)
        place = _value_of_answer(name, answer.text) if match else None
        if match is not None and place is not None:
            kind = match.groupdict().get("kind")
            told = f"favourite_{kind.casefold()}" if kind else name
            return _candidate(turn, answer, (told, _shape(name)), place, proof)
    return None


def _shape(name: str) -> str:
    return name if name in load_shapes() else "is"


def _value_of_answer(name: str, text: str) -> tuple[int, int] | None:
    """Find the value in an answer that is no clause of its own."""
    if name == "age":
        number = _NUMBER.match(text)
        return number.span("number") if number else None
    if name == "birthday":
        date = _DATE.search(text)
        return date.span() if date else None
    lead = _AN_ANSWER.match(text)
    start = lead.end() if lead else 0
    if _SUBJECT.match(text[start:]):
        return None
    shape = load_shapes()[_shape(name)]
    named = shape.value_kind in ("place", "organization", "person") or name == "pet"
    if re.search(r"[\u4e00-\u9fff]", text):
        value = _HAN_VALUE.match(re.sub(r"(?:上班|工作|的)?[。！!]?$", "", text), start)
    else:
        value = (_NAME if named else _THING).match(text, start)
    if value is None:
        return None
    start, end = value.span() if named else find_object(text, *value.span())
    value_text = text[start:end]
    if end - start < 2 or not fits_kind(value_text, shape.value_kind):
        return None
    return start, end


def _confirmed(turn: Turn, answer: Sentence, question: str, proof: Quote) -> Candidate | None:
    """Read "Did you buy the boat?" with "Yes, last week": the deed stands in the question."""
    alone = _QUIT.match(question)
    asked = alone or _DID_YOU.match(question)
    if asked is None:
        return None
    verb = _past(asked["verb"].casefold())
    if verb is None:
        return None
    if alone is not None:
        start, end = asked.span("verb")
    else:
        start, end = find_object(question, *asked.span("rest"))
    name = verb if alone is None else "did"
    shape = name if name in load_shapes() else "did"
    value = question[start:end]
    if end - start < 3 or re.match(
        r"(?:it|that|this|them|him|her|your|you|any|ever|a lot)\b", value, re.I
    ):
        return None
    if not fits_kind(value, load_shapes()[shape].value_kind):
        return None
    one = _candidate(turn, answer, (load_words().same.get(name, name), shape), (0, 1), proof)
    return replace(one, value=value, from_question=True)


_PAST = {
    "buy": "bought", "sell": "sold", "get": "got", "go": "went", "make": "made", "win": "won",
    "meet": "met", "take": "took", "find": "found", "lose": "lost", "write": "wrote",
    "build": "built", "see": "saw", "quit": "quit", "leave": "left", "begin": "began",
    "resign": "resigned", "bring": "brought", "read": "read",
}  # fmt: skip


def _past(verb: str) -> str | None:
    if verb in _PAST:
        return _PAST[verb]
    if verb in load_words().never or len(verb) < 4:
        return None
    if verb.endswith("ed"):
        return verb
    if verb in (
        "move",
        "graduate",
        "retire",
        "finish",
        "visit",
        "start",
        "join",
        "adopt",
        "watch",
        "sign",
        "order",
        "book",
        "cancel",
        "attend",
        "paint",
        "bake",
        "plant",
        "repair",
        "apply",
    ):
        return f"{verb}d" if verb.endswith("e") else f"{verb}ed"
    return None


def _candidate(
    turn: Turn, answer: Sentence, named: tuple[str, str], place: tuple[int, int], proof: Quote
) -> Candidate:
    start, end = answer.start + place[0], answer.start + place[1]
    return Candidate(
        turn_id=turn.id, who=turn.speaker, of_speaker=False, property=named[0], shape=named[1],
        value=turn.text[start:end], value_start=start, value_end=end, sentence=answer.text,
        sentence_start=answer.start, by="rule", confidence=ANSWER_CONFIDENCE, beside=(proof,),
    )  # fmt: skip


def earlier_words(turn: Turn, before: Sequence[Turn]) -> str:
    """Write the window as if the turn's own speaker had said it, to find whom "he" means.

    What the other calls "your brother" is the speaker's brother; their "my brother" is another.
    """
    told = []
    for one in before:
        text = _plain(one.text)
        if one.speaker != turn.speaker:
            text = _TO_OTHER.sub(lambda match: f"my {match[1]}, {_STRANGER},", text)
            text = re.sub(r"\byour\b", "my", text, flags=re.IGNORECASE)
            text = re.sub(r"你(?=的?[\u4e00-\u9fff])", "我", text.replace("我", "某"))
        told.append(text)
    return "\n".join(told)


_STRANGER = "Somebodyelse"
_TO_OTHER = re.compile(
    rf"\bmy (?:\w+ )?({'|'.join(one for one in RELATIONS if one.isascii())})\b", re.IGNORECASE
)


def is_stranger(name: str) -> bool:
    """Tell whether a name only says that somebody of the other speaker's is meant."""
    return name == _STRANGER
