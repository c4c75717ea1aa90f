"""`kibitz analyze`: one position in depth, or every position of a recorded game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from kibitz.book import Book
from kibitz.cli import common
from kibitz.cli.book import book_table
from kibitz.cli.ctrl_c import stopped_by_ctrl_c
from kibitz.cli.networks import with_network
from kibitz.cli.output import status, write_text
from kibitz.cli.review import Elsewhere, Outputs, open_record, review
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.human import Plausible
from kibitz.report import Report
from kibitz.request import make_request
from kibitz.review.effort import DEFAULT, make_effort
from kibitz.review.examine import Examination
from kibitz.review.records import Record, record_kind
from kibitz.review.review_task import AnalysisTask
from kibitz.review.root_parallel import analyze_in_parallel
from kibitz.review.root_parallel import check as check_parallel
from kibitz.sentences import LANGUAGES

_HELP = """Analyze a position, or every position of a game.

SOURCE is a position as text, moves from the start, or a record file; `start` is the start position. A review
of a whole game has a table of every move and the biggest mistakes; an SGF or PGN file alone is reviewed.
`-o within=0.02` searches included moves until their values are known so well (95%). With --human
`-o plausible=0.1` changes the share from which a move gets guaranteed visits (0.05).

Examples:

    kibitz analyze othello start --simulations 100000 --include d3 --min-visits 2000
    kibitz analyze chess start --compare e2e4 --compare d2d4

    kibitz analyze chess start --ask "why not f3" --ask "line e4 e5 Qh5"

    kibitz analyze othello f5d6c3d3c4 --seconds 2 --json

    kibitz analyze othello game.ggf --whole-game --simulations 20000 --picture winrate.svg

    kibitz analyze chess game.pgn --whole-game --save annotated.pgn --picture winrate.svg

    kibitz analyze chess game.pgn --whole-game --human maia-1500 --save annotated.pgn --picture losses.svg

    kibitz analyze chess game.pgn --whole-game --effort deep --processes 4 -o side=white

    kibitz analyze go hard.sgf --ply 40 --visits 20000 --processes 4

    kibitz analyze game.pgn --save annotated.pgn -o language=ko

    kibitz analyze one.sgf two.sgf games/ --effort quick

    kibitz analyze game.sgf --network b6c96.bin.gz --visits 100 --save annotated.sgf --picture winrate.svg
"""

#: Settings of a review among `-o NAME=VALUE`: the language of what `--save` writes, and whose mistakes are
#: listed.
_SETTINGS = {"language": "en", "side": ""}


def register(app: typer.Typer) -> None:
    app.command("analyze", help=_HELP)(analyze)


def analyze(
    game: common.Game,
    sources: Annotated[
        list[str] | None,
        typer.Argument(help="Position, moves or files.", metavar="SOURCE", show_default=False),
    ] = None,
    preset: common.Preset = "default",
    simulations: common.Simulations = None,
    visits: common.Visits = None,
    seconds: common.Seconds = None,
    include: common.Include = None,
    min_visits: common.MinVisits = None,
    compare: common.Compare = None,
    ask: common.Ask = None,
    allow: common.Allow = None,
    avoid: common.Avoid = None,
    weight: common.Weight = None,
    style: common.Style = None,
    option: common.Option = None,
    number: Annotated[int, typer.Option(help="Number of the game in the file.")] = 1,
    ply: Annotated[int | None, typer.Option(help="Analyze the position after this many moves.")] = None,
    effort: Annotated[
        str | None,
        typer.Option(help="Of a review: quick, normal or deep.", show_default=False, metavar="EFFORT"),
    ] = None,
    whole_game: Annotated[
        bool, typer.Option("--whole-game", help="Review every position of the game.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Print the search tree.")] = False,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw the board, or the winrate over a whole game.", metavar="FILE.svg"),
    ] = None,
    network: common.Network = None,
    model: common.OldModel = None,
    human: common.Human = None,
    save: Annotated[
        Path | None,
        typer.Option(help="Write the reviewed game here: .sgf (Go) or .pgn (chess).", metavar="FILE"),
    ] = None,
    book: Annotated[
        Path | None, typer.Option(help="Opening book to show, or to review with.", metavar="FILE")
    ] = None,
    processes: common.Workers = "0",
    as_json: common.AsJson = False,
) -> None:
    given = dict(locals())
    if (several := _several(game, sources or [])) is not None:
        _refuse("number of files", True, {"--save": save is not None, "--picture": picture is not None})
        _each(several, given)
        return
    source = sources[0] if sources else None
    settings, others = common.read_settings(
        option, {**_SETTINGS, "plausible": Plausible.above, "within": 0.0}
    )
    options = {**others, **common.read_options(None, network=network or model)}
    alone = source is None
    if source is None:
        game, source = _game_of_file(game), game
    whole_game = whole_game or alone or save is not None
    places = common.read_workers(processes)
    _refuse(
        "whole game",
        whole_game,
        {"--ply": ply is not None, "--debug": debug, "--compare": bool(compare), "--ask": bool(ask)},
    )
    _refuse(
        "single position (--whole-game reviews a game)",
        not whole_game,
        {
            "--effort": effort is not None,
            **{f"-o {name}": settings[name] != value for name, value in _SETTINGS.items()},
        },
    )
    _check_settings(settings, human)
    _check_save(save, game)
    if min_visits is not None and not (whole_game or include or human):
        raise BadOption("--min-visits has no effect without --include or --human")
    # A style from a file comes with options, so it is the engine's.
    if style is not None and ".json" in style.lower():
        options["style"], style = style, None
    if human is not None:
        options["human"] = human
    asked: dict[str, Any] = {
        "simulations": simulations,
        "visits": visits,
        "seconds": seconds,
        "include": include,
        "min_visits": 1 if min_visits is None else min_visits,
        "within": settings["within"] or None,
        "compare": compare,
        "ask": ask,
        "allow": allow,
        "avoid": avoid,
        "weights": common.read_weights(weight),
        "prune": options.pop("prune", None),  # as steering, so that the report says what came of it
        "style": style,
        "plausible": None if human is None else _plausible(settings["plausible"], min_visits),
    }
    opening = None if book is None else Book.open(book, game)
    if not whole_game:
        # What is wrong with the position comes out before a network is loaded.
        position = _position(game, source, number, ply)
        options = {**registry.get(game).analysis_options, **options}
        if opening is not None and not as_json and opening.entries(position):
            Console().print(book_table(opening, position))
        with Engine(game, preset, **with_network(game, options, preset)) as engine:
            if _elsewhere(places):
                task = AnalysisTask(game, preset, options)
                report = _many(Console(), engine, task, position, asked, places, as_json)
            else:
                report = _one(Console(), engine, position, asked, debug, as_json)
        if picture:
            write_text(picture, report.svg())
        if report.stop_reason == "stopped":
            raise KeyboardInterrupt
        return
    record = open_record(game, source, number)
    outputs = Outputs(save, picture, as_json, settings["language"], settings["side"])
    asked["effort"] = effort
    _review(game, preset, options, record, asked, outputs, opening, places)


def _each(files: list[tuple[str, str]], given: dict[str, Any]) -> None:
    """Reviews files one after the other, with what was given beside them."""
    for named, file in files:
        if not given["as_json"]:
            typer.echo(file)
        analyze(**{**given, "game": named or file, "sources": [file] if named else None, "whole_game": True})


def _several(game: str, sources: list[str]) -> list[tuple[str, str]] | None:
    """The game, where it is named, and the file of each of several records; None for a single source."""
    named = game if game in registry.names() else ""
    words = sources if named else [game, *sources]
    if len(words) < 2 and not (words and Path(words[0]).is_dir()):
        return None
    files: list[str] = []
    for word in words:
        if Path(word).is_dir():
            inside = sorted(file for file in Path(word).rglob("*") if file.is_file())
            files += [str(file) for file in inside if file.suffix.lower().lstrip(".") in _readable(named)]
        elif common.is_file(word):
            files.append(word)
        else:
            raise BadOption(f"{word!r} is no file; several sources are files or folders of records")
    if not files:
        raise BadOption(f"no records in {', '.join(words)}")
    return [(named, file) for file in files]


def _readable(game: str) -> set[str]:
    """How the names of records end that are found in a folder."""
    return {suffix for suffix, owner in common.record_files(whole_games=True).items() if game in ("", owner)}


def _review(
    game: str,
    preset: str,
    options: dict[str, Any],
    record: Record,
    asked: dict[str, Any],
    outputs: Outputs,
    opening: Book | None,
    places: tuple[int, str],
) -> None:
    """Reviews every position of a game, here or by workers."""
    # A review needs the best move and the one that was played, not exact scores of others.
    shown = {name: value for name, value in registry.get(game).analysis_options.items() if name != "multi_pv"}
    options = {**shown, **options}
    effort = asked.pop("effort")
    request = make_request(registry.get(game).position(), **asked)
    counted = asked["simulations"] is not None or asked["visits"] is not None
    if effort is not None and (counted or asked["seconds"]):
        raise BadOption("--effort is a limit by itself; leave out --simulations, --visits and --seconds")
    # Seconds alone leave the choice of the search to the game.
    wish = request.budget if counted else asked["seconds"] or effort or DEFAULT
    with Engine(game, preset, **with_network(game, options, preset)) as engine:
        examination = Examination(
            record,
            make_effort(engine.configuration, wish),
            request.steering,
            opening,
            request.line_length,
            asked["min_visits"],
        )
        analyst: Engine | Elsewhere = engine
        if _elsewhere(places):
            analyst = Elsewhere(AnalysisTask(game, preset, options), *places)
        review(examination, analyst, outputs)


def _elsewhere(places: tuple[int, str]) -> bool:
    """Whether workers search."""
    return bool(places[0]) or places[1] != "local"


def _check_save(save: Path | None, game: str) -> None:
    if save is None:
        return
    written = {name: kind for name in registry.BUILT_IN if (kind := record_kind(name).written)}
    if game not in written or save.suffix.lower() in {*written.values()} - {written[game]}:
        known = ", ".join(f"{registry.get(name).title} as {kind}" for name, kind in written.items())
        raise BadOption(f"--save writes annotated games ({known}), not {save} of {game}")


def _check_settings(settings: dict[str, Any], human: str | None) -> None:
    if settings["language"] not in LANGUAGES:
        raise BadOption(f"-o language must be one of {', '.join(LANGUAGES)}, got {settings['language']!r}")
    if settings["plausible"] != Plausible.above and human is None:
        raise BadOption("-o plausible needs a human model, --human FILE")


def _refuse(what: str, holds: bool, flags: dict[str, bool]) -> None:
    for name, given in flags.items():
        if holds and given:
            raise BadOption(f"{name} has no effect on the analysis of a {what}")


def _position(game: str, source: str, number: int, ply: int | None) -> Position:
    last = _choose(game, source, number)
    moves = len(last.moves) if ply is None else _checked_ply(ply, last)
    return last if moves == len(last.moves) else last.start.play(*last.moves[:moves])


def _plausible(share: float, min_visits: int | None) -> Plausible:
    wish = Plausible(above=share)
    return wish if min_visits is None else replace(wish, min_visits=min_visits)


def _game_of_file(name: str) -> str:
    suffixes = [suffix.lower() for suffix in Path(name).suffixes[-2:]]
    for suffix, game in common.record_files().items():
        if f".{suffix}" in suffixes:
            return game
    registry.get(name)  # an unknown game has the usual error
    raise BadOption(f"analyze {name} needs a position, moves or a file; a record can stand alone")


def _choose(game: str, source: str, number: int) -> Position:
    games = common.read_games(game, source)
    if not 1 <= number <= len(games):
        raise BadOption(f"--number must be from 1 to {len(games)}, got {number}")
    return games[number - 1]


def _checked_ply(ply: int, position: Position) -> int:
    if not 0 <= ply <= len(position.moves):
        raise BadOption(f"--ply must be from 0 to {len(position.moves)}, got {ply}")
    return ply


def _one(
    console: Console, engine: Engine, position: Position, asked: dict[str, Any], debug: bool, as_json: bool
) -> Report:
    position = position.mover_view()
    request = make_request(position, **asked)
    if not as_json:
        console.print(common.board_text(console, position), highlight=False, markup=False, soft_wrap=True)
    report: Report | None = None
    with (
        stopped_by_ctrl_c(engine),
        Live(console=console, transient=True, auto_refresh=False) as live,
        status("") as shown,
    ):
        for report in engine.run(request, every=0.25, debug=debug):
            if console.is_terminal and not as_json and not report.final:
                live.update(Text(report.summary()), refresh=True)
            elif not report.final:
                shown.update(report.summary())
            if debug and not report.final and not as_json:
                console.print(report.tree_dump, highlight=False)
    assert report is not None
    if as_json:
        typer.echo(report.to_json(indent=2))
    else:
        common.show_report(console, report)
        if debug:
            console.print(report.tree_dump, highlight=False)
    return report


def _many(
    console: Console,
    engine: Engine,
    task: AnalysisTask,
    position: Position,
    asked: dict[str, Any],
    places: tuple[int, str],
    as_json: bool,
) -> Report:
    """One position by several searches that know nothing of each other."""
    request = make_request(position.mover_view(), **asked)
    check_parallel(request, engine.configuration)
    processes, fleet = places
    with status(f"{processes} searches"):
        report = analyze_in_parallel(task, request, processes=processes, fleet=fleet)
    if as_json:
        typer.echo(report.to_json(indent=2))
    else:
        common.show_report(console, report)
    return report
