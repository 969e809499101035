"""Whether somebody known by name alone is a pet: by what the chats say of the name.

"Rufus wagged his tail at us": no pattern reads a pet in it, but no person wags a tail.
Asked only when a name gets an entity of its own, of a few messages, without a model. English only.
"""

import re

from apexmem_desktop.storage import turns, words
from apexmem_desktop.storage.vault import Connection

ANIMAL = "animal"
_MOST_TURNS = 20  # messages with the name that are looked at
_SPECIES = (
    r"(?:dog|doggy|puppy|pup|cat|kitty|kitten|pet|rabbit|bunny|hamster|parrot|turtle|tortoise|"
    r"horse|pony|ferret|goldfish|canary|furry (?:friend|pal|companion))"
)
_KIND = re.compile(rf"\b{_SPECIES}s?\b", re.IGNORECASE)
# Of the body and the ways of animals, in the same sentence as the name or the one behind it.
_WAYS = re.compile(
    r"\b(?:wag(?:s|ged|ging)?\b[^.!?]{0,20}\btails?|(?:his|her|its|['’]s) (?:\w+ )?(?:paws?|fur)\b"
    r"|leash|meow\w*|purr\w*|bark(?:s|ed|ing)|"
    r"litter box|fetch the ball|plays? fetch|los(?:e|ing) a pet|lost (?:a|our|my) pet)",
    re.IGNORECASE,
)


def is_told_as_pet(db: Connection, name: str) -> bool:
    """Tell whether messages with this name speak of an animal, and none of a person."""
    if not name.isascii() or " " in name.strip() or not name[:1].isupper():
        return False
    found = words.find_turns_by_words(db, name, _MOST_TURNS)
    texts = [one.text for one in turns.find_turns(db, [number for number, _ in found])]
    return any(speaks_of_pet(text, name) for text in texts)


def speaks_of_pet(text: str, name: str) -> bool:
    """Tell whether a message calls the name a pet's."""
    called = re.escape(name)
    named = re.search(
        rf"\b{_SPECIES},? (?:named |called |is |['’]s name is )?{called}\b"
        rf"|\b{called},? (?:is |was )?(?:my|our|the|a) (?:\w+ )?{_SPECIES}\b"
        rf"|\b(?:walk|walked|walking|feed|fed) {called}\b"
        rf"|\b(?:take|took|taking) {called} for a walk\b"
        rf"|\b(?:get|got|bring|take|took|taking) {called} (?:from|to) the (?:vet|shelter)\b",
        text,
        re.IGNORECASE,
    )
    if named:
        return True
    at = re.search(rf"\b{called}\b", text)
    if at is None:
        return False
    near = re.split(r"(?<=[.!?])\s+", text[at.start() :])[:2]
    return any(_are_its_own(sentence) for sentence in near)


def _are_its_own(sentence: str) -> bool:
    """Whether a sentence tells an animal's ways, and of none that it calls by its kind.

    "Anna's dog wags its tail" makes Anna no dog.
    """
    ways = _WAYS.search(sentence)
    return ways is not None and _KIND.search(sentence, 0, ways.start()) is None
