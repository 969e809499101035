"""Which words of a mail are its sender's own: not the quoted ones, nor the signature."""

import re

from apexmem_desktop.importers.html_text import Tag, Verdict, to_text

_QUOTED = re.compile(r"\s{0,2}>")
_WROTE = re.compile(
    r"(?:wrote|writes|schrieb.{0,80}|a écrit|escribió|ha scritto|schreef.{0,80}|escreveu"
    r"|skrev.{0,80}|kirjoitti|napsala?|napisała?|написала?|пишет|yazdı|写道|寫道|のメール|님이 작성"
    r"|wrote the following)\s*[:：]?\s*$",
    re.IGNORECASE,
)
# Before "wrote" stands a date: some digits, or a name in angle brackets.
_DATED = re.compile(r"\d|<[^>]*@")
# How one of several lines begins; without that the line above it is the sender's.
_OPENS = re.compile(
    r"(?:on|am|le|el|il|op|em|den|dnia|w dniu|dne|pada|пн|вт|ср|чт|пт|сб|вс|в|\d{1,4})\b|[于在]",
    re.IGNORECASE,
)
_MOST_ATTRIBUTION_LINES = 4
_MOST_ATTRIBUTION_CHARS = 400
_DIVIDER = re.compile(
    r"[-_\s]{2,}+(?:original message|forwarded message|original-nachricht|ursprüngliche nachricht"
    r"|weitergeleitete nachricht|message d'origine|message transféré|mensaje original"
    r"|mensaje reenviado|messaggio originale|messaggio inoltrato|mensagem original"
    r"|oorspronkelijk bericht|doorgestuurd bericht|исходное сообщение|пересылаемое сообщение"
    r"|原始邮件|转发的邮件|原始郵件|元のメッセージ|원본 메시지)[-_\s:]*$",
    re.IGNORECASE,
)
_SENDER_LINE = re.compile(
    r"\*?(?:from|von|de|da|van|från|fra|od|от|发件人|寄件者|差出人|보낸 사람)\s*[:：]\*?\s*\S",
    re.IGNORECASE,
)
_HEADER_LINE = re.compile(
    r"\*?(?:sent|date|to|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado|fecha|para"
    r"|asunto|inviato|data|oggetto|a|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne"
    r"|wysłano|do|temat|отправлено|дата|кому|тема|发送时间|日期|收件人|主题|送信日時|宛先|件名"
    r"|보낸 날짜|받는 사람|제목)\s*[:：]",
    re.IGNORECASE,
)
_LINES_OF_HEADERS = 5
_LONGEST_SIGNATURE_LINES = 12
_DEVICE = re.compile(
    r"(?:sent from (?:my|mail|yahoo|outlook)|get outlook for|von meinem .{2,30} gesendet"
    r"|gesendet von|envoyé de(?:puis)? mon|enviado (?:desde mi|do meu)|inviato da"
    r"|verzonden vanaf mijn|skickat från min|отправлено с|发自我的|從我的|iPhoneから送信).{0,60}$",
    re.IGNORECASE,
)
_RULE = re.compile(r"[-_=*]{3,}$")
_FOOTER = re.compile(
    r"confidential|privileged|unsubscribe|disclaimer|vertraulich|abmelden|confidentiel"
    r"|désabonner|confidencial|riservat|vertrouwelijk|конфиденциальн|保密|機密",
    re.IGNORECASE,
)
_MANY_LINES = re.compile(r"\n{3,}")
_QUOTE_MARKS = frozenset(
    {"gmail_quote", "gmail_quote_container", "yahoo_quoted", "protonmail_quote"}
)
_SIGNATURE_MARKS = frozenset({"gmail_signature", "moz-signature", "protonmail_signature_block"})
_ENDS = frozenset({"divrplyfwdmsg", "appendonsend", "outlookmessageheader", "moz-cite-prefix"})


def own_words(text: str, *, flowed: bool = False) -> str:
    """Keep what the sender wrote themselves, also between quoted lines.

    Args:
        flowed: Lines that end in a space go on in the next (format=flowed).
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = lines[: _end(lines)]
    lines = _without_attributions(lines)
    lines = [line for line in lines if not _QUOTED.match(line)]
    lines = _without_signature(lines)
    joined = _flowed(lines) if flowed else "\n".join(line.rstrip() for line in lines)
    return _MANY_LINES.sub("\n\n", joined).strip()


def html_words(source: str) -> str:
    """Write a mail in HTML as text, without what mail programs mark as quoted or as signature."""
    return own_words(to_text(source, _judge))


def _judge(tag: Tag) -> str:
    if tag.names & _ENDS:
        return Verdict.STOP
    if tag.name == "blockquote" or tag.names & (_QUOTE_MARKS | _SIGNATURE_MARKS):
        return Verdict.SKIP
    return Verdict.KEEP


def _end(lines: list[str]) -> int:
    """Find where another mail begins that was put below without marks."""
    for number, line in enumerate(lines):
        if _DIVIDER.match(line.strip()):
            return number
        if _SENDER_LINE.match(line.strip()) and _are_headers(lines, number + 1):
            rule = number > 0 and not lines[number - 1].strip(" _-")
            return number - 1 if rule else number
    return len(lines)


def _are_headers(lines: list[str], start: int) -> bool:
    following = lines[start : start + _LINES_OF_HEADERS]
    return sum(_HEADER_LINE.match(line.strip()) is not None for line in following) >= 2


def _without_attributions(lines: list[str]) -> list[str]:
    """Take out "On 3 May Ana wrote:"; where no marked lines follow, all that follows is hers."""
    ends = {
        number
        for number, line in enumerate(lines)
        if line.rstrip().endswith((":", "："))
        and not _QUOTED.match(line)
        and _WROTE.search(line.strip()[-_MOST_ATTRIBUTION_CHARS:])
    }
    kept: list[str] = []
    number = 0
    while ends and number < len(lines):
        length = _attribution_length(lines, number, ends)
        if not length:
            kept.append(lines[number])
            number += 1
            continue
        number += length
        following = next((line for line in lines[number:] if line.strip()), "")
        if not _QUOTED.match(following):
            return kept
    return kept + lines[number:]


def _attribution_length(lines: list[str], start: int, ends: set[int]) -> int:
    """Count the lines of an attribution that begins here; mail programs break long ones."""
    end = next((n for n in range(start, start + _MOST_ATTRIBUTION_LINES) if n in ends), None)
    if end is None:
        return 0
    given = [line.strip() for line in lines[start : end + 1]]
    joined = " ".join(given)
    begins = len(given) == 1 or (_OPENS.match(given[0]) and not _QUOTED.match(given[0]))
    is_one = begins and all(given) and len(joined) <= _MOST_ATTRIBUTION_CHARS
    return len(given) if is_one and _DATED.search(joined) else 0


def _without_signature(lines: list[str]) -> list[str]:
    below = sum(1 for line in lines if line.strip())
    for number, line in enumerate(lines):
        below -= bool(line.strip())
        is_short = below <= _LONGEST_SIGNATURE_LINES
        if line == "-- " or (is_short and (line == "--" or _is_footer(line, lines[number + 1 :]))):
            lines = lines[:number]
            break
    end = len(lines)
    while end and (not lines[end - 1].strip() or _DEVICE.match(lines[end - 1].strip())):
        end -= 1
    return lines[:end]


def _is_footer(rule: str, lines: list[str]) -> bool:
    """Tell a company's small print under a line of dashes, which no hand wrote."""
    written = next((line for line in lines if line.strip()), "")
    return bool(_RULE.match(rule.strip()) and _FOOTER.search(written))


def _flowed(lines: list[str]) -> str:
    joined = ""
    for line in lines:
        joined += line if line.endswith(" ") else f"{line}\n"
    return joined
