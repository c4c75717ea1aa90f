// libFuzzer over the texts that the core reads (`make fuzz-core`, Clang only). The first byte
// chooses the parser. A position that is accepted must round-trip, its moves must be read back, and
// what is refused must be std::invalid_argument: anything else ends the program.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "games/chess/game.h"
#include "games/chess/pgn.h"
#include "games/go/position.h"
#include "games/junqi/board.h"
#include "games/junqi/event.h"
#include "games/junqi/layout.h"
#include "games/junqi/view.h"
#include "games/othello/board.h"
#include "games/uttt/board.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// The first line is a position, the others are moves.
template <class Game>
void play_through(std::string_view text) {
  const std::size_t end = text.find('\n');
  Game game = Game::from_text(text.substr(0, end));
  const std::string shown = game.to_text();
  require(Game::from_text(shown).to_text() == shown);
  while (end != std::string_view::npos && !text.empty()) {
    const std::size_t next = text.find('\n');
    if (next == std::string_view::npos) break;
    text.remove_prefix(next + 1);
    const auto move = game.parse_move(text.substr(0, text.find('\n')));
    if (!game.is_legal(move)) continue;
    require(game.parse_move(game.move_text(move)) == move);
    game.play(move);
  }
}

void read_pgn(std::string_view text) {
  kibitz::chess::PgnReader reader([&](char* to, std::size_t most) {
    const std::size_t count = std::min(most, text.size());
    std::memcpy(to, text.data(), count);
    text.remove_prefix(count);
    return count;
  });
  kibitz::chess::PgnGame game;
  while (reader.next(game)) require(game.number > 0);
}

void read_junqi(std::string_view text) {
  using namespace kibitz::junqi;
  const auto tried = [&](auto read) {
    try {
      read();
    } catch (const std::invalid_argument&) {
    }
  };
  tried([&] { parse_layout(text); });
  tried([&] { parse_event(text); });
  tried([&] { parse_move(text); });
  tried([&] {
    const std::string shown = View::from_text(text).to_text();
    require(View::from_text(shown).to_text() == shown);
  });
  tried([&] {
    const std::string shown = Junqi::from_text(text).to_text();
    require(Junqi::from_text(shown).to_text() == shown);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    switch (data[0] % 6) {
      case 0:
        play_through<kibitz::Chess>(text);
        break;
      case 1:
        play_through<kibitz::Go>(text);
        break;
      case 2:
        play_through<kibitz::Othello>(text);
        break;
      case 3:
        play_through<kibitz::Uttt>(text);
        break;
      case 4:
        read_junqi(text);
        break;
      default:
        read_pgn(text);
        break;
    }
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
