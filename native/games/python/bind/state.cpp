#include "games/python/bind/state.h"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "bind/python_failure.h"
#include "bind/python_thread.h"
#include "bind/text.h"

namespace nb = nanobind;

namespace kibitz::bind {

InterpreterLock::InterpreterLock() {
  enter_interpreter();
  before_ = PyGILState_Ensure();
}

InterpreterLock::~InterpreterLock() { PyGILState_Release(static_cast<PyGILState_STATE>(before_)); }

// -- what positions share ---------------------------------------------------------------------

namespace {

/// A playout of more moves is taken for a game that does not end.
constexpr int kMostPlies = 100'000;
/// Of a move's text.
constexpr std::size_t kMostLetters = 64;

nb::object name_of(const char* method) { return nb::steal(PyUnicode_InternFromString(method)); }

// This file keeps to the stable ABI of Python, so that one wheel serves 3.12 and later: no fields
// of types, no macros of lists.
std::string type_name(PyObject* object) {
  return nb::cast<std::string>(nb::handle(object).type().attr("__name__"));
}

/// A new reference to an item of what `PySequence_Fast` gave.
nb::object item_of(const nb::object& sequence, Py_ssize_t place) {
  return nb::steal(PySequence_GetItem(sequence.ptr(), place));
}

/// A str as bytes.
std::string written(PyObject* text) { return nb::cast<std::string>(nb::handle(text)); }

/// An answer as Python shows it.
std::string shown(PyObject* answer) {
  const nb::object text = nb::steal(PyObject_Repr(answer));
  if (text.is_valid()) return written(text.ptr()).substr(0, 80);
  PyErr_Clear();
  return type_name(answer);
}

}  // namespace

PythonRules::PythonRules(nb::object failure, nb::object features, const FeatureShape& shape)
    : failure_(std::move(failure)),
      features_(std::move(features)),
      shape_(shape),
      moves_(name_of("moves")),
      play_(name_of("play")),
      to_move_(name_of("to_move")),
      result_(name_of("result")),
      text_(name_of("text")),
      policy_index_(name_of("policy_index")) {}

void PythonRules::fail(const char* method) const {
  const nb::python_error error;  // takes the error that is set
  // Ctrl-C and the end of the program are no errors of the class.
  if (!error.matches(PyExc_Exception)) throw PythonFailure(error);
  throw PythonFailure(failure_(method, error.value(), nb::none()));
}

void PythonRules::complain(const char* method, const std::string& complaint) const {
  throw PythonFailure(failure_(method, nb::none(), nb::steal(to_str(complaint))));
}

Move PythonRules::number(PyObject* text) {
  if (!PyUnicode_Check(text))
    complain("moves", "gave a move that is no text but " + type_name(text));
  if (PyObject* known = PyDict_GetItemWithError(numbers_.ptr(), text))
    return static_cast<Move>(PyLong_AsLong(known));
  if (PyErr_Occurred()) fail("moves");
  const std::string name = written(text);
  if (name.empty() || name.size() > kMostLetters || name.find_first_of(" \t\r\n") != name.npos)
    complain("moves", "gave " + shown(text) + "; a move has 1 to " + std::to_string(kMostLetters) +
                          " letters and no spaces");
  if (texts_.size() == kNoMove)
    complain("moves", "has named more than " + std::to_string(kNoMove) + " different moves");
  const auto number = static_cast<Move>(texts_.size());
  numbers_[nb::handle(text)] = nb::int_(static_cast<int>(number));
  texts_.push_back(nb::borrow(text));
  count_.store(static_cast<int>(texts_.size()), std::memory_order_release);
  return number;
}

Move PythonRules::known(std::string_view text) const {
  const nb::object key = nb::steal(to_str(text));
  PyObject* known = PyDict_GetItemWithError(numbers_.ptr(), key.ptr());
  if (!known) PyErr_Clear();
  return known ? static_cast<Move>(PyLong_AsLong(known)) : kNoMove;
}

nb::object PythonRules::call(PyObject* position, const char* method, PyObject* name) const {
  PyObject* answer = PyObject_CallMethodObjArgs(position, name, nullptr);
  if (!answer) fail(method);
  return nb::steal(answer);
}

/// A list or a tuple of texts.
nb::object PythonRules::moves(PyObject* position) const {
  const nb::object answer = call(position, "moves", moves_.ptr());
  PyObject* listed = PySequence_Fast(answer.ptr(), "moves() must give a list of texts");
  if (!listed) fail("moves");
  nb::object list = nb::steal(listed);
  const Py_ssize_t count = PySequence_Size(list.ptr());
  if (count == 0) complain("moves", "gave no move though result() says that the game goes on");
  if (count > PythonState::kMaxMoves)
    complain("moves", "gave " + std::to_string(count) + " moves, more than " +
                          std::to_string(PythonState::kMaxMoves));
  return list;
}

nb::object PythonRules::play(PyObject* position, PyObject* move) const {
  PyObject* next = PyObject_CallMethodObjArgs(position, play_.ptr(), move, nullptr);
  if (!next) fail("play");
  nb::object made = nb::steal(next);
  if (Py_TYPE(next) != Py_TYPE(position))
    complain("play", "must give the next position, an object of " + type_name(position) + ", got " +
                         type_name(next));
  if (next == position) complain("play", "gave the same object: positions must not change");
  return made;
}

int PythonRules::to_move(PyObject* position) const {
  const nb::object answer = call(position, "to_move", to_move_.ptr());
  const long side = PyLong_Check(answer.ptr()) ? PyLong_AsLong(answer.ptr()) : -1;
  if (PyErr_Occurred()) PyErr_Clear();
  if (side != 0 && side != 1) complain("to_move", "must give 0 or 1, got " + shown(answer.ptr()));
  return static_cast<int>(side);
}

float PythonRules::result(PyObject* position) const {
  const nb::object answer = call(position, "result", result_.ptr());
  if (answer.is_none()) return -1.0f;
  const double value = PyFloat_AsDouble(answer.ptr());
  if (PyErr_Occurred()) PyErr_Clear();
  if (value != 0.0 && value != 0.5 && value != 1.0)
    complain("result",
             "must give None, or 1, 0.5 or 0 for the first side, got " + shown(answer.ptr()));
  return static_cast<float>(value);
}

std::string PythonRules::position_text(PyObject* position) const {
  const nb::object answer = call(position, "text", text_.ptr());
  std::string kept;
  std::string_view text;
  if (!utf8(answer, kept, text))
    complain("text", "must give a text, got " + type_name(answer.ptr()));
  if (text.empty() || text.find('\n') != std::string_view::npos)
    complain("text", "must give one line, rows separated by /");
  return std::string(text);
}

int PythonRules::policy_index(PyObject* position, PyObject* move) const {
  PyObject* answer = PyObject_CallMethodObjArgs(position, policy_index_.ptr(), move, nullptr);
  if (!answer) fail("policy_index");
  const nb::object owner = nb::steal(answer);
  const long index = PyLong_Check(answer) ? PyLong_AsLong(answer) : -1;
  if (PyErr_Occurred()) PyErr_Clear();
  if (index < 0 || index >= shape_.policy)
    complain("policy_index", "must give a number from 0 to " + std::to_string(shape_.policy - 1) +
                                 ", got " + shown(answer));
  return static_cast<int>(index);
}

// -- a position -------------------------------------------------------------------------------

/// The user's object and what it has answered.
class PythonPosition {
 public:
  PythonPosition(std::shared_ptr<PythonRules> rules, nb::object object, std::uint64_t key)
      : rules_(std::move(rules)), object_(object.ptr()), key_(key) {
    to_move_ = rules_->to_move(object_);
    result_ = rules_->result(object_);
    object.release();
  }
  ~PythonPosition() {
    const InterpreterLock lock;
    Py_DECREF(object_);
    rules_.reset();
  }
  PythonPosition(const PythonPosition&) = delete;
  PythonPosition& operator=(const PythonPosition&) = delete;

  const std::shared_ptr<PythonRules>& rules() const { return rules_; }
  PyObject* object() const { return object_; }
  std::uint64_t key() const { return key_; }
  int to_move() const { return to_move_; }
  float result() const { return result_; }

  const std::vector<Move>& moves() const {
    static const std::vector<Move> none;
    if (result_ >= 0.0f) return none;
    return known(moves_, [&] { return ask_moves(); });
  }
  const std::string& text() const {
    return known(text_, [&] { return rules_->position_text(object_); });
  }
  const std::vector<int>& policy() const {
    return known(policy_, [&] { return ask_policy(); });
  }

 private:
  /// An answer that is asked for once. The user's code may let another thread run, which then asks
  /// too; the first answer stays.
  template <class T>
  struct Answer {
    std::atomic<bool> known{false};
    T value;
  };
  template <class T, class Ask>
  static const T& known(Answer<T>& answer, const Ask& ask) {
    if (answer.known.load(std::memory_order_acquire)) return answer.value;
    const InterpreterLock lock;
    T value = ask();
    if (!answer.known.load(std::memory_order_relaxed)) {
      answer.value = std::move(value);
      answer.known.store(true, std::memory_order_release);
    }
    return answer.value;
  }

  std::vector<Move> ask_moves() const {
    const nb::object list = rules_->moves(object_);
    std::vector<Move> numbers;
    for (Py_ssize_t i = 0; i < PySequence_Size(list.ptr()); ++i)
      numbers.push_back(rules_->number(item_of(list, i).ptr()));
    std::vector<Move> sorted = numbers;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
      rules_->complain("moves", "gave " + written(rules_->text(*twice)) + " twice");
    return numbers;
  }
  std::vector<int> ask_policy() const {
    std::vector<int> places;
    for (const Move move : moves())
      places.push_back(rules_->policy_index(object_, rules_->text(move)));
    std::vector<int> sorted = places;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
      rules_->complain("policy_index", "gave " + std::to_string(*twice) + " for two moves");
    return places;
  }

  std::shared_ptr<PythonRules> rules_;
  PyObject* object_;
  std::uint64_t key_;  // of the moves from where it started
  int to_move_ = 0;
  float result_ = -1.0f;  // below 0 while the game goes on
  mutable Answer<std::vector<Move>> moves_;
  mutable Answer<std::string> text_;
  mutable Answer<std::vector<int>> policy_;
};

// -- positions of a search --------------------------------------------------------------------

PythonPositions::~PythonPositions() {
  const InterpreterLock lock;  // once, not for every position
  slots_.clear();
}

PythonPositionPtr PythonPositions::find(std::uint64_t key) const {
  const std::lock_guard lock(mutex_);
  if (slots_.empty()) return nullptr;
  const PythonPositionPtr& slot = slots_[key % slots_.size()];
  return slot && slot->key() == key ? slot : nullptr;
}

void PythonPositions::store(std::uint64_t key, PythonPositionPtr position) {
  // What was there before is dropped after the mutex: that takes the interpreter's lock.
  const std::lock_guard lock(mutex_);
  if (2 * count_ >= slots_.size() && slots_.size() < kMostSlots) grow();
  PythonPositionPtr& slot = slots_[key % slots_.size()];
  count_ += !slot;
  slot.swap(position);
}

/// Two positions can claim one slot of the larger table only if they did so in the smaller one, so
/// nothing is dropped here.
void PythonPositions::grow() {
  std::vector<PythonPositionPtr> larger(std::max(kLeastSlots, 2 * slots_.size()));
  for (PythonPositionPtr& position : slots_)
    if (position) larger[position->key() % larger.size()].swap(position);
  slots_.swap(larger);
}

// -- the game ---------------------------------------------------------------------------------

PythonState::PythonState(std::shared_ptr<PythonRules> rules, nb::object position)
    : position_(std::make_shared<PythonPosition>(std::move(rules), std::move(position), 0)) {}

bool PythonState::operator==(const PythonState& other) const {
  return position_ == other.position_ || (position_->rules() == other.position_->rules() &&
                                          position_->to_move() == other.position_->to_move() &&
                                          position_->text() == other.position_->text());
}

void PythonState::legal_moves(MoveList<PythonState>& list) const {
  list.clear();
  for (const Move move : position_->moves()) list.push(move);
}

void PythonState::play(Move move) {
  const std::uint64_t key = mix64(position_->key() * 0x10001 + move + 1);
  if (seen_) {
    if (PythonPositionPtr known = seen_->find(key)) {
      position_.swap(known);
      return;
    }
  }
  const InterpreterLock lock;
  const auto& rules = position_->rules();
  nb::object next = rules->play(position_->object(), rules->text(move));
  PythonPositionPtr made = std::make_shared<PythonPosition>(rules, std::move(next), key);
  if (seen_) seen_->store(key, made);
  position_.swap(made);
}

bool PythonState::is_legal(Move move) const {
  return std::ranges::find(position_->moves(), move) != position_->moves().end();
}

int PythonState::to_move() const { return position_->to_move(); }
bool PythonState::is_over() const { return position_->result() >= 0.0f; }
float PythonState::result() const { return position_->result(); }

std::uint64_t PythonState::hash() const {
  std::uint64_t hash = static_cast<std::uint64_t>(position_->to_move());
  for (const char letter : position_->text())
    hash = mix64(hash ^ static_cast<unsigned char>(letter));
  return hash;
}

std::string PythonState::to_text() const { return position_->text(); }

PythonState PythonState::from_text(std::string_view) {
  throw std::invalid_argument("a position of a game written in Python is made by its class");
}

std::string PythonState::move_text(Move move) const {
  const InterpreterLock lock;
  return written(position_->rules()->text(move));
}

Move PythonState::parse_move(std::string_view text) const {
  const InterpreterLock lock;
  position_->moves();  // they have numbers now
  const Move move = position_->rules()->known(text);
  if (move == kNoMove)
    throw std::invalid_argument("no move is written " + std::string(text.substr(0, 20)));
  return move;
}

int PythonState::move_count() const { return position_->rules()->move_count(); }

FeatureShape PythonState::feature_shape() const { return position_->rules()->shape(); }

void PythonState::write_features(float* planes, float*) const {
  const InterpreterLock lock;
  const auto& rules = position_->rules();
  if (rules->features().is_none()) return;
  const nb::object array = [&] {
    try {
      return rules->features()(nb::handle(position_->object()));
    } catch (const nb::python_error& error) {
      throw PythonFailure(error);  // a GameError already
    }
  }();
  using Planes = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
  const auto written = nb::cast<Planes>(array);
  std::memcpy(planes, written.data(), written.size() * sizeof(float));
}

int PythonState::policy_index(Move move) const {
  const auto& moves = position_->moves();
  const auto place = std::ranges::find(moves, move);
  if (place == moves.end() || position_->rules()->shape().policy == 0) return -1;
  return position_->policy()[static_cast<std::size_t>(place - moves.begin())];
}

float PythonState::play_out(Rng& rng) const {
  const PythonRules& rules = *position_->rules();
  nb::object at = position();
  float result = position_->result();
  for (int ply = 0; result < 0.0f; ++ply) {
    if (ply == kMostPlies)
      rules.complain("result", "was None after " + std::to_string(kMostPlies) +
                                   " random moves: the game must end");
    const nb::object list = rules.moves(at.ptr());
    const auto count = static_cast<std::uint32_t>(PySequence_Size(list.ptr()));
    const nb::object move = item_of(list, rng.below(count));
    at = rules.play(at.ptr(), move.ptr());
    result = rules.result(at.ptr());
  }
  return result;
}

nb::object PythonState::position() const { return nb::borrow(position_->object()); }

void PythonState::enter_search() {
  if (!seen_) seen_ = std::make_shared<PythonPositions>();
}

void PythonState::leave_thread() { leave_interpreter(); }

}  // namespace kibitz::bind
