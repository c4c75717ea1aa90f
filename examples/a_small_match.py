"""A match of two players, with Elo and its interval."""

from kibitz.arena import run_match

match = run_match("othello", "uct:simulations=50", "random", games=4, processes=0)
print(match)
