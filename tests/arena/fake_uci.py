"""A UCI program for tests: plays any legal move, writes what it hears to a file, or breaks down in the way
its argument names."""

import os
import random
import signal
import sys
import time

import chess

fault = sys.argv[1] if len(sys.argv) > 1 else ""
heard = open(sys.argv[2] if len(sys.argv) > 2 else os.devnull, "a", buffering=1)  # noqa: SIM115
heard.write(f"pid {os.getpid()}\n")
chance = random.Random(3)
board = chess.Board()
moves = 0

for line in sys.stdin:
    words = line.split()
    heard.write(line)
    if words[:1] == ["uci"]:
        print("option name Skill Level type spin default 20 min 0 max 20")
        print("option name Style type combo default Solid var Solid var Risky Play")
        print("option name Ponder type check default false")
        print("uciok", flush=True)
    elif words[:1] == ["ucinewgame"]:
        moves = 0
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:2] == ["position", "fen"]:
        board = chess.Board(" ".join(words[2:8]))
        for move in words[9:]:
            board.push_uci(move)
    elif words[:1] == ["go"]:
        moves += 1
        if fault == "slow":
            time.sleep(0.3)
        if fault and moves == 3:
            if fault == "dies":
                sys.exit(3)
            if fault == "ignores SIGTERM":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if fault in ("hangs", "ignores SIGTERM"):
                time.sleep(600)
            if fault == "babbles":
                while True:
                    print("info string thinking")
            if fault == "says nothing":
                print("bestmove", flush=True)
                continue
        print(f"info depth 1\nbestmove {chance.choice(list(board.legal_moves)).uci()}", flush=True)
    elif words[:1] == ["quit"]:
        break
