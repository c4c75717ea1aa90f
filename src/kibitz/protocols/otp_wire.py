"""The bytes of OTP: messages without lengths, line ends or any other frame.

One `send` is one message in the classic programs, but TCP may split it or glue it to the next.
So both directions are parsed by their grammar: no verb is the beginning of another, coordinates
are single digits, and `name <text>` alone has no end, which is why it needs a pause (docs/otp.md).

    requests = RequestBuffer()
    requests.feed(b"play 2 3gen")
    requests.next()                         # 'play 2 3'
    requests.next()                         # None, `gen` may become `genmove`
    parse_reply("genmove", b"genmove 2 3")  # ('2 3', 11)
"""

from __future__ import annotations

import re

from kibitz.errors import ProtocolError

VERBS = ("name", "clear_board", "genmove", "play", "undo", "showboard", "final_score", "quit")
UNKNOWN = "unknown command"
PASS = (8, 0)
NAME_LIMIT = 514
# The longest legal reply is `name ` and its text; the rest is room for a line end.
REPLY_LIMIT = len("name ") + NAME_LIMIT + 4

_BLANK = b" \t\r\n\0"
_REQUEST = re.compile(
    rb"play[ \t]+\d[ \t]+\d(?!\d)|name|clear_board|genmove|undo|showboard|final_score|quit", re.I
)
_OPEN_PLAY = re.compile(rb"play(?:[ \t]+(?:\d(?:[ \t]+)?)?)?", re.I)
_ARGUMENTS = re.compile(rb"[ \t]+([^ \t\r\n\0][^\r\n\0]*)")
_COORDINATES = re.compile(rb"[ \t\r\n]+(\d)[ \t\r\n]+(\d)(?!\d)")
_OPEN_COORDINATES = re.compile(rb"(?:[ \t\r\n]+(?:\d(?:[ \t\r\n]+)?)?)?")
_FIELD = re.compile(r"(NAME|QUIT|WIN|LOSE|DRAW)\s*:", re.I)
_CLASSIC_MOVE = re.compile(rb"\s*\S+\s+([-+]?\d+)\s+([-+]?\d+)")


def square_of(x: int, y: int) -> str | None:
    """The square of row `x` and column `y`, `pass` for 8 0, None when there is no such square.

    >>> square_of(2, 3), square_of(8, 0)
    ('d3', 'pass')
    """
    if (x, y) == PASS:
        return "pass"
    return f"{'abcdefgh'[y]}{x + 1}" if 0 <= x < 8 and 0 <= y < 8 else None


def coordinates_of(move: str) -> tuple[int, int]:
    """The row and column of a move.

    >>> coordinates_of("d3"), coordinates_of("pass")
    ((2, 3), (8, 0))
    """
    return PASS if move == "pass" else (int(move[1]) - 1, "abcdefgh".index(move[0]))


class RequestBuffer:
    """Collects what a judge sends and gives back whole requests."""

    def __init__(self) -> None:
        self._data = b""

    def feed(self, data: bytes) -> None:
        self._data += data

    @property
    def waiting(self) -> bool:
        """Whether there is the beginning of a request."""
        return bool(self._data.strip(_BLANK))

    def next(self) -> str | None:
        """The next request, or None when more bytes may still complete it."""
        data = self._data.lstrip(_BLANK)
        match = _REQUEST.match(data)
        if match is None:
            if len(data) <= REPLY_LIMIT and _may_grow(data):
                self._data = data
                return None
            return self._take(data)
        rest = data[match.end() :]
        arguments = _ARGUMENTS.match(rest)
        if arguments and not _begins_request(arguments[1]):
            # The classic side compares the first word only, so what follows a blank is not ours to refuse.
            rest = rest[arguments.end() :]
        elif rest and rest[:1] not in (b" ", b"\t", b"\r", b"\n", b"\0") and not _begins_request(rest):
            return self._take(data)
        self._data = rest
        return match[0].decode("ascii")

    def flush(self) -> str:
        """What is there after a pause: nothing more will come to complete it."""
        return self._take(self._data.lstrip(_BLANK)) or ""

    def _take(self, data: bytes) -> str | None:
        message = re.split(rb"[\r\n\0]", data, maxsplit=1)[0]
        self._data = data[len(message) :]
        return message.decode("latin-1") or None


def _may_grow(data: bytes) -> bool:
    lower = data.lower()
    return any(verb.encode().startswith(lower) for verb in VERBS) or _OPEN_PLAY.fullmatch(data) is not None


def _begins_request(data: bytes) -> bool:
    return _REQUEST.match(data) is not None or _may_grow(data)


def parse_reply(verb: str, data: bytes, *, pause: bool = False) -> tuple[str, int] | None:
    """The text of a player's answer to `verb` and how many bytes it took.

    None means that it is not complete; `pause` says that nothing more came for a while, which is
    the only thing that ends a name. ProtocolError when these bytes can never become the answer.
    """
    lead = len(data) - len(data.lstrip(_BLANK))
    body = data[lead:]
    word = verb.encode()
    if body[: len(word)].lower() != word[: len(body)]:
        raise ProtocolError(f"expected an answer to {verb}, got {shown(body)}")
    if len(body) < len(word):
        return None
    after = body[len(word) :]
    at = lead + len(word)
    if verb == "genmove":
        move = _COORDINATES.match(after)
        if move:
            return f"{int(move[1])} {int(move[2])}", _glued(verb, data, at + move.end())
        if _OPEN_COORDINATES.fullmatch(after):
            return None
        raise ProtocolError(f"expected genmove x y, got {shown(body)}")
    if verb == "name":
        return _name(after, at, pause)
    return "", _glued(verb, data, at)


def parse_classic_reply(verb: str, message: bytes) -> str:
    """The same as the classic judge reads it: one packet is one answer, a blank or a zero ends its word."""
    text = message.split(b"\0", 1)[0]
    if text.split(b" ", 1)[0].lower() != verb.encode():
        raise ProtocolError(f"expected an answer to {verb}, got {shown(message)}")
    if verb == "genmove":
        move = _CLASSIC_MOVE.match(text)
        if move is None:
            raise ProtocolError(f"expected genmove x y, got {shown(message)}")
        return f"{move[1].decode()} {move[2].decode()}"
    words = text.split()
    return words[1].decode("utf-8", "replace") if verb == "name" and len(words) > 1 else ""


def shown(data: bytes) -> str:
    """Bytes for a message to people: short, printable, one line."""
    return repr(data[:40].decode("latin-1")) + ("..." if len(data) > 40 else "")


def clean_name(text: str) -> str:
    """A name for one line of output, without the control characters a terminal would obey, and without
    anything that reads like another field of the result line.

    >>> clean_name("Eve QUIT:1 WIN:9")
    'Eve QUIT.1 WIN.9'
    """
    shown = "".join(letter if letter.isprintable() else "?" for letter in text.strip())
    return _FIELD.sub(r"\1.", shown) or "unknown"


def _name(after: bytes, at: int, pause: bool) -> tuple[str, int] | None:
    if after and after[:1] not in (b" ", b"\t", b"\r", b"\n", b"\0"):
        raise ProtocolError(f"expected name <text>, got {shown(b'name' + after)}")
    end = re.search(rb"[\r\n\0]", after)
    if end is None and not pause:
        return None
    length = end.start() if end else len(after)
    if length - 1 > NAME_LIMIT:
        raise ProtocolError(f"expected a name of at most {NAME_LIMIT} bytes")
    return after[:length].decode("utf-8", "replace").strip(), at + length


def _glued(verb: str, data: bytes, end: int) -> int:
    """The end of an answer, with whatever follows it after a blank in the same packets."""
    rest = data[end:]
    if rest and rest[:1] not in (b" ", b"\t", b"\r", b"\n", b"\0"):
        raise ProtocolError(f"expected nothing glued to the answer to {verb}, got {shown(data)}")
    return len(data)
