#include "games/chess/bind/tables.h"

#include <nanobind/nanobind.h>

#include <atomic>
#include <bit>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "bind/checks.h"
#include "bind/python_thread.h"
#include "bind/text.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {
namespace {

/// A prober with the answers it has given. Threads: any number.
class Prober {
 public:
  Prober(nb::object probe, int pieces)
      // The last copy may be dropped on a search thread, which does not hold the interpreter's
      // lock.
      : probe_(new nb::object(std::move(probe)),
               [](nb::object* object) {
                 const nb::gil_scoped_acquire lock;
                 delete object;
               }),
        pieces_(pieces) {}

  /// The mover's result: 2 won, -2 lost, between them drawn; nothing when no table has it.
  std::optional<int> result(const Chess& position) {
    const chess::Board& board = position.board();
    if (std::popcount(board.occupied()) > pieces_ || board.castling != 0) return std::nullopt;
    // A table knows nothing of moves already counted towards the fifty, so, as in Lc0, only
    // positions after a capture or a pawn's move are asked for.
    if (board.clock != 0 || failed_.load(std::memory_order_relaxed)) return std::nullopt;
    const std::uint64_t key = position.hash();
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = known_.find(key); known != known_.end()) return known->second;
    }
    const std::optional<int> result = ask(position);
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kMostKnown) known_.clear();
    known_.emplace(key, result);
    return result;
  }

 private:
  static constexpr std::size_t kMostKnown = 1 << 18;

  std::optional<int> ask(const Chess& position) {
    enter_interpreter();
    const nb::gil_scoped_acquire lock;
    try {
      const nb::object answer = (*probe_)(position.to_text());
      if (answer.is_none()) return std::nullopt;
      return nb::cast<int>(answer);
    } catch (...) {
      failed_ = true;  // whoever made the prober says why
      return std::nullopt;
    }
  }

  std::shared_ptr<nb::object> probe_;
  int pieces_;
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::optional<int>> known_;
};

class TableOracle final : public Oracle<Chess> {
 public:
  explicit TableOracle(std::shared_ptr<Prober> prober) : prober_(std::move(prober)) {}

  std::optional<int> result(const Chess& position) override {
    const std::optional<int> result = prober_->result(position);
    if (!result) return std::nullopt;
    // Wins that the fifty moves forbid are draws.
    const int mover = *result >= 2 ? 1 : *result <= -2 ? -1 : 0;
    return 1 + (position.to_move() == 0 ? mover : -mover);
  }
  std::unique_ptr<Oracle<Chess>> clone() const override {
    return std::make_unique<TableOracle>(prober_);
  }

 private:
  std::shared_ptr<Prober> prober_;
};

std::shared_ptr<const Oracle<Chess>>& tables() {
  static std::shared_ptr<const Oracle<Chess>> used;
  return used;
}

}  // namespace

std::shared_ptr<const Oracle<Chess>> chess_tables() { return tables(); }

void bind_chess_tables(nb::module_& m) {
  m.def(
      "chess_use_tables",
      [](nb::object probe, int pieces) {
        in_range("pieces", pieces, 2, 32);
        std::shared_ptr<const Oracle<Chess>> made;
        if (!probe.is_none())
          made = std::make_shared<TableOracle>(std::make_shared<Prober>(std::move(probe), pieces));
        tables() = std::move(made);
      },
      "probe"_a.none(), "pieces"_a = 7,
      "Tables that searches started from now on ask: `probe(fen)` gives the mover's result from 2 "
      "(won) to -2, or None; None instead of it for none.");
}

}  // namespace kibitz::bind
