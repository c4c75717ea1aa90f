"""`kibitz cluster`: the nodes of a Ray cluster, and how far the runs of stores are."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from kibitz.cli import common

_HELP = """Show the nodes of a Ray cluster and the progress of runs.

ADDRESS is HOST:PORT of the cluster's head. A run is the folder or URL that `kibitz selfplay --output` writes
to, or the folder of a training loop; its rate is measured for five seconds.

Examples:

    kibitz cluster 10.0.0.1:6379

    kibitz cluster 10.0.0.1:6379 s3://bucket/run --json
"""


#: How long rates are measured: a driver is heard of once in that time (fleet/lease.py).
_SECONDS = 5.0


def register(app: typer.Typer) -> None:
    app.command("cluster", help=_HELP)(cluster)


def cluster(
    address: Annotated[str, typer.Argument(help="HOST:PORT of the head.", metavar="ADDRESS")],
    runs: Annotated[
        list[str] | None, typer.Argument(help="Runs to look at.", metavar="[FOLDER|URL]...")
    ] = None,
    as_json: common.AsJson = False,
) -> None:
    from kibitz.fleet.cluster_state import cluster_state
    from kibitz.training.run_state import run_state

    nodes = cluster_state(address)
    before = [run_state(place) for place in runs or ()]
    if before:
        time.sleep(_SECONDS)
    now = [run_state(place) for place in runs or ()]
    for first, last in zip(before, now, strict=True):
        last["gamesPerSecond"] = round((last["games"] - first["games"]) / _SECONDS, 2)
        if last["driver"] is not None:
            last["driver"]["alive"] = last["driver"] != first["driver"]
    if as_json:
        typer.echo(json.dumps({"nodes": nodes, "runs": now}))
        return
    console = Console()
    console.print(_nodes(nodes))
    if now:
        console.print(_runs(now))


def _nodes(nodes: list[dict[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("node", "state", "CPUs", "in use", "memory", "workers", "load"):
        table.add_column(name, justify="left" if name in ("node", "state") else "right")
    for node in nodes:
        slow = " (slow)" if node["slow"] else ""
        load = "" if node["load"] is None else f"{node['load']:.1f}"
        table.add_row(
            node["address"],
            ("alive" if node["alive"] else "dead") + slow,
            f"{node['cpus']:g}",
            f"{node['used']:g}",
            f"{node['memory'] / 2**30:.1f} GB",
            str(node["workers"]),
            load,
        )
    return table


def _runs(runs: list[dict[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("run", "games", "of", "games/s", "positions", "driver"):
        table.add_column(name, justify="left" if name in ("run", "driver") else "right")
    for one in runs:
        driver = one["driver"]
        shown = "none"
        if driver is not None:
            shown = f"{driver['process']} of {driver['host']}{'' if driver['alive'] else ' (silent)'}"
        counts = (
            f"{one['games']:,}",
            f"{one['of']:,}",
            f"{one['gamesPerSecond']:g}",
            f"{one['positions']:,}",
        )
        table.add_row(one["run"], *counts, shown)
    return table
