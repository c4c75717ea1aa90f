"""The lines a search prints: `info`, and Lc0's verbose statistics."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from kibitz.games.chess.position import Position
from kibitz.protocols.uci.contempt import Rescale
from kibitz.protocols.uci.options import Options
from kibitz.report import MoveInfo, Report, RootInfo

_PLAIN = Rescale()

#: Centipawns of a result that a tablebase knows, as other engines show it.
_TABLE_SCORE = 20000

#: Steepness and draw margin of the hand-written judgement (native/games/chess/evaluate/eval.cpp), to tell
#: wins from draws in its expected results.
_HAND_STEEPNESS, _HAND_MARGIN = 0.9, 0.9


@dataclass(frozen=True)
class TableFacts:
    """Whether there are tablebases, and what they said of the root: how many of its moves they knew, the
    mover's result (2 to -2)."""

    there: bool = False
    hits: int = 0
    result: int | None = None


def style_line(report: Report) -> str:
    """What a network with a style head predicts: of the game (S, the tree's mean and the network's own), of
    the side to move (S2) and after the best move, and what the style cost; empty without such a head."""
    root = report.root
    if root.style is None:
        return ""
    words = [f"S {root.style:.3f}"]
    own = root.raw_evaluation or {}
    words += [f"network {own['style']:.3f}"] if "style" in own else []
    words += [f"S2 {own['mover_style']:.3f}"] if "mover_style" in own else []
    if report.moves and report.moves[0].style is not None:
        words.append(f"best {report.moves[0].style:.3f}")
    return " ".join(words)


def wdl(value: float, draw: float | None) -> tuple[float, float, float]:
    """Shares of wins, draws and losses from an expected result and a share of draws, which the
    hand-written judgement has only as a rule."""
    if draw is None:
        draw = _hand_draw(value)
    win = min(max(value - draw / 2, 0.0), 1.0)
    loss = min(max(1 - value - draw / 2, 0.0), 1.0)
    return win, max(0.0, 1 - win - loss), loss


def _hand_draw(value: float) -> float:
    """The share of draws at which the rule's expected result is `value`."""
    low, high = -40.0, 40.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if _hand_shares(middle)[0] < value else (low, middle)
    return _hand_shares(low)[1]


def _hand_shares(pawns: float) -> tuple[float, float]:
    win = 1 / (1 + math.exp(-_HAND_STEEPNESS * (pawns - _HAND_MARGIN)))
    loss = 1 / (1 + math.exp(-_HAND_STEEPNESS * (-pawns - _HAND_MARGIN)))
    return win + (1 - win - loss) / 2, 1 - win - loss


def _mu(wl: float, d: float) -> float | None:
    """Lc0's estimate of the advantage behind a WDL, in pawns; None where it has no meaning."""
    win, loss = (1 + wl - d) / 2, (1 - wl - d) / 2
    least = 1e-4
    if min(win, loss, d) < least or max(win, loss, d) > 1 - least:
        return None
    a, b = math.log(1 / loss - 1), math.log(1 / win - 1)
    return (a - b) / (a + b)


_SCORES: dict[str, Callable[[float], float]] = {
    "centipawn": lambda wl: 90 * math.tan(1.5637541897 * wl),
    "centipawn_with_drawscore": lambda wl: 90 * math.tan(1.5637541897 * wl),
    "centipawn_2019": lambda wl: 295 * wl / (1 - 0.976953126 * wl**14),
    "centipawn_2018": lambda wl: 290.680623072 * math.tan(1.548090806 * wl),
    "win_percentage": lambda wl: wl * 5000 + 5000,
    "Q": lambda wl: wl * 10000,
    "W-L": lambda wl: wl * 10000,
}


def score_text(
    info: MoveInfo,
    shares: tuple[float, float, float],
    kind: str,
    draw_score: float = 0.0,
    *,
    position: Position | None = None,
    tables: int | None = None,
) -> str:
    """`cp 34` in the unit asked for, `mate 3` for what is proven to the end, or `cp 20000` and less for what
    a tablebase knows to be won: after the line from `position`, or at once (`tables`)."""
    if info.proven in ("win", "loss"):
        plies = len(info.line)
        if position is not None and position.play_on(*info.line).ending != "checkmate":
            return f"cp {(_TABLE_SCORE - plies) * (1 if info.proven == 'win' else -1)}"
        return f"mate {(plies + 1) // 2}" if info.proven == "win" else f"mate -{max(1, plies // 2)}"
    if info.proven == "draw":
        return "cp 5000" if kind == "win_percentage" else "cp 0"
    if tables in (2, -2):
        return f"cp {_TABLE_SCORE * tables // 2}"
    d = shares[1]
    wl = shares[0] - shares[2] + draw_score * d
    if kind != "WDL_mu":
        return f"cp {round(_SCORES[kind](wl))}"
    plain = 45 * math.tan(1.56728071628 * wl)
    mu = _mu(wl, d)
    if mu and abs(wl) + d < 0.996 and (abs(mu) < 1 or abs(plain) < abs(100 * mu)):
        return f"cp {round(100 * mu)}"
    return f"cp {round(plain)}"


def info_lines(
    report: Report, options: Options, seconds: float, has_wdl: bool, rescaling: Rescale, tables: TableFacts
) -> Iterator[str]:
    """One `info` line for each of the best moves, MultiPV of them. Contempt is the search's own affair:
    `rescaling` (White's) is taken off the scores again."""
    root = report.root
    wanted = options["MultiPV"]
    nodes = root.visits
    nps = round(report.simulations / report.seconds) if report.seconds > 0 else 0
    full = min(1000, round(1000 * root.memory_bytes / (options.memory_mb() * 2**20)))
    # Before any move was visited the priors are all there is to tell.
    moves = [move for move in report.moves if move.visits] or report.moves[:1]
    for number, info in enumerate(moves[:wanted], 1):
        value, draw = (info.value, info.draw) if info.visits else (root.value, root.draw)
        shares = wdl(value, draw if has_wdl or info.proven else None)
        side = 1 if report.position.to_move == 0 else -1
        if has_wdl and rescaling != Rescale():
            shares = rescaling.shares(shares, side, back=True)
        kind = options["ScoreType"]
        draw_score = side * options["DrawScore"] if kind == "centipawn_with_drawscore" else 0.0
        words = [
            f"info depth {max(1, round(root.mean_depth))} seldepth {max(1, root.depth)}",
            f"time {round(1000 * seconds)} nodes {info.visits if options['PerPVCounters'] else nodes}",
            f"score {_scored(report, info, shares, kind, draw_score, tables)}",
        ]
        if options["UCI_ShowWDL"]:
            words.append("wdl " + " ".join(map(str, _permille(shares))))
        words += [f"hashfull {full} nps {nps} tbhits {tables.hits}"]
        if wanted > 1:
            words.append(f"multipv {number}")
        words.append("pv " + " ".join(info.line))
        yield " ".join(words)


def _scored(
    report: Report,
    info: MoveInfo,
    shares: tuple[float, float, float],
    kind: str,
    draw_score: float,
    tables: TableFacts,
) -> str:
    position = report.position
    assert isinstance(position, Position)
    # Without tables every proof ends in a mate, also one that is longer than the line shown.
    at = position if tables.there else None
    return score_text(info, shares, kind, draw_score, position=at, tables=tables.result)


def _permille(shares: tuple[float, float, float]) -> tuple[int, int, int]:
    win, loss = round(1000 * shares[0]), round(1000 * shares[2])
    return win, max(0, 1000 - win - loss), loss


# -- VerboseMoveStats --------------------------------------------------------------------------------------


def verbose_lines(
    report: Report, search: dict[str, Any], has_wdl: bool, rescaling: Rescale = _PLAIN
) -> Iterator[str]:
    """Lc0's lines for every move, the least visited first, and one for the node:

    `info string e2e4  (322 ) N:      12 (+ 0) (P: 12.34%) (WL:  0.01234) (D: 0.345) (M:  0.0) ...`
    """
    position = report.position
    assert isinstance(position, Position)
    root = report.root
    growth = search["cpuct_factor"] * math.log((root.visits + search["cpuct_base"]) / search["cpuct_base"])
    explore = (search["cpuct"] + growth) * math.sqrt(max(root.visits - 1, 1))
    tried = sum(info.prior for info in report.moves if info.visits)
    side = 1 if position.to_move == 0 else -1
    draw_score = search.get("draw_score", 0.0) * side

    def shown(shares: tuple[float, float, float]) -> tuple[float, float, float]:
        return rescaling.printed(shares, side) if has_wdl else shares

    first_play = _q(root, has_wdl, draw_score) - search["fpu_reduction"] * math.sqrt(tried)
    if search["fpu"] == "absolute":
        first_play = search["fpu_reduction"]
    for info in reversed(report.moves):
        move = position.state.parse_move(info.move)
        u = explore * info.prior / (1 + info.visits)
        q = _q(info, has_wdl, draw_score) if info.visits else first_play
        head = _head(info.move, position.state.policy_index(move), info.visits, info.prior)
        numbers = (
            _numbers(info, has_wdl, q, shown)
            if info.visits
            else f"(WL:  -.-----) (D: -.---) (M:  -.-) (Q: {q:8.5f}) "
        )
        tail = _tail(info.first_value, info.proven)
        yield f"info string {head}{numbers}(U: {u:6.5f}) (S: {q + u:8.5f}) {tail}".rstrip()
    head = _head("node ", f"{len(report.moves):4d}", root.visits, tried)
    q = _q(root, has_wdl, draw_score)
    tail = _tail(root.first_value, root.proven)
    yield f"info string {head}{_numbers(root, has_wdl, q, shown)}{tail}".rstrip()


def _head(label: str, number: int | str, visits: int, prior: float) -> str:
    percent = f"{100 * prior:5.1f}" if prior >= 0.99995 else f"{100 * prior:5.2f}"
    return f"{label:<5} ({number:<4}) N: {visits:7d} (+{0:2d}) (P: {percent}%) "


def _q(info: MoveInfo | RootInfo, has_wdl: bool, draw_score: float) -> float:
    """What the search maximizes."""
    return 2 * info.value - 1 + (draw_score * (info.draw or 0.0) if has_wdl else 0.0)


def _numbers(info: MoveInfo | RootInfo, has_wdl: bool, q: float, shown: Callable[[Any], Any]) -> str:
    win, draw, loss = shown(wdl(info.value, info.draw if has_wdl or info.proven else None))
    return f"(WL: {win - loss:8.5f}) (D: {draw:5.3f}) (M: {0.0:4.1f}) (Q: {q:8.5f}) "


def _tail(first_value: float | None, proven: str | None) -> str:
    opinion = "(V:  -.----) " if first_value is None else f"(V: {2 * first_value - 1:7.4f}) "
    return opinion + ("(T) " if proven else "")
