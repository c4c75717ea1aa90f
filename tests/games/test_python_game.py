"""Games written in Python: what is checked at the door, what their errors become, threads and memory."""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
import threading
import traceback
from typing import Any

import numpy as np
import pytest

import kibitz
from examples.connect_four import ConnectFour
from kibitz.engine import Engine
from kibitz.errors import BadPosition, GameError, IllegalMove, KibitzError
from kibitz.games import registry
from kibitz.games.python_game import PythonPosition
from tests.paths import ROOT


class Nim:
    """Heaps of sticks; who takes the last one wins."""

    def __init__(self, heaps: tuple[int, ...] = (1, 2, 3), side: int = 0) -> None:
        self.heaps, self.side = heaps, side

    def moves(self) -> Any:
        return [f"{heap}-{n}" for heap, size in enumerate(self.heaps) for n in range(1, size + 1)]

    def play(self, move: str) -> Any:
        heap, n = map(int, move.split("-"))
        left = tuple(size - n if at == heap else size for at, size in enumerate(self.heaps))
        return type(self)(left, 1 - self.side)

    def to_move(self) -> Any:
        return self.side

    def result(self) -> Any:
        return None if any(self.heaps) else float(self.side)

    def text(self) -> Any:
        return f"{'/'.join(map(str, self.heaps))} {self.side}"


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that a test registers are gone after it."""
    monkeypatch.setattr(registry, "_python_games", dict(registry._python_games))


def nim_value(heaps: tuple[int, ...]) -> bool:
    """Whether the side to move wins: the theorem of Bouton."""
    total = 0
    for size in heaps:
        total ^= size
    return total != 0


@pytest.mark.parametrize("heaps", [(1, 2, 3), (1, 2, 2), (1, 1), (2, 3), (4,)])
def test_nim_is_solved_as_theory_says(heaps: tuple[int, ...]) -> None:
    class Heaps(Nim):
        def __init__(self, left: tuple[int, ...] = heaps, side: int = 0) -> None:
            super().__init__(left, side)

    game = kibitz.register(Heaps)
    report = kibitz.analyze(game.Position(), simulations=20_000)
    assert report.root.proven == ("win" if nim_value(heaps) else "loss")


def test_names_follow_from_the_class() -> None:
    game = kibitz.PythonGame(Nim)
    assert (game.name, game.info.title, game.Position.side_names) == ("nim", "Nim", ("first", "second"))
    assert "nim" not in registry.names()
    assert kibitz.register(game) is game
    assert "nim" in registry.names()
    assert kibitz.nim is game
    position = game.Position().play("2-3")
    assert repr(position) == "kibitz.nim.Position('start 2-3')"
    assert str(position) == "1\n2\n0 1\n\nsecond to move"


def test_a_registered_class_is_replaced_by_its_next_version() -> None:
    class Longer(Nim):
        name = "nim"

        def __init__(self, heaps: tuple[int, ...] = (5, 6, 7), side: int = 0) -> None:
            super().__init__(heaps, side)

    kibitz.register(Nim)
    assert len(registry.get("nim").position().legal_moves) == 6
    kibitz.register(Longer)
    assert len(registry.get("nim").position().legal_moves) == 18


def test_a_built_in_name_is_refused() -> None:
    class Go(Nim):
        pass

    with pytest.raises(GameError, match="there is a game go already"):
        kibitz.register(Go)


def test_without_parse_the_notation_is_the_moves() -> None:
    game = kibitz.register(Nim)
    position = game.Position().play("0-1", "2-2")
    assert position.notation == "start 0-1 2-2"
    again = game.Position(position.notation)
    assert again == position
    assert again.moves == position.moves
    assert again.to_dict() == {"game": "nim", "start": "start", "moves": ["0-1", "2-2"]}
    assert game.Position.from_dict(again.to_dict()) == position
    for wrong in ("", "0-1", "start 9-9", "start 0-1 0-1"):
        with pytest.raises(BadPosition, match="not a position of nim"):
            game.Position(wrong)


def test_positions_travel_between_processes() -> None:
    position = registry.get("connect_four").position().play("d", "d")
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert again.moves == ("d", "d")
    assert pickle.loads(pickle.dumps(type(position))) is type(position)
    assert pickle.loads(pickle.dumps(PythonPosition)) is PythonPosition


def test_moves_in_either_order_are_one_position() -> None:
    game = kibitz.PythonGame(Nim)
    one, other = game.Position().play("0-1", "1-1"), game.Position().play("1-1", "0-1")
    assert one == other
    assert one.hash == other.hash
    assert one != game.Position().play("0-1", "2-1")


# -- the door ----------------------------------------------------------------------------------------------


def changed(**members: Any) -> type:
    return type("Broken", (Nim,), members)


def without(method: str) -> type:
    members = {name: value for name, value in vars(Nim).items() if name != method}
    return type("Broken", (), members)


@pytest.mark.parametrize("method", ["moves", "play", "to_move", "result", "text"])
def test_a_missing_method_is_named(method: str) -> None:
    with pytest.raises(GameError, match=rf"broken: the class Broken has no method {method}\(\)"):
        kibitz.PythonGame(without(method))


@pytest.mark.parametrize(
    ("members", "complaint"),
    [
        ({"moves": lambda self: [1, 2]}, r"moves\(\) gave a move that is no text but int"),
        ({"moves": lambda self: []}, r"moves\(\) gave no move though result\(\) says"),
        ({"moves": lambda self: ["a", "b", "a"]}, r"moves\(\) gave a twice"),
        ({"moves": lambda self: ["a b"]}, r"gave 'a b'; a move has 1 to 64 letters and no spaces"),
        ({"moves": lambda self: [""]}, r"gave ''; a move has 1 to 64 letters"),
        ({"moves": lambda self: None}, r"moves\(\) raised TypeError: moves\(\) must give a list of texts"),
        ({"moves": lambda self: map(str, range(2000))}, r"moves\(\) gave 2000 moves, more than 1024"),
        ({"to_move": lambda self: 2}, r"to_move\(\) must give 0 or 1, got 2"),
        ({"to_move": lambda self: "white"}, r"to_move\(\) must give 0 or 1, got 'white'"),
        ({"to_move": lambda self: 10**30}, r"to_move\(\) must give 0 or 1, got 1000"),
        (
            {"result": lambda self: 0.7},
            r"result\(\) must give None, or 1, 0.5 or 0 .* side, got 0.7",
        ),
        ({"result": lambda self: "x"}, r"result\(\) must give None, or 1, 0.5 or 0 .*, got 'x'"),
        ({"result": lambda self: 1}, r"result\(\) must be None at the start"),
        ({"text": lambda self: "a\nb"}, r"text\(\) must give one line, rows separated by /"),
        ({"text": lambda self: 5}, r"text\(\) must give a text, got int"),
        ({"play": lambda self, move: self}, r"play\(\) gave the same object: positions must not change"),
        ({"play": lambda self, move: None}, r"play\(\) must give the next position, .* got NoneType"),
        ({"name": "Nim!"}, "a game's name has up to 20 small letters"),
        ({"sides": ("x", "x")}, "sides must be two different names"),
        ({"features": lambda self: [[0.0]]}, r"features\(\) needs policy_index\(move\)"),
        (
            {"features": lambda self: [[0.0]], "policy_index": lambda self, move: 0},
            r"features\(\) must give an array of planes, rows and columns, got shape \(1, 1\)",
        ),
        ({"__init__": lambda self, needed: None}, r"Broken\(\) raised TypeError"),
        ({"parse": staticmethod(lambda text: Nim())}, r"parse\(\) must give a Broken, got Nim"),
    ],
)
def test_a_class_that_breaks_the_contract(members: dict[str, Any], complaint: str) -> None:
    with pytest.raises(GameError, match=complaint) as caught:
        kibitz.PythonGame(changed(**members))
    assert "\n" not in str(caught.value)


def test_a_position_that_changes_is_found() -> None:
    def play(self: Any, move: str) -> Any:
        next_one = Nim.play(self, move)
        self.heaps = next_one.heaps
        return next_one

    with pytest.raises(GameError, match=r"play\(\) changed the position it was called on"):
        kibitz.PythonGame(changed(play=play))


def test_no_class_at_all() -> None:
    with pytest.raises(GameError, match="a game is a class, got Nim"):
        kibitz.PythonGame(Nim())  # type: ignore[arg-type]


# -- errors while it is played -----------------------------------------------------------------------------


class Trap(ConnectFour):
    """Fails in positions with so many discs."""

    name = "trap"
    discs = 6
    method = "play"

    def play(self, move: str) -> Trap:
        self.step_into("play")
        return type(self)(*super().play(move).stones)

    def moves(self) -> list[str]:
        self.step_into("moves")
        return super().moves()

    def result(self) -> float | None:
        self.step_into("result")
        return super().result()

    def to_move(self) -> int:
        self.step_into("to_move")
        return super().to_move()

    def features(self) -> Any:
        self.step_into("features")
        return super().features()

    def step_into(self, method: str) -> None:
        if method == self.method and (self.stones[0] | self.stones[1]).bit_count() == self.discs:
            raise KeyError(f"trap in {method}")


def make_trap(method: str, discs: int = 6) -> Any:
    return kibitz.register(type("Trap", (Trap,), {"method": method, "discs": discs}))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("method", ["play", "moves", "result", "to_move"])
def test_an_error_in_a_search_has_its_cause(method: str, threads: int) -> None:
    game = make_trap(method)
    with Engine("trap", threads=threads) as engine:
        for _ in range(2):
            with pytest.raises(
                GameError, match=rf"trap: \w+\(\) raised KeyError: 'trap in {method}"
            ) as caught:
                engine.analyze(game.Position(), simulations=5000)
            assert isinstance(caught.value.__cause__, KeyError)
            assert "step_into" in "".join(traceback.format_exception(caught.value.__cause__))
            assert isinstance(caught.value, kibitz.KibitzError)
        # Where no line comes to it, the engine still works.
        late = game.Position("/".join(["......."] * 5 + ["xoxoxox"]))
        assert engine.analyze(late, simulations=200).best in late.legal_moves


def uniform(planes: Any, globals_: Any) -> tuple[Any, Any]:
    outcomes = np.tile(np.array([0.5, 0, 0.5, 0], np.float32), (len(planes), 1))
    return np.zeros((len(planes), 42), np.float32), outcomes


def test_an_error_in_features_has_its_cause() -> None:
    game = make_trap("features", 3)
    with Engine("trap", network=uniform) as engine:
        with pytest.raises(GameError, match=r"trap: features\(\) raised KeyError") as caught:
            engine.analyze(game.Position(), simulations=5000)
        assert isinstance(caught.value.__cause__, KeyError)


def test_an_error_in_self_play_has_its_cause() -> None:
    from kibitz.request import Budget
    from kibitz.training.selfplay import play_games
    from kibitz.training.settings import SelfplaySettings

    make_trap("play")
    settings = SelfplaySettings("trap", games=4, budget=Budget(visits=20))
    with pytest.raises(GameError, match=r"trap: play\(\) raised KeyError"):
        list(play_games(settings, range(4), processes=0))


def test_an_error_of_a_position_is_no_illegal_move() -> None:
    game = make_trap("moves")
    position = game.Position().play(*"abcdef")
    with pytest.raises(GameError, match=r"moves\(\) raised KeyError"):
        position.play("a")
    with pytest.raises(IllegalMove, match="no move is written z"):
        game.Position().play("z")


def test_a_game_without_end_is_an_error() -> None:
    class Endless(Nim):
        def moves(self) -> list[str]:
            return ["again"]

        def play(self, move: str) -> Endless:
            return Endless(self.heaps, 1 - self.side)

    game = kibitz.register(Endless)
    with pytest.raises(GameError, match=r"result\(\) was None after 100000 random moves"):
        kibitz.analyze(game.Position(), simulations=10)


def test_a_network_needs_features() -> None:
    kibitz.register(Nim)
    complaint = r"nim has no features\(\), so no network can play it"
    with Engine("nim", network=uniform) as engine, pytest.raises(KibitzError, match=complaint):
        engine.analyze(registry.get("nim").position(), simulations=10)


@pytest.mark.parametrize(
    ("index", "complaint"),
    [
        (lambda self, move: 42, r"policy_index\(\) must give a number from 0 to 41, got 42"),
        (lambda self, move: 7, r"policy_index\(\) gave 7 for two moves"),
        (lambda self, move: "a", r"policy_index\(\) must give a number from 0 to 41, got 'a'"),
    ],
)
def test_a_wrong_policy_index(index: Any, complaint: str) -> None:
    with pytest.raises(GameError, match=complaint):
        kibitz.PythonGame(type("Wrong", (ConnectFour,), {"name": "wrong", "policy_index": index}))


# -- threads and memory ------------------------------------------------------------------------------------


def alive() -> int:
    gc.collect()
    return sum(type(item) is ConnectFour for item in gc.get_objects())


@pytest.fixture
def start() -> Any:
    return registry.get("connect_four").position()


def test_searches_leave_no_positions_behind(start: Any) -> None:
    before = alive()
    for threads in (1, 4):
        with Engine("connect_four", threads=threads) as engine:
            engine.analyze(start, simulations=3000, include=["a"], min_visits=50)
            assert alive() > before + 100
            engine.analyze(start.play("d"), simulations=500)
        del engine
        assert alive() == before
    with Engine("connect_four", network=uniform) as engine:
        engine.analyze(start, visits=300)
    del engine
    assert alive() == before


def test_errors_leave_no_positions_behind() -> None:
    game = make_trap("result")
    before = sum(issubclass(type(item), Trap) for item in gc.get_objects())
    with Engine("trap") as engine, pytest.raises(GameError):
        engine.analyze(game.Position(), simulations=5000)
    del engine
    gc.collect()
    assert sum(issubclass(type(item), Trap) for item in gc.get_objects()) <= before


def test_engines_of_several_threads_at_once(start: Any) -> None:
    answers: list[str] = []

    def ask(seed: int) -> None:
        with Engine("connect_four", threads=2, seed=seed) as engine:
            answers.append(engine.best_move(start.play("d", "e", "d", "e", "d"), simulations=1500))

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == ["d"] * 4


def test_the_program_ends_while_a_search_runs() -> None:
    script = (
        "import sys, kibitz; from examples.connect_four import ConnectFour; kibitz.register(ConnectFour)\n"
        "engine = kibitz.Engine('connect_four', threads=2)\n"
        "reports = engine.stream(kibitz.connect_four.Position(), every=0.05, seconds=1000)\n"
        "next(reports); sys.exit(7)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, timeout=60, check=False)
    assert done.returncode == 7


def test_one_thread_and_one_seed_give_one_result(start: Any) -> None:
    def visits(seed: int) -> dict[str, int]:
        report = kibitz.analyze(start, simulations=2000, options={"seed": seed})
        return {info.move: info.visits for info in report.moves}

    assert visits(1) == visits(1)
    assert visits(1) != visits(2)


def test_many_positions_replace_each_other(start: Any) -> None:
    """More positions than a search keeps: those that were dropped are played again."""
    with Engine("connect_four", evaluator="uniform") as engine:
        report = engine.analyze(start, simulations=160_000)
    assert report.root.nodes > 1 << 17
    assert sum(info.visits for info in report.moves) >= 160_000


def test_a_network_plays(start: Any) -> None:
    """PUCT with a function as the network: it sees the mover's planes and a policy by landing cells."""
    seen = []

    def likes_e(planes: Any, globals_: Any) -> tuple[Any, Any]:
        seen.append(np.array(planes))
        policy, outcomes = uniform(planes, globals_)
        policy[:, 5 * 7 + 4] = 5.0
        return policy, outcomes

    with Engine("connect_four", network=likes_e) as engine:
        report = engine.analyze(start, visits=60)
    assert report.best == "e"
    priors = {info.move: info.prior for info in report.moves}
    assert priors["e"] == max(priors.values()) > 0.9
    assert all(planes.shape[1:] == (2, 6, 7) for planes in seen)
