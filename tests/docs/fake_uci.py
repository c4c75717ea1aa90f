"""A UCI program for samples that name another engine: plays the first legal move."""

import sys

import chess

board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if not words:
        continue
    if words[0] == "uci":
        print("id name Stand-in")
        for option in ("Skill Level", "Threads", "Hash", "MinibatchSize", "MaxPrefetch"):
            print(f"option name {option} type spin default 1 min 0 max 1024")
        print("option name SmartPruningFactor type string default 1.33")
        print("option name OutOfOrderEval type check default true")
        print("uciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        fen = " ".join(words[2:8]) if words[1] == "fen" else chess.STARTING_FEN
        board = chess.Board(fen)
        for move in words[words.index("moves") + 1 :] if "moves" in words else ():
            board.push_uci(move)
    elif words[0] == "go":
        print("info depth 1 score cp 10")
        print(f"bestmove {next(iter(board.legal_moves))}", flush=True)
    elif words[0] == "quit":
        break
