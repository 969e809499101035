"""Whether two names can be forms of one person's: Liz and Elizabeth, 小明 and 明明.

"Can be" only: who is meant is decided by who is known, and it is a link that can be taken back.
"""

import re
import tomllib
import unicodedata
from functools import lru_cache

from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.names import normalise

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_ENDEARING = re.compile(r"[小阿](?P<stem>[\u4e00-\u9fff])")
_DOUBLED = re.compile(r"(?P<stem>[\u4e00-\u9fff])(?P=stem)")
_CALLED = re.compile(r"(?P<stem>[\u4e00-\u9fff])(?:哥|姐|儿|子|妹|弟)")
# Of those called by the family name, 小王 and 老王 are two people as a rule.
_FAMILY = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁"
    "任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔"
)
_TITLE = re.compile(
    r"^(?:mr|mrs|ms|miss|dr|prof|professor|sir|aunt|auntie|uncle|coach|granny|grandma|grandpa)\.?\s+"
)
_LEAST_STEM = 3


def plain(name: str) -> str:
    """Give a name without accents, case, marks and titles, for comparing."""
    letters = unicodedata.normalize("NFKD", normalise(name))
    bare = "".join(one for one in letters if not unicodedata.combining(one))
    return re.sub(r"[.,]", "", _TITLE.sub("", unicodedata.normalize("NFC", bare))).strip()


def why_one_person(a: str, b: str) -> str:
    """Say why two different names can be one person's; "" when nothing says so."""
    left, right = plain(a), plain(b)
    if not left or not right:
        return ""
    if _HAN.fullmatch(left) and _HAN.fullmatch(right):
        return _why_chinese(left, right)
    if left == right:
        return f"{a} and {b} are one name, written in two ways"
    ours, theirs = left.split(), right.split()
    if len(ours) > 1 and len(theirs) > 1 and ours[-1] != theirs[-1]:
        return ""  # another family name
    if len(ours) > 2 or len(theirs) > 2:
        return ""
    if ours[0] == theirs[0]:
        return ""  # plain first names are matched before this is asked
    return f"{a} and {b} are forms of one name" if are_forms(ours[0], theirs[0]) else ""


def why_beside(a: str, b: str) -> str:
    """Say why two short names can be one person's of whom the full name is known; "" for nothing.

    That both can be short for it is not enough: Will and Bill Tate may be two Williams.
    """
    left, right = plain(a), plain(b)
    if _HAN.fullmatch(left) and _HAN.fullmatch(right):
        stem, full = (_stem(left), right) if _stem(left) else (_stem(right), left)
        return f"{a} and {b} have {stem} in common" if stem and stem in full else ""
    ours, theirs = left.split(), right.split()
    if not ours or not theirs:
        return ""
    if len(ours) > 1 and ours[1:] == theirs[1:] and _names_of(ours[0]) & _names_of(theirs[0]):
        return f"{a} and {b} are short for one name, and bear the same family name"
    short, long = sorted((ours[0], theirs[0]), key=len)
    if len(ours) == len(theirs) == 1 and len(short) > 1 and long.startswith(short):
        return f"{long} is {short} at more length"
    return ""


def are_forms(a: str, b: str) -> bool:
    """Whether one given name is a form of the other.

    Two short forms of one name are no match: who is called Beth is not called Liz as well.
    """
    return (
        a in _names_of(b)
        or b in _names_of(a)
        or _is_diminutive(a, b)
        or _is_diminutive(b, a)
        or bool(_spelled(a) & _spelled(b))
    )


def _names_of(form: str) -> frozenset[str]:
    """The full names that a form can stand for, in every spelling."""
    full = _table("english").get(form, frozenset())
    return frozenset(spelling for name in full for spelling in _spelled(name)) | _spelled(form)


def _spelled(name: str) -> frozenset[str]:
    """A name and how else it is written."""
    return _table("spellings").get(name, frozenset((name,)))


@lru_cache(maxsize=2)
def _table(part: str) -> dict[str, frozenset[str]]:
    with (resources_dir() / "ontology" / "nicknames.toml").open("rb") as file:
        rows = tomllib.load(file)[part]
    found: dict[str, frozenset[str]] = {}
    for name, forms in rows.items():
        group = frozenset((name, *forms.split()))
        for form in group if part == "spellings" else forms.split():
            meant = group if part == "spellings" else frozenset((name,))
            found[form] = found.get(form, frozenset()) | meant
    return found


def _is_diminutive(short: str, long: str) -> bool:
    """Tommy of Tom, Annie of Ann."""
    if len(short) < _LEAST_STEM or not long.startswith(short):
        return False
    return long[len(short) :] in {"y", "ie", "ey", f"{short[-1]}y", f"{short[-1]}ie"}


def _why_chinese(a: str, b: str) -> str:
    if a == b:
        return ""
    ours, theirs = _stem(a), _stem(b)
    if ours and theirs:
        alike = ours == theirs and ours not in _FAMILY
        return f"{a} and {b} are pet names of one ({ours})" if alike else ""
    short, full = (a, b) if ours or len(a) < len(b) else (b, a)
    given = full[1:] if full[0] in _FAMILY and len(full) in (2, 3) else ""
    if not given:
        return ""
    stem = _stem(short)
    if short == given or (stem and stem in given and stem not in _FAMILY):
        return f"{short} is short for {full}"
    return ""


def _stem(name: str) -> str:
    """The one character that a pet name is made of; "" for a name that is none."""
    for form in (_DOUBLED, _ENDEARING, _CALLED):
        if match := form.fullmatch(name):
            return match["stem"]
    return ""
