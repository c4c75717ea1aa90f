"""The search of one `go`: its time, its lines and its move."""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING, Any

from kibitz import clock
from kibitz.engine import Engine
from kibitz.errors import BadTable, KibitzError
from kibitz.games.chess.position import Position
from kibitz.human import human_lines
from kibitz.levels import choose
from kibitz.protocols.streams import unforeseen
from kibitz.protocols.uci import info
from kibitz.protocols.uci.contempt import Rescale
from kibitz.protocols.uci.limits import Limits
from kibitz.protocols.uci.options import STEERING_NAMES
from kibitz.report import Report
from kibitz.request import MOST_SECONDS, make_request
from kibitz.steering import Audit

if TYPE_CHECKING:
    from kibitz.protocols.uci.loop import UciEngine

#: Seconds between two `info` lines of a search.
_EVERY = 0.5

#: What alpha-beta takes at most.
_MOST_DEPTH, _MOST_LINES = 120, 64

#: Seconds of `movetime` that are kept for the answer itself.
_ANSWERING = 0.002

#: Seconds between two looks at whether a wanted depth or mate is there.
_LOOK = 0.01


class Search(threading.Thread):
    """One `go`: prints lines while it thinks, and at the end the move."""

    def __init__(
        self, uci: UciEngine, engine: Engine, position: Position, limits: Limits, begun: float
    ) -> None:
        super().__init__(name="uci-search", daemon=True)
        self.limits = limits
        self._uci = uci
        self._engine = engine
        self._position = position
        self._begun = begun
        self._options = uci.options
        self._level = uci.options.level()
        self._halted = threading.Event()
        self._silent = False
        self._table_hits = 0
        self._on_clock = False
        #: The mover's result by the tables, from 2 (won) to -2.
        self._table_result: int | None = None
        #: The last report there was.
        self._last: Report | None = None
        #: True from just before the move is printed: whoever hears the move may count on it.
        self.done = False

    def silence(self) -> None:
        """Let it end without a word: a search on another clock follows."""
        self._silent = True

    def halt(self) -> None:
        self._halted.set()
        while self.is_alive():
            # Said until it is heard: the search may be between two steps that reset the engine's flag.
            self._engine.stop()
            self.join(0.005)

    def in_time_trouble(self) -> bool:
        """Whether the clock is too short for a search, even for starting its thread."""
        limits, position = self.limits, self._position
        if limits.endless or limits.search_moves or position.is_over:
            return False
        clocks = limits.clocks(position.to_move, position.ply)
        return clocks is not None and self._uci.time.too_short(clocks, self._overhead())

    def play_at_once(self) -> None:
        """Answers without a search, on the calling thread."""
        self.done = True
        best = self._planned() or self._known_best()
        self._uci.say("info depth 0 string too little time for a search")
        self._uci.say(f"bestmove {best}")
        self._uci.time.took(time.monotonic() - self._begun)

    def warm_up(self) -> None:
        """Searches for a moment and says nothing."""
        for _ in self._engine.run(self._request(self._position)):
            pass

    def _planned(self) -> str | None:
        """The move that the last PV has for the position: the one that was pondered on, or where the opponent
        played the PV's reply."""
        if self._uci.plan is None:
            return None
        before, line = self._uci.plan
        if before.hash == self._position.hash:
            return line[0]
        return line[2] if len(line) > 2 and before.play_on(*line[:2]).hash == self._position.hash else None

    def run(self) -> None:
        try:
            best, reply = self._think()
        except Exception as error:  # whatever it is, a GUI that waits for a move has to get one
            text = str(error) if isinstance(error, KibitzError) else unforeseen(error)
            self._uci.complain(f"the search failed: {text}")
            best, reply = self._known_best(), None
        if self.limits.infinite or self.limits.ponder:
            self._halted.wait()  # the protocol wants the move only after `stop` or `ponderhit`
        self.done = True
        if self._silent:
            return
        ponder = f" ponder {reply}" if reply and self._options["Ponder"] else ""
        if self._on_clock:
            self._uci.time.took(time.monotonic() - self._begun)
        self._uci.say(f"bestmove {best}{ponder}")

    def _known_best(self) -> str:
        """The best move as far as anything is known: of the last report, else by the material that quiet play
        leaves after each."""
        if self._last is not None and self._last.moves:
            return self._last.best
        state = self._position.state

        def worth(move: int) -> float:
            after = state.replayed([move])
            if not after.board_moves():
                return math.inf if after.in_check else 0.0
            return -float(after.quiet_score())

        moves = state.board_moves()
        return str(state.move_text(max(moves, key=worth))) if moves else "(none)"

    def _think(self) -> tuple[str, str | None]:
        position = self._position
        if position.is_over:
            position = position.unclaimed()  # a draw that nobody claimed does not end a game
        if position.is_over:
            mated = position.ending == "checkmate"
            self._uci.say(f"info depth 0 score {'mate 0' if mated else 'cp 0'}")
            return self._known_best(), None
        request = self._request(position)
        looks = self.limits.depth is not None or self.limits.mate is not None
        due = self._begun + _EVERY
        for report in self._engine.run(request, every=_LOOK if looks else _EVERY, audited=self._refused):
            self._last = report
            if report.moves and (report.final or not looks or time.monotonic() >= due):
                self._print(report)
                due = time.monotonic() + _EVERY
            if self._enough(report):
                self._engine.stop()
            if self._halted.is_set():
                self._engine.stop()
        last = self._last
        assert last is not None
        best = choose(last, self._level, self._uci.rng) if self._level is not None else last.best
        line = next((info.line for info in last.moves if info.move == best), (best,))
        self._uci.plan = (position, line)
        return best, line[1] if len(line) > 1 else None

    def _request(self, position: Position) -> Any:
        options, limits = self._options, self.limits
        search = {**options.asked_options(self._engine.has_network), **options.style_options()}
        search |= self._wanted_search()
        if limits.endless or limits.depth or limits.mate or options["MultiPV"] > 1:
            search["early_stop"] = 0  # whoever looks on wants all of it
        self._contempt = self._uci.contempt(limits)
        if self._contempt != Rescale():
            search["wdl_ratio"], search["wdl_shift"] = self._contempt.ratio, self._contempt.shift
        allowed = self._allowed(position)
        # Which leaves are asked for is the tables' own affair; any number above 0 lets the search ask.
        search["solve_leaves"] = self._uci.tables.pieces if self._uci.tables is not None else 0
        seconds, nodes = self._seconds(position), limits.nodes
        if self._level is not None:
            search |= self._level.options
            nodes = min(nodes or self._level.budget["visits"], self._level.budget["visits"])
        self._search_options = {**self._engine.options, **search}
        return make_request(
            position,
            visits=nodes,
            seconds=seconds,
            unlimited=nodes is None and seconds is None,
            **options.steering(allowed, has_human=self._engine.human is not None),
            options=search,
            unvisited=True,
        )

    def _wanted_search(self) -> dict[str, Any]:
        """The search family where the user names one, and what alpha-beta is asked for."""
        wanted, depth = str(self._options["Search"]), min(self.limits.depth or 0, _MOST_DEPTH)
        if wanted == "alphabeta" and self._engine.configuration.has_slow_network:
            self._uci.complain(
                "Search alphabeta takes the network that comes with Kibitz, or none; using tree"
            )
            wanted = "tree"
        if wanted == "auto" and self._options["VerboseMoveStats"]:
            wanted = "tree"
        lines = min(self._options["MultiPV"], _MOST_LINES)
        return {"depth": depth, "multi_pv": lines, **({} if wanted == "auto" else {"search": wanted})}

    def _allowed(self, position: Position) -> list[str] | None:
        """The root's moves to look at: those asked for, else those that a tablebase has for the best."""
        if self.limits.search_moves:
            return list(self.limits.search_moves)
        tables = self._uci.tables
        try:
            best = tables.best_moves(position) if tables is not None else None
        except BadTable as error:
            self._uci.drop_tables(error)
            best = None
        if best is None:
            return None
        self._table_hits = len(position.legal_moves)
        self._table_result = tables.result
        return list(best)

    def _seconds(self, position: Position) -> float | None:
        """What is left of the time for this move, from now on."""
        limits = self.limits
        if limits.infinite or limits.ponder:
            return None
        overhead = self._overhead()
        clocks = limits.clocks(position.to_move, position.ply)
        given = []
        if limits.move_time is not None:
            given.append(max(clock.LEAST, limits.move_time - _ANSWERING))
        if clocks is not None:
            given.append(self._uci.time.allot(clocks, overhead))
            self._on_clock = True
        if not given:
            return None
        left = min(*given, MOST_SECONDS) - (time.monotonic() - self._begun)
        return max(clock.LEAST, left)

    def _overhead(self) -> float:
        return float(self._options["Move Overhead"]) / 1000

    def _refused(self, audit: Audit) -> None:
        """Tells what the search will not obey, by the names of UCI."""
        for item in audit.refused:
            name = STEERING_NAMES.get(item.kind, item.kind)
            self._uci.complain(f"{name} {item.move} is refused: {item.reason}")

    def _enough(self, report: Report) -> bool:
        limits = self.limits
        # Alpha-beta ends at its depth by itself, and may have questions to answer then.
        by_depth = limits.depth is not None and report.search != "alphabeta"
        if by_depth and report.root.mean_depth >= (limits.depth or 0):
            return True
        return limits.mate is not None and report.root.proven is not None

    def _print(self, report: Report) -> None:
        has_wdl = self._engine.has_network
        seconds = time.monotonic() - self._begun
        if report.final and self._options["VerboseMoveStats"]:
            for line in info.verbose_lines(report, self._search_options, has_wdl, self._contempt):
                self._uci.say(line)
        table_facts = info.TableFacts(self._uci.tables is not None, self._table_hits, self._table_result)
        for line in info.info_lines(report, self._options, seconds, has_wdl, self._contempt, table_facts):
            self._uci.say(line)
        if report.final:
            for answer in report.answers:
                self._uci.say(f"info string IncludeMoves {answer.text}")
            for reply in report.replies:
                self._uci.say(f"info string Ask {reply}")
            if line := info.style_line(report):
                self._uci.say(f"info string style {line}")
            for item in report.steering.honoured:
                if any(one.code in ("style.spent", "style.gaveWay") for one in item.said):
                    self._uci.say(f"info string style {item.move}: {item.detail}")
            for text in human_lines(report):
                self._uci.say(f"info string human {text}")
        tables = self._uci.tables
        if report.final and tables is not None and tables.problem:
            self._uci.drop_tables(BadTable(tables.problem))
