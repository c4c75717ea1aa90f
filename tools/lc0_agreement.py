"""How well our runtime agrees with Lc0 about what a network says: priors, value, draw, moves left.

    python -m tools.lc0_agreement --lc0 PATH --positions 100                  # small random networks
    python -m tools.lc0_agreement --lc0 PATH --network maia-1900.pb.gz --runtime onnxruntime
    python -m tools.lc0_agreement --lc0 PATH --positions 4 --record tests/nets/data/lc0-attention.jsonl.gz

Without `--network` the variants of `tests/nets/lc0_attention_writer.py` are written to a folder and read by
both. Lc0 runs with one node and VerboseMoveStats, where it prints four digits. The exit code is 1 when a
prior or a value is more than `--within` away. `--record` keeps what Lc0 printed, for the tests.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.games.chess import Position
from kibitz.nets import Network, load
from tests.nets.lc0_attention_writer import INPUTS, VARIANTS, AttentionWriter, Variant

_NUMBER = r"\(\s*{}:\s*(-?[\d.]+)%?\)"
#: Positions where networks with other input formats see something else: no castling, no pawns, en passant.
_STARTS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pP1ppp1p/8/2pP4/8/8/P1PPPPpP/R3K2R w KQkq c6 0 20",
    "8/5k2/8/3q4/8/2R5/1K6/8 w - - 30 80",
    "8/8/2k5/8/8/4PK2/8/8 b - - 4 60",
    "4k3/8/1n6/8/8/6B1/3Q4/2K5 b - - 12 70",
    "8/1P4pk/8/8/8/8/p4P1K/8 w - - 3 50",
)


def positions(count: int, seed: int = 1, *, fresh: bool = False) -> list[tuple[str, list[str]]]:
    """Starts and moves, played at random from the starts above; `fresh` ones have their clock at 0, for with
    Lc0's v2 input formats it waits for ever where the clock runs and nothing is known of the past."""
    games = []
    for number in range(count):
        chance = random.Random(1000 * seed + number)
        start = _STARTS[number % len(_STARTS)]
        if fresh:
            start = " ".join([*start.split()[:4], "0", "1"])
        at = Position(start)
        moves: list[str] = []
        for _ in range(chance.randrange(0, 40) if number >= len(_STARTS) else 0):
            # Shuffled pieces: positions repeat, which networks are shown.
            back = moves[-2][2:] + moves[-2][:2] if len(moves) > 1 and len(moves[-2]) == 4 else ""
            move = back if back in at.legal_moves and chance.random() < 0.5 else chance.choice(at.legal_moves)
            if at.play(move).is_over:
                break
            moves.append(move)
            at = at.play(move)
        games.append((start, moves))
    return games


class Lc0:
    """Lc0 as a process, one network."""

    def __init__(self, program: str, network: Path, options: list[str]) -> None:
        words = [f"--weights={network}", "--backend=eigen", "--policy-softmax-temp=1.0", "--minibatch-size=1"]
        words += ["--verbose-move-stats", "--threads=1", *options]
        self.process = subprocess.Popen(
            [program, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, start: str, moves: list[str]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        line = f"position fen {start}" + (f" moves {' '.join(moves)}" if moves else "")
        self.process.stdin.write(f"ucinewgame\n{line}\ngo nodes 1\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = {"start": start, "moves": moves, "priors": {}}
        for text in self.process.stdout:
            if text.startswith("bestmove"):
                return answer
            if text.startswith("info string "):
                words = text.split()
                if words[2] == "node":
                    for key, name in (("v", "V"), ("d", "D"), ("m", "M")):
                        match = re.search(_NUMBER.format(name), text)
                        answer[key] = float(match.group(1)) if match else None
                elif match := re.search(_NUMBER.format("P"), text):
                    answer["priors"][words[2]] = round(float(match.group(1)) / 100, 6)
        raise SystemExit("lc0 ended before it answered")

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("quit\n")
        self.process.stdin.close()
        self.process.wait(10)


def differences(network: Network, line: dict[str, Any]) -> dict[str, float]:
    """How far our answer is from what Lc0 printed."""
    at = Position(line["start"])
    for move in line["moves"]:
        at = at.play(move)
    state = network.definition.shown(at)
    planes, _ = state.encode()
    answer = network.evaluate(planes[None])
    logits = np.array([answer.policy[0, state.policy_index(move)] for move in state.legal_moves()], float)
    chances = np.exp(logits - logits.max())
    chances /= chances.sum()
    theirs = [line["priors"].get(move, line["priors"].get(_onto_rook(move))) for move in at.legal_moves]
    win, draw, loss, _ = (float(number) for number in answer.outcomes[0])
    made = {"value": abs(win - loss - line["v"])}
    # Lc0 from 0.32 on looks moves up at the wrong place where a canonical board is turned along a diagonal;
    # tests/nets/test_lc0_inputs.py has the places that 0.31 takes.
    if network.model.input in ("classical", "castling-plane") or "p" in at.fen.split()[0].lower():
        made["prior"] = max(abs(mine - other) for mine, other in zip(chances, theirs, strict=True))
    if line["d"] is not None and network.model.wdl:
        made["draw"] = abs(draw - line["d"])
    if line["m"] is not None and network.model.moves_left is not None:
        made["moves left"] = abs(float(answer["moves_left"][0]) - line["m"])
    return made


def _onto_rook(move: str) -> str:
    """Castling as Lc0 prints it."""
    return {"e1g1": "e1h1", "e1c1": "e1a1", "e8g8": "e8h8", "e8c8": "e8a8"}.get(move, move)


def networks(folder: Path, wanted: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    if wanted.network:
        yield from ((Path(name).name, Path(name)) for name in wanted.network)
        return
    variants: dict[str, Variant] = {**VARIANTS, **INPUTS}
    for name in wanted.variant or variants:
        path = folder / f"{name}.pb.gz"
        path.write_bytes(gzip.compress(AttentionWriter(variants[name]).file(), mtime=0))
        yield name, path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lc0", required=True, help="Lc0's program")
    parser.add_argument("--network", action="append", help="a network file; repeatable")
    parser.add_argument("--variant", action="append", choices=sorted({**VARIANTS, **INPUTS}))
    parser.add_argument("--option", action="append", default=[], help="an option for Lc0; repeatable")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--runtime", default="native")
    parser.add_argument("--within", type=float, default=1e-3)
    parser.add_argument("--each", action="store_true", help="print the differences of every position")
    parser.add_argument("--record", type=Path, help="keep what Lc0 printed")
    wanted = parser.parse_args()
    worst_of_all, kept = 0.0, io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        for name, path in networks(Path(folder), wanted):
            network = load(path, runtime=wanted.runtime)
            lc0 = Lc0(wanted.lc0, path, wanted.option)
            worst: dict[str, float] = {}
            fresh = network.model.input.startswith("canonical-v2")
            for start, moves in positions(wanted.positions, fresh=fresh):
                line = lc0.ask(start, moves)
                if wanted.each:
                    print(start, moves, differences(network, line))
                for what, gap in differences(network, line).items():
                    worst[what] = max(gap, worst.get(what, 0.0))
                digest = hashlib.sha256(gzip.decompress(path.read_bytes())).hexdigest()
                kept.write(json.dumps({"variant": name, "file": digest, **line}) + "\n")
            lc0.close()
            gaps = ", ".join(f"{what} {gap:.1e}" for what, gap in worst.items())
            print(f"{name}: {wanted.positions} positions; largest differences: {gaps}", flush=True)
            worst_of_all = max(worst_of_all, worst.get("prior", 0.0), worst["value"])
    if wanted.record:
        wanted.record.write_bytes(gzip.compress(kept.getvalue().encode(), mtime=0))
    if worst_of_all > wanted.within:
        sys.exit(1)


if __name__ == "__main__":
    main()
