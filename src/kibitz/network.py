"""The network of an engine, whatever it is made of: `kibitz.nets.Network` is one of a file, a function is
wrapped where it comes in. What can be asked of a network is an attribute here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from kibitz import _native
from kibitz.errors import BadOption


@dataclass(frozen=True)
class NetworkTraits:
    """What a plan depends on of a network."""

    #: Run by the core, fast enough to judge every position of alpha-beta. Others judge leaves of a tree.
    in_core: bool = False
    has_ownership: bool = True
    predicts_style: bool = False


class StreamTuning(Protocol):
    """How a network runs fastest on this machine (`kibitz.nets.tune.Tuning`)."""

    @property
    def streams(self) -> int: ...
    @property
    def batch(self) -> int: ...


class EngineNetwork:
    """A network that an engine can use.

    Threads: every method may be called from several threads at once.
    """

    @property
    def name(self) -> str:
        """As reports say it; empty for a function that has none."""
        return ""

    @property
    def path(self) -> Path | None:
        """The file it was read from."""
        return None

    @property
    def digest(self) -> str:
        """SHA-256 of the file, hex; empty for a function."""
        return ""

    @property
    def traits(self) -> NetworkTraits:
        return NetworkTraits()

    #: How a search runs it fastest, where that was asked for.
    tuning: StreamTuning | None = None

    @property
    def profile(self) -> str | None:
        """The players that a human network imitates; None for networks that know no players."""
        return None

    def imitating(self, profile: str, side: int) -> EngineNetwork:
        """A human network with other players, for that side to move."""
        raise BadOption(f"{self.name or 'the human model'} is no human network: it knows no profiles")

    def in_use(self) -> contextlib.AbstractContextManager[None]:
        """Held while a search runs, so that measurements in the background wait."""
        return contextlib.nullcontext()

    def shown(self, position: Any) -> Any:
        """The native position, written the way the network wants it."""
        return position.state

    def for_search(self) -> Any:
        """What a native search calls."""
        raise NotImplementedError


class FunctionNetwork(EngineNetwork):
    """A function of the user: `function(planes, globals)` gives policy logits and outcomes as arrays.
    Attributes of the function say what else it is: `name`, `has_ownership`, `predicts_style`, `shown`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        if not callable(function):
            raise BadOption(
                "a network is a file, a name of `kibitz nets list`, a kibitz.nets.Network or a function,"
                f" got {type(function).__name__}"
            )
        self._function = function
        self._name = str(getattr(function, "name", getattr(function, "__name__", "")))
        self._traits = NetworkTraits(
            has_ownership=bool(getattr(function, "has_ownership", True)),
            predicts_style=bool(getattr(function, "predicts_style", False)),
        )
        self._shown = getattr(function, "shown", None)

    @property
    def name(self) -> str:
        return self._name

    @property
    def traits(self) -> NetworkTraits:
        return self._traits

    def shown(self, position: Any) -> Any:
        return super().shown(position) if self._shown is None else self._shown(position)

    def for_search(self) -> Any:
        return self._function


class BatchedNetwork(EngineNetwork):
    """A network that the searches of several threads ask together, up to `most` positions at once."""

    def __init__(self, network: EngineNetwork, most: int) -> None:
        self._network = network
        self._batcher = _native.Batcher(network.for_search(), most=most, callers=1)

    @property
    def name(self) -> str:
        return self._network.name

    @property
    def path(self) -> Path | None:
        return self._network.path

    @property
    def digest(self) -> str:
        return self._network.digest

    @property
    def traits(self) -> NetworkTraits:
        return self._network.traits

    def in_use(self) -> contextlib.AbstractContextManager[None]:
        return self._network.in_use()

    def shown(self, position: Any) -> Any:
        return self._network.shown(position)

    def for_search(self) -> Any:
        return self._batcher
