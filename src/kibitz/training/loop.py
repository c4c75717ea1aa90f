"""The training loop: self-play, train, gate, promote, again (`kibitz train loop`).

    >>> loop = TrainingLoop(read_loop_config("othello.toml"), "runs/othello", trainer)  # doctest: +SKIP
    >>> for step in loop.run():                                                       # doctest: +SKIP
    ...     print(step)

Three roles (loop_roles.py) play, train and gate. They hand each other files in one folder (loop_folder.py),
so that the loop goes on after any interruption:

    loop.json            the configuration, and who made it
    train/               checkpoints and log of the training, which goes on from generation to generation
    gen-0000/            the first network, with random weights
    gen-0001/            the games of the best network so far, the network trained on them, its match
    index.html           the page of plots

Without workers for the gate (`[fleet] gate`) a generation begins when the one before it is finished, and the
roles take turns. With them they work at the same time: games are always played with the best network there
is, a network is trained as soon as there are new games, and the gate takes the newest network. Who is slow is
not waited for: generations that were played while a network was trained have none of their own, and networks
that were trained while a match was played are passed over.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption, BadRecord
from kibitz.files.whole_file import read_json, write_json
from kibitz.fleet.content import digest_of
from kibitz.fleet.runners import connected
from kibitz.training.loop_config import LoopConfig
from kibitz.training.loop_folder import LoopFolder
from kibitz.training.loop_roles import Gate, Learner, Players, Trainer
from kibitz.training.loop_stages import TICK, LoopStep


class TrainingLoop:
    """A loop in its folder; `run` goes on from what is there."""

    def __init__(self, config: LoopConfig, folder: str | os.PathLike[str], trainer: Trainer) -> None:
        self.config = config
        self.folder = Path(folder).absolute()  # workers of other machines have another working directory
        self._trainer = trainer
        self.folder.mkdir(parents=True, exist_ok=True)
        self._files = LoopFolder(self.folder, trainer.suffix, config.game)
        self._check_configuration()

    def run(self) -> Iterator[LoopStep]:
        """Makes the generations that are missing."""
        files = self._files
        self._first_network()
        config, place = self.config, self.config.fleet
        players = Players(config, files, self._origin())
        learner = Learner(config, files, self._trainer, players)
        gate = Gate(config, files, learner, self._origin())
        workers = place.processes + (place.gate + learner.cpus if place.gate else 0)
        with contextlib.ExitStack() as stack:
            stack.enter_context(connected(place.fleet, workers))
            roles = [stack.enter_context(contextlib.closing(role.run())) for role in (players, learner, gate)]
            while roles:
                began, quiet = time.monotonic(), True
                for role in list(roles):
                    try:
                        step = next(role)
                    except StopIteration:
                        roles.remove(role)
                        step = None
                    if step is not None:
                        quiet = False
                        yield step
                if quiet and time.monotonic() - began < TICK / 2:
                    time.sleep(TICK)

    def reports(self) -> list[dict[str, Any]]:
        """Reports of the finished generations, from 0 on."""
        return self._files.reports()

    def best(self) -> dict[str, Any]:
        """The report of the last generation that was promoted."""
        return self._files.best()

    def network(self, generation: int) -> Path:
        return self._files.network(generation)

    def _first_network(self) -> None:
        files = self._files
        if files.has(0, "report"):
            return
        network = files.network(0)
        network.parent.mkdir(exist_ok=True)
        self._trainer.first(network, self.config.seed)
        report = {
            "generation": 0,
            "promoted": True,
            "network": digest_of(network),
            "parent": None,
            "elo": {"value": 0.0, "spread": 0.0},
            "selfplay": {"games": 0, "positions": 0},
            "train": {},
            "gate": None,
            "anchor": None,
            "seconds": 0.0,
            "made": self._origin(),
        }
        files.finish(0, report)

    def _check_configuration(self) -> None:
        path = self.folder / "loop.json"
        config = json.loads(json.dumps(self.config.to_dict()))
        if not path.is_file():
            made = {"format": "kibitz-loop", "version": 1, "config": config, "made": self._origin()}
            write_json(path, made)
            return
        known = read_json(path)
        if known.get("format") != "kibitz-loop" or known.get("version") != 1:
            raise BadRecord(f"{path} is not of a training loop that this version knows")
        if known["config"] != config:
            differing = [key for key in config if known["config"].get(key) != config[key]]
            raise BadOption(f"{self.folder} is of another training loop: {', '.join(differing)} differ")

    def _origin(self) -> dict[str, Any]:
        return {
            "kibitz": metadata.version("kibitz"),
            "config": self.config.digest,
            "machine": platform.machine(),
        }
