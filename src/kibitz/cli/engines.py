"""Engines that other programs start: UCI, GTP, KataGo's analysis.

They start often and at once, so nothing here needs Typer, whose import takes longer than all else that they
do: `started` reads plain flags by itself. What it does not know, such as `--help` or a mistake, is left to
the commands of those names in the games' folders, which have the same flags; a test compares them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.errors import BadOption

if TYPE_CHECKING:
    from kibitz.engine import Engine

#: The version of KataGo whose commands and answers these are.
KATAGO_VERSION = "1.17.2"


def run_uci(
    network: str | None = None, weights: str | None = None, option: Sequence[str] | None = None
) -> None:
    from kibitz import __version__
    from kibitz.games.networks import network_file
    from kibitz.protocols.uci.loop import run

    file = network_file("chess", network or weights)
    settings = [("WeightsFile", file)] if file else []
    for item in option or ():
        name, equals, value = item.partition("=")
        if not equals:
            raise BadOption(f"--option takes NAME=VALUE, got {item!r}")
        settings.append((name, value))
    run(settings, __version__)


def run_analysis(
    model: str | None = None,
    old_model: str | None = None,
    human_model: str | None = None,
    config: Path | None = None,
    override_config: Sequence[str] | None = None,
    analysis_threads: int | None = None,
    precision: str = "fp32",
    quit_without_waiting: bool = False,
) -> None:
    from kibitz import __version__
    from kibitz.cli.networks import describe_network, load_human_model, load_network
    from kibitz.engine import Engine
    from kibitz.games.bundled import NONE
    from kibitz.games.networks import network_file
    from kibitz.protocols.katago import AnalysisServer
    from kibitz.protocols.katago_settings import Settings, read_config, read_overrides

    settings = Settings()
    given = {**(read_config(config) if config else {}), **read_overrides(override_config)}
    unknown = settings.apply(given)
    if analysis_threads is not None:
        settings.apply({"numAnalysisThreads": str(analysis_threads)})
    _say(f"kibitz {__version__}, KataGo's analysis engine")
    if unknown:
        _say(f"ignored, no meaning here: {', '.join(sorted(unknown))}")
    network, about = None, None
    file = network_file("go", model or old_model)
    if file is None:
        _say("no network: searching with playouts")
    else:
        network, tuning = load_network(file, precision, game="go", tuned=settings.tune)
        about = describe_network(file, network, settings)
        settings.tune(tuning)
        if analysis_threads is None and "numAnalysisThreads" not in given:
            settings.analysis_threads = tuning.streams

    human = load_human_model("go", human_model)

    def make_engine() -> Engine:
        return Engine("go", network=network or NONE, human=human)

    threads = settings.options.get("threads")
    each = f"{threads} search threads each" if threads else f"{settings.streams} search threads for one alone"
    _say(f"{settings.analysis_threads} positions at once, {each}")
    server = AnalysisServer(make_engine, settings, sys.stdout, about=about, version=__version__)
    _say("Started, ready to begin handling requests")
    server.serve(sys.stdin.buffer, wait=not quit_without_waiting)


def run_gtp(
    network_file: str | None = None,
    model: str | None = None,
    config: Path | None = None,
    visits: int | None = None,
    seconds: float | None = None,
    precision: str = "fp32",
    override_config: Sequence[str] | None = None,
    human_model: str | None = None,
    override_version: str | None = None,
    as_katago: bool = False,
) -> None:
    from kibitz import __version__
    from kibitz.cli.networks import describe_network, load_human_model, load_network
    from kibitz.engine import Engine
    from kibitz.games.bundled import NONE
    from kibitz.games.networks import network_file as chosen_file
    from kibitz.protocols.gtp import GtpServer
    from kibitz.protocols.katago_settings import Settings, read_config, read_overrides

    # A game that is played shows the network its moves, and keeps its tree.
    settings = Settings(options={"history": "full", "reuse": True}, perspective="SIDETOMOVE")
    given = {**(read_config(config) if config else {}), **read_overrides(override_config)}
    unknown = settings.apply(given)
    for note in settings.without_effect(given):
        _say(note)
    if visits is not None:
        settings.apply({"maxVisits": str(visits)})
    if seconds is not None:
        settings.apply({"maxTime": str(seconds)})
        if visits is None:
            settings.max_visits = 2**50
    if unknown:
        _say(f"ignored, no meaning here: {', '.join(sorted(unknown))}")
    network, about = None, None
    file = chosen_file("go", network_file or model)
    if file is not None:
        network, tuning = load_network(file, precision, game="go", tuned=settings.tune)
        settings.tune(tuning)
        about = describe_network(file, network, settings)
    version = override_version or (KATAGO_VERSION if as_katago else __version__)
    human = load_human_model("go", human_model)
    with Engine("go", network=network or NONE, human=human) as engine:
        name = "KataGo" if as_katago else "Kibitz"
        server = GtpServer(engine, settings, sys.stdout, version=version, name=name, about=about)
        server.serve(sys.stdin.buffer)


def _say(text: str) -> None:
    print(text, file=sys.stderr)


#: What a flag takes, by its spellings. A flag of type list may be given several times, one of type bool
#: takes nothing.
_Flags = Mapping[str, tuple[str, type]]


def _flags(**flags: tuple[type, str]) -> _Flags:
    return {word: (name, kind) for name, (kind, words) in flags.items() for word in words.split()}


COMMANDS: Mapping[tuple[str, ...], tuple[Callable[..., None], _Flags]] = {
    ("uci",): (
        run_uci,
        _flags(network=(str, "--network"), weights=(str, "--weights"), option=(list, "--option -o")),
    ),
    ("katago", "analysis"): (
        run_analysis,
        _flags(
            model=(str, "-model --network"),
            old_model=(str, "--model"),
            human_model=(str, "-human-model --human-model --human"),
            config=(Path, "-config --config"),
            override_config=(list, "-override-config --override-config"),
            analysis_threads=(int, "-analysis-threads --analysis-threads"),
            precision=(str, "--precision"),
            quit_without_waiting=(bool, "-quit-without-waiting --quit-without-waiting"),
        ),
    ),
    ("gtp",): (
        run_gtp,
        _flags(
            network_file=(str, "--network -model"),
            model=(str, "--model"),
            config=(Path, "--config -config"),
            visits=(int, "--visits"),
            seconds=(float, "--seconds"),
            precision=(str, "--precision"),
            override_config=(list, "--override-config -override-config"),
            human_model=(str, "--human-model -human-model --human"),
            override_version=(str, "--override-version -override-version"),
            as_katago=(bool, "--as-katago"),
        ),
    ),
}


def started(words: Sequence[str]) -> bool:
    """Runs the engine that the words of a command line name; False where they are none of its plain flags."""
    for name, (run, flags) in COMMANDS.items():
        if tuple(words[: len(name)]) == name:
            values = plain_flags(words[len(name) :], flags)
            if values is not None:
                run(**values)
                return True
    return False


def plain_flags(words: Sequence[str], flags: _Flags) -> dict[str, Any] | None:
    """The values of flags, each with its value behind it; None where a word is anything else."""
    values: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        name, kind = flags.get(word, ("", None))
        if kind is None:
            return None
        if kind is bool:
            values[name] = True
            continue
        text = next(rest, "-")
        if text.startswith("-"):
            return None
        try:
            if kind is list:
                values.setdefault(name, []).append(text)
            else:
                values[name] = kind(text)
        except ValueError:
            return None
    return values
