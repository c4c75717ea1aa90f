"""An NBoard program for tests: plays the first legal move, or breaks down in the way its argument names."""

import sys
import time

from kibitz.games.othello import Position
from kibitz.games.othello.records import ggf

fault = sys.argv[1] if len(sys.argv) > 1 else ""
position = Position()

for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if command == "nboard":
        print("set myname Fake")
    elif command == "set" and rest.startswith("game "):
        position = ggf.read(rest[5:])[0].position()
    elif command == "ping":
        print(f"pong {rest}", flush=True)
    elif command == "go":
        if fault == "dies":
            sys.exit(3)
        if fault == "hangs":
            time.sleep(600)
        move = "a1" if fault == "illegal" else position.legal_moves[0]
        print("status Thinking\nsearch f5 0.00 0 1")
        print(f"=== {'PA' if move == 'pass' else move.upper()}/1.25/0.1", flush=True)
    elif command == "quit":
        break
