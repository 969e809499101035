"""How a property is named that somebody said is not so: "does not own", 没有.

Only what is told by a verb is named here. Of a noun it is the value that is denied, "job: not a
teacher", and so it is of properties that the program does not know.
"""

# English and Chinese, to stand before the value or before a colon.
_NAMES = {
    "lives_in": ("does not live in", "不住在"),
    "comes_from": ("does not come from", "不是来自"),
    "works_at": ("does not work at", "没有任职于"),
    "left_job": ("did not leave the job at", "没有离开"),
    "resigned": ("did not resign from", "没有辞去"),
    "studies": ("does not study", "没有学"),
    "likes": ("does not like", "不喜欢"),
    "dislikes": ("does not dislike", "不讨厌"),
    "wants": ("does not want", "不想要"),
    "values": ("does not set store by", "不看重"),
    "thinks": ("does not think", "不认为"),
    "feels": ("does not feel", "没有感到"),
    "advises": ("does not advise", "不建议"),
    "needs": ("does not need", "不需要"),
    "shows": ("does not show", "没有展示"),
    "is": ("is not", "不是"),
    "does": ("does not do", "不做"),
    "did": ("did not do", "没有做"),
    "did_activity": ("did not do", "没有做"),
    "practises": ("does not do", "不做"),
    "started": ("did not start", "没有开始"),
    "stopped": ("did not stop", "没有停止"),
    "owns": ("does not own", "没有"),
    "bought": ("did not buy", "没有买"),
    "sold": ("did not sell", "没有卖"),
    "visited": ("did not visit", "没有去"),
    "visits": ("does not visit", "不拜访"),
    "attended": ("did not attend", "没有参加"),
    "made": ("did not make", "没有做"),
    "won": ("did not win", "没有赢得"),
    "met": ("did not meet", "没有见"),
    "read": ("did not read", "没有读"),
    "watched": ("did not watch", "没有看"),
    "plans": ("does not plan", "不打算"),
    "cancelled": ("did not call off", "没有取消"),
    "closed": ("did not close", "没有关"),
    "opened": ("did not open", "没有开"),
    "allergic_to": ("is not allergic to", "不过敏"),
    "speaks": ("does not speak", "不会说"),
    "ran": ("did not run", "没有跑"),
    "drinks": ("does not drink", "不喝"),
    "eats": ("does not eat", "不吃"),
    "took_place_on": ("did not take place on", "没有发生于"),
}
_LANGUAGES = ("en", "zh")


def denied_name(name: str, language: str) -> str:
    """Name a property as what is not so, in "en" or "zh"; "" where its value is denied instead."""
    names = _NAMES.get(name.casefold())
    return names[_LANGUAGES.index(language)] if names and language in _LANGUAGES else ""


def denied_words(name: str, value: str) -> str:
    """Say in English what is not so: "does not own: Polo", "job: not a teacher"."""
    said = denied_name(name, "en")
    return f"{said}: {value}" if said else f"{name.replace('_', ' ')}: not {value}"
