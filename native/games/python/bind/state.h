// A game written in Python as a `Game`: positions are objects of the user's class, which the tree
// search, playouts and samples see through this type.
//
// The class has the methods moves, play, to_move, result and text; kibitz/games/python_game.py has
// checked that they exist. Its positions are immutable, so everything they answer is asked once and
// kept. Moves are texts in Python and numbers here; a game numbers them as it meets them.
//
// Threads: as in games/game.h. Whoever asks the class takes the interpreter's lock; what is known
// already is read without it. The lock of a cache is never held while Python runs.
// Ownership: a state shares its position with its copies. The last one takes the interpreter's lock
// to drop it.
// Errors: an error of the class, or an answer that breaks the contract, is thrown as a
// PythonFailure that holds Python's GameError.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "evaluate/playout.h"
#include "games/game.h"
#include "games/sample.h"

namespace kibitz::bind {

/// The interpreter's lock on any thread. A search thread keeps what the interpreter knows of it
/// until `PythonState::leave_thread`.
class InterpreterLock {
 public:
  InterpreterLock();
  ~InterpreterLock();
  InterpreterLock(const InterpreterLock&) = delete;
  InterpreterLock& operator=(const InterpreterLock&) = delete;

 private:
  int before_;
};

/// What the positions of a game share: its name, the numbers of its moves, the sizes of its
/// network's input. To be made and asked with the interpreter's lock, but for `move_count` and
/// `shape`.
class PythonRules {
 public:
  /// `failure(method, error, complaint)` makes the GameError of an exception or of a complaint;
  /// `features(position)` gives a float32 array of the sizes of `shape`, None without samples.
  PythonRules(nanobind::object failure, nanobind::object features, const FeatureShape& shape);

  Move number(PyObject* text);
  PyObject* text(Move move) const { return texts_[move].ptr(); }
  /// The number of a move that was met before, else kNoMove.
  Move known(std::string_view text) const;
  int move_count() const { return count_.load(std::memory_order_acquire); }

  const FeatureShape& shape() const { return shape_; }
  const nanobind::object& features() const { return features_; }

  /// The Python error that is set, as the failure of a method.
  [[noreturn]] void fail(const char* method) const;
  /// An answer that breaks the contract.
  [[noreturn]] void complain(const char* method, const std::string& complaint) const;

  nanobind::object call(PyObject* position, const char* method, PyObject* name) const;
  nanobind::object moves(PyObject* position) const;
  nanobind::object play(PyObject* position, PyObject* move) const;
  int to_move(PyObject* position) const;
  /// Below 0 while the game goes on.
  float result(PyObject* position) const;
  std::string position_text(PyObject* position) const;
  int policy_index(PyObject* position, PyObject* move) const;

 private:
  nanobind::object failure_, features_;
  FeatureShape shape_;
  nanobind::dict numbers_;
  std::vector<nanobind::object> texts_;
  std::atomic<int> count_{0};
  nanobind::object moves_, play_, to_move_, result_, text_, policy_index_;  // names of methods
};

class PythonPosition;
using PythonPositionPtr = std::shared_ptr<const PythonPosition>;

/// Positions that a search has been at, by the moves that lead there from its root, so that a
/// descent plays no move twice. Of a fixed size at most; what comes later replaces what was there.
class PythonPositions {
 public:
  ~PythonPositions();
  PythonPositionPtr find(std::uint64_t key) const;
  void store(std::uint64_t key, PythonPositionPtr position);

 private:
  static constexpr std::size_t kLeastSlots = 1 << 8, kMostSlots = 1 << 17;

  void grow();

  mutable std::mutex mutex_;
  std::size_t count_ = 0;
  std::vector<PythonPositionPtr> slots_;
};

class PythonState {
 public:
  static constexpr const char* kName = "python";
  static constexpr int kMaxMoves = 1024;

  /// With the interpreter's lock.
  PythonState(std::shared_ptr<PythonRules> rules, nanobind::object position);

  bool operator==(const PythonState& other) const;

  void legal_moves(MoveList<PythonState>& list) const;
  void play(Move move);
  bool is_legal(Move move) const;
  int to_move() const;
  bool is_over() const;
  float result() const;
  std::uint64_t hash() const;
  std::string to_text() const;
  /// A text is read by Python's side, which knows the class.
  static PythonState from_text(std::string_view text);
  std::string move_text(Move move) const;
  Move parse_move(std::string_view text) const;
  int move_count() const;

  FeatureShape feature_shape() const;
  void write_features(float* planes, float* globals) const;
  int policy_index(Move move) const;

  /// The result of a game of random moves from here on, with the interpreter's lock.
  float play_out(Rng& rng) const;

  /// The user's object.
  nanobind::object position() const;
  /// From now on the positions after this one are kept for who comes there again.
  void enter_search();
  /// Before a search thread counts as ended.
  static void leave_thread();

 private:
  PythonPositionPtr position_;
  std::shared_ptr<PythonPositions> seen_;  // null outside of searches
};

static_assert(SampleGame<PythonState>);

}  // namespace kibitz::bind

namespace kibitz {

template <>
struct Playouts<bind::PythonState> {
  static constexpr bool kHasPolicy = false;

  static void run(std::span<const bind::PythonState> starts, std::span<float> results,
                  bool /*policy*/, Rng& rng) {
    const bind::InterpreterLock lock;  // once, not for every move
    for (std::size_t i = 0; i < starts.size(); ++i) results[i] = starts[i].play_out(rng);
  }
};

}  // namespace kibitz
