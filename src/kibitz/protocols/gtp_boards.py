"""Commands of graphical boards beside GTP's own: GoGui's menu, a heat map, Lizzie's problems, a level.

>>> rectangle("B7", "D6", (9, 9))
['B7', 'C7', 'D7', 'B6', 'C6', 'D6']
"""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.errors import ProtocolError
from kibitz.games.go.position import COLUMNS
from kibitz.levels import get_level
from kibitz.protocols.gtp_search import SearchCommands
from kibitz.protocols.gtp_session import Command, Ongoing, Session
from kibitz.request import Budget, Request

#: GoGui's analyze commands: type/label/command. `dboard` is a board of numbers, `plist` a list of points.
_MENU = (
    "dboard/Policy Heat Map/heatmap",
    "string/Final Score/final_score",
    "plist/Dead Stones/final_status_list dead",
    "move/Move Without Playing It/reg_genmove %c",
    "string/Network/kata-raw-nn all",
)
#: The parameter that sets a level, beside KataGo's own.
LEVEL = "kibitzLevel"
#: The level that is none.
OFF = "off"
#: A restriction that holds for the whole search.
_DEPTH = "10000"


class BoardProgramCommands:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._search = SearchCommands(session)

    def table(self) -> Mapping[str, Command]:
        return {
            "gogui-analyze_commands": lambda words: "\n".join(_MENU),
            "heatmap": self.heatmap,
            "kata-problem_analyze": self.problem_analyze,
        }

    def heatmap(self, words: list[str]) -> str:
        """The policy of every point as a board of numbers, top row first; 0 where no move is legal."""
        at = self._session.position
        at = at.resumed() if at.is_over else at
        options = {**self._session.search_options(), "reuse": False, "root_symmetry": False}
        *_, report = self._session.engine.run(Request(at, budget=Budget(visits=1), options=options))
        shares = report.policy or dict.fromkeys(at.legal_moves, 1.0 / len(at.legal_moves))
        columns, rows = at.size
        lines = (
            " ".join(f"{shares.get(f'{COLUMNS[x]}{y}', 0.0):.4f}" for x in range(columns))
            for y in range(rows, 0, -1)
        )
        return "\n" + "\n".join(lines)

    def problem_analyze(self, words: list[str]) -> Ongoing:
        """kata-analyze inside a rectangle: `kata-problem_analyze 50 topleft A9 bottomright E5`."""
        rest, corners = list(words), {}
        for name in ("topleft", "bottomright"):
            if name not in rest[:-1]:
                raise ProtocolError("expected corners, such as topleft A9 bottomright E5")
            at = rest.index(name)
            corners[name] = rest[at + 1]
            del rest[at : at + 2]
        inside = rectangle(corners["topleft"], corners["bottomright"], self._session.position.size)
        allowed = ",".join([*inside, "pass"])
        both = [word for side in "bw" for word in ("allow", side, allowed, _DEPTH)]
        return self._search.analyze([*rest, *both], form="kata")


def set_level(session: Session, value: str) -> None:
    """Plays at a level of Go from here on, or at full strength again."""
    session.level = None if value == OFF else get_level("go", value)


def rectangle(top_left: str, bottom_right: str, size: tuple[int, int]) -> list[str]:
    """The points between two corners, which may be any two that lie across."""
    columns, rows = size
    corners = []
    for vertex in (top_left.upper(), bottom_right.upper()):
        letter, number = vertex[:1], vertex[1:]
        known = letter in COLUMNS[:columns] and number.isdecimal() and 1 <= int(number) <= rows
        if not letter or not known:
            raise ProtocolError(f"expected a point of the board, got {vertex!r}")
        corners.append((COLUMNS.index(letter), int(number)))
    (x0, y0), (x1, y1) = corners
    across, down = range(min(x0, x1), max(x0, x1) + 1), range(max(y0, y1), min(y0, y1) - 1, -1)
    return [f"{COLUMNS[x]}{y}" for y in down for x in across]
