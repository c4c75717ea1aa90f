"""A KataGo network as a graph for one board size, with KataGo's post-processing inside the graph.

Inputs: `planes` [n, 22, rows, columns], `globals` [n, 19], and, where the network has an optimistic policy
(version 12 on), `optimism` [n, 1]. Everything comes out for the side to move:

- `policy` [n, points + 1]: logits, the pass last;
- `outcome` [n, 4]: win, no result, loss, score (the mean of self-play scores);
- `details` [n, 6]: the columns of `DETAILS`, -1 where the network's version does not have one;
- `ownership` [n, points]: from -1 (the opponent's) to 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from kibitz.nets.graph import Array, Graph, Range
from kibitz.nets.katago import (
    Attention,
    Block,
    Conv,
    FeedForward,
    KataGoModel,
    Nested,
    Norm,
    Ordinary,
    Pooling,
    RmsNorm,
)
from kibitz.nets.katago_profiles import Profile, metadata_inputs, read_profile

#: Whom a human network imitates when nobody says.
DEFAULT_PROFILE = "rank_1d"

DETAILS = (
    "score_mean",
    "score_stdev",
    "lead",
    "var_time_left",
    "shortterm_winloss_error",
    "shortterm_score_error",
)

#: Which global inputs tell that a game can end without a result: superko, territory scoring.
_SUPERKO, _TERRITORY = 6, 9
_FORBIDDEN = 1e5


def katago_graph(
    model: KataGoModel,
    rows: int,
    columns: int,
    ranges: Mapping[str, Range] | None = None,
    *,
    stem: bool = False,
    imitates: tuple[Profile, int] | None = None,
    **quantization: bool | int,
) -> Graph:
    """The whole network for boards of `rows` x `columns`. With `stem` the first convolution is done outside:
    the input `stem` [n, rows, columns, channels] takes the place of `planes`. A human network `imitates`
    players, with one side to move; as they do not change during a game, they are no input."""
    people = None
    if model.trunk.metadata is not None:
        profile, side = imitates or (read_profile(DEFAULT_PROFILE), 0)
        people = model.trunk.metadata(metadata_inputs(profile, side, rows * columns))
    graph = Graph(model.name, ranges, **quantization)  # type: ignore[arg-type]
    KataGoBuilder(graph, model, rows, columns, people).build(stem)
    return graph


class KataGoBuilder:
    """Adds a network's nodes to a graph; networks of other games with these blocks have fewer heads."""

    #: What every KataGo network has, and networks of our own may lack.
    has_pass = True
    has_ownership = True

    def __init__(
        self, graph: Graph, model: KataGoModel, rows: int, columns: int, people: Array | None = None
    ) -> None:
        #: What a human network adds to its trunk for the players it imitates.
        self.people = people
        self.graph = graph
        self.model = model
        self.rows = rows
        self.columns = columns
        self.area = rows * columns
        #: KataGo's measure of the board's size, used by every pooling.
        self.width = (math.sqrt(self.area) - 14.0) / 10.0

    def build(self, stem: bool) -> None:
        graph, trunk, first = self.graph, self.model.trunk, self.model.trunk.first
        if stem:
            points = graph.input("stem", (self.rows, self.columns, first.outputs))
            start = graph.node("Transpose", points, perm=[0, 3, 1, 2])
        else:
            planes = graph.input("planes", (first.inputs, self.rows, self.columns))
            start = graph.conv(planes, first.weights, name="first", place="first", dilation=first.dilation)
        features = ""
        if len(trunk.from_globals):
            features = graph.input("globals", (len(trunk.from_globals),))
            vector = graph.dense(features, trunk.from_globals, self.people)
            start = graph.add(start, graph.as_planes(vector, trunk.channels))
        value = self.blocks(start, trunk.blocks, "trunk")
        tip = trunk.tip
        value = self.norm(value, tip) if isinstance(tip, Norm) else self.rms_norm(value, tip)
        self.heads(value, features)

    def heads(self, trunk: str, features: str) -> None:
        self.policy(trunk)
        self.value(trunk, features)

    # -- trunk ---------------------------------------------------------------------------------------------

    def norm(self, value: str, norm: Norm) -> str:
        return self.graph.activation(norm.activation, self.graph.affine(value, norm.scale, norm.bias))

    def conv_norm(self, value: str, conv: Conv, norm: Norm, name: str, place: str = "inside") -> str:
        """A convolution with the norm after it folded in."""
        weights = conv.weights * norm.scale[:, None, None, None]
        return self.graph.conv(
            value,
            weights,
            norm.bias,
            name=name,
            place=place,
            activation=norm.activation,
            dilation=conv.dilation,
        )

    def plain_conv(self, value: str, conv: Conv, name: str = "") -> str:
        return self.graph.conv(value, conv.weights, name=name, dilation=conv.dilation)

    def blocks(self, value: str, blocks: tuple[Block, ...], name: str) -> str:
        for number, block in enumerate(blocks):
            value = self.graph.add(value, self.block(value, block, f"{name}.{number}"))
        return value

    def block(self, value: str, block: Block, name: str) -> str:
        """What the block adds to the trunk."""
        if isinstance(block, Attention):
            return self.attention(value, block, name)
        if isinstance(block, FeedForward):
            return self.feed_forward(value, block, name)
        value = self.norm(value, block.before)
        if isinstance(block, Ordinary):
            value = self.conv_norm(value, block.conv1, block.middle, f"{name}.conv1")
            return self.plain_conv(value, block.conv2, f"{name}.conv2")
        if isinstance(block, Nested):
            value = self.graph.conv(value, block.shrink.weights, name=f"{name}.shrink")
            value = self.norm(self.blocks(value, block.blocks, name), block.after)
            return self.plain_conv(value, block.widen, f"{name}.widen")
        return self.pooling(value, block, name)

    def pooling(self, value: str, block: Pooling, name: str) -> str:
        graph, scale = self.graph, block.middle.scale
        pooled = self.conv_norm(value, block.pool_conv, block.pool_norm, f"{name}.pool")
        bias = self.pooled_dense(pooled, block.pool_to_bias * scale, block.middle.bias)
        weights = block.conv1.weights * scale[:, None, None, None]
        value = graph.conv(value, weights, name=f"{name}.conv1", dilation=block.conv1.dilation)
        value = graph.add(value, graph.as_planes(bias, len(scale)))
        value = graph.activation(block.middle.activation, value)
        return self.plain_conv(value, block.conv2, f"{name}.conv2")

    def pooled_dense(self, planes: str, weights: Array, bias: Array | None = None) -> str:
        """The matrix after a pooling to mean, mean * width and maximum; the first two are one."""
        mean, most = self.graph.mean_and_max(planes)
        by_mean, by_width, by_most = np.split(weights, 3)
        combined = (by_mean + np.float32(self.width) * by_width).astype(np.float32)
        return self.graph.add(self.graph.dense(mean, combined, bias), self.graph.dense(most, by_most))

    # -- transformer blocks --------------------------------------------------------------------------------

    def rms_norm(self, value: str, norm: RmsNorm) -> str:
        """Of planes, over the channels of a point or over everything."""
        bias = np.zeros_like(norm.weight) if norm.bias is None else norm.bias
        made = self.graph.layer_norm(
            value, norm.weight, bias, norm.epsilon, centred=False, spatial=norm.spatial
        )
        return self.graph.activation(norm.activation, made)

    def points_dense(self, value: str, weights: Array, name: str) -> str:
        """A matrix (in, out) that every point goes through: a convolution of 1x1, which may run in int8."""
        turned = np.ascontiguousarray(weights.T)[:, :, None, None]
        return self.graph.conv(value, turned, name=name)

    def feed_forward(self, value: str, block: FeedForward, name: str) -> str:
        graph = self.graph
        value = self.rms_norm(value, block.norm)
        hidden = graph.activation("silu", self.points_dense(value, block.first, f"{name}.first"))
        hidden = graph.multiply(hidden, self.points_dense(value, block.gate, f"{name}.gate"))
        return self.points_dense(hidden, block.second, f"{name}.second")

    def attention(self, value: str, block: Attention, name: str) -> str:
        value = self.rms_norm(value, block.norm)
        queries = self.points_dense(value, block.queries, f"{name}.queries")
        keys = self.points_dense(value, block.keys, f"{name}.keys")
        values = self.points_dense(value, block.values, f"{name}.values")
        if block.rotary is not None:
            group = block.heads // block.key_heads
            queries = self.turned(queries, np.repeat(block.rotary, group, axis=0))
            keys = self.turned(keys, block.rotary)
        width = block.queries.shape[1]
        mixed = self.graph.attention(
            queries,
            keys,
            values,
            heads=block.heads,
            key_heads=block.key_heads,
            scale=1.0 / math.sqrt(width // block.heads),
            channels=(width, len(block.out)),
            board=(self.rows, self.columns),
        )
        return self.points_dense(mixed, block.out, f"{name}.out")

    def turned(self, value: str, turns: Array) -> str:
        """Rotary positions: the channels 2p and 2p + 1 of a head turn by an angle that grows with column and
        row."""
        graph = self.graph
        row, column = np.divmod(np.arange(self.area), self.columns)
        angle = (
            column[None, None, :].astype(np.float32) * turns[:, :, None, 0]
            + row[None, None, :].astype(np.float32) * turns[:, :, None, 1]
        )
        channels = 2 * turns.shape[0] * turns.shape[1]
        shape = (1, channels, self.rows, self.columns)
        cosine = np.repeat(np.cos(angle), 2, axis=1).reshape(shape)
        sine = np.repeat(np.sin(angle), 2, axis=1)
        sine[:, 0::2] *= -1
        swapped = graph.node("Gather", value, graph.constant(np.arange(channels) ^ 1, np.int64), axis=1)
        straight = graph.multiply(value, graph.constant(cosine))
        return graph.add(straight, graph.multiply(swapped, graph.constant(sine.reshape(shape))))

    # -- heads ---------------------------------------------------------------------------------------------

    def before_policy(self, trunk: str) -> tuple[str, str]:
        """What the points are judged by, and what is pooled over the board."""
        graph, head = self.graph, self.model.policy
        pooled = self.conv_norm(trunk, head.pool_conv, head.pool_norm, "policy.pool", "edge")
        scale = head.norm.scale
        bias = self.pooled_dense(pooled, head.pool_to_bias * scale, head.norm.bias)
        weights = head.conv.weights * scale[:, None, None, None]
        value = graph.conv(trunk, weights, name="policy.conv", place="edge", dilation=head.conv.dilation)
        value = graph.activation(head.norm.activation, graph.add(value, graph.as_planes(bias, len(scale))))
        return value, pooled

    def policy(self, trunk: str) -> None:
        graph, head = self.graph, self.model.policy
        value, pooled = self.before_policy(trunk)
        # Policies beyond the first two predict values of moves, which nothing here asks for.
        used = min(2, head.to_points.outputs)
        points = graph.conv(value, head.to_points.weights[:used], dilation=head.to_points.dilation)
        points = graph.reshape(points, used, self.area)
        if not self.has_pass:
            graph.output("policy", graph.reshape(points, self.area), (self.area,))
            return
        if head.pass_out is None:
            passing = self.pooled_dense(pooled, head.to_pass[:, :used])
        else:
            hidden = graph.activation(
                head.pass_activation, self.pooled_dense(pooled, head.to_pass, head.pass_bias)
            )
            passing = graph.dense(hidden, head.pass_out[:, :used])
        logits = graph.concat(points, graph.reshape(passing, used, 1), axis=2)
        if used == 2:
            optimism = graph.input("optimism", (1,))
            plain = graph.reshape(graph.columns(logits, 0, 1), self.area + 1)
            optimistic = graph.reshape(graph.columns(logits, 1, 2), self.area + 1)
            hope = graph.multiply(graph.node("Sub", optimistic, plain), optimism)
            logits = graph.add(plain, hope)
        else:
            logits = graph.reshape(logits, self.area + 1)
        graph.output("policy", logits, (self.area + 1,))

    def value(self, trunk: str, features: str) -> None:
        graph, head = self.graph, self.model.value
        planes = self.conv_norm(trunk, head.conv, head.norm, "value.conv", "edge")
        mean = graph.flatten(graph.node("GlobalAveragePool", planes))
        by_mean, by_width, by_square = np.split(head.hidden, 3)
        width = np.float32(self.width)
        combined = by_mean + width * by_width + np.float32(self.width**2 - 0.1) * by_square
        hidden = graph.dense(mean, combined.astype(np.float32), head.hidden_bias, head.activation)
        outcome = self.outcome(graph.dense(hidden, head.value, head.value_bias), features)
        self.scores(graph.dense(hidden, head.score, head.score_bias), outcome)
        if self.has_ownership:
            ownership = graph.node("Tanh", self.plain_conv(planes, head.ownership))
            graph.output("ownership", graph.flatten(ownership), (self.area,))

    def outcome(self, logits: str, features: str) -> str:
        """Probabilities of win, loss and no result; the last only where the rules know it."""
        graph = self.graph
        superko = graph.columns(features, _SUPERKO, _SUPERKO + 1)
        area_scoring = graph.node(
            "Sub", graph.constant([1.0]), graph.columns(features, _TERRITORY, _TERRITORY + 1)
        )
        impossible = graph.scaled(graph.multiply(superko, area_scoring), -_FORBIDDEN)
        no_result = graph.add(graph.columns(logits, 2, 3), impossible)
        return graph.node("Softmax", graph.concat(graph.columns(logits, 0, 2), no_result), axis=1)

    def scores(self, raw: str, outcome: str) -> None:
        """Without a result the score is 0, so means shrink with its probability."""
        graph, factors, version = self.graph, self.model.multipliers, self.model.version
        win, loss, no_result = (graph.columns(outcome, place, place + 1) for place in range(3))
        certain = graph.node("Sub", graph.constant([1.0]), no_result)
        mean = graph.scaled(graph.columns(raw, 0, 1), factors.score_mean)
        stdev = graph.scaled(graph.node("Softplus", graph.columns(raw, 1, 2)), factors.score_stdev)
        lead = graph.multiply(graph.scaled(graph.columns(raw, 2, 3), factors.lead), certain)
        # The variance of a score that is 0 with probability r and else has this mean and deviation.
        variance = graph.add(
            graph.multiply(stdev, stdev), graph.multiply(no_result, graph.multiply(mean, mean))
        )
        stdev = graph.node("Sqrt", graph.multiply(certain, variance))
        mean = graph.multiply(mean, certain)
        if version >= 9:
            time_left = graph.scaled(graph.node("Softplus", graph.columns(raw, 3, 4)), factors.variance_time)
            errors = (
                self.shortterm_error(graph.columns(raw, 4, 5), factors.shortterm_value_error, 1.0),
                self.shortterm_error(graph.columns(raw, 5, 6), factors.shortterm_score_error, 10.0),
            )
        else:
            time_left = graph.add(graph.scaled(mean, 0.0), graph.constant([-1.0]))
            errors = (time_left, time_left)
        graph.output("outcome", graph.concat(win, no_result, loss, mean), (4,))
        self.details(mean, stdev, lead, time_left, *errors)

    def details(self, *columns: str) -> None:
        self.graph.output("details", self.graph.concat(*columns), (len(DETAILS),))

    def shortterm_error(self, raw: str, factor: float, old_factor: float) -> str:
        graph, version = self.graph, self.model.version
        if version >= 14:
            return graph.scaled(graph.node("Softplus", graph.scaled(raw, 0.5)), math.sqrt(factor))
        if version >= 10:
            return graph.node("Sqrt", graph.scaled(graph.node("Softplus", raw), factor))
        return graph.scaled(graph.node("Softplus", raw), old_factor)
