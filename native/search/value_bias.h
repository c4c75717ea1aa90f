// Where an evaluator errs in the same way: what searching has found to be wrong with its judgement
// after a local sequence is taken off its judgement after the same sequence elsewhere in the tree.
// KataGo's idea (subtree value bias) and its weights.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace kibitz {

/// What is known of one local sequence: the differences between what the children of its nodes say
/// and what the evaluator said, weighted.
class ValueBias {
 public:
  explicit ValueBias(std::uint64_t key) : key_(key) {}

  std::uint64_t key() const { return key_; }
  /// What to add to an evaluation, before a factor.
  double expected() const {
    const std::lock_guard lock(mutex_);
    return weight_ > 0.001 ? difference_ / weight_ : 0.0;
  }
  void add(double difference, double weight) {
    const std::lock_guard lock(mutex_);
    difference_ += difference;
    weight_ += weight;
  }
  /// The same for a node that contributed another value before, which is read under our lock.
  void retell(double difference, double weight, double& told_difference, double& told_weight) {
    const std::lock_guard lock(mutex_);
    difference_ += difference - told_difference;
    weight_ += weight - told_weight;
    told_difference = difference;
    told_weight = weight;
  }

 private:
  std::uint64_t key_;
  mutable std::mutex mutex_;
  double difference_ = 0.0, weight_ = 0.0;
};

/// Threads: every method may be called from several at once; entries stay where they are.
class ValueBiasTable {
 public:
  ValueBias* at(std::uint64_t key) {
    Part& part = parts_[key % parts_.size()];
    const std::lock_guard lock(part.mutex);
    auto& slot = part.entries[key];
    if (!slot) slot = std::make_unique<ValueBias>(key);
    return slot.get();
  }

 private:
  struct Part {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::unique_ptr<ValueBias>> entries;
  };
  std::array<Part, 64> parts_;
};

}  // namespace kibitz
