"""When a GTP engine gives up: KataGo's rules for it."""

from __future__ import annotations

from kibitz.protocols.katago_settings import Settings
from kibitz.report import Report


class Resigner:
    """Remembers how a side has judged its last turns."""

    def __init__(self) -> None:
        self._judged: dict[int, list[tuple[int, float]]] = {0: [], 1: []}

    def resigns(self, report: Report, side: int, turn: int, settings: Settings) -> bool:
        """Whether the side to move gives up after this search. A turn before the last one begins anew: the
        game was taken back, or is another one."""
        judged = [(at, value) for at, value in self._judged[side] if at < turn]
        judged.append((turn, 2.0 * report.root.value - 1.0))
        self._judged[side] = judged[-settings.resign_turns :]
        columns, rows = report.position.size  # type: ignore[attr-defined]
        if not settings.may_resign or turn < settings.resign_moves * columns * rows:
            return False
        lead = report.root.lead
        if lead is not None and lead > -settings.resign_points:
            return False
        recent = [value for _, value in self._judged[side]]
        return len(recent) >= settings.resign_turns and all(v < settings.resign_threshold for v in recent)
