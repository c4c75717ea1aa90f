"""GTP commands for the clocks."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.protocols import gtp_words
from kibitz.protocols.gtp_session import Command, Session
from kibitz.protocols.gtp_time import KGS_SYSTEMS, SYSTEMS


class ClockCommands:
    def __init__(self, session: Session) -> None:
        self._clock = session.clock

    def table(self) -> Mapping[str, Command]:
        return {
            "time_settings": self.time_settings,
            "kgs-time_settings": self.kgs_time_settings,
            "kata-time_settings": self.kata_time_settings,
            "kata-list_time_settings": lambda words: " ".join(SYSTEMS),
            "time_left": self.time_left,
        }

    def time_settings(self, words: list[str]) -> str:
        self._clock.set_canadian(words)
        return ""

    def kgs_time_settings(self, words: list[str]) -> str:
        self._clock.set_named(words, KGS_SYSTEMS)
        return ""

    def kata_time_settings(self, words: list[str]) -> str:
        self._clock.set_named(words)
        return ""

    def time_left(self, words: list[str]) -> str:
        self._clock.set_left(gtp_words.side(words[0]), gtp_words.seconds(words[1]))
        return ""
