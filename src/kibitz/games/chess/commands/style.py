"""`kibitz style`: measure the style of chess games, compare two sets of them, make a norm or a profile."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from kibitz.cli import common
from kibitz.cli.output import progress_bar, write_text
from kibitz.errors import BadOption
from kibitz.files.whole_file import naming

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kibitz.lab.run import LabEvent
    from kibitz.style import Comparison, Games, Norm

_METRICS_HELP = """Compute style metrics of chess games: CO, DCC, FCH, PB_delay, CL, SI, scores S and S2.

Files are PGN, also compressed (.gz, .zst, .zip), or JSON (.json, .jsonl). The metrics are defined in
docs/style.md.

Examples:

    kibitz style metrics games.pgn

    kibitz style metrics games.pgn.zst --output games.parquet
"""

_REPORT_HELP = """Compare two sets of games: means, shift with interval, KS test.

Example: kibitz style report off.pgn medium.pgn --picture shift.svg
"""

_NORM_HELP = """Compute the norm of S from baseline games.

Example: kibitz style norm baseline.pgn --output style_norm.json --source "maia-1900, 8 visits"
"""

_PROFILE_HELP = """Learn what a player likes from games: a style that --style takes.

The weights say how much likelier the player is than the opponents to choose a move with that trait.

Examples:

    kibitz style profile games.pgn --player Nimzowitsch --output nimzowitsch.json

    kibitz play chess --style nimzowitsch.json:strong
"""

_PLAYERS_HELP = """Rank players by S2, the most hypermodern first: the mean of the side that each played.

Example: kibitz style players games.pgn --least 10
"""

_TAGS_HELP = """Tag every position of games: S of its game, S2 of the side to move, high or neutral.

Writes one JSON object a line: game, ply, fen, move, s, s2, tag.

Example: kibitz style tags games.pgn --output tags.jsonl
"""

_LAB_HELP = """Measure what a style does and what it costs: games, matches, one report.

Plays games without and with the style at every level, mode and number of visits, and matches against no
style. Writes report.html, report.md and results.json. A lab that was stopped goes on where it was.

Examples:

    kibitz style lab --config examples/style-lab.toml --folder lab

    kibitz style lab --config examples/style-lab.toml --folder lab --processes 2
"""

_LEVELS_HELP = """Measure what each level of a style does and costs on a list of engines.

Plays games with each level and without a style for the shift of S, then each level against no style for its
price in Elo. Writes levels.json after each step. A run that was stopped goes on where it was.

Example:

    kibitz style levels --config examples/style-levels.toml --folder levels --processes 2
"""

_NormFile = Annotated[
    Path | None,
    typer.Option("--norm", help="A style_norm.json. [default: the packaged norm]", metavar="FILE"),
]


def register(app: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True, help="Measure and compare the style of chess games.")
    group.command("metrics", help=_METRICS_HELP)(metrics)
    group.command("report", help=_REPORT_HELP)(report)
    group.command("norm", help=_NORM_HELP)(norm)
    group.command("profile", help=_PROFILE_HELP)(profile)
    group.command("players", help=_PLAYERS_HELP)(players)
    group.command("tags", help=_TAGS_HELP)(tags)
    group.command("lab", help=_LAB_HELP)(lab)
    group.command("levels", help=_LEVELS_HELP)(levels)
    app.add_typer(group, name="style")


def metrics(
    files: Annotated[list[Path], typer.Argument(help="PGN or JSON files.", metavar="GAMES...")],
    norm_file: _NormFile = None,
    output: Annotated[
        Path | None,
        typer.Option(help="Write a row for each game: .json, .jsonl, .csv or .parquet.", metavar="FILE"),
    ] = None,
    rows: Annotated[int, typer.Option(help="Games shown in the table; 0 for the summary only.")] = 10,
    as_json: common.AsJson = False,
) -> None:
    from kibitz.style import load_norm, summarize
    from kibitz.style.tables import rows as table_rows
    from kibitz.style.tables import write_table

    chosen = load_norm(norm_file)
    if rows < 0:
        raise BadOption(f"--rows must be 0 or more, got {rows}")
    games = _measured(files, chosen, named=True)
    if output is not None:
        with naming(output):
            write_table(output, games, chosen)
    summary = summarize(games, chosen)
    if as_json:
        data = {
            "version": 1,
            "games": list(table_rows(games, chosen)),
            "summary": {name: asdict(item) for name, item in summary.items()},
            "broken": games.broken,
            "empty": games.empty,
        }
        typer.echo(json.dumps(data))
        return
    console = Console()
    if rows:
        console.print(_games_table(games, chosen, rows, console.width))
    console.print(_summary_table(games, chosen))
    if games.broken or games.empty:
        note = f"{games.broken} broken games measured up to the error, {games.empty} without moves skipped"
        console.print(note, style="yellow", highlight=False)


def tags(
    games: Annotated[Path, typer.Argument(help="Games: PGN or JSON.", metavar="GAMES")],
    output: Annotated[Path, typer.Option(help="Where to write the tags.", metavar="FILE.jsonl")],
) -> None:
    from kibitz.style import load_norm
    from kibitz.style.tags import games_of_file, position_tags

    rows = high = 0
    with naming(output), output.open("w", encoding="utf-8") as file:
        for row in position_tags(games_of_file(games), load_norm(None)):
            file.write(json.dumps(row) + "\n")
            rows += 1
            high += row["tag"] == "high"
    typer.echo(f"{output}: {rows:,} positions, {high:,} of games with a high S")


def report(
    a: Annotated[Path, typer.Argument(help="The baseline.", metavar="A.pgn")],
    b: Annotated[Path, typer.Argument(help="The games to compare with it.", metavar="B.pgn")],
    norm_file: _NormFile = None,
    picture: Annotated[
        Path | None, typer.Option(help="Draw the distributions to this file.", metavar="FILE.svg")
    ] = None,
    as_json: common.AsJson = False,
) -> None:
    from kibitz.style import compare, load_norm
    from kibitz.style.picture import comparison_picture

    chosen = load_norm(norm_file)
    ours, theirs = _measured([a], chosen), _measured([b], chosen)
    comparison = compare(ours, theirs, chosen)
    if picture is not None:
        game_sets = {a.name: ours, b.name if b.name != a.name else str(b): theirs}
        write_text(picture, comparison_picture(game_sets, chosen))
    if as_json:
        typer.echo(json.dumps(comparison.to_dict(), indent=2))
    else:
        _show(comparison, a.name, b.name)


def norm(
    files: Annotated[list[Path], typer.Argument(help="PGN files of the baseline.", metavar="GAMES.pgn...")],
    output: Annotated[Path, typer.Option(help="Where to write the norm.", metavar="FILE")] = Path(
        "style_norm.json"
    ),
    method: Annotated[str, typer.Option(help="minmax, or robust (median and IQR).")] = "minmax",
    source: Annotated[str, typer.Option(help="Description of the games, stored in the file.")] = "",
) -> None:
    from kibitz.style.norm import norm_of

    games = _measured(files, None)
    with naming(output):
        norm_of(games, method=method, source=source).save(output)
    typer.echo(f"{output}: {method} of {len(games):,} games")


def profile(
    games: Annotated[Path, typer.Argument(help="A PGN file.", metavar="GAMES.pgn")],
    player: Annotated[str, typer.Option(help="Part of the player's name in White or Black.")],
    output: Annotated[
        Path | None, typer.Option(help="Where to write the profile.", metavar="FILE.json")
    ] = None,
) -> None:
    from kibitz.style.profile import fit_profile

    with progress_bar("reading games", None):
        fitted = fit_profile(games, player)
    if output is not None:
        with naming(output):
            fitted.save(output)
    table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left")
    table.title = f"{fitted.player}: {fitted.games:,} games, {fitted.moves:,} moves"
    table.add_column("trait")
    for name in ("player", "opponents", "weight"):
        table.add_column(name, justify="right")
    for name, weight in fitted.weights.items():
        table.add_row(name, f"{fitted.own[name]:+.2f}", f"{fitted.others[name]:+.2f}", f"{weight:+.2f}")
    Console().print(table)


def players(
    files: Annotated[list[Path], typer.Argument(help="PGN files.", metavar="GAMES.pgn...")],
    least: Annotated[int, typer.Option(help="Players with fewer games are left out.", metavar="N")] = 10,
) -> None:
    from kibitz.style.players import rank_players

    rows = rank_players(_measured(files, None, named=True), least=least)
    if not rows:
        raise BadOption(f"no player has {least} games")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("player")
    for name in ("games", "S2", "95% interval", "as White", "as Black"):
        table.add_column(name, justify="right")
    for row in rows:
        colours = ("" if mean is None else f"{mean:.3f}" for mean in (row.white, row.black))
        interval = f"{row.low:.3f} to {row.high:.3f}"
        table.add_row(row.player, str(row.games), f"{row.s2:.3f}", interval, *colours)
    Console().print(table)


_Config = Annotated[Path, typer.Option(help="The configuration, as TOML.", metavar="FILE")]
_Processes = Annotated[int, typer.Option(help="Games in parallel.")]
_OnlyReport = Annotated[
    bool, typer.Option("--report", help="Play nothing: report the games and matches that are there.")
]


def lab(
    config: _Config,
    folder: Annotated[Path, typer.Option(help="Where games and reports go.", metavar="DIR")] = Path(
        "style-lab"
    ),
    processes: _Processes = 1,
    only_report: _OnlyReport = False,
    as_json: common.AsJson = False,
) -> None:
    from kibitz.lab.config import read_lab_config
    from kibitz.lab.run import run_lab

    _follow(run_lab(read_lab_config(config), folder, processes=processes, only_report=only_report))
    if as_json:
        typer.echo((folder / "results.json").read_text())
        return
    typer.echo((folder / "report.md").read_text().split("## Commands")[0].rstrip())
    typer.echo(f"\n{folder / 'report.html'} has the plots")


def levels(
    config: _Config,
    folder: Annotated[Path, typer.Option(help="Where games and results go.", metavar="DIR")] = Path(
        "style-levels"
    ),
    processes: _Processes = 1,
    only_report: _OnlyReport = False,
    as_json: common.AsJson = False,
) -> None:
    from kibitz.lab.levels import costs_table, levels_table, read_levels_config, run_levels

    _follow(run_levels(read_levels_config(config), folder, processes=processes, only_report=only_report))
    text = (folder / "levels.json").read_text()
    if as_json:
        typer.echo(text)
        return
    results = json.loads(text)
    typer.echo("\n\n".join(table for table in (levels_table(results), costs_table(results)) if table))


def _follow(events: Iterator[LabEvent]) -> None:
    """A progress bar of the stages."""
    from kibitz.fleet.termination import on_termination

    with on_termination() as signals:
        try:
            with progress_bar("games", None) as progress:
                task = progress.tasks[0].id
                for event in events:
                    progress.update(task, description=event.stage, completed=event.done, total=event.of)
                    progress.advance(task, 0)
        except KeyboardInterrupt:
            print("kibitz: interrupted; the same command goes on", file=sys.stderr)
            raise typer.Exit(128 + signals[0] if signals else 130) from None


def _measured(files: list[Path], norm: Norm | None, named: bool = False) -> Games:
    """The measures of the games of all files, with a bar that counts them."""
    from kibitz.style.json_games import measure_games
    from kibitz.style.metrics import check_games, join

    parts = []
    with progress_bar("games", None) as progress:
        for path in files:
            window = norm.window if norm else None
            for part in measure_games(path, window=window, named=named):
                parts.append(part)
                progress.advance(progress.tasks[0].id, len(part))
    return check_games(join(parts), ", ".join(str(path) for path in files))


def _number(metric: str, value: float) -> str:
    return f"{value:.0f}" if metric in ("fch", "pb_delay") else f"{value:.3f}"


def _games_table(games: Games, norm: Norm, most: int, width: int) -> Table:
    from kibitz.style import METRICS, load_s2

    # Narrow gaps where wide ones would cut numbers off.
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2 if width >= 90 else 1, 0, 0))
    # Names give way to numbers: these are at most ten columns of five and the gaps between them.
    room = max(5, min(20, (width - 73) // 2))
    table.add_column("game", justify="right", no_wrap=True)
    table.add_column("white", max_width=room, no_wrap=True)
    table.add_column("black", max_width=room, no_wrap=True)
    for name in ("plies", *METRICS, "S", "S2"):
        table.add_column(name, justify="right", no_wrap=True)
    scores = zip(norm.scores(games), load_s2().scores(games), strict=True)
    for index, both in zip(range(min(most, len(games))), scores, strict=False):
        cells = [_number(name, games.values[index, place]) for place, name in enumerate(METRICS)]
        white, black, *_ = games.names[index]
        cells += [f"{score:.3f}" for score in both]
        table.add_row(str(games.number[index]), white, black, str(games.plies[index]), *cells)
    if len(games) > most:
        table.add_row("...")
    return table


def _summary_table(games: Games, norm: Norm) -> Table:
    from kibitz.style import summarize
    from kibitz.style.metrics import name_of

    table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left")
    table.title = f"{len(games):,} games"
    table.add_column("measure")
    for name in ("mean", "sd", "least", "median", "most"):
        table.add_column(name, justify="right")
    for name, item in summarize(games, norm).items():
        cells = [f"{value:.3f}" for value in (item.mean, item.sd, item.min, item.median, item.max)]
        bold = name in ("s", "s2")
        table.add_row(
            f"{name.upper() if bold else name}, {name_of(name)}", *cells, style="bold" if bold else None
        )
    return table


def _show(comparison: Comparison, a: str, b: str) -> None:
    console = Console()
    games = comparison.games
    console.print(f"A: {a}, {games[0]:,} games; B: {b}, {games[1]:,} games", highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("measure")
    for name in ("mean A", "mean B", "sd A", "shift in sd", "95% interval", "KS D", "KS p"):
        table.add_column(name, justify="right")
    for row in comparison.rows:
        shift = row.shift
        table.add_row(
            f"{row.metric.upper() if row.metric in ('s', 's2') else row.metric}, {row.name}",
            f"{row.a.mean:.3f}",
            f"{row.b.mean:.3f}",
            f"{row.a.sd:.3f}",
            "" if shift is None else f"{shift.value:+.2f}",
            "" if shift is None else f"{shift.low:+.2f} to {shift.high:+.2f}",
            f"{row.ks.statistic:.3f}",
            f"{row.ks.p:.2g}",
            style="bold" if row.metric in ("s", "s2") else None,
        )
    console.print(table)
    if any(comparison.short):
        short_a, short_b = comparison.short
        note = (
            f"shorter than the window of {comparison.norm.window.plies} plies: {short_a} of A, {short_b} of B"
        )
        console.print(note, style="yellow", highlight=False)
