"""Names made fit to show, the same way as moth's other adapters do it: test/vectors.json holds both to it."""

import re
import unicodedata

MAX_LABEL_LENGTH = 40

# What JavaScript calls white space; Python's \s differs.
_SPACE = "\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_SPACES = re.compile(f"[{_SPACE}]+")
_ENDS = re.compile(f"^[{_SPACE}]+|[{_SPACE}]+$")
_END = re.compile(f"[{_SPACE}]+$")
_LINE_ENDS = re.compile("\r\n?")
# A string (OSC, DCS, SOS, PM, APC) up to its terminator, a CSI sequence, or a two-character escape. ECMA-48, 8-bit forms too.
_ESCAPES = re.compile(
    "(?:\x1b[\\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\\\|\x9c)"
    "|(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]"
)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ALL_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# What moth's other adapters know by Unicode's properties: Default_Ignorable_Code_Point, noncharacters, and two blanks that are no white
# space. What only formats (Cf) is asked of Python; its Unicode may be older, so a few of those stand here too.
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
    + "]"
)
# Emoji of several characters, which stay whole. Python has no list of them, so by their shape: moth looks at the name once more.
_PICTOGRAPH = "[©®‼⁉™ℹ\u2190-\u27ff\u2900-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]?"
_EMOJI = re.compile(
    "([#*0-9]\ufe0f\u20e3|\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    "|\U0001f3f4\U000e0067\U000e0062(?:\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
    f"|{_PICTOGRAPH}(?:\u200d{_PICTOGRAPH})*)"
)
_SURROGATES = re.compile("[\ud800-\udfff]")


def session_label(cwd: str, session: str) -> str:
    """What the person calls a session: the name of the folder it works in, else the first 8 characters of its id."""
    return clean_label(_folder_name(cwd)) or clean_label(_units(session, 8))


def clean_label(label: str) -> str:
    """A name on one line of at most 40 characters, with nothing in it that hides or turns direction. May be empty."""
    shown = _without_hidden(one_line(_units(label, 4096)))
    return cut_text(_ENDS.sub("", _SPACES.sub(" ", shown)), MAX_LABEL_LENGTH)


def _without_hidden(text: str) -> str:
    # Split by a group: every second part is an emoji.
    return "".join(part if at % 2 else _plain(part) for at, part in enumerate(_EMOJI.split(text)))


def _plain(text: str) -> str:
    return "".join(char for char in _HIDDEN.sub("", text) if unicodedata.category(char) != "Cf")


def one_line(text: str) -> str:
    return _ENDS.sub("", _SPACES.sub(" ", _ALL_CONTROLS.sub(" ", clean_text(text))))


def clean_text(text: str) -> str:
    """Without escape sequences and control characters; line ends become \\n, tabs stay."""
    text = _CONTROLS.sub("", _ESCAPES.sub("", _LINE_ENDS.sub("\n", text)))
    return _SURROGATES.sub("\ufffd", whole_characters(text))


def whole_characters(text: str) -> str:
    """Two halves of a character side by side become that character; a half alone stays."""
    if not _SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def length(text: str) -> int:
    """In UTF-16 units, as moth counts."""
    return len(text) + sum(1 for char in text if char > "\uffff")


def cut_text(text: str, most: int) -> str:
    """At most `most` UTF-16 units, never half a character: where it is cut, a whole one goes and `…` stands."""
    if length(text) <= most:
        return text
    if most < 1:
        return ""
    units = 0
    end = 0
    for at, char in enumerate(text):
        if _begins(text, at):
            end = at
        units += 2 if char > "\uffff" else 1
        if units > most - 1:
            break
    return _END.sub("", text[:end]) + "…"


def _units(text: str, most: int) -> str:
    """The first UTF-16 units, as a JavaScript slice takes them."""
    if len(text) <= most and length(text) <= most:
        return text
    return text.encode("utf-16-le", "surrogatepass")[: most * 2].decode("utf-16-le", "surrogatepass")


def _folder_name(path: str) -> str:
    # On POSIX a backslash may stand in a name: it separates only in a path that begins as Windows paths do.
    windows = re.match(r"[A-Za-z]:|\\\\", path)
    parts = [part for part in re.split(r"[\\/]+" if windows else "/+", path) if _ENDS.sub("", part)]
    last = parts[-1] if parts else ""
    return "" if windows and re.fullmatch(r"[A-Za-z]:", last) else last


def _begins(text: str, at: int) -> bool:
    """Whether a character as the person sees it begins here: UAX #29 as far as names and replies need it."""
    if at == 0:
        return True
    before, char = text[at - 1], text[at]
    if before in "\r\n" or char in "\r\n":
        return not (before == "\r" and char == "\n")
    if _extends(char):
        return False
    if before == "\u200d" and _pictograph(char):
        return not _joined(text, at)
    if _regional(char):
        flags = 0
        while flags < at and _regional(text[at - 1 - flags]):
            flags += 1
        return flags % 2 == 0
    return not _hangul_goes_on(before, char)


def _extends(char: str) -> bool:
    return (
        unicodedata.category(char) in ("Mn", "Me", "Mc")
        or char in "\u200c\u200d\uff9e\uff9f"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
    )


def _joined(text: str, at: int) -> bool:
    """Whether a pictograph stands before the joiner: then both are one."""
    back = at - 2
    while back >= 0 and _extends(text[back]):
        back -= 1
    return back >= 0 and _pictograph(text[back])


def _pictograph(char: str) -> bool:
    return char in "©®‼⁉™ℹ" or "\u2190" <= char <= "\u2bff" or "\U0001f000" <= char <= "\U0001faff"


def _regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _hangul_goes_on(before: str, char: str) -> bool:
    first = "\u1100" <= before <= "\u115f"
    syllable = "\uac00" <= before <= "\ud7a3"
    vowel = "\u1160" <= before <= "\u11a7" or (syllable and (ord(before) - 0xAC00) % 28 == 0)
    last = "\u11a8" <= before <= "\u11ff" or (syllable and not vowel)
    if first:
        return "\u1100" <= char <= "\u11a7" or "\uac00" <= char <= "\ud7a3"
    if vowel:
        return "\u1160" <= char <= "\u11ff"
    return last and "\u11a8" <= char <= "\u11ff"
