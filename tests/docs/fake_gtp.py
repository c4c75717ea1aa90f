"""A GTP program for samples that name another engine: plays the first legal move in Othello, passes in Go."""

import sys

from kibitz.games.othello import Position

game = sys.argv[1]
position = Position()
for line in sys.stdin:
    command, *arguments = line.split() or [""]
    answer = ""
    if command == "list_commands":
        answer = "play\ngenmove\nclear_board\nboardsize\nkomi\nquit"
    elif game == "go":
        answer = "pass" if command == "genmove" else ""
    elif command == "clear_board":
        position = Position()
    elif command in ("play", "genmove"):
        move = arguments[1].lower() if command == "play" else position.legal_moves[0]
        position = position.play(move)
        answer = "" if command == "play" else move
    print(f"= {answer}\n", flush=True)
    if command == "quit":
        break
