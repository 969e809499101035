"""What stands before a clause and takes it back, or gives it to somebody else.

"I dreamt I moved to Oslo", "I never said I like olives", "Ben said: I moved to Oslo" tell nothing
of the speaker. Who knows of it may tell it: "my doctor says I have asthma".
"""

import re

_MOST_CHARS = 60
_SAYS = r"(?:says?|said|thinks?|thought|claims?|claimed|believes?|believed|assumed?)"
_CHINESE = (
    r"(?:[梦夢](?:见|見|到)|假装|假裝|以为|以為|幻想|想象|想像|[没沒](?:说|說)|[谁誰](?:说|說)|[听聽](?:说|說)"
    r"|据说|據說|[说說]是|(?:游戏|遊戲|电影|電影|小说|小說|剧|劇|[梦夢]|故事)(?:里|裡|中))"
)
_WITHIN = re.compile(_CHINESE)
_TAKES_BACK = re.compile(
    r"(?:(?i:\b(?:dream(?:t|ed|s|ing)?|imagin\w+|pretend\w*|untrue|a lie|rumou?rs?|suppos\w+"
    r"|(?:not|n['’]t) true|let['’]?s say|(?:I|we) (?:look|feel|felt|sound)(?:ed)? like"
    r"|as if|as though"
    r"|in (?:the|my|our|this|that|a) (?:\w+ )?(?:game|film|movie|book|novel|story|play|show|dream))"
    r"|(?:\b(?:not|never|cannot)|n['’]t) (?:\w+ )?"
    r"(?:say|said|think|thought|believed?|claim(?:ed)?)"
    rf"|\b(?:people|they|he|she|everybody|everyone|somebody|someone) (?:\w+ )?{_SAYS}"
    r"|(?<!\bI )\b(?:says?|said|wrote|texted|replied|goes|was like|told (?:me|us)):)"
    rf"|\b[A-ZÀ-Þ][\w'’-]+ (?:wrote|{_SAYS})"
    r")(?:,? that)?,? *\Z"
    rf"|{_CHINESE}[过過了]?[,，：:]?\Z"
)


def is_taken_back(text: str, at: int) -> bool:
    """Tell whether what begins there is not said to be so, or not of the speaker."""
    return _TAKES_BACK.search(text[max(0, at - _MOST_CHARS) : at]) is not None


def is_unreal(words: str) -> bool:
    """Tell whether words of a clause itself take it back: 我梦见我搬到, 我在游戏里养了."""
    return _WITHIN.search(words) is not None
