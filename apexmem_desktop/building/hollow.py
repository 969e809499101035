"""Values that are said and yet tell nothing to whoever reads them without the conversation.

"A lot has happened", "the singing was great", "great catching up": true, and of no use. What was
cut off in its middle is found here too. English only, since what is read of Chinese is narrower.
"""

import re

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.pointing import points_elsewhere
from apexmem_desktop.building.slight import why_slight

_OF_VERBS = frozenset(["did", "does", "is", "feels"])  # shapes whose property is the verb itself
SAYS_NOTHING = "says nothing without what was said before"
CUT_OFF = "value was cut off"

# "The singing was great and the ending so sad": of which play? These name themselves.
_BY_ITSELF = (
    r"(?:world|sun|moon|sky|stars|ocean|sea|sunset|sunrise|future|past|internet|web|environment|"
    r"government|earth|truth|economy|weather|climate|community|church|army|police|kids|children|"
    r"family|key|trick|important)\b"
)
_UNNAMED = re.compile(
    rf"(?:the|those|these|that|this) (?!{_BY_ITSELF})(?:(?:main|action|other|whole|first|last|"
    rf"same) )?"
    r"[\w-]+(?: and (?:the )?[\w-]+)?(?: (?:of|in|from|at) (?:the|those|these|that) [\w-]+)?"
    r"(?:['’]s| is| are| was| were| (?:was|is|were|are)n['’]t| looks?| looked| sounded| feels?|"
    r" felt| can be| could be| may be| might be| must be| must| will| adds?| makes?| goes| went|"
    r" takes?| took| gave| gives?| had| rocks?)(?: \S.*)?",
    re.IGNORECASE,
)
# "This ring is special to me" is told of the speaker; "the walls make me feel safe" of walls.
_OF_ME = re.compile(
    r"\b(?:to|for|of|helped?|reminds?|reminded) (?:me|us)\b|\bof (?:mine|ours)\b"
    r"|\bmy (?:\w+ )?(?:favou?rite|rock|dream|passion|escape|life|pick|thing)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:these|those|such) (?:creatures|reminders|changes|topics|sources|critters|things|"
    r"moments?|"
    r"connections|events|ones)\b(?! (?:that|who|which|of|with|in|when|where|I|we)\b)"
    r"|\btho[su] things\b|\bsomething similar\b|\bso much of that\b",
    re.IGNORECASE,
)
_THAT_ONE = re.compile(
    r"that \w+(?: (?:and|or|a lot|at|for|too|all|again|out|now|with)\b.*)?|this for\b.*",
    re.IGNORECASE,
)
_NO_NEWS = re.compile(
    r"(?:so |too )?(?:a lot|lots|much|many things|things|crazy things|stuff|something|everything|"
    r"so many things)(?:['’](?:s|ve)| has| have| had)?(?: (?:all|really|just))* "
    r"(?:been (?:going on|happening|changing|crazy|hectic|busy|good|great|tough|okay|ok|wild)|"
    r"happened|changed|going on)\b.*"
    r"|life(?:['’]s| has) been (?:(?:pretty|so|really|quite|very|kinda) )?(?:wild|crazy|hectic|"
    r"busy|"
    r"good|great|tough|okay|ok)\b.*",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"(?:so |really |always |very )*(?:great|good|nice|lovely|awesome|fun|amazing|cool|fantastic) "
    r"(?:to (?:be )?)?(?:catch(?:ing)? up|chat(?:ting)?|talk(?:ing)?|hear(?:ing)? from|"
    r"see(?:ing)? you|reconnect(?:ing)?)\b.*",
    re.IGNORECASE,
)
_FINDS_NONE = re.compile(
    r"(?:\w+ to be (?:a )?part of (?:something|this)\b|\w+ to (?:be on|feel) this\b|"
    r"to me\b|got to\b|gotta\b|(?:know|see|hav|be|hear|do|go|mak|tak)ing\b|such\b(?! an?\b)).*",
    re.IGNORECASE,
)
_MIX = re.compile(
    r".* (?:is|was|are|been) an? (?:mix|bit|kind|sort|lot|bunch) of things", re.IGNORECASE
)
_BARE_GERUND = re.compile(
    r"(?:playing|experimenting|doing|making|having|watching|seeing|trying|using|going|getting"
    r"(?: \w+)?|taking|working|giving|sharing|keeping|being|talking|helping(?: people)?)",
    re.IGNORECASE,
)
_BARE_VERB = re.compile(
    r"(?:check|help|go|share|talk|chat|see|try|ask|rest|continue|start|stop|do|keep|know|say|tell|"
    r"hear|think|work|look|wait|come|be|have|get|make|watch|listen|play|grow|improve|succeed)",
    re.IGNORECASE,
)
_ALIKE = re.compile(
    r"(?:an? lot|lots|much|similar \w+|so much|many things|things) in common"
    r"|similar (?:interests|tastes?|hobbies|feelings|experiences?)",
    re.IGNORECASE,
)
_TO_NOTHING = re.compile(
    r"something to\b.*|(?:\w+ ){0,3}?(?:something|someone|somebody|anything|things|this|that)"
    r"|(?:(?:some|other|more|pretty|really|cool|new|good|great|amazing|fun|nice|same|the) )*stuff",
    re.IGNORECASE,
)
_SHOT = re.compile(
    r"(?:an?|this|the) (?:pic|photo|picture|shot|snap)s? (?:I|we) (?:got|took)", re.I
)
_MEMORIES = re.compile(
    r"(?:keep )?mak(?:e|ing) (?:(?:some|more|new|great|awesome|lasting|good|happy) )*"
    r"memories",
    re.IGNORECASE,
)
_SHOWN_NONE = re.compile(
    r"an? (?:pic|photo|picture|shot|snap|selfie|peek|video)s? (?:from|of|at) (?:the (?:event|day|"
    r"class|"
    r"trip|party|night|place|moment)|(?:our |my )?last \w+|that day)",
    re.IGNORECASE,
)
# "A few offers", "some events", "another recipe I like": of what, or which one?
_BARE_NOUNS = re.compile(
    r"(?:(?:some|an?|the|this|that|my|a few|a couple of|several|lots of|many|all|all the|another|"
    r"new|"
    r"other|physical|more) )*(?:events?|offers?|people|options?|situation|copy|hurdles|obstacles|"
    r"opportunities)",
    re.IGNORECASE,
)
_THE_HELP = re.compile(r"(?:all )?(?:the|that|this) (?:help|support|advice)", re.IGNORECASE)
_BARE_WORKS = re.compile(
    r"(?:(?:an?|the|this|that|another|new) )*(?:recipe|book|movie|film|song|game|board ?game(?!s)|"
    r"show|series|"
    r"quote|idea)s?",
    re.IGNORECASE,
)
_MORE_THAN_EVER = re.compile(
    r"(?:even )?more \w+ than ever|(?:so |really |super |very )*\w+ to (?:get started|start|"
    r"begin|share)",
    re.IGNORECASE,
)
# "So excited and thankful": of what?
_MOODS_ALONE = re.compile(
    r"(?:(?:so|really|very|super|also|just|both) )*(?:excited|thankful|grateful|happy|"
    r"glad|thrilled|"
    r"stoked|pumped|nervous)(?:,? (?:and|but) (?:\w+ )?\w+)?",
    re.IGNORECASE,
)
_NO_PLAN = re.compile(
    r"(?:do|go do) (?:some|more|my|a bit of|a lot of)? ?(?:research|things|stuff|work|reading|"
    r"thinking)"
    r"|start to think of\b.*"
    r"|(?:start |keep )?think(?:ing)? about (?:what|how|it|that)\b.*|be an? (?:big |huge )?"
    r"(?:blast|treat|change|challenge|success|hit|surprise|deal|mess|ride|test|step)"
    r"|keep (?:on )?(?:chasing|pushing|grinding|fighting|working|trying|moving)|keep (?:it up|"
    r"going|at it|on|trying|doing (?:it|that|my best))|continue doing (?:it|that|this)"
    r"|savou?r all the \w+ \w+|get (?:the|some) \w+ to \w+ soon",
    re.IGNORECASE,
)
_GREAT_THING = re.compile(
    r".*\b(?:something (?:great|special|amazing|positive|good|big)|(?:great|good|"
    r"amazing) stuff)\b.*"
    r"|.* (?:had|having) (?:such )?(?:an? )?(?:\w+ )?(?:blast|time|fun)",
    re.IGNORECASE,
)
_LITTLE_ONE = re.compile(r"(?:an? )?(?:little |young )?(?:boy|girl|baby|kid|child)", re.IGNORECASE)
_HOW = frozenset(
    [
        "hard",
        "well",
        "best",
        "my best",
        "our best",
        "fast",
        "alright",
        "everything",
        "longer",
        "farther",
        "faster",
        "more",
        "better",
        "harder",
    ]
)
# "They bring me joy": whoever brings it was named elsewhere.
_GIVEN = frozenset(["is_brought", "was_brought"])
_LITTLE_GIVEN = re.compile(
    r"(?:(?:so|such|a lot of|lots of|tons of|much|some|the|a|that|great|pure) )*"
    r"(?:joy|happiness|peace|motivat(?:ed|ion)|focused|centered|grounded|hope|energy|strength|"
    r"comfort|fulfillment|support|positive|on track|inspired|calm|stay (?:centered|positive|"
    r"focused|"
    r"grounded|motivated|calm)|power)(?:(?:,(?: and)?| and) \w+)*"
    r"(?: to (?:continue|go on|carry on))?",
    re.IGNORECASE,
)
_TOUCHED = re.compile(
    r"(?:is|was)_(?:brought|kept|helped|inspired|motivated|made)(?:_to)?|gets|got"
)
_CUT = re.compile(
    r".*\b(?:made? me feel like|feels? like|felt like|seems? like|even|especially|as if|"
    r"even though|"
    r"for a good|such as|rather|scared to death|to teach|to show)"
    r"|that \w+ing(?: \w+)?|.* (?:that|which|who) (?:appeared|was|is|has|had|can|could|would)",
    re.IGNORECASE,
)
_ODD_START = re.compile(r"(?:especially|mostly|even|at least|not only)\b.*", re.IGNORECASE)


# What is hollow only of some kind.
_NEVER = {
    "wants": (_BARE_VERB, _TO_NOTHING, _MEMORIES),
    "plans": (_BARE_VERB, _TO_NOTHING, _MEMORIES, _NO_PLAN),
    "likes": (_BARE_GERUND, _BARE_NOUNS, _BARE_WORKS),
    "values": (_BARE_NOUNS, _THE_HELP),
    "shows": (_SHOWN_NONE, _SHOT),
}


# "Lovely to own something that …", "to be around people who …": what was cut names them.
_GENERIC_END = re.compile(
    r"\b(?:something|someone|somebody|anything|things|people|others|friends|moments|a way|a place|"
    r"stories|ones?|those)$",
    re.IGNORECASE,
)
_NAMES_IT = re.compile(r"\s*(?:who|that|which|where)\b")


def _is_cut(candidate: Candidate, value: str) -> bool:
    if _CUT.fullmatch(value) or (candidate.shape == "thinks" and _ODD_START.fullmatch(value)):
        return True
    end = candidate.value_end - candidate.sentence_start
    return bool(_GENERIC_END.search(value) and _NAMES_IT.match(candidate.sentence, end))


def why_hollow(candidate: Candidate) -> str:
    """Say why a value tells nothing by itself; "" when it does."""
    value = candidate.value.strip()
    if _is_cut(candidate, value):
        return CUT_OFF
    by_rule = candidate.by == "rule"
    if _is_hollow(candidate, value) or (by_rule and points_elsewhere(candidate, value)):
        return SAYS_NOTHING
    # Of the named properties the patterns know what can be their value.
    return why_slight(candidate.property, value) if candidate.shape in _OF_VERBS else ""


def _is_hollow(candidate: Candidate, value: str) -> bool:
    if _POINTING.search(value) or _SMALL_TALK.fullmatch(value) or _ALIKE.fullmatch(value):
        return True
    if candidate.shape == "thinks":
        return _is_no_view(candidate.property, value)
    if candidate.shape in _NEVER:
        return any(one.fullmatch(value) for one in _NEVER[candidate.shape])
    if _TOUCHED.fullmatch(candidate.property):
        return candidate.property in _GIVEN or _LITTLE_GIVEN.fullmatch(value) is not None
    return (
        value.casefold() in _HOW
        or _BARE_NOUNS.fullmatch(value) is not None
        or (candidate.shape == "feels" and _is_bare_mood(value))
        or _THAT_ONE.fullmatch(value) is not None
        or _SHOT.fullmatch(value) is not None
        or _TO_NOTHING.fullmatch(value) is not None
        or (candidate.property == "was" and _LITTLE_ONE.fullmatch(value) is not None)
    )


def _is_bare_mood(value: str) -> bool:
    return any(one.fullmatch(value) for one in (_MORE_THAN_EVER, _MOODS_ALONE))


def _is_no_view(name: str, value: str) -> bool:
    if name == "finds":
        return _FINDS_NONE.fullmatch(value) is not None
    if _NO_NEWS.fullmatch(value) or _MIX.fullmatch(value) or _GREAT_THING.fullmatch(value):
        return True
    return _UNNAMED.fullmatch(value) is not None and _OF_ME.search(value) is None
