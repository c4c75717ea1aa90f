// Searches of one process take turns on its cores.
//
// A server runs many more searches than it has cores. Left to the operating system, a thread that
// is interrupted while it holds a lock waits for a core as long as all the others like, and so does
// whoever wants the lock: the thread that answers stood still for seconds. Here only so many
// threads search at once, for some milliseconds each; the others wait for their turn and hold no
// lock.
//
// Threads: `share_cores`, `stop_sharing_cores` and `wake_core_turn` from any thread. A CoreTurn
// belongs to the thread that made it; one inside another does nothing.
// Blocking: a CoreTurn blocks when it is made and in `rest`, which must not be called with a lock
// held. While nobody shares the cores it never does. A process that was forked shares nothing.
#pragma once

#include <atomic>
#include <chrono>

namespace kibitz {

/// From now on at most `cores` threads search at once, one less where many want to, since somebody
/// answers clients. Their priority is lower by `nice` (Linux; elsewhere it is a process's). Each
/// call is ended by one of `stop_sharing_cores`; the last one's numbers hold.
void share_cores(int cores, int nice);
void stop_sharing_cores();

/// An urgent search goes before all that are not: they have what it leaves. Says whether the next
/// one that this thread starts is.
void make_next_start_urgent(bool urgent = true);
/// Whether `start` was told so; forgets it.
bool take_urgency();

namespace core_turns {
/// Who waits for a core: nobody, a search, an urgent search.
enum class Wanted { kNo, kYes, kUrgently };
inline std::atomic<Wanted> wanted{Wanted::kNo};
}  // namespace core_turns

/// Lets the threads of a search whose stop was asked for go on to their end.
void wake_core_turn(const std::atomic<bool>& stop);

/// The turn of a search thread, from here to the end of the scope.
class CoreTurn {
 public:
  /// `stop` and the end of `seconds` end all waiting.
  CoreTurn(const std::atomic<bool>& stop, double seconds, bool urgent);
  ~CoreTurn();
  CoreTurn(const CoreTurn&) = delete;
  CoreTurn& operator=(const CoreTurn&) = delete;

  /// Called every now and then by a thread that searches: lets another one have the core when the
  /// turn has taken long enough. Does nothing in threads without a turn.
  static void rest() {
    if (core_turns::wanted.load(std::memory_order_relaxed) != core_turns::Wanted::kNo) rest_now();
  }

 private:
  static void rest_now();
  void enter();
  void leave();

  const std::atomic<bool>* stop_;
  std::chrono::steady_clock::time_point end_, since_;
  bool urgent_, has_core_ = false;
};

}  // namespace kibitz
