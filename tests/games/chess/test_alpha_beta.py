"""Chess by alpha-beta, behind the same Request, Steering and Report as the tree search."""

from __future__ import annotations

import chess
import pytest

import kibitz
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.report import Report
from kibitz.steering import Restriction
from tests.paths import SHARED

MAIA = SHARED / "nets" / "maia-1900.pb.gz"

#: Mates that python-chess confirms move by move: how many moves they take.
MATES = {
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1": 1,
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4": 1,
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1": 2,
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1": 3,
}
MIDDLE = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"


def at(fen: str) -> kibitz.chess.Position:
    return kibitz.chess.Position(fen)


def searched(fen: str, network: str | None = None, **wishes: object) -> Report:
    options = {"depth": 6, **wishes.pop("options", {})}  # type: ignore[dict-item]
    with Engine("chess", search="alphabeta", network=network) as engine:
        return engine.analyze(at(fen), seconds=60, options=options, **wishes)  # type: ignore[arg-type]


@pytest.mark.parametrize("network", [None, "none"])
@pytest.mark.parametrize(("fen", "moves"), MATES.items())
def test_mates_are_proven_and_played(fen: str, moves: int, network: str | None) -> None:
    report = searched(fen, network, options={"depth": 2 * moves + 2})
    line = report.moves[0].line
    assert report.root.proven == report.moves[0].proven == "win"
    assert report.stop_reason == "proven"
    assert len(line) == 2 * moves - 1
    board = chess.Board(fen)
    for move in line:
        board.push_uci(move)
    assert board.is_checkmate()


def test_being_mated_is_a_loss() -> None:
    report = searched("6k1/8/8/8/8/1r6/r7/7K w - - 0 1", options={"depth": 4})  # Kg1 Rb1 mate
    assert report.best == "h1g1"
    assert report.moves[0].proven == "loss"
    assert report.root.value == 0.0


@pytest.mark.parametrize("network", [None, "none"])
def test_checks_without_end_are_a_draw(network: str | None) -> None:
    """White is a rook down and about to be mated."""
    report = searched("6k1/5p1p/5Q2/8/8/8/qr4PP/7K w - - 0 1", network, options={"depth": 10})
    assert report.best in ("f6g5", "f6d8")
    assert report.root.score == 0.0


def test_the_past_of_a_game_counts() -> None:
    """Black could bring about a position for the third time after one move of White, who is winning."""
    game = at("7k/8/8/8/8/8/Q7/K7 w - - 0 1")
    game = game.play("a2b3", "h8g7", "b3a2", "g7h8", "a2b3", "h8g7")
    board = chess.Board(game.start.fen)
    for move in (*game.moves, "b3a2", "g7h8"):
        board.push_uci(move)
    assert board.is_repetition(3)
    with Engine("chess", search="alphabeta", network="none") as engine:
        report = engine.analyze(game, seconds=60, options={"depth": 6, "multi_pv": 64})
    scores = {info.move: info.score for info in report.moves}
    assert scores["b3a2"] == 0.0
    assert report.root.value > 0.9


@pytest.mark.parametrize("network", [None, "none"])
def test_lines_are_legal_and_depth_is_told(network: str | None) -> None:
    report = searched(MIDDLE, network, options={"depth": 7, "multi_pv": 3})
    assert report.stop_reason == "depth"
    assert report.root.depth == 7
    exact = [info for info in report.moves if not info.upper_bound]
    assert len(exact) >= 3
    scores = [info.score for info in exact]
    assert scores == sorted(scores, reverse=True)  # type: ignore[type-var]
    for info in report.moves:
        board = chess.Board(MIDDLE)
        for move in info.line:
            assert chess.Move.from_uci(move) in board.legal_moves
            board.push_uci(move)
        assert 0.0 <= info.value <= 1.0
        assert 0.0 <= (info.draw or 0.0) <= 1.0


def test_one_thread_gives_one_result() -> None:
    first, second = (searched(MIDDLE, options={"depth": 8}) for _ in range(2))
    assert [(info.move, info.score, info.visits) for info in first.moves] == [
        (info.move, info.score, info.visits) for info in second.moves
    ]


def test_included_moves_get_exact_scores_and_avoid_holds() -> None:
    plain = searched(MIDDLE)
    report = searched(MIDDLE, include=["h2h4"], avoid=[plain.best])
    told = next(info for info in report.moves if info.move == "h2h4")
    assert not told.upper_bound
    assert "exact score at depth" in report.steering.honoured[-1].detail + report.steering.honoured[0].detail
    assert report.best != plain.best
    assert plain.best not in {info.move for info in report.moves}


def test_restrictions_below_the_root_hold() -> None:
    """Black may not answer with a capture of the queen that hangs."""
    fen = "4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1"
    free = searched(fen, "none", allow=["d1d5"])
    held = searched("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1", "none", allow=["d1d5"])
    spared = searched(
        "4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1",
        "none",
        allow=["d1d5"],
        avoid=[Restriction(("e6d5",), 1, 2)],
    )
    assert held.root.value < spared.root.value
    assert free.root.value > held.root.value


def test_a_request_chooses_the_family() -> None:
    with Engine("chess") as engine:
        assert engine.analyze(at(MIDDLE), seconds=0.1).root.depth >= 4
        assert engine.analyze(at(MIDDLE), visits=50).root.visits == 50
        styled = engine.analyze(at(chess.STARTING_FEN), seconds=0.1, style="medium")
        assert [item.kind for item in styled.steering.honoured] == ["style"]


@pytest.mark.skipif(not MAIA.is_file(), reason="the network is not here")
def test_a_network_that_is_too_slow_is_refused() -> None:
    with (
        Engine("chess", search="alphabeta", network=str(MAIA)) as engine,
        pytest.raises(BadOption, match="accumulator"),
    ):
        engine.analyze(at(MIDDLE), seconds=0.1)
    with Engine("chess", network=str(MAIA)) as engine:
        assert engine.analyze(at(MIDDLE), seconds=0.1).moves[0].prior > 0


def test_exact_scores_of_several_moves_are_cheap() -> None:
    """Four exact scores cost at most 1.6 times the nodes of one."""
    positions = (
        MIDDLE,
        "r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 1 6",
        "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
        "8/5pk1/1p2p1p1/p1r1P2p/P1R4P/1P3KP1/5P2/8 w - - 2 38",
    )
    one = sum(searched(fen, options={"depth": 10}).simulations for fen in positions)
    reports = [searched(fen, options={"depth": 10, "multi_pv": 4}) for fen in positions]
    for report in reports:
        assert sum(not info.upper_bound for info in report.moves) >= 4
    assert sum(report.simulations for report in reports) <= 1.6 * one


def test_nodes_of_all_threads_are_counted() -> None:
    with Engine("chess", search="alphabeta", threads=2) as engine:
        report = engine.analyze(at(MIDDLE), seconds=60, options={"depth": 12})
    assert report.simulations > sum(info.visits for info in report.moves)


def test_a_queen_given_with_check_is_looked_at() -> None:
    """Morphy's 16.Qb8+: after 15...Nxd7 it mates in two, so 15...Qxd7 is the move (Paris 1858)."""
    position = kibitz.chess.Position("4kb1r/p2B1ppp/4qn2/4p1B1/4P3/1Q6/PPP2PPP/2KR4 b k - 0 15")
    with kibitz.Engine("chess") as engine:
        report = engine.analyze(position, simulations=20_000, options={"search": "alphabeta", "threads": 1})
    assert report.best == "e6d7"
