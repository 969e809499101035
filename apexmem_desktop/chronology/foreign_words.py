"""Phrasebooks: how German, French, Spanish, Portuguese and Japanese tell the time. Data only.

Each rule is a pattern and the English that means the same; the English grammar works it out.
Placeholders: {n} number, {u} unit, {w} weekday, {m} month, {s} season, {p} part of the day,
{d} day of the month, {y} year, {f} feast; {D}, {M} and {z} the day, month and year a range ends in,
{x} whatever last/next can stand before.
"""

from dataclasses import dataclass

YEAR = r"(?P<y>(?:19|20)\d\d)"
DAY = r"(?P<d>[0-3]?\d)"
LAST_YEAR = r"(?P<z>(?:19|20)\d\d)"  # the second of two
LAST_DAY = r"(?P<D>[0-3]?\d)"
_YEARS = (r"(?<![\d.-]){y}\ ?[-–]\ ?{z}(?![\d.-])", "from {y} to {z}")
_MONTHS = "from {d} {m} {y} to {D} {M} {z}"
_DAYS = "from the {d}th to the {D}th of {M} {z}"
_DECADE = r"(?P<y>(?:19|20)?\d0)"


@dataclass(frozen=True)
class Phrasebook:
    """The words of one language, each pattern with its English.

    Attributes:
        since: What stands before a start ("seit 2016"); until, before an end.
        past: Cues that the sentence tells of what was; future, of what is to come.
        feasts: Feasts of one day.
        hour: What tells the hour behind a day; its groups are h (hour), q (minutes), p (part).
        lone: Words that stand in expressions without any of the words above.
        back: Those words for a start that only look back ("seit", not "ab").
        common: The commonest words, by which a text is known to be in this language.
        spaced: Words are parted by spaces.
    """

    numbers: dict[str, str]
    units: dict[str, str]
    weekdays: tuple[str, ...]
    months: tuple[str, ...]
    seasons: dict[str, str]
    parts: dict[str, str]
    rules: tuple[tuple[str, str], ...]
    since: str
    until: str
    past: str
    future: str
    feasts: dict[str, str]
    hour: str
    lone: str = ""
    back: str = ""
    common: str = ""
    spaced: bool = True


def _numbers(words: str) -> dict[str, str]:
    """Pair the words for 1 to 12 with digits; alternatives are joined by a bar."""
    return {pattern: str(number) for number, pattern in enumerate(words.split(), start=1)}


def _in_a_year(
    years: dict[str, tuple[str, str]], month: str, season: str, day: str
) -> tuple[tuple[str, str], ...]:
    """Give the rules for what lies in last, this or next year, before or behind its name.

    Args:
        years: By English word how the year is called, and how as "of that year".
        month, season, day: How each is told.
    """
    return tuple(
        rule
        for english, (year, of_year) in years.items()
        for told, inside in ((month, "{m}"), (season, "{s}"), (day, "{d} {m}"))
        for rule in (
            (rf"{year},?\ {told}", f"{inside} {english} year"),
            (rf"{told}\ {of_year}", f"{inside} {english} year"),
        )
    )


GERMAN = Phrasebook(
    numbers={**_numbers("ein(?:e[mnrs]?)? zwei drei vier fünf sechs sieben acht neun zehn elf "
                        "zwölf"),
             r"(?:ein\ paar|einigen?|wenigen)": "a few"},
    units={"tag(?:e|en)?": "days", "wochen?": "weeks", "monat(?:e|en)?": "months",
           "jahr(?:e|en)?": "years", "stunden?": "hours", "minuten?": "minutes"},
    weekdays=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "(?:samstag|sonnabend)",
              "sonntag"),
    months=("(?:januar|jänner)", "februar", "märz", "april", "mai", "juni", "juli", "august",
            "september", "oktober", "november", "dezember"),
    seasons={"(?:frühling|frühjahr)": "spring", "sommer": "summer", "herbst": "autumn",
             "winter": "winter"},
    parts={"(?:früh|morgen|vormittag)": "morning", "(?:nachmittag|mittag)": "afternoon",
           "abend": "evening", "nacht": "night"},
    rules=(
        *_in_a_year(
            {"last": (r"(?:letzte|vergangene|vorige)s\ jahr",
                      r"(?:letzten|vergangenen|vorigen)\ jahres"),
             "this": (r"dieses\ jahr", r"diese[sn]\ jahres"),
             "next": (r"(?:nächste|kommende)s\ jahr", r"(?:nächsten|kommenden)\ jahres")},
            r"(?:im\ )?{m}", r"im\ {s}", r"(?:am\ )?{d}\.\ ?{m}",
        ),
        (r"vorgestern(?:\ {p})?", "the day before yesterday {p}"),
        (r"übermorgen(?:\ {p})?", "the day after tomorrow {p}"),
        (r"gestern(?:\ {p})?", "yesterday {p}"),
        (r"heute(?:\ {p})", "this {p}"),
        ("heute", "today"),
        (r"(?<!guten\ )(?<!am\ )(?<!jeden\ )(?-i:morgen)(?:\ {p})?", "tomorrow {p}"),
        (r"(?:letzte|vergangene|vorige)[nrsm]?\ {x}", "last {x}"),
        (r"(?:nächste|kommende)[nrsm]?\ {x}", "next {x}"),
        (r"diese[nrsm]?\ {x}", "this {x}"),
        (r"vorletzte[nrsm]?\ {x}", "the {x} before last"),
        (r"übernächste[nrsm]?\ {x}", "the {x} after next"),
        (r"(?:am|übers)\ wochenende", "over the weekend"),
        (r"heute\ vor\ {n}\ {u}", "{n} {u} ago today"),
        (r"vor\ {n}\ {u}", "{n} {u} ago"),
        (r"in\ {n}\ {u}", "in {n} {u}"),
        (r"seit\ {n}\ {u}", "for {n} {u} now"),
        (r"(?:am\ )?{w}(?:,?\ (?:den\ |dem\ )?{d}\.\ {m}(?:\ {y})?)", "{d} {m} {y}"),
        (r"(?<!jeden\ )(?:am\ )?{w}(?:\ {p})?", "{w} {p}"),
        (r"(?:am\ |den\ |dem\ )?{d}\.\ ?{m}(?:\ {y})?", "{d} {m} {y}"),
        (r"anfang\ {m}(?:\ {y})?", "early {m} {y}"),
        (r"mitte\ {m}(?:\ {y})?", "mid {m} {y}"),
        (r"ende\ {m}(?:\ {y})?", "late {m} {y}"),
        *(
            (rf"{german}\ {which}\ {{x}}e?s", f"{third} {direction} {{x}}")
            for german, third in (("anfang", "early"), ("mitte", "mid"), ("ende", "late"))
            for which, direction in (
                ("(?:letzten|vergangenen|vorigen)", "last"), ("diese[sn]", "this"),
                ("(?:nächsten|kommenden)", "next"),
            )
        ),
        (r"anfang\ {y}", "early {y}"),
        (r"mitte\ {y}", "mid {y}"),
        (r"ende\ {y}", "late {y}"),
        (r"(?:von|zwischen)\ {y}\ (?:bis|und)\ {z}", "from {y} to {z}"),
        (r"(?:vom|von|zwischen(?:\ dem)?)\ (?:{d}\.\ ?)?{m}(?:\ {y})?\ (?:bis|und)"
         r"(?:\ (?:zum|dem))?\ (?:{D}\.\ ?)?{M}(?:\ {z})?", _MONTHS),
        (r"(?:vom|zwischen\ dem)\ {d}\.\ (?:bis|und)(?:\ (?:zum|dem))?\ {D}\.\ ?{M}(?:\ {z})?",
         _DAYS),
        _YEARS,
        (r"in\ den\ " + _DECADE + r"er(?:n|\ jahren)", "the {y}s"),
        (r"(?:an|zu|über|seit|bis)\ {f}(?:\ {y})?", "{f} {y}"),
        (r"{f}\ {y}", "{f} {y}"),
        (r"(?:im\ |seit\ |bis\ |ab\ ){m}(?:\ {y})?", "{m} {y}"),
        (r"{m}\ {y}", "{m} {y}"),
        (r"im\ {s}(?:\ {y})?", "in the {s} {y}"),
        (r"{s}\ {y}", "{s} {y}"),
        (r"(?:im\ jahre?\ |seit\ |bis\ |ab\ ){y}", "{y}"),
        (r"(?<![\d.,€$]\ )(?<![\d.,€$]){y}(?=\ (?-i:[a-zäöü]))", "{y}"),
    ),
    since=r"(?:seit|ab)(?:\ (?:dem|der))?",
    until=r"bis(?:\ (?:zum|zur))?",
    past=r"\b(?:war|waren|hatte|hatten|habe|hab|hat|haben|bin|sind|wurde|ging|kam|ge\w+t|ge\w+en)\b",
    future=r"\b(?:werde|wird|werden|will|wollen|möchte|soll|sollen|planen?|kommt|treffen)\b",
    feasts={"weihnachten": "Christmas", "heiligabend": "Christmas Eve", "ostern": "Easter",
            "silvester": "New Year's Eve", "neujahr": "New Year's Day"},
    hour=(r",?\ um\ (?P<h>\d{1,2})(?::(?P<q>\d\d)(?:\ uhr)?|\ ?uhr)"
          r"(?:\ (?P<p>früh|nachmittag|abend)s?)?"),
    lone="vorgestern gestern heute übermorgen wochenende jahres monats",
    back="seit",
    common=(
        "ich und der die das nicht ist wir ein eine mit habe war für auf auch sie bin hat "
        "haben wird uns es mir den dem im am zu von wie aber noch so ja"
    ),
)  # fmt: skip

FRENCH = Phrasebook(
    numbers={**_numbers("une? deux trois quatre cinq six sept huit neuf dix onze douze"),
             "quelques": "a few"},
    units={"jours?": "days", "semaines?": "weeks", "mois": "months", "(?:ans?|années?)": "years",
           "heures?": "hours", "minutes?": "minutes"},
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    months=("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
            "octobre", "novembre", "décembre"),
    seasons={"printemps": "spring", "été": "summer", "automne": "autumn", "hiver": "winter"},
    parts={"matin": "morning", "après-midi": "afternoon", "soir": "evening", "nuit": "night"},
    rules=(
        *_in_a_year(
            {"last": (r"l'(?:année\ dernière|an\ dernier)",
                      r"(?:de\ )?l'(?:année\ dernière|an\ dernier)"),
             "this": (r"cette\ année", r"de\ cette\ année"),
             "next": (r"l'(?:année\ prochaine|an\ prochain)",
                      r"(?:de\ )?l'(?:année\ prochaine|an\ prochain)")},
            r"(?:en\ )?{m}", r"(?:en|au|à\ l'|l')\ ?{s}", r"(?:le\ )?{d}(?:er)?\ {m}",
        ),
        (r"avant-hier(?:\ {p})?", "the day before yesterday {p}"),
        (r"après-demain(?:\ {p})?", "the day after tomorrow {p}"),
        (r"hier(?:\ {p})?", "yesterday {p}"),
        (r"aujourd'hui", "today"),
        (r"demain(?:\ {p})?", "tomorrow {p}"),
        (r"ce(?:tte|t)?\ {p}", "this {p}"),
        (r"(?:la\ |le\ |l'){x}\ (?:derni[eè]re?|passée?)", "last {x}"),
        (r"{x}\ (?:derni[eè]re?|passée?)", "last {x}"),
        (r"(?:la\ |le\ |l')?{x}\ prochaine?", "next {x}"),
        (r"cet(?:te)?\ {x}", "this {x}"),
        (r"ce\ {x}", "this {x}"),
        (r"il\ y\ a\ {n}\ {u}", "{n} {u} ago"),
        (r"dans\ {n}\ {u}", "in {n} {u}"),
        (r"depuis\ {n}\ {u}", "for {n} {u} now"),
        (r"(?:le\ )?(?:{w}\ )?{d}(?:er)?\ {m}(?:\ {y})?", "{d} {m} {y}"),
        (r"(?<!le\ )(?<!tous\ les\ ){w}(?:\ {p})?", "{w} {p}"),
        (r"début\ {m}(?:\ {y})?", "early {m} {y}"),
        (r"mi-{m}(?:\ {y})?", "mid {m} {y}"),
        (r"fin\ {m}(?:\ {y})?", "late {m} {y}"),
        (r"début\ {y}", "early {y}"),
        (r"mi-{y}", "mid {y}"),
        (r"fin\ {y}", "late {y}"),
        (r"(?:de|entre|depuis)\ {y}\ (?:à|et|jusqu'en)\ {z}", "from {y} to {z}"),
        (r"(?:du|d[e']|entre(?:\ le)?|depuis(?:\ le)?)\ ?(?:{d}(?:er)?\ )?{m}(?:\ {y})?\ "
         r"(?:à|au|et|jusqu'(?:à|en|au))(?:\ le)?\ (?:{D}(?:er)?\ )?{M}(?:\ {z})?", _MONTHS),
        (r"(?:du|entre\ le)\ {d}(?:er)?\ (?:au|et\ le)\ {D}\ {M}(?:\ {z})?", _DAYS),
        _YEARS,
        (r"(?:dans\ )?les\ années\ " + _DECADE, "the {y}s"),
        (r"(?:à|pour|depuis|jusqu'à)\ {f}(?:\ {y})?", "{f} {y}"),
        (r"{f}\ {y}", "{f} {y}"),
        (r"(?:en\ |depuis\ |jusqu'en\ |au\ mois\ d[e']\ ?){m}(?:\ {y})?", "{m} {y}"),
        (r"{m}\ {y}", "{m} {y}"),
        (r"(?:en\ |au\ |à\ l'){s}(?:\ {y})?", "in the {s} {y}"),
        (r"(?:en\ |depuis\ |jusqu'en\ ){y}", "{y}"),
    ),
    since=r"(?:depuis|dès|à\ partir\ d[eu])(?:\ l[ea])?",
    until=r"jusqu'(?:à|au|en)(?:\ l[ea])?",
    past=r"\b(?:était|étaient|avait|ai|a|avons|ont|suis|sommes|sont|allée?s?)\b|\w+é\b",
    future=r"\b(?:vais|va|allons|vont|veux|voulons|prévu|serai|sera|\w+rai|\w+rons)\b",
    feasts={"noël": "Christmas", "pâques": "Easter", r"la\ saint-sylvestre": "New Year's Eve",
            r"le\ (?:nouvel|jour\ de\ l')\ ?an": "New Year's Day"},
    hour=(r",?\ (?:à|vers)\ (?P<h>\d{1,2})\ ?(?:heures?|h)\ ?(?P<q>\d\d)?"
          r"(?:\ du\ (?P<p>matin|soir))?"),
    lone="hier aujourd'hui demain week-?end nouvel sylvestre",
    back="depuis",
    common=(
        "je tu il elle nous vous et le la les des un une est pas que qui dans pour avec "
        "sur au du ce j'ai c'est mon ma mes suis ai en de à ne on"
    ),
)  # fmt: skip

SPANISH = Phrasebook(
    numbers={**_numbers("un[ao]? dos tres cuatro cinco seis siete ocho nueve diez once doce"),
             "(?:un[ao]s|poc[ao]s)": "a few"},
    units={"días?": "days", "semanas?": "weeks", "mes(?:es)?": "months", "años?": "years",
           "horas?": "hours", "minutos?": "minutes"},
    weekdays=("lunes", "martes", "mi[eé]rcoles", "jueves", "viernes", "s[aá]bado", "domingo"),
    months=("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto",
            "septiembre", "octubre", "noviembre", "diciembre"),
    seasons={"primavera": "spring", "verano": "summer", "otoño": "autumn", "invierno": "winter"},
    parts={"mañana": "morning", "tarde": "afternoon", "noche": "night"},
    rules=(
        *_in_a_year(
            {"last": (r"(?:el\ )?año\ pasado", r"del\ año\ pasado"),
             "this": (r"este\ año", r"de\ este\ año"),
             "next": (r"(?:el\ )?(?:próximo\ año|año\ que\ viene)",
                      r"del\ (?:próximo\ año|año\ que\ viene)")},
            r"(?:en\ )?{m}", r"en\ (?:el\ |la\ )?{s}", r"(?:el\ )?{d}\ de\ {m}",
        ),
        (r"antes?\ ?de\ ?ayer|anteayer|antier", "the day before yesterday"),
        (r"pasado\ mañana", "the day after tomorrow"),
        (r"anoche", "last night"),
        (r"ayer(?:\ (?:por|en|a)\ la\ {p})?", "yesterday {p}"),
        (r"hoy", "today"),
        (r"esta\ {p}", "this {p}"),
        (r"(?<!la\ )(?<!de\ )mañana(?:\ por\ la\ {p})?", "tomorrow {p}"),
        (r"(?:el\ |la\ )?{x}\ pasad[oa]", "last {x}"),
        (r"(?:el\ |la\ )?(?:pasad[oa]|últim[oa])\ {x}", "last {x}"),
        (r"(?:el\ |la\ )?(?:próxim[oa])\ {x}", "next {x}"),
        (r"(?:el\ |la\ )?{x}\ (?:próxim[oa]|que\ viene)", "next {x}"),
        (r"est[ea]\ {x}", "this {x}"),
        (r"hace\ {n}\ {u}", "{n} {u} ago"),
        (r"(?:dentro\ de|en)\ {n}\ {u}", "in {n} {u}"),
        (r"desde\ hace\ {n}\ {u}", "for {n} {u} now"),
        (r"(?:el\ )?(?:{w}\ )?{d}\ de\ {m}(?:\ (?:del?\ )?{y})?", "{d} {m} {y}"),
        (r"(?:el\ )?{w}(?:\ por\ la\ {p})?", "{w} {p}"),
        (r"(?:a\ )?principios\ de\ {m}(?:\ (?:del?\ )?{y})?", "early {m} {y}"),
        (r"(?:a\ )?mediados\ de\ {m}(?:\ (?:del?\ )?{y})?", "mid {m} {y}"),
        (r"(?:a\ )?fina(?:les)?\ de\ {m}(?:\ (?:del?\ )?{y})?", "late {m} {y}"),
        (r"(?:a\ )?principios\ de\ {y}", "early {y}"),
        (r"(?:a\ )?mediados\ de\ {y}", "mid {y}"),
        (r"(?:a\ )?fina(?:les)?\ de\ {y}", "late {y}"),
        (r"(?:de|desde|entre)\ {y}\ (?:a|hasta|y)\ {z}", "from {y} to {z}"),
        (r"(?:del?|desde|entre)(?:\ el)?\ (?:{d}\ de\ )?{m}(?:\ (?:del?\ )?{y})?\ "
         r"(?:al?|hasta|y)(?:\ el)?\ (?:{D}\ de\ )?{M}(?:\ (?:del?\ )?{z})?", _MONTHS),
        (r"(?:del|(?:desde|entre)\ el)\ {d}\ (?:al|(?:hasta|y)\ el)\ {D}\ de\ {M}"
         r"(?:\ (?:del?\ )?{z})?", _DAYS),
        _YEARS,
        (r"(?:en\ )?los\ años\ " + _DECADE, "the {y}s"),
        (r"el\ fin\ de\ semana", "over the weekend"),
        (r"(?:en|desde|hasta|por|para)\ {f}(?:\ (?:del?\ )?{y})?", "{f} {y}"),
        (r"(?:en\ |desde\ |hasta\ ){m}(?:\ (?:del?\ )?{y})?", "{m} {y}"),
        (r"{m}\ (?:del?\ )?{y}", "{m} {y}"),
        (r"en\ (?:el\ |la\ )?{s}(?:\ (?:del?\ )?{y})?", "in the {s} {y}"),
        (r"(?:en\ |desde\ |hasta\ ){y}", "{y}"),
    ),
    since=r"desde(?:\ (?:el|la))?",
    until=r"hasta(?:\ (?:el|la))?",
    past=r"\b(?:fui|fue|fuimos|era|estaba|estuve|he|ha|hemos|había|"
    r"(?!(?:i|ha|se|esta|ten|pod|ven|sal|di|ve|volve|viaja|compra|llama)d?ré\b)\w+(?:é|ó|aron|ieron|imos|aba))\b",
    future=r"\b(?:voy|va|vamos|van|quiero|queremos|será|\w+(?:ré|remos|rá|rán))\b",
    feasts={r"(?:la\ )?navidad": "Christmas", r"(?:la\ )?nochebuena": "Christmas Eve",
            r"(?:la\ )?nochevieja": "New Year's Eve", r"año\ nuevo": "New Year's Day"},
    hour=(r",?\ a\ las?\ (?P<h>\d{1,2})"
          r"(?::(?P<q>\d\d)|(?=\ (?:de|por)\ la)|(?<=1[3-9])|(?<=2\d))"
          r"(?:\ (?:de|por)\ la\ (?P<p>mañana|tarde|noche))?"),
    lone="ayer anteayer antier anoche hoy navidad nochebuena nochevieja nuevo",
    back="desde",
    common=(
        "yo el la los las y es no que de en un una con para por lo mi me se del al pero "
        "muy fui estoy está nos te su como más"
    ),
)  # fmt: skip

PORTUGUESE = Phrasebook(
    numbers={**_numbers("uma? (?:dois|duas) tr[eê]s quatro cinco seis sete oito nove dez onze "
                        "doze"),
             "(?:alguns|algumas|uns|umas|poucos|poucas)": "a few"},
    units={"dias?": "days", "semanas?": "weeks", "(?:mês|meses)": "months", "anos?": "years",
           "horas?": "hours", "minutos?": "minutes"},
    weekdays=("segunda(?:-feira)?", "terça(?:-feira)?", "quarta(?:-feira)?", "quinta(?:-feira)?",
              "sexta(?:-feira)?", "sábado", "domingo"),
    months=("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto",
            "setembro", "outubro", "novembro", "dezembro"),
    seasons={"primavera": "spring", "verão": "summer", "outono": "autumn", "inverno": "winter"},
    parts={"manhã": "morning", "tarde": "afternoon", "noite": "night"},
    rules=(
        *_in_a_year(
            {"last": (r"(?:n?o\ )?ano\ passado", r"do\ ano\ passado"),
             "this": (r"(?:n?este)\ ano", r"deste\ ano"),
             "next": (r"(?:n?o\ )?(?:próximo\ ano|ano\ que\ vem)",
                      r"do\ (?:próximo\ ano|ano\ que\ vem)")},
            r"(?:em\ )?{m}", r"n[oa]\ {s}", r"(?:n?o\ )?(?:dia\ )?{d}\ de\ {m}",
        ),
        (r"anteontem(?:\ [àa]\ {p})?", "the day before yesterday {p}"),
        (r"depois\ de\ amanhã(?:\ (?:[àa]|de)\ {p})?", "the day after tomorrow {p}"),
        (r"ontem(?:\ [àa]\ {p})?", "yesterday {p}"),
        (r"hoje(?:\ [àa]\ {p})", "this {p}"),
        (r"hoje", "today"),
        (r"amanhã(?:\ (?:[àa]|de)\ {p})?", "tomorrow {p}"),
        (r"(?:n?[oa]\ )?{x}\ passad[oa]", "last {x}"),
        (r"(?:n?[oa]\ )?últim[oa]\ {x}", "last {x}"),
        (r"(?:n?[oa]\ )?próxim[oa]\ {x}", "next {x}"),
        (r"(?:n?[oa]\ )?{x}\ que\ vem", "next {x}"),
        (r"n?est[ea]\ {x}", "this {x}"),
        (r"há\ {n}\ {u}(?:\ atrás)?", "{n} {u} ago"),
        (r"{n}\ {u}\ atrás", "{n} {u} ago"),
        (r"(?:daqui\ a|em)\ {n}\ {u}", "in {n} {u}"),
        (r"desde\ há\ {n}\ {u}", "for {n} {u} now"),
        (r"(?:n?o\ )?(?:dia\ )?{d}\ de\ {m}(?:\ de\ {y})?", "{d} {m} {y}"),
        (r"(?:na\ |no\ ){w}(?:\ à\ {p})?", "{w} {p}"),
        (r"{w}(?<=feira)", "{w}"),
        (r"(?:no\ )?início\ de\ {m}(?:\ de\ {y})?", "early {m} {y}"),
        (r"(?:em\ )?meados\ de\ {m}(?:\ de\ {y})?", "mid {m} {y}"),
        (r"(?:no\ )?fi(?:m|nal)\ de\ {m}(?:\ de\ {y})?", "late {m} {y}"),
        (r"(?:no\ )?início\ de\ {y}", "early {y}"),
        (r"(?:em\ )?meados\ de\ {y}", "mid {y}"),
        (r"(?:no\ )?fi(?:m|nal)\ de\ {y}", "late {y}"),
        (r"(?:de|desde|entre)\ {y}\ (?:a|até|e)\ {z}", "from {y} to {z}"),
        (r"(?:d[eo]|desde|entre)(?:\ o)?\ (?:{d}\ de\ )?{m}(?:\ de\ {y})?\ "
         r"(?:a|ao?|até|e)(?:\ o)?\ (?:{D}\ de\ )?{M}(?:\ de\ {z})?", _MONTHS),
        _YEARS,
        (r"(?:n?os\ )?anos\ " + _DECADE, "the {y}s"),
        (r"no\ fi(?:m|nal)\ de\ semana", "over the weekend"),
        (r"(?:n[oa]|desde|até)\ (?:[oa]\ )?{f}(?:\ de\ {y})?", "{f} {y}"),
        (r"(?:em\ |desde\ |até\ ){m}(?:\ de\ {y})?", "{m} {y}"),
        (r"{m}\ de\ {y}", "{m} {y}"),
        (r"n[oa]\ {s}(?:\ de\ {y})?", "in the {s} {y}"),
        (r"(?:em\ |desde\ |até\ ){y}", "{y}"),
    ),
    since=r"desde(?:\ [oa])?",
    until=r"até(?:\ [oa]|\ à)?",
    past=r"\b(?:fui|foi|fomos|era|estava|tinha|(?!(?:vou|sou|estou|dou|sei|\w+rei)\b)\w+(?:ei|ou|aram|eram|iram|ava))\b",
    future=r"\b(?:vou|vai|vamos|vão|quero|queremos|será|\w+(?:rei|remos))\b",
    feasts={"natal": "Christmas", r"véspera\ de\ natal": "Christmas Eve", "páscoa": "Easter",
            "réveillon": "New Year's Eve", r"ano\ novo": "New Year's Day"},
    hour=(r",?\ às?\ (?P<h>\d{1,2})(?:h|:)(?P<q>\d\d)?"
          r"(?:\ da\ (?P<p>manhã|tarde|noite))?"),
    lone="ontem anteontem hoje amanhã natal novo",
    back="desde",
    common=(
        "eu o a os as e é não que de em um uma com para por meu minha me se do da no na "
        "mas muito foi estou está nós você ele ela seu sua mais"
    ),
)  # fmt: skip

_JA_N = r"[0-9０-９一二三四五六七八九十]+"
JAPANESE = Phrasebook(
    numbers={_JA_N: "", "数": "a few"},
    units={"日": "days", "週間": "weeks", "(?:か|ヶ|カ|ケ|ヵ|箇|個)月": "months", "年": "years",
           "時間": "hours", "分": "minutes"},
    weekdays=tuple(f"{sign}曜日?" for sign in "月火水木金土日"),
    months=tuple(rf"(?<!\d)0?{number}月" for number in range(1, 13)),
    seasons={"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"},
    parts={"朝": "morning", "午前": "morning", "午後": "afternoon", "夕方": "evening",
           "夜": "night", "晩": "night"},
    rules=(
        ("一昨日|おととい|おとつい", "the day before yesterday"),
        ("明後日|あさって", "the day after tomorrow"),
        ("(?:昨日|きのう)(?:の{p})?", "yesterday {p}"),
        ("(?:今日|きょう)(?:の{p})?", "today {p}"),
        ("(?:明日|あした)(?:の{p})?", "tomorrow {p}"),
        ("今朝|けさ", "this morning"),
        ("今晩|今夜", "tonight"),
        ("昨夜|昨晩|ゆうべ", "last night"),
        ("先週の?{w}", "{w} last week"),
        ("来週の?{w}", "{w} next week"),
        ("今週の?{w}", "{w} this week"),
        ("再来週の?{w}", "{w} of the week after next"),
        ("先々週の?{w}", "{w} of the week before last"),
        ("先週末", "last weekend"),
        ("(?:今)?週末", "this weekend"),
        ("来週末", "next weekend"),
        ("先々週", "the week before last"),
        ("再来週", "the week after next"),
        ("先週", "last week"),
        ("今週", "this week"),
        ("来週", "next week"),
        ("先々月", "2 months ago"),
        ("再来月", "the month after next"),
        ("先月末", "late last month"),
        ("今月末", "late this month"),
        ("来月末", "late next month"),
        ("先月", "last month"),
        ("今月", "this month"),
        ("来月", "next month"),
        ("(?:去年|昨年)の?(?:今日|きょう)", "1 year ago today"),
        ("(?:去年|昨年)の?{s}", "{s} last year"),
        ("(?:去年|昨年)", "last year"),
        ("(?:一昨年|おととし)", "2 years ago"),
        ("今年の?{s}", "{s} this year"),
        ("今年|ことし", "this year"),
        ("来年", "next year"),
        ("再来年", "the year after next"),
        *(
            (f"{year}の?{{m}}(?:{{d}}日)?", f"{{d}} {{m}} {english} year")
            for year, english in (("(?:去年|昨年)", "last"), ("今年", "this"), ("来年", "next"))
        ),
        ("半年(?:ほど|くらい)?前", "half a year ago"),
        ("半年後", "in half a year"),
        ("{y}年から{z}年まで", "from {y} to {z}"),
        ("(?:{y}年)?{m}(?:{d}日)?から(?:{z}年)?{M}(?:{D}日)?まで", _MONTHS),
        (_DECADE + "年代", "the {y}s"),
        ("{f}", "{f}"),
        ("{n}{u}(?:ほど|くらい)?前", "{n} {u} ago"),
        ("{n}{u}後", "in {n} {u}"),
        ("{n}{u}間?前から", "for {n} {u} now"),
        ("{y}年{m}{d}日", "{d} {m} {y}"),
        ("{y}年の?{m}", "{m} {y}"),
        ("{y}年の{s}", "{s} {y}"),
        ("{y}年", "{y}"),
        ("{m}{d}日", "{d} {m}"),
        ("{m}の?(?:上旬|初め|はじめ)", "early {m}"),
        ("{m}の?中旬", "mid {m}"),
        ("{m}の?(?:下旬|末|終わり)", "late {m}"),
        ("{m}", "in {m}"),
        ("(?<!毎週)(?<!毎){w}", "{w}"),
    ),
    since="",
    until="",
    past=r"ました|でした|だった|[っいんし]た",
    future=r"つもり|予定|たい|よう|でしょう",
    feasts={"クリスマスイブ": "Christmas Eve", "クリスマス": "Christmas", "元旦": "New Year's Day",
            "元日": "New Year's Day", "大晦日": "New Year's Eve",
            "バレンタイン": "Valentine's Day"},
    hour="の?(?P<p>午前|午後|朝|夜)?(?P<h>[0-9]{1,2})時(?!間)(?:(?P<q>[0-9]{1,2})分|(?P<half>半))?",
    spaced=False,
)  # fmt: skip

BOOKS = {"de": GERMAN, "fr": FRENCH, "es": SPANISH, "pt": PORTUGUESE, "ja": JAPANESE}
