"""A GTP program for tests, which plays Race or breaks down in the way its argument names. A second argument
is a file for what it hears."""

import os
import random
import sys
import time

fault = sys.argv[1] if len(sys.argv) > 1 else ""
heard = open(sys.argv[2] if len(sys.argv) > 2 else os.devnull, "a", buffering=1)  # noqa: SIM115
chance = random.Random(5)
sys.stderr.write("some talk that nobody asked for\n" * 3000)

for line in sys.stdin:
    command, *arguments = line.split()
    heard.write(line)
    if command == "quit":
        if fault == "stays":
            time.sleep(600)
        print("=\n", flush=True)
        break
    if command == "list_commands":
        print("= play\ngenmove\nclear_board\ntime_settings\ntime_left\n", flush=True)
    elif command == "genmove":
        if fault == "hangs":
            time.sleep(600)
        if fault == "dies":
            sys.exit(3)
        if fault == "babbles":
            print("what?\n", flush=True)
        elif fault in ("passes", "resigns"):
            print("= resign\n" if fault == "resigns" else "= pass\n", flush=True)
        elif fault == "illegal":
            print("= Z99\n", flush=True)
        else:
            print(f"=\t{chance.choice(['+0', '+1', '+2'])}\r\n\n", flush=True)
    elif command == "play" and (len(arguments) != 2 or arguments[0] not in "bw"):
        print("? syntax error\n", flush=True)
    else:
        print("=\n", flush=True)
