"""Training of the chess network's score: gradients by PyTorch, resumed runs, the file."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

import kibitz
from kibitz import _native
from kibitz.errors import BadRequest
from kibitz.games.bundled import bundled_file
from kibitz.games.chess.training.nnue import (
    NO_RESULT,
    RECORD,
    Recipe,
    export,
    main,
    read_labels,
    targets,
    train,
)
from kibitz.nets import load
from tests.games.chess.test_nnue import features
from tests.games.chess.test_terms import boards

RECIPE = Recipe(width=32, batch=64, epochs=20, rate=5e-3, warmup=5)
VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900}


def material(board: chess.Board) -> int:
    return sum(
        value * (len(board.pieces(kind, board.turn)) - len(board.pieces(kind, not board.turn)))
        for kind, value in VALUES.items()
    )


def record(board: chess.Board, score: int, result: int) -> Any:
    row = np.zeros(1, RECORD)
    row["occupied"] = board.occupied
    for number, (_, piece) in enumerate(sorted(board.piece_map().items())):
        code = piece.piece_type - 1 + (0 if piece.color == chess.WHITE else 6)
        row["pieces"][0, number // 2] |= code << (number % 2 * 4)
    row["score"], row["result"], row["flags"] = score, result, int(board.turn == chess.BLACK)
    return row


def labelled(count: int, seed: int = 1) -> tuple[list[chess.Board], Any]:
    dice = random.Random(seed)
    shown = boards(count, seed)
    rows = [record(board, material(board), dice.choice((-1, 0, 1, NO_RESULT))) for board in shown]
    return shown, np.concatenate(rows).view(np.uint8).reshape(-1, RECORD.itemsize)


def test_gradients_are_those_of_pytorch() -> None:
    torch = pytest.importorskip("torch")
    shown, records = labelled(48)
    fit = _native.ChessNnueFit(32, 3)
    for _ in range(5):  # weights that no longer are the same for all regions
        fit.step(records, 400.0, 0.2, 2.5, 0.01)
    tensors = {
        name: torch.tensor(value, dtype=torch.float64, requires_grad=True)
        for name, value in fit.tensors().items()
    }
    logits = []
    for board in shown:
        seen = []
        for viewer in (board.turn, not board.turn):
            rows = tensors["score.pieces.weights"][features(board, viewer)]
            seen.append((rows.sum(0) + tensors["score.pieces.bias"]).clamp(0, 1) ** 2)
        group = min(7, (len(board.piece_map()) - 1) // 4)
        logits.append(
            torch.cat(seen) @ tensors["score.output.weights"][:, group] + tensors["score.output.bias"][group]
        )
    said = torch.stack(logits)
    np.testing.assert_allclose(fit.predict(records), said.detach().numpy(), atol=1e-4)
    wanted = torch.tensor(targets(records, Recipe(result_share=0.2)))
    ((torch.sigmoid(said) - wanted).abs() ** 2.5).mean().backward()
    gradients = fit.gradients(records, 400.0, 0.2, 2.5)
    for name, tensor in tensors.items():
        expected = tensor.grad.numpy()
        assert np.abs(expected).max() > 0
        np.testing.assert_allclose(gradients[name], expected, atol=1e-3 * np.abs(expected).max())


def test_a_run_fits_its_labels_and_resumes(tmp_path: Path) -> None:
    _, records = labelled(600)
    learned, held = records, records[:100]
    said: list[str] = []
    fit = train(learned, held, RECIPE, tmp_path / "whole", said.append, every=40)
    error = float(said[-1].split("held back ")[1].split(",")[0])
    assert error < 0.05 < np.std(targets(held, RECIPE))

    class Stopped(Exception):
        pass

    def stop(text: str) -> None:
        if "step 80 " in text:
            raise Stopped

    # The checkpoint is written after the line; a run that stops at the line goes on from the one before.
    with pytest.raises(Stopped):
        train(learned, held, RECIPE, tmp_path / "parts", stop, every=40)
    again = train(learned, held, RECIPE, tmp_path / "parts", every=40, say=lambda text: None)
    np.testing.assert_array_equal(again.state(), fit.state())
    more = replace(RECIPE, epochs=0.01)
    warm = train(learned, held, more, tmp_path / "warm", lambda text: None, start=tmp_path / "whole")
    np.testing.assert_allclose(warm.predict(held), fit.predict(held), atol=0.3)
    with pytest.raises(BadRequest, match="another recipe"):
        train(learned[:-1], held, RECIPE, tmp_path / "parts", every=40)


def test_the_file_says_what_was_fitted(tmp_path: Path) -> None:
    shown = [board for board in boards(64) if all(board.pieces(chess.PAWN, side) for side in (True, False))]
    fit = _native.ChessNnueFit(64, 3)
    old = bundled_file("chess")
    assert old is not None
    path = tmp_path / "new.knet"
    path.write_bytes(export(fit, Recipe(width=64), old, {"name": "new"}))
    core = load(path, game="chess").definition.core
    for board in shown:
        row = record(board, 0, 0).view(np.uint8).reshape(1, -1)
        position = kibitz.chess.Position(board.fen())
        teacher = 400 * float(fit.predict(row)[0])
        assert core.logit(position.state) * 173.7178 == pytest.approx(100 * teacher / 361, abs=8)
    other = load(old, game="chess").definition.core
    start = kibitz.chess.Position().state
    np.testing.assert_array_equal(core.priors(start), other.priors(start))


def test_the_command(tmp_path: Path) -> None:
    _, records = labelled(200)
    (tmp_path / "labels.bin").write_bytes(records.tobytes() + b"half a record")
    learned, held = read_labels([tmp_path / "labels.bin"])
    assert (len(learned), len(held)) == (198, 2)
    old, out = bundled_file("chess"), tmp_path / "out.knet"
    words = [tmp_path / "labels.bin", "-o", out, "--priors", old, "--run", tmp_path / "run"]
    assert main([*map(str, words), "--width", "32", "--epochs", "1", "--batch", "64"]) == 0
    about = load(out, game="chess").definition.model.about
    assert about["positions"] == 198
    assert about["configuration"]["width"] == 32


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda row: row["pieces"].fill(0xFF), "no kind"),
        (lambda row: row["pieces"].fill(0), "without a king"),
        (lambda row: row["occupied"].fill(2**64 - 1), "more than 32"),
    ],
)
def test_bad_records_are_rejected(change: Any, reason: str) -> None:
    row = record(chess.Board(), 0, 0)
    change(row)
    with pytest.raises(ValueError, match=reason):
        _native.ChessNnueFit(32, 1).predict(row.view(np.uint8).reshape(1, -1))
