"""What stands before a clause and takes it back, or gives it to somebody else.

"I dreamt I moved to Oslo", "I never said I like olives", "Ben said: I moved to Oslo" tell nothing
of the speaker. Who knows of it may tell it: "my doctor says I have asthma".
"""

import re

_MOST_CHARS = 60
_SAYS = r"(?:says?|said|thinks?|thought|claims?|claimed|believes?|believed|assumed?)"
_TAKES_BACK = re.compile(
    r"(?:(?i:\b(?:dream(?:t|ed|s|ing)?|imagin\w+|pretend\w*|untrue|a lie|rumou?rs?|suppos\w+"
    r"|(?:not|n['’]t) true|let['’]?s say|(?:look|feel|sound)(?:s|ed)? like|felt like"
    r"|as if|as though"
    r"|in (?:the|my|our|this|that|a) (?:\w+ )?(?:game|film|movie|book|novel|story|play|show|dream))"
    r"|(?:\b(?:not|never|cannot)|n['’]t) (?:\w+ )?"
    r"(?:say|said|think|thought|believed?|claim(?:ed)?)"
    rf"|\b(?:people|they|he|she|everybody|everyone|somebody|someone) (?:\w+ )?{_SAYS}"
    r"|\b(?:says?|said|wrote|texted|replied|goes|was like|told (?:me|us)):)"
    rf"|\b[A-ZÀ-Þ][\w'’-]+ (?:wrote|{_SAYS})"
    r")(?:,? that)?,? *\Z"
)


def is_taken_back(text: str, at: int) -> bool:
    """Tell whether what begins there is not said to be so, or not of the speaker."""
    return _TAKES_BACK.search(text[max(0, at - _MOST_CHARS) : at]) is not None
