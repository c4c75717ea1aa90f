"""Public events in words.

>>> describe("E11xS15=!E62~S")
"E11 attacks S15, both die; E's flag is at E62; S is out, its flag has fallen"
"""

from __future__ import annotations

import re

__all__ = ["describe"]

_OUTCOMES = {"+": "and wins", "-": "and dies", "=": "both die"}
_OUT = {"~": "its flag has fallen", "^": "it has no move"}
_EVENT = re.compile(r"(?P<from>...)(?P<how>[-x])(?P<to>...)(?P<end>[-+=]?)(?P<rest>.*)")
_REASON = re.compile(r"(?:#(\d+))?(.*)")
_MARK = re.compile(r"!(?P<flag>...)|(?P<why>[~^])(?P<seat>.)")


def describe(event: str) -> str:
    """What everybody saw, as a sentence."""
    name, colon, rest = event.partition(":")
    if event == "draw:agreed":
        return "a draw is agreed"
    if colon:
        seat, (reason, marks) = rest[:1], _REASON.match(rest[1:]).groups()  # type: ignore[union-attr]
        parts = [f"{seat} resigns" if name == "resign" else f"{seat} is skipped"]
        if reason:
            parts[0] += f" (reason {reason})"
    else:
        match = _EVENT.fullmatch(event)
        if match is None:
            return event
        start, end, marks = match["from"], match["to"], match["rest"]
        if match["how"] == "-":
            parts, marks = [f"{start}-{end}"], match["end"] + marks
        else:
            outcome = _OUTCOMES[match["end"]]
            parts = [f"{start} attacks {end}{',' if match['end'] == '=' else ''} {outcome}"]
    for mark in _MARK.finditer(marks):
        if mark["flag"]:
            parts.append(f"{mark['flag'][0]}'s flag is at {mark['flag']}")
        else:
            parts.append(f"{mark['seat']} is out, {_OUT[mark['why']]}")
    return "; ".join(parts)
