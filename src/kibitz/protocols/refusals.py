"""The refusals of an audit as the warnings of KataGo's protocols: one for each reason."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.steering import Audit

#: Moves that a warning names before it counts the others.
_MOST_NAMED = 12


def refusals(audit: Audit) -> Iterator[tuple[str, str]]:
    """(kind, text) of what the search will not obey; like KataGo nothing on restrictions of illegal moves,
    unless no other move was allowed.

    >>> from kibitz.sentences import verbatim
    >>> from kibitz.steering import Refused
    >>> refused = tuple(Refused("avoid", move, verbatim("no move is left")) for move in ("A1", "B1"))
    >>> list(refusals(Audit(refused=refused)))
    [('avoid', 'no move is left, ignoring A1, B1')]
    """
    groups: dict[tuple[str, str], list[str]] = {}
    unrestricted = not any(item.kind == "allow" for item in audit.honoured)
    for item in audit.refused:
        if item.kind == "plausible":
            yield "include", f"{item.reason}, ignoring humanPolicyAbove"
        elif item.illegal and item.kind == "include":
            yield item.kind, f"{item.reason}, ignoring this move"  # the reason names it
        elif item.illegal and item.kind == "ask":
            yield item.kind, f"{item.reason}, not answering {item.move}"
        elif item.illegal and item.kind == "allow" and unrestricted:
            groups.setdefault((item.kind, "no allowed move is legal"), []).append(item.move)
        elif not item.illegal:
            groups.setdefault((item.kind, item.reason), []).append(item.move)
    for (kind, reason), moves in groups.items():
        named = list(dict.fromkeys(moves))
        more = len(named) - _MOST_NAMED
        listed = ", ".join(named[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        yield kind, f"{reason}, ignoring {listed}"
