"""The small word lists that reading a question needs: stems, function words, synonyms, hints."""

import re

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

# What a question's word (by stem) says about the property it asks for.
PROPERTY_HINTS: dict[str, tuple[str, ...]] = {
    "work": ("works_at", "employer", "job", "occupation", "job_title"),
    "job": ("job", "occupation", "works_at", "job_title"),
    "employer": ("works_at", "employer"),
    "employ": ("works_at", "employer"),
    "company": ("works_at", "employer"),
    "career": ("occupation", "job", "career_goal"),
    "profession": ("occupation", "job"),
    "live": ("lives_in", "residence", "address"),
    "address": ("address", "lives_in"),
    "reside": ("lives_in", "residence"),
    "move": ("lives_in", "moved_to", "residence"),
    "hometown": ("hometown", "from", "born_in"),
    "born": ("born_in", "birthday", "birth_date"),
    "birthday": ("birthday", "birth_date", "date_of_birth"),
    "age": ("age", "birthday"),
    "old": ("age", "birthday"),
    "marry": ("spouse", "married_to", "marital_status"),
    "wife": ("spouse", "wife", "married_to"),
    "husband": ("spouse", "husband", "married_to"),
    "boyfriend": ("partner", "dating", "relationship_status"),
    "girlfriend": ("partner", "dating", "relationship_status"),
    "partner": ("partner", "spouse", "dating"),
    "relationship": ("relationship_status", "partner"),
    "study": ("studies", "studies_at", "field_of_study", "school"),
    "school": ("studies_at", "school"),
    "university": ("studies_at", "university"),
    "pet": ("has_pet", "pet"),
    "dog": ("has_pet", "dog"),
    "cat": ("has_pet", "cat"),
    "drive": ("car", "drives", "owns"),
    "car": ("car", "drives", "owns"),
    "own": ("owns",),
    "like": ("likes", "favourite"),
    "love": ("likes", "loves"),
    "hate": ("likes", "dislikes", "hates"),
    "dislike": ("dislikes", "likes"),
    "prefer": ("prefers", "likes"),
    "hobby": ("hobby", "likes", "plays"),
    "play": ("plays",),
    "allergy": ("allergic_to", "allergy"),
    "allergic": ("allergic_to", "allergy"),
    "eat": ("diet", "likes", "favourite_food"),
    "diet": ("diet",),
    "speak": ("speaks", "language"),
    "language": ("speaks", "language"),
    "phone": ("phone", "phone_number"),
    "email": ("email",),
    "child": ("has_child", "children"),
    "kid": ("has_child", "children"),
    "son": ("has_child", "son", "children"),
    "daughter": ("has_child", "daughter", "children"),
    "plan": ("plans", "goal"),
    "goal": ("goal", "plans"),
    "住": ("lives_in", "residence", "address"),
    "搬": ("lives_in", "moved_to"),
    "工作": ("works_at", "occupation", "job"),
    "上班": ("works_at",),
    "公司": ("works_at", "employer"),
    "职业": ("occupation", "job"),
    "生日": ("birthday", "birth_date"),
    "出生": ("born_in", "birthday"),
    "老家": ("hometown", "from"),
    "喜欢": ("likes", "favourite"),
    "讨厌": ("likes", "dislikes"),
    "最爱": ("favourite", "likes"),
    "结婚": ("spouse", "married_to", "marital_status"),
    "妻子": ("spouse",),
    "丈夫": ("spouse",),
    "女朋友": ("partner", "dating"),
    "男朋友": ("partner", "dating"),
    "学校": ("studies_at", "school"),
    "专业": ("field_of_study", "studies"),
    "宠物": ("has_pet", "pet"),
    "过敏": ("allergic_to", "allergy"),
    "爱好": ("hobby", "likes"),
    "餐厅": ("favourite_restaurant",),
    "饭店": ("favourite_restaurant",),
    "电话": ("phone",),
    "孩子": ("has_child", "children"),
    "车": ("car", "owns"),
}

_IRREGULAR = {
    "bought": "buy", "went": "go", "gone": "go", "ate": "eat", "eaten": "eat", "met": "meet",
    "began": "begin", "begun": "begin", "got": "get", "gotten": "get", "lives": "live",
    "children": "child", "wrote": "write", "written": "write", "saw": "see", "seen": "see",
    "took": "take", "taken": "take", "gave": "give", "given": "give", "made": "make",
    "drove": "drive", "driven": "drive", "spoke": "speak", "spoken": "speak", "won": "win",
    "read": "read", "taught": "teach", "ran": "run", "swam": "swim", "married": "marry",
    "marries": "marry", "favorite": "favourite", "favorites": "favourite", "color": "colour",
    "wives": "wife", "loves": "love", "moved": "move", "moves": "move", "moving": "move",
    "living": "live", "lived": "live", "resides": "reside", "driving": "drive", "studies": "study",
    "studied": "study", "hobbies": "hobby", "allergies": "allergy", "companies": "company",
}  # fmt: skip
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


def _loose(stemmed: str) -> str:
    """Forget a silent e, which "moving" and "move" disagree about."""
    return stemmed.removesuffix("e") if len(stemmed) > 3 else stemmed


def same_stem(a: str, b: str) -> bool:
    """Tell whether two words are forms of one."""
    return _loose(stem(a)) == _loose(stem(b))


def _table() -> dict[str, tuple[str, ...]]:
    table: dict[str, set[str]] = {}
    for line in _SYNONYM_SETS:
        members = line.split()
        for member in members:
            table.setdefault(_loose(stem(member)), set()).update(members)
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
