"""Plain Chinese clauses: who, when, the verb, and what. No model.

Chinese writes no spaces, so the verbs are a list (`resources/ontology/chinese.toml`) and a clause
is read from its front: what ties it to the one before, who, when and how, the verb, its 了 or 过,
and the rest. A clause without a subject goes on about the one before it; the first of a sentence is
about the speaker only where a time stands before its verb.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.confidence import BY_CLAUSE
from apexmem_desktop.building.grounding import fits_kind
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.patterns import CHINESE_NAME, CHINESE_RELATIONS
from apexmem_desktop.building.statements import Sentence
from apexmem_desktop.building.taken_back import is_unreal
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.turn import Turn

# How often a clause was read right on the chat that was kept apart; see docs/quality.md.
CHINESE_CONFIDENCE = BY_CLAUSE
MOST_CHARS = 24
MOST_CLAUSE_CHARS = 60
# Signs behind which a reader must try how far it goes: with each more it takes many times as long.
MOST_JOINING, MOST_DATING = 4, 6
_JOINING = re.compile(r"[和跟陪带给在]")
_DATING = re.compile(r"[年月日号点天周]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_BREAK = re.compile(r"[,，;；。.!！?？~～…\n]+|\s+")

_TIE = (
    r"(?:因为|由于|所以|因此|因而|于是|不过|但是?|可是|然后|而且|而|后来|结果|另外|还有|其实|说实话|老实说|"
    r"对了|嗯++|哈++|哦|啊|唉|哎|对|是的|是啊|好的|没有|没|那|就是|终于|恭喜|当然|主要是?|毕竟|顺便|同时|"
    r"总之|反正|幸好|可惜|谢谢|报告|告诉你|跟你说|好消息|坏消息|哈喽|你好)"
)
_COUNT = r"[0-9一二三四五六七八九十两几半多]"
_DAY = r"[一二三四五六日天末]"
_TIME = (
    rf"(?:(?:今|明|昨|前|后|大前)(?:天|晚|早)|今早|昨儿|今儿|(?:上|下|这|本)+个?(?:周|星期|礼拜)(?:{_DAY})?"
    rf"|(?:周|星期|礼拜){_DAY}|(?:上|下|这|本)+个?月(?:初|底|中)?|(?:去|今|明|前|后)年"
    rf"|{_COUNT}+(?:个)?(?:年|月|天|周|星期|礼拜|小时|分钟)(?:多)?(?:[之以]?[前后]|来|里)?"
    r"|[0-9]{1,4}(?:年|月|日|号|点)(?:[0-9]{1,2}[月日号分])*(?:初|底|中)?"
    rf"|{_COUNT}{{1,3}}(?:月|号|日|点半?)|早上|上午|中午|下午|晚上|凌晨|周末|平时|最近|目前|现在|以来"
    r"|春天|夏天|秋天|冬天|寒假|暑假|国庆|五一|春节|元旦|中秋|端午|圣诞节?|过年|年底|年初|月底|月初"
    r"|小时候|那时候?|当时|前阵子|这阵子|这几天|前几天|这两天|刚才|这段时间|有一次|(?:上|读|念)?(?:小学|大学|高中|初中|研究生)"
    rf"|自从|从{_COUNT}+月(?:份)?|自{_COUNT}+月)(?:的时候|时|开始|起|里)?"
)
_HOW = (
    r"(?:刚|已经|终于|总算|也|都|还|又|再|就|才|一直|真的|真|很|特别|非常|最|超级?|挺|好|比较|有点|其实|"
    r"正在?|一起|一个人|自己|每(?:天|个?(?:周|星期|礼拜)[一二三四五六日天末]?|年|个?月)(?:早上|晚上|下班后?)?|每个?(?:周末|早上|晚上)|经常|常|总是?|偶尔|从小|本来|"
    r"顺利|正式|不小心|差不多|越来越|更|马上|快|可能|应该|大概|跟着?[^,，]{1,6}?|和[^,，]{1,6}?|"
    r"陪[^,，]{1,5}?|带着?[^,，]{1,5}?|带我[^,，]{0,2}?|给[^,，]{1,5}?|在(?!写|做|学|读|准备|忙|研究)[\u4e00-\u9fff]{1,9}?|把|被|其中|们|仍然|依然|竟然|居然|果然|的确|确实|主要|"
    r"专门|特意|偷偷|去(?=[爬逛看听参跑])|"
    rf"{_COUNT}口气|第一次)"
)
_PERSON = (
    rf"(?P<rel>我(?:们)?(?:家)?的?(?P<relation>{CHINESE_RELATIONS})(?:叫|是)?(?P<name>{CHINESE_NAME})?)"
    r"|(?P<we>(?:我们|咱们|咱)(?!的?(?:公司|学校|老板|老师|班|小区|领导|同事|单位|部门|这|那|村|店|组))俩?(?:家)?)|(?P<self>我(?!们|家|国|校|妈|爸|哥|姐|弟|妹))|(?P<pronoun>[他她](?!们))"
    rf"|(?P<named>(?!周末|周[一二三四五六日]|马上|高兴|方便|白天|老家|老是|老师|小时|小学|小区|小心|老板|任何|高中|方法|金|"
    r"黄金|龙|夏天|石|江|程|万一|许多|何|段|史|罗|莫|余|严|郑重|毛病|汤|叶|雷|梁|常)"
    r"(?:[小老阿][\u4e00-\u9fff]|" + CHINESE_NAME + r"))"
)
_NOT = r"(?P<not>还没有?|没有?|不太?|从不|从来不|从没|不怎么)"
_FRONT = rf"(?P<ties>(?:{_TIE}\s*)*)(?P<early>(?:{_TIME}|{_HOW})*)(?:{_PERSON})?"
_ASPECT = r"(?P<aspect>了|过|到|上|着)?"
# How a thing is counted is no part of what it is.
_COUNTED = re.compile(
    # Without a number only what begins no name: 张家界 is a place, 部门 a department.
    rf"^(?:了|过)?(?:{_COUNT}{{1,2}}(?:个|台|辆|本|部|把|张|双|件|只|条|套|场|次|顿|幅|家|间|位|名|盆|棵|杯|份|趟|副|"
    r"瓶|块|盒|束|篇|首)|[个台辆把件只条套顿趟块份])(?=[\u4e00-\u9fffA-Za-z《])"
)
_TRAILING = re.compile(
    r"(?:了|呀|啊|呢|吧|哦|啦|嘛|哈|的|喔|呗|咯|过|来着|似的|一下|一样|而已|为止)+$"
)
_WORTHLESS = re.compile(
    r"(?:[他她它你您这那哪谁啥]|什么|怎么|一下|一点|不|没|很|太|就|都|也|吗|多少|几|东西|事情?|时候|可以|以后|"
    r"要|会|能|得|好(?!几)|是|有|在|对|说|自己|我们?|大家|别人|了|过|点|下|起来|出来|下去|上去|起|出|完|到).*"
)
# What begins with these may still be a plan, a wish or a view.
_CLAUSAL = frozenset({"plans", "wants", "thinks", "needs", "works_on", "worried_about", "expects"})
_POINTS = re.compile(r"[他她它你您谁啥]|什么|怎么|这[个样些]|那[个样些]")
_OTHERS_SPOKEN_TO = re.compile(r"[你您]|大家|有人|别人|听说|据说|新闻")
_ILL = frozenset(
    [
        "骨折",
        "发烧",
        "感冒",
        "失眠",
        "头疼",
        "胃疼",
        "阳",
        "贫血",
        "做手术",
        "确诊",
        "感染",
        "摔断",
        "摔伤",
        "扭伤",
        "拉伤",
        "查出",
        "崴",
    ]
)
_ILL_OBJECT = re.compile(
    r".*(?:手术|病|炎|癌|症|流感|新冠|肺|骨|手指?|脚|腿|膝盖|腰|背|胃|肝|心脏|颈椎|腕|踝|肩|眼|牙|糖尿|血压|过敏)"
)
_PLACE = re.compile(r"[\u4e00-\u9fffA-Za-z·]{2,10}")
_NO_PLACE = re.compile(
    r".*(?:工作|医院|厕所|床|楼下|楼上|外面|里面|公司|学校|家(?![界口港])|超市|门口|现在|今天|一半|手|晚|早|很|多|办公室|班|课|会).*"
    r"|.*(?:里|上|下)$|[吃洗睡看买找接送拿取玩逛跑上开办][^\s]{0,3}"
)
_INSTITUTION = re.compile(
    r".{1,12}?(?:公司|科技|集团|银行|医院|大学|中学|小学|学校|出版社|报社|工作室|事务所|餐厅|酒店|工厂|研究所|"
    r"中心|学院|厂|局|团队|部门|幼儿园|书店|咖啡馆|诊所|杂志社|电视台|社)|[A-Za-z][\w·]*|[\u4e00-\u9fff]{2,4}"
)
_SCHOOL = re.compile(r".*(?:大学|学院|中学|高中|小学|学校|研究生|博士|硕士|大|院)$")
_BABY = re.compile(r".*(?:儿子|女儿|孩子|宝宝|男孩|女孩|双胞胎|龙凤胎|闺女|娃)")
_ANIMAL = re.compile(
    r"(?P<kind>.{0,5}?(?:猫|狗|犬|兔子?|仓鼠|鹦鹉|乌龟|龟|鱼|鸟|金毛|柯基|泰迪|柴犬|哈士奇|布偶|橘猫))"
    r"(?:[,，]?\s*(?:名字)?(?:叫|取名|名叫)(?P<named>[\u4e00-\u9fffA-Za-z]{1,6}))?"
)
_SHOW = re.compile(
    r"《|.*(?:电影|剧|片|展|演出|演唱会|话剧|比赛|音乐会|综艺|动漫|直播|纪录片|球赛)"
)
_BOOK = re.compile(r"《|.*(?:书|小说|传|诗|漫画)")
_GATHERING = re.compile(
    r".*(?:会|赛|马拉松|婚礼|课|班|展|活动|聚会|典礼|面试|培训|讲座|考试|营|节|团|比赛|演出|志愿|公里|半马|全马|葬礼|展览)"
)
_JOB = re.compile(
    r"[\u4e00-\u9fff]{0,6}(?:师|员|生|医|护士|律师|会计|司机|记者|编辑|经理|主管|助理|顾问|教授|翻译|店长|组长|总监|"
    r"警察|军人|导演|演员|作家|画家|歌手|模特|保安|厨子|博主|主播|老板|销售|运营|客服|公务员|农民)"
)
_FIRM = re.compile(r".*(?:店|馆|公司|工作室|厂|所|网店|铺|餐厅|吧|诊所|民宿|农场|超市|频道|公众号)")
_TAUGHT = re.compile(
    r".*(?:语|文|数学|物理|化学|历史|地理|生物|音乐|美术|体育|钢琴|吉他|书法|舞|画|编程|瑜伽|法律|课)"
)
_PREPARED = re.compile(r".*(?:考试|面试|比赛|婚礼|答辩|高考|中考|考研|材料|演出|汇报|证)$")
_AHEAD = re.compile(
    r"(?:去|搬|换|结婚|回|参加|考|生(?!气)|做|办|开|学|买|辞|出国|离|退|装修|订|飞|当|养)"
)
_PRIZE = re.compile(
    r".*(?:奖|冠军|亚军|季军|名|证|考试|驾照|面试|比赛|奖学金|级|资格|金牌|银牌|铜牌|分|科目.)"
)
_GREETING = re.compile(r".*(?:生日快乐|新年快乐|早点|注意|小心)")


@dataclass(frozen=True, slots=True)
class Row:
    """What one verb tells.

    Attributes:
        aspect: "done", "state", "habit", "ill" or "any"; see chinese.toml.
        value: "object", "verb", "clause" or "none_ok"; see there.
        denied: The property that it tells behind a "not"; "" where that is not read.
    """

    property: str
    aspect: str
    value: str
    denied: str


@dataclass(frozen=True, slots=True)
class _Who:
    name: str
    of_speaker: bool


@lru_cache(maxsize=1)
def _rows() -> dict[str, list[Row]]:
    """Read the verbs; one may tell several things, of which its object decides."""
    with (resources_dir() / "ontology" / "chinese.toml").open("rb") as file:
        table = tomllib.load(file)["row"]
    found: dict[str, list[Row]] = {}
    for row in table:
        told = Row(row["property"], row["aspect"], row["value"], row.get("not", ""))
        for verb in row["verbs"].split():
            found.setdefault(verb, []).append(told)
    return found


@lru_cache(maxsize=1)
def _clause() -> re.Pattern[str]:
    verbs = "|".join(sorted(_rows(), key=len, reverse=True))
    return re.compile(
        rf"{_FRONT}(?P<late>(?:{_TIME}|{_HOW})*)(?:{_NOT})?(?P<later>(?:{_HOW})*)"
        rf"(?P<verb>(?!去年)(?:{verbs})){_ASPECT}(?P<rest>.*)$"
    )


def read_chinese(turn: Turn, sentence: Sentence, told: Sequence[Candidate]) -> Iterator[Candidate]:
    """Read a Chinese sentence's clauses, but for values that a pattern has read already."""
    if not _HAN.search(sentence.text):
        return
    who: _Who | None = None
    seen = {(one.property, one.value_start) for one in told}
    for start, end in _clauses(sentence.text):
        if not _is_plain(sentence.text[start:end]):
            who = None
            continue
        match = _clause().match(sentence.text, start, end)
        if match is None:
            who = _carried(turn, sentence.text[start:end], who)
            continue
        who = _subject(turn, sentence, match, who)
        if who is None or is_unreal(match.group()):
            continue
        one = _candidate(turn, sentence, match, who)
        if (
            one is not None
            and not _is_told(one, told)
            and (one.property, one.value_start) not in seen
        ):
            yield one


def _is_plain(clause: str) -> bool:
    """Whether a clause is short and simple enough to be read: 在家在家在家在家在家 is not."""
    return (
        len(clause) <= MOST_CLAUSE_CHARS
        and len(_JOINING.findall(clause)) <= MOST_JOINING
        and len(_DATING.findall(clause)) <= MOST_DATING
    )


def _is_told(one: Candidate, told: Sequence[Candidate]) -> bool:
    return any(
        one.value_start < other.value_end and other.value_start < one.value_end for other in told
    )


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in (*_BREAK.finditer(text), None):
        end = gap.start() if gap else len(text)
        # "一只猫，叫豆包" is one clause.
        if gap is not None and re.match(r"(?:名字)?(?:叫|取名|名叫)", text[gap.end() :]):
            continue
        if end > start:
            yield start, end
        if gap is not None:
            start = gap.end()


def _carried(turn: Turn, text: str, who: _Who | None) -> _Who | None:
    """Keep whom the sentence is about, unless a clause turns to somebody else."""
    found = re.match(rf"(?:{_TIE})*(?:{_TIME}|{_HOW})*(?:{_PERSON})", text)
    if found is None:
        return None if _OTHERS_SPOKEN_TO.search(text) else who
    if found["self"] or found["we"]:
        return _Who(turn.speaker, of_speaker=False)
    return _related(found) if found["rel"] else None


def _related(match: re.Match[str]) -> _Who:
    if match["name"]:
        return _Who(match["name"], of_speaker=False)
    return _Who(match["relation"], of_speaker=True)


def _subject(
    turn: Turn, sentence: Sentence, match: re.Match[str], before: _Who | None
) -> _Who | None:
    """Tell whom a clause is about; None where that is not certain."""
    if match["self"] or match["we"]:
        return _Who(turn.speaker, of_speaker=False)
    if match["rel"]:
        return _related(match)
    if match["named"]:
        return _Who(match["named"], of_speaker=False)
    if match["pronoun"]:
        return _meant(turn.text[: sentence.start + match.start()])
    if _OTHERS_SPOKEN_TO.search(match.string[match.start() : match.end()]):
        return None
    if before is not None:
        return before
    timed = re.search(_TIME, match["early"] + match["late"])
    sure = match["aspect"] in ("了", "过") or match["rest"].endswith(("了", "啦"))
    begins = not match.string[: match.start()].strip()
    told = (
        begins
        and sure
        and (timed or re.search(r"刚|终于|总算|第一次", match["early"] + match["ties"]))
    )
    return _Who(turn.speaker, of_speaker=False) if told else None


def _meant(before: str) -> _Who | None:
    """Tell whom 他 or 她 means: the one relation that the turn has spoken of so far."""
    found = {
        (_related(one).name, not one["name"])
        for one in re.finditer(
            rf"我(?:家)?的?(?P<relation>{CHINESE_RELATIONS})(?:叫|是)?(?P<name>{CHINESE_NAME})?",
            before,
        )
    }
    return _Who(*found.pop()) if len(found) == 1 else None


def _candidate(turn: Turn, sentence: Sentence, match: re.Match[str], who: _Who) -> Candidate | None:
    for row in _rows()[match["verb"]]:
        place = _value(row, match)
        if place is None:
            continue
        start, end, named = place
        denied = bool(match["not"])
        if denied and not row.denied:
            continue
        name = row.denied if denied else row.property
        shape = name if name in load_shapes() else _shape_of(row)
        value = sentence.text[start:end]
        if not fits_kind(value, load_shapes()[shape].value_kind) or _too_much(value):
            continue
        begin = sentence.start + start
        return Candidate(
            turn_id=turn.id, who=who.name, of_speaker=who.of_speaker, property=name, shape=shape,
            value=value, value_start=begin, value_end=begin + len(value), sentence=sentence.text,
            sentence_start=sentence.start, by="rule", confidence=CHINESE_CONFIDENCE, named=named,
        )  # fmt: skip
    return None


def _too_much(value: str) -> bool:
    return len(value) > MOST_CHARS or _GREETING.match(value) is not None


def _shape_of(row: Row) -> str:
    return "did" if row.aspect == "done" or row.property == "life_event" else "is"


def _value(row: Row, match: re.Match[str]) -> tuple[int, int, str] | None:
    """Find the value's place in the sentence, and a name given to it; None: nothing is told."""
    rest, verb = match["rest"], match["verb"]
    before = match["early"] + match["late"] + match["later"]
    done = match["aspect"] in ("了", "过") or rest.endswith(("了", "啦"))
    if row.aspect == "done" and not (
        done or re.search(_TIME, before) or verb.endswith(("完", "好"))
    ):
        return None
    if row.aspect == "habit" and not re.search(
        r"每|经常|常|平时|一直|坚持|从小|周末", before + verb
    ):
        return None
    if row.aspect == "state" and match["aspect"] in ("过",):
        return None
    if row.value == "verb":
        plain = not rest or re.fullmatch(
            r"(?:了|啦|一?[次年月]|已经)*.{0,4}(?:了|啦)?[呀啊吧呢]?", rest
        )
        asks = re.search(r"[吗呢么]$", rest)
        sure = done or re.search(r"正|刚|要|快|已经|单身", before + verb)
        return (match.start("verb"), match.end("verb"), "") if plain and sure and not asks else None
    return _object(row, match)


def _object(row: Row, match: re.Match[str]) -> tuple[int, int, str] | None:
    rest, start = match["rest"], match.start("rest")
    counted = _COUNTED.match(rest)
    if counted:
        start += counted.end()
        rest = rest[counted.end() :]
    if row.property == "pet":
        animal = _ANIMAL.match(rest)
        return (start, start + animal.end("kind"), animal["named"] or "") if animal else None
    rest = _TRAILING.sub("", rest)
    if row.property == "stopped":
        rest = re.sub(rf"{_COUNT}+个?(?:年|月|天|周|星期)$", "", rest)
    if row.value == "clause" or (row.value == "none_ok" and not rest):
        told = match["verb"] in _ILL if row.aspect == "ill" else rest or len(match["verb"]) > 1
        end = start + len(rest) if rest else match.end("verb")
        return (match.start("verb"), end, "") if told else None
    return (start, start + len(rest), "") if _is_object(row, match["verb"], rest) else None


def _is_object(row: Row, verb: str, rest: str) -> bool:
    """Tell whether what stands behind a verb is what it tells of."""
    clausal = row.property in _CLAUSAL
    least = 3 if row.property in ("thinks", "wants") else 2 if clausal else 1
    if len(rest) < least or _POINTS.search(rest) or (not clausal and _WORTHLESS.match(rest)):
        return False
    if verb == "要" and not _AHEAD.match(rest):
        return False
    if verb == "准备" and row.property == "works_on" and not _PREPARED.match(rest):
        return False
    return _is_of_kind(row.property, rest)


_KINDS: dict[str, re.Pattern[str]] = {
    "visited": _PLACE, "lives_in": _PLACE, "comes_from": _PLACE, "works_at": _INSTITUTION,
    "left_job": _INSTITUTION, "school": _SCHOOL, "child": _BABY, "watched": _SHOW, "read": _BOOK,
    "job_title": _JOB, "opened": _FIRM, "teaches": _TAUGHT, "attended": _GATHERING,
    "won": _PRIZE, "health": _ILL_OBJECT,
}  # fmt: skip


def _is_of_kind(name: str, value: str) -> bool:
    kind = _KINDS.get(name)
    if name in ("visited", "lives_in", "comes_from") and _NO_PLACE.fullmatch(value):
        return False
    if name in ("started", "stopped") and len(value) < 2 and value not in "烟酒糖茶":
        return False
    if name == "made" and re.search(r"手术|检查|饭$|噩?梦$", value):
        return False
    if name == "bought" and value in ("工作", "人", "位置", "话题", "衣服"):
        return False
    if name == "thinks":
        return len(value) >= 4
    return kind is None or (
        kind.fullmatch(value) is not None
        if kind in (_PLACE, _INSTITUTION, _JOB)
        else kind.match(value) is not None
    )
