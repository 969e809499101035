"""Small numbers in English words, for comparing "twice" with 2."""

_WORDS = (
    "one once first",
    "two twice second",
    "three third",
    "four fourth",
    "five fifth",
    "six sixth",
    "seven seventh",
    "eight eighth",
    "nine ninth",
    "ten tenth",
)
AMOUNTS = {
    word: str(number)
    for number, words in enumerate(_WORDS, start=1)
    for word in words.split()
    if word in ("once", "twice") or word == words.split()[0]
}
"""How many: "three" and "twice", but not "third"."""

NUMBERS = {
    word: str(number) for number, words in enumerate(_WORDS, start=1) for word in words.split()
}
"""These, and the places: "third"."""
