"""KataGo's own GTP commands, beside those every engine has: parameters, models, benchmarks, debugging."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kibitz.errors import BadOption, ProtocolError
from kibitz.games.go import Position
from kibitz.games.go.position import COLUMNS
from kibitz.options import native_options
from kibitz.protocols import gtp_words
from kibitz.protocols.gtp_analysis import SIDES
from kibitz.protocols.gtp_boards import LEVEL, OFF, set_level
from kibitz.protocols.gtp_session import Command, Session
from kibitz.report import Report
from kibitz.request import Budget, Request

#: Positions of `kata-benchmark`.
_BENCHMARKS = 10


class ParameterCommands:
    def __init__(self, session: Session) -> None:
        self._session = session

    def table(self) -> Mapping[str, Command]:
        return {
            "kata-list-params": lambda words: " ".join([*self._session.settings.names(), LEVEL]),
            "kata-get-param": self.get_param,
            "kata-get-params": self.get_params,
            "kata-set-param": self.set_param,
            "kata-set-params": self.set_params,
        }

    def get_param(self, words: list[str]) -> str:
        (name,) = words
        if name == LEVEL:
            return self._session.level.name if self._session.level else OFF
        value = self._session.settings.shown(name, self._tuned())
        if value is None:
            raise ProtocolError(f"unknown parameter {name!r}")
        return value

    def get_params(self, words: list[str]) -> str:
        settings, tuned = self._session.settings, self._tuned()
        shown = {name: settings.shown(name, tuned) for name in settings.names()}
        return json.dumps({**shown, LEVEL: self.get_param([LEVEL])})

    def set_param(self, words: list[str]) -> str:
        name, value = words if len(words) == 2 else (words[0], "")
        return self._set({name: value})

    def set_params(self, words: list[str]) -> str:
        values = json.loads(" ".join(words))
        if not isinstance(values, dict):
            raise ProtocolError("kata-set-params takes a JSON object")
        return self._set(values)

    def _set(self, values: Mapping[str, Any]) -> str:
        values = dict(values)
        level = values.pop(LEVEL, None)
        if level is not None:
            set_level(self._session, str(level))
        settings = self._session.settings.copy()
        unknown = settings.apply(values)
        if unknown:
            raise BadOption(f"unknown parameter {unknown[0]!r}")
        self._session.settings.__dict__.update(settings.__dict__)
        self._session.note(*settings.without_effect(values))
        return ""

    def _tuned(self) -> Any:
        options = self._session.settings.search_options(alone=True)
        return native_options({**self._session.engine.options, **options})


class DebugCommands:
    def __init__(self, session: Session) -> None:
        self._session = session

    def table(self) -> Mapping[str, Command]:
        return {
            "cputime": self.cputime,
            "gomill-cpu_time": self.cputime,
            "kata-debug-print-tc": self.print_clock,
            "debug_moves": self.debug_moves,
            "kata-benchmark": self.benchmark,
        }

    def cputime(self, words: list[str]) -> str:
        """Seconds that searches for moves have taken, as KataGo counts them."""
        return f"{self._session.thought:.6g}"

    def print_clock(self, words: list[str]) -> str:
        side = gtp_words.side(words[0]) if words else self._session.position.to_move
        return self._session.clock.describe(side)

    def debug_moves(self, words: list[str]) -> str:
        """The board, and what the last search knows of the moves here."""
        at = self._session.position
        for vertex in words:
            if vertex != "rawstats":
                at = at.play(vertex)
        at = at.resumed() if at.is_over else at
        request = Request(at, budget=Budget(visits=1), options=self._session.search_options())
        *_, report = self._session.engine.run(request)
        rows = [f"{info.move} visits {info.visits} winrate {info.value:.4f}" for info in report.moves]
        return "\n".join(["", str(at), *rows])

    def benchmark(self, words: list[str]) -> Iterator[str]:
        """Visits a second over ten positions of a game that the engine plays with itself."""
        (text,) = words
        visits = int(text)
        if visits < 1:
            raise ProtocolError(f"expected a number of visits from 1 on, got {text!r}")
        return self._speeds(visits)

    def _speeds(self, visits: int) -> Iterator[str]:
        engine, here = self._session.engine, self._session.position
        at = Position(here.size, rules=here.rules, komi=here.komi)
        options = {**self._session.search_options(), "reuse": False}
        total, begun = 0, time.monotonic()
        for number in range(_BENCHMARKS):
            *_, report = engine.run(Request(at, budget=Budget(visits=visits), options=options))
            total += report.root.visits
            seconds = max(time.monotonic() - begun, 1e-9)
            speed = f"visits/s = {total / seconds:.2f} ({seconds:.1f} secs)"
            yield f"{number + 1} / {_BENCHMARKS} positions, {speed}"
            following = at.play(report.best)
            at = at if following.is_over else following
        engine.new_game()
        yield ""


class NetworkCommands:
    def __init__(self, session: Session) -> None:
        self._session = session

    def table(self) -> Mapping[str, Command]:
        return {
            "kata-get-models": self.get_models,
            "kata-raw-nn": self.raw_nn,
            "kata-raw-human-nn": self.raw_human_nn,
        }

    def get_models(self, words: list[str]) -> str:
        return json.dumps([dict(self._session.about)] if self._session.about else [])

    def raw_human_nn(self, words: list[str]) -> str:
        human = self._session.engine.human
        if human is None:
            raise ProtocolError("there is no human model; -human-model gives one")
        return self._raw(human.evaluate, words)

    def raw_nn(self, words: list[str]) -> str:
        """The network's own answer; the symmetry is checked, and the board as it stands is used. The policy
        is the root's (rootPolicyOptimism) unless an optimism follows."""
        engine = self._session.engine
        if not engine.has_network:
            raise ProtocolError("there is no network")

        def evaluate(at: Position, options: Mapping[str, Any]) -> Report:
            *_, report = engine.run(Request(at, budget=Budget(visits=1), options=options))
            return report

        return self._raw(evaluate, words)

    def _raw(self, evaluate: Callable[[Position, Mapping[str, Any]], Report], words: list[str]) -> str:
        session = self._session
        at = session.position
        if words[0].lower() in SIDES:
            side = gtp_words.side(words.pop(0))
            at = at if side == at.to_move else gtp_words.turned(at, side)
        if words[0].lower() not in ("all", *"01234567"):
            raise ProtocolError(f"expected a symmetry, all or 0 to 7, got {words[0]!r}")
        at = at.resumed() if at.is_over else at
        options = {**session.settings.options, "ownership": True, "reuse": False, "root_symmetry": False}
        if len(words) > 1:
            _, optimism = words
            options["root_policy_optimism"] = gtp_words.share(optimism)
        return "\n".join(_raw_lines(at, evaluate(at, options)))


def _raw_lines(at: Position, report: Report) -> list[str]:
    own = report.root.raw_evaluation or {}
    columns, rows = at.size
    sign = 1 if at.to_move == 1 else -1
    rate = own["value"] if at.to_move == 1 else 1 - own["value"]
    points = [f"{COLUMNS[n % columns]}{rows - n // columns}" for n in range(columns * rows)]
    values = [report.policy.get(point) for point in points]
    shown = ["    NAN" if value is None else f"{value:.6f}" for value in values]
    owners = [f"{-value:.5f}" for value in report.root.ownership]
    return [
        "symmetry 0",
        f"whiteWin {rate - 0.5 * own['draw']:.6f}",
        f"whiteLoss {1 - rate - 0.5 * own['draw']:.6f}",
        f"noResult {own['draw']:.6f}",
        f"whiteLead {sign * own['lead']:.3f}",
        f"whiteScoreSelfplay {sign * own['score']:.3f}",
        f"whiteScoreSelfplaySq {own['score'] ** 2 + own['score_stdev'] ** 2:.3f}",
        f"varTimeLeft {own['turns_left_variance']:.3f}",
        f"shorttermWinlossError {own['value_error']:.3f}",
        f"shorttermScoreError {own['score_error']:.3f}",
        "policy",
        *(" ".join(shown[columns * y : columns * (y + 1)]) for y in range(rows)),
        f"policyPass {report.policy.get('pass', 0.0):.6f}",
        "whiteOwnership",
        *(" ".join(owners[columns * y : columns * (y + 1)]) for y in range(rows)),
    ]
