"""A Report in the words of KataGo's analysis engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kibitz.games.base import Position
from kibitz.protocols.katago_query import Job
from kibitz.report import MoveInfo, Report
from kibitz.sentences import joined


class View:
    """Turns the mover's numbers into those of the side that reports are for (BLACK, WHITE, SIDETOMOVE)."""

    def __init__(self, position: Position, perspective: str, symmetric: bool = True) -> None:
        own = {"BLACK": 0, "WHITE": 1}.get(perspective, position.to_move)
        self.own = position.to_move == own
        #: Whether moves that a symmetry makes equal to a searched one are shown too.
        self.symmetric = symmetric
        #: Ownership is black's in a report.
        self.black = own == 0

    def rate(self, value: float) -> float:
        return value if self.own else 1.0 - value

    def points(self, value: float | None) -> float:
        return (value or 0.0) * (1.0 if self.own else -1.0)

    def owners(self, values: Sequence[float]) -> list[float]:
        return [round(value if self.black else -value, 6) for value in values]


def answer(job: Job, report: Report) -> dict[str, Any]:
    """The response to one position of a query."""
    view = View(job.position, job.settings.perspective, job.settings.prunes_symmetries)
    report = job.settings.human_choice.applied(report)
    fields: dict[str, Any] = {
        "id": job.id,
        "isDuringSearch": not report.final,
        "turnNumber": job.turn,
        # A report whose visits were all guaranteed also lists moves that have none.
        "moveInfos": [item for item in move_infos(report, view, job.wants) if item["visits"]],
        "rootInfo": root_info(report, view),
    }
    if "ownership" in job.wants and report.root.ownership:
        fields["ownership"] = view.owners(report.root.ownership)
    if "ownership_stdev" in job.wants and report.root.ownership_stdev:
        fields["ownershipStdev"] = [round(value, 6) for value in report.root.ownership_stdev]
    if "policy" in job.wants:
        fields["policy"] = policy(report)
        if report.human is not None:
            fields["humanPolicy"] = _by_point(report, report.human.policy)
    if report.human is not None and (people := report.human_view) is not None:
        fields["humanView"] = people.to_dict()
    if report.replies:
        fields["replies"] = [{**reply.to_dict(), "text": joined(reply.said)} for reply in report.replies]
    return fields


def empty_answer(job: Job) -> dict[str, Any]:
    """For a position that was terminated before anything was known of it."""
    return {"id": job.id, "isDuringSearch": False, "noResults": True, "turnNumber": job.turn}


def policy(report: Report) -> list[float]:
    """The priors row by row from the top, the pass last; -1 where a move is illegal."""
    return _by_point(
        report,
        report.policy
        or dict.fromkeys(report.position.legal_moves, 1.0 / max(1, len(report.position.legal_moves))),
    )


def _by_point(report: Report, shares: Mapping[str, float]) -> list[float]:
    columns, rows = report.position.size  # type: ignore[attr-defined]
    values = [-1.0] * (columns * rows + 1)
    for text, prior in shares.items():
        values[report.position.state.parse_move(text)] = prior
    return values


def _human_root(report: Report, view: View) -> dict[str, Any]:
    """What the human model says about the position itself."""
    own = None if report.human is None else report.human.own
    if own is None:
        return {}
    return {
        "humanWinrate": view.rate(own["value"]),
        "humanScoreMean": view.points(own.get("score")),
        "humanScoreStdev": own.get("score_stdev", 0.0),
        "humanStWrError": 0.5 * own.get("value_error", -1.0),
        "humanStScoreError": own.get("score_error", -1.0),
    }


def root_info(report: Report, view: View) -> dict[str, Any]:
    root, state = report.root, report.position.state
    own = root.raw_evaluation or {}
    raw = own.get("value", root.value)
    return _human_root(report, view) | {
        "currentPlayer": "BW"[report.position.to_move],
        "winrate": view.rate(root.value),
        "scoreLead": view.points(root.lead),
        "scoreSelfplay": view.points(root.score),
        "scoreStdev": root.score_stdev or 0.0,
        "utility": view.points(2.0 * root.value - 1.0 if root.utility is None else root.utility),
        "visits": root.visits,
        "weight": float(root.visits if root.weight is None else root.weight),
        "rawWinrate": view.rate(raw),
        "rawLead": view.points(own.get("lead")),
        "rawScoreSelfplay": view.points(own.get("score")),
        "rawScoreSelfplayStdev": own.get("score_stdev", 0.0),
        "rawNoResultProb": own.get("draw", 0.0),
        "rawStWrError": 0.5 * own.get("value_error", -1.0),
        "rawStScoreError": own.get("score_error", -1.0),
        "rawVarTimeLeft": own.get("turns_left_variance", -1.0),
        "thisHash": f"{state.situation_hash:016X}{state.hash:016X}",
        "symHash": f"{state.symmetric_hash:016X}{state.symmetric_hash ^ 0x9E3779B97F4A7C15:016X}",
    }


def move_infos(report: Report, view: View, wants: frozenset[str]) -> list[dict[str, Any]]:
    """Every move that was searched, best first, and the moves that symmetries make equal to them."""
    infos: list[dict[str, Any]] = []
    if report.root.visits <= 1 and not any(info.weightless for info in report.moves):
        return infos
    answers = {answer.move: answer.text for answer in report.answers}
    for order, info in enumerate(_katago_order(report.moves)):
        infos.append(_move_info(replace(info, order=order), view, wants))
        if info.move in answers:
            infos[-1]["answer"] = answers[info.move]
    return _with_images(report, infos) if view.symmetric else infos


def _katago_order(moves: Sequence[MoveInfo]) -> Sequence[MoveInfo]:
    """KataGo orders by visits, whoever asked for them; a report by what speaks for a move."""
    if not any(info.guaranteed for info in moves):
        return moves

    def key(info: MoveInfo) -> tuple[float, ...]:
        rank = {"win": 0, "loss": 2}.get(info.proven or "", 1)
        own = info.visits - info.guaranteed
        selection = info.selection or 0.0
        return (rank, not info.visits, -selection, -own, -info.visits, -info.value, -info.prior)

    return sorted(moves, key=key)


def _move_info(info: MoveInfo, view: View, wants: frozenset[str]) -> dict[str, Any]:
    utility = 2.0 * info.value - 1.0 if info.utility is None else info.utility
    bound = utility if info.utility_lcb is None else info.utility_lcb
    weight = float(info.visits if info.weight is None else info.weight)
    counted = info.visits - info.weightless
    item: dict[str, Any] = {
        "move": info.move,
        "visits": info.visits,
        "edgeVisits": counted,
        "winrate": view.rate(info.value),
        "scoreMean": view.points(info.lead),
        "scoreLead": view.points(info.lead),
        "scoreSelfplay": view.points(info.score),
        "scoreStdev": info.score_stdev or 0.0,
        "prior": info.prior,
        "utility": view.points(utility),
        "lcb": view.rate(info.lcb),
        "utilityLcb": view.points(bound),
        "weight": weight,
        "edgeWeight": weight * counted / info.visits if info.weightless else weight,
        "order": info.order,
        "playSelectionValue": float(counted) if info.selection is None else info.selection,
        "pv": list(info.line),
    }
    if info.human is not None:
        item["humanPrior"] = info.human
    if "no_result" in wants:
        item["noResultValue"] = info.draw
    if "pv_visits" in wants:
        item["pvVisits"] = list(info.line_visits)
        item["pvEdgeVisits"] = list(info.line_visits)
    if "moves_ownership" in wants and info.ownership:
        item["ownership"] = view.owners(info.ownership)
    if "moves_ownership_stdev" in wants and info.ownership_stdev:
        item["ownershipStdev"] = [round(value, 6) for value in info.ownership_stdev]
    return item


def _with_images(report: Report, infos: list[dict[str, Any]]) -> list[dict[str, Any]]:
    state = report.position.state
    symmetries = state.symmetries()
    if len(symmetries) == 1:
        return infos
    shown = {item["move"] for item in infos}
    complete: list[dict[str, Any]] = []
    for item in infos:
        complete.append(item)
        for symmetry in symmetries[1:]:
            move = _image(state, item["move"], symmetry)
            if move in shown:
                continue
            shown.add(move)
            copy = {**item, "move": move, "isSymmetryOf": item["move"]}
            copy["pv"] = [_image(state, vertex, symmetry) for vertex in item["pv"]]
            for name in ("ownership", "ownershipStdev"):
                if name in item:
                    copy[name] = _turned(state, item[name], symmetry)
            complete.append(copy)
    for order, item in enumerate(complete):
        item["order"] = order
    return complete


def _image(state: Any, vertex: str, symmetry: int) -> str:
    return str(state.move_text(state.transformed(state.parse_move(vertex), symmetry)))


def _turned(state: Any, values: list[float], symmetry: int) -> list[float]:
    turned = list(values)
    for point, value in enumerate(values):
        turned[state.transformed(point, symmetry)] = value
    return turned
