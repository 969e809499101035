"""The small word lists that reading a question needs: stems, function words, synonyms, hints."""

import re
from collections.abc import Iterable

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*", re.UNICODE)
CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff]+")


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


STOPWORDS = frozenset(
    _listed("""
    a an and any are as at be been being but by can could did do does doing for from had has
    have having he her hers him his how i if in into is it its itself me mine my myself no nor not
    of on or our ours out over own she should so some than that the their theirs them then there
    these they this those through to too under until up very was we were what when where which
    while who whom whose why will with would you your yours about after again all also am because
    before between both down during each few further just more most once only other same such
    ever still now currently yet since many much long often tell know last first did
    likely might may shall must let s t d ll m o re ve y don isn wasn didn doesn""")
)
# Longer ones first: the first that fits cuts. Signs that stand inside many words (会 in 会计, 过 in
# 过敏) are not here; a pair of signs that means nothing finds nothing.
ZH_FUNCTION = _listed(
    "有没有 是不是 会不会 能不能 为什么 什么时候 多长时间 什么 怎么 哪里 哪儿 哪些 哪个 哪家 "
    "几次 几个 多少 多久 是否 以前 之前 之后 以后 现在 目前 如今 当时 最后 曾经 已经 请问 告诉 "
    "我们 他们 她们 你们 自己 一共 总共 的 了 吗 呢 吧 啊 是 在 和 跟 把 被 谁 哪 我 你 他 她 它"
)
_ZH_SPLIT = re.compile("|".join(map(re.escape, ZH_FUNCTION)))

# Words that a question uses for what an answer says otherwise. Both ways; stems on both sides.
_SYNONYM_SETS = (
    "job work employer company career profession occupation",
    "buy purchase get bought got",
    "kid child children son daughter",
    "movie film",
    "trip travel vacation holiday visit",
    "doctor physician hospital clinic",
    "car vehicle drive",
    "house home apartment flat",
    "wife husband spouse partner married marry",
    "pet dog cat puppy kitten",
    "sick ill illness disease",
    "study school university college class course degree",
    "book novel read reading",
    "restaurant cafe diner eat dinner",
    "sport game exercise workout",
    "music song band concert instrument",
    "painting paint art artwork drawing",
    "gift present",
    "start begin began started",
    "stop quit end ended",
    "hike hiking trail mountain",
    "camping camp tent",
    "friend buddy pal",
    "hobby activity pastime",
    "money fund funding cost",
    "contest competition tournament",
    "move moved relocate relocated",
    "feel feeling emotion",
    "picture photo photograph",
    "meet met",
    "搬家 搬到 搬去 住",
    "工作 上班 公司 职业",
    "喜欢 最爱 爱",
    "餐厅 饭店 餐馆 饭馆",
    "旅游 旅行 出差",
    "医院 医生",
    "电影 影片",
    "孩子 儿子 女儿",
    "结婚 婚礼",
    "生日 出生",
)

# What a question's word (by stem) says about the property it asks for: (words, properties).
# The names are those of resources/ontology/properties.toml first, then what a model may call them.
_HINT_ROWS = (
    ("work employer employ company 上班 公司", "works_at job_title left_job employer"),
    ("job career profession occupation 工作 职业", "job_title works_at left_job job occupation"),
    ("live reside address home 住", "lives_in moved_to address"),
    ("move relocate 搬", "lives_in moved_to"),
    ("hometown origin originally 老家 来自", "comes_from hometown"),
    ("born 出生", "birthday comes_from born_in"),
    ("birthday 生日", "birthday birth_date"),
    ("age old 多大", "age birthday"),
    ("marry marriage single divorce engage 结婚 离婚 单身", "relationship_status partner spouse"),
    ("relationship dating date 恋爱", "relationship_status partner"),
    (
        "wife husband spouse boyfriend girlfriend partner fiancé fiancée 妻子 老婆 丈夫 老公 "
        "女朋友 男朋友",
        "partner spouse relationship_status",
    ),
    ("child kid son daughter baby 孩子 儿子 女儿", "child has_child"),
    ("sister brother sibling twin 姐姐 妹妹 哥哥 弟弟", "sibling"),
    ("mother father mum mom dad parent 妈妈 爸爸 父母", "parent"),
    ("friend buddy colleague roommate 朋友 同事 室友", "friend"),
    ("study learn course degree major subject 学习 专业", "studies field_of_study"),
    ("school university college 学校 大学", "studies studies_at"),
    ("pet dog cat animal 宠物 猫 狗", "pet"),
    ("drive car vehicle 车", "owns bought car"),
    ("own have 拥有", "owns bought pet"),
    ("buy purchase order 买", "bought owns"),
    ("sell 卖", "sold owns"),
    ("like love enjoy prefer 喜欢", "likes dislikes favourite"),
    ("hate dislike 讨厌", "dislikes likes"),
    ("favourite 最爱 最喜欢", "favourite likes"),
    ("hobby activity sport exercise pastime 爱好 运动", "practises likes did_activity started"),
    ("play practise practice train 练", "practises started stopped plays"),
    ("start begin 开始", "started practises"),
    ("stop quit pause resume 停 恢复", "stopped practises left_job started"),
    ("leave resign 辞职 离职", "left_job resigned works_at"),
    ("drink coffee tea wine beer alcohol 喝 咖啡 茶 酒", "drinks likes"),
    ("visit travel trip vacation holiday 旅游 旅行 去过", "visited did_activity plans"),
    ("attend join 参加", "attended did_activity"),
    ("plan goal intend dream 打算 计划 目标", "plans wants goal"),
    ("want wish 想", "wants plans"),
    ("allergy allergic 过敏", "allergic_to health"),
    ("diet eat vegetarian vegan 吃", "eats diet likes favourite_food"),
    ("health sick ill injury injure hurt 生病 受伤", "health"),
    ("close closed shut 关门 倒闭", "status closed"),
    ("win award prize 赢 奖", "won"),
    ("make create paint build 做 画", "made did_activity"),
    ("speak language 语言", "speaks"),
    ("phone 电话", "phone"),
    ("email 邮箱", "email"),
    ("movie film watch 电影", "watched likes"),
    ("book 书", "read likes"),
    ("meet 认识", "met"),
    ("cancel 取消", "cancelled plans"),
    ("run race marathon 跑步 比赛", "ran practises did_activity"),
    ("flatmate roommate housemate 室友", "flatmate"),
    ("boss manager 老板", "boss"),
    ("cousin uncle aunt nephew niece relative 表哥 表姐", "relative"),
    ("餐厅 饭店", "favourite_restaurant favourite"),
)


def _hints() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for words, properties in _HINT_ROWS:
        for word in words.split():
            table[word] = (*table.get(word, ()), *properties.split())
    return table


PROPERTY_HINTS = _hints()

_IRREGULAR = {
    "bought": "buy", "went": "go", "gone": "go", "ate": "eat", "eaten": "eat", "met": "meet",
    "began": "begin", "begun": "begin", "got": "get", "gotten": "get", "lives": "live",
    "children": "child", "wrote": "write", "written": "write", "saw": "see", "seen": "see",
    "took": "take", "taken": "take", "gave": "give", "given": "give", "made": "make",
    "drove": "drive", "driven": "drive", "spoke": "speak", "spoken": "speak", "won": "win",
    "read": "read", "taught": "teach", "ran": "run", "swam": "swim", "married": "marry",
    "marries": "marry", "favorite": "favourite", "favorites": "favourite", "color": "colour",
    "sold": "sell", "left": "leave",
    "wives": "wife", "loves": "love", "moved": "move", "moves": "move", "moving": "move",
    "living": "live", "lived": "live", "resides": "reside", "driving": "drive", "studies": "study",
    "studied": "study", "hobbies": "hobby", "allergies": "allergy", "companies": "company",
}  # fmt: skip
_SHORT = 3
_DOUBLED = re.compile(r"([bdgklmnprt])\1$")


def stem(word: str) -> str:
    """Cut an English word down to what its forms share; other scripts stay as they are."""
    word = word.casefold().replace("’", "'").removesuffix("'s").strip("'")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 3 or not word.isascii():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return _DOUBLED.sub(r"\1", word[: -len(ending)])
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def forms(words: Iterable[str]) -> tuple[str, ...]:
    """Give what the forms of words begin with: all that `stem` takes for one of them."""
    found: dict[str, None] = {}
    for word in words:
        stemmed = stem(word)
        short = stemmed[:-1] if len(stemmed) > _SHORT and stemmed.endswith("y") else stemmed
        irregular = (form for form, root in _IRREGULAR.items() if root == stemmed)
        found |= dict.fromkeys((word, stemmed, short, *irregular))
    return tuple(found)


def _loose(stemmed: str) -> str:
    """Forget a silent e, which "moving" and "move" disagree about."""
    return stemmed.removesuffix("e") if len(stemmed) > 3 else stemmed


def root(word: str) -> str:
    """Give what all forms of a word share, so that "moving" and "move" have one."""
    return _loose(stem(word))


def same_stem(a: str, b: str) -> bool:
    """Tell whether two words are forms of one."""
    return root(a) == root(b)


def _table() -> dict[str, tuple[str, ...]]:
    table: dict[str, set[str]] = {}
    for line in _SYNONYM_SETS:
        members = line.split()
        for member in members:
            table.setdefault(root(member), set()).update(members)
    return {key: tuple(sorted(members)) for key, members in table.items()}


_SYNONYMS = _table()


def synonyms(word: str) -> tuple[str, ...]:
    """Find other words for a word, without itself."""
    own = _loose(stem(word))
    return tuple(w for w in _SYNONYMS.get(own, ()) if _loose(stem(w)) != own)


def english_words(text: str) -> list[str]:
    """Split into words, without CJK."""
    return [m.group() for m in WORD.finditer(CJK.sub(" ", text))]


def chinese_words(text: str) -> list[str]:
    """Cut CJK runs at their function words; what is left are the words to look for."""
    return [part for run in CJK.findall(text) for part in _ZH_SPLIT.split(run) if part]
