"""GTP commands for the board: its size, its rules, moves, handicaps, records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from kibitz.errors import ProtocolError
from kibitz.games.go import rules as rule_sets
from kibitz.games.go import sgf
from kibitz.protocols import gtp_words
from kibitz.protocols.gtp_session import Command, Session

_KGS_RULES = {"japanese": "japanese", "chinese": "chinese-kgs", "aga": "aga", "new_zealand": "new-zealand"}


class BoardCommands:
    def __init__(self, session: Session) -> None:
        self._game = session.game

    def table(self) -> Mapping[str, Command]:
        return {
            "boardsize": self.boardsize,
            "rectangular_boardsize": self.boardsize,
            "clear_board": self.clear_board,
            "play": self.play,
            "undo": self.undo,
            "set_position": self.set_position,
            "showboard": lambda words: "\n" + str(self._game.position),
            "fixed_handicap": self.fixed_handicap,
            "place_free_handicap": self.fixed_handicap,
            "set_free_handicap": self.set_free_handicap,
        }

    def boardsize(self, words: list[str]) -> str:
        size = (int(words[0]), int(words[-1]))
        if not all(2 <= side <= 19 for side in size):
            raise ProtocolError("unacceptable size")
        self._game.start(size)
        return ""

    def clear_board(self, words: list[str]) -> str:
        self._game.start(self._game.position.size)
        return ""

    def play(self, words: list[str]) -> str:
        colour, vertex = words
        if vertex.lower() != "resign":
            self._game.play(colour, vertex)
        return ""

    def undo(self, words: list[str]) -> str:
        self._game.undo()
        return ""

    def set_position(self, words: list[str]) -> str:
        stones: dict[int, list[str]] = {0: [], 1: []}
        for colour, vertex in zip(words[::2], words[1::2], strict=True):
            stones[gtp_words.side(colour)].append(vertex.upper())
        if len({*stones[0], *stones[1]}) < len(words) // 2:
            raise ProtocolError("two stones on one point")
        self._game.start(self._game.position.size, black=stones[0], white=stones[1])
        return ""

    def fixed_handicap(self, words: list[str]) -> str:
        points = gtp_words.handicap(self._game.position.size, int(words[0]))
        self._game.start_with_handicap(points)
        return " ".join(points)

    def set_free_handicap(self, words: list[str]) -> str:
        if len({word.upper() for word in words}) < max(2, len(words)):
            raise ProtocolError("bad vertex list")
        self._game.start_with_handicap(words)
        return ""


class RuleCommands:
    def __init__(self, session: Session) -> None:
        self._game = session.game

    def table(self) -> Mapping[str, Command]:
        return {
            "komi": self.komi,
            "get_komi": lambda words: f"{self._game.komi:g}",
            "kata-get-rules": self.get_rules,
            "kata-set-rules": lambda words: self._use(rule_sets.to_text(" ".join(words))),
            "kata-set-rule": lambda words: self._use(
                rule_sets.with_field(self._game.rules, words[0], words[1])
            ),
            "kgs-rules": self.kgs_rules,
        }

    def komi(self, words: list[str]) -> str:
        self._game.replay(komi=float(words[0]))
        return ""

    def get_rules(self, words: list[str]) -> str:
        return json.dumps(rule_sets.to_fields(self._game.rules), separators=(",", ":"))

    def kgs_rules(self, words: list[str]) -> str:
        name = words[0].lower()
        if name not in _KGS_RULES:
            raise ProtocolError(f"unknown rules {name!r}, expected {', '.join(_KGS_RULES)}")
        return self._use(_KGS_RULES[name])

    def _use(self, rules: str) -> str:
        self._game.replay(rules=rules)
        return ""


class RecordCommands:
    def __init__(self, session: Session) -> None:
        self._game = session.game

    def table(self) -> Mapping[str, Command]:
        return {"loadsgf": self.load, "printsgf": self.print}

    def load(self, words: list[str]) -> str:
        record = sgf.read(words[0])[0]
        self._game.load(record, int(words[1]) - 1 if len(words) > 1 else None)
        return ""

    def print(self, words: list[str]) -> str:
        text = sgf.write(sgf.Record(self._game.positions[0], self._game.moves()))
        if words and words[0] != "-":
            Path(words[0]).write_text(text, encoding="utf-8")
            return ""
        return text.strip()
