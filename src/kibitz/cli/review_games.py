"""`kibitz review`: the games of a file or of a folder, on the terminal or as web pages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import common
from kibitz.cli.networks import with_network
from kibitz.cli.output import write_text
from kibitz.cli.review import Elsewhere, Outputs, curve, examined_together, tell
from kibitz.engine import Engine
from kibitz.errors import BadOption, BadRequest
from kibitz.fleet.runners import connected
from kibitz.games import registry
from kibitz.review.effort import DEFAULT, make_effort
from kibitz.review.examine import Examination
from kibitz.review.pages import ReviewedGame, game_page, index_page
from kibitz.review.records import Record, record_kind
from kibitz.review.review_task import AnalysisTask
from kibitz.sentences import LANGUAGES

HELP = """Review the games of a file or a folder: what each move cost, and why.

With --html a page is written for each game, and a table of all with what players do wrong most often.
Reads SGF, PGN, GGF and .jgs files.

Examples:

    kibitz review game.pgn

    kibitz review games/ --html report/ --effort quick -o player="Morphy"
"""

#: Games whose positions workers analyze as one run: nobody waits for the end of a game.
_TOGETHER = 32
_SETTINGS = {"language": "en", "side": "", "player": ""}


def review_games(
    source: Annotated[Path, typer.Argument(help="A file or a folder.", metavar="SOURCE")],
    html: Annotated[
        Path | None, typer.Option(help="Write web pages into this folder.", metavar="FOLDER")
    ] = None,
    effort: Annotated[str, typer.Option(help="quick, normal or deep.", metavar="EFFORT")] = DEFAULT,
    option: common.Option = None,
    network: common.Network = None,
    processes: common.Workers = "0",
) -> None:
    settings, others = common.read_settings(option, _SETTINGS)
    if settings["language"] not in LANGUAGES:
        raise BadOption(f"-o language must be one of {', '.join(LANGUAGES)}, got {settings['language']!r}")
    count, fleet = common.read_workers(processes)
    done: list[ReviewedGame] = []
    outputs = Outputs(language=settings["language"], side=settings["side"])
    elsewhere = bool(count) or fleet != "local"
    with connected(fleet, count):
        for file in _files(source):
            game = common.record_files(whole_games=True)[file.suffix.lower().lstrip(".")]
            given = registry.get(game).analysis_options
            shown = {name: value for name, value in given.items() if name != "multi_pv"}
            options = {**shown, **others, **common.read_options(None, network=network)}
            with Engine(game, **with_network(game, options)) as engine:
                analyst: Engine | Elsewhere = engine
                if elsewhere:
                    analyst = Elsewhere(AnalysisTask(game, "default", options), count, fleet)
                wanted = make_effort(engine.configuration, effort)
                for group in _groups(_games(game, file), _TOGETHER if elsewhere else 1):
                    examinations = [Examination(record, wanted) for _, record in group]
                    every = examined_together(examinations, analyst)
                    for (name, record), examination, turns in zip(group, examinations, every, strict=True):
                        if html is None:
                            typer.echo(name)
                            tell(examination, turns, outputs)
                            continue
                        done.append(ReviewedGame(name, record, turns, record.players, record.result))
                        page = game_page(done[-1], curve(turns, record.first_side), settings["language"])
                        html.mkdir(parents=True, exist_ok=True)
                        write_text(html / done[-1].file, page)
                    if html is not None:
                        pages = index_page(done, settings["player"], settings["language"])
                        write_text(html / "index.html", pages)
    if html is not None:
        typer.echo(f"{len(done)} {'game' if len(done) == 1 else 'games'}: {html / 'index.html'}")


def _files(source: Path) -> list[Path]:
    if not source.exists():
        raise BadRequest(f"there is no file {source}")
    files = sorted(path for path in source.rglob("*") if path.is_file()) if source.is_dir() else [source]
    kinds = [f".{suffix}" for suffix in common.record_files(whole_games=True)]
    known = [path for path in files if path.suffix.lower() in kinds]
    if not known:
        raise BadRequest(f"{source} has no game records; {', '.join(kinds)} are read")
    return known


def _groups(games: Iterator[tuple[str, Record]], size: int) -> Iterator[list[tuple[str, Record]]]:
    while group := list(islice(games, size)):
        yield group


def _games(game: str, file: Path) -> Iterator[tuple[str, Record]]:
    """The games of a file with moves, and their names."""
    found = record_kind(game).read(game, str(file))
    for number, record in enumerate(found, 1):
        if record.moves:
            yield f"{file.stem} {number}" if len(found) > 1 else file.stem, record
