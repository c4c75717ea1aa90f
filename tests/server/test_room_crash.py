"""A server that is killed in the middle of games: after a restart every game goes on."""

from __future__ import annotations

import random
from pathlib import Path

from tests.server.players import Player, open_room
from tests.server.servers import Server

ROOMS = 20
GAMES = (
    ("othello", {}),
    ("chess", {"clock": {"seconds": 3600, "increment": 2}}),
    ("go", {"size": 9, "clock": {"seconds": 3600}}),
    ("uttt", {}),
    ("junqi", {"players": 2}),
    ("junqi", {"players": 4, "clock": {"seconds": 3600, "skip": True}}),
    ("othello", {"engines": {"white": "beginner"}, "clock": {"seconds": 3600}}),
)


class Running:
    """A room and its people."""

    def __init__(self, server: Server, number: int) -> None:
        game, more = GAMES[number % len(GAMES)]
        self.room = open_room(server.client, game, **more)
        self.players: dict[str, Player] = {}
        watcher = server.player(self.room)
        for one in watcher.state["seats"]:
            if not one["level"]:
                self.players[one["seat"]] = server.player(self.room)
                self.players[one["seat"]].sit(one["seat"])
        for player in self.players.values():
            if player.state["setsUp"]:
                player.set_up("gate")
        for player in self.players.values():
            player.until(lambda state: state["phase"] == "playing")

    def mover(self) -> Player:
        """Who is to move, when that is a person and all engines have moved."""
        some = next(iter(self.players.values()))
        return self.players[some.until(lambda state: state["mover"] in self.players)["mover"]]

    def play(self, chance: random.Random) -> None:
        player = self.mover()
        player.until(lambda state: state["mover"] == state["you"])
        player.play(chance.choice(player.state["board"]["legalMoves"]))
        for one in self.players.values():
            one.wait_for(player.state["number"])

    def come_back(self, server: Server) -> None:
        self.players = {seat: server.player(self.room, one.token) for seat, one in self.players.items()}


def test_killed_server_goes_on_in_20_games(tmp_path: Path) -> None:
    chance = random.Random(4)
    database = f"sqlite:///{tmp_path / 'rooms.db'}"
    with Server(database) as server:
        rooms = [Running(server, number) for number in range(ROOMS)]
        for _ in range(3):
            for room in rooms:
                room.play(chance)
        movers = [room.mover() for room in rooms]
        for mover in movers:  # none waits for what becomes of this one
            mover.until(lambda state: state["mover"] == state["you"])
            mover.say("move", move=chance.choice(mover.state["board"]["legalMoves"]))
        server.kill()
    told = [dict(mover.state) for mover in movers]
    with Server(database) as server:
        for room, before in zip(rooms, told, strict=True):
            room.come_back(server)
            for seat, player in room.players.items():
                assert player.state["you"] == seat
                assert player.state["phase"] == "playing"
                line = player.state["board"]["line"]
                assert line[: len(before["board"]["line"])] == before["board"]["line"]
                assert (
                    len(line) <= len(before["board"]["line"]) + 2
                )  # the last move, an engine's answer to it
                for one, left in player.state["clocks"].items():
                    assert 3000 < left <= before["clocks"][one] + 2
            for _ in range(2):
                room.play(chance)
