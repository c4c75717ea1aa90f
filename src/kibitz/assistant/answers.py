"""What assistants ask, answered with facts, evidence and ready sentences, small enough for a model's context.

>>> import asyncio
>>> asyncio.run(Answers().legal_moves("othello"))["moves"]
['d3', 'c4', 'f5', 'e6']

A position is the game's own text (a FEN in chess; empty for the start) and the moves played from there. Every
limit is checked before anything is searched, and one engine a game serves one question after the other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from kibitz.comparison import Compare
from kibitz.engine import Engine
from kibitz.errors import BadRequest
from kibitz.explanation import explain
from kibitz.facts import Fact
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.json_form import encode
from kibitz.questions import Question, Reply
from kibitz.report import MoveInfo, Report
from kibitz.request import Request, make_request
from kibitz.review.effort import DEFAULT, make_effort
from kibitz.review.examine import Examination
from kibitz.review.labels import summaries, worst_first
from kibitz.review.records import record_of
from kibitz.sentences import LANGUAGES
from kibitz.server.records import find_out

#: Seconds of one search, moves before a position, moves of a reviewed game, letters of a record.
MOST_SECONDS = 60.0
MOST_MOVES = 2000
MOST_REVIEWED = 600
MOST_LETTERS = 500_000
#: Moves of an answer, moves of a line, facts of a move, mistakes of a review.
_TOP, _LINE, _FACTS, _WORST = 5, 8, 6, 8
_EXACT_SECONDS = 10.0


class Answers:
    """The answers to every question. `close` ends its engines."""

    def __init__(self) -> None:
        self._engines: dict[str, Engine] = {}
        self._turn = asyncio.Lock()

    def close(self) -> None:
        for engine in self._engines.values():
            engine.close()
        self._engines.clear()

    # -- questions --------------------------------------------------------------------------------

    async def legal_moves(self, game: str, position: str = "", moves: Sequence[str] = ()) -> dict[str, Any]:
        """Who is to move, and every legal move; or how the game ended."""
        at = _position(game, position, moves)
        answer = {"game": game, "position": at.notation, "over": at.is_over}
        return answer if at.is_over else {**answer, "toMove": at.mover, "moves": list(at.legal_moves)}

    async def analyze(
        self,
        game: str,
        position: str = "",
        moves: Sequence[str] = (),
        include: Sequence[str] = (),
        avoid: Sequence[str] = (),
        seconds: float = 1.0,
        language: str = "en",
    ) -> dict[str, Any]:
        """The best moves with their values and lines, and why the best one is best. Moves in `include` are
        always searched and answered; those in `avoid` never chosen."""
        at = _position(game, position, moves)
        request = make_request(at, seconds=_seconds(seconds), include=list(include), avoid=list(avoid))
        report = await self._search(request.with_analysis_defaults())
        return {**_found(report), **_explained(report, None, _language(language))}

    async def compare(
        self,
        game: str,
        candidates: Sequence[str],
        position: str = "",
        moves: Sequence[str] = (),
        within: float = 0.01,
        seconds: float = 5.0,
        language: str = "en",
    ) -> dict[str, Any]:
        """Which of the candidates is best, and how sure that is: better by so much with a 95% interval,
        equal, or undecided in the time."""
        at = _position(game, position, moves)
        wish = Compare(tuple(candidates), within)
        report = await self._search(make_request(at, seconds=_seconds(seconds), compare=wish))
        answer = _found(report)
        if report.comparison is not None:
            words = [sentence.worded(_language(language)) for sentence in report.comparison.said]
            answer |= {"comparison": encode(report.comparison), "said": words}
        return answer

    async def why(
        self,
        game: str,
        move: str,
        position: str = "",
        moves: Sequence[str] = (),
        seconds: float = 2.0,
        language: str = "en",
    ) -> dict[str, Any]:
        """Why a move is good or bad: its value beside the best move's, the line that answers it, the facts of
        that line with their evidence, and sentences."""
        at = _position(game, position, moves)
        if at.is_over:
            raise BadRequest("the game is over")
        spelled = at.state.move_text(at.parse_move(move))
        report, reply = await self._asked(at, Question("whyNot", (spelled,)), seconds)
        answer = {**_about(report), "move": spelled, **_replied(reply, _language(language))}
        if (info := next((info for info in report.moves if info.move == spelled), None)) is not None:
            answer["found"] = _move(info)
        if reply.best and reply.best != spelled:
            answer["better"] = {**_move(report.moves[0]), **_explained(report, None, language)}
        return answer

    async def line(
        self,
        game: str,
        line: Sequence[str],
        position: str = "",
        moves: Sequence[str] = (),
        seconds: float = 3.0,
        language: str = "en",
    ) -> dict[str, Any]:
        """What a line of play is worth, move by move: the value of each beside the best one's, where the line
        leaves the best play, and what that costs."""
        return await self._answer(game, position, moves, Question("line", tuple(line)), seconds, language)

    async def threat(
        self,
        game: str,
        position: str = "",
        moves: Sequence[str] = (),
        seconds: float = 2.0,
        language: str = "en",
    ) -> dict[str, Any]:
        """What the other side would do if it were its turn, and what that is worth."""
        return await self._answer(game, position, moves, Question("threat"), seconds, language)

    async def refute(
        self,
        game: str,
        move: str,
        position: str = "",
        moves: Sequence[str] = (),
        seconds: float = 3.0,
        language: str = "en",
    ) -> dict[str, Any]:
        """The shortest line after which the loss of a move is plain; or that the move is not refuted."""
        return await self._answer(game, position, moves, Question("refute", (move,)), seconds, language)

    async def what_changed(
        self,
        game: str,
        moves: Sequence[str],
        position: str = "",
        since: int = -1,
        seconds: float = 3.0,
        language: str = "en",
    ) -> dict[str, Any]:
        """What changed between two positions of a game: the values of both, what each of the moves between
        them cost, and why the costliest did. `since` is the number of moves before the earlier position;
        below 0 it is counted back from the end of `moves`."""
        return await self._answer(game, position, moves, Question("changed", (), since), seconds, language)

    async def review(self, record: str, effort: str = "quick", language: str = "en") -> dict[str, Any]:
        """The mistakes of a game, the worst first, with what was better and why. `record` is the text of a
        PGN, SGF, GGF or JGS file; effort is quick, normal or deep."""
        _language(language)
        if len(record) > MOST_LETTERS:
            raise BadRequest(f"a record of more than {MOST_LETTERS} letters is not reviewed")
        opened = find_out(record.encode())
        if not opened.games:
            raise BadRequest("the record has no game")
        last = registry.position_from_dict(opened.games[0].record or {})
        if not 1 <= len(last.moves) <= MOST_REVIEWED:
            raise BadRequest(f"a game of 1 to {MOST_REVIEWED} moves is reviewed, this has {len(last.moves)}")
        made = record_of(last)
        configuration = self._engine(last.game).configuration
        examination = Examination(made, make_effort(configuration, effort or DEFAULT))
        for number in range(len(made.positions)):
            if (request := examination.look(number)) is not None:
                examination.reports[number] = await self._search(request)
        for number in range(len(made.moves)):
            checks = [await self._search(request) for request in examination.checks_of(number)]
            examination.checks[number] = checks
        turns = [examination.turn(number) for number in range(len(made.moves))]
        worst = []
        for turn in worst_first(turns)[:_WORST]:
            report = examination.reports[turn.number - 1]
            names = made.named(turn)
            row = {
                "move": made.label(turn),
                "side": turn.side,
                "played": names.played,
                "label": turn.label,
                "cost": round(turn.loss, 4),
                "better": names.best,
                "line": list(names.line[:_LINE]),
            }
            if report is not None:
                row["why"] = _explained(report, None, language)["why"]
            worst.append(row)
        return {
            "game": last.game,
            "title": opened.games[0].title,
            "moves": len(turns),
            "searched": str(examination.effort.said),
            "players": encode([one.to_dict() for one in summaries(turns)]),
            "worst": worst,
        }

    async def solve(
        self, game: str, position: str = "", moves: Sequence[str] = (), seconds: float = _EXACT_SECONDS
    ) -> dict[str, Any]:
        """The exact result of every move, where the game has a solver that gets there in the time."""
        at = _position(game, position, moves)
        solver = registry.get(game).solve
        if solver is None:
            raise BadRequest(f"{game} has no exact solver")
        if at.is_over:
            raise BadRequest("the game is over")
        async with self._turn:
            exact = await asyncio.to_thread(solver, at, _seconds(seconds), lambda: False, True)
        if exact is None:
            return {"game": game, "position": at.notation, "solved": False}
        results = ("loss", "draw", "win")
        found = [
            {"move": item.move, "result": results[item.half_points]}
            | ({} if item.score is None else {"score": item.score})
            for item in exact.moves
        ]
        return {"game": game, "position": at.notation, "toMove": at.mover, "solved": True, "moves": found}

    # -- searching --------------------------------------------------------------------------------

    def _engine(self, game: str) -> Engine:
        if game not in self._engines:
            self._engines[game] = Engine(game)
        return self._engines[game]

    async def _answer(
        self,
        game: str,
        position: str,
        moves: Sequence[str],
        question: Question,
        seconds: float,
        language: str,
    ) -> dict[str, Any]:
        at = _position(game, position, moves)
        report, reply = await self._asked(at, question, seconds)
        return {**_about(report), **_replied(reply, _language(language))}

    async def _asked(self, at: Position, question: Question, seconds: float) -> tuple[Report, Reply]:
        """The reply to a question; an error where it cannot be answered."""
        request = make_request(at, seconds=_seconds(seconds), ask=question)
        report = await self._search(request.with_analysis_defaults())
        if not report.replies:
            raise BadRequest("; ".join(item.reason for item in report.steering.refused))
        return report, report.replies[0]

    async def _search(self, request: Request) -> Report:
        async with self._turn:
            engine = await asyncio.to_thread(self._engine, request.position.game)
            return [report async for report in engine.arun(request)][-1]


def _position(game: str, notation: str, moves: Sequence[str]) -> Position:
    if len(moves) > MOST_MOVES:
        raise BadRequest(f"at most {MOST_MOVES} moves, got {len(moves)}")
    start = registry.get(game).position(notation or None)
    return start.play(*moves)


def _seconds(seconds: float) -> float:
    if not 0 < seconds <= MOST_SECONDS:
        raise BadRequest(f"seconds must be above 0 and at most {MOST_SECONDS:g}, got {seconds!r}")
    return seconds


def _language(language: str) -> str:
    if language not in LANGUAGES:
        raise BadRequest(f"language must be one of {', '.join(LANGUAGES)}, got {language[:40]!r}")
    return language


def _move(info: MoveInfo) -> dict[str, Any]:
    answer: dict[str, Any] = {"move": info.move, "value": round(info.value, 4), "line": info.line[:_LINE]}
    if info.score is not None:
        answer["score"] = round(info.score, 2)
    if info.proven:
        answer["proven"] = info.proven
    if info.upper_bound:
        answer["valueIsUpperBound"] = True
    return answer


def _found(report: Report) -> dict[str, Any]:
    refused = [{"move": item.move, "why": item.reason} for item in report.steering.refused]
    return {
        **_about(report),
        "best": report.best,
        "moves": [_move(info) for info in report.top(_TOP)],
        **({"refused": refused} if refused else {}),
    }


def _about(report: Report) -> dict[str, Any]:
    position = report.position.mover_view()
    return {
        "game": position.game,
        "position": position.notation,
        "toMove": position.mover,
        "searched": report.summary(),
    }


def _replied(reply: Reply, language: str) -> dict[str, Any]:
    """A reply, small: sentences, the line that shows it, the steps of a line, the first facts."""
    answer: dict[str, Any] = {"verdict": reply.verdict, "why": reply.sentences(language)}
    for name in ("move", "best", "position"):
        if value := getattr(reply, name):
            answer["from" if name == "position" else name] = value
    if reply.verdict != "unanswered":
        answer["worth" if reply.question.kind == "threat" else "loses"] = round(reply.by, 4)
    if reply.line:
        answer["line"] = reply.line[:_LINE]
    if reply.steps:
        answer["steps"] = [
            {**encode(step), **{name: round(getattr(step, name), 4) for name in ("value", "cost")}}
            for step in reply.steps
        ]
    return {**answer, "facts": [_fact(fact) for fact in reply.facts[:_FACTS]]}


def _explained(report: Report, move: str | None, language: str) -> dict[str, Any]:
    explanation = explain(report, move=move)
    return {
        "why": explanation.sentences(language),
        "facts": [_fact(fact) for fact in explanation.facts[:_FACTS]],
    }


def _fact(fact: Fact) -> dict[str, Any]:
    names = ("code", "ply", "side", "parameters", "evidence")
    return {name: encode(getattr(fact, name)) for name in names}
