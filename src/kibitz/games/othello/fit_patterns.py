"""Trains Othello's pattern evaluation: positions from records, margins from search, weights by least squares.

Stages are fitted from the end of the game to its beginning. Late positions are solved; earlier ones are
searched a few plies deep with the weights of the stages behind them, which are fitted by then. A second round
searches deeper with the weights of the first. Every stage of a round is a file, so a run that was killed goes
on where it stopped.

    kibitz othello train WTH_2015.wtb --work DIR --out othello.eval
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz import _native
from kibitz.errors import BadRequest
from kibitz.games.othello import evaluation

Boards = NDArray[np.uint64]
Floats = NDArray[np.float32]

#: Parts of a disc in a weight, as the core has it.
UNIT = 128


@dataclass(frozen=True)
class Recipe:
    """What the weights depend on beside the records."""

    #: Positions of a stage in each round.
    positions: int = 300_000
    #: Depth of the labelling search in each round.
    depths: tuple[int, ...] = (4, 6)
    #: Empty squares up to which labels are exact, in each round.
    exact: tuple[int, ...] = (12, 14)
    #: Games of its own that each round adds to the records, played with the weights of the round before:
    #: random plies at their beginning, then moves by search of a depth.
    own_games: int = 0
    own_random_plies: int = 10
    own_depth: int = 4
    #: Share of positions after one to four random moves, so that refutations of bad moves are learned too.
    random_share: float = 0.5
    #: A position whose margin is expected to be so many discs is taken half of the time, a closer one more
    #: often: games are decided in close positions. 0 takes all alike.
    close: float = 0.0
    #: The stages that are fitted, first and last; the others keep the weights of the start.
    stages: tuple[int, int] = (0, _native.OTHELLO_STAGES - 1)
    #: Cuts of the labelling search: 0 cuts most, 5 never.
    selectivity: int = 1
    #: Whether each stage is fitted to the positions of the two beside it too, once all are labelled.
    neighbours: bool = False
    ridge: float = 4.0
    iterations: int = 60
    seed: int = 1
    #: Share of positions that are held back to measure the error.
    held_back: float = 0.05
    #: Positions of a stage that ProbCut parameters are fitted to, the deepest search among them, and the
    #: empty squares up to which searches to the end are among them.
    cut_positions: int = 100
    cut_depth: int = 8
    cut_exact: int = 16


@dataclass(frozen=True)
class _Positions:
    player: Boards
    opponent: Boards

    def __len__(self) -> int:
        return len(self.player)

    def take(self, which: Any) -> _Positions:
        return _Positions(
            np.ascontiguousarray(self.player[which]), np.ascontiguousarray(self.opponent[which])
        )

    def joined(self, other: _Positions) -> _Positions:
        return _Positions(
            np.concatenate([self.player, other.player]), np.concatenate([self.opponent, other.opponent])
        )

    @property
    def empties(self) -> NDArray[np.int64]:
        discs: NDArray[np.int64] = np.bitwise_count(self.player | self.opponent).astype(np.int64)
        return 64 - discs


def read_records(files: Sequence[Path]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The games of WTHOR files, 60 squares each (64 ends a game), and black's discs at their ends."""
    games, scores = [], []
    for file in files:
        data = np.frombuffer(file.read_bytes()[16:], np.uint8)
        if len(data) == 0 or len(data) % 68:
            raise BadRequest(f"{file}: not a WTHOR file of games")
        records = data.reshape(-1, 68)
        squares = records[:, 8:].astype(np.int16)
        row, column = squares // 10 - 1, squares % 10 - 1
        games.append(np.where(squares == 0, 64, 8 * row + column).astype(np.uint8))
        scores.append(records[:, 6])
    return np.ascontiguousarray(np.concatenate(games)), np.concatenate(scores)


def record_positions(files: Sequence[Path]) -> _Positions:
    """Every position of the WTHOR files."""
    player, opponent, _ = _native.othello_replay(read_records(files)[0])
    return _Positions(player, opponent)


def own_positions(native: _native.OthelloEvaluation, recipe: Recipe, number: int) -> _Positions:
    """The positions of own games after their random beginning."""
    player = opponent = np.zeros(0, np.uint64)
    if recipe.own_games:
        labeler = _native.OthelloLabeler(native, 32)
        seed = 1000 * recipe.seed + number
        games = labeler.play(recipe.own_games, recipe.own_random_plies, recipe.own_depth, seed)
        player, opponent, _ = _native.othello_replay(games)
    everything = _Positions(player, opponent)
    return everything.take(everything.empties <= 60 - recipe.own_random_plies)


def stage_of(empties: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.clip((60 - empties) // 4, 0, _native.OTHELLO_STAGES - 1)


def sample(all_positions: _Positions, stage: int, recipe: Recipe, seed: int) -> _Positions:
    """Distinct positions of a stage, a part of them after random moves."""
    rng = np.random.default_rng([recipe.seed, seed, stage])
    empties = all_positions.empties
    parts = []
    plain = round(recipe.positions * (1 - recipe.random_share))
    here = np.flatnonzero(stage_of(empties) == stage)
    parts.append(all_positions.take(rng.permutation(here)[:plain]))
    for plies in (1, 2, 3, 4):
        fitting = np.flatnonzero(stage_of(empties - plies) == stage)
        chosen = rng.permutation(fitting)[: round(recipe.positions * recipe.random_share / 4)]
        before = all_positions.take(chosen)
        parts.append(
            _Positions(
                *_native.othello_wander(before.player, before.opponent, plies, int(rng.integers(2**62)))
            )
        )
    both = np.stack(
        [np.concatenate([p.player for p in parts]), np.concatenate([p.opponent for p in parts])], axis=1
    )
    both = np.unique(both, axis=0)
    out = _Positions(np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1]))
    return out.take(rng.permutation(np.flatnonzero(stage_of(out.empties) == stage)))


def sample_close(
    all_positions: _Positions, stage: int, recipe: Recipe, seed: int, judge: _native.OthelloEvaluation
) -> _Positions:
    """A sample of a stage in which close positions are more frequent than in games."""
    if recipe.close <= 0:
        return sample(all_positions, stage, recipe, seed)
    positions = sample(all_positions, stage, replace(recipe, positions=3 * recipe.positions), seed)
    expected = judge.evaluate(positions.player, positions.opponent)
    rng = np.random.default_rng([recipe.seed, seed, stage, 1])
    kept = rng.random(len(positions)) < 1 / (1 + (expected / recipe.close) ** 2)
    return positions.take(np.flatnonzero(kept)[: recipe.positions])


def label(
    positions: _Positions,
    evaluation: _native.OthelloEvaluation,
    depth: int,
    exact: int,
    selectivity: int,
    threads: int,
    report: Callable[[str], None],
) -> Floats:
    """The mover's margin in each position, in discs."""
    labelers = [_native.OthelloLabeler(evaluation, 32) for _ in range(threads)]
    chunk = 4096
    margins = np.zeros(len(positions), np.float32)

    def work(worker: int) -> None:
        for start in range(worker * chunk, len(positions), threads * chunk):
            part = positions.take(slice(start, start + chunk))
            margins[start : start + chunk] = labelers[worker].label(
                part.player, part.opponent, depth, exact, selectivity
            )

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))
    report(f"{len(positions):,} labels")
    return margins


def rounded(weights: Floats) -> NDArray[np.int16]:
    """Weights as the core has them."""
    return np.clip(np.rint(weights * UNIT), -32767, 32767).astype(np.int16)


def train(
    files: Sequence[Path],
    work: Path,
    recipe: Recipe,
    threads: int = 1,
    report: Callable[[str], None] = lambda text: None,
    start: evaluation.Evaluation | None = None,
) -> Floats:
    """The weights of every stage (stages by slots, in discs). With `start`, the first round labels with its
    weights where a stage has none of its own yet, and every round with its cuts."""
    work.mkdir(parents=True, exist_ok=True)
    names = {"files": [f.name for f in files], "start": start.header["sha256"] if start else None}
    settings = json.dumps({**asdict(recipe), **names}, sort_keys=True)
    stamp = work / "recipe.json"
    if stamp.exists() and stamp.read_text("utf-8") != settings:
        raise BadRequest(f"{work} holds a run with another recipe; take another folder")
    stamp.write_text(settings, "utf-8")
    slots = _native.othello_pattern_slots()
    stages = _native.OTHELLO_STAGES
    weights: Floats = np.zeros((stages, slots), np.float32)
    if start:
        weights = (start.weights / UNIT).astype(np.float32)
    cuts = start.header if start else {"cuts": [], "endCuts": [], "widths": []}
    records: _Positions | None = None
    for number, (depth, exact) in enumerate(zip(recipe.depths, recipe.exact, strict=True)):
        fresh = weights.copy()
        everything: _Positions | None = None
        for stage in reversed(range(recipe.stages[0], recipe.stages[1] + 1)):
            file = work / f"round{number}-stage{stage:02}.npz"
            if file.exists():
                fresh[stage] = np.load(file)["weights"]
                continue
            if everything is None:
                records = records or record_positions(files)
                own = own_positions(evaluation.native_evaluation(rounded(weights), cuts), recipe, number)
                everything = records.joined(own)
                report(f"{len(records):,} positions of records, {len(own):,} of own games")
            # Behind this stage the weights of this round are known already.
            current = weights.copy()
            current[stage + 1 :] = fresh[stage + 1 :]
            if number == 0 and not start and stage + 1 < stages:
                current[stage] = fresh[stage + 1]
            judge = evaluation.native_evaluation(rounded(current), cuts)
            positions = sample_close(everything, stage, recipe, number, judge)
            margins = label(positions, judge, depth, exact, recipe.selectivity, threads, report)
            held = max(1, round(len(positions) * recipe.held_back))
            fit, check = _native.OthelloPatternFit(), _native.OthelloPatternFit()
            test, rest = positions.take(slice(0, held)), positions.take(slice(held, None))
            check.add(test.player, test.opponent, margins[:held])
            fit.add(rest.player, rest.opponent, np.ascontiguousarray(margins[held:]))
            prior = weights[stage]
            if number == 0 and not start and stage + 1 < stages:
                prior = fresh[stage + 1]
            fresh[stage] = fit.fit(np.ascontiguousarray(prior), recipe.ridge, recipe.iterations)
            seen, unseen = fit.error(fresh[stage]), check.error(fresh[stage])
            report(f"round {number} stage {stage}: error {seen:.2f} discs, held back {unseen:.2f}")
            temporary = file.with_suffix(".tmp.npz")
            np.savez_compressed(
                temporary,
                weights=fresh[stage],
                seen=seen,
                unseen=unseen,
                player=positions.player,
                opponent=positions.opponent,
                margins=margins,
            )
            os.replace(temporary, file)
        if recipe.neighbours:
            fresh = fit_with_neighbours(work, number, recipe, weights, fresh, report)
        weights = fresh
    return weights


def fit_with_neighbours(
    work: Path,
    number: int,
    recipe: Recipe,
    before: Floats,
    labelled: Floats,
    report: Callable[[str], None],
) -> Floats:
    """The weights of a round's stages, each fitted to its own labelled positions and to those of the stages
    beside it: a stage has about as many weights as positions, and its neighbours' differ little. `before` are
    the weights of the round before, `labelled` those that the round's labels were searched with."""
    first, last = recipe.stages
    out: Floats = labelled.copy()
    for stage in range(first, last + 1):
        fit, check = _native.OthelloPatternFit(), _native.OthelloPatternFit()
        for beside in range(max(first, stage - 1), min(last, stage + 1) + 1):
            known = np.load(work / f"round{number}-stage{beside:02}.npz")
            player, opponent, margins = known["player"], known["opponent"], known["margins"]
            held = max(1, round(len(margins) * recipe.held_back)) if beside == stage else 0
            if held:
                check.add(player[:held], opponent[:held], margins[:held])
            fit.add(player[held:], opponent[held:], margins[held:])
        prior = before[stage] if before[stage].any() else labelled[stage]
        out[stage] = fit.fit(np.ascontiguousarray(prior), recipe.ridge, recipe.iterations)
        report(f"round {number} stage {stage} with its neighbours: held back {check.error(out[stage]):.2f}")
    return out


def shallow_for(depth: int) -> int:
    """The depth of the search that foretells one of `depth` plies: of the same parity, about half as deep."""
    return 2 * (depth // 4) + depth % 2


#: The selectivity that never cuts.
_EXHAUSTIVE = 5
#: The deepest search that cuts are written for.
_DEEPEST_CUT = 24
#: Ends of the game with so many empty squares have cuts.
_END_CUTS = range(12, 37)


def _searched(positions: _Positions, native: Any, depth: int, threads: int, exact: int = 0) -> Floats:
    """Margins by exhaustive search of a depth."""

    def part(which: Any) -> Floats:
        chosen = positions.take(which)
        labeler = _native.OthelloLabeler(native, 32)
        return labeler.label(chosen.player, chosen.opponent, depth, exact, _EXHAUSTIVE)

    with ThreadPoolExecutor(threads) as pool:
        return np.concatenate(list(pool.map(part, np.array_split(np.arange(len(positions)), threads))))


def _spread(shallow: Floats, deep: Floats) -> float:
    """Standard deviation of what a deeper search changes. The largest 2% are left out: a few blunders rule
    the mean square otherwise; the rest is a little too narrow then."""
    changes = np.sort(np.abs(deep - shallow - np.mean(deep - shallow)))
    kept = changes[: max(1, int(0.98 * len(changes)))]
    return float(1.05 * np.sqrt(np.mean(kept**2)) + 1e-3)


def _log_linear(terms: Sequence[Sequence[float]], spreads: Sequence[float]) -> Callable[..., float]:
    """A smooth model of spreads: their logarithm is linear in the terms."""
    weights = np.linalg.lstsq(np.array(terms), np.log(np.array(spreads)), rcond=None)[0]
    return lambda *term: round(float(np.exp(weights @ np.array(term))), 3)


def _terms(empties: float, depth: int, shallow: int) -> tuple[float, ...]:
    return 1.0, empties, empties**2 / 60, float(np.log(depth)), float(np.log(shallow))


def shallow_for_end(empties: int) -> int:
    return 2 if empties < 14 else 4 if empties < 18 else 6 if empties < 24 else 8


def fit_cuts(
    everything: _Positions, weights: NDArray[np.int16], recipe: Recipe, threads: int
) -> dict[str, list[list[float]]]:
    """ProbCut parameters for a file: of searches of a depth at a stage, and of searches to the end. Each
    group of positions is small, so that all groups are fitted together by a model, which also tells the
    spread of searches too deep to be measured."""
    native = _native.OthelloEvaluation(weights)
    rng = np.random.default_rng(recipe.seed)
    empties = everything.empties

    def some(mask: Any) -> _Positions:
        chosen = rng.permutation(np.flatnonzero(mask))[: recipe.cut_positions]
        return everything.take(np.sort(chosen))

    terms, spreads = [], []
    stages = range(1, _native.OTHELLO_STAGES - 2)
    for stage in stages:
        count = 58 - 4 * stage
        positions = some(empties == count)
        known = {d: _searched(positions, native, d, threads) for d in range(1, recipe.cut_depth + 1)}
        for depth in range(3, recipe.cut_depth + 1):
            for shallow in range(2 - depth % 2, depth - 1, 2):
                terms.append(_terms(count, depth, shallow))
                spreads.append(_spread(known[shallow], known[depth]))
    spread = _log_linear(terms, spreads)
    cuts: list[list[float]] = [
        [stage, depth, s := shallow_for(depth), 1.0, 0.0, spread(*_terms(58.5 - 4 * stage, depth, s))]
        for stage in stages
        for depth in range(3, _DEEPEST_CUT + 1)
    ]
    terms, spreads = [], []
    for count in range(12, recipe.cut_exact + 1, 2):
        positions = some(empties == count)
        exact = _searched(positions, native, 0, threads, exact=count)
        for shallow in (2, 4, 6):
            terms.append((1.0, float(count), float(np.log(shallow))))
            spreads.append(_spread(_searched(positions, native, shallow, threads), exact))
    end_spread = _log_linear(terms, spreads)
    ends: list[list[float]] = []
    for count in _END_CUTS:
        shallow, measured = shallow_for_end(count), min(count, recipe.cut_exact)
        ends.append([count, shallow, 1.0, 0.0, end_spread(1.0, float(measured), float(np.log(shallow)))])
    return {"cuts": cuts, "endCuts": ends}


def balanced(everything: _Positions, weights: NDArray[np.int16], recipe: Recipe) -> NDArray[np.int16]:
    """Weights whose searches of odd and of even depth agree on the average.

    Labels are maxima over moves whose scores have errors, so stage after stage, from the end to the
    beginning, the mover looks better than it is: by three discs in the opening. The last weights of a stage
    are those of its numbers of empty squares, one of them in every score: what is too much is taken there."""
    rng = np.random.default_rng(recipe.seed)
    empties = everything.empties
    out: NDArray[np.int16] = weights.copy()
    for stage in reversed(range(_native.OTHELLO_STAGES - 2)):
        chosen = rng.permutation(np.flatnonzero(empties == 60 - 4 * stage))[: 20 * recipe.cut_positions]
        positions = everything.take(np.sort(chosen))
        native = _native.OthelloEvaluation(out)
        one, two, three = (float(np.mean(_searched(positions, native, d, 1))) for d in (1, 2, 3))
        out[stage, -_native.OTHELLO_STAGE_PLIES :] -= round((2 * two - one - three) / 4 * UNIT)
    return out


def calibrate(
    files: Sequence[Path], old: evaluation.Evaluation, out: Path, recipe: Recipe, threads: int = 1
) -> None:
    """Writes a file with the weights of another, balanced, and cuts and widths fitted to them."""
    own = ("game", "stages", "slots", "sha256")
    header = {name: value for name, value in old.header.items() if name not in own}
    records = record_positions(files)
    weights = balanced(records, old.weights, recipe)
    cuts = fit_cuts(records, weights, recipe, threads)
    evaluation.save(out, weights, {**header, **cuts, "widths": fit_widths(files, weights)})


def _black_moves(positions: _Positions, number: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether black is to move in each position of games that follow each other. A side moves again after a
    pass: then its discs are still the mover's in the next position."""
    player = positions.player
    same_game = number[1:] == number[:-1]
    again = (player[:-1] & ~player[1:]) == 0
    turns = np.concatenate([[0], np.cumsum(~again & same_game)])
    first = np.concatenate([[0], np.flatnonzero(~same_game) + 1])
    start = np.repeat(turns[first], np.diff([*first, len(player)]))
    return np.asarray((turns - start) % 2 == 0)


def fit_widths(files: Sequence[Path], weights: NDArray[np.int16]) -> list[float]:
    """For each stage the width, in discs, with which 1 / (1 + exp(-margin / width)) is the chance of winning:
    fitted to the results of the recorded games by maximum likelihood."""
    games, scores = read_records(files)
    player, opponent, number = _native.othello_replay(games)
    positions = _Positions(player, opponent)
    margins = _native.OthelloEvaluation(weights).evaluate(player, opponent)
    result = np.sign(scores[number].astype(np.float64) - 32) / 2 + 0.5
    won = np.where(_black_moves(positions, number), result, 1 - result)
    widths = np.geomspace(1.0, 40.0, 60)
    stages = stage_of(positions.empties)
    out = []
    for stage in range(_native.OTHELLO_STAGES):
        here = np.flatnonzero(stages == stage)[:100_000]
        losses = []
        for width in widths:
            chance = np.clip(1 / (1 + np.exp(-np.clip(margins[here] / width, -50, 50))), 1e-6, 1 - 1e-6)
            losses.append(-np.mean(won[here] * np.log(chance) + (1 - won[here]) * np.log(1 - chance)))
        out.append(round(float(widths[int(np.argmin(losses))]), 2))
    return out


def make_evaluation(
    files: Sequence[Path],
    work: Path,
    out: Path,
    recipe: Recipe,
    threads: int = 1,
    report: Callable[[str], None] = lambda text: None,
    start: evaluation.Evaluation | None = None,
) -> None:
    """Trains, fits cuts and chances to the weights, and writes the file."""
    weights = rounded(train(files, work, recipe, threads, report, start))
    records = record_positions(files)
    report("balancing odd and even depths")
    weights = balanced(records, weights, recipe)
    report("fitting cuts")
    cuts = fit_cuts(records, weights, recipe, threads)
    report("fitting the chance of winning")
    header = {"unit": UNIT, **cuts, "widths": fit_widths(files, weights), "recipe": asdict(recipe)}
    evaluation.save(out, weights, header)
