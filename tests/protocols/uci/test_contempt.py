"""DrawScore, Contempt, SyzygyPath and the cache: options of Lc0 that change what is searched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import chess
import chess.syzygy
import numpy as np
import pytest

import kibitz
from kibitz.errors import BadOption
from kibitz.games.chess import Position
from kibitz.games.chess.syzygy import Tables
from kibitz.protocols.uci import contempt, info
from kibitz.protocols.uci.limits import Limits
from kibitz.protocols.uci.options import Options
from tests.protocols.uci.uci_player import Talk

Array = np.ndarray
Network = Callable[[Array, Array], tuple[Array, Array]]


def even(shares: tuple[float, float, float]) -> Network:
    """A network that likes every move alike and says the same of every position."""

    def network(planes: Array, _: Array) -> tuple[Array, Array]:
        outcomes = np.tile(np.array([[*shares, 0.0]], np.float32), (len(planes), 1))
        return np.zeros((len(planes), 1858), np.float32), outcomes

    return network


@pytest.mark.parametrize("score", [-1.0, -0.4, 0.7])
def test_a_draw_is_worth_what_draw_score_says(score: float) -> None:
    for moves in ((), ("e2e4",)):
        position = Position().play(*moves)
        with kibitz.Engine("chess", "lc0", network=even((0.25, 0.5, 0.25)), draw_score=score) as engine:
            root = engine.analyze(position, visits=40).root
        # The expected result and the draws are told as they are; what is maximized counts the draws.
        assert root.value == pytest.approx(0.5, abs=1e-6)
        assert root.draw == pytest.approx(0.5, abs=1e-5)
        assert root.utility == pytest.approx((0.5 if not moves else -0.5) * score, abs=1e-6)


def test_who_loses_by_a_draw_avoids_it() -> None:
    """White can take the last pawn, which leaves a knight and a draw, or go on in what seems even."""
    position = Position("8/8/8/3k4/8/5p2/3N4/4K3 w - - 0 1")
    for score, wanted in ((1.0, True), (-1.0, False)):
        with kibitz.Engine("chess", "lc0", network=even((0.3, 0.3, 0.4)), draw_score=score) as engine:
            report = engine.analyze(position, visits=200)
        assert (report.best == "d2f3") == wanted


def test_contempt_is_lc0s() -> None:
    plain = (0.3, 0.45, 0.25)
    assert contempt.rescale(0.0) == contempt.Rescale()
    for side in (1, -1):
        rescaling = contempt.rescale(150.0, draw_rate_target=0.4)
        moved = rescaling.shares(plain, side)
        assert sum(moved) == pytest.approx(1)
        assert (moved[0] - moved[2] > plain[0] - plain[2]) == (side == 1)
        assert rescaling.shares(moved, side, back=True) == pytest.approx(plain, abs=1e-9)
    assert contempt.rescale(1000.0) == contempt.rescale(420.0)
    # Even play at 2800 Elo has more draws than at the reference of one half.
    assert contempt.rescale(0.0, calibration_elo=3400).ratio < 1
    assert contempt.rescale(50.0, calibration_elo=2800).shift > 0
    # With Lc0's defaults: s = 1 / ln 3; 1 / s / (cosh(.35 / 2s)^-2 + cosh(1.65 / 2s)^-2) * ln 10 / 200 * 100.
    assert contempt.rescale(100.0).shift == pytest.approx(0.8744, abs=1e-4)


def test_no_contempt_is_more_than_the_search_takes() -> None:
    everything = {"most": 10000.0, "attenuation": 10.0}
    for rescaling in (
        contempt.rescale(10000.0, **everything, draw_rate_target=0.999, draw_rate_reference=0.001),
        contempt.rescale(-10000.0, **everything, draw_rate_reference=0.999, book_exit_bias=2.0),
        contempt.rescale(10000.0, **everything, calibration_elo=10000.0),
        contempt.rescale(0.0, calibration_elo=10000.0, draw_rate_reference=0.001),
    ):
        kibitz.Engine(
            "chess", wdl_ratio=rescaling.ratio, wdl_shift=rescaling.shift
        )  # raises when it is too much
        for back in (False, True):
            for side in (1, -1):
                moved = rescaling.shares((0.3, 0.45, 0.25), side, back)
                assert min(moved) >= 0
                assert sum(moved) == pytest.approx(1)


def test_contempt_of_a_named_opponent() -> None:
    assert contempt.chosen("", "", 30.0) == 30.0
    assert contempt.chosen("50", "GM 2700 human Carlsen", 0.0) == 50.0
    assert contempt.chosen("carl=-20, 50", "GM 2700 human Carlsen", 0.0) == -20.0
    with pytest.raises(BadOption, match="Contempt takes Elo"):
        contempt.chosen("much", "", 0.0)


def test_the_search_counts_with_contempt() -> None:
    shares = (0.25, 0.5, 0.25)
    rescaling = contempt.rescale(120.0)
    options = {"wdl_ratio": rescaling.ratio, "wdl_shift": rescaling.shift}
    for moves, side in (((), 1), (("e2e4",), -1)):
        with kibitz.Engine("chess", "lc0", network=even(shares), **options) as engine:
            root = engine.analyze(Position().play(*moves), visits=30).root
        win, draw, _ = rescaling.shares(shares, side)
        assert root.value == pytest.approx(win + draw / 2, abs=1e-4)
        assert root.draw == pytest.approx(draw, abs=1e-4)


def test_whose_contempt_it_is() -> None:
    options = Options()
    assert options.contempt_side(0, Limits(nodes=1)) == 0
    assert options.contempt_side(1, Limits(nodes=1)) == 1
    assert options.contempt_side(1, Limits(ponder=True)) == 1
    assert options.contempt_side(1, Limits(infinite=True)) is None
    options.set("ContemptMode", "black_side_analysis")
    assert options.contempt_side(0, Limits(infinite=True)) == 1
    options.set("ContemptMode", "disable")
    assert options.contempt_side(0, Limits(nodes=1)) is None


def test_contempt_keeps_what_was_pondered() -> None:
    talk = Talk()
    talk.tell("setoption name Threads value 1", "setoption name RamLimitMb value 64")
    talk.tell("setoption name Contempt value 100", "position startpos moves e2e4 e7e5")
    begun = len(talk.lines)
    talk.tell("go ponder wtime 3000 btime 3000")
    talk.hear("info depth", begun)
    talk.tell("ponderhit")
    shown = [line for line in talk.hear("bestmove", begun) if " nodes " in line]
    nodes = [int(line.split(" nodes ")[1].split()[0]) for line in shown]
    assert nodes[-1] >= nodes[0]
    talk.close()


def test_scores_are_told_without_contempt() -> None:
    rescaling = contempt.rescale(200.0)
    options = Options()
    with kibitz.Engine(
        "chess", "lc0", network=even((0.25, 0.5, 0.25)), wdl_ratio=rescaling.ratio, wdl_shift=rescaling.shift
    ) as engine:
        report = engine.analyze(Position(), visits=10)
    facts = info.TableFacts()
    assert " score cp 0 " in next(info.info_lines(report, options, 1.0, True, rescaling, facts))
    assert " score cp 0 " not in next(info.info_lines(report, options, 1.0, True, contempt.Rescale(), facts))


class _Prober:
    """Answers as a tablebase of kings and a queen would, by brute rule: the side with the queen wins."""

    wdl = dtz = ("KQvK",)

    def probe_wdl(self, board: chess.Board) -> int:
        if not board.queens:
            return 0
        return 2 if board.occupied_co[board.turn] & board.queens else -2

    def probe_dtz(self, board: chess.Board) -> int:
        """The corner the losing king is driven to."""
        king = board.king(not board.turn if self.probe_wdl(board) > 0 else board.turn)
        assert king is not None
        rank, file = chess.square_rank(king), chess.square_file(king)
        distance = 10 + 2 * min(rank, 7 - rank) + 2 * min(file, 7 - file)
        return distance if self.probe_wdl(board) > 0 else -distance

    def close(self) -> None: ...


def _tables(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Tables:
    prober = _Prober()
    monkeypatch.setattr(prober, "add_directory", lambda _: 2, raising=False)
    monkeypatch.setattr(chess.syzygy, "Tablebase", lambda: prober)
    return Tables(str(folder))


def test_a_tablebase_leaves_the_moves_that_keep_the_result(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tables = _tables(monkeypatch, tmp_path)
    assert tables.pieces == 3
    assert tables.best_moves(Position()) is None  # too many pieces
    # Mate at once is the nearest of all wins; giving the queen away is none.
    assert tables.best_moves(Position("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1")) == ("b1b8",)
    best = tables.best_moves(Position("8/8/8/3qk3/8/8/8/3K4 w - - 0 1"))
    assert best is not None
    assert set(best) == set(Position("8/8/8/3qk3/8/8/8/3K4 w - - 0 1").legal_moves)
    # The king takes the queen that stands alone: a draw, and the only one.
    assert tables.best_moves(Position("8/8/8/8/3k4/8/4q3/3K4 w - - 0 1")) == ("d1e2",)


def test_tables_that_are_not_there(tmp_path: Path) -> None:
    talk = Talk()
    talk.lines.clear()
    talk.tell(f"setoption name SyzygyPath value {tmp_path}/none")
    assert "there is no folder" in talk.lines[-1]
    talk.tell(f"setoption name SyzygyPath value {tmp_path}")
    assert "no tables in" in talk.lines[-1]
    talk.tell("setoption name Threads value 1", "position startpos")
    assert talk.best("go nodes 20") in Position().legal_moves
    talk.close()


def test_the_engine_plays_what_the_tables_say(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    talk = Talk()
    _tables(monkeypatch, tmp_path)
    talk.tell("setoption name Threads value 1", f"setoption name SyzygyPath value {tmp_path}")
    talk.tell("position fen 8/8/8/8/3k4/8/4q3/3K4 w - - 0 1")
    lines = talk.ask("go nodes 30", "bestmove")
    assert lines[-1].split()[1] == "d1e2"
    assert any("tbhits" in line and "tbhits 0" not in line for line in lines)
    talk.close()


def counted(network: Network) -> tuple[Network, list[int]]:
    calls: list[int] = []

    def counting(planes: Array, inputs: Array) -> tuple[Array, Array]:
        calls.append(len(planes))
        return network(planes, inputs)

    return counting, calls


def test_another_order_of_moves_is_known_already_without_history() -> None:
    visits = 400
    positions = {}
    for history in (7, 0):
        network, calls = counted(even((0.3, 0.4, 0.3)))
        with kibitz.Engine("chess", "lc0", network=network, cache_mb=8, cache_history=history) as engine:
            report = engine.analyze(Position("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"), visits=visits)
        assert report.root.visits == visits
        positions[history] = sum(calls)
    assert positions[7] <= visits
    assert positions[0] < 0.8 * positions[7]
