"""Teachers: what they say becomes samples, the same for the same seed, in parts as in one piece."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.chess.training.uci_teacher import UciTeacher, chances
from kibitz.training.samples import SampleReader
from kibitz.training.samples.manifest import Manifest
from kibitz.training.teachers.games import GameSettings
from kibitz.training.teachers.judgement import Judgement
from kibitz.training.teachers.label import label_games
from kibitz.training.teachers.label_task import LabelTask, TeacherSpec, fleet_shards
from kibitz.training.teachers.making import label_records, make_teacher, read_starts
from kibitz.training.teachers.mixed import MixedTeacher
from kibitz.training.teachers.solver import SolverTeacher

pytest.importorskip("pyarrow")


class FirstMove:
    """Likes the first legal move best."""

    name = "first"
    asked = 0

    def judge(self, positions: Any) -> list[Judgement | None]:
        self.asked += len(positions)
        return [self._one(state) for state in positions]

    def close(self) -> None:
        pass

    @staticmethod
    def _one(state: Any) -> Judgement:
        moves = list(state.legal_moves())
        shares = np.full(len(moves), 0.5 / len(moves), np.float32)
        shares[0] += 0.5
        return Judgement(moves, shares, (0.5, 0.2, 0.3))


@pytest.mark.parametrize("game", ["othello", "uttt", "chess", "go"])
def test_games_are_labelled_once(tmp_path: Path, game: str) -> None:
    """A run in two parts has the games of a run in one piece."""
    settings = GameSettings(game, seed=3, sizes=(5,), plies=20)
    label_games(settings, FirstMove(), tmp_path / "parts", 3, parallel=2)
    teacher = FirstMove()
    assert label_games(settings, teacher, tmp_path / "parts", 6, parallel=2)[0] == 6
    half = teacher.asked
    whole = FirstMove()
    label_games(settings, whole, tmp_path / "whole", 6, parallel=4)
    assert half < whole.asked
    rows = [
        {
            row.tobytes()
            for batch in SampleReader([folder], batch=50, shuffle=False, symmetries=False).batches()
            for row in batch.planes
        }
        for folder in (tmp_path / "parts", tmp_path / "whole")
    ]
    assert rows[0] == rows[1]
    manifest = Manifest.read(tmp_path / "whole")
    assert manifest.origin["teacher"] == "first"
    [batch, *_] = SampleReader([tmp_path / "whole"], batch=30, shuffle=False, symmetries=False).batches()
    np.testing.assert_allclose(batch.q, 0.2, atol=1e-6)
    np.testing.assert_allclose(batch.d, 0.2, atol=1e-6)
    assert (batch.policy.max(axis=1) >= 0.5).all()


def test_a_network_teaches(tmp_path: Path) -> None:
    """Shares over legal moves, value, score and ownership are the network's own."""
    pytest.importorskip("torch")
    from kibitz.nets import load
    from tests.training.test_export import own

    file = own(tmp_path, "go")
    teacher = make_teacher("go", str(file), precision="fp32", nodes=1, multipv=1)
    boards = [registry.get("go").position(size).play("C3") for size in (5, 7, 5)]
    judged = teacher.judge([board.state for board in boards])
    network = load(file, runtime="native")
    for board, item in zip(boards, judged, strict=True):
        assert item is not None
        planes, numbers = board.state.encode()
        said = network.evaluate(planes[None], numbers[None])
        logits = np.array([said.policy[0, board.state.policy_index(move)] for move in item.moves])
        weights = np.exp(logits - logits.max())
        assert sorted(item.moves) == sorted(board.state.legal_moves())
        np.testing.assert_allclose(item.shares, weights / weights.sum(), atol=1e-5)
        assert item.value == pytest.approx(tuple(map(float, said.outcomes[0, :3])), abs=1e-5)
        assert item.score == pytest.approx(float(said.outcomes[0, 3]), abs=1e-3)
        assert item.ownership is not None
        np.testing.assert_allclose(item.ownership.ravel(), np.ravel(said.ownership), atol=1e-5)


def test_worker_processes_label_the_same_games(tmp_path: Path) -> None:
    settings = GameSettings("othello", seed=3, random_plies=50)
    spec = TeacherSpec("othello", "solver")
    here = label_games(settings, spec.make(), tmp_path / "here", 5, parallel=2)
    elsewhere = partial(fleet_shards, LabelTask(settings, spec), parallel=2, processes=1)
    heard: list[int] = []
    more = {"elsewhere": elsewhere, "progress": lambda games, positions: heard.append(games)}
    assert label_games(settings, spec.make(), tmp_path / "there", 3, **more)[0] == 3
    there = label_games(settings, spec.make(), tmp_path / "there", 5, **more)
    assert here == there
    assert heard == [0, 2, 3, 3, 5]
    shards = Manifest.read(tmp_path / "there").shards
    assert [(shard.number, shard.games) for shard in shards] == [(0, 2), (1, 1), (2, 2)]
    Manifest.read(tmp_path / "there").verify(tmp_path / "there")
    rows = [
        sorted(
            row.tobytes()
            for batch in SampleReader([folder], batch=50, shuffle=False, symmetries=False).batches()
            for row in batch.planes
        )
        for folder in (tmp_path / "here", tmp_path / "there")
    ]
    assert rows[0] == rows[1]


def test_a_slow_teacher_loses_little(tmp_path: Path) -> None:
    """With no time at all a shard is closed once it is a 16th full."""
    settings = GameSettings("othello", plies=8)
    label_games(settings, FirstMove(), tmp_path / "few", 3, parallel=1, minutes=0)
    assert len(Manifest.read(tmp_path / "few").shards) == 1
    label_games(settings, FirstMove(), tmp_path, 3, parallel=1, minutes=0, shard_positions=32)
    assert len(Manifest.read(tmp_path).shards) == 3


def test_a_solver_teaches_the_end_of_games() -> None:
    position = registry.get("othello").position()
    while len(position.moves) < 54 and not position.is_over:
        position = position.play(position.legal_moves[0])
    teacher = SolverTeacher("othello")
    [judged] = teacher.judge([position.state])
    assert judged is not None
    best = registry.get("othello").solve
    assert best is not None
    exact = best(position, 5.0, lambda: False, True)
    assert exact is not None
    top = max(move.score or 0 for move in exact.moves)
    assert judged.score == top
    right = {move.move for move in exact.moves if move.score == top}
    assert {position.state.move_text(move) for move in judged.moves} == right
    assert teacher.judge([registry.get("othello").position().state]) == [None]


ENGINE = """
import sys
import chess
board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name Plain\\noption name MultiPV type spin default 1 min 1 max 9\\nuciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:2] == ["position", "fen"]:
        board = chess.Board(" ".join(words[2:8]))
    elif words[:2] == ["position", "startpos"]:
        board = chess.Board()
        for move in words[3:]:
            board.push_uci(move)
    elif words[:1] == ["go"]:
        for number, move in enumerate(sorted(board.legal_moves, key=str)[:2], 1):
            score = 100 - 40 * number
            print(f"info depth 1 multipv {number} score cp {score} nodes 9 pv {move}")
        print(f"bestmove {sorted(board.legal_moves, key=str)[0]}")
    elif words[:1] == ["quit"]:
        break
    sys.stdout.flush()
"""


def test_a_uci_engine_teaches(tmp_path: Path) -> None:
    program = tmp_path / "engine.py"
    program.write_text(ENGINE)
    teacher = UciTeacher(f"{sys.executable} {program}", nodes=9, multipv=2)
    try:
        state = registry.get("chess").position().state
        [judged] = teacher.judge([state])
    finally:
        teacher.close()
    assert judged is not None
    assert [state.move_text(move) for move in judged.moves] == ["a2a3", "a2a4"]
    assert judged.shares[0] > 2 * judged.shares[1]
    assert judged.value == pytest.approx(chances(60))
    assert teacher.name.startswith("Plain")


def test_several_engines_answer_in_order(tmp_path: Path) -> None:
    """Five positions, two engines: each judgement belongs to its position, as if one engine had judged."""
    program = tmp_path / "engine.py"
    program.write_text(ENGINE)
    position = registry.get("chess").position()
    states = [position.play(move).state for move in ("e2e4", "d2d4", "g1f3", "b1c3", "a2a3")]
    answers = []
    for engines in (1, 2):
        teacher = UciTeacher(f"{sys.executable} {program}", nodes=9, multipv=2, engines=engines)
        try:
            judged = teacher.judge([states[0].play(states[0].legal_moves()[0]), *states])
        finally:
            teacher.close()
        answers.append([(list(item.moves), item.shares.tolist(), item.value) for item in judged if item])
    assert answers[0] == answers[1]
    assert len(answers[0]) == 6
    assert answers[0][0] != answers[0][1]
    with pytest.raises(BadOption, match="at least 1 engine"):
        UciTeacher(f"{sys.executable} {program}", engines=0)


class Fixed:
    """Says the same of each position: shares that fall with the place of a move, of the first few."""

    def __init__(self, name: str, most: int, value: tuple[float, float, float]) -> None:
        self.name, self.most, self.value = name, most, value
        self.closed = False

    def judge(self, positions: Sequence[Any]) -> list[Judgement | None]:
        judgements: list[Judgement | None] = []
        for state in positions:
            moves = list(state.legal_moves())[: self.most]
            shares = np.array([1 / (1 + at) for at in range(len(moves))], np.float32)
            judgements.append(Judgement(moves, shares / shares.sum(), self.value) if moves else None)
        return judgements

    def close(self) -> None:
        self.closed = True


def test_two_teachers_are_mixed() -> None:
    """Policy and value are the weighted means; where one has nothing to say the other's judgement stays."""
    state = registry.get("chess").position().state
    broad, narrow = Fixed("broad", 99, (0.5, 0.3, 0.2)), Fixed("narrow", 2, (0.1, 0.2, 0.7))
    teacher = MixedTeacher(broad, narrow, policy=0.25, value=0.75)
    [judged], [one], [two] = (item.judge([state]) for item in (teacher, broad, narrow))
    assert judged is not None
    assert one is not None
    assert two is not None
    assert judged.moves == one.moves
    expected = 0.75 * one.shares
    expected[:2] += 0.25 * two.shares
    np.testing.assert_allclose(judged.shares, expected, atol=1e-6)
    assert judged.shares.sum() == pytest.approx(1)
    assert judged.value == pytest.approx((0.2, 0.225, 0.575))
    assert "broad + narrow" in teacher.name
    silent = Fixed("silent", 0, (0, 1, 0))
    assert MixedTeacher(silent, narrow).judge([state])[0].value == narrow.value  # type: ignore[union-attr]
    assert MixedTeacher(broad, silent).judge([state])[0].value == broad.value  # type: ignore[union-attr]
    teacher.close()
    assert broad.closed
    assert narrow.closed
    with pytest.raises(BadOption, match="from 0 to 1"):
        MixedTeacher(broad, narrow, policy=1.5)


def test_a_second_teacher_by_its_name(tmp_path: Path) -> None:
    """A specification with two networks mixes them; both travel, and are found where they arrive."""
    pytest.importorskip("torch")
    from tests.training.test_export import own

    (tmp_path / "a").mkdir()
    file = str(own(tmp_path / "a", "go"))
    spec = TeacherSpec("go", file, second="solver", second_policy=0.5)
    assert spec.files == (file,)
    both = TeacherSpec("go", "one.knet", second="two.knet")
    task = LabelTask(GameSettings("go"), both)
    there = task.located({"/x/one.knet": "/y/1", "/x/two.knet": "/y/2"})
    assert (there.teacher.text, there.teacher.second) == ("/y/1", "/y/2")
    teacher = TeacherSpec("go", file, second=file, second_policy=0.5).make()
    alone = TeacherSpec("go", file).make()
    state = registry.get("go").position(5).state
    [judged], [one] = teacher.judge([state]), alone.judge([state])
    assert judged is not None
    assert one is not None
    np.testing.assert_allclose(judged.shares, one.shares, atol=1e-6)
    assert judged.value == pytest.approx(one.value)


@pytest.mark.parametrize("warm", [False, True])
def test_a_warm_engine_is_not_told_of_new_games(tmp_path: Path, warm: bool) -> None:
    program, heard = tmp_path / "engine.py", tmp_path / "heard"
    noting = f"    open({str(heard)!r}, 'a').write(line)\n    words = line.split()\n"
    program.write_text(ENGINE.replace("    words = line.split()\n", noting))
    teacher = UciTeacher(f"{sys.executable} {program}", nodes=9, multipv=2, warm=warm)
    try:
        teacher.judge([registry.get("chess").position().state] * 2)
    finally:
        teacher.close()
    assert heard.read_text().count("ucinewgame") == (0 if warm else 2)
    assert teacher.name.endswith("warm") == warm


def test_chances_of_an_evaluation() -> None:
    for points in (-20_000, -300, 0, 50, 20_000):
        win, draw, loss = chances(points)
        assert win + draw + loss == pytest.approx(1)
        assert min(win, draw, loss) >= 0
        assert chances(-points) == pytest.approx((loss, draw, win))
    assert chances(400)[0] > 0.8


def test_records_teach(tmp_path: Path) -> None:
    from datetime import date

    from kibitz.games.othello.records.record import Record
    from kibitz.games.othello.records.wthor import WthorFile

    position = registry.get("othello").position()
    while not position.is_over:
        position = position.play(position.legal_moves[-1])
    record = Record(moves=position.moves, score=float(position.state.score))
    path = tmp_path / "WTH_2000.wtb"
    path.write_bytes(WthorFile.from_records([record, record], day=date(2000, 1, 1), year=2000).to_bytes())
    assert label_records("othello", str(path), tmp_path / "data") == (2, 2 * len(position.moves))
    assert label_records("othello", str(path), tmp_path / "data") == (2, 2 * len(position.moves))
    [batch, *_] = SampleReader([tmp_path / "data"], batch=10, shuffle=False, symmetries=False).batches()
    assert np.isnan(batch.q).all()
    assert (batch.policy.max(axis=1) == 1).all()
    with pytest.raises(BadOption, match="records of chess that teach: none"):
        label_records("chess", "a.pgn", tmp_path / "x")


def test_what_a_user_got_wrong(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="no exact solver"):
        make_teacher("go", "solver", precision="fp32", nodes=1, multipv=1)
    with pytest.raises(BadOption, match="go has no teachers uci:NAME"):
        make_teacher("go", "uci:stockfish", precision="fp32", nodes=1, multipv=1)
    with pytest.raises(BadOption, match="cannot start"):
        make_teacher("chess", "uci:/no/such/engine", precision="fp32", nodes=1, multipv=1)
    starts = tmp_path / "starts.epd"
    starts.write_text("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e5;\n# nothing\n")
    assert len(read_starts("chess", starts)) == 1
    starts.write_text("nonsense\n")
    with pytest.raises(BadOption, match="line 1"):
        read_starts("chess", starts)
