// In place of games/registry.h when noughts and crosses is the only game (tests/test_new_game.py).
#pragma once

#define KIBITZ_GAMES(GAME) GAME(noughts)
