"""KataGo's own GTP commands, beside those every engine has: parameters, models, benchmarks, debugging."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any

from kibitz.engine import Engine
from kibitz.errors import BadOption, ProtocolError
from kibitz.games.go import Position
from kibitz.options import native_options
from kibitz.protocols import gtp_words
from kibitz.protocols.gtp_time import GtpClock
from kibitz.protocols.katago_settings import Settings
from kibitz.request import Budget, Request

__all__ = ["KatagoCommands"]

#: Positions of `kata-benchmark`.
_BENCHMARKS = 10


class KatagoCommands:
    """Part of GtpServer, which has everything that is used here."""

    _engine: Engine
    _settings: Settings
    _clock: GtpClock
    _log: IO[str] | None
    _about: Mapping[str, Any] | None
    _thought: float

    @property
    def position(self) -> Position:
        raise NotImplementedError

    _search: Callable[..., str]

    # -- parameters -------------------------------------------------------------------------------

    def do_kata_list_params(self, words: list[str]) -> str:
        return " ".join(self._settings.names())

    def do_kata_get_param(self, words: list[str]) -> str:
        (name,) = words
        value = self._settings.shown(name, self._tuned())
        if value is None:
            raise ProtocolError(f"unknown parameter {name!r}")
        return value

    def do_kata_get_params(self, words: list[str]) -> str:
        tuned = self._tuned()
        return json.dumps({name: self._settings.shown(name, tuned) for name in self._settings.names()})

    def do_kata_set_param(self, words: list[str]) -> str:
        name, value = words if len(words) == 2 else (words[0], "")
        self._set({name: value})
        return ""

    def do_kata_set_params(self, words: list[str]) -> str:
        values = json.loads(" ".join(words))
        if not isinstance(values, dict):
            raise ProtocolError("kata-set-params takes a JSON object")
        self._set(values)
        return ""

    def _set(self, values: Mapping[str, Any]) -> None:
        settings = self._settings.copy()
        unknown = settings.apply(values)
        if unknown:
            raise BadOption(f"unknown parameter {unknown[0]!r}")
        self._settings.__dict__.update(settings.__dict__)
        for note in settings.without_effect(values):
            print(note, file=self._log or sys.stderr, flush=True)

    def _tuned(self) -> Any:
        return native_options({**self._engine.options, **self._settings.search_options(alone=True)})

    def do_kata_get_models(self, words: list[str]) -> str:
        return json.dumps([dict(self._about)] if self._about else [])

    # -- thinking aloud ---------------------------------------------------------------------------

    def do_genmove_debug(self, words: list[str]) -> str:
        return self._search(words, play=True, debug=True)

    def do_kata_search_debug(self, words: list[str]) -> str:
        return self._search(words, play=False, debug=True)

    def do_kata_raw_human_nn(self, words: list[str]) -> str:
        raise ProtocolError("there is no human model: kibitz takes one network, -human-model is ignored")

    def do_cputime(self, words: list[str]) -> str:
        """Seconds that searches for moves have taken, as KataGo counts them."""
        return f"{self._thought:.6g}"

    do_gomill_cpu_time = do_cputime

    def do_kata_debug_print_tc(self, words: list[str]) -> str:
        side = gtp_words.side(words[0]) if words else self.position.to_move
        return self._clock.describe(side)

    def do_debug_moves(self, words: list[str]) -> str:
        """The board, and what the last search knows of the moves here."""
        at = self.position
        for vertex in words:
            if vertex != "rawstats":
                at = at.play(vertex)
        at = at.resumed() if at.is_over else at
        request = Request(at, budget=Budget(visits=1), options={**self._settings.options})
        *_, report = self._engine.run(request)
        rows = [f"{info.move} visits {info.visits} winrate {info.value:.4f}" for info in report.moves]
        return "\n".join(["", str(at), *rows])

    def do_kata_benchmark(self, words: list[str]) -> Iterator[str]:
        """Visits a second over ten positions of a game that the engine plays with itself."""
        (text,) = words
        visits = int(text)
        if visits < 1:
            raise ProtocolError(f"expected a number of visits from 1 on, got {text!r}")
        return self._benchmark(visits)

    def _benchmark(self, visits: int) -> Iterator[str]:
        at = Position(self.position.size, rules=self.position.rules, komi=self.position.komi)
        options = {**self._settings.search_options(alone=True), "reuse": False}
        total, begun = 0, time.monotonic()
        for number in range(_BENCHMARKS):
            *_, report = self._engine.run(Request(at, budget=Budget(visits=visits), options=options))
            total += report.root.visits
            seconds = max(time.monotonic() - begun, 1e-9)
            speed = f"visits/s = {total / seconds:.2f} ({seconds:.1f} secs)"
            yield f"{number + 1} / {_BENCHMARKS} positions, {speed}"
            following = at.play(report.best)
            at = at if following.is_over else following
        self._engine.new_game()
        yield ""
