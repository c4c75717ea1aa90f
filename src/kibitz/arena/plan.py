"""A match after all checks: what is wrong with its settings comes out before a file is begun and workers are
started."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from kibitz.arena.openings import DEFAULT_PLIES, Opening, openings_from_file, random_openings
from kibitz.arena.player import PlayerFactory
from kibitz.arena.referee import Job, seed_of
from kibitz.arena.spec import PlayerSpec, parse_player
from kibitz.arena.sprt import Sprt
from kibitz.arena.time_control import TimeControl
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.bundled import bundled_file
from kibitz.request import Budget

if TYPE_CHECKING:
    from kibitz.games.base import Position

#: How much an engine may think when nothing is said: repeatable, and quick in every game.
DEFAULT_SIMULATIONS = 1000

#: What a player may take beyond its seconds a move: a busy machine must not decide a game. On a clock there
#: is no grace.
CLOCK_GRACE = 1.0

Openings = Sequence[Opening] | str | PathLike[str] | None


@dataclass(frozen=True)
class Plan:
    """A match that can be played."""

    game: type[Position]
    a: PlayerFactory
    b: PlayerFactory
    jobs: Sequence[Job]
    sprt: Sprt | None
    settings: dict[str, Any]
    """What makes this match: another one is not resumed from its file."""

    @property
    def counted(self) -> bool:
        """Whether no clock says how long a player thinks."""
        job = self.jobs[0]
        return job.time_control is None and not any("seconds" in own.to_dict() for own in job.budgets)


def make_plan(
    game: str | type[Position],
    a: str | PlayerFactory,
    b: str | PlayerFactory,
    *,
    games: int,
    budget: Budget | None,
    time_control: TimeControl | str | None,
    network: str | None,
    openings: Openings,
    opening_plies: int | None,
    position: str | Position | None,
    seed: int,
    sprt: Sprt | None,
    move_timeout: float,
    max_plies: int,
    players: int | None,
) -> Plan:
    """The plan of a match, see `run_match`; raises BadOption."""
    _check_numbers(games, move_timeout, max_plies)
    control = TimeControl.parse(time_control) if isinstance(time_control, str) else time_control
    board = registry.get(game).position if isinstance(game, str) else game
    both = _players(board, (a, b), network)
    common = budget or Budget()
    if not common.to_dict() and control is None:
        common = Budget(simulations=DEFAULT_SIMULATIONS)
    budgets = tuple(player.budget if player.budget.to_dict() else common for player in both)
    deadlines = tuple(map(lambda player, own: _deadline(player, own, move_timeout), both, budgets))
    if isinstance(game, str) and openings is None and opening_plies is None and position is None:
        openings, opening_plies, position = _usual_openings(game, both, games, seed, players)
    elif players is not None:
        raise BadOption("the number of players can be chosen in games that are dealt, without an opening")
    elif position is None:
        position = _only_start(both)
    start = position if position is None or isinstance(position, str) else position.notation
    book, origin = _openings(board, openings, opening_plies, start, games // 2, seed)
    _check_openings(board, book, both, max_plies)
    jobs = [
        Job(
            number,
            book[number // 2 % len(book)],
            seed_of(seed, number),
            (budgets[0], budgets[1]),
            (deadlines[0], deadlines[1]),
            max_plies,
            control,
        )
        for number in range(games)
    ]
    settings = {
        "game": board.game,
        "a": both[0].text,
        "b": both[1].text,
        "games": games,
        "limit": common.to_dict(),
        **({} if control is None else {"time_control": str(control)}),
        **({} if network is None else {"network": network}),
        **_bundled(board.game, both),
        "openings": origin,
        "seed": seed,
        "sprt": None if sprt is None else asdict(sprt),
        "move_timeout": move_timeout,
        "max_plies": max_plies,
    }
    return Plan(board, both[0], both[1], jobs, sprt, settings)


def _players(
    board: type[Position], named: Sequence[str | PlayerFactory], network: str | None
) -> list[PlayerFactory]:
    """The players, each made once to see that it can be."""
    both = [parse_player(player) if isinstance(player, str) else player for player in named]
    if network is not None:
        both = [_with_network(player, network, board.game) for player in both]
        if not any(isinstance(player, PlayerSpec) and "network" in player.options for player in both):
            raise BadOption(
                f"no player takes the network: {both[0].text} and {both[1].text} search without one"
            )
    for player in both:
        made = player.make(board)
        try:
            if check := getattr(made, "check", None):
                check()
        finally:
            made.close()
    return both


def _check_numbers(games: int, move_timeout: float, max_plies: int) -> None:
    if games < 2 or games % 2:
        raise BadOption(
            f"games must be an even number, every opening is played with both colours; got {games}"
        )
    if not move_timeout > 0:
        raise BadOption(f"move timeout must be positive, got {move_timeout:g}")
    if max_plies < 1:
        raise BadOption(f"max plies must be 1 or more, got {max_plies}")


def _bundled(game: str, players: Sequence[PlayerFactory]) -> dict[str, str]:
    """The digest of the network that comes with Kibitz, where a player uses it."""
    if not any(isinstance(player, PlayerSpec) and player.is_bundled(game) for player in players):
        return {}
    file = bundled_file(game)
    assert file is not None
    return {"bundled": hashlib.sha256(file.read_bytes()).hexdigest()}


def _with_network(player: PlayerFactory, network: str, game: str) -> PlayerFactory:
    return player.with_network(network, game) if isinstance(player, PlayerSpec) else player


def _deadline(player: PlayerFactory, budget: Budget, move_timeout: float) -> float:
    if player.ignores_time_limit or budget.seconds is None:
        return move_timeout
    return budget.seconds + CLOCK_GRACE


def _usual_openings(
    game: str, both: Sequence[PlayerFactory], games: int, seed: int, players: int | None
) -> tuple[Openings, int | None, str | None]:
    """Openings, plies and place when the user says nothing of them."""
    deals = registry.get(game).deals
    if deals is not None:
        # Set-ups are dealt, the second side's in the mirror of the first's.
        dealt = deals.openings(max(games // 2, 1), seed, players or 4)
        return [Opening(notation=text) for text in dealt], None, None
    if players is not None:
        raise BadOption("the number of players can be chosen in games that are dealt, without an opening")
    only = _only_start(both)
    return None, None if only is None else 0, only


def _only_start(both: Sequence[PlayerFactory]) -> str | None:
    return next((place for player in both if (place := getattr(player, "only_start", None))), None)


def _openings(
    game: type[Position],
    openings: Openings,
    plies: int | None,
    position: str | None,
    pairs: int,
    seed: int,
) -> tuple[Sequence[Opening], dict[str, Any]]:
    """The openings, and where they are from in the words of the results file."""
    # In full: a short word for a position, or one with blanks to spare, makes no other match.
    notation = None if position is None else game(position).notation
    if openings is None:
        plies = DEFAULT_PLIES if plies is None else plies
        place = {} if notation is None else {"position": notation}
        return random_openings(game, pairs, plies, seed, notation), {"random_plies": plies, **place}
    if plies is not None:
        raise BadOption("give either openings or a number of random opening plies, not both")
    if isinstance(openings, (str, PathLike)):
        openings = openings_from_file(game, fspath(openings), notation)
    elif notation is not None:
        raise BadOption("a list of openings says where they begin; give no other position")
    if not openings:
        raise BadOption("the list of openings is empty")
    text = repr([(opening.notation, opening.moves) for opening in openings])
    # The digest, not the name of the file: a book that was edited in between makes another match.
    return openings, {"count": len(openings), "digest": hashlib.sha256(text.encode()).hexdigest()[:16]}


def _check_openings(
    game: type[Position], book: Sequence[Opening], players: Sequence[PlayerFactory], max_plies: int
) -> None:
    for number, opening in enumerate(dict.fromkeys(book), start=1):
        if len(opening.moves) >= max_plies:
            raise BadOption(f"opening {number} is as long as the longest game allowed ({max_plies} plies)")
        start = game(opening.notation)
        for player in players:
            reason = player.refusal(start, opening.moves)
            if reason is not None:
                what = "is a position" if opening.notation is not None and not opening.moves else "is another"
                raise BadOption(f"{player.text} {reason}; opening {number} {what}")
