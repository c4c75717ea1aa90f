"""One sentence of each command, in the order in which `kibitz --help` lists them: it imports none of them.

A test compares them with what the commands say of themselves.
"""

from __future__ import annotations

SUMMARIES = {
    "demo": "Show a steered analysis of every game.",
    "analyze": "Analyze a position, or every position of a game.",
    "review": "Review the games of a file or a folder: what each move cost, and why.",
    "play": "Play against the engine in the terminal.",
    "serve": "Serve the web app: play, analyze and steer in the browser.",
    "match": "Play a match of A against B: Elo with a 95% interval.",
    "selfplay": "Play games of the engine against itself, with or without a network.",
    "cluster": "Show the nodes of a Ray cluster and the progress of runs.",
    "solve": "Solve a position exactly: score, best move and PV.",
    "perft": "Count lines of play of DEPTH plies (perft).",
    "bench": "Measure search speed and print the search's signature.",
    "judge": "Judge a match of two OTP players who connect to PORT.",
    "otp": "Connect to an OTP judge and play until it says quit.",
    "nboard": "Run as an NBoard engine (protocol version 2) on stdin and stdout.",
    "uci": "Run as a UCI chess engine on stdin and stdout.",
    "gtp": "Run as a GTP engine on stdin and stdout, with KataGo's extensions.",
    "mcp": "Serve tools for assistants by the Model Context Protocol, on stdin and stdout.",
    "lichess-engine": "Answer the analysis board of lichess.org with the engine of this machine.",
    "completion": "Print a script that completes commands and options in bash, zsh or fish.",
    "tune": "Tune Junqi's weights by self-play (SPSA), then test them against the ones it began with (SPRT).",
    "arena": "Ladders of several players.",
    "book": "Opening books: positions from records, values from the engine.",
    "nets": "Networks: KataGo's for Go (.bin.gz), Lc0's for chess (.pb.gz), Kibitz's own (.knet).",
    "train": "Train networks: label positions with a teacher, train, export.",
    "katago": "KataGo's protocols.",
    "style": "Measure and compare the style of chess games.",
    "junqi": "Records, layouts and weights of Junqi.",
    "othello": "The evaluation of Othello.",
    "tablebase": "Exact tables of ultimate tic-tac-toe: build, probe, verify.",
}
