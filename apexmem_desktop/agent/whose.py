"""Whose facts and words may answer: "Mira's sister" is not Mira, and her deeds are not Mira's."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.domain.graph import Entity, Fact
from apexmem_desktop.domain.turn import Role
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.naming import Named, is_first_person
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.storage.names import normalise

# What somebody is to somebody, and the property that says so ("" where the ontology has none).
_KIN = {
    "sister": "sibling", "brother": "sibling", "twin": "sibling", "sibling": "sibling",
    "mother": "parent", "mum": "parent", "mom": "parent", "father": "parent", "dad": "parent",
    "parent": "parent", "parents": "parent", "son": "child", "daughter": "child",
    "child": "child", "kid": "child", "baby": "child", "wife": "partner", "husband": "partner",
    "partner": "partner", "boyfriend": "partner", "girlfriend": "partner", "fiancé": "partner",
    "fiancée": "partner", "spouse": "partner", "boss": "boss", "manager": "boss",
    "flatmate": "flatmate", "roommate": "flatmate", "housemate": "flatmate", "friend": "friend",
    "cat": "pet", "dog": "pet", "pet": "pet", "cousin": "", "aunt": "", "uncle": "",
    "grandmother": "", "grandma": "", "grandfather": "", "grandpa": "", "nephew": "",
    "niece": "", "neighbour": "", "neighbor": "", "colleague": "", "coach": "",
    "妹妹": "sibling", "姐姐": "sibling", "哥哥": "sibling", "弟弟": "sibling",
    "妈妈": "parent", "爸爸": "parent", "儿子": "child", "女儿": "child", "老婆": "partner",
    "老公": "partner", "女朋友": "partner", "男朋友": "partner", "室友": "flatmate",
    "老板": "boss", "猫": "pet", "狗": "pet", "表哥": "", "表姐": "", "同事": "", "邻居": "",
}  # fmt: skip
_KIN_WORDS = "|".join(sorted(_KIN, key=len, reverse=True))
# After the owner's name: "'s (younger) sister (Ada)", "的妹妹".
_RELATIVE = re.compile(
    rf"(?:['’]s?|的)?\s*(?:\w+\s+)?(?P<kin>{_KIN_WORDS})(?![a-z'’])"
    r"(?:,?\s+(?P<name>[A-ZÀ-Þ][\w’-]*(?:\s+[A-ZÀ-Þ][\w’-]*)*))?"
)
_ASKS_THE_NAME = re.compile(r"\bnames?\b|\bnamed\b|\bcalled\b|叫什么|名字", re.IGNORECASE)
_ASKS_YOU = re.compile(r"\byou(?:r|rs)?\b|你", re.IGNORECASE)
# "Can you remind me": that is who is asked now, not what "you" said then.
_POLITE = re.compile(
    r"\b(?:can|could|would|will|do|if) you (?:please |could |can |would )?"
    r"(?:remind|tell|remember|recall|know|think|say)\b",
    re.IGNORECASE,
)
_HAS_ONE = re.compile(r"\b(?:have|has|had|is|are|was)\b", re.IGNORECASE)


# What stands before and behind the name of whom one speaks to.
_CALLING = (
    r"(?:^|[.!?,;:—–…(，。！？-]\s*|\b(?:hey|hi|hello|thanks|thank you|thx|congrats|"
    r"congratulations|wow|woah|whoa|cool|yeah|yep|yes|no|nope|ok|okay|sure|sorry|great|awesome|nice|amazing|"
    r"absolutely|totally|definitely|exactly|agreed|oh|aww?|true|job|work|luck|morning|night|dear|bye|cheers|"
    r"welcome|please|hallo|danke|hola|gracias|salut|merci|ciao|grazie)\s+)"
)
_CALLED = r"(?=\s*(?:[,.!?;:)…—–，。！？]|$|-\s|[^\w\s'’]))"


@dataclass(frozen=True, slots=True)
class About:
    """Whom a question is about.

    Attributes:
        entity_ids: Whose facts may answer; empty with `names` given: the graph does not know them.
        names: One of these must say, or be named in, a turn that answers; empty: anybody may.
        speakers: Names of speakers among them.
        assistants: Whether an assistant's turns tell anything: where who asks is asked about, only
            if "you" are asked too; None where they are like anybody's.
    """

    entity_ids: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    assistants: bool | None = None

    def admits(self, hit: TurnHit) -> bool:
        """Tell whether a turn is said by, or tells of, whom the question is about.

        Who is only spoken to ("my favourite is green, Ana!") is not told of: of 435 such turns
        among the nearest eight, of 522 questions of the dev conversations, two were proof.
        """
        if self.assistants is not None and hit.role is Role.ASSISTANT:
            return self.assistants
        if not self.names or hit.speaker in self.speakers:
            return True
        told = normalise(f"{hit.speaker} {hit.text}")
        return any(
            _stands_in(normalise(name), told)
            and not (self.speakers and _is_only_called(name, hit.text))
            for name in self.names
        )


def is_kin(word: str) -> bool:
    """Tell whether a word says what somebody is to somebody."""
    return word.casefold() in _KIN


def kin_property(word: str) -> str:
    """Name the property that leads to "sister" or "sisters"; "" where there is none."""
    bare = word.casefold().removesuffix("'s").removesuffix("’s")
    return _KIN.get(bare, "") or _KIN.get(bare.removesuffix("s"), "")


def find_about(
    read: Understood, facts: Sequence[Fact], called: Callable[[str], Sequence[Entity]]
) -> About:
    """Tell whom a question is about, among those it names and what is somebody's to them.

    Args:
        facts: Facts of those it names, which may tell who "Mira's sister" is.
        called: Finds the entities that a first name may mean.
    """
    about = _find_about(read, facts, called)
    own = any(named.speaker and is_first_person(named.words) for named in read.entities)
    if not own:
        return about
    asked = _POLITE.sub(" ", read.question)
    return replace(about, assistants=_ASKS_YOU.search(asked) is not None)


def _find_about(
    read: Understood, facts: Sequence[Fact], called: Callable[[str], Sequence[Entity]]
) -> About:
    for owner in read.entities:
        relative = _RELATIVE.match(read.question, owner.end)
        if relative is None:
            continue
        if relative["name"]:
            return _named_relative(read, relative["name"], called)
        if not _asks_who_it_is(read, owner):
            return _relative(owner, relative["kin"], facts)
    return _everybody_named(read)


def _named_relative(
    read: Understood, name: str, called: Callable[[str], Sequence[Entity]]
) -> About:
    own = [named for named in read.entities if named.words in name or name in named.words]
    ids = [i for named in own for i in named.entity_ids]
    # The graph may know "Alex" only by the full name, and more than one of them.
    ids = ids or [
        entity.id for entity in called(name) if _stands_in(normalise(name), normalise(entity.name))
    ]
    return About(
        entity_ids=tuple(dict.fromkeys(ids)),
        names=(name,),
        speakers=tuple(named.speaker for named in own if named.speaker),
    )


def _asks_who_it_is(read: Understood, owner: Named) -> bool:
    """Whether the relative is what is asked for, not whom something is asked about."""
    others = any(named.name != owner.name for named in read.entities)
    return (
        read.kind in (Kind.WHO, Kind.HOW_MANY, Kind.LIST)
        or bool(_ASKS_THE_NAME.search(read.question))
        or (read.kind is Kind.YES_NO and others and bool(_HAS_ONE.match(read.question)))
    )


def _relative(owner: Named, kin: str, facts: Sequence[Fact]) -> About:
    known = [
        fact
        for fact in facts
        if fact.property == _KIN[kin] and fact.polarity and fact.subject_id in owner.entity_ids
    ]
    ids = [fact.value_entity_id for fact in known if fact.value_entity_id is not None]
    return About(
        entity_ids=tuple(dict.fromkeys(ids)),
        names=(*dict.fromkeys(fact.value for fact in known), kin),
    )


def _everybody_named(read: Understood) -> About:
    """Who speaks for themselves comes before the places and things that a question names too."""
    people = [named for named in read.entities if named.speaker] or list(read.entities)
    return About(
        entity_ids=read.entity_ids,
        names=tuple(dict.fromkeys(named.words for named in people)),
        speakers=tuple(dict.fromkeys(named.speaker for named in people if named.speaker)),
    )


def _is_only_called(name: str, text: str) -> bool:
    """Whether each time a name stands in a text, somebody is spoken to by it."""
    there = len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE))
    called = re.findall(rf"{_CALLING}{re.escape(name)}{_CALLED}", text, re.IGNORECASE)
    return there > 0 and len(called) >= there


def _stands_in(name: str, told: str) -> bool:
    """Whether a name stands in a text: as whole words, or anywhere in a script without spaces."""
    if not name.isascii():
        return name in told
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", told) is not None
