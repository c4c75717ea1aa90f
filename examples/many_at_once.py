"""A pool shares the cores among many requests of one program."""

import asyncio

import kibitz


async def main() -> None:
    positions = [kibitz.othello.Position().play(move) for move in ("d3", "c4", "f5", "e6")]
    async with kibitz.Pool("othello") as pool:
        reports = await asyncio.gather(*(pool.aanalyze(one, simulations=500) for one in positions))
    for report in reports:
        print(report.best, f"{report.root.value:.1%}")


asyncio.run(main())
