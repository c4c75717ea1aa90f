while True:
    row, column = map(int, input().split())
    moves = [input() for _ in range(int(input()))]
    print(moves[0], flush=True)
