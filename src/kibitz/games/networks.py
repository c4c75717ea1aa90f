"""Loading a network for a game: from a file or a known name, calibrated on games of its own.

>>> load_network("chess", "maia-1900", precision="int8")                # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kibitz import _native
from kibitz.games import registry

if TYPE_CHECKING:
    from kibitz.nets import Network, Shape

__all__ = ["batched", "load_network"]


def batched(network: Any, most: int) -> Any:
    """The network for searches of several threads, which ask it together: up to `most` positions at once."""
    batcher: Any = _native.Batcher(network, most=most, callers=1)
    batcher.shown = network.shown  # how the network wants positions to be written
    return batcher


def load_network(
    game: str,
    name: str,
    *,
    precision: str = "fp32",
    runtime: str = "auto",
    streams: int = 1,
    before_calibration: Callable[[Shape], None] = lambda shape: None,
    progress: Callable[[str, int, int], None] = lambda step, done, total: None,
) -> Network:
    """The network of a file, or of a name that `kibitz nets` knows; BadNetwork says what the file is when it
    is no network for the game.

    int8 is calibrated on games that the network plays itself, once on a machine for a board size;
    `before_calibration` hears of it, as it takes a while, and `progress` of its two steps: how many of how
    many positions are done.
    """
    from kibitz import nets  # its runtimes are slow to import, and only wanted here

    info = registry.get(game)

    def start(shape: Shape) -> Any:
        if info.network_start is not None:
            return info.network_start(shape.rows, shape.columns)
        return info.position().state

    play = nets.self_play(start, lambda done, total: progress("playing", done, total))

    def calibration(network: Network, shape: Shape) -> Any:
        before_calibration(shape)
        return play(network, shape)

    return nets.load(
        nets.find(name),
        game=game,
        precision=precision,
        runtime=runtime,
        streams=streams,
        calibration=calibration,
        progress=lambda done, total: progress("watching layers", done, total),
    )
