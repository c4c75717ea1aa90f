"""What a fleet does, by simulation: the real dispatcher with simulated machines (simulated_fleet.py).

    python benchmarks/scaling.py --games-per-second 4 --positions-per-game 60 --result-bytes 24000

The arguments are what was measured on one machine; docs/scaling.md says where from. Prints a table over
the number of machines.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.simulated_fleet import Machines, simulate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games-per-second", type=float, required=True, help="of one machine")
    parser.add_argument("--positions-per-game", type=float, default=60.0)
    parser.add_argument("--slots", type=int, default=64, help="games at once on a machine")
    parser.add_argument("--start-seconds", type=float, default=20.0)
    parser.add_argument("--network-bytes", type=int, default=4 << 20)
    parser.add_argument("--result-bytes", type=int, default=24_000, help="of a game, on its way back")
    parser.add_argument("--stored-bytes", type=float, default=60.0, help="of a position, in a shard")
    parser.add_argument("--sender-seconds", type=float, default=0.004, help="of the sender, for one game")
    parser.add_argument("--link-mbit", type=float, default=1000.0)
    parser.add_argument("--hours-to-death", type=float, default=24.0)
    parser.add_argument("--hours", type=float, default=0.5, help="that the run lasts, about")
    parser.add_argument("--price", type=float, default=0.04, help="of a machine and hour")
    parser.add_argument("--machines", type=int, nargs="+", default=[1, 10, 30, 100, 300, 1000])
    asked = parser.parse_args()
    print(
        "| machines | games/s | positions/h | of ideal | sender busy | fetched | sent/s | stored/h "
        "| lost games | cost/h |\n|---|---|---|---|---|---|---|---|---|---|"
    )
    for machines in asked.machines:
        fleet = Machines(
            machines=machines,
            slots=asked.slots,
            job_seconds=asked.slots / asked.games_per_second,
            start_seconds=asked.start_seconds,
            file_bytes=asked.network_bytes,
            result_bytes=asked.result_bytes,
            link_bytes=asked.link_mbit * 125e3,
            sender_seconds=asked.sender_seconds,
            hours_to_death=asked.hours_to_death,
        )
        jobs = int(asked.games_per_second * 3600 * asked.hours * machines)
        outcome = simulate(fleet, jobs)
        positions = outcome.jobs_per_second * asked.positions_per_game * 3600
        print(
            f"| {machines:,} | {outcome.jobs_per_second:,.1f} | {positions / 1e6:,.2f} M "
            f"| {100 * outcome.jobs_per_second / (machines * asked.games_per_second):.0f}% "
            f"| {100 * outcome.sender_share:.0f}% | {outcome.fetched_bytes / 1e6:,.0f} MB "
            f"| {outcome.sent_bytes / outcome.seconds / 1e6:,.2f} MB "
            f"| {positions * asked.stored_bytes / 1e6:,.0f} MB "
            f"| {outcome.jobs_begun - outcome.results:,} | {machines * asked.price:,.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
