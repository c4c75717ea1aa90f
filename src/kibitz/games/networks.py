"""The one loader of networks: from whatever a user gives to what an engine uses.

>>> load_network("go", "none") is None
True
>>> load_network("chess", "maia-1900", precision="int8")                # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from kibitz.games import registry
from kibitz.games.bundled import NONE, bundled_file, chosen_file, default_file, style_file
from kibitz.network import EngineNetwork, FunctionNetwork

if TYPE_CHECKING:
    from kibitz.nets import Network
    from kibitz.nets.family import Shape

#: What a user may give: a file, a name that `kibitz nets list` shows, `none`, a network, a function.
NetworkSource: TypeAlias = "EngineNetwork | Callable[..., Any] | str | os.PathLike[str]"


def takes_network(game: str, preset: str, options: Mapping[str, Any]) -> bool:
    """Whether a search of this kind uses a network where there is one: the default does, a named preset and
    an evaluator only if they say so."""
    info = registry.get(game)
    if "evaluator" in options:
        return bool(options["evaluator"] == "network")
    if preset == "default":
        return bool(info.network_presets)
    values = {**info.presets, **info.network_presets}.get(preset, {})
    return values.get("evaluator") == "network"


def network_file(
    game: str,
    named: str | os.PathLike[str] | None = None,
    preset: str = "default",
    options: Mapping[str, Any] | None = None,
) -> str | None:
    """The file or name of the network that a search uses: the one that was named, the default one where none
    was and the search takes one; None without a network. The default is what the user chose
    (`kibitz nets use`), else the bundled one.

    >>> network_file("go", "b6c96.bin.gz"), network_file("go", "none"), network_file("go", None, "uct")
    ('b6c96.bin.gz', None, None)
    """
    if named is not None:
        return None if named == NONE else os.fspath(named)
    file = default_file(game)
    return str(file) if file is not None and takes_network(game, preset, options or {}) else None


def load_network(
    game: str,
    source: NetworkSource | None = None,
    preset: str = "default",
    options: Mapping[str, Any] | None = None,
    *,
    precision: str = "fp32",
    tune: bool = False,
) -> EngineNetwork | None:
    """The network of an engine, None where it has none. Without a `source` it is the user's choice or the
    bundled one, where the preset and the options take a network, and is loaded once for all engines. The
    bundled one is never tuned: with one thread and one seed it always gives the same result. With `tune` a
    file is run as fast as was measured on this machine."""
    if isinstance(source, EngineNetwork):
        return source
    if source is not None and not isinstance(source, (str, os.PathLike)):
        return FunctionNetwork(source)
    file = network_file(game, source, preset, options)
    if file is None:
        return None
    if source is None:
        network = _load_default(game, file, precision, os.stat(file).st_mtime_ns)
        if chosen_file(game) is None:
            return network
    else:
        network = load_file(game, file, precision=precision)
    if tune:
        network.tune_later()
    return network


def load_file(
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

    int8 is calibrated on games of the bundled network, or of its own, once on a machine for a board size;
    `before_calibration` hears of it, as it takes a while, and `progress` of its two steps: how many of how
    many positions are done.
    """
    from kibitz import nets  # its runtimes are slow to import, and only wanted here

    info = registry.get(game)

    def start(shape: Shape) -> Any:
        if info.sample is not None and info.sample.start is not None:
            return info.sample.start(shape.rows, shape.columns)
        return info.position().state

    path = nets.find(name)
    bundled = bundled_file(game)

    def player() -> Network | None:
        """The bundled network, which is small: how well it plays matters little for ranges."""
        if bundled is None or bundled == path:
            return None
        return _load_default(game, str(bundled), "fp32", bundled.stat().st_mtime_ns)

    play = nets.self_play(start, lambda done, total: progress("playing", done, total), player)

    def calibration(network: Network, shape: Shape) -> Any:
        before_calibration(shape)
        return play(network, shape)

    return nets.load(
        path,
        game=game,
        precision=precision,
        runtime=runtime,
        streams=streams,
        calibration=calibration,
        progress=lambda done, total: progress("watching layers", done, total),
    )


@cache
def _load_default(game: str, file: str, precision: str, changed: int) -> Network:
    """`changed` is when the file was."""
    return load_file(game, file, precision=precision)


def described(game: str, network: EngineNetwork | None) -> str:
    """A network's name as reports and commands say it; empty without one."""
    if network is None:
        return ""
    bundled: tuple[Path | None, ...] = (bundled_file(game), style_file(game))
    comes_with_kibitz = network.path is not None and network.path in bundled
    return f"{network.name} (bundled)" if comes_with_kibitz else network.name
