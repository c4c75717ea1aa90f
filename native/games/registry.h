// Every game of the module, one line a game: `bind_NAME` in games/NAME/bind/ adds it.
#pragma once

#define KIBITZ_GAMES(GAME) \
  GAME(othello)            \
  GAME(go)                 \
  GAME(chess)              \
  GAME(uttt)               \
  GAME(junqi)              \
  GAME(python)
