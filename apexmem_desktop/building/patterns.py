"""Sayings that leave no doubt, read by pattern; the patterns are data in `resources/ontology`.

A pattern costs no model time and does not invent, so it goes first. What it misses is left to the
model, which is asked only about sentences in which a property's cue stands.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.confidence import BY_PATTERN
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.statements import Sentence
from apexmem_desktop.building.taken_back import is_taken_back, is_unreal
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.turn import Turn

# How often a pattern's reading was right on the labelled samples; see docs/quality.md.

RELATIONS = {
    "sister": "sibling", "brother": "sibling", "twin": "sibling",
    "mum": "parent", "mom": "parent", "mother": "parent", "dad": "parent", "father": "parent",
    "son": "child", "daughter": "child", "kid": "child",
    "husband": "partner", "wife": "partner", "boyfriend": "partner", "girlfriend": "partner",
    "partner": "partner", "fiancé": "partner", "fiancée": "partner",
    "friend": "friend", "mate": "friend", "boss": "boss", "colleague": "colleague",
    "flatmate": "flatmate", "roommate": "flatmate", "housemate": "flatmate",
    "stepmum": "parent", "stepmom": "parent", "stepmother": "parent", "stepdad": "parent",
    "stepfather": "parent", "stepsister": "sibling", "stepbrother": "sibling",
    "sister-in-law": "relative", "brother-in-law": "relative", "mother-in-law": "relative",
    "father-in-law": "relative", "neighbour": "neighbour", "neighbor": "neighbour",
    "grandson": "grandchild", "granddaughter": "grandchild", "ex-husband": "former_partner",
    "ex-wife": "former_partner", "ex-boyfriend": "former_partner",
    "ex-girlfriend": "former_partner", "coworker": "colleague",
    "cousin": "relative", "aunt": "relative", "uncle": "relative", "nephew": "relative",
    "niece": "relative", "grandma": "relative", "grandpa": "relative",
    "grandmother": "relative", "grandfather": "relative",
    "姐姐": "sibling", "妹妹": "sibling", "哥哥": "sibling", "弟弟": "sibling",
    "妈妈": "parent", "爸爸": "parent", "表哥": "relative", "表姐": "relative",
    "表弟": "relative", "表妹": "relative", "室友": "flatmate", "同事": "colleague",
    "姐": "sibling", "妹": "sibling", "哥": "sibling", "弟": "sibling",
    "妈": "parent", "爸": "parent", "老公": "partner", "老婆": "partner",
    "男朋友": "partner", "女朋友": "partner", "儿子": "child", "女儿": "child",
    "奶奶": "relative", "爷爷": "relative", "外婆": "relative", "外公": "relative",
    "姥姥": "relative", "姥爷": "relative", "舅舅": "relative", "姑姑": "relative",
    "父亲": "parent", "母亲": "parent", "媳妇": "partner", "丈夫": "partner", "妻子": "partner",
    "男友": "partner", "女友": "partner", "嫂子": "relative", "姐夫": "relative",
    "妹夫": "relative", "婆婆": "relative", "公公": "relative", "岳父": "relative",
    "岳母": "relative", "堂哥": "relative", "堂姐": "relative", "堂弟": "relative",
    "堂妹": "relative", "孙子": "grandchild", "孙女": "grandchild", "前夫": "former_partner",
    "前妻": "former_partner", "前男友": "former_partner", "前女友": "former_partner",
}  # fmt: skip

_CONJUNCTION = "Since|Because|Although|Though|After|Before|While|When|Whenever|Once|Until|Unless|If"
_WORD = (
    rf"(?!(?:{_CONJUNCTION})\b)[A-ZÀ-Þ](?:[\w-]|['’](?!s\b|m\b|ve\b|d\b|ll\b|re\b)){{0,39}}(?<!-)"
)
_NAME = rf"{_WORD}(?:(?: &| of| de| la| van| von| der)? (?:(?!I\b){_WORD}|\d+[Kk]?\b)){{0,7}}"
_NOT_A_NAME = frozenset(
    word
    for line in (
        "i i'm im we he she it they you my our his her their the a an and but so if that this",
        "what when how who why yes no ok okay oh hey hi haha lol then now not also still today",
        "yesterday tomorrow monday tuesday wednesday thursday friday saturday sunday january",
        "february march april may june july august september october november december well",
        "just maybe because omg wow everyone everybody nobody someone somebody anyone anybody",
        "people some most all both one there here these those which whoever nothing everything",
        "something",
    )
    for word in line.split()
)
_STOP_BEFORE = (
    r"and|but|because|since|so|for|with|when|while|now|again|too|anymore|any more|last|yesterday|"
    r"today|tomorrow|is|are|was|were|am|how|what|up|btw|lol|haha|tbh|though|until|after|before|"
    r"at|in|on|from|this|these|every|who|which|that|as|if|or|instead|already|yet|afterwards"
)
_END = (
    r"(?=\s*(?:[.,;:!?()…—–\n]|-\s|$|[^\w\s'’&-])"
    rf"|\s+(?i:{_STOP_BEFORE}|two|three|a (?:week|month|year|fortnight|couple|few))\b)"
)
_THING = rf"(?:(?!(?i:{_STOP_BEFORE})\b)[\w'’&-]+)(?: (?!(?i:{_STOP_BEFORE})\b)[\w'’&-]+){{0,4}}?"
_ADVERBS = (
    r"(?i:(?:(?:now|just|finally|still|recently|actually|currently|officially|also|already|only|really|"
    r"probably|definitely|never|always|both|even|first|today|yesterday|maybe|honestly|simply) )*)"
)
_NEVER = re.compile(r"\bnever\b", re.IGNORECASE)
_RELATION_WORDS = "|".join(sorted((r for r in RELATIONS if r[0].isascii()), key=len, reverse=True))
# Not "I'd" and "I'll": what would or will be is not so.
_SELF = r"(?:\b[Ii]|\bI(?:'|’)(?:m|ve))"
_MINE = (
    r"\b[Mm]y (?:(?:little|big|older|younger|twin|best) )?"
    rf"(?:{_RELATION_WORDS}),?(?: {_NAME})?"
)
_MONTHS = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_HAN = r"[\u4e00-\u9fffA-Za-z0-9·]"
CHINESE_RELATIONS = "|".join(
    sorted((r for r in RELATIONS if not r[0].isascii()), key=len, reverse=True)
)
_CHINESE_PEOPLE = "朋友|同学|老师|老板|领导|邻居|闺蜜|家人|叔叔|阿姨"
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁"
    "任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔"
)
CHINESE_NAME = (
    "(?!程序|高中|高管|金融|方案|石头|马上|白天|许多|万一|莫名|常常|龙虾|夏天|黄金|黄昏|毛病|时候|老师|史)"
    rf"[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?"
    r"(?=$|[,，。!！、；\s]|[对在是也住刚今昨上下说的和要会有去来搬不])"
)
# What may stand between "我" and what was done: a time, not a "not", a wish or somebody else.
_CHINESE_GAP = (
    "(?:(?!没|不|别|想|他|她|你|谁|打算|准备|计划|要是|如果|希望|可能|差点|以前|曾经|之前|原来"
    rf"|{CHINESE_RELATIONS}|{_CHINESE_PEOPLE})[^,，。!！?？、；])"
)
# What ends a Chinese sentence is no part of its last word.
_PARTICLES = re.compile(r"(?<=[\u4e00-\u9fff]{2})(?:了|[啊呀吧呢哦啦嘛哈喔])+$")
_PARTS = {
    "{who}": rf"(?P<who>{_SELF}|{_MINE}|\b{_NAME})",
    "{who2}": rf"(?P<who2>{_SELF}|{_MINE}|\b{_NAME})",
    "{is}": rf"(?P<who>{_SELF}|\b[Ww]e|{_MINE}|\b{_NAME})(?: am| is| are|['’](?:m|s|re))",
    "{become}": rf"(?P<who>{_SELF}|{_MINE}|\b{_NAME})"
    r"(?: am| is|['’](?:m|s)|(?: have| has|['’](?:ve|s))? been| went| turned| became)",
    "{tail}": r"(?=\s*(?:[.,;:!?()…—–\n]|-\s|$)|\s+(?i:because|but|so|since|if|while)\b"
    r"|\s+and (?:[Ii]|[Ww]e|it)\b)",
    "{Name1}": rf"(?P<who>\b{_NAME})",
    "{self}": rf"(?P<who>{_SELF})",
    "{we}": rf"(?P<who>{_SELF}|\b[Ww]e(?:(?:'|’)(?:ve|re))?|{_MINE}|\b{_NAME})",
    "{Name}": _NAME,
    "{Place}": _NAME,
    "{thing}": _THING,
    "{end}": _END,
    # Where the speaker is left out: "Ran the 10K", "big news: ran the 10K".
    "{start}": r"(?:^|[:–—…] |\b(?:[Yy]es|[Yy]eah|[Yy]ep|[Bb]tw|[Oo]mg|[Oo]k|[Ll]ol|[Hh]aha|[Uu]gh)"
    r",? )",
    "{adv}": _ADVERBS,
    "{rels}": rf"(?:{_RELATION_WORDS})",
    "{months}": _MONTHS,
    "{drink}": r"(?:coffee|tea|alcohol|wine|beer|whisky|gin|cola|milk|juice|energy drinks)",
    "{food}": r"(?:meat|fish|pork|beef|chicken|dairy|cheese|sugar|gluten|bread|eggs?|chocolate|"
    r"sweets|nuts|seafood|shellfish|carbs|fast food)",
    "{weekdays}": r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day",
    "{我}": rf"(?P<who>我的?(?:{CHINESE_RELATIONS})(?:{CHINESE_NAME})?"
    rf"|我(?!们?的?(?:{CHINESE_RELATIONS}|{_CHINESE_PEOPLE}|公司|学校|单位|部门|小区)))",
    "{亲}": rf"(?:{CHINESE_RELATIONS})",
    "{人}": CHINESE_NAME,
    "{隙}": _CHINESE_GAP,
    "{名}": rf"(?:{_HAN}{{2,12}}?)",
    "{地}": rf"(?:{_HAN}{{2,8}}?)",
    "{物}": rf"(?:{_HAN}{{1,12}}?)",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pattern:
    """One saying and the property that it tells.

    Attributes:
        says_never: "never" is part of the saying; elsewhere it stands among the adverbs, and turns
            what is said round.
    """

    property: str
    saying: re.Pattern[str]
    holds: bool
    resumed: bool
    speaker: bool
    at_start: bool
    says_never: bool


@lru_cache(maxsize=1)
def load_patterns() -> tuple[Pattern, ...]:
    """Read and compile every pattern of every language."""
    path = resources_dir() / "ontology" / "patterns.toml"
    with path.open("rb") as file:
        table = tomllib.load(file)
    return tuple(_pattern(row) for language in table.values() for row in language)


def _pattern(row: dict[str, str | bool]) -> Pattern:
    text = str(row["pattern"])
    for mark, part in _PARTS.items():
        text = text.replace(mark, part)
    return Pattern(
        property=str(row["property"]),
        saying=re.compile(text),
        holds=not row.get("not", False),
        resumed=bool(row.get("resumed", False)),
        speaker=row.get("subject") == "speaker",
        at_start=bool(row.get("start", False)),
        says_never=_NEVER.search(str(row["pattern"])) is not None,
    )


_OPENING_VERB = re.compile(
    r"(?:Ran|Did|Got|Went|Moved|Bought|Sold|Started|Finished|Completed|Cancelled|Canceled|Had|Still|"
    r"Just|Finally|Signed|Booked|Quit|Left|Stopped|Called|Back|Working|Ordered|Visited|Adopted)\b"
)


def _as_if_inside(text: str) -> str:
    """Lower the capital of a verb that opens a sentence; offsets stay as they are."""
    return text[0].lower() + text[1:] if _OPENING_VERB.match(text) else text


def read_by_pattern(turn: Turn, sentence: Sentence) -> list[Candidate]:
    """Read one sentence by pattern; at most one reading of the same property and value."""
    found: dict[tuple[str, str, str], Candidate] = {}
    text = _as_if_inside(sentence.text)
    for pattern in load_patterns():
        for match in pattern.saying.finditer(text):
            if pattern.at_start and text[: match.start()].strip():
                continue
            if is_taken_back(turn.text, sentence.start + match.start()):
                continue
            if is_unreal(text[match.start() : match.start("value")]):
                continue
            candidate = _candidate(turn, sentence, pattern, match)
            if candidate is not None:
                found.setdefault((candidate.who, candidate.property, candidate.value), candidate)
    return list(found.values())


def _candidate(
    turn: Turn, sentence: Sentence, pattern: Pattern, match: re.Match[str]
) -> Candidate | None:
    groups = match.groupdict()
    words = groups.get("who") or groups.get("who2")
    who, of_speaker = _subject(turn, words, default_speaker=pattern.speaker)
    value = _PARTICLES.sub("", match.group("value"))
    before = (match.string, match.start(), match.start("value"))
    is_denied = not pattern.says_never and _NEVER.search(*before) is not None
    if not who or value.casefold() in _NOT_A_NAME or (is_denied and not pattern.holds):
        return None
    shape, name = _names(pattern, groups)
    if shape in _LIKINGS and groups.get("value"):
        value = _whole_liking(value, match.string[match.end("value") :])
    never = load_shapes()[shape].not_value
    if never is not None and never.fullmatch(value):
        return None
    start = sentence.start + match.start("value")
    return Candidate(
        turn_id=turn.id, who=who, of_speaker=of_speaker, property=name, shape=shape,
        value=value, value_start=start, value_end=start + len(value),
        sentence=sentence.text, sentence_start=sentence.start, by="rule",
        confidence=BY_PATTERN, named=groups.get("named") or "",
        holds=pattern.holds and not is_denied, resumed=pattern.resumed,
    )  # fmt: skip


_LIKINGS = frozenset({"likes", "dislikes"})
# "Jazz and brass band music": "jazz" alone says something else. "Stories that take their time".
_SHARED_HEAD = re.compile(
    r" and (?:[\w-]+ )?[\w-]+ (?:movies|films|books|novels|music|games|shows|flavou?rs|food|dishes|"
    r"series|stories|songs|sports|arts?|dances?)\b"
)
_THAT = re.compile(r" that (?!I\b|you\b|we\b|it\b|is\b)\w+(?: [\w'’-]+){1,6}(?=[.,!?;]|$)")


def _whole_liking(value: str, rest: str) -> str:
    """Give what somebody likes with what makes it that."""
    more = (_SHARED_HEAD.match(rest) if " " not in value else None) or _THAT.match(rest)
    return value + more.group() if more else value


def _names(pattern: Pattern, groups: dict[str, str | None]) -> tuple[str, str]:
    """Give the shape's name and the property's own, e.g. favourite → favourite_restaurant."""
    if pattern.property == "{rel}":
        relation = RELATIONS[(groups.get("rel") or "").casefold()]
        return relation, relation
    kind = (groups.get("kind") or "").casefold()
    if pattern.property == "favourite" and kind:
        return "favourite", f"favourite_{CHINESE_KINDS.get(kind, kind)}"
    if pattern.property.startswith("favourite_"):
        return "favourite", pattern.property
    if pattern.property == "did_activity":
        return "did_activity", f"went_{(groups.get('activity') or 'out').casefold()}"
    return pattern.property, pattern.property


CHINESE_KINDS = {
    "火锅店": "restaurant", "餐厅": "restaurant", "饭店": "restaurant", "餐馆": "restaurant",
    "馆子": "restaurant", "店": "shop", "咖啡馆": "cafe", "咖啡店": "cafe", "电影": "movie",
    "书": "book", "歌": "song", "歌手": "singer", "颜色": "colour", "菜": "dish", "水果": "fruit",
}  # fmt: skip


def _subject(turn: Turn, words: str | None, *, default_speaker: bool) -> tuple[str, bool]:
    """Whom a pattern's subject words mean: a name, or a relation of the speaker."""
    if words is None:
        return (turn.speaker, False) if default_speaker else ("", False)
    bare = words.strip(" ,")
    lower = bare.casefold().replace("’", "'")
    if lower in ("i", "i'm", "i've", "we", "we're", "we've", "我", "ich", "wir"):
        return turn.speaker, False
    if lower.startswith("my "):
        return _relation_or_name(bare[3:])
    if bare.startswith("我"):
        return _chinese_relation_or_name(bare)
    if lower.startswith("the "):
        bare, lower = bare[4:], lower[4:]
    if lower in RELATIONS:  # "Mum lives in Leeds"
        return lower, True
    if lower.split()[0] in _NOT_A_NAME:
        return "", False
    return bare, False


def _relation_or_name(words: str) -> tuple[str, bool]:
    """Read what follows "my": "sister", "little sister" or "sister Ada"."""
    relation, _, name = words.replace(",", "").partition(" ")
    while relation.casefold() not in RELATIONS and name:
        relation, _, name = name.partition(" ")
    return (name, False) if name else (relation.casefold(), True)


def _chinese_relation_or_name(words: str) -> tuple[str, bool]:
    """Read "我妹妹" or "我妹妹李雪": whoever is named goes by the name."""
    match = re.match(rf"我的?({CHINESE_RELATIONS})(.*)", words)
    if match is None:
        return "", False
    relation, name = match.groups()
    return (name, False) if name else (relation, True)
