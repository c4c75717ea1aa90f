"""A program for CodinGame's ultimate tic-tac-toe: plays any legal move, or breaks down in the way its
argument names. It checks that it is told what CodinGame tells."""

import random
import sys
import time

fault = sys.argv[1] if len(sys.argv) > 1 else ""
chance = random.Random(7)
taken = set()
turns = 0

while line := sys.stdin.readline():
    row, column = map(int, line.split())
    if (row, column) != (-1, -1):
        assert (row, column) not in taken
        taken.add((row, column))
    else:
        assert not taken
    legal = [tuple(map(int, sys.stdin.readline().split())) for _ in range(int(sys.stdin.readline()))]
    assert legal
    assert not taken & set(legal)
    move = chance.choice(legal)
    if fault == "ignores the list" and len(legal) == 1:
        move = (8, 8) if legal[0] != (8, 8) else (0, 0)
    taken.add(move)
    turns += 1
    if turns == 3:
        if fault == "dies":
            sys.exit(1)
        if fault == "hangs":
            time.sleep(600)
        if fault == "babbles":
            print("the middle", flush=True)
            continue
        if fault == "off the board":
            print("9 9", flush=True)
            continue
        if fault == "illegal":
            print(*next(iter(taken - {move})), flush=True)
            continue
    print("thinking", file=sys.stderr)
    print(*move, flush=True)
