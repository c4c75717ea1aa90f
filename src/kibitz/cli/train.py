"""`kibitz train`: networks of one's own, from samples to files."""

from __future__ import annotations

import json
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from kibitz.cli import common
from kibitz.cli.train_loop import register_loop
from kibitz.errors import BadOption

__all__ = ["register"]

_HELP = """Train networks: label positions with a teacher, train, export.

Needs the extra `kibitz[train]` (PyTorch, pyarrow, safetensors). See docs/training.md.

Examples:

    kibitz train label go data/go --teacher b6c96.bin.gz --games 1000

    kibitz train --config go.toml

    kibitz train export runs/go --output go.knet
"""

_CONFIG = Annotated[Path, typer.Option("--config", help="Configuration file (TOML).", metavar="FILE")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help=_HELP,
        no_args_is_help=True,
        invoke_without_command=True,
        callback=begin_or_resume,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    group.command("run", help="Begin a training run.\n\nExample: kibitz train run --config go.toml")(run)
    group.command(
        "resume", help="Go on with an interrupted run.\n\nExample: kibitz train resume --config go.toml"
    )(resume)
    group.command("label", help=_LABEL_HELP)(label)
    group.command("export", help=_EXPORT_HELP)(export)
    group.command("blend", help=_BLEND_HELP)(blend)
    group.command("samples", help=_SAMPLES_HELP)(samples)
    group.command("tag", help=_TAG_HELP)(tag)
    group.command(
        "plot", help="Draw the curves of a run.\n\nExample: kibitz train plot runs/go --output go.svg"
    )(plot)
    register_loop(group)
    app.add_typer(group, name="train")


_LABEL_HELP = """Label positions of games with a teacher.

A teacher is a network file (KataGo, Lc0, Kibitz), `uci:COMMAND` for an engine such as Stockfish, `solver` for
the game's exact solver, or `records:FILE` for the moves and results of game records (WTHOR). A run that was
interrupted goes on when the command is given again.

Examples:

    kibitz train label go data/go --teacher b6c96.bin.gz --games 1000 --sizes 9,13,19

    kibitz train label chess data/chess --teacher uci:stockfish --nodes 2000 --games 1000

    kibitz train label othello data/wthor --teacher records:WTH_2022.wtb
"""

_EXPORT_HELP = """Write a run's network as a file.

The ending of --output says how: .knet (Kibitz), .onnx, .bin.gz (KataGo, from the pooling layout for Go) or
.pb.gz (Lc0, from the residual layout for chess).

Examples:

    kibitz train export runs/go --output go.knet

    kibitz train export go.knet --output go.bin.gz
"""

_BLEND_HELP = """Write the weighted mean of networks of the same shape.

Each is a run, a checkpoint or a .knet file with its weight; weights add up to 1. The file names them by check
sum.

Example: kibitz train blend trunk.knet=0.75 tuned.knet=0.25 --output style.knet
"""

_SAMPLES_HELP = """Describe a folder of samples, and verify its check sums.

Example: kibitz train samples data/go
"""


_TAG_HELP = """Add style to samples of chess: S and S2 as targets, tags, and the planes about style.

Example: kibitz train tag data/chess --output data/styled
"""


def tag(
    folder: Annotated[Path, typer.Argument(help="Folder of samples.", metavar="FOLDER")],
    output: Annotated[Path, typer.Option(help="Folder to write the tagged samples to.", metavar="FOLDER")],
    positions: Annotated[int, typer.Option(help="Positions at most; 0 for all.")] = 0,
) -> None:
    from kibitz.training.tagging import tag_samples

    games, written, unknown = tag_samples(folder, output, most=positions)
    typer.echo(f"{output}: {games:,} games, {written:,} positions, {unknown:,} games of unknown style")


def _train(config: Path, *, resume: bool, new_data: bool, steps: int | None, as_json: bool) -> None:
    from kibitz.training.train.config import TrainConfig

    settings = TrainConfig.read(config)
    trainer = _trainer(settings, resume=resume, new_data=new_data)
    console = Console(stderr=True)
    if not as_json:
        device = f"{trainer.device.type}, {'bf16' if trainer.autocast else 'fp32'}"
        console.print(
            f"{trainer.arch.game}: {trainer.arch.filters}x{trainer.arch.blocks} ({trainer.arch.layout}), "
            f"{trainer.reader.positions:,} positions, {device}, from step {trainer.progress.step:,}",
            highlight=False,
        )

    def say(row: dict[str, Any]) -> None:
        typer.echo(json.dumps(row) if as_json else _line(row, settings.run.steps))

    path = trainer.run(say, steps)
    typer.echo(json.dumps({"checkpoint": str(path)}) if as_json else f"checkpoint: {path}")


def _trainer(*args: Any, **options: Any) -> Any:
    try:
        from kibitz.training.train.trainer import Trainer
    except ImportError as error:
        raise BadOption(f"training needs {error.name}: pip install 'kibitz[train]'") from None
    return Trainer(*args, **options)


def _line(row: dict[str, Any], steps: int) -> str:
    terms = row.get("evaluation", row)
    shown = " ".join(
        f"{name} {terms[name]:.4f}"
        for name in ("total", "policy", "value", "score", "ownership", "style", "policy_accuracy")
        if name in terms
    )
    if "evaluation" in row:
        return f"step {row['step']:,} held back: {shown}"
    return (
        f"step {row['step']:,}/{steps:,} {shown} rate {row['rate']:.2e} ({row['perSecond']:,.0f} samples/s)"
    )


_STEPS = Annotated[
    int | None, typer.Option(help="Stop after so many steps, with a checkpoint.", metavar="N", min=1)
]


def begin_or_resume(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="Configuration file (TOML): begin its run, or go on.", metavar="FILE"),
    ] = None,
) -> None:
    if context.invoked_subcommand is None and config is not None:
        _train(config, resume=True, new_data=False, steps=None, as_json=False)


def run(config: _CONFIG, steps: _STEPS = None, as_json: common.AsJson = False) -> None:
    _train(config, resume=False, new_data=False, steps=steps, as_json=as_json)


def resume(
    config: _CONFIG,
    new_data: Annotated[
        bool, typer.Option("--new-data", help="Read the samples that are there now, not those of the start.")
    ] = False,
    steps: _STEPS = None,
    as_json: common.AsJson = False,
) -> None:
    _train(config, resume=True, new_data=new_data, steps=steps, as_json=as_json)


def label(
    game: Annotated[str, typer.Argument(help="The game.", metavar="GAME")],
    output: Annotated[Path, typer.Argument(help="Folder of the samples.", metavar="FOLDER")],
    teacher: Annotated[str, typer.Option(help="Teacher that labels the positions.", metavar="TEACHER")],
    games: Annotated[int, typer.Option(help="Total number of games.", metavar="N", min=1)] = 1000,
    seed: Annotated[int, typer.Option(help="Random seed of the games.", metavar="N", min=0)] = 0,
    sizes: Annotated[str, typer.Option(help="Go: board sizes.", metavar="SIZES")] = "9,13,19",
    parallel: Annotated[int, typer.Option(help="Games in parallel.", metavar="N", min=1)] = 64,
    precision: Annotated[str, typer.Option(help="Precision of a teaching network.", metavar="NAME")] = "fp32",
    nodes: Annotated[
        int, typer.Option(help="Nodes per position of a teaching engine.", metavar="N", min=1)
    ] = 2000,
    multipv: Annotated[int, typer.Option(help="MultiPV of a teaching engine.", metavar="N", min=1)] = 6,
    warm: Annotated[
        bool,
        typer.Option(
            help="An engine keeps its tables between positions: quicker, not to be repeated exactly."
        ),
    ] = False,
    engines: Annotated[
        int, typer.Option(help="Processes of a teaching engine, which search at once.", metavar="N", min=1)
    ] = 1,
    second: Annotated[
        str, typer.Option(help="Second teacher, whose judgements are mixed in.", metavar="TEACHER")
    ] = "",
    second_policy: Annotated[
        float, typer.Option(help="Weight of the second teacher's policy.", metavar="SHARE", min=0, max=1)
    ] = 0.5,
    second_value: Annotated[
        float, typer.Option(help="Weight of the second teacher's value.", metavar="SHARE", min=0, max=1)
    ] = 1.0,
    openings: Annotated[
        str | None, typer.Option(help="File of positions that games start from.", metavar="FILE")
    ] = None,
    random_plies: Annotated[int, typer.Option(help="Maximum number of random opening plies.", min=0)] = 6,
    temperature: Annotated[
        float, typer.Option(help="Temperature of moves drawn from the policy.", min=0.01)
    ] = 0.8,
    blunders: Annotated[
        float, typer.Option(help="The chance of a random move, in half of the games.", min=0, max=1)
    ] = 0.03,
    processes: Annotated[
        int, typer.Option(help="Worker processes; 0 labels in this one.", metavar="N", min=0)
    ] = 0,
    fleet: common.Fleet = "local",
    as_json: common.AsJson = False,
) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from kibitz.training.teachers.games import GameSettings
    from kibitz.training.teachers.label import label_games
    from kibitz.training.teachers.making import label_records, read_starts
    from kibitz.training.teachers.task import LabelTask, TeacherSpec, fleet_games

    boards = tuple(int(size) for size in sizes.split(",") if size.strip().isdecimal())
    if not boards or not all(2 <= size <= 19 for size in boards):
        raise BadOption(f"--sizes takes board sizes such as 9,13,19, got {sizes!r}")
    columns = (TextColumn("labelling"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[said]}"))
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=games, said="")

        def progress(done: int, positions: int) -> None:
            bar.update(task, completed=done, said=f"{positions:,} positions")

        if teacher.startswith("records:"):
            counts = label_records(game, teacher.removeprefix("records:"), output, progress)
        else:
            spec = TeacherSpec(
                game, teacher, precision, nodes, multipv, warm, engines, second, second_policy, second_value
            )
            settings = GameSettings(game, seed, boards, random_plies, temperature, blunders)
            starts = read_starts(game, openings) if openings else ()
            elsewhere = None
            if processes or fleet != "local":
                work = LabelTask(settings, spec, tuple(starts))
                elsewhere = partial(fleet_games, work, parallel=parallel, processes=processes, fleet=fleet)
            with closing(spec.make()) as made:
                counts = label_games(
                    settings,
                    made,
                    output,
                    games,
                    parallel=parallel,
                    openings=starts,
                    progress=progress,
                    elsewhere=elsewhere,
                )
    told = {"folder": str(output), "games": counts[0], "positions": counts[1]}
    typer.echo(json.dumps(told) if as_json else f"{output}: {counts[1]:,} positions of {counts[0]:,} games")


def export(
    source: Annotated[
        Path, typer.Argument(help="Folder of a run, a checkpoint, or a .knet file.", metavar="RUN")
    ],
    output: Annotated[Path, typer.Option(help="The file to write.", metavar="FILE")],
    name: Annotated[str, typer.Option(help="The network's name.", metavar="NAME")] = "",
    weights: Annotated[str, typer.Option(help="fp16, fp32 or int8 (.knet).", metavar="TYPE")] = "fp16",
    board: Annotated[int, typer.Option(help="Board size (.onnx).", metavar="SIZE")] = 19,
    as_json: common.AsJson = False,
) -> None:
    from kibitz.training.export import export_network

    size = export_network(source, output, name=name, stored=weights, board=board)
    told = {"file": str(output), "bytes": size}
    typer.echo(json.dumps(told) if as_json else f"{output}: {size / 1e6:.2f} MB")


def blend(
    networks: Annotated[
        list[str], typer.Argument(help="Networks with weights.", metavar="NETWORK=WEIGHT...")
    ],
    output: Annotated[Path, typer.Option(help="The file to write (.knet).", metavar="FILE")],
    name: Annotated[str, typer.Option(help="The network's name.", metavar="NAME")] = "",
    weights: Annotated[str, typer.Option(help="fp16, fp32 or int8.", metavar="TYPE")] = "fp16",
    as_json: common.AsJson = False,
) -> None:
    from kibitz.training.blend import blend_networks

    sources = []
    for text in networks:
        path, equals, weight = text.rpartition("=")
        try:
            sources.append((path, float(weight)))
        except ValueError:
            equals = ""
        if not equals or not path:
            raise BadOption(f"expected NETWORK=WEIGHT such as trunk.knet=0.75, got {text!r}")
    size = blend_networks(sources, output, name=name, stored=weights)
    told = {"file": str(output), "bytes": size}
    typer.echo(json.dumps(told) if as_json else f"{output}: {size / 1e6:.2f} MB")


def plot(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.", metavar="RUN")],
    output: Annotated[Path, typer.Option(help="The picture to write (.svg).", metavar="FILE")],
) -> None:
    from kibitz.training.train.curves import curves_picture, read_rows

    output.write_text(curves_picture(folder.name, read_rows(folder)), encoding="utf-8")
    typer.echo(str(output))


def samples(
    folder: Annotated[Path, typer.Argument(help="Folder of samples.", metavar="FOLDER")],
    as_json: common.AsJson = False,
) -> None:
    from kibitz.training.samples import Manifest

    manifest = Manifest.read(folder)
    manifest.verify(folder)
    told = {
        "game": manifest.game,
        "games": manifest.games,
        "positions": manifest.positions,
        "shards": len(manifest.shards),
        "megabytes": round(sum(shard.bytes for shard in manifest.shards) / 1e6, 1),
        "sha256": manifest.digest,
        "origin": manifest.origin,
    }
    if as_json:
        typer.echo(json.dumps(told))
        return
    for key, value in told.items():
        typer.echo(f"{key:10} {value}")
