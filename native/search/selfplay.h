// Many games of self-play at once: each thread steps through its share of them, gathers a leaf or
// more of each, and has them evaluated in one batch.
//
// Threads: `play` blocks until its game is over and may be called from any number of threads; as
// many games as there are callers are under way, up to `at_once`. `close` and the destructor end
// what runs; then `play` throws Closed. An error of the evaluator ends everything and is thrown to
// all callers.
// Ownership: the evaluator is shared with the caller; games and their records belong to here until
// they are handed over.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "search/selfplay_game.h"

namespace kibitz {

template <Game G>
class Selfplay {
 public:
  struct Closed : std::runtime_error {
    Closed() : std::runtime_error("self-play was closed") {}
  };
  using Equip = typename SelfplayGame<G>::Equip;
  using Record = SelfplayRecord<G>;

  Selfplay(const SelfplayRules& rules, std::shared_ptr<Evaluator<G>> evaluator, int at_once,
           int threads, Equip equip)
      : rules_(rules),
        evaluator_(std::move(evaluator)),
        equip_(std::move(equip)),
        share_(static_cast<std::size_t>(std::max(1, (at_once + threads - 1) / threads))),
        thread_count_(static_cast<std::size_t>(threads)) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Selfplay() { close(); }
  Selfplay(const Selfplay&) = delete;
  Selfplay& operator=(const Selfplay&) = delete;

  /// A game to be played; see SelfplayGame.
  class Ticket {
   public:
    /// Waits up to `seconds`; true when the game is over. Throws what went wrong.
    bool wait(double seconds) {
      std::unique_lock lock(owner_.mutex_);
      owner_.changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                               [&] { return record_ || owner_.error_; });
      if (!record_ && owner_.error_) std::rethrow_exception(owner_.error_);
      return record_ != nullptr;
    }
    Record& record() { return *record_; }

   private:
    friend class Selfplay;
    explicit Ticket(Selfplay& owner) : owner_(owner) {}
    Selfplay& owner_;
    std::unique_ptr<Record> record_;
  };
  std::shared_ptr<Ticket> give(std::int64_t id, const G& start, std::vector<Move> opening,
                               std::uint64_t seed) {
    std::shared_ptr<Ticket> ticket(new Ticket(*this));
    const std::lock_guard lock(mutex_);
    if (error_) std::rethrow_exception(error_);
    waiting_.push_back({ticket, id, start, std::move(opening), seed});
    changed_.notify_all();
    return ticket;
  }

  void close() {
    fail(std::make_exception_ptr(Closed()));
    for (auto& thread : threads_)
      if (thread.joinable()) thread.join();
  }

  /// Batches that were evaluated, and the leaves in them.
  std::int64_t batches() const { return batches_; }
  std::int64_t leaves() const { return leaves_; }

 private:
  struct Waiting {
    std::shared_ptr<Ticket> ticket;
    std::int64_t id;
    G start;
    std::vector<Move> opening;
    std::uint64_t seed;
  };
  struct Running {
    std::shared_ptr<Ticket> ticket;
    std::unique_ptr<SelfplayGame<G>> game;
    std::span<Leaf<G>> leaves;
  };

  void run() {
    std::vector<Running> games;
    std::vector<Leaf<G>> batch;
    try {
      while (take_games(games)) step(games, batch);
    } catch (...) {
      fail(std::current_exception());
    }
    games.clear();
    evaluator_->leave();
  }

  /// Fills up this thread's share from the games that wait; blocks when it has none at all. False
  /// when everything is to end.
  bool take_games(std::vector<Running>& games) {
    std::vector<Waiting> taken;
    {
      std::unique_lock lock(mutex_);
      if (games.empty()) changed_.wait(lock, [&] { return error_ || !waiting_.empty(); });
      if (error_) return false;
      // What there is is shared out fairly, so that no thread stands idle beside a busy one.
      const std::size_t fair = (waiting_.size() + thread_count_ - 1) / thread_count_;
      for (std::size_t n = std::min(share_ - games.size(), fair); n > 0; --n) {
        taken.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
      }
    }
    for (Waiting& next : taken) {
      auto game = std::make_unique<SelfplayGame<G>>(rules_, evaluator_, equip_, next.id, next.start,
                                                    next.opening, next.seed);
      games.push_back({std::move(next.ticket), std::move(game), {}});
    }
    return true;
  }

  /// One batch: a round of every game.
  void step(std::vector<Running>& games, std::vector<Leaf<G>>& batch) {
    batch.clear();
    for (Running& running : games) {
      running.leaves = running.game->gather();
      if (evaluator_->gives_priors())
        batch.insert(batch.end(), running.leaves.begin(), running.leaves.end());
      else if (!running.leaves.empty())
        evaluator_->evaluate(running.leaves, running.game->rng());  // playouts draw random numbers
    }
    if (!batch.empty()) {
      evaluator_->evaluate(batch, unused_);
      batches_.fetch_add(1, std::memory_order_relaxed);
      leaves_.fetch_add(static_cast<std::int64_t>(batch.size()), std::memory_order_relaxed);
    }
    std::size_t at = 0;
    for (Running& running : games) {
      if (running.leaves.empty()) continue;
      if (!batch.empty())
        for (Leaf<G>& leaf : running.leaves) leaf.outcome = batch[at++].outcome;
      running.game->absorb();
    }
    hand_over(games);
  }

  void hand_over(std::vector<Running>& games) {
    bool news = false;
    for (Running& running : games) {
      if (!running.leaves.empty()) continue;
      auto record = std::make_unique<Record>(running.game->take_record());
      const std::lock_guard lock(mutex_);
      running.ticket->record_ = std::move(record);
      running.ticket = nullptr;
      news = true;
    }
    if (!news) return;
    std::erase_if(games, [](const Running& running) { return running.ticket == nullptr; });
    changed_.notify_all();
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    changed_.notify_all();
  }

  const SelfplayRules rules_;
  std::shared_ptr<Evaluator<G>> evaluator_;
  Equip equip_;
  const std::size_t share_;  // games a thread has at once
  const std::size_t thread_count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  std::exception_ptr error_;
  std::atomic<std::int64_t> batches_{0}, leaves_{0};
  std::vector<std::thread> threads_;
  static inline thread_local Rng unused_{0};  // symmetries were drawn by the games
};

}  // namespace kibitz
