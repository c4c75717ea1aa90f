// Many searches, few calls: gathers the positions of searches that run at the same time, so that a
// network judges them together. A call costs much, a position little.
//
// Threads: any number of searches call at once and block until their positions are judged. Nobody
// waits for company on purpose: what comes while a batch is being judged goes along in the next
// one, so that batches grow with the number of searches by themselves.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "evaluate/callout.h"

namespace kibitz {

class Batcher {
 public:
  /// At most `most` positions a call (a search that asks for more gets a call of its own),
  /// `callers` calls at once.
  Batcher(NetworkFunction network, int most, int callers)
      : network_(std::move(network)), most_(most), callers_(callers) {}

  void operator()(const NetworkBatch& asked) {
    Request request{asked, {}, false};
    std::unique_lock lock(mutex_);
    waiting_.push_back(&request);
    while (!request.done) {
      if (calling_ < callers_ && !waiting_.empty())
        judge_some(lock);
      else
        changed_.wait(lock);
    }
    if (request.error) std::rethrow_exception(request.error);
  }

  /// Whether the network has two policies, for whoever keeps its answers.
  bool uses_optimism = false;
  /// Whether it predicts the style of a game.
  bool predicts_style = false;

  long calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  long positions() const {
    const std::lock_guard lock(mutex_);
    return positions_;
  }

 private:
  struct Request {
    NetworkBatch asked;
    std::exception_ptr error;

    bool goes_with(const Request& other) const {
      return asked.shape == other.asked.shape &&
             (asked.ownership == nullptr) == (other.asked.ownership == nullptr);
    }
    bool done;
  };
  struct Buffers {
    std::vector<float> planes, globals, optimism, policy;
    std::vector<NetworkOutcome> outcomes;
    std::vector<float> ownership;
  };

  /// Takes the requests that wait, as many as go together, and judges them with the lock open.
  void judge_some(std::unique_lock<std::mutex>& lock) {
    std::vector<Request*> batch;
    int count = 0;
    while (!waiting_.empty()) {
      Request* next = waiting_.front();
      if (!batch.empty() && (count + next->asked.count > most_ || !next->goes_with(*batch[0])))
        break;
      waiting_.pop_front();
      batch.push_back(next);
      count += next->asked.count;
    }
    ++calling_;
    lock.unlock();
    std::exception_ptr error;
    try {
      judge(batch, count);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    --calling_;
    ++calls_;
    positions_ += count;
    for (Request* request : batch) {
      request->error = error;
      request->done = true;
    }
    changed_.notify_all();
  }

  void judge(const std::vector<Request*>& batch, int count) {
    const NetworkBatch& first = batch[0]->asked;
    if (batch.size() == 1) return network_(first);
    const auto total = static_cast<std::size_t>(count);
    const auto planes = static_cast<std::size_t>(first.shape.plane_floats());
    const auto globals = static_cast<std::size_t>(first.shape.globals);
    const auto policy = static_cast<std::size_t>(first.shape.policy);
    const auto points = first.ownership == nullptr
                            ? std::size_t{0}
                            : static_cast<std::size_t>(first.shape.rows * first.shape.columns);
    Buffers all{std::vector<float>(total * planes), std::vector<float>(total * globals),
                std::vector<float>(total),          std::vector<float>(total * policy),
                std::vector<NetworkOutcome>(total), std::vector<float>(total * points)};
    std::size_t at = 0;
    for (const Request* request : batch) {
      const NetworkBatch& asked = request->asked;
      const auto n = static_cast<std::size_t>(asked.count);
      std::copy_n(asked.planes, n * planes, all.planes.data() + at * planes);
      std::copy_n(asked.globals, n * globals, all.globals.data() + at * globals);
      std::copy_n(asked.optimism, n, all.optimism.data() + at);
      at += n;
    }
    network_({first.shape, count, all.planes.data(), all.globals.data(), all.optimism.data(),
              all.policy.data(), all.outcomes.data(), points ? all.ownership.data() : nullptr});
    at = 0;
    for (const Request* request : batch) {
      const NetworkBatch& asked = request->asked;
      const auto n = static_cast<std::size_t>(asked.count);
      std::copy_n(all.policy.data() + at * policy, n * policy, asked.policy);
      std::copy_n(all.outcomes.data() + at, n, asked.outcomes);
      std::copy_n(all.ownership.data() + at * points, n * points, asked.ownership);
      at += n;
    }
  }

  NetworkFunction network_;
  int most_, callers_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request*> waiting_;
  int calling_ = 0;
  long calls_ = 0, positions_ = 0;
};

}  // namespace kibitz
