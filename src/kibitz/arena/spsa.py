"""Simultaneous perturbation (SPSA): numbers tuned by games of two players that differ in all of them at once.

Every step changes each parameter by its own size, up or down at random, lets the two ends play each other and
moves the parameters towards the end that won. The sizes shrink with the steps as J. C. Spall advises
("Implementation of the simultaneous perturbation algorithm for stochastic optimization"): the changes with
the power 0.101 and the moves with 0.602.

    >>> state = SpsaState({"a": 1.0}, {"a": Parameter(0.5, 0.0, 2.0)}, steps=10)
    >>> up, down = state.ends()
    >>> sorted((up["a"], down["a"]))
    [0.5, 1.5]
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kibitz.errors import BadRecord
from kibitz.files.whole_file import write_whole

_CHANGE_POWER = 0.101
_MOVE_POWER = 0.602

Values = dict[str, float]


@dataclass(frozen=True)
class Parameter:
    """How far a parameter is changed in the first step, and where it ends."""

    change: float
    least: float = -math.inf
    most: float = math.inf

    def within(self, value: float) -> float:
        return min(max(value, self.least), self.most)


@dataclass
class SpsaState:
    """Where a run is. The random changes of a step depend on the seed and on its number alone, so that a
    resumed run is the run that was not interrupted."""

    values: Values
    parameters: Mapping[str, Parameter]
    steps: int
    seed: int = 0
    rate: float = 0.5
    """Of the first change, that a step with a clear result moves a parameter in the end."""
    done: int = 0
    score: float = 0.0
    """Points of all steps of the ends that were changed upwards at first."""
    history: list[Values] = field(default_factory=list)

    def signs(self) -> dict[str, int]:
        chance = random.Random(1_000_003 * self.seed + self.done)
        return {name: chance.choice((-1, 1)) for name in sorted(self.parameters)}

    def _shrunk(self, power: float) -> float:
        # Spall's stability constant: a tenth of the steps.
        settled = 0.1 * self.steps
        return float(((1 + settled) / (self.done + 1 + settled)) ** power)

    def ends(self) -> tuple[Values, Values]:
        """The two players of the next step."""
        signs, size = self.signs(), self._shrunk(_CHANGE_POWER)
        return tuple(  # type: ignore[return-value]
            {
                name: parameter.within(self.values[name] + side * signs[name] * size * parameter.change)
                for name, parameter in self.parameters.items()
            }
            for side in (1, -1)
        )

    def learn(self, score: float) -> None:
        """`score` is the first end's, 0 to 1."""
        signs, size = self.signs(), self.rate * self._shrunk(_MOVE_POWER)
        for name, parameter in self.parameters.items():
            step = size * parameter.change * signs[name] * (2 * score - 1)
            self.values[name] = parameter.within(self.values[name] + step)
        self.score += score
        self.done += 1
        self.history.append({name: round(value, 6) for name, value in self.values.items()})

    def settings(self) -> dict[str, Any]:
        """What makes the run: another one is not resumed from its file."""
        return {
            "parameters": {name: asdict(parameter) for name, parameter in self.parameters.items()},
            "steps": self.steps,
            "seed": self.seed,
            "rate": self.rate,
        }

    def write(self, path: Path) -> None:
        data = {
            "settings": self.settings(),
            "done": self.done,
            "score": self.score,
            "values": self.values,
            "history": self.history,
        }
        write_whole(path, (json.dumps(data) + "\n").encode())

    def resume(self, path: Path) -> None:
        """Goes on where the file says; BadRecord when it is of another run."""
        try:
            data = json.loads(path.read_text())
            settings, done = data["settings"], int(data["done"])
            values = {str(name): float(value) for name, value in data["values"].items()}
            history = [dict(row) for row in data["history"]]
            score = float(data["score"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadRecord(f"{path} is no state of a tuning run: {error}") from None
        if settings != json.loads(json.dumps(self.settings())):
            raise BadRecord(f"{path} is of a run with other settings; name another folder")
        if values.keys() != self.parameters.keys() or not 0 <= done <= self.steps:
            raise BadRecord(f"{path} is no state of this run")
        self.values, self.done, self.score, self.history = values, done, score, history


def tune(
    state: SpsaState,
    play: Callable[[int, Values, Values], float],
    *,
    file: Path,
    on_step: Callable[[SpsaState], None] = lambda state: None,
) -> Values:
    """The tuned values. `play(step, up, down)` gives the score of the first player; after every step the
    state is in the file, and a run begins where the file ends."""
    if file.exists():
        state.resume(file)
    while state.done < state.steps:
        up, down = state.ends()
        state.learn(play(state.done, up, down))
        state.write(file)
        on_step(state)
    return dict(state.values)
