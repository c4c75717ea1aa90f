// A network that runs in the core: the search calls it without a way through Python.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "evaluate/callout.h"
#include "nets/program.h"

namespace kibitz {

/// A program whose inputs and outputs have the names of `kibitz.nets`. Threads: any number at once.
class DirectNetwork {
 public:
  /// `details` are the columns of the output of that name that follow the outcome's four, in the
  /// order of NetworkOutcome; -1 for one that the network does not tell.
  DirectNetwork(std::shared_ptr<const nets::Program> program, std::vector<std::string> inputs,
                const std::vector<std::string>& outputs, std::vector<int> details)
      : program_(std::move(program)), inputs_(std::move(inputs)), details_(std::move(details)) {
    if (inputs_.size() != program_->inputs().size() || outputs.size() != program_->outputs().size())
      throw std::invalid_argument("names of another program");
    policy_ = place(outputs, "policy");
    outcome_ = place(outputs, "outcome");
    detail_ = place(outputs, "details");
    ownership_ = place(outputs, "ownership");
    if (policy_ < 0 || outcome_ < 0 || (detail_ < 0 && !details_.empty()))
      throw std::invalid_argument("a network without policy, outcome or the details asked for");
    if (floats(outcome_) != 4 || details_.size() + 4 > sizeof(NetworkOutcome) / sizeof(float))
      throw std::invalid_argument("an outcome of another size");
    for (const int column : details_)
      if (column < -1 || column >= floats(detail_))
        throw std::invalid_argument("a detail the network does not have");
  }

  void operator()(const NetworkBatch& batch) const {
    thread_local std::vector<float> outcome, details;
    const FeatureShape& shape = batch.shape;
    const auto n = static_cast<std::size_t>(batch.count);
    std::vector<const float*> from;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      int have = 0;
      if (inputs_[i] == "planes") {
        from.push_back(batch.planes);
        have = shape.plane_floats();
      } else if (inputs_[i] == "globals") {
        from.push_back(batch.globals);
        have = shape.globals;
      } else {
        from.push_back(batch.optimism);
        have = 1;
      }
      if (have != program_->floats(program_->inputs()[i]))
        throw std::invalid_argument("the network is made for another board");
    }
    if (floats(policy_) != shape.policy || (batch.ownership && ownership_ < 0))
      throw std::invalid_argument("the network does not answer what this game asks");
    outcome.resize(n * 4);
    std::vector<float*> to(program_->outputs().size(), nullptr);
    to[nets::at(policy_)] = batch.policy;
    to[nets::at(outcome_)] = outcome.data();
    if (!details_.empty()) {
      details.resize(n * nets::at(floats(detail_)));
      to[nets::at(detail_)] = details.data();
    }
    if (batch.ownership) to[nets::at(ownership_)] = batch.ownership;
    program_->run(batch.count, from, to);
    for (std::size_t i = 0; i < n; ++i) {
      float numbers[sizeof(NetworkOutcome) / sizeof(float)];
      std::memcpy(numbers, batch.outcomes + i, sizeof numbers);
      std::copy_n(&outcome[i * 4], 4, numbers);
      for (std::size_t d = 0; d < details_.size(); ++d)
        if (details_[d] >= 0)
          numbers[4 + d] = details[i * nets::at(floats(detail_)) + nets::at(details_[d])];
      std::memcpy(static_cast<void*>(batch.outcomes + i), numbers, sizeof numbers);
    }
  }

 private:
  static int place(const std::vector<std::string>& names, const char* name) {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? -1 : static_cast<int>(at - names.begin());
  }
  int floats(int output) const { return program_->floats(program_->outputs()[nets::at(output)]); }

  std::shared_ptr<const nets::Program> program_;
  std::vector<std::string> inputs_;
  std::vector<int> details_;
  int policy_, outcome_, detail_, ownership_;
};

}  // namespace kibitz
