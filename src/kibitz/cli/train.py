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
from kibitz.cli.output import write_text
from kibitz.cli.train_loop import register_loop
from kibitz.errors import BadOption, NotInstalled

_HELP = """Train networks: label positions with a teacher, train, export.

Needs the extra `kibitz[train]` (PyTorch, pyarrow, safetensors). See docs/training.md.

Examples:

    kibitz train label go data/go --teacher b6c96.bin.gz --games 1000

    kibitz train run --config go.toml

    kibitz train export runs/go --output go.knet
"""

_CONFIG = Annotated[Path, typer.Option("--config", help="Configuration file (TOML).", metavar="FILE")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help=_HELP,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    group.command(
        "run",
        help="Begin a training run, or go on with it.\n\nExample: kibitz train run --config go.toml",
    )(run)
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

    kibitz train label go data/go --teacher b6c96.bin.gz --games 1000 -o sizes=9,13,19

    kibitz train label chess data/chess --teacher uci:stockfish -o nodes=2000 --games 1000

    kibitz train label othello data/wthor --teacher records:WTH_2022.wtb
"""

#: Settings of `label` that few change: of the teacher (`engines` of it search at once, a `warm` one keeps its
#: tables between positions), of a second teacher that is mixed in, and of the games.
_LABEL = {
    "sizes": "9,13,19",
    "nodes": 2000,
    "precision": "fp32",
    "multipv": 6,
    "warm": False,
    "engines": 1,
    "second": "",
    "second_policy": 0.5,
    "second_value": 1.0,
    "parallel": 64,
    "random_plies": 6,
    "temperature": 0.8,
    "blunders": 0.03,
    "openings": "",
}

_EXPORT_HELP = """Write a run's network as a file.

The ending of --output says how: .knet (Kibitz), .onnx, .bin.gz (KataGo, from the pooling layout for Go) or
.pb.gz (Lc0, from the residual layout for chess). Without an ending it is a folder as Hugging Face has
models: config.json, model.safetensors and a model card.

Examples:

    kibitz train export runs/go --output go.knet

    kibitz train export go.knet --output go.bin.gz

    kibitz train export go.knet --output my-go-network
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
) -> None:
    from kibitz.training.game_part import training_of
    from kibitz.training.samples.manifest import Manifest

    game = Manifest.read(folder).game
    if (style := training_of(game).style) is None:
        raise BadOption(f"{folder}: samples of {game}, whose style is not measured")
    games, written, unknown = style.tag(folder, output)
    typer.echo(f"{output}: {games:,} games, {written:,} positions, {unknown:,} games of unknown style")


def _train(config: Path, *, new_data: bool, steps: int | None, as_json: bool) -> None:
    from kibitz.training.train.config import TrainConfig

    settings = TrainConfig.read(config)
    if settings.run.processes * settings.run.hosts > 1:
        from kibitz.training.train.parallel import train_together

        say = partial(_say, as_json, settings.run.steps)
        path = train_together(settings, new_data=new_data, steps=steps, say=say)
        typer.echo(json.dumps({"checkpoint": str(path)}) if as_json else f"checkpoint: {path}")
        return
    trainer = _trainer(settings, resume=True, new_data=new_data)
    console = Console(stderr=True)
    if not as_json:
        device = f"{trainer.device.type}, {'bf16' if trainer.autocast else 'fp32'}"
        console.print(
            f"{trainer.arch.game}: {trainer.arch.filters}x{trainer.arch.blocks} ({trainer.arch.layout}), "
            f"{trainer.reader.positions:,} positions, {device}, from step {trainer.progress.step:,}",
            highlight=False,
        )

    path = trainer.run(partial(_say, as_json, settings.run.steps), steps)
    typer.echo(json.dumps({"checkpoint": str(path)}) if as_json else f"checkpoint: {path}")


def _say(as_json: bool, steps: int, row: dict[str, Any]) -> None:
    print(json.dumps(row) if as_json else _line(row, steps), flush=True)


def _trainer(*args: Any, **options: Any) -> Any:
    try:
        from kibitz.training.train.trainer import Trainer
    except ModuleNotFoundError as error:
        raise NotInstalled((error.name or "torch").partition(".")[0], "training") from None
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


def run(
    config: _CONFIG,
    new_data: Annotated[
        bool, typer.Option("--new-data", help="Go on with the samples that are there now.")
    ] = False,
    steps: _STEPS = None,
    as_json: common.AsJson = False,
) -> None:
    _train(config, new_data=new_data, steps=steps, as_json=as_json)


def label(
    game: Annotated[str, typer.Argument(help="The game.", metavar="GAME")],
    output: Annotated[Path, typer.Argument(help="Folder of the samples.", metavar="FOLDER")],
    teacher: Annotated[str, typer.Option(help="Teacher that labels the positions.", metavar="TEACHER")],
    games: Annotated[int, typer.Option(help="Total number of games.", metavar="N", min=1)] = 1000,
    seed: Annotated[int, typer.Option(help="Random seed of the games.", metavar="N", min=0)] = 0,
    processes: common.Workers = "0",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", "-o", help=f"A setting ({', '.join(_LABEL)}). Repeatable.", metavar="NAME=VALUE"
        ),
    ] = None,
) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from kibitz.training.teachers.games import GameSettings
    from kibitz.training.teachers.label import label_games
    from kibitz.training.teachers.label_task import LabelTask, TeacherSpec, fleet_shards
    from kibitz.training.teachers.making import label_records, read_starts

    workers, fleet = common.read_workers(processes)
    chosen = common.only_settings(option, _LABEL)
    parallel, sizes, openings = (chosen.pop(name) for name in ("parallel", "sizes", "openings"))
    boards = tuple(int(size) for size in sizes.split(",") if size.strip().isdecimal())
    if not boards or not all(2 <= size <= 19 for size in boards):
        raise BadOption(f"-o sizes takes board sizes such as 9,13,19, got {sizes!r}")
    drawn = {name: chosen.pop(name) for name in ("random_plies", "temperature", "blunders")}
    if min(parallel, chosen["nodes"]) < 1 or drawn["temperature"] < 0.01 or not 0 <= drawn["blunders"] <= 1:
        raise BadOption("-o parallel and nodes from 1, temperature from 0.01, blunders from 0 to 1")
    columns = (TextColumn("labelling"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[said]}"))
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=games, said="")

        def progress(done: int, positions: int) -> None:
            bar.update(task, completed=done, said=f"{positions:,} positions")

        if teacher.startswith("records:"):
            counts = label_records(game, teacher.removeprefix("records:"), output, progress)
        else:
            spec = TeacherSpec(game, teacher, **chosen)
            settings = GameSettings(game, seed, boards, **drawn)
            starts = read_starts(game, openings) if openings else ()
            elsewhere = None
            if workers or fleet != "local":
                work = LabelTask(settings, spec, tuple(starts))
                elsewhere = partial(fleet_shards, work, parallel=parallel, processes=workers, fleet=fleet)
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
    typer.echo(f"{output}: {counts[1]:,} positions of {counts[0]:,} games")


def export(
    source: Annotated[
        Path, typer.Argument(help="Folder of a run, a checkpoint, or a .knet file.", metavar="RUN")
    ],
    output: Annotated[Path, typer.Option(help="The file to write.", metavar="FILE")],
    name: Annotated[str, typer.Option(help="The network's name.", metavar="NAME")] = "",
    weights: Annotated[str, typer.Option(help="fp16, fp32 or int8 (.knet).", metavar="TYPE")] = "fp16",
    board: Annotated[int, typer.Option(help="Board size (.onnx).", metavar="SIZE")] = 19,
) -> None:
    from kibitz.training.export import export_network

    size = export_network(source, output, name=name, stored=weights, board=board)
    typer.echo(f"{output}: {size / 1e6:.2f} MB")


def blend(
    networks: Annotated[
        list[str], typer.Argument(help="Networks with weights.", metavar="NETWORK=WEIGHT...")
    ],
    output: Annotated[Path, typer.Option(help="The file to write (.knet).", metavar="FILE")],
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
    size = blend_networks(sources, output)
    typer.echo(f"{output}: {size / 1e6:.2f} MB")


def plot(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.", metavar="RUN")],
    output: Annotated[Path, typer.Option(help="The picture to write (.svg).", metavar="FILE")],
) -> None:
    from kibitz.training.plots import curves_picture, read_rows

    write_text(output, curves_picture(folder.name, read_rows(folder)))
    typer.echo(str(output))


def samples(
    folder: Annotated[str, typer.Argument(help="Folder or URL of samples.", metavar="FOLDER")],
    as_json: common.AsJson = False,
) -> None:
    from kibitz.training.samples.manifest import Manifest

    manifest = Manifest.read(folder)
    manifest.verify(folder)
    facts = {
        "game": manifest.game,
        "games": manifest.games,
        "positions": manifest.positions,
        "shards": len(manifest.shards),
        "megabytes": round(sum(shard.bytes for shard in manifest.shards) / 1e6, 1),
        "sha256": manifest.digest,
        "origin": manifest.origin,
    }
    if as_json:
        typer.echo(json.dumps(facts))
        return
    for key, value in facts.items():
        typer.echo(f"{key:10} {value}")
