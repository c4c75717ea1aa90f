"""Visits per second of processor time at each CPU level, beside KataGo or lc0 in one run.

    python benchmarks/levels.py b6c96.bin.gz --katago PATH [--board 19] [--levels baseline,v3,v4]
    python benchmarks/levels.py maia-1900.pb.gz --lc0 PATH [--levels v3,v4]

Every program has one search thread and is asked the same positions in turns; what counts is the processor
time its process took for them, so that a busy machine disturbs little. The best of the runs counts. Levels
other than this machine's own must have been built (`make LEVELS=all`).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

# This folder's chess.py would hide the library of that name.
sys.path.pop(0)

import chess.engine

import kibitz
from kibitz import _native, nets
from kibitz.nets.tune import cpu_name

#: Plies of the games that positions are taken from, by share of the board.
SHARES = (0.02, 0.15, 0.3, 0.5)
FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 1 6",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/5pk1/1p2p1p1/p1r1P2p/P1R4P/1P3KP1/5P2/8 w - - 2 38",
)
KIBITZ = [sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main())"]

#: Searches all positions once; how many visits those were.
Search = Callable[[], int]


def cpu_seconds(pid: int) -> float:
    """Processor time of a process so far, all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def level_environment(level: str | None) -> dict[str, str]:
    return {**os.environ, **({"KIBITZ_CPU_LEVEL": level} if level else {})}


# -- Go -----------------------------------------------------------------------------------------------------


def go_positions(size: int) -> list[list[str]]:
    """Moves of games the bundled network plays with itself, broken off at lengths that differ."""
    lines = []
    with kibitz.Engine("go", threads=1) as engine:
        for share in SHARES:
            position = kibitz.go.Position(size, rules="tromp-taylor", komi=7.5)
            for _ in range(max(2, int(share * size * size))):
                position = position.play(engine.analyze(position, visits=2).best)
            lines.append(list(position.moves))
    return lines


@contextmanager
def analysis(
    command: list[str], level: str | None, size: int, visits: int, lines: list[list[str]]
) -> Iterator[tuple[int, Search]]:
    """A process of the analysis protocol."""
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            bufsize=1,
            env=level_environment(level),
        )
        assert process.stdin is not None
        assert process.stdout is not None
        ask, answers = process.stdin, process.stdout

        def search() -> int:
            ask.write('{"id": "clear", "action": "clear_cache"}\n')
            answers.readline()
            total = 0
            for number, moves in enumerate(lines):
                query = {
                    "id": str(number),
                    "moves": [["BW"[ply % 2], move] for ply, move in enumerate(moves)],
                    "rules": "tromp-taylor",
                    "komi": 7.5,
                    "boardXSize": size,
                    "boardYSize": size,
                    "maxVisits": visits,
                }
                ask.write(json.dumps(query) + "\n")
                total += json.loads(answers.readline())["rootInfo"]["visits"]
            return total

        try:
            yield process.pid, search
        finally:
            ask.close()
            answers.read()
            process.wait()


def katago_command(program: str, network: str, size: int, folder: Path) -> list[str]:
    settings = {
        "logDir": str(folder / "log"),
        "logAllRequests": "false",
        "logAllResponses": "false",
        "nnMaxBatchSize": 8,
        "numEigenThreadsPerModel": 1,
        "maxBoardXSizeForNNBuffer": size,
        "maxBoardYSizeForNNBuffer": size,
        "numAnalysisThreads": 1,
        "numSearchThreadsPerAnalysisThread": 1,
    }
    config = folder / "katago.cfg"
    config.write_text("".join(f"{name} = {value}\n" for name, value in settings.items()))
    return [program, "analysis", "-model", network, "-config", str(config)]


def our_go_command(network: str, precision: str) -> list[str]:
    flags = ["-override-config", "numAnalysisThreads=1,numSearchThreads=1"]
    return [*KIBITZ, "katago", "analysis", "-model", network, *flags, "--precision", precision]


# -- chess --------------------------------------------------------------------------------------------------


@contextmanager
def uci(
    command: list[str], level: str | None, options: dict[str, str | int | bool], visits: int
) -> Iterator[tuple[int, Search]]:
    engine = chess.engine.SimpleEngine.popen_uci(command, timeout=300, env=level_environment(level))
    engine.configure({key: value for key, value in options.items() if key in engine.options})

    def search() -> int:
        total = 0
        for fen in FENS:
            limit = chess.engine.Limit(nodes=visits)
            with engine.analysis(chess.Board(fen), limit, game=object()) as analysis:
                analysis.wait()
                total += int(analysis.info.get("nodes", 0))
        return total

    try:
        yield engine.transport.get_pid(), search  # type: ignore[misc]
    finally:
        engine.quit()


def chess_options(batch: int, **more: str) -> dict[str, str | int | bool]:
    return {"Threads": 1, "MinibatchSize": batch, "SmartPruningFactor": "0", **more}


# -- in turns -----------------------------------------------------------------------------------------------


def in_turns(programs: dict[str, tuple[int, Search]], runs: int) -> dict[str, float]:
    """Visits per second of processor time of each, the best of the runs."""
    speeds = dict.fromkeys(programs, 0.0)
    for run in range(-1, runs):  # the first one loads, calibrates, and is not counted
        for name, (pid, search) in programs.items():
            before = cpu_seconds(pid)
            visits = search()
            if run >= 0:
                speeds[name] = max(speeds[name], visits / (cpu_seconds(pid) - before))
    return speeds


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed at each CPU level beside KataGo or lc0.")
    parser.add_argument("network")
    parser.add_argument("--katago", help="the program to compare with in Go")
    parser.add_argument("--lc0", help="the program to compare with in chess")
    parser.add_argument("--lc0-backends", default="eigen,blas,onednn")
    parser.add_argument("--board", type=int, default=19)
    parser.add_argument("--levels", default=_native.LEVEL)
    parser.add_argument("--precisions", default="fp32,int8")
    parser.add_argument("--visits", type=int, default=150)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=8, help="positions that chess programs judge together")
    given = parser.parse_args()
    game = nets.load(nets.find(given.network)).game
    file = str(nets.find(given.network))
    print(f"{Path(file).name}, {cpu_name()}, one thread, {given.visits} visits a position")
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        programs: dict[str, tuple[int, Search]] = {}
        peers: list[str] = []
        lines = go_positions(given.board) if game == "go" else []
        common = (given.board, given.visits, lines)
        if game == "go" and given.katago:
            peers.append("KataGo")
            command = katago_command(given.katago, file, given.board, Path(folder))
            programs["KataGo"] = stack.enter_context(analysis(command, None, *common))
        if game == "chess" and given.lc0:
            for backend in given.lc0_backends.split(","):
                peers.append(f"lc0 {backend}")
                command = [given.lc0, f"--weights={file}", f"--backend={backend}"]
                options = chess_options(given.batch)
                programs[peers[-1]] = stack.enter_context(uci(command, None, options, given.visits))
        for level in given.levels.split(","):
            for precision in given.precisions.split(","):
                name = f"{level} {precision}"
                if game == "go":
                    command = our_go_command(file, precision)
                    programs[name] = stack.enter_context(analysis(command, level, *common))
                else:
                    backend = "auto" if precision == "fp32" else precision
                    options = chess_options(given.batch, WeightsFile=file, Backend=backend)
                    programs[name] = stack.enter_context(uci([*KIBITZ, "uci"], level, options, given.visits))
        speeds = in_turns(programs, given.runs)
        best = max((speeds[name] for name in peers), default=0.0)
        for name, speed in speeds.items():
            print(f"  {name:<16} {speed:>9,.1f}/s" + (f"   ratio {speed / best:.2f}" if best else ""))


if __name__ == "__main__":
    main()
