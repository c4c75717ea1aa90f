"""Facts that follow from the rules alone: captures, atari, ladders, ko, cuts and connections."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.facts import Evidence, Fact
from kibitz.games.go.facts import words
from kibitz.games.go.facts.board import PASS, Chain, ladder_line, other
from kibitz.games.go.facts.steps import POINTS, Line, Step, side_of
from kibitz.sentences import Sentence

#: Plies of a line whose captures are facts, and whose cuts and ataris are: the move and its answer.
_CAPTURES, _CLOSE = 7, 2
_CONNECTION, _CUT, _ATARI, _KO = 0.02, 0.06, 0.03, 0.04
#: Stones that were sure to be dead, and taken: what they are still worth.
_DEAD, _LITTLE = -0.8, 0.005
#: Stones of a chain that is worth a word when it is left in atari.
_WORTH_SAVING = 2


def find_tactics(line: Line) -> Iterator[Fact]:
    for step in line.steps[:_CAPTURES]:
        if step.taken:
            yield _capture(line, step)
    ladders = [*_ladder(line, line.steps[0])] if line.steps else []
    yield from ladders
    for step in line.steps[:_CLOSE]:
        if step.ko >= 0:
            yield _ko(line, step)
        if step.ply or not ladders:  # which is more than its first atari
            yield from _atari(line, step)
        yield from _cut(line, step)
        yield from _connection(line, step)
    if line.steps:
        yield from _self_atari(line, line.steps[0])
        yield from _ladder_allowed(line)
        yield from _ko_threat(line)


def _stake(line: Line, points: frozenset[int], stone: str) -> float:
    """Stones and the points below them, as a part of the result; little where they were dead anyway."""
    alive = line.alive(points, stone)
    if alive is not None and alive <= _DEAD:
        return _LITTLE
    return min(0.8, 2 * len(points) / POINTS)


def _later(ply: int) -> float:
    """What is left of a weight some moves on."""
    return 1 / (1 + ply / 2)


def _capture(line: Line, step: Step) -> Fact:
    chain_stone = other(step.stone)
    count = len(step.taken)
    places = line.names(step.taken)
    values = {
        "stones": words.stones(chain_stone, count, places),
        "line": words.shown(line.moves(step.ply + 1)),
    }
    return Fact(
        "capture",
        step.ply,
        side_of(step.stone),
        {"move": step.move, "stones": count, "places": places},
        Evidence(line.moves(step.ply + 1), (step.move, *places), numbers={"stones": count}),
        # Of a single stone it is mostly a matter of shape, or a ko.
        _stake(line, step.taken, chain_stone) * _later(step.ply) * (1.0 if count > 1 else 0.4),
        Sentence("go.captureIn", values)
        if step.ply
        else Sentence("go.capture", {"move": step.move, "stones": values["stones"]}),
    )


def _ko(line: Line, step: Step) -> Fact:
    place = line.name(step.ko)
    return Fact(
        "ko",
        step.ply,
        side_of(step.stone),
        {"move": step.move, "place": place},
        Evidence(line.moves(step.ply + 1), (step.move, place)),
        _KO * _later(step.ply),
        Sentence("go.ko", {"move": step.move, "place": place}),
    )


def _ko_threat(line: Line) -> Iterator[Fact]:
    """A threat, its answer, and the ko retaken: three moves of the line."""
    if len(line.steps) < 3:
        return
    banned = line.subject.position.state.banned_by_ko()
    threat, answer, retake = line.steps[:3]
    if retake.at in banned and len(retake.taken) == 1 and retake.ko >= 0:
        place = line.name(retake.at)
        yield Fact(
            "koThreat",
            0,
            side_of(threat.stone),
            {"move": threat.move, "reply": answer.move, "place": place},
            Evidence(line.moves(3), (threat.move, answer.move, place)),
            2 * _KO,
            Sentence("go.koThreat", {"move": threat.move, "reply": answer.move, "place": place}),
        )


def _new_ataris(step: Step) -> list[Chain]:
    """Chains of the other side that the move leaves one liberty."""
    return [
        chain
        for chain in step.after.touching(step.at, other(step.stone))
        if len(chain.liberties) == 1 and len(step.before.chain(min(chain.points)).liberties) > 1
    ]


def _atari(line: Line, step: Step) -> Iterator[Fact]:
    chains = _new_ataris(step)
    if not chains or len(step.after.chain(step.at).liberties) == 1:
        return
    places = line.names(frozenset().union(*(chain.points for chain in chains)))
    last = line.names(frozenset().union(*(chain.liberties for chain in chains)))
    several = len(chains) > 1
    stones = [words.stones(chain.stone, len(chain.points), line.names(chain.points)) for chain in chains]
    stake = min(_stake(line, chain.points, chain.stone) for chain in chains)
    weight = stake / 2 if several else min(_ATARI, stake)
    yield Fact(
        "doubleAtari" if several else "atari",
        step.ply,
        side_of(step.stone),
        {"move": step.move, "places": places, "liberties": last},
        Evidence(line.moves(step.ply + 1), (*places, *last), tuple((step.move, at) for at in last)),
        weight * _later(step.ply),
        Sentence("go.doubleAtari", {"move": step.move, "stones": stones})
        if several
        else Sentence("go.atari", {"move": step.move, "stones": stones[0]}),
    )


def _self_atari(line: Line, step: Step) -> Iterator[Fact]:
    """A chain that the move itself leaves one liberty; a fact of the other side, unless it is bait."""
    chain = step.after.chain(step.at)
    if len(chain.liberties) != 1 or step.taken or len(chain.points) < _WORTH_SAVING:
        return
    (last,) = chain.liberties
    after, taken = step.after.play(last, other(step.stone))
    if len(after.chain(last).liberties) == 1:  # snapback: what takes it can be taken
        return
    places = line.names(taken)
    count = len(taken)
    yield Fact(
        "selfAtari",
        step.ply,
        side_of(other(step.stone)),
        {"move": step.move, "stones": count, "liberty": line.name(last)},
        Evidence(line.moves(1), (*places, line.name(last)), numbers={"stones": count}),
        _stake(line, taken, step.stone),
        Sentence(
            "go.selfAtari",
            {
                "move": step.move,
                "stones": words.stones(step.stone, count, places),
                "place": line.name(last),
            },
        ),
    )


def _cut(line: Line, step: Step) -> Iterator[Fact]:
    """The move takes the one point where chains of the other side could have been joined."""
    foe = other(step.stone)
    chains = step.before.touching(step.at, foe)
    own = step.after.chain(step.at)
    if len(chains) < 2 or step.taken or len(own.liberties) < 2 or ladder_line_of(step, own):
        return
    parted = sorted(chains, key=lambda chain: -len(chain.points))[:2]
    if parted[0].liberties & parted[1].liberties != {step.at}:
        return
    names = [line.names(chain.points) for chain in parted]
    stake = min(_stake(line, chain.points, foe) for chain in parted)
    yield Fact(
        "cut",
        step.ply,
        side_of(step.stone),
        {"move": step.move, "places": tuple(name[0] for name in names)},
        Evidence(line.moves(step.ply + 1), (step.move, *names[0], *names[1])),
        (_LITTLE if stake == _LITTLE else min(_CUT, stake)) * _later(step.ply),
        Sentence(
            "go.cut",
            {"move": step.move, "stones": [words.stones(foe, len(name), name) for name in names]},
        ),
    )


def ladder_line_of(step: Step, chain: Chain) -> bool:
    """Whether the other side captures the chain by ataris."""
    return (
        len(chain.liberties) <= 2
        and ladder_line(step.after, next(iter(chain.points)), to_capture=True) is not None
    )


def _connection(line: Line, step: Step) -> Iterator[Fact]:
    """The move joins chains that shared no other liberty."""
    chains = sorted(step.before.touching(step.at, step.stone), key=lambda chain: -len(chain.points))[:2]
    if len(chains) < 2 or chains[0].liberties & chains[1].liberties != {step.at}:
        return
    names = [line.names(chain.points) for chain in chains]
    stake = min(_stake(line, chain.points, step.stone) for chain in chains)
    yield Fact(
        "connection",
        step.ply,
        side_of(step.stone),
        {"move": step.move, "places": tuple(name[0] for name in names)},
        Evidence(line.moves(step.ply + 1), (step.move, *names[0], *names[1])),
        (_LITTLE if stake == _LITTLE else min(_CONNECTION, stake)) * _later(step.ply),
        Sentence(
            "go.connection",
            {"move": step.move, "stones": [words.stones(step.stone, len(name), name) for name in names]},
        ),
    )


def _ladder(line: Line, step: Step) -> Iterator[Fact]:
    """The move captures a chain in a ladder, whatever the other side does with it."""
    for chain in _new_ataris(step):
        if len(step.before.chain(min(chain.points)).liberties) != 2:
            continue
        chase = ladder_line(step.after, min(chain.points), to_capture=False)
        if chase and len(chase) > 2:  # shorter ones are plain captures
            yield _ladder_fact(line, step, chain, (step.at, *chase), "ladder")


def _ladder_allowed(line: Line) -> Iterator[Fact]:
    """After the move the other side has a ladder that it did not have before."""
    step = line.steps[0]
    after = line.subject.positions[1]
    _, starts = after.state.ladders()
    if not starts:
        return
    chased: set[int] = set()
    for start in starts:
        for chain in step.after.touching(start, step.stone):
            if len(chain.liberties) != 2 or chain.points & chased:
                continue
            chased |= chain.points
            # Those of it that stood before, and could be chased before.
            old = [at for at in chain.points if step.before.cells[at] == step.stone]
            if (
                old
                and len(step.before.chain(old[0]).liberties) <= 2
                and ladder_line(step.before, old[0], to_capture=True) is not None
            ):
                continue
            chase = ladder_line(step.after, min(chain.points), to_capture=True)
            if chase and len(chase) > 2:
                yield _ladder_fact(line, step, chain, chase, "ladderAllowed")


def _ladder_fact(line: Line, step: Step, chain: Chain, chase: tuple[int, ...], code: str) -> Fact:
    places = line.names(chain.points)
    moves = tuple("pass" if at == PASS else line.name(at) for at in chase)
    first = () if code == "ladder" else line.moves(1)
    stones = words.stones(chain.stone, len(chain.points), places)
    weight = _stake(line, chain.points, chain.stone)
    if code == "ladderAllowed" and (alive := line.alive(chain.points, chain.stone, after=True)) is not None:
        weight = weight if alive < -0.2 else _LITTLE  # the stone that is chased may not matter
    return Fact(
        code,
        0,
        side_of(other(chain.stone)),
        {"move": step.move, "places": places, "moves": len(chase)},
        Evidence((*first, *moves), places, numbers={"plies": len(chase)}),
        weight,
        Sentence("go.ladder", {"move": step.move, "stones": stones})
        if code == "ladder"
        else Sentence("go.ladderAllowed", {"move": step.move, "stones": stones, "start": moves[0]}),
    )
