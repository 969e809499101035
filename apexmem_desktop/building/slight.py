"""Properties that are none: a noun that only stands before a verb, a verb that carries nothing.

"My hands were shaking" gives no property *hands*, "my vet even called" none called *vet even*, and
"we had a good laugh" tells nothing that lasts. A property's own name does not say so: "my car is a
hatchback" and "we had twins" do last. So verb and value are looked at together. English only.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache

from apexmem_desktop.building.standing import load_lists
from apexmem_desktop.domain.locations import resources_dir

NO_PROPERTY = "its property is none"
SLIGHT = "of a passing moment, or of nothing to hold"

# "My niece even", "my pantry is": what stands before the verb ends in a word that names no thing.
_NO_NOUN = re.compile(
    r"ones?|is|are|was|were|am|be|has|had|have|do|does|did|can|will|here|there|then|too|not|even|"
    r"all|both|each|ever|never|always|often|still|soon|now|once|again|already|almost|"
    r"(?!(?:family|belly|bully|lily|jelly|ally|assembly|supply|reply|anomaly|monopoly|rally|dolly|"
    r"trolley|butterfly|dragonfly|weekly|daily|monthly|quarterly|homily|melancholy|italy)$)\w{3,}ly"
)
_HARMED = re.compile(
    r"\b(?:broke|broken|fractured|injured|hurts?|sprained|torn|tore|infected|swollen|swelled|aches?|"
    r"aching|operated|surgery|dislocated|healed|replaced|burn(?:t|ed)|numb|allergic|sore)\b"
)
_BE = re.compile(
    r"(?:is|are|was|were|has been|have been|feels?|felt|got|looks?|looked|seems?|seemed) "
    r"(?:(?:just|so|really|very|all|super|finally|already|also|still|both|always|pretty|quite|"
    r"absolutely|totally|truly|doing|a bit|kinda|getting|being) )*(?P<how>[\w-]+)(?P<more> .*)?"
)
_OF_MOMENT = re.compile(r"is paying off\b.*|(?:has|have) been (?:there|here) for (?:me|us)\b.*")
_MOOD_TIE = re.compile(
    r" (?:about|for|to|with|at|in|lately|now|today|and|these days|as well|too)\b.*"
)


@dataclass(frozen=True, slots=True)
class _Words:
    """The word lists of `resources/ontology/slight.toml`."""

    of_the_body: frozenset[str]
    said: frozenset[str]
    endings: frozenset[str]
    light: frozenset[str]


@lru_cache(maxsize=1)
def _words() -> _Words:
    with (resources_dir() / "ontology" / "slight.toml").open("rb") as file:
        return _Words(**{name: frozenset(v.split()) for name, v in tomllib.load(file).items()})


def is_owned(thing: list[str], value: str) -> bool:
    """Whether what stands behind "my" names a thing, and what is said of it outlasts the day.

    Args:
        thing: Its words in lower case, "my" left out.
        value: What is said of it, the verb first.
    """
    last, value, words = thing[-1], value.strip(), _words()
    if _NO_NOUN.fullmatch(last) or last in words.said:
        return False
    if {last, last.removesuffix("s")} & words.of_the_body and not _HARMED.search(value):
        return False
    if _OF_MOMENT.fullmatch(value):
        return False
    said = _BE.fullmatch(value)
    if said is None:  # a participle cut from what it belonged to: "kicked" of "kicked in"
        return len(value.split()) > 1 or value in words.endings
    how, more = said["how"].casefold(), said["more"] or ""
    felt = how in load_lists().felt_alone or how in load_lists().weighing
    lasting = how in load_lists().states
    return lasting or not felt or not (not more or _MOOD_TIE.fullmatch(more))


_HEAD = (
    r"(?:(?!(?:in|on|at|of|for|to|with|from|by|that|who|next|last|this|every)\b)[\w'’-]+ ){0,3}?"
)
# What happens and passes, of whatever kind: that there was one says nothing.
_PASSING = re.compile(
    rf"{_HEAD}(?:laughs?|week|weekend|day|month|morning|evening|setbacks?|letdown|incident|"
    r"experiences?|time|moments?|turnout|leads?|energy|chats?|talks?|conversation|"
    r"catch-up|break|breather|rest|nap|look|feedback|advice|tips?|reminder|thoughts?|surprise)"
    r"(?: (?:on my way|lately|recently|overall|together|today|yesterday|too|again|there|so far|"
    r"though|back then|as well)\b.*)?"
)
# What is felt or meant: whatever stands behind it is as little to hold.
_ABSTRACT = re.compile(
    rf"{_HEAD}(?:surge|mix|mixture|rush|wave|feeling|sense|energy|emotions?|vibes?|attitude|"
    r"mindset|comfort|effort|progress|push|boost|oomph|hope|strength|courage|peace|voice|hand|all|"
    r"news|hurdles|headway|glimpse|hang|best)"
    r"(?:,? (?:of|to|towards?|for|in|on|and|that|as|from)\b.*)?"
)
_TO_DO = re.compile(
    r"(?:a lot|lots|so much|much|plenty|time|some time|a moment|a minute|nothing|everything) to "
    r"(?:learn|reflect|think|do|say|share|tell|process|look forward|be grateful|relax|breathe)\b.*"
    r"|(?:ideas|inspiration|motivation) from everywhere|hard and\b.*"
)
_NAMES = re.compile(r"\b(?!I\b)[A-Z]\w+|\d")

# "I had to laugh", "we tried to stay calm": the verb behind "to" is what is told, and passes.
_AUXILIARY = re.compile(
    r"(?:had|tried|got|needed|chose|started|managed|(?:is|was)_(?:starting|trying|wanting|"
    r"beginning|needing|learning))_to"
)
_PASSES = re.compile(
    r"(?:(?:just|really|only|even|also|always) )?(?:try (?:to|my|our|and|hard)|"
    r"be (?:strong|patient|brave|careful|positive|honest)|share (?:it|this|that|with)|"
    r"say (?!goodbye)|admit|do (?:it|this|that|my best|our best)|let|smile|laugh|cry|reali[sz]e|"
    r"meet (?:some|new|many|a few)? ?people|think|remember|see (?:the|what|how|it|if)|"
    r"know (?:each other|what|how)|feel|"
    r"look (?:at|around|up|away|twice)|figure|wonder|notice|"
    r"stay (?:calm|positive|strong|focused|motivated)|"
    r"take (?:an?|the|some|this) (?:\w+ )?(?:pic|picture|photo|shot|snap|break|breather|moment|"
    r"look|step back|nap|deep breath))\b.*"
)
_AHEAD = re.compile(
    r"(?:see|find out|hear|know|learn)(?: more)?(?: (?:what|how|where|who|it|if|more|about it)\b.*|"
    r" the \w+)?|(?:share|show|tell)(?: \w+)?(?: with (?:my|the|some|our) \w+)?|"
    r"(?:(?:more|many|some|new|cool|great|happy|good|making|the) )+(?:memories|years|times|days|"
    r"adventures|things|moments|ones)"
)
# Figures of speech: who follows a dream tells nothing of what it is.
_FIGURE = re.compile(
    r"is_(?:following|chasing|living|pursuing|stepping_into|going_with|carrying_on|pushing|giving|"
    r"making|keeping|reaching_for|embracing|figuring_out|sorting_out|working_out|turning)"
)
_IDEAL = re.compile(
    r"(?:(?:my|our|own|true|best|big|all|the|every|new|out) )*(?:dreams?|ambitions?|goals?|"
    r"passions?|"
    r"unknown|self|life|fullest|details|things|stuff|voice|hopes?|journey|heart|moment|best|chance)"
    r"(?: (?:and|every|each|no matter|even|to the|right|as|by)\b.*)?"
)
_HARD = re.compile(r"(?:really |so |very |super )?(?:hard|well|out|great|fine|like|during)\b.*")
_CUT_NAME = re.compile(r".+_(?:on|up|in)_of|.+_(?:as|than)")


_KEEPS_ON = re.compile(r"\w+ing(?: (?:off|on|up|down|out|over|back|at it))?")


def why_slight(name: str, value: str) -> str:
    """Say why a property and its value tell nothing that lasts; "" when they may."""
    value = value.strip()
    if _CUT_NAME.fullmatch(name):
        return NO_PROPERTY
    if name in ("kept", "keeps") and _KEEPS_ON.fullmatch(value):
        return SLIGHT
    if name == "looks_forward_to":
        return SLIGHT if _AHEAD.fullmatch(value) else ""
    if name in ("is_working", "works", "is_doing"):
        return SLIGHT if _HARD.fullmatch(value) else ""
    if _AUXILIARY.fullmatch(name):
        return SLIGHT if _PASSES.fullmatch(value) and not _NAMES.search(value) else ""
    if name in _words().light and not _NAMES.search(value):
        passes = any(one.fullmatch(value) for one in (_PASSING, _ABSTRACT, _TO_DO))
        if passes:
            return SLIGHT
    return SLIGHT if _FIGURE.fullmatch(name) and _IDEAL.fullmatch(value) else ""
