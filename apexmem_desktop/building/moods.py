"""What a clause says of the speaker's own mind: feelings, thanks, needs, promises, what is shown.

"I'm determined to finish" is read as it stands; "it taught me to wait" tells of the speaker, who
*was taught* to wait. English only. No model.
"""

import re

from apexmem_desktop.building.standing import (
    ADVERBS,
    FEELS,
    MOST_WORDS,
    NEEDS,
    SHOWS,
    THINKS,
    Read,
    fits,
    load_lists,
)

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
_TOUCHING = "|".join(_TOUCHES)
_TOUCH = re.compile(
    r"(?:[Ii]t|[Tt]hat|[Tt]his|[Tt]hey|[Tt]hese|[Tt]hose|[Ww]hich|[Yy]our(?: [\w'’]+){1,4}"
    r"|(?!(?:\w+['’](?:ll|d)|I['’]m|I['’]ve|[Ww]e['’]re|I|"
    r"[Ww]e)\b)[A-Za-z][\w'’]*(?: (?!(?:that|which|who|will|would|could|might|may|"
    r"hope)\b)[\w'’]+){0,7})"
    rf"(?:['’]s)?\s+{ADVERBS}(?:helps? keep me|(?:has |have )?(?:also |really )?"
    rf"(?P<verb>{_TOUCHING})\s+(?:me|us))\s+(?P<value>(?!(?:and|or|but|together|closer|back|posted|"
    rf"updated)\b)(?!(?:feel|up|out|down|and|"
    r"more|laugh|smile|cry|a lot|so much|too|know|here)$)\S.+)"
)
_FEEL = re.compile(
    r"(?P<be>I['’]m feeling|I['’]ve been feeling|I['’]m|I am|I was|I feel|I felt|I['’]ve been|"
    rf"I have been|[Ww]e['’]re|[Ww]e are|[Ww]e were|"
    rf"[Ww]e felt)\s+(?P<value>{ADVERBS}(?P<mood>[a-z-]+)(?P<more>\s+.+)?)"
)
_FELT_LIKE = re.compile(r"I felt like (?P<value>(?:I|[Ww]e) (?:was|were|had|belonged|could) .+)")
NEED = re.compile(
    r"(?:(?:I|[Ww]e)\s+(?:really |just |still |also |do )*(?:need|could use)"
    r"|(?:I(?:['’]d| would)|[Ww]e(?:['’]d| would)) (?:really )?appreciate"
    r"|[Nn]eed(?= \w+ \w+ \w+[^,]*$)|(?:I['’]ve )?[Gg]otta(?= \w+ \w+ \w+))\s+"
    r"(?P<value>(?!to (?:go|run|say|see|hear|check)\b).+)"
)
AHEAD = re.compile(
    r"(?:(?:I|[Ww]e)\s+)?(?:just |really )?(?:(?:[Cc]an['’]?t|[Cc]annot) wait|(?<=I )(?:always |"
    r"really )*"
    r"look forward|(?<=[Ww]e )(?:always |really )*look forward|[Ll]ooking forward)\s+"
    r"(?:for|to|(?:['’]?til|until|till)(?= (?:my|our|the|I|we) ))\s+(?P<value>(?!the \w+$).+)"
)
_ADMIRES = re.compile(
    r"(?:(?:I['’]m|I am|[Ww]e['’]re) )?(?:(?:so|really|very|truly|super|always|just) )*"
    r"(?:[Pp]roud of (?:you for )?|[Ii]mpressed (?:by|with) |[Ii]n awe of |[Aa]mazed (?:by|at) |"
    r"(?:I )?(?:really |truly )?(?:admire|respect) )"
    r"(?P<value>(?:your|how you) .+|(?<=for )\w+ing .+)"
)
# "It's lovely to see you row for the crew", "your drive to help is amazing".
_SEES_YOU = re.compile(
    r"(?:(?:[Ii]t(?:['’]s| is| was|['’]s been) )?(?:(?:so|really|very|just|truly|always) )*(?:"
    r"great|awesome|amazing|inspiring|sweet|wonderful|lovely|impressive|incredible|heartwarming|"
    r"fantastic|moving|touching) to (?:[\w ]+ and )?(?:see|watch|hear about|know|hear) )"
    r"(?P<value>(?:how\b.{0,30}? you\b|your ).*|you(?= \w+ing) .+)"
)
_YOUR = re.compile(
    r"(?P<value>[Yy]our (?:[\w-]+ ){1,6}?[\w-]+) (?:is|are) (?:(?:so|really|truly|very|just|always|"
    r"such an?|totally|absolutely) )*(?:amazing|awesome|inspiring|inspirational|incredible|"
    r"impressive|admirable|contagious|remarkable|wonderful|infectious|inspiration)"
)
# "Your long practice will pay off": of the one spoken to, whose name it is given.
_PAYS = re.compile(
    r"[Yy]our (?:[\w-]+ ){1,5}(?:will|is gonna|is going to|['’]ll) (?:surely |definitely )?pay off"
)
_REMEMBERS = re.compile(
    r"I(?:['’]ll| will)? (?:(?:always|still|clearly|vividly|fondly) )*(?:remember|(?<=never )forget"
    r"|never forget) (?P<value>(?!to\b|that\b|when\b|you\b|your\b|how\b|what\b).+)"
)
# "Your kindness means the world": what ties the two who speak.
_BACKED = re.compile(
    r"(?:(?:I )?(?:really |truly |so )?appreciate )?(?P<value>your (?:[a-z]+ (?:and )?)?(?:support|"
    r"friendship|encouragement|belief|faith|kindness|companionship)(?: and [a-z]+| in me| in us)?)"
    r"(?:$|,? (?:really |truly |always |greatly )*(?:means?|is|are|keeps?|gives?|motivates?)\b.*)",
    re.IGNORECASE,
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
    r"(?:[Tt]hanks|[Tt]hank you)(?: so much| a lot| a bunch|"
    r" again)? for\s+(?P<value>[a-z]+ing\s+.+)"
)
_VALUES = re.compile(
    # Without "I" only these tell of the speaker: "Cherish the moments" is said to somebody.
    r"(?:(?:I|[Ww]e)\s+(?:really |truly |also |always |do |so )*(?:[Cc]herish|[Vv]alue|[Tt]reasure|"
    r"[Aa]dmire|[Rr]espect|appreciate|miss)"
    r"|(?:really |truly |always |so )*(?:[Aa]ppreciate|[Mm]iss))\s+(?:for\s+)?"
    r"(?P<value>.+)"
)
_WILL = re.compile(
    r"(?:I|[Ww]e)(?:['’]ll| will)\s+(?:definitely |always |just |also )*(?:be sure to )?"
    r"(?P<value>.+)"
)
_EMPTY_PROMISE = re.compile(
    r"keep (?:on )?going$|make it\b|(?:try|keep doing) (?:my|our) best$|.*\b(?:keep|give) you\b"
)
CANNOT = re.compile(
    r"(?:I|[Ww]e) (?:can['’]?t|cannot|couldn['’]?t) (?:really |even )?"
    r"(?P<value>(?=(?:eat|drink|have|drive|swim|find|sleep|afford|stand|use|live|picture|"
    r"work|stop thinking|handle|come|do without|tolerate|digest)\b).+)"
)
OFF = re.compile(r"(?:I['’]m|[Ww]e['’]re) off to (?:go )?(?P<value>.+)")


def read_touch(text: str) -> Read | None:
    """Read "it taught me to wait": the speaker *was taught* to wait."""
    match = _TOUCH.match(text)
    if match is None or re.match(r"(?:an?|some\w*) ", text, re.IGNORECASE):
        return None  # "a man gave me a plum"
    if match["verb"] and match.start("verb") > 0 and _VERB_FIRST.match(text):
        return None  # "Gives me hope and keeps me calm": what does, is left out
    if re.search(r"n['’]t\b|\bnot\b|\bnever\b", text):
        return None
    if re.fullmatch(r"(?:going|strong|busy|grounded)", match["value"]):
        return None
    if not fits(match["value"], 3 if (match["verb"] or "").startswith(("ma", "g")) else 1):
        return None
    if agent_is_named(match):
        return THINKS, THINKS, 0, len(text)
    return FEELS, touched_name(match), *match.span("value")


def touched_name(match: re.Match[str]) -> str:
    """Name how the speaker is touched: *is helped to* what is a deed."""
    name = _TOUCHES[match["verb"] or "keeps"]
    deed = match["value"].split()[0].casefold() in load_lists().imperatives | _DEEDS
    return f"{name}_to" if deed and name.endswith(("helped", "made", "allowed")) else name


def agent_is_named(match: re.Match[str]) -> bool:
    """Whether it stands in the clause what touches the speaker: "this quote kept me going"."""
    agent = match.string[: match.start("verb") if match["verb"] else match.start("value")]
    plain = _without_you(agent.strip())
    return (
        not _UNSAID_AGENT.match(agent)
        and fits(f"x {plain} x", 3)
        and fits(_without_you(match.string), 3)
    )


_VERB_FIRST = re.compile(rf"(?:{_TOUCHING})\b", re.IGNORECASE)
_UNSAID_AGENT = re.compile(
    r"(?:(?:it|that|this|they|these|those|he|she|which|and|so|plus|the \w+)\b|\w+['’]s\s*$)",
    re.IGNORECASE,
)
_DEEDS = frozenset(
    [
        "feel",
        "realize",
        "realise",
        "appreciate",
        "express",
        "understand",
        "accept",
        "grow",
        "remember",
        "recognize",
        "relax",
        "reset",
        "recharge",
        "get",
        "show",
    ]
)


def read_feeling(text: str) -> Read | None:
    """Read "I'm determined to finish": what somebody feels or is set on."""
    like = _FELT_LIKE.match(text)
    if like and fits(like["value"], 4):
        return FEELS, "felt_like", *like.span("value")
    match = _FEEL.fullmatch(text)
    if match is None:
        return None
    lists, mood, more = load_lists(), match["mood"], match["more"] or ""
    if mood == "getting" and more:  # "I've been getting so anxious": how it has become
        return _grown(match)
    set_on = mood in ("ready", "willing", "prepared", "down") and more.startswith(" to ")
    if (mood in lists.never_felt and not set_on) or mood.endswith("ing"):
        return None
    alone = mood in (lists.felt_alone if more else lists.states)
    joined = re.match(r"\s+(?:to|about|with|of|for|by|that|and|in|at|being|seeing|\w+ing)\b", more)
    if not (
        alone or set_on or (joined and mood.endswith(("ed", "ful", "y", "ous", "nt", "ive", "le")))
    ):
        return None
    telling = re.match(r"\s+to (?:tell|see|hear|share|let|show)\b", more)
    value = match["value"] if telling else _without_you(match["value"])
    if not fits(value, 1 if alone and not more else 2):
        return None
    return FEELS, FEELS, *match.span("value")


def _grown(match: re.Match[str]) -> Read | None:
    inner = re.match(rf"\s+{ADVERBS}(?P<mood>[a-z]+)(?P<rest>.*)", match["more"])
    if inner is None or inner["mood"] not in load_lists().felt_alone or not fits(match["value"]):
        return None
    return FEELS, FEELS, *match.span("value")


def read_thanked(text: str) -> Read | None:
    """Read "thanks for minding the shop"; "thanks for the tip" says too little."""
    match = _THANKS.match(text)
    if match and re.search(r"\b(?:this|that|it|there)\b(?! \w+ \w)", match["value"]):
        return None
    if match is None or not 2 <= len(match["value"].split()) <= MOST_WORDS:
        return None
    return FEELS, "thanks_for", *match.span("value")


def read_valued(text: str) -> Read | None:
    """Read "I cherish Sundays at the mill": what somebody sets store by."""
    match = _VALUES.match(text)
    backed = _BACKED.match(text)
    if backed is not None:
        return "values", "values", *backed.span("value")
    if match and re.fullmatch(r"the (?:kind )?\w+", match["value"], re.IGNORECASE):
        return None  # "I appreciate the offer": of which one?
    plain = re.sub(r"\byour\b\s*", "", match["value"]) if match else ""
    if match is None or not fits(f"x {plain}", 2):
        return None
    if plain != match["value"] and len(plain.split()) < 3:  # "your help": with what is not said
        return None
    return "values", "misses" if "iss " in match.group()[:9] else "values", *match.span("value")


def read_admired(text: str) -> Read | None:
    """Read "I'm proud of you for keeping calm": what somebody admires in the one spoken to."""
    if _PAYS.fullmatch(text):
        return THINKS, THINKS, 0, len(text)
    match = _ADMIRES.match(text) or _SEES_YOU.fullmatch(text) or _YOUR.fullmatch(text)
    if match is None or not 3 <= len(match["value"].split()) <= MOST_WORDS:
        return None
    plain = re.sub(r"\b(?:you|your|yourself)\b", "", match["value"], flags=re.IGNORECASE)
    return (FEELS, "admires", *match.span("value")) if fits(f"x {plain}", 3) else None


_STANDS_BY = re.compile(
    r"(?:I['’]m|I am|I['’]ll|I will)(?: always| also)?(?: be)?(?: right| always)? (?:here|there) "
    r"(?:for|to (?:support|help)) (?P<value>you)(?: (?:always|no matter what|anytime|too|"
    r"all the way|"
    r"if you need .+|whenever .+))?"
)


def read_stands_by(text: str) -> Read | None:
    """Read "I'm here for you": whom somebody supports; "you" is given its name later."""
    match = _STANDS_BY.fullmatch(text)
    return None if match is None else ("values", "supports", *match.span("value"))


def read_remembered(text: str) -> Read | None:
    """Read "I'll never forget the day that the dam broke"."""
    match = _REMEMBERS.match(text)
    if match is None or not fits(f"x {match['value']}", 4):
        return None
    return FEELS, "remembers", *match.span("value")


def read_needed(text: str) -> Read | None:
    """Read "I need a bigger kiln"; of "your help with the kiln" the one spoken to is meant."""
    match = NEED.match(text)
    if match is None or not fits(_without_you(match["value"]), 2):
        return None
    plain = _without_you(match["value"])
    if plain != match["value"] and len(plain.split()) < 4:
        return None
    return NEEDS, NEEDS, *match.span("value")


def _without_you(value: str) -> str:
    return re.sub(r"\b(?:you|your|yourself)\b\s*", "", value, flags=re.IGNORECASE)


def read_shown(text: str) -> Read | None:
    """Read "here's a photo of the barn"."""
    match = _SHOW.match(text)
    if match is None or not _PICTURE.search(match["value"]) or not fits(match["value"], 3):
        return None
    return SHOWS, SHOWS, *match.span("value")


def read_promise(text: str) -> Read | None:
    """Read "I'll keep training for the regatta"."""
    match = _WILL.match(text)
    if match is None or _EMPTY_PROMISE.match(match["value"]):
        return None
    if match["value"].split()[0] not in load_lists().promised:
        return None
    # "Watch your play": the one spoken to is meant, and known.
    plain = _without_you(match["value"])
    least = 3 if plain == match["value"] else 2
    return ("plans", "plans", *match.span("value")) if fits(plain, least) else None
