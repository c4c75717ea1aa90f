"""The native core of Kibitz: rules, tree search, solvers."""

from collections.abc import Sequence
import enum
from typing import Annotated, overload

import numpy
import numpy.typing
from numpy.typing import NDArray

import kibitz.errors


class Cost(enum.IntEnum):
    """
    What a change of an option costs a search that has a tree; each includes those before it.
    """

    SELECTION = 0
    """nothing: the tree is kept"""

    VALUES = 1
    """the tree is dropped"""

    MEMORY = 2
    """the tree is dropped and its memory limited anew"""

    EVALUATOR = 3
    """the evaluator is built again, its cache dropped"""

class PeerOption:
    """What another program calls an option."""

    @property
    def program(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def least(self) -> float: ...

    @property
    def most(self) -> float: ...

    @property
    def initial(self) -> str: ...

    @property
    def when_true(self) -> str: ...

    @property
    def when_false(self) -> str: ...

class OptionInfo:
    """One row of the table of search options."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def initial(self) -> str: ...

    @property
    def doc(self) -> str: ...

    @property
    def least(self) -> float: ...

    @property
    def most(self) -> float: ...

    @property
    def choices(self) -> list[str]: ...

    @property
    def cost(self) -> Cost: ...

    @property
    def peers(self) -> list[PeerOption]: ...

def option_table() -> list[OptionInfo]:
    """Every option of the tree search."""

def current_option_name(name: str) -> str:
    """The name in force of an option that older versions called otherwise."""

class Options:
    """Values of the search options."""

    def __init__(self) -> None: ...

    def set(self, name: str, text: str) -> None:
        """Sets an option from text; ValueError says what was expected."""

    def cost_of_change(self, after: Options) -> Cost:
        """What becomes of a search with these options that is given others."""

    @property
    def rule(self) -> str: ...

    @property
    def c(self) -> float: ...

    @property
    def bias(self) -> float: ...

    @property
    def cpuct(self) -> float: ...

    @property
    def cpuct_base(self) -> float: ...

    @property
    def cpuct_factor(self) -> float: ...

    @property
    def fpu_reduction(self) -> float: ...

    @property
    def fpu_reduction_root(self) -> float: ...

    @property
    def fpu(self) -> str: ...

    @property
    def gumbel_moves(self) -> int: ...

    @property
    def gumbel_noise(self) -> float: ...

    @property
    def policy_temperature(self) -> float: ...

    @property
    def policy_optimism(self) -> float: ...

    @property
    def root_policy_optimism(self) -> float: ...

    @property
    def human_root_weightless(self) -> float: ...

    @property
    def human_root_weightful(self) -> float: ...

    @property
    def human_pla_weightless(self) -> float: ...

    @property
    def human_pla_weightful(self) -> float: ...

    @property
    def human_opp_weightless(self) -> float: ...

    @property
    def human_opp_weightful(self) -> float: ...

    @property
    def human_cpuct(self) -> float: ...

    @property
    def human_cpuct_permanent(self) -> float: ...

    @property
    def virtual_loss(self) -> bool: ...

    @property
    def two_fold_draws(self) -> bool: ...

    @property
    def draw_score(self) -> float: ...

    @property
    def wdl_shift(self) -> float: ...

    @property
    def wdl_ratio(self) -> float: ...

    @property
    def backup(self) -> str: ...

    @property
    def value_bias(self) -> float: ...

    @property
    def uncertainty(self) -> bool: ...

    @property
    def score_static(self) -> float: ...

    @property
    def score_dynamic(self) -> float: ...

    @property
    def root_temperature(self) -> float: ...

    @property
    def root_noise(self) -> float: ...

    @property
    def root_dirichlet(self) -> float: ...

    @property
    def root_symmetry(self) -> bool: ...

    @property
    def ownership(self) -> bool: ...

    @property
    def tree_depth(self) -> int: ...

    @property
    def proofs(self) -> bool: ...

    @property
    def choice(self) -> str: ...

    @property
    def lcb_z(self) -> float: ...

    @property
    def prune(self) -> str: ...

    @property
    def prune_period(self) -> int: ...

    @property
    def early_stop(self) -> float: ...

    @property
    def guaranteed_in_root_value(self) -> bool: ...

    @property
    def evaluator(self) -> str: ...

    @property
    def leaf_depth(self) -> int: ...

    @property
    def playout(self) -> str: ...

    @property
    def history(self) -> str: ...

    @property
    def symmetry(self) -> str: ...

    @property
    def root_symmetries(self) -> int: ...

    @property
    def batch(self) -> int: ...

    @property
    def threads(self) -> int: ...

    @property
    def seed(self) -> int: ...

    @property
    def cache_mb(self) -> int: ...

    @property
    def cache_history(self) -> int: ...

    @property
    def memory_mb(self) -> int: ...

    @property
    def reuse(self) -> bool: ...

    @property
    def solve_leaves(self) -> int: ...

    @property
    def solve_root(self) -> int: ...

    @property
    def solve_all(self) -> bool: ...

    @property
    def uses_priors(self) -> bool:
        """Whether the selection of moves looks at priors at all."""

class AlphaBetaOptions:
    """Values of the options of the alpha-beta family."""

    def __init__(self) -> None: ...

    def set(self, name: str, text: str) -> None:
        """Sets an option from text; ValueError says what was expected."""

    def cost_of_change(self, after: AlphaBetaOptions) -> Cost:
        """What becomes of a search with these options that is given others."""

    @property
    def search(self) -> str: ...

    @property
    def depth(self) -> int: ...

    @property
    def multi_pv(self) -> int: ...

    @property
    def table_mb(self) -> int: ...

def alpha_beta_option_table() -> list[OptionInfo]:
    """Every option of the alpha-beta family."""

class Plan:
    """Steering, compiled: what a search obeys."""

    def __init__(self) -> None: ...

    def include(self, move: int, min_visits: int, separate_tree: bool = False) -> None:
        """
        Guarantees visits; `separate_tree` makes them in a tree of their own, beside the search.
        """

    def compare(self, moves: Sequence[int], within: float, errors: float, equal_shares: bool = False) -> None:
        """
        Searches these moves alone until it is decided which is best; values that differ by less than `within` are equal, a verdict takes `errors` standard errors.
        """

    @property
    def compares(self) -> bool:
        """Whether moves are compared."""

    def permits(self, side: int, move: int) -> bool:
        """Whether a side may choose a move at the root."""

    def avoid(self, side: int, moves: Sequence[int], until_depth: int = 1) -> None: ...

    def allow(self, side: int, moves: Sequence[int], until_depth: int = 1) -> None: ...

    def weight(self, move: int, factor: float, everywhere: bool = False) -> None: ...

    def prior_factor(self, move: int, factor: float) -> None:
        """Multiplies the root prior of a move; their sum stays."""

    def style(self, budget: float, bonuses: Sequence[tuple[int, float]], scale: float = 0.0, strength: float = 0.0, price: float = 0.0) -> None:
        """
        Plays the move with the greatest bonus of those within so much win probability. A move whose predicted style is `scale` above the root's has a bonus of 1 for that, which is felt in priors by `strength`. Above `price` the style is inactive.
        """

def relation(by: float, margin: float, within: float) -> str:
    """
    What is known of two moves whose values differ by so much, give or take a margin.
    """

class Refusal:
    """A part of a plan that a search cannot obey."""

    @property
    def kind(self) -> str: ...

    @property
    def move(self) -> int | None:
        """None where the whole part is meant."""

    @property
    def code(self) -> str: ...

    @property
    def values(self) -> list[tuple[str, str]]: ...

@overload
def admit(plan: Plan, options: Options, position: object, predicts_style: bool = False) -> list[Refusal]: ...

@overload
def admit(plan: Plan, options: JunqiOptions, position: JunqiView, predicts_style: bool = False) -> list[Refusal]:
    """
    Takes out of a plan what a search with these options cannot obey, and says why.
    """

def admit_alpha_beta(plan: Plan) -> list[Refusal]:
    """Takes out of a plan what alpha-beta cannot obey, and says why."""

class Outcome:
    """What an evaluator says about one position."""

    @property
    def value(self) -> float: ...

    @property
    def draw(self) -> float: ...

    @property
    def score(self) -> float: ...

    @property
    def score_stdev(self) -> float: ...

    @property
    def lead(self) -> float: ...

    @property
    def turns_left_variance(self) -> float: ...

    @property
    def value_error(self) -> float: ...

    @property
    def score_error(self) -> float: ...

    @property
    def style(self) -> float: ...

    @property
    def mover_style(self) -> float: ...

class MoveReport:
    """A root move, from the root mover's side."""

    @property
    def move(self) -> int: ...

    @property
    def visits(self) -> int: ...

    @property
    def guaranteed(self) -> int: ...

    @property
    def weightless(self) -> int: ...

    @property
    def min_visits(self) -> int: ...

    @property
    def votes(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def first_value(self) -> float | None: ...

    @property
    def prior(self) -> float: ...

    @property
    def improved(self) -> float | None: ...

    @property
    def looks_better(self) -> bool: ...

    @property
    def lcb(self) -> float: ...

    @property
    def error(self) -> float | None: ...

    @property
    def draw(self) -> float: ...

    @property
    def score(self) -> float: ...

    @property
    def score_stdev(self) -> float: ...

    @property
    def lead(self) -> float: ...

    @property
    def style(self) -> float | None: ...

    @property
    def utility(self) -> float: ...

    @property
    def utility_lcb(self) -> float: ...

    @property
    def weight(self) -> float: ...

    @property
    def selection(self) -> float: ...

    @property
    def twin(self) -> int: ...

    @property
    def line_visits(self) -> list[int]: ...

    @property
    def ownership(self) -> list[float]: ...

    @property
    def ownership_stdev(self) -> list[float]: ...

    @property
    def proven(self) -> tuple[int, int]: ...

    @property
    def permitted(self) -> bool: ...

    @property
    def pruned(self) -> bool: ...

    @property
    def line(self) -> list[int]: ...

class TreeRow:
    """A node of a search's tree, for the side that plays its move."""

    @property
    def depth(self) -> int: ...

    @property
    def move(self) -> str: ...

    @property
    def visits(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def prior(self) -> float: ...

    @property
    def proven(self) -> tuple[int, int]: ...

class SearchReport:
    """What a search has found so far."""

    @property
    def moves(self) -> list[MoveReport]: ...

    @property
    def style_spent(self) -> float | None: ...

    @property
    def style_price(self) -> float | None: ...

    @property
    def style(self) -> float | None: ...

    @property
    def visits(self) -> int: ...

    @property
    def guaranteed(self) -> int: ...

    @property
    def simulations(self) -> int: ...

    @property
    def reused(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def first_value(self) -> float | None: ...

    @property
    def draw(self) -> float: ...

    @property
    def score(self) -> float: ...

    @property
    def score_stdev(self) -> float: ...

    @property
    def lead(self) -> float: ...

    @property
    def utility(self) -> float: ...

    @property
    def weight(self) -> float: ...

    @property
    def own(self) -> Outcome: ...

    @property
    def ownership(self) -> list[float]: ...

    @property
    def ownership_stdev(self) -> list[float]: ...

    @property
    def proven(self) -> tuple[int, int]: ...

    @property
    def seconds(self) -> float: ...

    @property
    def nodes(self) -> int: ...

    @property
    def memory_bytes(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def mean_depth(self) -> float: ...

    @property
    def tree_full(self) -> bool: ...

    @property
    def stop(self) -> str: ...

class SelfplayRules:
    """Everything that decides games of self-play."""

    def __init__(self) -> None: ...

    @property
    def options(self) -> Options: ...

    @options.setter
    def options(self, arg: Options, /) -> None: ...

    def set_budget(self, visits: int | None, simulations: int | None) -> None:
        """Root visits and simulations per move."""

    @property
    def fast_visits(self) -> int: ...

    @fast_visits.setter
    def fast_visits(self, arg: int, /) -> None: ...

    @property
    def full_share(self) -> float: ...

    @full_share.setter
    def full_share(self, arg: float, /) -> None: ...

    @property
    def temperature(self) -> float: ...

    @temperature.setter
    def temperature(self, arg: float, /) -> None: ...

    @property
    def temperature_plies(self) -> int: ...

    @temperature_plies.setter
    def temperature_plies(self, arg: int, /) -> None: ...

    @property
    def plies(self) -> int: ...

    @plies.setter
    def plies(self, arg: int, /) -> None: ...

    @property
    def resign(self) -> float: ...

    @resign.setter
    def resign(self, arg: float, /) -> None: ...

    @property
    def resign_plies(self) -> int: ...

    @resign_plies.setter
    def resign_plies(self, arg: int, /) -> None: ...

    @property
    def play_out(self) -> float: ...

    @play_out.setter
    def play_out(self, arg: float, /) -> None: ...

class Batcher:
    """
    Joins the calls of searches that run at the same time, so that a network judges their positions together. Give it to each search in place of the network.
    """

    def __init__(self, network: object, most: int = 64, callers: int = 1) -> None: ...

    @property
    def uses_optimism(self) -> bool: ...

    @property
    def predicts_style(self) -> bool: ...

    @property
    def calls(self) -> int: ...

    @property
    def positions(self) -> int: ...

class NetworkProgram:
    """
    A network as steps from values to values, for one board size. A value is a list of floats for each position; planes are points by channels.
    """

    def __init__(self) -> None: ...

    def input(self, floats: int) -> int:
        """A value the caller brings."""

    def value(self, floats: int) -> int:
        """A value a step makes."""

    def output(self, value: int) -> None: ...

    def stem(self, source: int, target: int, weights: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], board: tuple[int, int], relu: bool) -> None:
        """
        The first convolution, of planes [channel, row, column] that are mostly zeros.
        """

    def conv(self, source: int, target: int, weights: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], board: tuple[int, int], dilation: tuple[int, int], step: float, low: int, residual: int, relu: bool) -> None:
        """
        A convolution; the input is rounded to `step` (0: it is not), a residual is added unless it is -1.
        """

    def dense(self, source: int, target: int, rows: int, matrix: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def sparse_dense(self, source: int, target: int, matrix: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """A matrix product of planes that are mostly zeros."""

    def norm(self, source: int, target: int, points: int, scale: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], epsilon: float, centred: bool) -> None:
        """Layer norm of each point over its channels; RMS norm unless centred."""

    def attention(self, values: Sequence[int], bias: int, target: int, points: int, heads: tuple[int, int], sizes: tuple[int, int], scale: float) -> None:
        """
        Attention of queries, keys and values; `bias` [head, point, point] is added to the scores unless it is -1. `heads` of queries and of keys, `sizes` of keys and of values.
        """

    def point_products(self, left: int, right: int, target: int, points: int, channels: int) -> None:
        """Every point of one value times every point of the other."""

    def pool(self, source: int, target: int, points: int, channels: int, maximum: bool) -> None: ...

    def gather(self, source: int, target: int, places: Sequence[int]) -> None: ...

    def join(self, sources: Sequence[int], target: int) -> None: ...

    def softmax(self, source: int, target: int) -> None: ...

    def elementwise(self, source: int, target: int, points: int, channels: int, links: Sequence[tuple[str, int, Sequence[float], bool]]) -> None:
        """
        A chain of (operation, value or -1, constants, whether the value is the same on every point).
        """

    def finish(self) -> None:
        """To be called once, after the last step."""

    def run(self, inputs: Sequence[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]], wanted: Sequence[bool]) -> list[NDArray[numpy.float32]]:
        """The outputs that are wanted, in order."""

class DirectNetwork:
    """A program a search calls without a way through Python."""

    def __init__(self, program: NetworkProgram, inputs: Sequence[str], outputs: Sequence[str], details: Sequence[int]) -> None: ...

class SparseStem:
    """A convolution of planes that are mostly zeros, for one board size."""

    def __init__(self, weights: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], rows: int, columns: int) -> None: ...

    def __call__(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]:
        """Points by channels: [n, rows, columns, outputs]."""

class Othello:
    """An Othello position."""

    def __init__(self) -> None: ...

    @staticmethod
    def from_text(text: str) -> Othello: ...

    def to_text(self) -> str: ...

    def legal_moves(self) -> list[int]:
        """Legal moves; empty when the game is over."""

    def is_legal(self, move: int) -> bool: ...

    def play(self, move: int) -> Othello:
        """The position after a legal move; this one stays as it is."""

    @property
    def to_move(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    def result(self) -> float:
        """The first side's result: 1, 0.5 or 0."""

    @property
    def hash(self) -> int: ...

    def move_text(self, move: int) -> str: ...

    def parse_move(self, text: str) -> int: ...

    def __eq__(self, other: object | None) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def sample_shape(self) -> tuple[int, int, int, int, int]:
        """Planes, rows, columns, globals and the policy's size."""

    def encode(self) -> tuple[Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')]]:
        """A network's planes and globals, from the mover's side."""

    def encode_into(self, planes: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], globals: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]) -> None:
        """The same, written into float32 arrays."""

    def policy_index(self, move: int) -> int:
        """Which output of the policy is a move's."""

    def policy_move(self, index: int) -> int:
        """The legal move that an output of the policy stands for."""

    @property
    def symmetry_count(self) -> int: ...

    def symmetric_points(self, symmetry: int) -> list[int]:
        """Where each point of the planes goes."""

    def symmetric_policy(self, symmetry: int) -> list[int]:
        """Where each output of the policy goes."""

    def targets(self, side: int) -> tuple[tuple[float, float, float], float | None, Annotated[NDArray[numpy.float32], dict(order='C')] | None]:
        """
        What a finished game teaches, for a side: ((win, draw, loss), margin or None, owners or None).
        """

    @property
    def black(self) -> int:
        """Black's discs; bit 0 is a1, bit 63 is h8."""

    @property
    def white(self) -> int: ...

    @property
    def score(self) -> int: ...

    def transformed(self, symmetry: int) -> Othello: ...

class OthelloSearch:
    """A tree search; see kibitz.Engine for the friendly face."""

    def __init__(self, position: Othello, options: Options, network: object | None = None) -> None: ...

    def start(self, plan: Plan, simulations: int = 9223372036854775807, visits: int = 9223372036854775807, seconds: float = float('inf')) -> None:
        """Starts searching and returns."""

    def wait(self, seconds: float) -> bool:
        """True once the search has ended; waits up to `seconds` for it."""

    def stop(self) -> None: ...

    def report(self, line_length: int = 32, move_ownership: bool = False) -> SearchReport: ...

    def clear_cache(self) -> None: ...

    def advance(self, move: int) -> None: ...

    def reset(self, position: Othello) -> None: ...

    def set_human(self, first: object | None, second: object | None, shown: Othello | None = None) -> None:
        """
        The human model's network for each side to move, whose policy the options human_* explore with, or None; `shown` is the position as it is shown to the model, where that differs.
        """

    def configure(self, options: Options) -> None:
        """Takes new values of options that do not change the evaluator."""

    @property
    def position(self) -> Othello: ...

    def dump(self, depth: int = 2, min_visits: int = 1) -> str:
        """The tree as indented text."""

    def tree(self, depth: int = 2, min_visits: int = 1) -> list[TreeRow]:
        """The tree, parents before their children."""

class OthelloSelfplayRecord:
    """A game of self-play."""

    @property
    def id(self) -> int: ...

    @property
    def start(self) -> Othello: ...

    @property
    def last(self) -> Othello: ...

    @property
    def result(self) -> float:
        """The first side's; below 0 when it was broken off."""

    @property
    def moves(self) -> list[int]: ...

    @property
    def resigned(self) -> int:
        """The side that gave up, or would have; else -1."""

    @property
    def resigned_ply(self) -> int: ...

    @property
    def played_out(self) -> bool:
        """Whether it had to play on."""

    @property
    def searches(self) -> list[tuple[bool, float, list[tuple[int, int, float, float]]]]:
        """
        For each move: whether it was searched with the whole budget, the root's value, and (move, visits, value, share of the policy) of each root move; none in openings.
        """

class OthelloSelfplay:
    """Many games of self-play at once, evaluated in batches."""

    def __init__(self, position: Othello, rules: SelfplayRules, network: object | None, at_once: int, threads: int) -> None: ...

    def play(self, id: int, start: Othello, opening: Sequence[int], seed: int) -> OthelloSelfplayRecord:
        """
        Plays a game; blocks until it is over. To be called from several threads at once.
        """

    def close(self) -> None:
        """Ends what runs; then `play` raises."""

    @property
    def batches(self) -> int: ...

    @property
    def leaves(self) -> int: ...

class OthelloOptions:
    """Values of the options of Othello alone."""

    def __init__(self) -> None: ...

    def set(self, name: str, text: str) -> None:
        """Sets an option from text; ValueError says what was expected."""

    def cost_of_change(self, after: OthelloOptions) -> Cost:
        """What becomes of a search with these options that is given others."""

    @property
    def corner_weight(self) -> float: ...

def othello_option_table() -> list[OptionInfo]:
    """Every option of Othello alone."""

def othello_perft(position: Othello, depth: int) -> int: ...

class OthelloSolveResult:
    @property
    def solved(self) -> bool: ...

    @property
    def score(self) -> int: ...

    @property
    def best(self) -> int: ...

    @property
    def line(self) -> list[int]: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

class OthelloMoveScore:
    @property
    def move(self) -> int: ...

    @property
    def lower(self) -> int: ...

    @property
    def upper(self) -> int: ...

class OthelloMoveScores:
    @property
    def solved(self) -> bool: ...

    @property
    def moves(self) -> list[OthelloMoveScore]: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

class OthelloSolver:
    """The exact endgame solver."""

    def __init__(self, table_mb: int = 256, patterns: bool = True) -> None:
        """With `patterns` moves are ordered by the evaluation, if one is set."""

    def start(self, position: Othello, task: str = 'score', seconds: float = float('inf'), nodes: int = 18446744073709551615) -> None: ...

    def wait(self, seconds: float) -> bool: ...

    def stop(self) -> None: ...

    def result(self) -> OthelloSolveResult:
        """Of the last `score` or `wld`."""

    def moves(self) -> OthelloMoveScores:
        """Of the last `moves`."""

class OthelloEvaluation:
    """Pattern weights with their cuts."""

    def __init__(self, weights: Annotated[NDArray[numpy.int16], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """`weights`: stages by slots, int16, in 1/128 of a disc."""

    def evaluate(self, player: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], opponent: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """Margins for the mover, in discs."""

    def set_cut(self, stage: int, depth: int, shallow: int, slope: float, offset: float, sigma: float) -> None:
        """ProbCut parameters, in discs."""

    def set_end_cut(self, empties: int, shallow: int, slope: float, offset: float, sigma: float) -> None: ...

    def set_width(self, stage: int, width: float) -> None: ...

class OthelloPatternFit:
    """Positions of a stage, to fit its weights to."""

    def __init__(self) -> None: ...

    def add(self, player: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], opponent: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], margins: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def fit(self, prior: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], ridge: float, iterations: int) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    def error(self, weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """Root of the mean squared error, in discs."""

    def __len__(self) -> int: ...

class OthelloLabeler:
    """Margins of positions by search."""

    def __init__(self, evaluation: OthelloEvaluation, table_mb: int = 64) -> None: ...

    def label(self, player: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], opponent: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], depth: int, exact_empties: int = 12, selectivity: int = 1) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    def play(self, games: int, random_plies: int, depth: int, seed: int) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]:
        """Games against itself, 60 squares each; 64 where a game is over."""

def set_othello_evaluation(evaluation: OthelloEvaluation) -> None:
    """What searches and solvers made from now on use."""

class OthelloAlphaBeta:
    """An alpha-beta search; see kibitz.Engine for the friendly face."""

    def __init__(self, position: Othello, options: Options, depth: int = 0, multi_pv: int = 1, table_mb: int = 16) -> None: ...

    def start(self, plan: Plan, simulations: int = 9223372036854775807, visits: int = 9223372036854775807, seconds: float = float('inf')) -> None:
        """Starts searching and returns; simulations and visits count nodes."""

    def wait(self, seconds: float) -> bool: ...

    def stop(self) -> None: ...

    def report(self, line_length: int = 32, move_ownership: bool = False) -> SearchReport: ...

    def clear_cache(self) -> None: ...

    def advance(self, move: int) -> None: ...

    def reset(self, position: Othello) -> None: ...

    def configure(self, options: Options) -> None: ...

    @property
    def position(self) -> Othello: ...

    def dump(self, depth: int = 2, min_visits: int = 1) -> str:
        """The moves with their scores and lines, as text."""

    def tree(self, depth: int = 2, min_visits: int = 1) -> list[TreeRow]:
        """None: it keeps no tree."""

def othello_pattern_slots() -> int: ...

def othello_replay(games: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]: ...

def othello_wander(player: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], opponent: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], plies: int, seed: int) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]: ...

OTHELLO_STAGES: int = 15

OTHELLO_STAGE_PLIES: int = 4

class Go:
    """A Go position."""

    def __init__(self) -> None: ...

    @staticmethod
    def from_text(text: str) -> Go: ...

    def to_text(self) -> str: ...

    def legal_moves(self) -> list[int]:
        """Legal moves; empty when the game is over."""

    def is_legal(self, move: int) -> bool: ...

    def play(self, move: int) -> Go:
        """The position after a legal move; this one stays as it is."""

    @property
    def to_move(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    def result(self) -> float:
        """The first side's result: 1, 0.5 or 0."""

    @property
    def hash(self) -> int: ...

    def move_text(self, move: int) -> str: ...

    def parse_move(self, text: str) -> int: ...

    def __eq__(self, other: object | None) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def sample_shape(self) -> tuple[int, int, int, int, int]:
        """Planes, rows, columns, globals and the policy's size."""

    def encode(self) -> tuple[Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')]]:
        """A network's planes and globals, from the mover's side."""

    def encode_into(self, planes: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], globals: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]) -> None:
        """The same, written into float32 arrays."""

    def policy_index(self, move: int) -> int:
        """Which output of the policy is a move's."""

    def policy_move(self, index: int) -> int:
        """The legal move that an output of the policy stands for."""

    @property
    def symmetry_count(self) -> int: ...

    def symmetric_points(self, symmetry: int) -> list[int]:
        """Where each point of the planes goes."""

    def symmetric_policy(self, symmetry: int) -> list[int]:
        """Where each output of the policy goes."""

    def targets(self, side: int) -> tuple[tuple[float, float, float], float | None, Annotated[NDArray[numpy.float32], dict(order='C')] | None]:
        """
        What a finished game teaches, for a side: ((win, draw, loss), margin or None, owners or None).
        """

    @staticmethod
    def make(columns: int, rows: int, rules: str, komi: float, stones: Sequence[tuple[int, int]], to_move: int) -> Go: ...

    def may_play(self, move: int) -> bool:
        """Legal, or marked as out of turn or tolerated and possible as such."""

    @property
    def columns(self) -> int: ...

    @property
    def rows(self) -> int: ...

    @property
    def rules(self) -> str: ...

    @property
    def komi(self) -> float: ...

    @property
    def phase(self) -> int: ...

    @property
    def turn(self) -> int: ...

    @property
    def is_void(self) -> bool: ...

    @property
    def score(self) -> float: ...

    @property
    def score_now(self) -> float: ...

    @property
    def own_komi(self) -> float: ...

    @property
    def situation_hash(self) -> int: ...

    def symmetries(self) -> list[int]:
        """Symmetries that change nothing about the position."""

    def transformed(self, move: int, symmetry: int) -> int: ...

    @property
    def symmetric_hash(self) -> int: ...

    @property
    def cache_key(self) -> int: ...

    @property
    def taken(self) -> tuple[int, int]: ...

    def with_komi(self, komi: float) -> Go: ...

    def for_search(self, advantage: float = 0.0, conservative: bool = True) -> Go:
        """
        The position for a search that favours Black by so many doublings of playouts, and that pretends or not that a pass at its root does not end the game.
        """

    def resumed(self) -> Go: ...

    @property
    def is_counting(self) -> bool:
        """Two passes ended play; the players are to agree on the score."""

    @property
    def is_agreed(self) -> bool: ...

    @property
    def dead(self) -> list[int]: ...

    def resume_play(self) -> Go: ...

    def chains(self, stones: Sequence[int]) -> list[int]:
        """The points of all stones that are connected to these."""

    def settle(self, dead: Sequence[int]) -> Go:
        """The game ended by agreement, with the chains of these stones dead."""

    def count(self, dead: Sequence[int]) -> tuple[str, list[tuple[int, int, int, int]], float, float]:
        """
        Owners; of each side stones, territory, prisoners and tax; what white has beside them; black's lead.
        """

    def playout_owners(self, games: int, seed: int) -> list[float]: ...

    def as_root(self, history: str = 'root') -> Go: ...

    def owners(self) -> str: ...

    def pass_alive(self) -> str: ...

    def banned_by_ko(self) -> list[int]: ...

    def ladders(self) -> tuple[list[int], list[int]]:
        """
        Stones that a ladder captures, and the moves of the side to move that start one.
        """

class GoSearch:
    """A tree search; see kibitz.Engine for the friendly face."""

    def __init__(self, position: Go, options: Options, network: object | None = None) -> None: ...

    def start(self, plan: Plan, simulations: int = 9223372036854775807, visits: int = 9223372036854775807, seconds: float = float('inf')) -> None:
        """Starts searching and returns."""

    def wait(self, seconds: float) -> bool:
        """True once the search has ended; waits up to `seconds` for it."""

    def stop(self) -> None: ...

    def report(self, line_length: int = 32, move_ownership: bool = False) -> SearchReport: ...

    def clear_cache(self) -> None: ...

    def advance(self, move: int) -> None: ...

    def reset(self, position: Go) -> None: ...

    def set_human(self, first: object | None, second: object | None, shown: Go | None = None) -> None:
        """
        The human model's network for each side to move, whose policy the options human_* explore with, or None; `shown` is the position as it is shown to the model, where that differs.
        """

    def configure(self, options: Options) -> None:
        """Takes new values of options that do not change the evaluator."""

    @property
    def position(self) -> Go: ...

    def dump(self, depth: int = 2, min_visits: int = 1) -> str:
        """The tree as indented text."""

    def tree(self, depth: int = 2, min_visits: int = 1) -> list[TreeRow]:
        """The tree, parents before their children."""

class GoSelfplayRecord:
    """A game of self-play."""

    @property
    def id(self) -> int: ...

    @property
    def start(self) -> Go: ...

    @property
    def last(self) -> Go: ...

    @property
    def result(self) -> float:
        """The first side's; below 0 when it was broken off."""

    @property
    def moves(self) -> list[int]: ...

    @property
    def resigned(self) -> int:
        """The side that gave up, or would have; else -1."""

    @property
    def resigned_ply(self) -> int: ...

    @property
    def played_out(self) -> bool:
        """Whether it had to play on."""

    @property
    def searches(self) -> list[tuple[bool, float, list[tuple[int, int, float, float]]]]:
        """
        For each move: whether it was searched with the whole budget, the root's value, and (move, visits, value, share of the policy) of each root move; none in openings.
        """

class GoSelfplay:
    """Many games of self-play at once, evaluated in batches."""

    def __init__(self, position: Go, rules: SelfplayRules, network: object | None, at_once: int, threads: int) -> None: ...

    def play(self, id: int, start: Go, opening: Sequence[int], seed: int) -> GoSelfplayRecord:
        """
        Plays a game; blocks until it is over. To be called from several threads at once.
        """

    def close(self) -> None:
        """Ends what runs; then `play` raises."""

    @property
    def batches(self) -> int: ...

    @property
    def leaves(self) -> int: ...

def go_perft(position: Go, depth: int) -> int: ...

def go_presets() -> list[tuple[str, str]]:
    """Every name of a rule set, and the usual name of the same rules."""

def go_rules(text: str) -> str:
    """The usual name of rules, or every field of them."""

def go_usual_komi(rules: str) -> float: ...

STYLE_PLANES: tuple[str, ...] = ...

class Chess:
    """A chess position with its history."""

    def __init__(self) -> None: ...

    @staticmethod
    def from_text(text: str) -> Chess: ...

    def to_text(self) -> str: ...

    def legal_moves(self) -> list[int]:
        """Legal moves; empty when the game is over."""

    def is_legal(self, move: int) -> bool: ...

    def play(self, move: int) -> Chess:
        """The position after a legal move; this one stays as it is."""

    @property
    def to_move(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    def result(self) -> float:
        """The first side's result: 1, 0.5 or 0."""

    @property
    def hash(self) -> int: ...

    def move_text(self, move: int) -> str: ...

    def parse_move(self, text: str) -> int: ...

    def __eq__(self, other: object | None) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def sample_shape(self) -> tuple[int, int, int, int, int]:
        """Planes, rows, columns, globals and the policy's size."""

    def encode(self) -> tuple[Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')]]:
        """A network's planes and globals, from the mover's side."""

    def encode_into(self, planes: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], globals: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]) -> None:
        """The same, written into float32 arrays."""

    def policy_index(self, move: int) -> int:
        """Which output of the policy is a move's."""

    def policy_move(self, index: int) -> int:
        """The legal move that an output of the policy stands for."""

    @property
    def symmetry_count(self) -> int: ...

    def symmetric_points(self, symmetry: int) -> list[int]:
        """Where each point of the planes goes."""

    def symmetric_policy(self, symmetry: int) -> list[int]:
        """Where each output of the policy goes."""

    def targets(self, side: int) -> tuple[tuple[float, float, float], float | None, Annotated[NDArray[numpy.float32], dict(order='C')] | None]:
        """
        What a finished game teaches, for a side: ((win, draw, loss), margin or None, owners or None).
        """

    @property
    def chess960(self) -> bool: ...

    def as_chess960(self, on: bool) -> Chess:
        """
        The position without its past, castling written king takes rook or not.
        """

    @property
    def in_check(self) -> bool: ...

    @property
    def ending(self) -> str: ...

    @property
    def repetitions(self) -> int: ...

    @property
    def clock(self) -> int: ...

    @property
    def cache_key(self) -> int: ...

    def forgotten(self) -> Chess: ...

    def filled(self, fill: bool) -> Chess:
        """
        The position with boards from before its first shown to networks as that one again, or as empty.
        """

    def written_as(self, format: str, style_planes: Sequence[str] = []) -> Chess:
        """
        The position written for networks in another input format, from now on, with these planes about style behind it (in the order of STYLE_PLANES); see kibitz.nets.lc0_format for the names of formats.
        """

    @property
    def style_planes(self) -> list[str]: ...

    @property
    def input_format(self) -> str: ...

    def piece_at(self, square: int) -> str:
        """The piece on a square (0 is a1, 63 is h8) as in FEN; empty for none."""

    def san(self, move: int) -> str: ...

    def can_play(self, move: int) -> bool:
        """Legal on the board, whether or not a draw could be claimed."""

    def board_moves(self) -> list[int]:
        """
        Moves that are legal on the board, whether or not a draw could be claimed.
        """

    def replayed(self, moves: Sequence[int]) -> Chess:
        """After moves that are legal on the board."""

    def static_score(self) -> int: ...

    def quiet_score(self) -> int: ...

class ChessSearch:
    """A tree search; see kibitz.Engine for the friendly face."""

    def __init__(self, position: Chess, options: Options, network: object | None = None) -> None: ...

    def start(self, plan: Plan, simulations: int = 9223372036854775807, visits: int = 9223372036854775807, seconds: float = float('inf')) -> None:
        """Starts searching and returns."""

    def wait(self, seconds: float) -> bool:
        """True once the search has ended; waits up to `seconds` for it."""

    def stop(self) -> None: ...

    def report(self, line_length: int = 32, move_ownership: bool = False) -> SearchReport: ...

    def clear_cache(self) -> None: ...

    def advance(self, move: int) -> None: ...

    def reset(self, position: Chess) -> None: ...

    def set_human(self, first: object | None, second: object | None, shown: Chess | None = None) -> None:
        """
        The human model's network for each side to move, whose policy the options human_* explore with, or None; `shown` is the position as it is shown to the model, where that differs.
        """

    def configure(self, options: Options) -> None:
        """Takes new values of options that do not change the evaluator."""

    @property
    def position(self) -> Chess: ...

    def dump(self, depth: int = 2, min_visits: int = 1) -> str:
        """The tree as indented text."""

    def tree(self, depth: int = 2, min_visits: int = 1) -> list[TreeRow]:
        """The tree, parents before their children."""

class ChessSelfplayRecord:
    """A game of self-play."""

    @property
    def id(self) -> int: ...

    @property
    def start(self) -> Chess: ...

    @property
    def last(self) -> Chess: ...

    @property
    def result(self) -> float:
        """The first side's; below 0 when it was broken off."""

    @property
    def moves(self) -> list[int]: ...

    @property
    def resigned(self) -> int:
        """The side that gave up, or would have; else -1."""

    @property
    def resigned_ply(self) -> int: ...

    @property
    def played_out(self) -> bool:
        """Whether it had to play on."""

    @property
    def searches(self) -> list[tuple[bool, float, list[tuple[int, int, float, float]]]]:
        """
        For each move: whether it was searched with the whole budget, the root's value, and (move, visits, value, share of the policy) of each root move; none in openings.
        """

class ChessSelfplay:
    """Many games of self-play at once, evaluated in batches."""

    def __init__(self, position: Chess, rules: SelfplayRules, network: object | None, at_once: int, threads: int) -> None: ...

    def play(self, id: int, start: Chess, opening: Sequence[int], seed: int) -> ChessSelfplayRecord:
        """
        Plays a game; blocks until it is over. To be called from several threads at once.
        """

    def close(self) -> None:
        """Ends what runs; then `play` raises."""

    @property
    def batches(self) -> int: ...

    @property
    def leaves(self) -> int: ...

class PgnGame:
    """One game of a PGN file: tags and main line."""

    @property
    def number(self) -> int: ...

    @property
    def line(self) -> int: ...

    @property
    def problem(self) -> object: ...

    @property
    def result(self) -> object: ...

    @property
    def moves(self) -> list[int]: ...

    @property
    def start(self) -> Chess: ...

    @property
    def final(self) -> Chess: ...

    @property
    def tags(self, /) -> dict[str, str]: ...

    def texts(self, san: bool = False) -> list[str]:
        """The moves in UCI or SAN."""

class PgnReader:
    """Reads games one after the other."""

    @staticmethod
    def of_file(path: str) -> PgnReader: ...

    @staticmethod
    def of_reader(read: object) -> PgnReader: ...

    def next(self) -> PgnGame | None:
        """The next game, None at the end."""

    def count(self) -> tuple[int, int, int]:
        """Reads to the end: games, plies, games with a problem."""

def chess_use_tables(probe: object | None, pieces: int = 7) -> None:
    """
    Tables that searches started from now on ask: `probe(fen)` gives the mover's result from 2 (won) to -2, or None; None instead of it for none.
    """

class ChessAccumulators:
    """A chess network of sums."""

    def __init__(self, pieces: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], pieces_bias: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value_bias: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], hidden: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], hidden_bias: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], moves: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], moves_bias: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], hand: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], terms: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], term_rows: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], term_bias: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], term_output: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], score_pieces: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], score_bias: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], score_output: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], score_output_bias: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> None: ...

    def logit(self, position: Chess) -> float:
        """The logit of the mover's expected result, as the pieces stand."""

    def answer(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, 112, 8, 8), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')]]:
        """
        Of boards shown as planes: the logits of a policy, far down for what is no move (n x 1858), and win, draw, loss, score after pending captures (n x 4).
        """

    def priors(self, position: Chess) -> list[float]:
        """The priors of the moves that `board_moves` lists."""

CHESS_TERMS: int = 1083

CHESS_TERM_FILTERS: int = 32

def chess_term_kinds() -> dict[str, int]:
    """The kinds of terms, and the number each begins with."""

def chess_term_view(planes: Annotated[NDArray[numpy.float32], dict(shape=(None, 112, 8, 8), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')]]:
    """
    Of boards shown as planes: the numbers of the terms that a learned score adds up, rows of one length (n x m); 1 where a term counts for the mover, -1 against it, 0 where there are no more (n x m); the phase from 1, all pieces, to 0, and whether the score is not changed by what is known of endings (n x 2).
    """

def chess_hand_view(planes: Annotated[NDArray[numpy.float32], dict(shape=(None, 112, 8, 8), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')]]:
    """
    Of boards shown as planes: the hand-written score of each as its pieces stand and after the pending captures, in centipawns, and whether it is check (n x 3); the policy indices of its moves, 1858 where there are no more (n x m); the features of those moves (n x m x 16). En passant is not known.
    """

def chess_perft(position: Chess, depth: int) -> int: ...

class ChessAlphaBeta:
    """An alpha-beta search; see kibitz.Engine for the friendly face."""

    def __init__(self, position: Chess, options: Options, depth: int = 0, multi_pv: int = 1, table_mb: int = 16, network: ChessAccumulators | None = None) -> None: ...

    def start(self, plan: Plan, simulations: int = 9223372036854775807, visits: int = 9223372036854775807, seconds: float = float('inf')) -> None:
        """Starts searching and returns; simulations and visits count nodes."""

    def wait(self, seconds: float) -> bool: ...

    def stop(self) -> None: ...

    def report(self, line_length: int = 32, move_ownership: bool = False) -> SearchReport: ...

    def clear_cache(self) -> None: ...

    def advance(self, move: int) -> None: ...

    def reset(self, position: Chess) -> None: ...

    def configure(self, options: Options) -> None: ...

    @property
    def position(self) -> Chess: ...

    def dump(self, depth: int = 2, min_visits: int = 1) -> str:
        """The moves with their scores and lines, as text."""

    def tree(self, depth: int = 2, min_visits: int = 1) -> list[TreeRow]:
        """None: it keeps no tree."""

CHESS_NNUE_FEATURES: int = 3072

CHESS_NNUE_OUTPUTS: int = 8

class ChessNnueFit:
    """Fits the chess network's score to labelled positions."""

    def __init__(self, width: int, seed: int) -> None: ...

    def step(self, records: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), order='C', device='cpu', writable=False)], unit: float, result_share: float, power: float, rate: float) -> float:
        """One step of Adam on a batch (n x 32 bytes); the mean loss before it."""

    def predict(self, records: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
        """The network's logits."""

    def gradients(self, records: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), order='C', device='cpu', writable=False)], unit: float, result_share: float, power: float) -> dict[str, Annotated[NDArray[numpy.float32], dict(order='C')]]:
        """The gradients of the mean loss, named as the tensors."""

    def tensors(self) -> dict[str, Annotated[NDArray[numpy.float32], dict(order='C')]]:
        """The weights as a network's file has them."""

    def state(self) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
        """All that a run goes on from."""

    def restore(self, state: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def chess_nnue_line(network: ChessAccumulators, line: Sequence[Chess]) -> list[int]:
    """
    Scores in centipawns of positions, each from the sums of those before it.
    """

HAS_STYLE: bool = True

class StyleWindow:
    """How far into the game each measure looks, in plies."""

    def __init__(self, plies: int = 24, occupation: int = 12, fianchetto: int = 14) -> None: ...

    @property
    def plies(self) -> int: ...

    @property
    def occupation(self) -> int: ...

    @property
    def fianchetto(self) -> int: ...

class StyleMetrics:
    """The measures of style of one game; see docs/style.md."""

    @property
    def plies(self) -> int: ...

    @property
    def co(self) -> float: ...

    @property
    def dcc(self) -> float: ...

    @property
    def fch(self) -> int: ...

    @property
    def pb_delay(self) -> int: ...

    @property
    def cl(self) -> float: ...

    @property
    def si(self) -> float: ...

def style_measure(start: Chess, moves: Sequence[int], window: StyleWindow = ...) -> StyleMetrics:
    """The measures of one game."""

def style_measure_sides(start: Chess, moves: Sequence[int], window: StyleWindow = ...) -> list[list[float]]:
    """CO, DCC, FCH, tension and CL of White and of Black in one game."""

def style_measure_pgn(reader: PgnReader, most: int, window: StyleWindow = ..., named: bool = False) -> tuple[numpy.typing.NDArray[numpy.float64], list[tuple[str, str, str, str]]]:
    """
    Reads up to `most` games: rows of number, plies, CO, DCC, FCH, PB_delay, CL, SI, broken, and of White and then Black CO, DCC, FCH, tension, CL; if named, White, Black, result and problem of each.
    """

class StyleOptions:
    """Values of the options of style."""

    def __init__(self) -> None: ...

    def set(self, name: str, text: str) -> None:
        """Sets an option from text; ValueError says what was expected."""

    def cost_of_change(self, after: StyleOptions) -> Cost:
        """What becomes of a search with these options that is given others."""

    @property
    def style_beta(self) -> float: ...

    @property
    def style_mode(self) -> str: ...

    @property
    def style_budget(self) -> float: ...

    @property
    def style_scale(self) -> float: ...

    @property
    def style_source(self) -> str: ...

    @property
    def style_price(self) -> float: ...

    @property
    def style_fianchetto(self) -> float: ...

    @property
    def style_prepare(self) -> float: ...

    @property
    def style_quiet(self) -> float: ...

    @property
    def style_control(self) -> float: ...

    @property
    def style_flank(self) -> float: ...

    @property
    def style_chain(self) -> float: ...

    @property
    def style_occupation(self) -> float: ...

    @property
    def style_contact_prior(self) -> float: ...

    @property
    def style_plies(self) -> int: ...

    @property
    def style_chain_plies(self) -> int: ...

STYLE_CONTACT_PLY: int = 8

def style_option_table() -> list[OptionInfo]:
    """Every option of style."""

def style_prior_factors(position: Chess, options: StyleOptions) -> list[tuple[int, float]]:
    """
    (move, factor of its root prior) of every legal move; empty where style does nothing.
    """

def style_bonuses(position: Chess, options: StyleOptions) -> list[tuple[int, float]]:
    """(move, B) of every legal move; empty where style does nothing."""

def style_bonus(position: Chess, move: int, options: StyleOptions) -> float:
    """B(m) in [-1, 1] of a legal move."""

def style_makes_contact(position: Chess, move: int) -> bool:
    """Does a c, d or e pawn step into contact with a pawn?"""

class Uttt:
    """An ultimate tic-tac-toe position."""

    def __init__(self) -> None: ...

    @staticmethod
    def from_text(text: str) -> Uttt: ...

    def to_text(self) -> str: ...

    def legal_moves(self) -> list[int]:
        """Legal moves; empty when the game is over."""

    def is_legal(self, move: int) -> bool: ...

    def play(self, move: int) -> Uttt:
        """The position after a legal move; this one stays as it is."""

    @property
    def to_move(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    def result(self) -> float:
        """The first side's result: 1, 0.5 or 0."""

    @property
    def hash(self) -> int: ...

    def move_text(self, move: int) -> str: ...

    def parse_move(self, text: str) -> int: ...

    def __eq__(self, other: object | None) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def sample_shape(self) -> tuple[int, int, int, int, int]:
        """Planes, rows, columns, globals and the policy's size."""

    def encode(self) -> tuple[Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')]]:
        """A network's planes and globals, from the mover's side."""

    def encode_into(self, planes: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], globals: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]) -> None:
        """The same, written into float32 arrays."""

    def policy_index(self, move: int) -> int:
        """Which output of the policy is a move's."""

    def policy_move(self, index: int) -> int:
        """The legal move that an output of the policy stands for."""

    @property
    def symmetry_count(self) -> int: ...

    def symmetric_points(self, symmetry: int) -> list[int]:
        """Where each point of the planes goes."""

    def symmetric_policy(self, symmetry: int) -> list[int]:
        """Where each output of the policy goes."""

    def targets(self, side: int) -> tuple[tuple[float, float, float], float | None, Annotated[NDArray[numpy.float32], dict(order='C')] | None]:
        """
        What a finished game teaches, for a side: ((win, draw, loss), margin or None, owners or None).
        """

    @property
    def empties(self) -> int:
        """Cells that can still be played."""

    @property
    def open_boards(self) -> int: ...

    @property
    def constraint(self) -> int:
        """The sub-board that must be played in, or -1."""

    @property
    def rule_id(self) -> int: ...

    def transformed(self, symmetry: int) -> Uttt: ...

    def swapped(self) -> Uttt: ...

class UtttPatterns:
    """The pattern evaluation of ultimate tic-tac-toe."""

    def __init__(self, bytes: bytes) -> None:
        """From the bytes of a file."""

    def logit(self, position: Uttt) -> float:
        """The logit of the mover's expected result."""

    def moves(self, position: Uttt) -> list[tuple[int, float, float]]:
        """Every legal move with its logit for the mover and its prior."""

def uttt_selfplay(patterns: UtttPatterns, rule_id: int, games: int, depth: int, seed: int) -> bytes:
    """
    Plays games against itself; their positions, 22 bytes each (native/games/uttt/search/selfplay.h).
    """

def uttt_classes(position: Uttt) -> list[int]:
    """The classes of the nine sub-boards as the mover sees them."""

def uttt_filling_classes() -> list[int]:
    """
    The class of each filling of a sub-board; cells are digits to the base of three, from the first on: 0 empty, 1 the mover's, 2 the other side's.
    """

class UtttSearch:
    """A tree search; see kibitz.Engine for the friendly face."""

    def __init__(self, position: Uttt, options: Options, network: object | None = None) -> None: ...

    def start(self, plan: Plan, simulations: int = 9223372036854775807, visits: int = 9223372036854775807, seconds: float = float('inf')) -> None:
        """Starts searching and returns."""

    def wait(self, seconds: float) -> bool:
        """True once the search has ended; waits up to `seconds` for it."""

    def stop(self) -> None: ...

    def report(self, line_length: int = 32, move_ownership: bool = False) -> SearchReport: ...

    def clear_cache(self) -> None: ...

    def advance(self, move: int) -> None: ...

    def reset(self, position: Uttt) -> None: ...

    def set_human(self, first: object | None, second: object | None, shown: Uttt | None = None) -> None:
        """
        The human model's network for each side to move, whose policy the options human_* explore with, or None; `shown` is the position as it is shown to the model, where that differs.
        """

    def configure(self, options: Options) -> None:
        """Takes new values of options that do not change the evaluator."""

    @property
    def position(self) -> Uttt: ...

    def dump(self, depth: int = 2, min_visits: int = 1) -> str:
        """The tree as indented text."""

    def tree(self, depth: int = 2, min_visits: int = 1) -> list[TreeRow]:
        """The tree, parents before their children."""

class UtttSelfplayRecord:
    """A game of self-play."""

    @property
    def id(self) -> int: ...

    @property
    def start(self) -> Uttt: ...

    @property
    def last(self) -> Uttt: ...

    @property
    def result(self) -> float:
        """The first side's; below 0 when it was broken off."""

    @property
    def moves(self) -> list[int]: ...

    @property
    def resigned(self) -> int:
        """The side that gave up, or would have; else -1."""

    @property
    def resigned_ply(self) -> int: ...

    @property
    def played_out(self) -> bool:
        """Whether it had to play on."""

    @property
    def searches(self) -> list[tuple[bool, float, list[tuple[int, int, float, float]]]]:
        """
        For each move: whether it was searched with the whole budget, the root's value, and (move, visits, value, share of the policy) of each root move; none in openings.
        """

class UtttSelfplay:
    """Many games of self-play at once, evaluated in batches."""

    def __init__(self, position: Uttt, rules: SelfplayRules, network: object | None, at_once: int, threads: int) -> None: ...

    def play(self, id: int, start: Uttt, opening: Sequence[int], seed: int) -> UtttSelfplayRecord:
        """
        Plays a game; blocks until it is over. To be called from several threads at once.
        """

    def close(self) -> None:
        """Ends what runs; then `play` raises."""

    @property
    def batches(self) -> int: ...

    @property
    def leaves(self) -> int: ...

def uttt_use_patterns(patterns: UtttPatterns) -> None:
    """The evaluation of searches that are made from now on."""

def uttt_perft(position: Uttt, depth: int) -> int: ...

class DamagedTable(kibitz.errors.BadTable):
    pass

UTTT_TABLE_VERSION: int = 1

UTTT_REDUCTION_VERSION: int = 1

UTTT_MAX_OPEN: int = 5

UTTT_MAX_EMPTIES: int = 18

def uttt_level_size(rule_id: int, empties: int, open: int) -> int:
    """How many positions the table of a level has."""

def uttt_place(position: Uttt) -> tuple[int, int, int] | None:
    """
    Empty cells, open sub-boards and number of a position; None if it has none.
    """

class UtttTables:
    """Table files and what they say of a position."""

    def __init__(self) -> None: ...

    def add(self, path: str) -> None: ...

    def has(self, rule_id: int, empties: int, open: int) -> bool: ...

    def probe(self, position: Uttt) -> tuple[int, int] | None:
        """Result and distance, or None when no table has the position."""

    def probe_moves(self, position: Uttt) -> list[tuple[int, int, int]] | None:
        """Every move with result and distance, best first."""

    def probe_list(self, positions: Sequence[Uttt], results: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu')], distances: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def probe_rows(self, rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 83), order='C', device='cpu', writable=False)], rule_id: int, results: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu')], distances: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def solve(self, rule_id: int, empties: int, open: int, first: int, out: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Fills `out` with the worths of a level from position `first` on."""

    def damaged_blocks(self, rule_id: int, empties: int, open: int) -> list[int]: ...

def uttt_use_tables(tables: UtttTables | None) -> None:
    """Tables that tree searches started from now on may ask; None for none."""

class UtttSolution:
    @property
    def solved(self) -> bool: ...

    @property
    def result(self) -> int: ...

    @property
    def distance(self) -> int: ...

    @property
    def best(self) -> int: ...

    @property
    def line(self) -> list[int]: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

class UtttMoveWorths:
    @property
    def solved(self) -> bool: ...

    @property
    def moves(self) -> list[tuple[int, int, int]]:
        """Move, result and distance of each solved move, best first."""

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

class UtttSolver:
    """The exact solver."""

    def __init__(self, table_mb: int = 64, tables: UtttTables | None = None) -> None: ...

    def start(self, position: Uttt, every_move: bool = False, seconds: float = float('inf'), nodes: int = 18446744073709551615) -> None: ...

    def wait(self, seconds: float) -> bool: ...

    def stop(self) -> None: ...

    def solution(self) -> UtttSolution: ...

    def worths(self) -> UtttMoveWorths: ...

def uttt_plain_minimax(position: Uttt) -> list[tuple[int, int, int]]:
    """
    Every move's result and distance by the rules alone, best first; for small positions.
    """

def junqi_layout_faults(text: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """What is wrong with a layout: codes of sentences with their values."""

def junqi_layout_text(text: str) -> str:
    """A layout in its usual form."""

def junqi_mirrored(text: str) -> str: ...

def junqi_random_layout(seed: int) -> str: ...

def junqi_named_layouts() -> list[tuple[str, str]]: ...

def junqi_edges(players: int) -> list[tuple[str, str, bool]]:
    """The board's edges: two nodes and whether it is railway."""

def junqi_node_name(node: int) -> str: ...

class JunqiActivity:
    """What one piece has done."""

    @property
    def moves(self) -> int: ...

    @property
    def attacks(self) -> int: ...

    @property
    def defences(self) -> int: ...

    @property
    def captures(self) -> int: ...

    @property
    def last_capture(self) -> int: ...

    @property
    def level(self) -> int: ...

class JunqiHistory:
    """Moves, battles and the activity of every piece."""

    def __init__(self) -> None: ...

    def make(self, ply: int, move: int, piece: int, other: int = -1, outcome: str = 'move') -> None: ...

    def unmake(self) -> None: ...

    def __len__(self) -> int: ...

    def moves(self) -> list[int]: ...

    def battles(self) -> list[tuple[int, int, int, str]]:
        """(ply, attacker, defender, outcome for the attacker) of every battle."""

    def activity(self, piece: int) -> JunqiActivity: ...

    def is_invader(self, piece: int, seats: int, ply: int, window: int) -> bool: ...

    @property
    def signature(self) -> int: ...

class JunqiView:
    """What one seat may know of a game."""

    @staticmethod
    def from_text(text: str) -> JunqiView: ...

    def to_text(self) -> str: ...

    @property
    def seat(self) -> int: ...

    @property
    def seat_to_move(self) -> int: ...

    @property
    def to_move(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    def result(self) -> float: ...

    @property
    def players(self) -> int: ...

    @property
    def ply(self) -> int: ...

    @property
    def quiet_plies(self) -> int: ...

    @property
    def hash(self) -> int: ...

    def alive(self, seat: int) -> bool: ...

    def legal_moves(self) -> list[int]: ...

    def is_legal(self, move: int) -> bool: ...

    def move_text(self, move: int) -> str: ...

    def parse_move(self, text: str) -> int: ...

    def line_text(self, moves: Sequence[int]) -> list[str]: ...

    def standing(self) -> list[tuple[str, int, str, int]]: ...

    def events(self) -> list[str]: ...

    def possible(self, piece: int) -> str:
        """The kinds a piece can be by rules and events, one piece at a time."""

    def piece_at(self, node: str) -> int: ...

    def observe(self, event: str) -> JunqiView:
        """The view after an event; this one stays as it is."""

    def play(self, move: int) -> JunqiView: ...

    def history(self) -> JunqiHistory: ...

    def __eq__(self, other: object | None) -> bool: ...

    def __hash__(self) -> int: ...

class JunqiTable:
    """A game of Junqi as a referee sees it."""

    def __init__(self) -> None: ...

    @staticmethod
    def deal(layouts: Sequence[str], options: str = '4') -> JunqiTable:
        """A new game from layouts in the order S, E, N, W."""

    @staticmethod
    def from_text(text: str) -> JunqiTable: ...

    def to_text(self) -> str: ...

    def legal_moves(self) -> list[int]: ...

    def is_legal(self, move: int) -> bool: ...

    def play(self, move: int) -> JunqiTable:
        """The table after a legal move; this one stays as it is."""

    def resign(self, seat: int, reason: int = 0) -> JunqiTable: ...

    def skip(self, reason: int = 0) -> JunqiTable: ...

    def agree_draw(self) -> JunqiTable:
        """The table after both sides agreed on a draw."""

    @property
    def seat(self) -> int:
        """The seat to move."""

    @property
    def to_move(self) -> int:
        """The side to move: 0 for S (and its ally), 1 for the others."""

    @property
    def is_over(self) -> bool: ...

    def result(self) -> float: ...

    @property
    def hash(self) -> int: ...

    @property
    def players(self) -> int: ...

    @property
    def ply(self) -> int: ...

    @property
    def quiet_plies(self) -> int: ...

    def alive(self, seat: int) -> bool: ...

    def layout(self, seat: int) -> str:
        """How the seat set up."""

    def standing(self) -> list[tuple[str, int, str, int]]:
        """(node, seat, kind, piece) of everything on the board."""

    def events(self) -> list[str]:
        """What everybody saw, since the table was made."""

    def view(self, seat: int) -> JunqiView:
        """What the seat may know."""

    def move_text(self, move: int) -> str: ...

    def parse_move(self, text: str) -> int: ...

    def line_text(self, moves: Sequence[int]) -> list[str]:
        """Moves as text; a line of a sampled world need not be playable here."""

    def __eq__(self, other: object | None) -> bool: ...

    def __hash__(self) -> int: ...

class JunqiWeightInfo:
    @property
    def section(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def doc(self) -> str: ...

    @property
    def value(self) -> float: ...

def junqi_weight_table() -> list[JunqiWeightInfo]:
    """Every weight of the scoring."""

class JunqiWeights:
    """The weights of the scoring, by `section.name`."""

    def __init__(self) -> None: ...

    @staticmethod
    def two_players() -> JunqiWeights:
        """The defaults of games of two players."""

    @staticmethod
    def read(path: str) -> JunqiWeights: ...

    def set(self, name: str, value: float) -> None: ...

    def get(self, name: str) -> float: ...

def junqi_option_table() -> list[OptionInfo]:
    """Every option of Junqi's search."""

class JunqiOptions:
    """Values of Junqi's search options."""

    def __init__(self) -> None: ...

    def set(self, name: str, text: str) -> None:
        """Sets an option from text; ValueError says what was expected."""

    def cost_of_change(self, after: JunqiOptions) -> Cost:
        """What becomes of a search with these options that is given others."""

    def set_weights(self, weights: JunqiWeights) -> None: ...

    @property
    def mode(self) -> str: ...

    @property
    def depth(self) -> int: ...

    @property
    def beam_width(self) -> int: ...

    @property
    def reply_width(self) -> int: ...

    @property
    def root_width(self) -> int: ...

    @property
    def narrowing(self) -> bool: ...

    @property
    def discount(self) -> float: ...

    @property
    def use_alpha_beta(self) -> bool: ...

    @property
    def quiescence(self) -> int: ...

    @property
    def race_plies(self) -> int: ...

    @property
    def worlds(self) -> int: ...

    @property
    def samples(self) -> int: ...

    @property
    def style(self) -> str: ...

    @property
    def apply_style_filter_first_ply(self) -> bool: ...

    @property
    def counterattack(self) -> bool: ...

    @property
    def prune(self) -> str: ...

    @property
    def weights(self) -> str: ...

    @property
    def threads(self) -> int: ...

    @property
    def seed(self) -> int: ...

class JunqiBelief:
    """What a seat believes about every piece."""

    def possible(self, piece: int) -> str: ...

    def chances(self, piece: int) -> dict[str, float]: ...

    def worlds(self) -> list[str]:
        """Sampled assignments: 100 letters each, a piece's kind at its number."""

def junqi_believe(view: JunqiView, weights: JunqiWeights, samples: int = 96, seed: int = 1, conduct: Sequence[Sequence[float]] | None = None) -> JunqiBelief: ...

def junqi_learned_conduct() -> list[list[float]]:
    """
    By sign and kind, the logarithm of how much what a piece did speaks for the kind.
    """

def junqi_conduct_rows(view: JunqiView, piece: int) -> list[int]:
    """The rows of that table that hold for a piece."""

def junqi_evaluate_moves(view: JunqiView, weights: JunqiWeights, samples: int = 96, seed: int = 1) -> list[tuple[int, dict[str, float], str, bool]]:
    """
    (move, parts, category, vital) of every legal move, the best score first.
    """

def junqi_state_value(view: JunqiView, weights: JunqiWeights, samples: int = 96, seed: int = 1) -> float:
    """
    Our side's best immediate score less the other side's, on average over sampled worlds.
    """

def junqi_counterattack_targets(view: JunqiView, weights: JunqiWeights) -> list[str]:
    """
    Nodes of enemy pieces that took one of ours lately and can be attacked.
    """

def junqi_open_value(table: JunqiTable, options: JunqiOptions, depth: int) -> tuple[float, int]:
    """
    The value of a fully known board for the side to move, and the nodes it took.
    """

def junqi_flag_falls(table: JunqiTable, seat: int, plies: int) -> int:
    """
    The plies after which the seat's flag falls by force on a fully known board, 0 when it does not within `plies`.
    """

class JunqiMoveReport(MoveReport):
    """A root move, from the mover's side."""

    @property
    def parts(self) -> dict[str, float]: ...

    @property
    def category(self) -> str: ...

    @property
    def vital(self) -> bool: ...

    @property
    def belief(self) -> str: ...

class JunqiSearchReport(SearchReport):
    """What a search has found so far."""

    @property
    def style_applied(self) -> bool:
        """Were there moves of the behaviour that the style prefers?"""

    @property
    def moves(self) -> list[MoveReport]: ...

class JunqiSearch:
    """Junqi's search; see kibitz.Engine for the friendly face."""

    @overload
    def __init__(self, position: JunqiTable, options: JunqiOptions, network: object | None = None) -> None: ...

    @overload
    def __init__(self, position: JunqiView, options: JunqiOptions, network: object | None = None) -> None: ...

    def start(self, plan: Plan, simulations: int = 9223372036854775807, visits: int = 9223372036854775807, seconds: float = float('inf')) -> None: ...

    def wait(self, seconds: float) -> bool: ...

    def stop(self) -> None: ...

    def report(self, line_length: int = 32, move_ownership: bool = False) -> JunqiSearchReport: ...

    def clear_cache(self) -> None: ...

    def advance(self, move: int) -> None: ...

    @overload
    def reset(self, position: JunqiTable) -> None: ...

    @overload
    def reset(self, position: JunqiView) -> None: ...

    def configure(self, options: JunqiOptions) -> None: ...

    def dump(self, depth: int = 2, min_visits: int = 1) -> str: ...

    def tree(self, depth: int = 2, min_visits: int = 1) -> list[TreeRow]:
        """None: it keeps no tree."""

class PythonRules:
    """What the positions of a game written in Python share."""

    def __init__(self, failure: object, features: object | None, sample_shape: tuple[int, int, int, int, int]) -> None: ...

class PythonState:
    """A position of a game written in Python."""

    def __init__(self, rules: PythonRules, position: object) -> None: ...

    @staticmethod
    def from_text(text: str) -> PythonState: ...

    def to_text(self) -> str: ...

    def legal_moves(self) -> list[int]:
        """Legal moves; empty when the game is over."""

    def is_legal(self, move: int) -> bool: ...

    def play(self, move: int) -> PythonState:
        """The position after a legal move; this one stays as it is."""

    @property
    def to_move(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    def result(self) -> float:
        """The first side's result: 1, 0.5 or 0."""

    @property
    def hash(self) -> int: ...

    def move_text(self, move: int) -> str: ...

    def parse_move(self, text: str) -> int: ...

    def __eq__(self, other: object | None) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def position(self) -> object:
        """The object of the user's class."""

    @property
    def sample_shape(self) -> tuple[int, int, int, int, int]:
        """Planes, rows, columns, globals and the policy's size."""

    def encode(self) -> tuple[Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')]]:
        """A network's planes and globals, from the mover's side."""

    def encode_into(self, planes: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], globals: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]) -> None:
        """The same, written into float32 arrays."""

    def policy_index(self, move: int) -> int:
        """Which output of the policy is a move's."""

    def policy_move(self, index: int) -> int:
        """The legal move that an output of the policy stands for."""

    @property
    def symmetry_count(self) -> int: ...

    def symmetric_points(self, symmetry: int) -> list[int]:
        """Where each point of the planes goes."""

    def symmetric_policy(self, symmetry: int) -> list[int]:
        """Where each output of the policy goes."""

    def targets(self, side: int) -> tuple[tuple[float, float, float], float | None, Annotated[NDArray[numpy.float32], dict(order='C')] | None]:
        """
        What a finished game teaches, for a side: ((win, draw, loss), margin or None, owners or None).
        """

class PythonSearch:
    """A tree search; see kibitz.Engine for the friendly face."""

    def __init__(self, position: PythonState, options: Options, network: object | None = None) -> None: ...

    def start(self, plan: Plan, simulations: int = 9223372036854775807, visits: int = 9223372036854775807, seconds: float = float('inf')) -> None:
        """Starts searching and returns."""

    def wait(self, seconds: float) -> bool:
        """True once the search has ended; waits up to `seconds` for it."""

    def stop(self) -> None: ...

    def report(self, line_length: int = 32, move_ownership: bool = False) -> SearchReport: ...

    def clear_cache(self) -> None: ...

    def advance(self, move: int) -> None: ...

    def reset(self, position: PythonState) -> None: ...

    def set_human(self, first: object | None, second: object | None, shown: PythonState | None = None) -> None:
        """
        The human model's network for each side to move, whose policy the options human_* explore with, or None; `shown` is the position as it is shown to the model, where that differs.
        """

    def configure(self, options: Options) -> None:
        """Takes new values of options that do not change the evaluator."""

    @property
    def position(self) -> PythonState: ...

    def dump(self, depth: int = 2, min_visits: int = 1) -> str:
        """The tree as indented text."""

    def tree(self, depth: int = 2, min_visits: int = 1) -> list[TreeRow]:
        """The tree, parents before their children."""

class PythonSelfplayRecord:
    """A game of self-play."""

    @property
    def id(self) -> int: ...

    @property
    def start(self) -> PythonState: ...

    @property
    def last(self) -> PythonState: ...

    @property
    def result(self) -> float:
        """The first side's; below 0 when it was broken off."""

    @property
    def moves(self) -> list[int]: ...

    @property
    def resigned(self) -> int:
        """The side that gave up, or would have; else -1."""

    @property
    def resigned_ply(self) -> int: ...

    @property
    def played_out(self) -> bool:
        """Whether it had to play on."""

    @property
    def searches(self) -> list[tuple[bool, float, list[tuple[int, int, float, float]]]]:
        """
        For each move: whether it was searched with the whole budget, the root's value, and (move, visits, value, share of the policy) of each root move; none in openings.
        """

class PythonSelfplay:
    """Many games of self-play at once, evaluated in batches."""

    def __init__(self, position: PythonState, rules: SelfplayRules, network: object | None, at_once: int, threads: int) -> None: ...

    def play(self, id: int, start: PythonState, opening: Sequence[int], seed: int) -> PythonSelfplayRecord:
        """
        Plays a game; blocks until it is over. To be called from several threads at once.
        """

    def close(self) -> None:
        """Ends what runs; then `play` raises."""

    @property
    def batches(self) -> int: ...

    @property
    def leaves(self) -> int: ...

LEVEL: str
"""The CPU level of the loaded core: ``baseline``, ``v3`` or ``v4``."""
