"""What a clause says of the world: an opinion, something that is so, a piece of advice.

"Rowing at dawn is so calming" is an opinion; the clause itself is its value, so that nothing
is put into other words: *thinks · Rowing at dawn is so calming*. English only. No model.
"""

import re

from apexmem_desktop.building.standing import (
    ADVERBS,
    ADVISES,
    MOST_CHARS,
    MOST_WORDS,
    THINKS,
    Read,
    fits,
    load_lists,
    named_by_itself,
)

_ABOUT_NOTHING = re.compile(
    r"(?:thanks?|congrats|congratulations|sounds?|looks?|glad|hope|hoping|wish|wow|nice|great|"
    r"good|"
    r"best|any|what|who|how|why|where|when|there|here|hearing|seeing you|no|nothing|anything|"
    r"everything|something|someone|somebody|everybody|not|just|only|even|more|much|few|"
    r"both|another|other|each|such|so|too|very|really|can|could|will|would|should|do|does|did|"
    r"is|are|was|were|have|has|had|been|being|got|get|to|in|on|at|for|with|of|from|by|about|as|"
    r"than|like|or|no|nobody|everyone|everybody|sorry|if|then|guess|let|let['’]s|gonna|gotta|wanna|still|never|ever|maybe|perhaps|"
    r"yesterday|today|tonight|tomorrow|last (?:night|week|month)|"
    r"some|the (?:worst|best|hardest|other|rest|first|last|same)(?: part| thing)? (?:is|was)|"
    r"hard work|way|pleasure|kudos|cheers|life['’]s good|time|times|day|please|same|"
    r"(?:the|my) (?:pleasure|way|name|fact|thing|best part))\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:I|you|it|he|she|we|they|this|that|these|those|there|who|how|what|which|y['’]all|u|me|him|"
    r"her|them|us)\b|\b\w+['’](?:m|re|ve|ll|d)\b",
    re.IGNORECASE,
)
_GERUND = re.compile(
    r"(?!(?:being|having|hearing|seeing you|going|everything|something|nothing|anything|during|"
    r"hoping|thinking|wishing|looking forward|sounding|morning|evening|according)\b)"
    r"[A-Za-z]{2,}in[g'’]\b.{0,90}? (?:is|are|was|has been|can be|has|have|can|will|matters?|"
    r"takes?|took|brightens?|brightened|boosts?|boosted|lifts?|lifted|relaxes|helps?|helped|makes?|made|gives?|gave|brings?|brought|means?|meant|keeps?|kept|"
    r"requires?|feels?|felt|inspires?|motivates?|taught|teaches|reminds|changed|lets?|"
    r"(?<!in )needs?)\b.*"
    r"|(?!(?:hearing|seeing you)\b)[A-Za-z]{2,}in[g'’](?: [\w'’]+){1,8}['’]s (?:an?|the|so|"
    r"really|"
    r"very|always|hard|tough|great|important|key)\b.*"
)
_OURS = re.compile(
    r"[Ww]e (?:all |both )?(?:really )?(?:should|can|must|need to|have to|"
    r"deserve) (?!do\b)\w+ \w+ \w+"
)
_LOOKS = re.compile(r"^(?:the|those|these)\s+\w+(?: \w+)? looks?\b", re.IGNORECASE)
FINDS = re.compile(
    r"[Ii]t(?:['’]s been|['’]s|\s+(?:is|was|has been|feels?|felt))\s+"
    rf"(?!(?:[a-z]+\s+)?(?:not|never|hardly)\s){ADVERBS}"
    r"(?P<value>(?!.*\band (?:reminded|made|taught|gave|showed|helped|inspired) (?:me|us)\b)"
    r"(?:(?:an?|such an?)\s+(?:[a-z-]+\s+)?(?:dream|pleasure|joy|honou?r|privilege|"
    r"challenge|relief|blessing|shame|struggle|treat|thrill|delight|bummer|habit)\s+"
    r"|(?!(?:so|really|very|super|pretty|quite|too|just|also|all|even|been|like|an?|such|about|"
    r"time|only|true|untrue|false|clear|possible|likely)\b|\w+ing and\b)"
    r"[a-z-]+\s+(?:and (?!\w+ed\b)[a-z-]+\s+)?)"
    r"(?:for (?:me|us)\s+)?(?!(?<=easy )to \w+(?: \w+)?$)"
    r"(?!to (?:talk|chat|catch up|meet up)\b)(?:(?:to|how|what)\s+\S+|that (?:I|we|"
    r"my|our)|(?:I|we) (?:can|get|have|got|both|all)"
    r"|[a-z]+ing)\s+(?!(?:to|for|with|of|at|on|in)$)\S.*)"
)
MEANS = re.compile(
    r"[Ii]t (?:means|meant) (?:so much|a lot|the world)(?: to me)? (?P<value>to (?!me$|us$).+)"
)
_SURE = re.compile(
    r"(?:I|[Ww]e)(?:['’]m| am|['’]re|['’]ve| have)?\s+(?:really |truly |firmly |still |also |"
    r"just )*(?:sure|"
    r"certain|"
    r"convinced|confident|believe|think|feel like|know|find|found|realized|realised|learned|"
    r"learnt|figure|guess)\s+(?:that\s+)?(?=\S)"
)
_REMEMBER = re.compile(
    r"(?:(?:[Jj]ust )?(?:[Rr]emember|[Dd]on['’]t forget|[Kk]now)(?: that)?|"
    r"[Mm]y advice:?)\s+(?=\S)"
)
HOPES = re.compile(
    r"(?:(?:I|[Ww]e)(?:['’]m| am|['’]re| are)? )?(?:[Hh]ope|[Hh]oping) (?:that )?"
    r"(?P<value>(?:my|our|I|we|the) .+)"
)
_ADVISES_YOU = re.compile(
    r"[Yy]ou (?:can|could|should|might want to|may want to|need to|have to) (?:also |always |"
    r"just )?"
    r"(?P<value>(?!(?:always |get to|do|be|tell|see|imagine|say|count|make|rely)\b).+)"
)
# "My new thing is fencing, started in spring": two clauses, of which the second is not read yet.
_RUNS_ON = re.compile(
    r"^an? .* (?:gave|made|brought|took|told|helped) "
    r"|,\s+(?:\w+ed|began|took|went|got|had|came|made|been|have|has)\b"
)
_SMALL_TALK = re.compile(
    r"\b(?:weather|rain|rainy|sunny|traffic|bus|train|queue|wifi|late|again)\b", re.IGNORECASE
)
# "The event was awesome", "helping out like that": of what was told before.
_UNNAMED = re.compile(
    r"^(?:the|those|these) \w+(?:['’]s| is| was| were| are| looks?| looked)(?: \w+){1,3}$"
    r"|\blike (?:this|that|these|those)\b(?! \w+ (?:is|are|was|make)\b)",
    re.IGNORECASE,
)
# "A car ran into us": what happened, and no view of it.
_HAPPENED = re.compile(
    r"^(?:(?:an?|the|my|our|some|one|two) )?[\w'’-]+(?: [\w'’-]+)? (?:ran|went|came|got|opened|"
    r"held|hosted|threw|launched|organi[sz]ed|"
    r"closed|"
    r"started|ended|began|turned|moved|won|happened|hit|broke|fell|stopped|arrived|left)\b",
    re.IGNORECASE,
)
_OF_ME = re.compile(
    r"(?:['’]s|\b(?:is|are|was|were|been|become|for|to))\b.* (?:me|my|mine|myself)\b"
)
_OF_MANNERS = re.compile(
    r"(?:keep (?:me|us|you|it|on|up|going$|doing what)\b|let me|tell me|give me|ask me|call me|"
    r"stay (?:safe|tuned|in touch)|write me|"
    r"let['’]?s (?:keep (?:each other|it) going|say|see|hope|face it|be honest)|"
    r"have (?:a|fun)|"
    r"take (?:care|your time)|do (?:it|let|keep|tell)|go (?:for it|you|ahead)|make sure\b.* know|"
    r"don['’]t (?:worry|mention|sweat|be silly)|enjoy(?: it| your|$)|rest well|look at|"
    r"think (?:so|about it)|get (?:well|some rest))",
    re.IGNORECASE,
)
# "Stay motivated and rested": behind an order these are no verbs.
_FELT = frozenset({"motivated", "inspired", "supported", "moved"})
_ANY_NOT = re.compile(r"(?:do not|don['’]t)\b", re.IGNORECASE)
_DO_NOT = re.compile(
    r"(?:do not|don['’]t) (?:forget to|give up|be (?:afraid|scared)|hesitate|let|stop|quit)\b",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"[Tt]here(?: are| was| were| will be) (?P<value>(?!(?:no|not|so|nothing|"
    r"something|always)\b).+)"
)


def read_opinion(text: str, *, believed: bool = False) -> Read | None:
    """Read "Beeswax makes good candles" and "Restoring the harp has been tricky"."""
    there = _THERE.match(text)
    if there and fits(there["value"], 5):
        return THINKS, "says", 0, len(text)
    if re.match(r"(?:do not|don['’]t)\b", text, re.IGNORECASE):
        return None  # an order
    if _RUNS_ON.search(text) or _SMALL_TALK.search(text) or _UNNAMED.search(text):
        return None
    if not fits(text, 3) or _ABOUT_NOTHING.match(text) or _LOOKS.search(text):
        return None
    if not believed and _THERE.match(text) is None and not _weighs(text):
        return None
    gerund = _GERUND.fullmatch(text)
    if gerund or _states(text) or _OURS.match(text):
        return THINKS, "says" if _HAPPENED.search(text) else THINKS, 0, len(text)
    return None


def _weighs(text: str) -> bool:
    """Whether a clause says how something is to the speaker, or tells of what is the speaker's.

    "The cat has gone to bed" and "Jo is not angry" are said of a moment, and are no view.
    """
    if re.match(r"(?:my|our) ", text, re.IGNORECASE) or _OURS.match(text) or _HAPPENED.match(text):
        return True
    text = text.split(", only ")[0].removesuffix(" without me")
    if _OF_ME.search(text) or _GERUND.fullmatch(text):
        return True
    words = {word.strip(",.'\"").casefold() for word in text.split()[1:]}
    return not words.isdisjoint(load_lists().weighing)


def _states(text: str) -> bool:
    """Whether a clause has a subject of its own, then a verb, then something said of it."""
    words = text.split()
    for at, word in enumerate(words[:9]):
        bare = word.casefold().strip(",'\"").replace("’", "'")
        verb = bare in load_lists().verbs or (bare.endswith(("'s", "'re")) and _is_said(words, at))
        if verb:
            if at == 1 and words[0][:1].isupper() and bare in load_lists().deeds:
                return False  # "Mira closed the window" is no view
            subject = " ".join([*words[:at], *([bare.split("'")[0]] if "'" in bare else [])])
            subject = named_by_itself(subject)
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


def read_embedded(text: str) -> Read | None:
    """Read what stands behind "I believe that" or "just remember that"."""
    for opening in (_SURE, _REMEMBER):
        match = opening.match(text)
        inner = text[match.end() :] if match else ""
        if match and inner:
            read = read_opinion(inner, believed=opening is _SURE) or (
                read_advice(inner) if opening is _REMEMBER else None
            )
            if read:
                shape, name, start, end = read
                return shape, name, start + match.end(), end + match.end()
    return None


def read_told_you(text: str) -> Read | None:
    """Read "you should soak the beans first"; the "you" in it is the one advised."""
    match = _ADVISES_YOU.match(text)
    plain = re.sub(r"\b(?:yourself|your|you(?:['’]re)?)\b", "", match["value"]) if match else ""
    if match is None:
        return None
    start, end = match.span("value")
    if not fits(plain, 3):  # "use oil or butter, and make sure that …": the first piece alone
        end = text.find(", and ", start)
        first = re.sub(r"\b(?:yourself|your|you)\b", "", text[start:end]) if end > 0 else ""
        if not fits(first, 4):
            return None
    return ADVISES, ADVISES, start, end


_OF_YOU = re.compile(
    r"[Yy]ou(?:['’]re| are|['’]ve always been|['’]ve been)\s+(?:(?:such|an?|the|my|so|really|"
    r"truly|very|"
    r"always|just|definitely|also|super|incredibly|most|quite) )*(?P<what>.+)"
)
_TRAIT = (
    r"(?:brave|strong|inspiring|kind|caring|talented|creative|passionate|dedicated|generous|thoughtful|"
    r"resilient|hard-?working|supportive|compassionate|adaptable|skilled|gifted|determined|courageous|"
    r"patient|loyal|reliable|wise|funny|encouraging|selfless|helpful|loving)"
)
_TRAITS = re.compile(
    rf"(?:{_TRAIT}\b.*|(?:(?:great|awesome|amazing|good|wonderful|true|fantastic|perfect|real|dear|"
    rf"best|natural|big|huge|{_TRAIT}) )*(?:friend|person|mother|mom|mum|dad|father|parent|"
    rf"artist|writer|"
    r"dancer|teacher|mentor|role model|cook|chef|baker|inspiration|guide|listener|leader|coach|"
    r"supporter|influence)\b.*)",
    re.IGNORECASE,
)


_ORDER_BEHIND = re.compile(r"\band (?:keep|go|stay|never|don['’]t|you|it|that|I|we)\b")


def read_of_you(text: str) -> Read | None:
    """Read "You're so kind to bake for us": what the speaker thinks of the one spoken to."""
    match = _OF_YOU.fullmatch(text)
    if match is None or _TRAITS.fullmatch(match["what"]) is None:
        return None
    if _ORDER_BEHIND.search(text):
        return None
    plain = re.sub(r"\b(?:your|yourself)\b", "", match["what"])
    if re.search(r"\bnot\b|n['’]t\b", text) or not fits(f"x {plain}", 2):
        return None
    return THINKS, THINKS, 0, len(text)


_URGED = re.compile(r"[Kk]eep (?:going|it up) (?:and|for|towards?|after) \w+ \w+")


def read_urged(text: str) -> Read | None:
    """Read "Keep going and make it a shop": it begins as praise does, and advises all the same."""
    return read_advice(text) if _URGED.match(text) else None


def read_advice(text: str) -> Read | None:
    """Read an order or a piece of advice: "Gather the papers before you apply"."""
    words = text.split()
    first = words[0].casefold()
    if first in ("never", "always", "just") and len(words) > 1:
        first = words[1].casefold()
    asks = (first in load_lists().imperatives and not _ANY_NOT.match(text)) or _DO_NOT.match(text)
    if _OF_MANNERS.match(text):
        return None
    least = 5 if first.startswith("let") else 4 if first.startswith("do") and first != "do" else 3
    if not asks or not least <= len(words) <= MOST_WORDS or len(text) > MOST_CHARS:
        return None
    plain = re.sub(
        r"\b(?:yourself|your|(?<=what )you|(?<=as )you|(?<=why )you|(?<=how )you|"
        r"(?<=stop )you|(?<=bring )you|(?<=hold )you|(?<=knowing )you(?:['’]ve|['’]re)?)\b",
        "",
        text,
        flags=re.IGNORECASE,
    )
    as_noun = words[1].casefold() in load_lists().verbs - _FELT and not first.startswith("let")
    if not fits(f"x {plain}", 3) or as_noun:
        return None
    name = "suggests" if first.startswith("let") else ADVISES
    return ADVISES, name, 0, len(text)
