"""How a question is answered: the searches that it needs besides that of the position itself, and the reply.

An `Inquiry` is a question that the position allows. Its `steps` are a generator: a `Look` asks for a search,
whose report is the step's answer; what it returns is the reply. Nothing is searched here, so every family can
answer.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from kibitz.errors import BadSteering, IllegalMove
from kibitz.explanation import Explanation, explain
from kibitz.games.base import Position
from kibitz.questions import MOST_MOVES, LineStep, Question, Reply
from kibitz.report import MoveInfo, Report
from kibitz.sentences import Sentence
from kibitz.sentences.reasons import said_by

#: A move that costs less is as good as the best.
_EQUAL = 0.01
#: What a move must cost to be refuted; the share of that which must be seen at the end of the refutation.
_LOSS, _PLAIN = 0.05, 0.75
#: Moves of a refutation at most: brief looks that it takes.
_BRIEF_LOOKS = 6
#: Moves of a line that a sentence has.
_SHOWN = 4


@dataclass(frozen=True)
class Look:
    """A search that a question needs. `include` are moves of it that get visits of their own, `depth` the
    plies from the position of the request; below 0 it is not reached from there."""

    position: Position
    include: tuple[str, ...] = ()
    depth: int = -1
    #: Only a glance, which sees what is plain.
    brief: bool = False


Looks = Generator[Look, Report, Reply]


@dataclass(frozen=True)
class Inquiry:
    """A question that can be answered: the positions between its moves, the first of them `positions[0]`."""

    question: Question
    #: As the game spells them.
    moves: tuple[str, ...]
    positions: tuple[Position, ...]
    #: Searches besides that of the position; brief ones are part of another's share.
    looks: int

    @property
    def root_moves(self) -> tuple[str, ...]:
        """Moves of the request's position that get visits of their own."""
        return () if self.question.kind in ("threat", "changed") else self.moves[:1]

    def steps(self, root: Report) -> Looks:
        """The searches, and the reply. `root` is the report of the request's position."""
        kind = self.question.kind
        if kind == "line":
            return self._line(root)
        if kind == "threat":
            return self._threat(root)
        if kind == "refute":
            return self._refute(root)
        if kind == "changed":
            return self._changed(root)
        return self._why(root)

    def unanswered(self) -> Reply:
        return Reply(self.question, "unanswered", said=(Sentence("ask.unanswered"),))

    # -- kinds ------------------------------------------------------------------------------------

    def _line(self, root: Report) -> Looks:
        reports = [root]
        for depth in range(1, len(self.moves)):
            reports.append((yield Look(self.positions[depth], (self.moves[depth],), depth)))
        steps = _line_steps(self.moves, reports)
        at = next((n for n, step in enumerate(steps) if step.cost > _EQUAL), None)
        if at is None:
            return Reply(
                self.question, "best", line=self.moves, steps=steps, said=(Sentence("ask.lineBest"),)
            )
        step, position = steps[at], self.positions[at]
        said = [_costs("ask.lineLeaves", step)]
        totals: dict[str, float] = {}
        for one in steps:
            totals[one.side] = totals.get(one.side, 0.0) + one.cost
        if sum(one.cost > _EQUAL for one in steps) > 1:
            said += [
                Sentence("ask.lineCosts", {"side": side, "by": by})
                for side, by in totals.items()
                if by > _EQUAL
            ]
        why = explain(reports[at], move=step.move)
        return Reply(
            self.question,
            "leaves",
            step.move,
            step.best,
            step.cost,
            why.line,
            "" if at == 0 else position.notation,
            steps,
            why.facts,
            (*said, *_reasons(why)),
        )

    def _threat(self, root: Report) -> Looks:
        passed = self.positions[0]
        found = yield Look(passed, depth=1)
        best = found.moves[0] if found.moves else None
        mover = root.position.mover_view()
        same_side = passed.to_move == mover.to_move
        now = root.root.value if same_side else 1.0 - root.root.value
        gain = max(0.0, (found.root.value if best is None else best.value) - now)
        if best is None or gain <= _EQUAL:
            said = Sentence("ask.noThreat", {"side": passed.mover, "by": gain})
            return Reply(self.question, "none", by=gain, position=passed.notation, said=(said,))
        why = explain(found)
        line = _written(passed, why.line or (best.move,))
        said = Sentence("ask.threat", {"side": passed.mover, "line": line, "by": gain})
        return Reply(
            self.question,
            "threat",
            best.move,
            by=gain,
            line=best.line,
            position=passed.notation,
            facts=why.facts,
            said=(said, *_reasons(why)),
        )

    def _refute(self, root: Report) -> Looks:
        move, position = self.moves[0], root.position
        info, best = _named(root, move), root.moves[0]
        loss = max(0.0, best.value - info.value)
        name = position.line_text([move])[0]
        better = position.line_text([best.move])[0]
        values = {"move": name, "best": better, "by": loss}
        if loss < _LOSS:
            code = "ask.isBest" if info.move == best.move else "ask.sound"
            return Reply(
                self.question, "sound", move, best.move, loss, info.line, said=(Sentence(code, values),)
            )
        after = None
        line = info.line or (move,)
        if self.looks:
            after = yield Look(self.positions[1], depth=1)
            if after.moves and after.moves[0].line:
                line = (move, *after.moves[0].line)
        # The line may end where the loss is plain: after a reply, since before it the loss is still to come.
        at, plain, glances = self.positions[1], None, 0
        for length in range(2, len(line) + 1):
            if at.is_over or glances == _BRIEF_LOOKS:
                break
            replied = at.to_move != position.to_move
            at = at.play(line[length - 1])
            if not replied:
                continue
            seen = _result(at, position.to_move)
            if seen is None:
                glances += 1
                glance = yield Look(at, depth=length, brief=True)
                seen = glance.root.value if at.to_move == position.to_move else 1.0 - glance.root.value
            if best.value - seen >= _PLAIN * loss:
                plain = length
                break
        # What the loss is may be seen further on.
        why = explain(root, line=line, after=after)
        line = line[:plain]
        written = _written(position, line, len(line))
        code = "ask.unclear" if plain is None else "ask.refuted"
        said = Sentence(code, {**values, "line": written})
        verdict = "unclear" if plain is None else "refuted"
        return Reply(
            self.question,
            verdict,
            move,
            best.move,
            loss,
            line,
            facts=why.facts,
            said=(said, *_reasons(why)),
        )

    def _why(self, root: Report) -> Looks:
        """`why` and `why not`: the same facts; the second also says what is better."""
        move, position, against = self.moves[0], root.position, self.question.kind == "whyNot"
        info, best = _named(root, move), root.moves[0]
        after = (yield Look(self.positions[1], depth=1)) if self.looks else None
        line = info.line or (move,)
        if after is not None and after.moves and len(line) < 2:
            line = (move, *after.moves[0].line)
        why = explain(root, line=line, after=after)
        by = max(0.0, best.value - info.value)
        values = {"move": position.line_text([move])[0], "value": info.value, "by": by}
        values["best"] = position.line_text([best.move])[0]
        if info.move == best.move:
            verdict, said = "best", [Sentence("ask.isBest", values)]
        elif by <= _EQUAL:
            verdict, said = "equal", [Sentence("ask.equal", values)]
        else:
            verdict, said = "worse", [Sentence("ask.behind", values)]
        said += why.said
        if against and verdict == "worse" and (reasons := list(_reasons(explain(root)))):
            said.append(Sentence("ask.instead", {"best": values["best"], "reasons": reasons}))
        return Reply(self.question, verdict, move, best.move, by, why.line, facts=why.facts, said=tuple(said))

    def _changed(self, root: Report) -> Looks:
        reports = []
        for number, move in enumerate(self.moves):
            reports.append((yield Look(self.positions[number], (move,))))
        steps = _line_steps(self.moves, reports)
        now, first = root.position, self.positions[0]
        then = reports[0].root.value if first.to_move == now.to_move else 1.0 - reports[0].root.value
        values = {"side": now.mover, "before": then, "after": root.root.value}
        said = [Sentence("ask.changed", values)]
        at = max(range(len(steps)), key=lambda number: steps[number].cost)
        step, position = steps[at], self.positions[at]
        if step.cost <= _EQUAL:
            said.append(Sentence("ask.nothingCost", {"within": _EQUAL}))
            return Reply(self.question, "same", position=first.notation, steps=steps, said=tuple(said))
        after = reports[at + 1] if at + 1 < len(reports) else root
        info = _named(reports[at], step.move)
        why = explain(reports[at], line=info.line or (step.move,), after=after)
        said.append(_costs("ask.costliest", step))
        return Reply(
            self.question,
            "changed",
            step.move,
            step.best,
            step.cost,
            why.line,
            position.notation,
            steps,
            why.facts,
            (*said, *_reasons(why)),
        )


def open_inquiry(question: Question, position: Position) -> Inquiry:
    """The question at a position; IllegalMove or BadSteering says why it cannot be answered there."""
    if question.kind == "threat":
        if position.hides:
            raise BadSteering(Sentence("ask.hidden"))
        passed = position.passed()
        if passed.is_over or not passed.legal_moves:
            raise IllegalMove(Sentence("error.passNoMove", {"side": passed.mover}))
        return Inquiry(question, (), (passed,), 1)
    if question.kind == "changed":
        return _open_changed(question, position)
    if position.hides:
        if len(question.moves) > 1 or question.kind == "refute":
            raise BadSteering(Sentence("ask.hidden"))
        move = position.state.move_text(position.parse_move(question.moves[0]))
        return Inquiry(question, (move,), (position,), 0)
    moves, positions = _played(position, question.moves)
    looks = len(moves) - 1 if question.kind == "line" else 1
    if question.kind != "line" and positions[1].is_over:
        looks = 0
    return Inquiry(question, moves, positions, looks + (question.kind == "refute" and looks > 0))


def _open_changed(question: Question, position: Position) -> Inquiry:
    if position.hides:
        return _open_own_turns(question, position.mover_view())
    played = position.moves
    since = question.since if question.since >= 0 else len(played) + question.since
    if not 0 <= since < len(played):
        raise BadSteering(Sentence("ask.noEarlier", {"moves": len(played), "since": question.since}))
    if len(played) - since > MOST_MOVES:
        raise BadSteering(Sentence("ask.tooLong", {"moves": len(played) - since, "most": MOST_MOVES}))
    earlier = position.start.play(*played[:since])
    moves, positions = _played(earlier, played[since:])
    return Inquiry(question, moves, positions, len(moves))


def _open_own_turns(question: Question, view: Position) -> Inquiry:
    """Where pieces are hidden: only the turns of the seat itself, each with what it knew then."""
    turns = view.own_turns(max(0, question.since))
    if question.since < 0:
        turns = turns[question.since :]
    if not turns:
        raise BadSteering(Sentence("ask.noOwnTurn", {"side": view.mover}))
    if len(turns) > MOST_MOVES:
        raise BadSteering(Sentence("ask.tooLong", {"moves": len(turns), "most": MOST_MOVES}))
    return Inquiry(question, tuple(move for _, move in turns), tuple(at for at, _ in turns), len(turns))


def _played(position: Position, line: Sequence[str]) -> tuple[tuple[str, ...], tuple[Position, ...]]:
    moves, positions = [], [position]
    for number, text in enumerate(line, 1):
        try:
            positions.append(positions[-1].play(text))
        except (IllegalMove, ValueError) as error:
            if len(line) == 1:
                raise
            raise IllegalMove(Sentence("ask.lineMove", {"number": number, "why": said_by(error)})) from None
        moves.append(positions[-1].moves[-1])
    return tuple(moves), tuple(positions)


def _named(report: Report, move: str) -> MoveInfo:
    """What the report says of a move that it was asked about."""
    for info in report.moves:
        if info.move == move:
            return info
    # A search that was stopped at once has not even listed it.
    return MoveInfo(move=move, order=len(report.moves), value=report.root.value, visits=0, line=(move,))


def _line_steps(moves: Sequence[str], reports: Sequence[Report]) -> tuple[LineStep, ...]:
    steps = []
    for move, report in zip(moves, reports, strict=True):
        info = _named(report, move)
        best = report.moves[0] if report.moves else info
        cost = max(0.0, best.value - info.value)
        name, best_name = (report.position.line_text([text])[0] for text in (move, best.move))
        side = report.position.mover
        steps.append(
            LineStep(move, name, best_name, side, info.value, best.move, best.value, cost, info.visits)
        )
    return tuple(steps)


def _costs(code: str, step: LineStep) -> Sentence:
    return Sentence(code, {"move": step.name, "best": step.best_name, "side": step.side, "by": step.cost})


def _reasons(why: Explanation) -> tuple[Sentence, ...]:
    return tuple(fact.sentence for fact in why.reasons if fact.sentence is not None)


def _written(position: Position, line: Sequence[str], most: int = _SHOWN) -> list[str]:
    return [*position.line_text(line[:most]), *(["..."] if len(line) > most else [])]


def _result(position: Position, side: int) -> float | None:
    """The result of a finished game for a side."""
    result = position.result
    return result if result is None or side == 0 else 1.0 - result
