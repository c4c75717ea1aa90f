"""What a style lab found: as JSON, as Markdown, and as a page with plots."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from kibitz.arena import Sprt, Summary
from kibitz.draw.chart import Curve, chart
from kibitz.files.whole_file import write_whole
from kibitz.lab.config import LabConfig
from kibitz.lab.log import LogRow
from kibitz.lab.throughput import Cost
from kibitz.lab.training import StyleLoop
from kibitz.lab.tuning import GridResult
from kibitz.style.report import Comparison, Row

#: The plan's definition of done.
LEAST_SHIFT = 1.0
MOST_ELO_LOSS = 20.0
#: The test of a match: H0 says that as much is lost as the plan allows, H1 that nothing is.
LOSS_TEST = Sprt(-MOST_ELO_LOSS, 0.0)
MOST_SLOWDOWN = 0.05
MOST_MEMORY = 0.10


@dataclass(frozen=True)
class GameSet:
    """Games in the style beside games without it."""

    name: str
    baseline: str
    command: str
    #: The command that plays the baseline.
    baseline_command: str
    comparison: Comparison

    @property
    def visits(self) -> int:
        return int(self.baseline.rpartition("-")[2])


@dataclass(frozen=True)
class Match:
    level: str
    mode: str
    visits: int
    summary: Summary
    #: Of the style network against the one that it began with.
    trained: bool = False
    command: str = ""

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of `LOSS_TEST` over all games of the match."""
        return LOSS_TEST.llr_of_pairs(self.summary.pairs)

    @property
    def decision(self) -> str:
        """`H0`, `H1`, or `open` where more games would decide."""
        return LOSS_TEST.decide(self.llr) or "open"


@dataclass(frozen=True)
class Trained:
    """What the training phases made: the loop's reports, the points of the grid, and the losses of networks
    that were trained without one plane each, for each seed."""

    loop: StyleLoop
    reports: Sequence[Mapping[str, Any]]
    grid: Sequence[GridResult] = ()
    planes: Sequence[tuple[str, Sequence[Mapping[str, float]]]] = ()


@dataclass(frozen=True)
class Verdict:
    """A line of the definition of done; `met` is None where the interval holds the aim: more games decide."""

    aim: str
    measured: str
    met: bool | None


@dataclass(frozen=True)
class Results:
    config: LabConfig
    sets: Sequence[GameSet]
    matches: Sequence[Match]
    #: Is a search with style off the search without style?
    off_is_plain: bool
    #: Processor time and memory of a styled search over a plain one.
    slowdown: Cost
    files: Sequence[Path]
    seconds: float
    trained: Trained | None = None
    log: Sequence[LogRow] = ()
    #: The same of the style network's planes and head.
    cost: Cost | None = None
    #: SVG by name: the measures of a set beside those of its baseline.
    distributions: Mapping[str, str] = field(default_factory=dict)

    def verdicts(self) -> list[Verdict]:
        same = "the same visits on every position" if self.off_is_plain else "other visits"
        out = [Verdict("off: the search is the plain one", same, self.off_is_plain)]
        for group in self.sets:
            shift = group.comparison["s"].shift
            if group.name.startswith(("medium-", "network-medium-")) and shift is not None:
                figure = f"{shift.value:+.2f} ({shift.low:+.2f} to {shift.high:+.2f}) in {group.name}"
                figure += f", {group.comparison.games[1]} games"
                met = _reached(shift.low, shift.high, LEAST_SHIFT)
                out.append(Verdict("medium: S at least 1.0 sd above", figure, met))
        for match in self.matches:
            if match.level == "medium":
                elo = match.summary.elo
                figure = f"{elo.value + 0.0:+.0f} ({elo.low:+.0f} to {elo.high:+.0f}) with {match.mode}"
                figure += f", {match.summary.games} games at {match.visits} visits"
                figure += ", style network" if match.trained else ""
                met = _reached(elo.low, elo.high, -MOST_ELO_LOSS)
                out.append(Verdict("medium: at most 20 Elo lost", figure, met))
        slow = f"{self.slowdown.text}, processor time of {self.config.lab.levels[-1]}"
        out.append(Verdict("throughput: at most 5% lost", slow, _kept_within(self.slowdown, MOST_SLOWDOWN)))
        if self.cost is not None:
            figure = f"{self.cost.text}, processor time for planes and head"
            met = _kept_within(self.cost, MOST_SLOWDOWN)
            out.append(Verdict("throughput of the style network: at most 5% lost", figure, met))
            figure = f"{self.cost.memory:+.1%} of the tree's memory"
            out.append(Verdict("memory: less than 10% more", figure, self.cost.memory < MOST_MEMORY))
        scripts = all(group.command for group in self.sets)
        figure = "docs/style.md; the command of every set is below" if scripts else "a set has no command"
        out.append(Verdict("documentation and scripts", figure, scripts))
        return out

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": "kibitz-style-lab",
            "version": 1,
            "config": asdict(self.config),
            "sets": [
                {"name": group.name, "command": group.command, **group.comparison.to_dict()}
                for group in self.sets
            ],
            "matches": [
                {
                    "level": match.level,
                    "mode": match.mode,
                    "visits": match.visits,
                    "trained": match.trained,
                    "command": match.command,
                    "llr": match.llr,
                    "decision": match.decision,
                    **match.summary.to_dict(),
                }
                for match in self.matches
            ],
            "training": None if self.trained is None else _trained_dict(self.trained),
            "log": [asdict(row) for row in self.log],
            "offIsPlain": self.off_is_plain,
            "slowdown": self.slowdown.to_dict(),
            "networkCost": None if self.cost is None else self.cost.to_dict(),
            "verdicts": [
                {"aim": verdict.aim, "found": verdict.measured, "met": verdict.met}
                for verdict in self.verdicts()
            ],
            "files": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in self.files},
        }


def _trained_dict(trained: Trained) -> dict[str, Any]:
    return {
        "generations": [
            {
                "generation": report["generation"],
                "games": report["selfplay"]["games"],
                "positions": report["selfplay"]["positions"],
                "train": report["train"],
                "network": report["network"],
            }
            for report in trained.reports
        ],
        "network": hashlib.sha256(trained.loop.network().read_bytes()).hexdigest(),
        "grid": [asdict(point) for point in trained.grid],
        "planes": {name: [dict(losses) for losses in seeds] for name, seeds in trained.planes},
    }


def _kept_within(cost: Cost, most: float) -> bool | None:
    return _reached(-cost.time.high, -cost.time.low, -most)


def _reached(low: float, high: float, aim: float) -> bool | None:
    return True if low >= aim else False if high < aim else None


def write_reports(folder: Path, results: Results) -> None:
    """`results.json`, `report.md` with its plots beside it, and `report.html`."""
    for name, plot in _plots(results).items():
        write_whole(folder / f"{name}.svg", plot.encode())
    write_whole(folder / "results.json", json.dumps(results.to_dict(), indent=1, allow_nan=False).encode())
    write_whole(folder / "report.md", _markdown(results).encode())
    write_whole(folder / "report.html", _page(results).encode())


def _cell(row: Row) -> str:
    shift = row.shift
    return "" if shift is None else f"{shift.value:+.2f} ({shift.low:+.2f} to {shift.high:+.2f})"


def _elo(match: Match) -> str:
    elo = match.summary.elo
    return f"{elo.value + 0.0:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"


def _surface(results: Results) -> list[list[str]]:
    """Rows of visits, level and mode with shift and Elo, as far as they were measured."""
    lab, sets = results.config.lab, {group.name: group for group in results.sets}
    elo = {
        (match.level, match.mode, match.visits): _elo(match) for match in results.matches if not match.trained
    }
    visits = sorted({*results.config.games.visits, *(match.visits for match in results.matches)})
    rows = []
    for level in lab.levels:
        for mode in lab.modes:
            for count in visits:
                group = sets.get(f"{level}-{mode}-{count}")
                price = elo.get((level, mode, count), "")
                if group is not None or price:
                    games = "" if group is None else str(group.comparison.games[1])
                    shift = (
                        ["", ""] if group is None else [_cell(group.comparison[name]) for name in ("s", "s2")]
                    )
                    rows.append([level, mode, str(count), games, *shift, price])
    return rows


def _tables(results: Results) -> list[tuple[str, list[str], list[list[str]]]]:
    """Titles, headers and rows."""
    sets = [
        [
            group.name,
            str(group.comparison.games[1]),
            f"{group.comparison['s'].a.mean:.3f} (sd {group.comparison['s'].a.sd:.3f})",
            f"{group.comparison['s'].b.mean:.3f}",
            _cell(group.comparison["s"]),
            f"{group.comparison['s'].ks.p:.2g}" if group.comparison["s"].ks.p else "< 1e-300",
            _cell(group.comparison["s2"]),
        ]
        for group in results.sets
    ]
    matches = [
        [
            match.level + (", style network" if match.trained else ""),
            match.mode,
            str(match.visits),
            str(match.summary.games),
            f"+{match.summary.wins} ={match.summary.draws} -{match.summary.losses}",
            _elo(match),
            f"{match.llr:+.2f}, {match.decision}",
        ]
        for match in results.matches
    ]
    verdicts = [
        [verdict.aim, verdict.measured, {True: "met", False: "not met", None: "undecided"}[verdict.met]]
        for verdict in results.verdicts()
    ]
    out = [("Definition of done", ["aim", "found", "verdict"], verdicts)]
    headers = [
        "set",
        "games",
        "S without",
        "S with",
        "shift of S in sd (95%)",
        "KS p",
        "shift of S2 in sd (95%)",
    ]
    out.append(("Shift", headers, sets))
    headers = ["level", "mode", "visits", "games", "shift of S in sd (95%)", "shift of S2 in sd (95%)"]
    out.append(("Surface", [*headers, "Elo (95%)"], _surface(results)))
    if matches:
        test = f"SPRT {LOSS_TEST.elo0:.0f} against {LOSS_TEST.elo1:.0f}"
        headers = ["level", "mode", "visits", "games", "result", "Elo (95%)", test]
        out.append(("Elo against no style", headers, matches))
    if results.trained is not None:
        out += _training_tables(results.trained)
    rows = [[row.date, row.phase, row.task, row.commit, row.note] for row in results.log]
    if rows:
        out.append(("Progress log", ["date", "phase", "task", "commit", "note"], rows))
    out.append(("Commands", ["what", "command"], _commands(results)))
    sums = results.to_dict()["files"]
    out.append(("Files", ["file", "SHA-256"], [[name, digest] for name, digest in sums.items()]))
    return out


def _commands(results: Results) -> list[list[str]]:
    """What plays the games and prints the figures."""
    played = {group.baseline: group.baseline_command for group in results.sets}
    played |= {group.name: group.command for group in results.sets}
    commands = [[name, command] for name, command in played.items()]
    commands += [
        [f"shift of {group.name}", f"kibitz style report {group.baseline}.pgn {group.name}.pgn"]
        for group in results.sets
    ]
    commands += [[f"match {match.level}, {match.visits} visits", match.command] for match in results.matches]
    return [*commands, ["all of it, with throughput and memory", "kibitz style lab --config lab.toml"]]


def _training_tables(trained: Trained) -> list[tuple[str, list[str], list[list[str]]]]:
    out = []
    styles = trained.loop.config.curriculum
    rows = [
        [
            str(report["generation"]),
            styles.style(report["generation"]) if report["generation"] else "",
            str(report["selfplay"]["games"]),
            str(report["selfplay"]["positions"]),
            report["network"][:12],
        ]
        for report in trained.reports
    ]
    out.append(("Generations", ["generation", "bias", "games", "positions", "network"], rows))
    grid = [
        [
            f"{point.style_weight:g}",
            f"{point.beta:g}",
            f"{point.shift:+.2f} ({point.shift_low:+.2f} to {point.shift_high:+.2f})",
            f"{point.elo:+.0f} ({point.elo_low:+.0f} to {point.elo_high:+.0f})",
            f"{point.style_loss:.4f}",
        ]
        for point in trained.grid
    ]
    if grid:
        headers = ["lambda_s", "beta", "shift of S in sd (95%)", "Elo (95%)", "loss of the style head"]
        out.append(("Trade-off", headers, grid))
    planes = [
        [name, *(_over_seeds(trained.planes[0][1], seeds, key) for key in ("policy", "value", "style"))]
        for name, seeds in trained.planes
    ]
    if planes:
        headers = ["plane taken away", "policy loss", "value loss", "style loss"]
        out.append(("Planes: mean of the seeds, and what taking the plane away adds (95%)", headers, planes))
    return out


#: Student's t at 97.5% by degrees of freedom.
_STUDENT = {1: 12.71, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}


def _over_seeds(whole: Sequence[Mapping[str, float]], seeds: Sequence[Mapping[str, float]], key: str) -> str:
    """The mean of a loss, and its difference from that of all planes. Equal seeds see the same batches, so
    that seeds are compared one by one."""
    values = [losses[key] for losses in seeds]
    text = f"{sum(values) / len(values):.4f}"
    more = [value - losses[key] for value, losses in zip(values, whole, strict=True)]
    if seeds is whole or len(more) < 2:
        return text
    mean = sum(more) / len(more)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in more) / (len(more) - 1) / len(more))
    reach = _STUDENT.get(len(more) - 1, 2.262) * deviation
    return f"{text}, {mean:+.4f} ({mean - reach:+.4f} to {mean + reach:+.4f})"


def _title(results: Results) -> str:
    lab = results.config.lab
    judge = Path(lab.network).name if lab.network else "the hand-written evaluation"
    judge += f" and with the style {Path(lab.style_network).name}" if lab.style_network else ""
    return f"Style lab: {lab.style}, {judge}, seed {lab.seed}"


def _markdown(results: Results) -> str:
    parts = [f"# {_title(results)}", ""]
    parts += [line for name in _plots(results) for line in (f"![{name}]({name}.svg)", "")]
    for title, headers, rows in _tables(results):
        parts += [f"## {title}", "", "| " + " | ".join(headers) + " |", "|" + "---|" * len(headers)]
        parts += ["| " + " | ".join(row) + " |" for row in rows] + [""]
    return "\n".join(parts)


def _trade_off(grid: Sequence[GridResult]) -> str:
    """Elo against shift, a curve for each lambda_s along beta."""
    curves = []
    for weight in dict.fromkeys(point.style_weight for point in grid):
        own = sorted((point for point in grid if point.style_weight == weight), key=lambda item: item.shift)
        curves.append(
            Curve(
                f"lambda_s {weight:g}",
                [(point.shift, point.elo) for point in own],
                [(point.elo_high - point.elo_low) / 2 for point in own],
            )
        )
    return chart("Elo against the shift of S", curves, across="shift of S in sd")


def _shift_curves(results: Results) -> str:
    """The shift of S over visits, a curve for each level and mode."""
    lab, sets, curves = (
        results.config.lab,
        {group.name: group for group in results.sets},
        [],
    )
    for level in lab.levels:
        for mode in lab.modes:
            chosen = [
                (float(visits), sets[name].comparison["s"].shift)
                for visits in sorted(results.config.games.visits)
                if (name := f"{level}-{mode}-{visits}") in sets
            ]
            points = [(visits, shift) for visits, shift in chosen if shift is not None]
            curves.append(
                Curve(
                    f"{level}, {mode}",
                    [(visits, shift.value) for visits, shift in points],
                    [(shift.high - shift.low) / 2 for _, shift in points],
                )
            )
    return chart("Shift of S in standard deviations", curves, across="visits", logarithmic=True)


def level_curves(results: Results) -> list[Curve]:
    """Elo against shift, a curve for each mode and number of visits along the levels that have both, where
    there are two at least."""
    sets = {group.name: group.comparison["s"].shift for group in results.sets}
    points: dict[str, list[tuple[float, float, float]]] = {}
    for match in results.matches:
        shift = sets.get(f"{match.level}-{match.mode}-{match.visits}")
        elo = match.summary.elo
        if shift is not None and not match.trained and math.isfinite(elo.high - elo.low):
            point = (shift.value, elo.value, (elo.high - elo.low) / 2)
            points.setdefault(f"{match.mode}, {match.visits} visits", []).append(point)
    return [
        Curve(name, [(x, y) for x, y, _ in sorted(own)], [half for _, _, half in sorted(own)])
        for name, own in points.items()
        if len(own) > 1
    ]


def _plots(results: Results) -> dict[str, str]:
    """SVG by name."""
    plots = {"shift": _shift_curves(results)}
    if curves := level_curves(results):
        plots["price"] = chart("Elo of the levels against the shift of S", curves, across="shift of S in sd")
    if results.trained is not None and results.trained.grid:
        plots["trade-off"] = _trade_off(results.trained.grid)
    by_visits = sorted(results.distributions.items(), key=lambda item: int(item[0].rpartition("-")[2]))
    return {**plots, **dict(by_visits)}


def _page(results: Results) -> str:
    body = list(_plots(results).values())
    for title, headers, rows in _tables(results):
        head = "".join(f"<th>{escape(header)}</th>" for header in headers)
        lines = ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows]
        body.append(f"<h2>{escape(title)}</h2>\n<table><tr>{head}</tr>\n" + "\n".join(lines) + "</table>")
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        f"<title>{escape(_title(results))}</title>\n"
        "<style>body{font-family:sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}"
        "td,th{padding:.2rem .6rem;text-align:left;border-bottom:1px solid #ddd;overflow-wrap:anywhere}"
        "svg{max-width:44rem;height:auto}</style>\n"
        f"<h1>{escape(_title(results))}</h1>\n" + "\n".join(body) + "\n</html>\n"
    )
