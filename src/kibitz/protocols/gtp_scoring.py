"""GTP commands for the end of a game: the score, and which stones are alive."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.errors import ProtocolError
from kibitz.games.go import rules as rule_sets
from kibitz.games.go.position import COLUMNS
from kibitz.protocols.gtp_session import Command, Session
from kibitz.request import Budget, Request

#: Visits of the look that tells dead stones from living ones.
_JUDGING = 50


class ScoringCommands:
    def __init__(self, session: Session) -> None:
        self._session = session

    def table(self) -> Mapping[str, Command]:
        return {"final_score": self.final_score, "final_status_list": self.final_status_list}

    def final_score(self, words: list[str]) -> str:
        at = self._session.position
        fields = rule_sets.to_fields(at.rules)
        # Rules that leave dead stones to be played out have said the score when the game ended.
        settled = fields["scoring"] == "TERRITORY" or not fields["friendlyPassOk"]
        score = at.score if at.is_over and settled else at.counting.count(at, self._stones("dead")).score
        return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"

    def final_status_list(self, words: list[str]) -> str:
        if words[0] not in ("alive", "dead", "seki"):
            raise ProtocolError(f"expected alive, dead or seki, got {words[0]!r}")
        return " ".join(self._stones(words[0]))

    def _stones(self, wanted: str) -> list[str]:
        """The stones that are alive, dead or in seki."""
        owners = self._owners()
        at = self._session.position
        columns, rows = at.size
        stones = []
        for y, row in enumerate(at.stones):
            for x, stone in enumerate(row):
                if stone == ".":
                    continue
                own = owners[columns * y + x] * (1 if stone == "X" else -1)
                status = "alive" if own > 0.3 else "dead" if own < -0.3 else "seki"
                if status == wanted:
                    stones.append(f"{COLUMNS[x]}{rows - y}")
        return stones

    def _owners(self) -> list[float]:
        """Who will own each point, from a short look; as the board stands without a network."""
        at, engine = self._session.position, self._session.engine
        if not engine.has_network:
            return [{"X": 1.0, "O": -1.0}.get(owner, 0.0) for row in at.owners for owner in row]
        at = at.resumed() if at.is_over else at
        options = {**self._session.settings.options, "ownership": True, "reuse": False}
        *_, report = engine.run(Request(at, budget=Budget(visits=_JUDGING), options=options))
        return list(report.root.ownership)
