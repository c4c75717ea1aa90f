"""`kibitz nets`: which networks are there, what is in a file, does it work and how fast."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from kibitz.cli import common
from kibitz.cli.output import progress_bar
from kibitz.errors import BadOption

_HELP = """Networks: KataGo's for Go (.bin.gz), Lc0's for chess (.pb.gz), Kibitz's own (.knet).

Examples:

    kibitz nets add ~/Downloads/maia-1900.pb.gz

    kibitz nets from-wheel katrain==1.17.1

    kibitz nets get go

    kibitz nets check maia-1900
"""

_FILE = Annotated[
    str, typer.Argument(help="A file, or the name of a network that was added.", metavar="FILE")
]
_BOARD = Annotated[
    str,
    typer.Option(help="Board size, such as 19 or 13x9. [default: the usual one]", metavar="SIZE"),
]


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help=_HELP, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]}
    )
    group.command("list", help=_LIST_HELP)(list_)
    group.command("add", help=_ADD_HELP)(add)
    group.command("info", help="Describe a network file.\n\nExample: kibitz nets info b6c96.bin.gz")(info)
    group.command("check", help=_CHECK_HELP)(check)
    group.command("from-wheel", help=_WHEEL_HELP)(from_wheel)
    group.command("get", help=_GET_HELP)(get)
    group.command("use", help=_USE_HELP)(use)
    app.add_typer(group, name="nets")


_LIST_HELP = """List the networks that come with Kibitz and those that were added.

Example: kibitz nets list
"""

_ADD_HELP = """Copy a network file into the folder of networks.

Example: kibitz nets add maia-1900.pb.gz --name maia-1900
"""

_CHECK_HELP = """Run a network file and measure its speed.

It is read, built for a board size, run in each runtime that is installed, and the answers are compared.

Example: kibitz nets check b6c96.bin.gz --board 9
"""

_WHEEL_HELP = """Extract network files from a Python wheel, such as katrain.

The wheel is a file, or a package (with a version if you like) that pip downloads; nothing is installed.

Examples:

    kibitz nets from-wheel katrain==1.17.1

    kibitz nets from-wheel katrain-1.17.1-py3-none-any.whl
"""


_GET_HELP = """Fetch a strong public network of a game and use it from now on.

For Go it is the one that the wheel of katrain carries, which pip downloads; nothing is installed.
Where no package carries one, it says where to get one.

Example: kibitz nets get go
"""

_USE_HELP = """Use a network of yours wherever none is named; `bundled` goes back to the one of Kibitz.

Examples:

    kibitz nets use maia-1900

    kibitz nets use bundled --game go
"""


def _echo(data: object) -> None:
    typer.echo(json.dumps(data))


def list_(as_json: common.AsJson = False) -> None:
    from kibitz.games.installed import installed_networks
    from kibitz.nets import store

    rows = installed_networks()
    if as_json:
        _echo({"folder": str(store.nets_folder()), "networks": rows})
        return
    if all(row["bundled"] for row in rows):
        typer.echo(f"No networks in {store.nets_folder()}. Add one: kibitz nets add FILE")
    if not rows:
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("network", "game", "kind", "blocks", "channels", "MB"):
        table.add_column(heading)
    for row in rows:
        file = Path(row["file"]).name
        if "error" in row:
            table.add_row(file, "-", "damaged")
            continue
        kind = row["family"] + (f" v{row['version']}" if row["version"] else "")
        numbers = (str(row[name]) for name in ("depth", "channels", "megabytes"))
        table.add_row(f"{row['name']} (bundled)" if row["bundled"] else file, row["game"], kind, *numbers)
    Console().print(table)


def add(
    file: Annotated[str, typer.Argument(help="The network file.", metavar="FILE")],
    name: Annotated[str | None, typer.Option(help="Name to store it under.", metavar="NAME")] = None,
) -> None:
    from kibitz.nets import store

    network = store.add(file, name)
    typer.echo(f"added {network.path.name} ({network.game}, {network.name})")


def info(file: _FILE, as_json: common.AsJson = False) -> None:
    from kibitz.games.installed import facts
    from kibitz.nets import find

    described = facts(find(file))
    if as_json:
        _echo(described)
        return
    for name, value in described.items():
        if isinstance(value, dict):
            value = ", ".join(f"{count} {kind}" for kind, count in value.items() if count)
        if value is not None:
            typer.echo(f"{name:10} {value}")


def _board(text: str) -> tuple[int, int]:
    """(rows, columns) of 19 or 13x9, which is 13 wide and 9 high."""
    parts = text.lower().split("x")
    if not 1 <= len(parts) <= 2 or not all(part.isdecimal() for part in parts):
        raise BadOption(f"--board takes a size such as 19 or 13x9, got {text!r}")
    columns, rows = int(parts[0]), int(parts[-1])
    return rows, columns


def check(
    file: _FILE,
    board: _BOARD = "",
    tune: Annotated[bool, typer.Option("--tune", help="Find the fastest threads and batch.")] = False,
) -> None:
    from kibitz.nets import find, load
    from kibitz.nets.program_builder import Unsupported
    from kibitz.nets.session import installed_runtimes
    from kibitz.nets.tune import example, measure

    network = load(find(file))
    shape = network.shape(*(_board(board) if board else (None, None)))
    rows, columns = shape.rows, shape.columns
    planes, inputs = example(shape, 8)
    result: dict[str, Any] = {"name": network.name, "game": network.game, "board": f"{columns}x{rows}"}
    answers = []
    for runtime in installed_runtimes():
        start = time.perf_counter()
        try:
            session = network.open(shape, runtime)
        except Unsupported as error:
            result[runtime] = {"unsupported": str(error)}
            continue
        feed = network.inputs_of(session, planes, inputs)
        policy, outcomes = session.run(("policy", "outcome"), feed)
        if not (np.isfinite(policy).all() and np.isfinite(outcomes).all()):
            raise BadOption(f"{network.path}: the network answers with values that are no numbers")
        answers.append((policy, outcomes[:, :3]))
        result[runtime] = {
            "startSeconds": round(time.perf_counter() - start, 2),
            "perSecond": round(measure(session, feed, 1, 0.5), 1),
        }
    differences = [
        float(np.abs(a - b).max()) for other in answers[1:] for a, b in zip(other, answers[0], strict=True)
    ]
    if differences:
        result["greatestDifference"] = max(differences)
    if tune:
        result["tuning"] = str(network.tune(rows, columns))
    typer.echo(f"{network.name}: a sound {network.family} network for {network.game}, {columns}x{rows}")
    for runtime in installed_runtimes():
        row = result[runtime]
        said = row.get("unsupported") or f"{row['perSecond']:,} evaluations/s on one thread, batch 8"
        typer.echo(f"  {runtime}: {said}")
    if differences:
        typer.echo(f"  greatest difference between the runtimes: {max(differences):.1e}")
    if tune:
        typer.echo(f"  fastest: {result['tuning']}")


def from_wheel(
    source: Annotated[
        str, typer.Argument(help="A wheel file, or a package such as katrain.", metavar="WHEEL")
    ],
) -> None:
    from kibitz.nets import store

    console = Console(stderr=True)
    networks = store.from_wheel(
        source, progress=lambda text: console.print(text, style="dim", highlight=False)
    )
    for network in networks:
        version = f" v{network.version}" if network.version else ""
        typer.echo(f"added {network.path.name} ({network.game}, {network.family}{version})")


def get(game: Annotated[str, typer.Argument(help="The game, such as go.", metavar="GAME")]) -> None:
    from kibitz.games import bundled, registry
    from kibitz.nets import store

    public = registry.get(game).public_network
    if public is None or not public.package:
        advice = public.advice if public else "Kibitz has none but its own; see: kibitz train --help"
        raise BadOption(f"no package carries a network for {game}: {advice}")
    with progress_bar(f"{public.package} from PyPI, MB", public.megabytes) as bar:
        task = bar.tasks[0]

        def received(count: int) -> None:
            bar.advance(task.id, count // 1_000_000 - task.completed)

        network = store.get(game, public.package, received=received)
    bundled.choose(game, network.path.name)
    typer.echo(f"{game} now uses {network.path.name} ({network.family}); back: kibitz nets use bundled")


def use(
    network: Annotated[str, typer.Argument(help="A network that was added, or bundled.", metavar="NAME")],
    game: Annotated[str | None, typer.Option(help="The game, for bundled.", metavar="GAME")] = None,
) -> None:
    from kibitz.games import bundled, registry
    from kibitz.nets import find, open_network, store

    if network == "bundled":
        for name in [registry.get(game).name] if game else registry.BUILT_IN:
            bundled.choose(name, None)
        typer.echo(f"{game or 'every game'} uses the network of Kibitz, where there is one")
        return
    path = find(network)
    if path.parent != store.nets_folder():
        raise BadOption(f"{network!r} is no network that was added; add it first: kibitz nets add FILE")
    chosen = open_network(path)
    bundled.choose(chosen.game, path.name)
    typer.echo(f"{chosen.game} now uses {path.name}")
