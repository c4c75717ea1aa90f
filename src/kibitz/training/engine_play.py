"""Games of self-play by an Engine, where the core cannot play them: with a style, with options of the game
alone, in a game with a search of its own. They are played and recorded by the same rules as the core's games
(native/search/selfplay_game.h)."""

from __future__ import annotations

import math
import random
from typing import Any

from kibitz.arena.referee import seed_of
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.games.bundled import NONE
from kibitz.network import BatchedNetwork, EngineNetwork
from kibitz.report import Report
from kibitz.request import Budget, Request
from kibitz.training.game import PlayedGame, SearchedMove
from kibitz.training.game_part import training_of
from kibitz.training.openings import Beginning
from kibitz.training.settings import SEARCH_MEMORY_MB, SelfplaySettings

#: Where moves are drawn by value: so much less makes a move less likely by a factor of e, at temperature 1.
_VALUE_SCALE = 0.02


class EngineGames:
    """An engine for each game that is played at once. They ask a network that is not the core's together."""

    def __init__(
        self,
        settings: SelfplaySettings,
        network: EngineNetwork | None,
        style_network: EngineNetwork | None,
        at_once: int,
    ) -> None:
        self._settings = settings
        self._networks = [_shared(item, at_once) for item in (network, style_network)]
        self._idle: list[_EnginePlayer] = []
        self._players: list[_EnginePlayer] = []
        self._idle.append(self._new_player())  # what it refuses comes out here

    def play(self, begun: Beginning) -> PlayedGame:
        try:
            player = self._idle.pop()
        except IndexError:  # another thread may have taken the last one
            player = self._new_player()
        game = player.play(begun)
        self._idle.append(player)
        return game

    def close(self) -> None:
        for player in list(self._players):
            player.stop()

    def _new_player(self) -> _EnginePlayer:
        player = _EnginePlayer(self._settings, *self._networks)
        self._players.append(player)
        return player


def _shared(network: EngineNetwork | None, at_once: int) -> EngineNetwork | None:
    if network is None or at_once == 1 or network.traits.in_core:  # the core's are asked one by one anyway
        return network
    return BatchedNetwork(network, at_once)


class _EnginePlayer:
    """Plays one game at a time."""

    def __init__(
        self,
        settings: SelfplaySettings,
        network: EngineNetwork | None,
        style_network: EngineNetwork | None,
    ) -> None:
        self._settings = settings
        self._info = registry.get(settings.game)
        self._contact = training_of(settings.game).contact if settings.contact_temperature != 1.0 else None
        options: dict[str, Any] = {"threads": 1}
        if self._info.options.check is None:  # the tree search's options
            options["memory_mb"] = SEARCH_MEMORY_MB
            if self._info.solve is not None:
                options["solve_root"] = 0  # a solved position has no visits to learn from
        self._engine = Engine(
            settings.game,
            settings.preset,
            network=NONE if network is None else network,
            style=settings.wanted_style,
            style_network=style_network,
            **{**options, **settings.options},
        )
        #: Whether the search draws by noise, and teaches more than the shares of its visits.
        self._gumbel = str(self._engine.options.get("rule")) == "gumbel"
        if self._gumbel and self._contact is not None:
            raise BadOption("contact_temperature has no effect with rule=gumbel, which draws no moves")

    def play(self, begun: Beginning) -> PlayedGame:
        settings, chance = self._settings, begun.chance
        position = begun.start.play(*begun.opening)
        self._engine.new_game(begun.seed)
        resignation = _Resignation(settings, chance)
        searches: list[SearchedMove] = []
        while not position.is_over and (settings.plies == 0 or len(position.moves) < settings.plies):
            ply = len(position.moves)
            full = not settings.fast_visits or chance.random() < settings.full_share
            report = self._search(position, full, ply, begun.seed)
            move = self._choose(report, ply + 1, chance)
            resignation.consider(position.to_move, report.root.value, ply)
            searches.append(self._searched(report, full))
            position = position.play(move)
            if resignation.final:
                break
        result = position.result if position.is_over else None
        if resignation.final and resignation.given_up:
            # The side that gave up is 0 or 1, and the first side's result the same number.
            result = float(resignation.given_up[0])
        return begun.played(position.moves, searches, result, resignation.given_up, resignation.played_out)

    def stop(self) -> None:
        self._engine.stop()

    def _search(self, position: Position, full: bool, ply: int, seed: int) -> Report:
        settings, budget = self._settings, self._settings.budget
        options: dict[str, Any] = {"seed": seed_of(seed, ply)}
        if self._gumbel:  # the temperature is a factor of the noise
            noise = float(self._engine.options.get("gumbel_noise", 1.0))
            options |= {"gumbel_noise": noise * self._temperature(ply + 1), "reuse": False}
        if not full:
            options |= dict.fromkeys(("root_dirichlet", "root_noise", "gumbel_noise"), 0.0)
            budget = Budget(visits=settings.fast_visits)
        elif settings.fast_visits:
            options["reuse"] = False  # so that noise reaches all moves
        request = Request(position, budget=budget, options=options, line_length=1, unvisited=self._gumbel)
        *_, report = self._engine.run(request)
        return report

    def _temperature(self, ply: int) -> float:
        settings = self._settings
        drawn = not settings.temperature_plies or ply <= settings.temperature_plies
        return settings.temperature if drawn else 0.0

    def _choose(self, report: Report, ply: int, chance: random.Random) -> str:
        temperature = self._temperature(ply)
        if self._contact is not None and self._contact(report.position, report.best, ply):
            temperature *= self._settings.contact_temperature
        if temperature == 0.0 or self._gumbel or report.moves[0].proven == "win":
            return report.best
        weights = self._weights(report, temperature)
        if (liked := self._as_liked(report)) is not None:
            weights = [
                w if item.move in liked else 0.0 for w, item in zip(weights, report.moves, strict=True)
            ]
        if not any(weights):
            return report.best
        return chance.choices([item.move for item in report.moves], weights)[0]

    def _as_liked(self, report: Report) -> set[str] | None:
        """Where a style with a budget chose the move: the moves that it likes as much. Others are not drawn,
        as the style passed them over or could not pay for them."""
        carried_out = self._engine.last_plan
        if carried_out is None or carried_out.effect.budget <= 0 or not carried_out.effect.bonuses:
            return None
        state = report.position.state
        bonuses = {state.move_text(move): bonus for move, bonus in carried_out.effect.bonuses.items()}
        return {move for move, bonus in bonuses.items() if bonus == bonuses[report.best]}

    def _weights(self, report: Report, temperature: float) -> list[float]:
        """The chance of each move, up to a factor; none for those that are proven to lose, unless all are."""
        lost = "" if report.moves[0].proven == "loss" else "loss"
        drawn = [item.visits > 0 and item.proven != lost for item in report.moves]
        if self._info.options.check is None:
            pairs = zip(report.moves, drawn, strict=True)
            return [item.visits ** (1.0 / temperature) if can else 0.0 for item, can in pairs]
        # A search of worlds visits every move as often, and prefers by value.
        best = max(item.value for item in report.moves)
        scale = _VALUE_SCALE * temperature
        pairs = zip(report.moves, drawn, strict=True)
        return [math.exp((item.value - best) / scale) if can else 0.0 for item, can in pairs]

    def _searched(self, report: Report, full: bool) -> SearchedMove:
        taught = [item.improved or 0.0 if self._gumbel else 0.0 for item in report.moves]
        total = sum(taught) or 1.0
        entries = [
            (item.move, item.visits, item.value, share / total)
            for item, share in zip(report.moves, taught, strict=True)
            if item.visits > 0 or share > 0
        ]
        return SearchedMove.of(entries, report.root.value, self._gumbel, full)


class _Resignation:
    """Which side gives a game up, and when."""

    def __init__(self, settings: SelfplaySettings, chance: random.Random) -> None:
        self._settings = settings
        self._hopeless = [0, 0]  # searches in a row at which each side's value was at most `resign`
        #: Whether the game goes on all the same, to see whether giving up was wrong.
        self.played_out = settings.resign > 0 and chance.random() < settings.play_out
        #: The side that gave up, and the ply.
        self.given_up: tuple[int, int] | None = None

    def consider(self, side: int, value: float, ply: int) -> None:
        """The side to move and its value, before the move of this ply."""
        if not self._settings.resign or self.given_up is not None:
            return
        self._hopeless[side] = self._hopeless[side] + 1 if value <= self._settings.resign else 0
        if self._hopeless[side] >= self._settings.resign_plies:
            self.given_up = side, ply

    @property
    def final(self) -> bool:
        return self.given_up is not None and not self.played_out
