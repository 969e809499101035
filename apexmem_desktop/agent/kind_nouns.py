"""What a question calls the values of a property: "which mountain did she visit"."""

import re
from collections.abc import Sequence

from apexmem_desktop.recall.vocabulary import same_stem

_PLACE = "place city town village country region area spot location"
_NOUNS = {
    "visited": f"{_PLACE} mountain hill peak rock summit castle museum trip hike outing walk",
    "went_climbing": f"{_PLACE} crag rock wall trip outing climb",
    "lives_in": f"{_PLACE} home house",
    "works_at": "place company employer firm office workplace organization job",
    "left_job": "place company employer firm office workplace organization job",
    "job_title": "job role position profession title occupation post work",
    "pet": "animal cat dog name",
    "ran": "race run competition event distance",
    "bought": "thing item purchase",
    "sold": "thing item car vehicle",
    "owns": "thing item car vehicle bike computer",
    "studies": "subject language instrument course",
    "practises": "sport hobby instrument activity",
    "drinks": "drink beverage",
    "diet": "diet food",
    "eats": "food diet",
    "boss": "name",
    "sibling": "name",
    "favourite_restaurant": "restaurant place eatery diner bar",
}
# Other words that lead to a property, which the search of turns has no use for.
_ALSO: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(words, re.IGNORECASE), tuple(properties.split()))
    for words, properties in (
        (r"\bclimb|攀岩", "went_climbing"),
        (r"\b(?:role|position|post)\b", "job_title"),
        (r"\b(?:hik(?:e|ed|ing)|trips?)\b|去过", "visited"),
        (r"\b(?:instrument)\b", "practises plays studies"),
        (r"\b(?:races?)\b|比赛|跑步|跑了", "ran"),
        (r"宠物|养", "pet"),
    )
)
_BEST = re.compile(r"\b(?:best|most|prefer\w*|favou?rites?)\b|最喜欢|最爱", re.IGNORECASE)
_AT_WORK = re.compile(r"\b(?:where|company|employer|firm)\b|哪里|哪儿|哪家|公司", re.IGNORECASE)


def is_kind_noun(word: str, names: Sequence[str]) -> bool:
    """Tell whether a word only says of what kind the values of these properties are."""
    return any(same_stem(word, noun) for name in names for noun in _NOUNS.get(name, "").split())


def other_hints(text: str, known: Sequence[str]) -> list[str]:
    """Give further properties that a question may mean, of those that the graph has."""
    found = [name for words, names in _ALSO if words.search(text) for name in names]
    if _BEST.search(text):
        found += [name for name in known if _is_best(name, text)]
    return [name for name in dict.fromkeys(found) if name in known]


def _is_best(name: str, text: str) -> bool:
    """Whether a favourite is of the kind that the question names: a restaurant liked best."""
    noun = name.removeprefix("favourite_")
    if noun == name:
        return False
    zh = noun == "restaurant" and re.search("店|餐|馆", text) is not None
    return zh or any(same_stem(noun, word) for word in re.findall(r"[^\W_]+", text))


def in_order(names: Sequence[str], text: str) -> list[str]:
    """Put where somebody works before what as, where the question asks for a place."""
    if "works_at" in names and _AT_WORK.search(text):
        return ["works_at", *(name for name in names if name not in ("works_at", "job_title"))]
    return list(names)
