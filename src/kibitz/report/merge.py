"""Reports of several searches of one position as the report of all of them.

Each search had a tree of its own. Counts are added up; what they judged is weighed by their visits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from kibitz.report import Report
from kibitz.report.judgement import Judgement, MoveInfo
from kibitz.sentences import Sentence
from kibitz.steering import Audit, Honoured

_Judged = TypeVar("_Judged", bound=Judgement)

_SUMS = ("visits", "guaranteed")
_MEANS = ("value", "draw", "score", "score_stdev", "lead", "utility", "style")
_VECTORS = ("ownership", "ownership_stdev")
_MOVE_SUMS = ("votes", "weightless", "min_visits")
_ROOT_SUMS = ("reused", "nodes", "memory_bytes")


def merged(reports: Sequence[Report], audit: Audit | None = None) -> Report:
    """One report of all. The best move is the one with the most votes of all searches together. `audit` takes
    the place of the first report's, for the sum of the guaranteed visits to be noted in."""
    first = reports[0]
    if len(reports) == 1 and audit is None:
        return first
    parts: dict[str, list[MoveInfo]] = {}
    for report in reports:
        for info in report.moves:
            parts.setdefault(info.move, []).append(info)
    moves = sorted(map(_merged_move, parts.values()), key=_rank)
    roots = [report.root for report in reports]
    root = replace(
        _merged_judgement(roots),
        **{name: sum(getattr(part, name) for part in roots) for name in _ROOT_SUMS},
        depth=max(part.depth for part in roots),
        mean_depth=_mean([part.mean_depth for part in roots], [part.visits for part in roots]),
        tree_full=any(part.tree_full for part in roots),
        raw_evaluation=roots[0].raw_evaluation,
    )
    return replace(
        first,
        moves=tuple(replace(info, order=order) for order, info in enumerate(moves)),
        root=root,
        steering=_merged_audit(audit or first.steering, [report.steering for report in reports]),
        simulations=sum(report.simulations for report in reports),
        seconds=max(report.seconds for report in reports),
        engine=f"{first.engine}, {len(reports)} searches",
        final=all(report.final for report in reports),
        tree=(),
        tree_dump="",
    )


def _rank(info: MoveInfo) -> tuple[Any, ...]:
    return info.proven != "win", info.proven == "loss", -info.votes, -info.visits, -info.value


def _merged_move(parts: Sequence[MoveInfo]) -> MoveInfo:
    most = max(parts, key=lambda part: part.visits)
    value = _merged_judgement(parts)
    # The searches err independently, as far as they are different searches.
    shares = [part.visits / max(1, value.visits) for part in parts]
    doubts = (share * (part.value - part.lcb) for share, part in zip(shares, parts, strict=True))
    return replace(
        value,
        **{name: sum(getattr(part, name) for part in parts) for name in _MOVE_SUMS},
        lcb=value.value - math.hypot(*doubts),
        utility_lcb=None,
        pruned=all(part.pruned for part in parts),
        line=most.line,
        line_visits=most.line_visits,
        selection=None,
        improved=None,
    )


def _merged_judgement(parts: Sequence[_Judged]) -> _Judged:
    weights = [part.visits for part in parts]
    made: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in _SUMS}
    for name in _MEANS:
        values = [getattr(part, name) for part in parts]
        made[name] = None if None in values else _mean(values, weights)
    for name in _VECTORS:
        rows = [getattr(part, name) for part in parts]
        made[name] = tuple(_mean(column, weights) for column in zip(*rows, strict=True)) if all(rows) else ()
    made["proven"] = next((part.proven for part in parts if part.proven), None)
    if all(part.weight is not None for part in parts):
        made["weight"] = sum(part.weight or 0.0 for part in parts)
    return replace(parts[0], **made)


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    total = sum(weights)
    if not total:
        return sum(values) / len(values)
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / total


def _merged_audit(asked: Audit, audits: Sequence[Audit]) -> Audit:
    """What was asked, with the visits of all searches where the audit counts them."""
    got: dict[tuple[str, str], int] = {}
    for audit in audits:
        for item in audit.honoured:
            for sentence in item.said:
                if sentence.code == "audit.got":
                    key = (item.kind, item.move)
                    got[key] = got.get(key, 0) + int(sentence.values["visits"])
    honoured = [_counted(item, got.get((item.kind, item.move))) for item in asked.honoured]
    return Audit(tuple(honoured), asked.refused)


def _counted(item: Honoured, visits: int | None) -> Honoured:
    if visits is None:
        return item
    said = tuple(sentence for sentence in item.said if sentence.code != "audit.got")
    return replace(item, said=(*said, Sentence("audit.got", {"visits": visits})))
