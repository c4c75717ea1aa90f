"""Public events in words.

>>> describe("E11xS15=!E62~S")
"E11 attacks S15, both die; E's flag is at E62; S is out, its flag has fallen"
"""

from __future__ import annotations

import re

from kibitz.sentences import Sentence

_OUTCOMES = {"+": "junqi.wins", "-": "junqi.dies", "=": "junqi.bothDie"}
_OUT = {"~": "junqi.flagFallen", "^": "junqi.noMove"}
_EVENT = re.compile(r"(?P<from>...)(?P<how>[-x])(?P<to>...)(?P<end>[-+=]?)(?P<rest>.*)")
_REASON = re.compile(r"(?:#(\d+))?(.*)")
_MARK = re.compile(r"!(?P<flag>...)|(?P<why>[~^])(?P<seat>.)")


def sentences_of(event: str) -> tuple[Sentence, ...]:
    """What everybody saw, in order; nothing where it is no event."""
    name, colon, rest = event.partition(":")
    if event == "draw:agreed":
        return (Sentence("junqi.drawAgreed"),)
    if colon:
        seat, (reason, marks) = rest[:1], _REASON.match(rest[1:]).groups()  # type: ignore[union-attr]
        code = "junqi.resigns" if name == "resign" else "junqi.skipped"
        because = {"reason": reason} if reason else {}
        said = [Sentence(f"{code}Reason" if reason else code, {"seat": seat, **because})]
    else:
        match = _EVENT.fullmatch(event)
        if match is None:
            return ()
        ends, marks = {"from": match["from"], "to": match["to"]}, match["rest"]
        if match["how"] == "-":
            said, marks = [Sentence("junqi.moves", ends)], match["end"] + marks
        else:
            said = [Sentence(_OUTCOMES[match["end"]], ends)]
    for mark in _MARK.finditer(marks):
        if mark["flag"]:
            said.append(Sentence("junqi.flagAt", {"seat": mark["flag"][0], "place": mark["flag"]}))
        else:
            said.append(Sentence(_OUT[mark["why"]], {"seat": mark["seat"]}))
    return tuple(said)


def describe(event: str) -> str:
    """What everybody saw, as a sentence."""
    return "; ".join(map(str, sentences_of(event))) or event
