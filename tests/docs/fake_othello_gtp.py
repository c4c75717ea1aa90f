"""A GTP program for samples that name an Othello engine: plays the first legal move."""

import sys

from kibitz.games.othello import Position

position = Position()
for line in sys.stdin:
    command, *arguments = line.split() or [""]
    answer = ""
    if command == "list_commands":
        answer = "play\ngenmove\nclear_board\nquit"
    elif command == "clear_board":
        position = Position()
    elif command in ("play", "genmove"):
        move = arguments[1].lower() if command == "play" else position.legal_moves[0]
        position = position.play(move)
        answer = "" if command == "play" else move
    print(f"= {answer}\n", flush=True)
    if command == "quit":
        break
