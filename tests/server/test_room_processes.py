"""Two servers on one PostgreSQL database serve one room."""

from __future__ import annotations

from tests.server.players import open_room
from tests.server.servers import Server


def test_two_processes_serve_one_room(postgres: str) -> None:
    with Server(postgres) as one, Server(postgres) as two:
        room = open_room(one.client, "chess", clock={"seconds": 600})
        white, black, watcher = one.player(room), two.player(room), two.player(room)
        white.sit("white", "here")
        black.until(lambda state: state["seats"][0]["name"] == "here")
        black.sit("black", "there")
        white.until(lambda state: state["phase"] == "playing")
        for mover, other, move in ((white, black, "e2e4"), (black, white, "e7e5"), (white, black, "g1f3")):
            mover.play(move)
            other.wait_for(mover.state["number"])
            watcher.wait_for(mover.state["number"])
        assert watcher.state["board"]["line"] == ["e4", "e5", "Nf3"]
        assert black.state["clocks"]["white"] < 600
        # Both at once: one is first, the other is told so.
        white.say("draw")
        black.say("draw")
        both = [
            next(m for m in iter(p.hear, None) if m["type"] == "error" or m["offer"]) for p in (white, black)
        ]
        assert any(message["type"] == "room" for message in both)
        offered = white.until(lambda state: state["offer"])["offer"]["seat"]
        black.until(lambda state: state["offer"])
        (black if offered == "white" else white).say("accept")
        watcher.until(lambda state: state["phase"] == "over")
        assert watcher.state["result"] == 0.5


def test_game_goes_on_at_the_other_server(postgres: str) -> None:
    with Server(postgres) as two:
        with Server(postgres) as one:
            room = open_room(one.client, "junqi", players=2, engines={"N": "beginner"})
            south = one.player(room)
            south.sit("S")
            south.set_up("lance")
            south.until(lambda state: state["mover"] == "S")
            south.play(south.state["board"]["legalMoves"][0])
            one.kill()
        again = two.player(room, south.token)
        assert again.state["you"] == "S"
        again.until(lambda state: state["mover"] == "S")  # the engine's move was made, or is made here
        assert len(again.state["board"]["line"]) == 2
        again.play(again.state["board"]["legalMoves"][0])
