"""Facts of chess: mates, material, and the motifs that win it. Codes are Lichess's puzzle themes where there
is one.

>>> from kibitz.games import chess
>>> import kibitz
>>> position = chess.Position("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
>>> [fact.code for fact in kibitz.explain(position, line=["Ra8#"]).facts]
['mateIn1', 'backRankMate']
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from kibitz.facts import Evidence, Fact, Subject
from kibitz.games.chess.facts import words
from kibitz.games.chess.facts.board import NAMES, VALUES
from kibitz.games.chess.facts.known import find_known
from kibitz.games.chess.facts.material import Gain, find_gain, mate_threats
from kibitz.games.chess.facts.mates import find_mates
from kibitz.games.chess.facts.motifs import MOTIFS, Motif
from kibitz.games.chess.facts.positional import find_positional
from kibitz.games.chess.facts.steps import Line, read_line
from kibitz.games.chess.facts.tables import find_tables
from kibitz.games.chess.facts.zugzwang import find_zugzwang
from kibitz.games.chess.position import Position
from kibitz.sentences import Sentence

#: The first moves of a line that a search found, more where an exchange is under way; what comes later it has
#: hardly looked at.
_SEARCHED, _LONGEST = 8, 14
_MATE, _PATTERN, _MATE_THREAT = 1.0, 0.9, 0.3
#: Weights of motifs as shares of what the line wins: those whose capture is seen, and others.
_SEEN, _UNSEEN = 0.95, 0.3
#: Where nothing is won.
_IDLE = 0.005
#: A reason even where no material is won.
_OWN_WEIGHT = {"castling": 0.02, "promotion": 0.6}


def find(subject: Subject) -> Iterator[Fact]:
    """The facts of the side that moves first; where it gains nothing, those of its opponent too."""
    whole = line = read_line(subject.positions, subject.line)
    if not line.steps:
        return
    if subject.before is not None and not line.steps[-1].is_mate:
        length = _SEARCHED
        while length < min(len(line.steps), _LONGEST) and line.steps[length].is_capture:
            length += 1
        line = Line(line.steps[:length])
    first = _Finder(line, line, whole)
    if len(line.steps) % 2 == 1 or not line.steps[-1].is_mate:
        yield from first.facts()
    quiet = not first.gains
    if len(line.steps) > 1 and quiet:
        reply = _Finder(Line(line.steps[1:]), line, whole)
        yield from reply.facts()
        quiet = not reply.gains
        if quiet:
            yield from find_positional(line)
    yield from find_known(line, quiet=quiet)
    yield from find_tables(line)
    yield from find_zugzwang(line, searched=subject.before is not None)


def _worth(pawns: float) -> float:
    """Pawns as a part of the result."""
    return math.tanh(pawns / 6)


class _Finder:
    """The facts of one side. Its line may be the whole one, or the reply to a mistake. What it wins must be
    kept to the end of the line that was searched."""

    def __init__(self, line: Line, whole: Line, searched: Line) -> None:
        self._line, self._whole, self._mistake = line, whole, line is not whole
        self._moves = tuple(step.move for step in whole.steps)
        self._side = Position.side_names[line.side]
        self._mates = list(find_mates(line))
        kept = searched is whole or find_gain(searched, line.side) is not None
        self._gain = find_gain(whole, line.side) if kept else None

    @property
    def gains(self) -> bool:
        """Whether the line wins something for its side."""
        mated = self._line.steps[-1].is_mate and not self._mates
        return bool(self._mates) or (self._gain is not None and not mated)

    def facts(self) -> Iterator[Fact]:
        line = self._line
        for motif in self._mates:
            yield self._mate(motif)
        if self._gain and not self._mates:
            yield self._material(self._gain)
        seen = set()
        for detect in MOTIFS:
            for motif in detect(line):
                if (motif.code, motif.targets) not in seen:
                    seen.add((motif.code, motif.targets))
                    yield self._motif(motif)
        if not self._mates and not self._mistake:
            yield from self._threat()

    def _mate(self, motif: Motif) -> Fact:
        line, count = self._line, len(self._line.own)
        last = line.steps[-1]
        text = words.line_text(line.steps)
        parameters = {"moves": count, "king": NAMES[motif.targets[0]]}
        evidence = self._evidence(motif, last.ply)
        if motif.step is not last or motif.code.startswith("mateIn"):
            if self._mistake and line.last:
                code = "chess.allowsMate"
                values = {"move": line.last.numbered, "moves": count, "line": text}
            elif count == 1:
                code, values = "chess.mate", {"move": last.numbered}
            else:
                code, values = "chess.mateIn", {"moves": count, "line": text}
            return Fact(
                motif.code, motif.step.ply, self._side, parameters, evidence, _MATE, Sentence(code, values)
            )
        sentence = Sentence(words.SENTENCES[motif.code], {"move": last.numbered})
        return Fact(motif.code, last.ply, self._side, parameters, evidence, _PATTERN, sentence)

    def _material(self, gain: Gain) -> Fact:
        line = self._line
        steps = self._whole.steps[: gain.moves]
        won, given = words.pieces(gain.won), words.pieces(gain.given)
        values = {
            "pieces": won,
            "line": words.line_text([step for step in steps if step.ply >= line.steps[0].ply]),
        }
        if self._mistake and line.last:
            values["move"] = line.last.numbered
            code = "chess.losesFor" if given else "chess.loses"
        else:
            code = "chess.winsFor" if given else "chess.wins"
        if given:
            values["given"] = given
        parameters = {
            "pawns": gain.pawns,
            "won": tuple(words.KINDS[kind] for kind in gain.won),
            "given": tuple(words.KINDS[kind] for kind in gain.given),
        }
        sentence = None if any(step.promotion for step in steps) else Sentence(code, values)
        evidence = Evidence(
            self._moves[: steps[-1].ply + 1],
            tuple(NAMES[step.to] for step in steps if step.is_capture and step.side == line.side),
            numbers={"pawns": gain.pawns},
        )
        return Fact("material", steps[-1].ply, self._side, parameters, evidence, _worth(gain.kept), sentence)

    def _motif(self, motif: Motif) -> Fact:
        ply = motif.step.ply + motif.shown
        board = self._line.after(ply)
        parameters = {
            "move": motif.step.move,
            "square": NAMES[motif.actor],
            "targets": tuple(NAMES[at] for at in motif.targets),
        }
        if piece := board.squares[motif.actor].lower():
            parameters["piece"] = words.KINDS[piece]
        kinds = tuple(words.KINDS[board.squares[at].lower()] for at in motif.targets if board.squares[at])
        if kinds:
            parameters["pieces"] = kinds
        if motif.behind is not None:
            parameters["behind"] = NAMES[motif.behind]
        return Fact(
            motif.code,
            motif.step.ply,
            self._side,
            parameters,
            self._evidence(motif, ply),
            self._weight(motif),
            self._sentence(motif, ply),
        )

    def _evidence(self, motif: Motif, ply: int) -> Evidence:
        places = [motif.actor, *motif.targets, *([] if motif.behind is None else [motif.behind])]
        arrows = tuple((NAMES[motif.actor], NAMES[at]) for at in motif.targets if at != motif.actor)
        return Evidence(self._moves[: ply + 1], tuple(dict.fromkeys(NAMES[at] for at in places)), arrows)

    def _weight(self, motif: Motif) -> float:
        own = _OWN_WEIGHT.get(motif.code, 0.0)
        if self._mates:
            return max(own, _UNSEEN)
        won = _worth(self._gain.kept) if self._gain else 0.0
        reached = self._gain.moves if self._gain else 0
        if motif.code == "promotion":
            return max(own, won)
        if any(step.ply < reached for step in motif.gains):
            taken = max(VALUES[step.taken] if step.taken else 1 for step in motif.gains)
            return max(own, _SEEN * min(won, _worth(taken)))
        return max(own, _IDLE if motif.gains == () else _UNSEEN * won)

    def _sentence(self, motif: Motif, ply: int) -> Sentence | None:
        code = words.SENTENCES.get(motif.code)
        if code is None:
            return None
        board = self._line.after(ply)
        first = self._line.steps[0].ply
        shown = self._line.steps[max(0, ply - first)] if motif.code == "interference" else motif.step
        values: dict[str, object] = {"move": shown.numbered}
        if board.squares[motif.actor]:
            values["piece"] = words.piece_on(board, motif.actor)
        values["square"] = NAMES[motif.targets[0] if motif.targets else motif.actor]
        standing = [at for at in motif.targets if board.squares[at]]
        if standing:
            values["targets"] = [words.piece_on(board, at) for at in standing]
        if motif.behind is not None and board.squares[motif.behind]:
            values["behind"] = words.piece_on(board, motif.behind)
        needed = _NEEDED.get(motif.code, ())
        if any(name not in values for name in needed):
            return None
        if motif.code == "discoveredAttack" and motif.targets[0] not in board.attacks(motif.actor):
            return None  # the reply opened the rest of the line
        return Sentence(code, {name: values[name] for name in ("move", *needed)})

    def _threat(self) -> Iterator[Fact]:
        step = self._line.steps[0]
        threats = tuple(mate_threats(step))
        if threats:
            text = threats[0]
            evidence = Evidence(self._moves[:1], (text[2:4],), ((text[:2], text[2:4]),))
            sentence = Sentence("chess.mateThreat", {"move": step.numbered, "square": text[2:4]})
            yield Fact(
                "mateThreat", step.ply, self._side, {"mates": threats}, evidence, _MATE_THREAT, sentence
            )


#: Values of a motif's sentence beside the move.
_NEEDED = {
    "fork": ("targets",),
    "pin": ("piece", "targets", "behind"),
    "skewer": ("targets", "behind"),
    "discoveredAttack": ("piece", "targets"),
    "discoveredCheck": ("piece",),
    "hangingPiece": ("targets",),
    "trappedPiece": ("targets",),
    "deflection": ("piece", "square"),
    "attraction": ("piece", "square"),
    "interference": ("behind", "square"),
    "intermezzo": ("square",),
    "xRayAttack": ("piece", "square", "targets"),
    "capturingDefender": ("square",),
}
