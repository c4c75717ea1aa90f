"""GTP for Go, with KataGo's extensions.

Threads: the caller's thread reads commands; an analysis runs in a thread of its own and ends when the
next line comes, as the protocol's users expect.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import NoneType
from typing import IO, Any

from kibitz.engine import Engine
from kibitz.errors import KibitzError, ProtocolError
from kibitz.games.go import Position, sgf
from kibitz.games.go import rules as rule_sets
from kibitz.games.go.position import COLUMNS
from kibitz.games.go.scoring import score_without, stones_of
from kibitz.protocols import gtp_words
from kibitz.protocols.gtp_analysis import SIDES, Analysis, info_line, parse_analysis
from kibitz.protocols.gtp_katago import KatagoCommands
from kibitz.protocols.gtp_resign import Resigner
from kibitz.protocols.gtp_time import KGS_SYSTEMS, SYSTEMS, GtpClock
from kibitz.protocols.katago_settings import Settings
from kibitz.protocols.wire import LONGEST_LINE, Output, lines_of, text_of, unforeseen
from kibitz.report import Report
from kibitz.request import Budget, Request
from kibitz.steering import Audit

__all__ = ["GtpServer"]

#: Gives the answer, the lines of one that comes bit by bit, or None for an analysis until the next line.
Command = Callable[[list[str]], str | Iterator[str] | None]

#: Visits of the look that tells dead stones from living ones.
_JUDGING = 50
#: Words of commands that keep their underscores after the dash.
_UNDERSCORED = ("time_settings", "list_time_settings", "search_debug", "cpu_time")
_KGS_RULES = {"japanese": "japanese", "chinese": "chinese-kgs", "aga": "aga", "new_zealand": "new-zealand"}


class GtpServer(KatagoCommands):
    """One GTP session. `handle` answers a command; `serve` reads them from a stream."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        out: IO[str],
        *,
        version: str = "",
        name: str = "Kibitz",
        about: Mapping[str, Any] | None = None,
        log: IO[str] | None = None,
    ) -> None:
        self._engine = engine
        self._settings = settings
        self._out = Output(out, gone=self._engine.stop)
        self._version = version
        self._name = name
        self._about = about
        self._log = log
        self._analysis: threading.Thread | None = None
        self._enough = threading.Event()
        #: The number of the command that the analysis answers, and whether its answer has an end of its own.
        self._number = ""
        self._ends_itself = False
        self._quit = False
        self._rules = "chinese"
        self._komi = 7.5
        self._clock = GtpClock()
        self._resigner = Resigner()
        #: Seconds that searches for moves took.
        self._thought = 0.0
        self._game = [Position(19, rules=self._rules, komi=self._komi)]
        self._commands = self._listed()

    def _listed(self) -> dict[str, Command]:
        found: dict[str, Command] = {
            name.removeprefix("do_"): getattr(self, name) for name in dir(self) if name.startswith("do_")
        }
        for name in list(found):
            family, _, rest = name.partition("_")
            if family in ("kata", "kgs", "gomill"):
                spelled = rest if rest in _UNDERSCORED else rest.replace("_", "-")
                found[f"{family}-{spelled}"] = found.pop(name)
        for prefix, form in (("lz-", "lz"), ("kata-", "kata"), ("", "sabaki")):
            found[f"{prefix}analyze"] = self._analyzer(form)
            found[f"{prefix}genmove_analyze"] = self._mover(form, play=True)
        found["kata-search"] = lambda words: self._search(words, play=False)
        found["kata-search_analyze"] = self._mover("kata", play=False)
        found["kata-search_cancellable"] = self._cancellable(analyses=False)
        found["kata-search_analyze_cancellable"] = self._cancellable(analyses=True)
        return found

    # -- the loop ---------------------------------------------------------------------------------

    def serve(self, source: IO[bytes]) -> None:
        """Answers commands until `quit`, the end of the input, or nobody reads the answers."""
        try:
            for line in lines_of(source):
                self.stop_analysis()
                if len(line) > LONGEST_LINE:
                    self._say(f"? a line may have {LONGEST_LINE} bytes\n")
                else:
                    self.handle(text_of(line))
                if self._quit or self._out.closed:
                    break
        finally:  # also on Ctrl-C
            self.stop_analysis()

    def handle(self, line: str) -> None:
        words = line.split("#", 1)[0].replace("\t", " ").split()
        if not words:
            return
        number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
        if not words:
            self._say(f"?{number} a command is missing\n")
            return
        name, *rest = words
        try:
            if name not in self._commands:
                raise ProtocolError("unknown command")
            answer = self._commands[name](rest)
            if not isinstance(answer, (str, NoneType)):  # lines, each said when it is there
                self._say_lines(number, answer)
                return
        except (KibitzError, OSError) as error:
            self._say(f"?{number} {_one_line(error)}\n")
            return
        except (ArithmeticError, LookupError, RecursionError, ValueError):
            self._say(f"?{number} {name}: wrong or missing arguments\n")
            return
        except Exception as error:  # a mistake of ours; a board in the middle of a game needs an engine
            self._say(f"?{number} {name}: {unforeseen(error)}\n")
            return
        if answer is None:  # an analysis that goes on until the next line
            assert self._analysis is not None
            self._number = number
            if name != "kata-search_cancellable":  # whose one line belongs behind the sign
                self._say(f"={number}")
            self._enough.clear()
            self._analysis.start()
        else:
            self._say(f"={number} {answer}\n")

    def _say_lines(self, number: str, answer: Iterator[str]) -> None:
        begun = False
        try:
            for text in answer:
                self._say(text if begun else f"={number}\n{text}")
                begun = True
        except Exception as error:
            if not begun:
                raise
            # The answer has begun as a success, and an empty line has to end it.
            self._say(f"# {_one_line(error)}\n")

    def _say(self, text: str) -> None:
        self._out.say(text)

    def stop_analysis(self) -> None:
        if self._analysis is not None:
            self._enough.set()
            self._engine.stop()
            self._analysis.join()
            self._analysis = None
            if not self._ends_itself:
                self._say("")

    # -- about the engine -------------------------------------------------------------------------

    def do_protocol_version(self, words: list[str]) -> str:
        return "2"

    def do_name(self, words: list[str]) -> str:
        return self._name

    def do_version(self, words: list[str]) -> str:
        return self._version

    def do_known_command(self, words: list[str]) -> str:
        return str(words[0] in self._commands).lower()

    def do_list_commands(self, words: list[str]) -> str:
        return "\n".join(sorted(self._commands))

    def do_quit(self, words: list[str]) -> str:
        self._quit = True
        return ""

    def do_stop(self, words: list[str]) -> str:
        return ""

    def do_clear_cache(self, words: list[str]) -> str:
        self._engine.clear_cache()
        self._engine.new_game()
        return ""

    # -- the game ---------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        return self._game[-1]

    def _start(self, size: tuple[int, int], **stones: Any) -> None:
        self._game = [Position(size, rules=self._rules, komi=self._komi, **stones)]
        self._engine.new_game()

    def do_boardsize(self, words: list[str]) -> str:
        size = (int(words[0]), int(words[-1]))
        if not all(2 <= side <= 19 for side in size):
            raise ProtocolError("unacceptable size")
        self._start(size)
        return ""

    do_rectangular_boardsize = do_boardsize

    def do_clear_board(self, words: list[str]) -> str:
        self._start(self.position.size)
        return ""

    def do_komi(self, words: list[str]) -> str:
        komi = float(words[0])
        self._replay(komi=komi)
        return ""

    def do_get_komi(self, words: list[str]) -> str:
        return f"{self._komi:g}"

    def _replay(self, rules: str | None = None, komi: float | None = None) -> None:
        """The same moves under other rules; what these forbid is tolerated."""
        start, last = self._game[0], self.position
        rules, komi = rules or self._rules, self._komi if komi is None else komi
        stones = stones_of(start)
        game = [Position(start.size, rules=rules, komi=komi, to_move="bw"[start.to_move], **stones)]
        for text in last.moves:
            vertex = text.split(":")[-1].rstrip("!")
            colour = "BW"[self._colour_of(len(game) - 1)]
            game.append(game[-1].play_as(colour, vertex, tolerant=True))
        self._rules, self._komi, self._game = rules, komi, game
        self._engine.new_game()

    def _colour_of(self, index: int) -> int:
        """Who played the move that made position `index + 1`."""
        return 1 - self._game[index + 1].to_move

    def do_play(self, words: list[str]) -> str:
        colour, vertex = words
        if vertex.lower() == "resign":
            return ""
        try:
            self._game.append(self.position.play_as(colour, vertex, tolerant=True))
        except KibitzError:
            raise ProtocolError("illegal move") from None
        return ""

    def do_undo(self, words: list[str]) -> str:
        if len(self._game) == 1:
            raise ProtocolError("cannot undo")
        self._game.pop()
        return ""

    def do_set_position(self, words: list[str]) -> str:
        stones: dict[int, list[str]] = {0: [], 1: []}
        for colour, vertex in zip(words[::2], words[1::2], strict=True):
            stones[gtp_words.side(colour)].append(vertex.upper())
        if len({*stones[0], *stones[1]}) < len(words) // 2:
            raise ProtocolError("two stones on one point")
        self._start(self.position.size, black=stones[0], white=stones[1])
        return ""

    def do_showboard(self, words: list[str]) -> str:
        return "\n" + str(self.position)

    def do_fixed_handicap(self, words: list[str]) -> str:
        self._check_empty()
        points = gtp_words.handicap(self.position.size, int(words[0]))
        self._start(self.position.size, black=points, to_move="white")
        return " ".join(points)

    do_place_free_handicap = do_fixed_handicap

    def _check_empty(self) -> None:
        if any(stone != "." for row in self.position.stones for stone in row):
            raise ProtocolError("board not empty")

    def do_set_free_handicap(self, words: list[str]) -> str:
        self._check_empty()
        if len({word.upper() for word in words}) < max(2, len(words)):
            raise ProtocolError("bad vertex list")
        self._start(self.position.size, black=words, to_move="white")
        return ""

    def do_loadsgf(self, words: list[str]) -> str:
        record = sgf.read(words[0])[0]
        positions = record.positions()
        most = int(words[1]) - 1 if len(words) > 1 else len(positions) - 1
        self._rules, self._komi = record.start.rules, record.start.komi
        self._game = positions[: max(0, most) + 1]
        self._engine.new_game()
        return ""

    def do_printsgf(self, words: list[str]) -> str:
        moves = tuple(
            ("BW"[self._colour_of(n)], text.split(":")[-1].rstrip("!"))
            for n, text in enumerate(self.position.moves)
        )
        text = sgf.write(sgf.Record(self._game[0], moves))
        if words and words[0] != "-":
            Path(words[0]).write_text(text, encoding="utf-8")
            return ""
        return text.strip()

    def do_final_score(self, words: list[str]) -> str:
        at = self.position
        fields = rule_sets.to_fields(at.rules)
        # Rules that leave dead stones to be played out have said the score when the game ended.
        settled = fields["scoring"] == "TERRITORY" or not fields["friendlyPassOk"]
        score = at.score if at.is_over and settled else score_without(at, self._stones("dead"))
        return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"

    def _owners(self) -> list[float]:
        """Who will own each point, from a short look; as the board stands without a network."""
        if not self._engine.has_network:
            return [{"X": 1.0, "O": -1.0}.get(owner, 0.0) for row in self.position.owners for owner in row]
        at = self.position.resumed() if self.position.is_over else self.position
        options = {**self._settings.options, "ownership": True, "reuse": False}
        *_, report = self._engine.run(Request(at, budget=Budget(visits=_JUDGING), options=options))
        return list(report.root.ownership)

    def _stones(self, wanted: str) -> list[str]:
        """The stones that are alive, dead or in seki."""
        owners = self._owners()
        columns, rows = self.position.size
        found = []
        for y, row in enumerate(self.position.stones):
            for x, stone in enumerate(row):
                if stone == ".":
                    continue
                own = owners[columns * y + x] * (1 if stone == "X" else -1)
                status = "alive" if own > 0.3 else "dead" if own < -0.3 else "seki"
                if status == wanted:
                    found.append(f"{COLUMNS[x]}{rows - y}")
        return found

    def do_final_status_list(self, words: list[str]) -> str:
        if words[0] not in ("alive", "dead", "seki"):
            raise ProtocolError(f"expected alive, dead or seki, got {words[0]!r}")
        return " ".join(self._stones(words[0]))

    # -- rules ------------------------------------------------------------------------------------

    def do_kata_get_rules(self, words: list[str]) -> str:
        return json.dumps(rule_sets.to_fields(self._rules), separators=(",", ":"))

    def do_kata_set_rules(self, words: list[str]) -> str:
        self._replay(rules=rule_sets.to_text(" ".join(words)))
        return ""

    def do_kata_set_rule(self, words: list[str]) -> str:
        self._replay(rules=rule_sets.with_field(self._rules, words[0], words[1]))
        return ""

    def do_kgs_rules(self, words: list[str]) -> str:
        name = words[0].lower()
        if name not in _KGS_RULES:
            raise ProtocolError(f"unknown rules {name!r}, expected {', '.join(_KGS_RULES)}")
        self._replay(rules=_KGS_RULES[name])
        return ""

    # -- time -------------------------------------------------------------------------------------

    def do_time_settings(self, words: list[str]) -> str:
        self._clock.set_canadian(words)
        return ""

    def do_kgs_time_settings(self, words: list[str]) -> str:
        self._clock.set_named(words, KGS_SYSTEMS)
        return ""

    def do_kata_time_settings(self, words: list[str]) -> str:
        self._clock.set_named(words)
        return ""

    def do_kata_list_time_settings(self, words: list[str]) -> str:
        return " ".join(SYSTEMS)

    def do_time_left(self, words: list[str]) -> str:
        self._clock.set_left(gtp_words.side(words[0]), gtp_words.seconds(words[1]))
        return ""

    def _budget(self, side: int) -> Budget:
        seconds, clock = self._settings.max_seconds, self._clock.seconds(side)
        if clock is not None:
            seconds = min(seconds or 1e9, clock)
        return Budget(self._settings.max_playouts, self._settings.max_visits, seconds)

    # -- thinking ---------------------------------------------------------------------------------

    def _request(self, asked: Analysis, budget: Budget) -> Request:
        at = self.position
        if asked.side is not None and asked.side != at.to_move:
            at = gtp_words.turned(at, asked.side)
        if at.is_over:
            at = at.resumed()
        self._check(asked, at)
        doubling = self._settings.doubling if at.to_move == 0 else -self._settings.doubling
        at = at.for_search(doubling, self._settings.conservative_pass)
        owners = bool({"ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev"} & asked.flags)
        options = {
            **self._settings.search_options(alone=True),
            "ownership": owners and self._engine.has_network,
        }
        per_move = bool({"movesOwnership", "movesOwnershipStdev"} & asked.flags)
        length = self._settings.pv_length + 1  # KataGo does not count the move itself
        return Request(
            at,
            asked.steering,
            budget,
            options,
            length,
            unvisited=asked.min_moves > 0,
            move_ownership=per_move,
        )

    def _check(self, asked: Analysis, at: Position) -> None:
        """Points that are not on the board are an error."""
        for vertex in (move for rule in (*asked.allow, *asked.avoid) for move in rule.moves):
            gtp_words.point(at, vertex)
        for vertex in asked.include:
            gtp_words.point(at, vertex)
        self._note(*asked.notes)

    def _note(self, *notes: str) -> None:
        """On stderr, where boards show what an engine has to say."""
        for note in notes:
            print(note, file=self._log or sys.stderr, flush=True)

    def _refused(self, audit: Audit) -> None:
        """Names what the search will not obey; like KataGo not a word on restrictions of illegal moves."""
        self._note(
            *(
                f"{item.kind}: {item.reason}, ignoring this move"
                for item in audit.refused
                if item.kind == "include" or not item.illegal
            )
        )

    def _analyzer(self, form: str) -> Callable[[list[str]], str | None]:
        def analyze(words: list[str]) -> None:
            asked = parse_analysis(words)
            request = self._request(asked, Budget(unlimited=True))
            if self._settings.analysis_noise is not None:
                noise = {"root_noise": self._settings.analysis_noise}
                request = replace(request, options={**request.options, **noise})
            self._ends_itself = False
            self._analysis = threading.Thread(target=self._stream, args=(request, asked, form), daemon=True)

        return analyze

    def _stream(self, request: Request, asked: Analysis, form: str) -> None:
        try:
            reports = self._engine.run(request, asked.every, until=self._enough.is_set, audited=self._refused)
            for report in reports:
                line = "" if report.final else info_line(report, asked, form, self._settings.perspective)
                if line:
                    self._say(line)
        except KibitzError as error:
            self._say(f"# {_one_line(error)}")
        except Exception as error:
            self._say(f"# {unforeseen(error)}")

    def _mover(self, form: str, play: bool) -> Callable[[list[str]], Iterator[str]]:
        def move(words: list[str]) -> Iterator[str]:
            asked = parse_analysis(words)
            side = self.position.to_move if asked.side is None else asked.side
            report, begun = None, time.monotonic()
            request = self._request(asked, self._budget(side))
            for report in self._engine.run(request, asked.every, audited=self._refused):
                line = info_line(report, asked, form, self._settings.perspective)
                if line:
                    yield line
            assert report is not None
            self._thought += time.monotonic() - begun
            best = self._played(report, side) if play else report.best
            yield f"play {best}\n"

        return move

    def _cancellable(self, analyses: bool) -> Callable[[list[str]], None]:
        """A search for a move that is not played and that any further line cancels."""

        def search(words: list[str]) -> None:
            asked = parse_analysis(words) if analyses else Analysis(gtp_words.side(words[0]))
            side = self.position.to_move if asked.side is None else asked.side
            request = self._request(asked, self._budget(side))
            self._ends_itself = True
            self._analysis = threading.Thread(
                target=self._think_cancellably, args=(request, asked, analyses), daemon=True
            )

        return search

    def _think_cancellably(self, request: Request, asked: Analysis, analyses: bool) -> None:
        best, begun = "cancelled", time.monotonic()
        try:
            every = asked.every if analyses else None
            for report in self._engine.run(request, every, until=self._enough.is_set):
                line = info_line(report, asked, "kata", self._settings.perspective) if analyses else ""
                if line:
                    self._say(line)
                if report.final and not self._enough.is_set():
                    best = report.best
        except Exception as error:
            self._say(f"# {_one_line(error)}")
        self._thought += time.monotonic() - begun
        self._say(f"play {best}\n" if analyses else f"={self._number} {best}\n")

    def do_genmove(self, words: list[str]) -> str:
        return self._search(words, play=True)

    def _search(self, words: list[str], play: bool, debug: bool = False) -> str:
        side = gtp_words.side(words[0]) if words else self.position.to_move
        begun = time.monotonic()
        *_, report = self._engine.run(self._request(Analysis(side), self._budget(side)), debug=debug)
        self._thought += time.monotonic() - begun
        if debug:
            print(report, report.thoughts, sep="\n", file=self._log or sys.stderr, flush=True)
        return self._played(report, side) if play else report.best

    def _played(self, report: Report, side: int) -> str:
        if self._resigner.resigns(report, side, len(self.position.moves), self._settings):
            return "resign"
        self._game.append(self.position.play_as("bw"[side], report.best, tolerant=True))
        return report.best

    def do_kata_raw_nn(self, words: list[str]) -> str:
        """The network's own answer; the symmetry is checked, and the board as it stands is used."""
        if not self._engine.has_network:
            raise ProtocolError("there is no network")
        at = self.position
        if words[0].lower() in SIDES:
            side = gtp_words.side(words.pop(0))
            at = at if side == at.to_move else gtp_words.turned(at, side)
        if words[0].lower() not in ("all", *"01234567"):
            raise ProtocolError(f"expected a symmetry, all or 0 to 7, got {words[0]!r}")
        at = at.resumed() if at.is_over else at
        options = {**self._settings.options, "ownership": True, "reuse": False, "root_symmetry": False}
        *_, report = self._engine.run(Request(at, budget=Budget(visits=1), options=options))
        own = report.root.own or {}
        columns, rows = at.size
        sign = 1 if at.to_move == 1 else -1
        rate = own["value"] if at.to_move == 1 else 1 - own["value"]
        values = [
            report.policy.get(f"{COLUMNS[n % columns]}{rows - n // columns}") for n in range(columns * rows)
        ]
        shown = ["    NAN" if value is None else f"{value:.6f}" for value in values]
        owners = [f"{-value:.5f}" for value in report.root.ownership]
        lines = [
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
        return "\n".join(lines)


def _one_line(error: BaseException) -> str:
    """An error's text where an empty line would end the answer."""
    return " ".join(str(error).split())
