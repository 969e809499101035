"""What somebody thinks, feels, needs, advises or shows, read by rule from English clauses. No model.

"Painting landscapes is so calming" is an opinion; the clause itself is its value, so that nothing
is put into other words: *thinks · Painting landscapes is so calming*. What only says "you are
great" or points at something told elsewhere ("it was fun") is left out.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.segments import Segment, find_segments
from apexmem_desktop.building.statements import Saying, Sentence
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.turn import Turn

# How often such a reading was right on a judged sample; see docs/quality.md.
VIEW_CONFIDENCE = 0.9
MOST_WORDS, MOST_CHARS = 18, 120
THINKS, FEELS, ADVISES, NEEDS, SHOWS = "thinks", "feels", "advises", "needs", "shows"

# Shapes whose value is a clause: what else its sentence tells may still be asked for.
VIEWS = frozenset({THINKS, FEELS, ADVISES, NEEDS, SHOWS})

Read = tuple[str, str, int, int]  # shape, property, start and end within the segment

_ADVERBS = (
    r"(?:(?:so|really|very|super|truly|just|also|always|definitely|pretty|quite|such|kinda|kind of|"
    r"a bit|totally|absolutely|incredibly|extremely|still|now|even|both|all|finally|too|much|more|"
    r"already|actually|always|often|never|not|currently|feeling|a little|sometimes|lately)\s+)*"
)
_POINTING = re.compile(
    r"\b(?:it|this|that|these|those|them|they|he|she|him|her|his|hers|its|their|you|your|yours|"
    r"you['’]\w+|it['’]s|that['’]s|they['’]\w+|here|there|one|ones|y['’]all|u|ur|same)\b|['’]em\b",
    re.IGNORECASE,
)
# Words that point only by their looks: "a book that I love", "those in need", "friends you can trust".
_NO_POINTING = re.compile(
    r"(?<=\w )that (?=(?:\w+(?:s|ed|t|n)|I|we|my|our|the|a|an|can|will|are)\b)"
    r"|\bthose (?=(?:in|who|with|we|I|around|close)\b)|\b(?:loved|little) ones\b|\bworth it\b"
    r"|(?<=\w )you (?=(?:can|could|want|need|love|trust|care)\b)"
)
# "kids who need it", "dancers on their dreams": what is meant stands in the same clause.
_ANAPHORA = re.compile(
    r"(\b(?:\w{3,}s|people|folks|kids|children|those)\b.{1,40}?)\b(?:their|them|they)\b"
    r"|(?<=\w )(?:their|these|those)(?= \w)|(?<=\w )(?:this|that)(?= \w+ \w+)"
)
# The end of a clause whose object was cut off: "excited to see", "the place we went to".
_CUT_OFF = re.compile(
    r"(?:\bto (?:see|hear|share|know|try|learn|have|be|find|think|feel|show|tell|go|do|get|make)"
    r"|\b(?:to|of|for|with|at|from|by|about|and|or|the|a|an|my|our|so|very|really|is|are|was|"
    r"were|that|how|what|as|than|me feel|because|when|why|far|much|many|to choose|get rid))$",
    re.IGNORECASE,
)
_BE = r"(?:['’](?:s|re)|\s+(?:is|are|was|were|has been|have been|can be|feels?|felt|seems?))"
_ABOUT_NOTHING = re.compile(
    r"(?:thanks?|congrats|congratulations|sounds?|looks?|glad|hope|hoping|wish|wow|nice|great|good|"
    r"best|any|what|who|how|why|where|when|there|here|hearing|seeing you|no|nothing|anything|"
    r"everything|something|someone|somebody|everybody|not|just|only|even|more|much|few|"
    r"both|another|other|each|such|so|too|very|really|can|could|will|would|should|do|does|did|"
    r"is|are|was|were|have|has|had|been|being|got|get|to|in|on|at|for|with|of|from|by|about|as|"
    r"than|like|or|if|then|guess|let|let['’]s|gonna|gotta|wanna|still|never|ever|maybe|perhaps|"
    r"hard work|way|pleasure|kudos|cheers|life['’]s good|time|times|day|please|same|"
    r"(?:the|my) (?:pleasure|way|name|fact|thing|best part))\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:I|you|it|he|she|we|they|this|that|these|those|there|who|what|which|y['’]all|u|me|him|"
    r"her|them|us)\b|\b\w+['’](?:m|re|ve|ll|d)\b",
    re.IGNORECASE,
)
_GERUND = re.compile(
    r"(?!(?:being|having|hearing|seeing you|going|everything|something|nothing|anything|during|"
    r"hoping|thinking|wishing|looking forward|sounding|morning|evening|according)\b)"
    r"[A-Za-z]{2,}in[g'’]\b.{0,90}? (?:is|are|was|has been|can be|has|have|can|will|matters?|"
    r"takes?|took|helps?|helped|makes?|made|gives?|gave|brings?|brought|means?|meant|keeps?|kept|"
    r"requires?|feels?|felt|inspires?|motivates?|taught|teaches|reminds|changed|lets?|needs?)\b.*"
    r"|(?!(?:hearing|seeing you)\b)[A-Za-z]{2,}in[g'’](?: [\w'’]+){1,8}['’]s (?:an?|the|so|really|"
    r"very|always|hard|tough|great|important|key)\b.*"
)
_OURS = re.compile(
    r"[Ww]e (?:all |both )?(?:really )?(?:should|can|must|need to|have to|deserve) (?!do\b)\w+ \w+ \w+"
)
_LOOKS = re.compile(r"^(?:the|those|these)\s+\w+(?: \w+)? looks?\b", re.IGNORECASE)
_FINDS = re.compile(
    rf"[Ii]t(?:['’]s been|['’]s|\s+(?:is|was|has been|feels?|felt))\s+{_ADVERBS}"
    r"(?P<value>(?:(?:an?|such an?)\s+(?:[a-z-]+\s+)?(?:dream|pleasure|joy|honou?r|privilege|"
    r"challenge|relief|blessing|shame|struggle|treat|thrill|delight|bummer|habit)\s+"
    r"|(?!(?:so|really|very|super|pretty|quite|too|just|also|all|even|been|like|an?|such|about|time|only)\b|\w+ing and\b)[a-z-]+\s+(?:and (?!\w+ed\b)[a-z-]+\s+)?)"
    r"(?:for (?:me|us)\s+)?(?!(?<=easy )to \w+(?: \w+)?$)(?:(?:to|how|what)\s+\S+|that (?:I|we|my|our)|(?:I|we) (?:can|get|have|got)"
    r"|[a-z]+ing)\s+(?!(?:to|for|with|of|at|on|in)$)\S.*)"
)
_MEANS = re.compile(r"[Ii]t (?:means|meant) (?:so much|a lot|the world)(?: to me)? (?P<value>to .+)")
_TOUCHES = {
    "taught": "was_taught", "teaches": "is_taught", "reminds": "is_reminded",
    "reminded": "was_reminded", "helps": "is_helped", "helped": "was_helped",
    "gives": "gets", "gave": "got", "give": "gets", "keeps": "is_kept", "kept": "was_kept",
    "keep": "is_kept", "inspires": "is_inspired", "inspired": "was_inspired",
    "inspire": "is_inspired", "motivates": "is_motivated", "motivated": "was_motivated",
    "motivate": "is_motivated", "makes": "is_made", "made": "was_made", "make": "is_made",
    "lets": "is_allowed", "allows": "is_allowed", "allowed": "was_allowed",
    "encouraged": "was_encouraged", "encourages": "is_encouraged", "showed": "was_shown",
    "pushes": "is_pushed", "pushed": "was_pushed", "remind": "is_reminded", "help": "is_helped",
    "brings": "is_brought", "brought": "was_brought", "bring": "is_brought",
}  # fmt: skip
_TOUCH = re.compile(
    r"(?:[Ii]t|[Tt]hat|[Tt]his|[Tt]hey|[Tt]hese|[Tt]hose|[Ww]hich|[Yy]our(?: [\w'’]+){1,4}"
    r"|(?!\w+['’](?:ll|d)\b)[A-Za-z][\w'’]*(?: (?!(?:that|which|who|will|would|could|might|may|hope)\b)[\w'’]+){0,5})"
    rf"(?:['’]s)?\s+{_ADVERBS}(?:helps? keep me|(?:has |have )?(?:also |really )?(?P<verb>{'|'.join(_TOUCHES)})\s+(?:me|us))\s+(?P<value>(?!(?:and|or|but|together|closer|back|posted|updated)\b)(?!(?:feel|up|out|down|and|"
    r"more|laugh|smile|cry|a lot|so much|too|know|here)$)\S.+)"
)
_FEEL = re.compile(
    r"(?P<be>I['’]m feeling|I['’]ve been feeling|I['’]m|I am|I was|I feel|I felt|I['’]ve been|"
    rf"I have been|[Ww]e['’]re|[Ww]e are|[Ww]e were|[Ww]e felt)\s+(?P<value>{_ADVERBS}(?P<mood>[a-z-]+)(?P<more>\s+.+)?)"
)
_NEED = re.compile(
    r"(?:(?:I|[Ww]e)\s+(?:really |just |still |also |do )*(?:need|could use)"
    r"|(?:I(?:['’]d| would)|[Ww]e(?:['’]d| would)) (?:really )?appreciate|[Nn]eed)\s+"
    r"(?P<value>(?!to (?:go|run|say|see|hear|check)\b).+)"
)
_AHEAD = re.compile(
    r"(?:(?:I|[Ww]e)\s+)?(?:just |really )?(?:(?:[Cc]an['’]?t|[Cc]annot) wait|(?<=I )(?:always |really )*"
    r"look forward|(?<=[Ww]e )(?:always |really )*look forward|[Ll]ooking forward)\s+"
    r"(?:for|to)\s+(?P<value>.+)"
)
_SHOW = re.compile(
    r"(?:here['’]s|here is|here are|this is|check out|take a look at|these are)\s+"
    r"(?P<value>(?:an? |the |my |our |some |one of (?:my|our) |another )?.+)",
    re.IGNORECASE,
)
_PICTURE = re.compile(
    r"\b(?:pics?|photos?|pictures?|snaps?|selfie|shots?|peek|painting|drawing|sketch|trophy|"
    r"trophies|video|poster|photograph)\b"
)
_THANKS = re.compile(
    r"(?:[Tt]hanks|[Tt]hank you)(?: so much| a lot| a bunch| again)? for\s+(?P<value>[a-z]+ing\s+.+)"
)
_VALUES = re.compile(
    r"(?:(?:I|[Ww]e)\s+(?:really |truly |also |always |do |so )*)?"
    r"(?:[Cc]herish|[Aa]ppreciate|[Vv]alue|[Tt]reasure|[Aa]dmire|[Rr]espect|[Mm]iss)\s+(?:for\s+)?"
    r"(?P<value>.+)"
)
_SURE = re.compile(
    r"(?:I|[Ww]e)(?:['’]m| am|['’]re)?\s+(?:really |truly |firmly |still |also |just )*(?:sure|certain|"
    r"convinced|confident|believe|think|feel like|know|find|found|realized|realised|learned|"
    r"learnt|figure|guess)\s+(?:that\s+)?(?=\S)"
)
_REMEMBER = re.compile(
    r"(?:(?:[Jj]ust )?(?:[Rr]emember|[Dd]on['’]t forget|[Kk]now)(?: that)?|[Mm]y advice:?)\s+(?=\S)"
)
_WILL = re.compile(r"(?:I|[Ww]e)(?:['’]ll| will)\s+(?:definitely |always |just |also )*(?P<value>.+)")
_CANNOT = re.compile(
    r"(?:I|[Ww]e) (?:can['’]?t|cannot|couldn['’]?t) (?:really |even )?"
    r"(?P<value>(?!(?:wait|believe|say|imagine|agree|thank|help|stress|tell|stop|recommend|argue|blame|"
    r"get over|go wrong|think of)\b).+)"
)
_HOPES = re.compile(
    r"(?:(?:I|[Ww]e)(?:['’]m| am|['’]re| are)? )?(?:[Hh]ope|[Hh]oping) (?:that )?"
    r"(?P<value>(?:my|our|I|we|the) .+)"
)
_ADVISES_YOU = re.compile(
    r"[Yy]ou (?:can|could|should|might want to|may want to|need to|have to) (?:also |always |just )?"
    r"(?P<value>(?!(?:do|be|tell|see|imagine|say|count|make)\b).+)"
)
# "My new thing is fencing, started in spring": two clauses, of which the second is not read yet.
_RUNS_ON = re.compile(r",\s+(?:\w+ed|began|took|went|got|had|came|made|been|have|has)\b")
_SMALL_TALK = re.compile(
    r"\b(?:weather|rain|rainy|sunny|traffic|bus|train|queue|wifi|late|again)\b", re.IGNORECASE
)
_OF_MANNERS = re.compile(
    r"(?:keep (?:me|us|you|it|on|up|going$|doing what)\b|let me|tell me|give me|ask me|call me|write me|have (?:a|fun)|"
    r"take (?:care|your time)|do (?:it|let|keep|tell)|go (?:for it|you|ahead)|make sure\b.* know|"
    r"don['’]t (?:worry|mention|sweat|be silly)|enjoy(?: it| your|$)|rest well|look at|"
    r"think (?:so|about it)|get (?:well|some rest))",
    re.IGNORECASE,
)
_THERE = re.compile(r"[Tt]here(?:['’]s| is| are| was| were| will be) (?P<value>(?!(?:no|not|so|nothing|something|always)\b).+)")
_OFF = re.compile(r"(?:I['’]m|[Ww]e['’]re) off to (?:go )?(?P<value>.+)")


@dataclass(frozen=True, slots=True)
class Lists:
    """The word lists of `resources/ontology/views.toml`."""

    verbs: frozenset[str]
    imperatives: frozenset[str]
    never_felt: frozenset[str]
    felt_alone: frozenset[str]
    promised: frozenset[str]
    deeds: frozenset[str]


@lru_cache(maxsize=1)
def load_lists() -> Lists:
    """Read the word lists."""
    with (resources_dir() / "ontology" / "views.toml").open("rb") as file:
        return Lists(**{name: frozenset(v.split()) for name, v in tomllib.load(file).items()})


def read_views(turn: Turn, sentence: Sentence) -> Iterator[Candidate]:
    """Read a sentence's views, one at most for each of its clauses."""
    readers = _READERS if sentence.saying is Saying.STATEMENT else _OF_COURTESY
    for segment in find_segments(sentence):
        if segment.dependent:
            continue
        for reader in readers:
            read = reader(segment.text)
            if read is None:
                continue
            shape, name, start, end = read
            yield _candidate(
                turn, sentence, shape, name, segment.start + start, segment.start + end
            )
            break


def _candidate(
    turn: Turn, sentence: Sentence, shape: str, name: str, start: int, end: int
) -> Candidate:
    begin = sentence.start + start
    value = sentence.text[start:end]
    return Candidate(
        turn_id=turn.id, who=turn.speaker, of_speaker=False, property=name, shape=shape,
        value=value, value_start=begin, value_end=begin + len(value), sentence=sentence.text,
        sentence_start=sentence.start, by="rule", confidence=VIEW_CONFIDENCE,
    )  # fmt: skip


def _fits(value: str, least_words: int = 2) -> bool:
    """Whether a value is short enough to read and says by itself what it says."""
    plain = _ANAPHORA.sub(lambda match: match[1] or "", _NO_POINTING.sub("", value))
    return (
        _CUT_OFF.search(value) is None
        and
        least_words <= len(value.split()) <= MOST_WORDS
        and len(value) <= MOST_CHARS
        and _POINTING.search(plain) is None
    )


def _opinion(text: str) -> Read | None:
    """Read "Flowers bring joy" and "Searching for a studio has been tricky"."""
    there = _THERE.match(text)
    if there and _fits(there["value"], 4):
        return THINKS, "says", 0, len(text)
    if _RUNS_ON.search(text) or _SMALL_TALK.search(text):
        return None
    if not _fits(text, 3) or _ABOUT_NOTHING.match(text) or _LOOKS.search(text):
        return None
    gerund = _GERUND.fullmatch(text)
    if gerund or _states(text) or _OURS.match(text):
        return THINKS, THINKS, 0, len(text)
    return None


def _states(text: str) -> bool:
    """Whether a clause has a subject of its own, then a verb, then something said of it."""
    words = text.split()
    for at, word in enumerate(words[:9]):
        bare = word.casefold().strip(",'\"").replace("’", "'")
        verb = bare in load_lists().verbs or bare.endswith(("'s", "'re")) and _is_said(words, at)
        if verb:
            if at == 1 and words[0][:1].isupper() and bare in load_lists().deeds:
                return False  # "Mira closed the window" is no view
            subject = " ".join([*words[:at], *([bare.split("'")[0]] if "'" in bare else [])])
            said = at + 1 < len(words)
            return bool(subject) and said and _PRONOUN.search(subject) is None
    return False


def _is_said(words: list[str], at: int) -> bool:
    """Whether "'s" is "is": "Art's cool", not "the city's lights"."""
    after = words[at + 1].casefold() if at + 1 < len(words) else ""
    return after in load_lists().felt_alone or after in (
        "a", "an", "the", "my", "our", "so", "such", "really", "very", "been", "always", "all",
        "important", "key", "crucial", "vital", "doing", "going", "mostly", "hard",
    )  # fmt: skip


def _embedded(text: str) -> Read | None:
    """Read what stands behind "I believe that" or "just remember that"."""
    for opening in (_SURE, _REMEMBER):
        match = opening.match(text)
        inner = text[match.end() :] if match else ""
        if match and inner:
            read = _opinion(inner) or (_advice(inner) if opening is _REMEMBER else None)
            if read:
                shape, name, start, end = read
                return shape, name, start + match.end(), end + match.end()
    return None


def _value(shape: str, name: str, pattern: re.Pattern[str], least: int = 2) -> Callable[[str], Read | None]:
    def read(text: str) -> Read | None:
        match = pattern.match(text)
        if match is None or not _fits(match["value"], least):
            return None
        return shape, name, *match.span("value")

    return read


def _touch(text: str) -> Read | None:
    """Read "it taught me to wait": the speaker *was taught* to wait."""
    match = _TOUCH.match(text)
    if match is None or re.search(r"n['’]t\b|\bnot\b|\bnever\b", text):
        return None
    if not _fits(match["value"], 3 if (match["verb"] or "").startswith("ma") else 1):
        return None
    return FEELS, _TOUCHES[match["verb"] or "keeps"], *match.span("value")


def _feeling(text: str) -> Read | None:
    """Read "I'm determined to make it work": what somebody feels or is set on."""
    match = _FEEL.fullmatch(text)
    if match is None:
        return None
    lists, mood, more = load_lists(), match["mood"], match["more"] or ""
    if mood == "getting" and more:  # "I've been getting so stressed": how it has become
        return _grown(match)
    if (mood in lists.never_felt and mood != "down") or mood.endswith("ing"):
        return None
    alone = mood in lists.felt_alone
    set_on = mood in ("ready", "willing", "prepared", "down") and more.startswith(" to ")
    joined = re.match(r"\s+(?:to|about|with|of|for|by|that|and|in|at|being|seeing|\w+ing)\b", more)
    if not (alone or set_on or (joined and mood.endswith(("ed", "ful", "y", "ous", "nt", "ive", "le")))):
        return None
    if not _fits(match["value"], 1 if alone and not more else 2):
        return None
    return FEELS, FEELS, *match.span("value")


def _grown(match: re.Match[str]) -> Read | None:
    inner = re.match(rf"\s+{_ADVERBS}(?P<mood>[a-z]+)(?P<rest>.*)", match["more"])
    if inner is None or inner["mood"] not in load_lists().felt_alone or not _fits(match["value"]):
        return None
    return FEELS, FEELS, *match.span("value")


def _thanked(text: str) -> Read | None:
    """Read "thanks for being there for me"; "thanks for the tip" says too little."""
    match = _THANKS.match(text)
    if match is None or not 2 <= len(match["value"].split()) <= MOST_WORDS:
        return None
    return FEELS, "thanks_for", *match.span("value")


def _valued(text: str) -> Read | None:
    match = _VALUES.match(text)
    plain = re.sub(r"\byour\b\s*", "", match["value"]) if match else ""
    if match is None or not _fits(f"x {plain}", 2):
        return None
    if plain != match["value"] and len(plain.split()) < 3:  # "your help": with what is not said
        return None
    return "values", "misses" if "iss " in match.group()[:9] else "values", *match.span("value")


def _shown(text: str) -> Read | None:
    match = _SHOW.match(text)
    if match is None or not _PICTURE.search(match["value"]) or not _fits(match["value"], 3):
        return None
    return SHOWS, SHOWS, *match.span("value")


def _promise(text: str) -> Read | None:
    match = _WILL.match(text)
    if match is None or re.match(r"(?:keep (?:on )?going$|make it\b)", match["value"]):
        return None
    if match["value"].split()[0] not in load_lists().promised:
        return None
    return ("plans", "plans", *match.span("value")) if _fits(match["value"], 3) else None


def _told_you(text: str) -> Read | None:
    """Read "you should soak the beans first"; the "you" in it is the one advised."""
    match = _ADVISES_YOU.match(text)
    plain = re.sub(r"\b(?:yourself|your|you(?:['’]re)?)\b", "", match["value"]) if match else ""
    if match is None or not _fits(plain, 3):
        return None
    return ADVISES, ADVISES, *match.span("value")


def _advice(text: str) -> Read | None:
    """Read an order or a piece of advice: "Gather the papers before you apply"."""
    words = text.split()
    first = words[0].casefold()
    if first in ("never", "always", "just") and len(words) > 1:
        first = words[1].casefold()
    asks = first in load_lists().imperatives or re.match(r"(?:do not|don['’]t)\s+\w+", text.lower())
    if _OF_MANNERS.match(text):
        return None
    least = 4 if first.startswith("do") and first != "do" else 3
    if not asks or not least <= len(words) <= MOST_WORDS or len(text) > MOST_CHARS:
        return None
    plain = re.sub(r"\b(?:yourself|your|(?<=what )you|(?<=as )you|(?<=why )you|(?<=how )you)\b", "", text, flags=re.IGNORECASE)
    if not _fits(f"x {plain}", 3) or (len(words) > 1 and words[1].casefold() in load_lists().verbs):
        return None
    name = "suggests" if first.startswith("let") else ADVISES
    return ADVISES, name, 0, len(text)


# "It's great to …", "thanks for …": what begins as a courtesy may still say something.
_OF_COURTESY: tuple[Callable[[str], Read | None], ...] = (
    _thanked,
    _valued,
    _value("is", "looks_forward_to", _AHEAD),
    _value(THINKS, "finds", _MEANS),
    _value(THINKS, "finds", _FINDS),
)
_READERS: tuple[Callable[[str], Read | None], ...] = (
    _shown,
    _value(NEEDS, "needs", _NEED),
    _value("is", "looks_forward_to", _AHEAD),
    _value("plans", "plans", _OFF),
    _thanked,
    _valued,
    _value("is", "cannot", _CANNOT),
    _value(THINKS, "hopes", _HOPES, 3),
    _feeling,
    _value(THINKS, "finds", _MEANS),
    _value(THINKS, "finds", _FINDS),
    _promise,
    _embedded,
    _told_you,
    _advice,
    _opinion,
    _touch,
)
