"""The first convolution on the points that are set, beside the same done point by point."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz import _native


def plain(planes: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """[n, rows, columns, out] by the definition."""
    count, _, rows, columns = planes.shape
    up, left = weights.shape[2] // 2, weights.shape[3] // 2
    padded = np.pad(planes, ((0, 0), (0, 0), (up, up), (left, left)))
    out = np.zeros((count, rows, columns, len(weights)))
    for y in range(weights.shape[2]):
        for x in range(weights.shape[3]):
            part = padded[:, :, y : y + rows, x : x + columns]
            out += np.einsum("ncyx,oc->nyxo", part, weights[:, :, y, x])
    return out


@pytest.mark.parametrize(("rows", "columns"), [(9, 9), (2, 2), (5, 13), (19, 19)])
@pytest.mark.parametrize("kernel", [1, 3, 5])
def test_the_same_as_point_by_point(rows: int, columns: int, kernel: int) -> None:
    random = np.random.default_rng(rows * columns + kernel)
    weights = random.normal(size=(7, 4, kernel, kernel)).astype(np.float32)
    planes = (random.random((3, 4, rows, columns)) < 0.2).astype(np.float32)
    planes[:2, 0] = 1  # the board itself, as a rule; the third position has it otherwise
    planes[1, 2] *= 0.5
    outputs = _native.SparseStem(weights, rows, columns)(planes)
    assert outputs.shape == (3, rows, columns, 7)
    assert np.allclose(outputs, plain(planes, weights), atol=1e-4)


def test_planes_of_another_board_are_refused() -> None:
    stem = _native.SparseStem(np.ones((2, 3, 3, 3), np.float32), 9, 9)
    with pytest.raises(ValueError, match="another shape"):
        stem(np.zeros((1, 3, 9, 8), np.float32))
    with pytest.raises(ValueError, match="do not fit"):
        _native.SparseStem(np.ones((2, 3, 2, 2), np.float32), 9, 9)
