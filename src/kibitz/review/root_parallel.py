"""One position on many processors or machines: searches of their own from the root, put together.

Root parallelization: the searches share nothing while they run, so they can be anywhere, and each needs
memory for its own part only. They have to differ to be worth more than one of them: every search but the
first has its own seed, sees a network's board in random orientation and explores a little more widely at the
root.
"""

from __future__ import annotations

from dataclasses import replace

from kibitz.errors import BadOption
from kibitz.plan import Configuration, plan
from kibitz.report import Report
from kibitz.report.merge import merged
from kibitz.request import Budget, Request
from kibitz.review.review_task import AnalysisJob, AnalysisTask, analyzed
from kibitz.sentences import Sentence
from kibitz.steering import Audit, Refused, Steering

#: KataGo's wideRootNoise, with the value that its analysis has.
ROOT_NOISE = 0.04
#: What one tree answers and several do not.
_ONE_TREE = ("compare", "within", "ask")


def shares(request: Request, searches: int, seed: int = 1) -> list[Request]:
    """The part of each search: its share of the visits, of the simulations and of the guaranteed visits, and
    all of the time."""
    wide = {"root_noise": ROOT_NOISE, "symmetry": "random", **request.options}
    return [
        replace(
            request,
            steering=_steering(request.steering, number, searches),
            budget=_budget(request.budget, number, searches),
            options={**(wide if number else request.options), "seed": seed + number},
            tree_depth=0,
        )
        for number in range(searches)
    ]


def _part(whole: int, number: int, searches: int) -> int:
    """Parts that differ by one at most and add up to the whole."""
    return whole // searches + (number < whole % searches)


def _budget(budget: Budget, number: int, searches: int) -> Budget:
    def part(limit: int | None) -> int | None:
        return None if limit is None else max(1, _part(limit, number, searches))

    return replace(budget, simulations=part(budget.simulations), visits=part(budget.visits))


def _steering(steering: Steering, number: int, searches: int) -> Steering:
    include = {move: _part(visits, number, searches) for move, visits in steering.include.items()}
    plausible = steering.plausible
    if plausible is not None:
        plausible = replace(plausible, min_visits=max(1, _part(plausible.min_visits, number, searches)))
    return replace(
        steering,
        include={move: visits for move, visits in include.items() if visits},
        plausible=plausible,
        compare=None,
        within=None,
        ask=(),
    )


def refused(steering: Steering) -> list[Refused]:
    """What has to be asked of one search."""
    why = Sentence("audit.oneTree")
    return [Refused(kind, "", why) for kind in _ONE_TREE if getattr(steering, kind)]


def check(request: Request, configuration: Configuration) -> None:
    """Raises BadOption where the search is none whose trees can be put together."""
    prepared = plan(request, configuration)
    if prepared.family != "tree" or not hasattr(prepared.options, "root_noise"):
        raise BadOption(
            f"several searches of one position of {configuration.game} need the tree search; -o search=tree "
            "chooses it where the game has it"
        )


def analyze_in_parallel(task: AnalysisTask, request: Request, *, processes: int, fleet: str = "") -> Report:
    """The report of as many searches as there are worker processes."""
    if processes < 1:
        raise BadOption("several searches of one position need their number: --processes 4, 4@ray:ADDRESS")
    parts = shares(request, processes, int(task.options.get("seed", 1)))
    jobs = [AnalysisJob(number, part) for number, part in enumerate(parts)]
    found = dict(analyzed(task, jobs, processes=processes, fleet=fleet))
    reports = [found[job.id] for job in jobs]
    audit = _whole_audit(reports[0].steering, request.steering)
    return merged(reports, audit)


def _whole_audit(part: Audit, steering: Steering) -> Audit:
    """The audit of one part, with what was asked of all of them."""
    honoured = [
        replace(
            item,
            said=tuple(
                Sentence("audit.atLeast", {"visits": steering.include[item.move]})
                if item.kind == "include" and sentence.code == "audit.atLeast"
                else sentence
                for sentence in item.said
            ),
        )
        for item in part.honoured
    ]
    return Audit(tuple(honoured), (*part.refused, *refused(steering)))
