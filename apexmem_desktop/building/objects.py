"""Where the object of an English clause ends: before the next clause, and not in a loose word.

"I joined a choir last week, and it is fun" tells of *a choir*. A list, "people who sing" and "a
shelter I help at" are whole objects; what was cut in its middle says something else. No model.
"""

import re

MOST_WORDS = 12

_END = re.compile(
    r"\s+[-–—]+\s*|(?<=\w)[-–]\s+(?!(?:and|or|to)\b)|--+|—|;|,(?!\s*(?:\w+,\s*)*(?:and|or)?\s*\w+(?:\s*$|,))"
    r"|,\s*(?:and|but|so|which|who|it|i|we|they|he|she|that|because|just|you|this|these|those)\b"
    r"|\s(?:but|because|['’]cause|cause(?= (?:i|we|it|they|he|she|you|there|my)\b)|while|when|"
    r"whenever|since|which|who|if|though|although|so|"
    r"where|"
    r"until|after|before|than|cuz|cos|(?<!stuff )(?<!things )like|how|what|why)\b"
    r"|\s(?:and|or)\s+(?:(?:eventually|finally|later)\s[a-z]+ed|(?:really|just|even)\s[a-z]+ing|hoping|thinking|wondering|wishing|i|we|it|they|he|she|my|our|now|am|it['’]s|that['’]s|this|been|have|had|"
    r"was|"
    r"is|there|you|[a-z]+ed|even|felt|hit|ate|spent|gave|saw|threw|read|drank|came|sat|sang|"
    r"found|went|got|made|took|saw|met|began|bought|built|led|left|ran|"
    r"won|wrote|looking|keep|gave|just|can|will|could)\b"
    r"|\s(?:and|or)\s+(?:the|some|all|most|everyone|people)(?:\s\w+)?\s(?:is|are|was|were|has|"
    r"have)\b"
    r"|\s(?:as|that)\s+(?:i|we|it|they|he|she|you|was|were|is|are|have|has|had|my|our)\b"
    r"|\s(?:it|they|he|she)(?:['’]s| is| was| were| are| have| has)\b",
    re.IGNORECASE,
)
# "A hard time with my shop, Jon": the one spoken to is called by name. "Lyon, France" keeps both.
_CALLED = re.compile(r"(?<!\S)[a-z][\w'’-]*(?P<name>,\s+[A-Z][a-z]+)$")
# "Looking at flats and picturing how …": what is pictured was cut off.
_HANGING = re.compile(r"\s(?:how|what|why|where|who|that)\b")
_LAST_DEED = re.compile(r"\s+(?:and|or)\s+\w+ing$")
_NEXT_CLAUSE = re.compile(
    r"\s*(?:and|but|so|which|who|it|i|we|they|he|she|that|because|just|you|this|these|those)\b",
    re.IGNORECASE,
)
# "Chilled by the lake, played cards": another deed. "Oats, butter and a jar of jam" is a list.
_NEXT_DEED = re.compile(
    r"\s*(?:and )?(?:[a-z]{2,}ed|went|had|ate|got|saw|took|made|did|came|ran|sang|swam|met|felt)\b"
)
_LIST = re.compile(
    r",\s*(?!(?:and|but|so|or|which|who|it|I|we|they|he|she|that|you|there|just|even|not|then|because|"
    r"is|are|was|were|has|have|like)\b)[\w'’-]+(?: [\w'’-]+){0,2},? and (?!(?:I|we|it|they|he|"
    r"she|my|"
    r"that|then|so|just|even|now|there|you)\b)[\w'’-]+"
)
_LAST_OF_LIST = re.compile(
    r",\s*(?:and|or) (?!(?:I|we|it|they|he|she|my|that|then|so|just|even|now|there|you|also)\b)"
    r"(?!\w+ed\b)[a-z'’-]+"
)
_LIST_BEGUN = re.compile(r"(?: [a-z]+ed)? (?:by|like|including|of|such as) \w+$")
_WHO = re.compile(
    r"(?:['’](?:ve|re|s|d))?\s+(?!(?:I|we|you|knows|said|told)\b)[\w'’-]+"
    r"(?: (?!who\b|because\b)[\w'’-]+){0,8}(?=\s*[.,!?;:)]|\s*$)"
)
_HOW_TO = re.compile(r"\s+to\b")
_TEACHES = re.compile(r"\b(?:teach\w*|learn\w*|show\w*|know\w*)(?: \w+)?$")
_ADJECTIVE_BEFORE = re.compile(r"\b(?:an?|the|such an?|some|these|my|our) [a-z]+$")
# What is too long is cut where a part of it ends, not in the middle of "to mend the roof".
_LAST_JOINT = re.compile(
    r"(?P<whole>\S+(?: \S+){2,}) (?:to|and|or|for|in|with|at|by|from|about|while|as|on) .*",
    re.DOTALL,
)
# "A convention together", "my studio more [than ever]": they belong to the verb.
_BESIDE = re.compile(
    r"^(?:(?:an?|the|some|this|that|my|our) .*\w|(?:\S+ ){2,}work)(?P<name>\s+(?:together|more))$"
)
# "A shelter I volunteer at" is whole.
_WORKS_AT = re.compile(
    r"\w (?:that |which )?(?:I|we) [a-z]+ (?:at|for|with|in|on|to)$|\bas (?:me|us)$"
    r"| with [\w -]+ (?:on|in) (?:it|them)$"
)
_WITHOUT = re.compile(r"\s+(?:on|of|with|in|about|for|to|from|at) (?:it|them)$")
_LOOSE_END = re.compile(
    r"(?:^|,?\s+)(?:honestly|no matter|btw|anyway|actually|guys|by the way|and|or|to|in|on|at|"
    r"for|with|about|"
    r"of|(?:that |which )?(?:i|we|you|they) (?:can|could|will|would|should|must)|"
    r"from|by|the|a|an|my|our|their|your|his|her|as|so|that|it|just|really|very|too|some|into|up|"
    r"then|there|here|again|not|though|yet|tbh|lol|haha|both|"
    r"(?:(?:a few|a couple of|several|many|one|two|three|four|five|six|seven|ten|\d+) )?"
    r"(?:days?|weeks?|weekends?|months?|years?) ago|to choose|recently|lately|nowadays|"
    r"these days|just to see|not (?:so|too|that) long ago|"
    r"the other day|a while (?:back|ago)|ago|also|been|against|through|me|while|now|soon|today|"
    r"yesterday|tonight|already|coming|last (?:week(?:end)?|month|year|night|summer|"
    r"spring|autumn|fall|winter)|"
    r"(?:last|on) (?:mon|tues|wednes|thurs|fri|satur|sun)(?:day)?)$",
    re.IGNORECASE,
)


def find_object(text: str, start: int, end: int) -> tuple[int, int]:
    """Find where the clause's object stands: before the next clause, and not in a loose word."""
    end = _first_stop(text, start, end)
    if _HANGING.match(text, end) and (last := _LAST_DEED.search(text[start:end])):
        end = start + last.start()
    start, end = _shortened(text, start, end)
    without = _WITHOUT.search(text[start:end])
    if without and not _WORKS_AT.search(text[start:end]):
        end = start + without.start()
    while (loose := _LOOSE_END.search(text[start:end])) and not _WORKS_AT.search(text[start:end]):
        end = start + loose.start()
    if called := _CALLED.search(text[start:end]) or _BESIDE.search(text[start:end]):
        end = start + called.start("name")
    while end > start and text[end - 1] in " ,'\"-“”" and not _closes(text[start:end]):
        end -= 1
    # 'The Mill' Trilogy loses none of its marks, "The Mill" all.
    while start < end and text[start] in "\"“'" and not re.search('["”]', text[start + 1 : end]):
        start += 1
    return start, end


def _shortened(text: str, start: int, end: int) -> tuple[int, int]:
    """Cut what is too long where a part of it ends; of a list that would be cut nothing is kept."""
    words = [(m.start(), m.end()) for m in re.finditer(r"\S+", text[start:end])]
    if words:
        end = start + words[min(len(words), MOST_WORDS) - 1][1]
        start += words[0][0]
    joint = _LAST_JOINT.match(text[start:end]) if len(words) > MOST_WORDS else None
    if joint is None:
        return start, end
    end = start + joint.end("whole")
    if (comma := text.find(",", start, end)) > start:  # the rest of a list was cut off
        end = comma
        if begun := _LIST_BEGUN.search(text[start:end]):
            end = start + begun.start()
    # "to stay" of "to stay on track", "that hung" of "that hung on the wall"
    if left := re.search(r"\s+(?:to|that|which|who) \w+$", text[start:end]):
        end = start + left.start()
    return start, end


def _closes(value: str) -> bool:
    """Whether the last mark closes words that are quoted within: a piece called "Winter"."""
    return value.endswith('"') and value.count('"') == 2 and not value.startswith('"')


def _first_stop(text: str, start: int, end: int) -> int:
    """Find the first end of an object ; the comma of "a safe, warm place" is none."""
    for stop in _END.finditer(text, start, end):
        if not _goes_on(text, start, stop):
            return stop.start()
    return end


def _goes_on(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether what looks like an object's end is none: adjectives, a list, "people who …"."""
    before, word = text[start : stop.start()], stop.group().strip().casefold()
    if word == ",":
        if _NEXT_DEED.match(text, stop.end()):
            return False
        if "," in before and _LAST_OF_LIST.match(text, stop.start()):
            return True
        if _NEXT_CLAUSE.match(text, stop.end()):
            return False
        return bool(_ADJECTIVE_BEFORE.search(before) or _LIST.match(text, stop.start()))
    if word == "who":
        theirs = _WHO.match(text, stop.end())
        return theirs is not None and len(text[start : theirs.end()].split()) <= MOST_WORDS
    return word == "how" and bool(_HOW_TO.match(text, stop.end()) and _TEACHES.search(before))
