"""The folder of a training loop: what is there says how far the loop has come.

Generation N is `gen-000N`, and its files are written in this order:

    begun.json      the network that plays its games, by digest
    samples/        the games, as samples (training/samples)
    selfplay.json   they are complete
    training.json   the samples that its network is trained on
    net.*           the network
    train.json      it is trained
    gate.jsonl      its match against the best so far
    anchor.jsonl    its match against the player that stays the same
    report.json     the generation is finished
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from kibitz.files.whole_file import read_json, write_json, write_whole
from kibitz.training.plots import loop_page


class LoopFolder:
    """Where a loop's files are, and what they say. Belongs to one thread of one process."""

    def __init__(self, folder: Path, suffix: str, game: str) -> None:
        self.folder = folder
        self._suffix = suffix
        self._title = f"Kibitz: training {game}, {folder.name}"
        self._since = time.monotonic()
        #: Counts what was written, so that nobody has to look who has looked since.
        self.changes = 0
        self._counted, self._networks = -1, 0

    def place(self, generation: int) -> Path:
        return self.folder / f"gen-{generation:04d}"

    def network(self, generation: int) -> Path:
        return self.place(generation) / f"net{self._suffix}"

    def samples(self, generation: int) -> Path:
        return self.place(generation) / "samples"

    def read(self, generation: int, name: str) -> dict[str, Any] | None:
        """A file of a generation (`begun`, `selfplay`, `training`, `train`, `report`); None where it is not
        there."""
        path = self.place(generation) / f"{name}.json"
        return read_json(path) if path.is_file() else None

    def write(self, generation: int, name: str, content: dict[str, Any]) -> None:
        self.place(generation).mkdir(exist_ok=True)
        write_json(self.place(generation) / f"{name}.json", content)
        self.changes += 1

    def has(self, generation: int, name: str) -> bool:
        return (self.place(generation) / f"{name}.json").is_file()

    def is_played(self, generation: int) -> bool:
        """Its games are complete. (A finished generation that has no `begun` was made by an earlier version,
        which played the games first. With one its games may still be under way: it was passed over.)"""
        return self.has(generation, "selfplay") or (
            self.has(generation, "report") and not self.has(generation, "begun")
        )

    def is_trained(self, generation: int) -> bool:
        return self.has(generation, "train") and self.network(generation).is_file()

    @property
    def networks(self) -> int:
        """How many were trained."""
        if self._counted != self.changes:
            self._counted = self.changes
            self._networks = sum(map(self.is_trained, self.begun()))
        return self._networks

    def begun(self) -> list[int]:
        """The generations from 1 on that have a folder."""
        return sorted(int(path.name[4:]) for path in self.folder.glob("gen-*") if path.name != "gen-0000")

    def reports(self) -> list[dict[str, Any]]:
        """Reports of the finished generations, from 0 on."""
        reports: list[dict[str, Any]] = []
        while (report := self.read(len(reports), "report")) is not None:
            reports.append(report)
        return reports

    def best(self) -> dict[str, Any]:
        """The report of the last generation that was promoted."""
        return [report for report in self.reports() if report["promoted"]][-1]

    def finish(self, generation: int, report: dict[str, Any]) -> None:
        self.write(generation, "report", report)
        write_whole(self.folder / "index.html", loop_page(self._title, self.reports()).encode())

    # -- time ---------------------------------------------------------------------------------------

    def note(self, generation: int, stage: str, seconds: float) -> None:
        """A stage of a generation has ended, or goes on in another run of the loop."""
        stages = self.stages(generation)
        stages[stage] = round(stages.get(stage, 0.0) + seconds, 1)
        self.write(generation, "seconds", stages)
        write_json(self._clock, {"seconds": self._passed()})

    def stages(self, generation: int) -> dict[str, float]:
        """Seconds of each stage, over all runs of the loop that worked on it."""
        return self.read(generation, "seconds") or {}

    def lap(self) -> float:
        """Seconds since the last lap, in which this loop ran."""
        passed = self._passed()
        write_json(self._clock, {"seconds": 0.0})
        return round(passed, 1)

    def _passed(self) -> float:
        before = read_json(self._clock)["seconds"] if self._clock.is_file() else 0.0
        now = time.monotonic()
        passed = before + now - self._since
        self._since = now
        return float(passed)

    @property
    def _clock(self) -> Path:
        return self.folder / "clock.json"
