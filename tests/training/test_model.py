"""The network in PyTorch, its file, and the graph that the core runs say the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.errors import BadOption
from kibitz.games.bundled import bundled_file
from kibitz.nets import load
from kibitz.training.train.config import ModelConfig, architecture_of

torch = pytest.importorskip("torch")

from kibitz.nets.own.file import write_own  # noqa: E402
from kibitz.training.model.start import begin_with  # noqa: E402
from kibitz.training.model.tensors import file_tensors, make_net  # noqa: E402

SMALL = {
    "filters": 12,
    "blocks": 3,
    "pool_filters": 4,
    "policy_filters": 6,
    "value_filters": 5,
    "se_ratio": 4,
}


def shaken(game: str, norm: str, **more: Any) -> Any:
    """A network none of whose parts is zero or one."""
    config = ModelConfig(game=game, **{**SMALL, "value_hidden": 8, **more})
    net = make_net(architecture_of(config), norm, 1)
    torch.manual_seed(2)
    with torch.no_grad():
        for value in net.parameters():
            value += 0.1 * torch.randn_like(value)
        for name, value in net.named_buffers():
            if name.endswith("mean"):
                value += 0.1 * torch.randn_like(value)
            if name.endswith("variance"):
                value *= 1 + torch.rand_like(value)
    return net.eval()


def inputs(net: Any, count: int, rows: int, columns: int) -> tuple[Any, Any]:
    random = np.random.default_rng(3)
    planes = (random.random((count, net.arch.planes, rows, columns)) < 0.3).astype(np.float32)
    numbers = random.random((count, net.arch.globals)).astype(np.float32)
    return planes, numbers


def chances(outputs: dict[str, Any], layout: str) -> Any:
    """Win, draw, loss."""
    order = [0, 2, 1] if layout == "pooling" else [0, 1, 2]
    return outputs["outcome"].softmax(1)[:, order].numpy()


@pytest.mark.parametrize("norm", ["fixed", "batch"])
@pytest.mark.parametrize("activation", ["relu", "mish"])
@pytest.mark.parametrize(("game", "size"), [("go", 7), ("go", 9), ("chess", 8), ("othello", 8), ("uttt", 9)])
def test_the_core_runs_what_was_trained(
    tmp_path: Path, game: str, size: int, norm: str, activation: str
) -> None:
    net = shaken(game, norm, activation=activation, style=True, moves_left=True)
    path = tmp_path / "a.knet"
    path.write_bytes(write_own(net.arch, file_tensors(net), {"name": "a"}, "fp32"))
    planes, numbers = inputs(net, 3, size, size)
    if game == "go":
        numbers[:, [6, 9]] = [0, 1]  # rules under which a game may end without a result
    network = load(path, game=game, runtime="native")
    said = network.evaluate(planes, numbers if net.arch.globals else None)
    with torch.no_grad():
        outputs = net(torch.from_numpy(planes), torch.from_numpy(numbers))
    np.testing.assert_allclose(said.policy, outputs["policy"].numpy(), atol=2e-4)
    np.testing.assert_allclose(said.outcomes[:, :3], chances(outputs, net.arch.layout), atol=1e-4)
    np.testing.assert_allclose(said["style"], outputs["style"].sigmoid().numpy(), atol=1e-4)
    if net.arch.layout == "pooling":
        left = 40 * torch.nn.functional.softplus(outputs["moves_left"])
        certain = 1 - outputs["outcome"].softmax(1)[:, 2].numpy()
        score = 20 * outputs["score"][:, 0].numpy() * certain
        np.testing.assert_allclose(said.outcomes[:, 3], score, atol=2e-3)
    else:
        left = outputs["moves_left"].clamp(min=0)
    np.testing.assert_allclose(said["moves_left"], left.numpy(), atol=2e-3)
    if net.arch.has_ownership:
        assert said.ownership is not None
        owners = outputs["ownership"].tanh().flatten(1).numpy()
        np.testing.assert_allclose(said.ownership, owners, atol=1e-4)


@pytest.mark.parametrize("norm", ["fixed", "batch"])
def test_a_masked_board_is_judged_as_one_of_its_own_size(norm: str) -> None:
    net = shaken("go", norm, style=True, moves_left=True)
    planes, numbers = inputs(net, 2, 5, 6)
    large = np.zeros((2, net.arch.planes, 9, 9), np.float32)
    mask = np.zeros((2, 1, 9, 9), np.float32)
    large[:, :, :5, :6] = planes
    mask[:, :, :5, :6] = 1
    with torch.no_grad():
        own = net(torch.from_numpy(planes), torch.from_numpy(numbers))
        within = net(*map(torch.from_numpy, (large, numbers, mask)))
    points = within["policy"][:, :81].reshape(2, 9, 9)[:, :5, :6].flatten(1)
    np.testing.assert_allclose(points.numpy(), own["policy"][:, :30].numpy(), atol=1e-5)
    np.testing.assert_allclose(within["policy"][:, 81].numpy(), own["policy"][:, 30].numpy(), atol=1e-5)
    for name in ("outcome", "score", "moves_left", "style"):
        np.testing.assert_allclose(within[name].numpy(), own[name].numpy(), atol=1e-5)
    np.testing.assert_allclose(within["ownership"][:, :5, :6].numpy(), own["ownership"].numpy(), atol=1e-5)
    assert within["policy"][:, :81].reshape(2, 9, 9)[:, 5:].max() < -1000


def test_batch_norm_with_a_mask_learns_what_it_does_without() -> None:
    """Means are taken over the boards' points only."""
    from kibitz.training.model.layers import Norm

    torch.manual_seed(1)
    value = torch.randn(4, 3, 5, 5) * 2 + 1
    plain, masked = Norm(3, "batch"), Norm(3, "batch")
    large, mask = torch.zeros(4, 3, 7, 7), torch.zeros(4, 1, 7, 7)
    large[:, :, :5, :5], mask[:, :, :5, :5] = value, 1
    first, second = plain(value), masked(large, mask)[:, :, :5, :5]
    np.testing.assert_allclose(second.detach().numpy(), first.detach().numpy(), atol=1e-5)
    np.testing.assert_allclose(masked.mean.numpy(), plain.mean.numpy(), atol=1e-6)


def test_a_go_tower_begins_with_the_weights_of_a_file() -> None:
    """It says what the core says that runs the file."""
    path = bundled_file("go")
    assert path is not None
    network = load(path, game="go", runtime="native")
    net = make_net(network.model.arch, "fixed", 5)
    planes, numbers = inputs(net, 3, 9, 9)
    numbers[:, [6, 9]] = [0, 1]  # rules under which a game may end without a result
    said = network.evaluate(planes, numbers)
    begin_with(net, path)
    with torch.no_grad():
        outputs = net.eval()(torch.from_numpy(planes), torch.from_numpy(numbers))
    np.testing.assert_allclose(outputs["policy"].numpy(), said.policy, atol=1e-3)
    np.testing.assert_allclose(chances(outputs, "pooling"), said.outcomes[:, :3], atol=1e-3)
    assert said.ownership is not None
    np.testing.assert_allclose(outputs["ownership"].tanh().flatten(1).numpy(), said.ownership, atol=1e-3)
    with pytest.raises(BadOption, match="norm is fixed"):
        begin_with(make_net(net.arch, "batch", 5), path)
