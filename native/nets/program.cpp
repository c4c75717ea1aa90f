#include "nets/program.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace kibitz::nets {
namespace {

/// Positions are done together as far as their values fit the near cache of a core: a step then
/// finds what the one before it wrote.
constexpr std::ptrdiff_t kNearFloats = 600 * 1024 / sizeof(float);
/// At most this many where matrices for few rows are larger than that: reading those again for
/// every position costs more than values that are further away.
constexpr std::ptrdiff_t kTogetherForWeights = 8;

std::ptrdiff_t lines(int floats) {
  constexpr int line = static_cast<int>(kLine / sizeof(float));
  return std::ptrdiff_t{(floats + line - 1) / line * line};
}

}  // namespace

int Program::value(int floats) {
  if (finished_) throw std::invalid_argument("a program that is finished takes no more values");
  if (floats < 1) throw std::invalid_argument("a value without numbers");
  floats_.push_back(floats);
  return static_cast<int>(floats_.size()) - 1;
}

int Program::input(int floats) {
  inputs_.push_back(value(floats));
  return inputs_.back();
}

void Program::output(int value) {
  if (finished_) throw std::invalid_argument("a program that is finished takes no more outputs");
  floats(value);
  outputs_.push_back(value);
}

void Program::add(std::unique_ptr<Step> step) {
  if (finished_) throw std::invalid_argument("a program that is finished takes no more steps");
  for (const int read : step->reads) floats(read);
  floats(step->writes);
  steps_.push_back(std::move(step));
}

void Program::finish() {
  if (finished_) throw std::invalid_argument("a program is finished once");
  std::vector<bool> made(floats_.size(), false);
  for (const int value : inputs_) made[at(value)] = true;
  for (const auto& step : steps_) {
    for (const int read : step->reads)
      if (!made[at(read)]) throw std::invalid_argument("a step reads what no step has made");
    made[at(step->writes)] = true;
  }
  for (const int value : outputs_)
    if (!made[at(value)]) throw std::invalid_argument("an output that no step makes");
  const auto count = static_cast<int>(steps_.size());
  std::vector<int> last(floats_.size(), -1);
  for (int s = 0; s < count; ++s) {
    for (const int read : steps_[at(s)]->reads) last[at(read)] = s;
    last[at(steps_[at(s)]->writes)] = s;
  }
  places_.assign(floats_.size(), -1);
  std::vector<bool> outside(floats_.size(), false);
  for (const int value : inputs_) outside[at(value)] = true;
  for (const int value : outputs_) outside[at(value)] = true;
  // A place is free again once the last step that reads its value is done. The smallest that fits
  // is taken, so that a vector does not sit where planes could be.
  struct Hole {
    std::ptrdiff_t place, floats;
  };
  std::vector<Hole> free;
  for (int s = 0; s < count; ++s) {
    const Step& step = *steps_[at(s)];
    if (!outside[at(step.writes)]) {
      const std::ptrdiff_t want = lines(floats_[at(step.writes)]);
      auto best = free.end();
      for (auto hole = free.begin(); hole != free.end(); ++hole)
        if (hole->floats >= want && (best == free.end() || hole->floats < best->floats))
          best = hole;
      if (best == free.end()) {
        places_[at(step.writes)] = memory_;
        memory_ += want;
      } else {
        places_[at(step.writes)] = best->place;
        if (best->floats == want) {
          free.erase(best);
        } else {
          best->place += want;
          best->floats -= want;
        }
      }
    }
    std::vector<int> done(step.reads);
    done.push_back(step.writes);
    std::sort(done.begin(), done.end());
    done.erase(std::unique(done.begin(), done.end()), done.end());
    for (const int value : done)
      if (last[at(value)] == s && places_[at(value)] >= 0)
        free.push_back({places_[at(value)], lines(floats_[at(value)])});
  }
  std::ptrdiff_t weights = 0;
  for (const auto& step : steps_) weights += step->row_weights();
  const std::ptrdiff_t memory = std::max<std::ptrdiff_t>(1, memory_);
  const std::ptrdiff_t for_weights =
      weights > kNearFloats ? std::min(kTogetherForWeights, weights / (2 * memory)) : 0;
  together_ = static_cast<int>(std::max({std::ptrdiff_t{1}, kNearFloats / memory, for_weights}));
  finished_ = true;
}

std::vector<bool> Program::needed(std::span<float* const> outputs) const {
  std::vector<bool> values(floats_.size(), false), steps(steps_.size(), false);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] != nullptr) values[at(outputs_[i])] = true;
  for (std::size_t s = steps_.size(); s-- > 0;)
    if (values[at(steps_[s]->writes)]) {
      steps[s] = true;
      for (const int read : steps_[s]->reads) values[at(read)] = true;
    }
  return steps;
}

std::unique_ptr<Program::Workspace> Program::take() const {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<Workspace>();
  auto workspace = std::move(idle_.back());
  idle_.pop_back();
  return workspace;
}

void Program::give_back(std::unique_ptr<Workspace> workspace) const {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(workspace));
}

void Program::run(int count, std::span<const float* const> inputs,
                  std::span<float* const> outputs) const {
  if (!finished_) throw std::logic_error("a program that was not finished");
  if (inputs.size() != inputs_.size() || outputs.size() != outputs_.size())
    throw std::invalid_argument("inputs or outputs of another program");
  const std::vector<bool> wanted = needed(outputs);
  std::unique_ptr<Workspace> work = take();
  work->values.assign(floats_.size(), nullptr);
  for (int first = 0; first < count; first += together_) {
    const int here = std::min(together_, count - first);
    // Outputs nobody asks for still need a place where another step reads them.
    std::ptrdiff_t spare = memory_ * here;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i] == nullptr) spare += lines(floats_[at(outputs_[i])]) * here;
    at_least(work->memory, spare);
    for (std::size_t v = 0; v < places_.size(); ++v)
      if (places_[v] >= 0) work->values[v] = work->memory.data() + places_[v] * here;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      // Steps write to what they make only.
      work->values[at(inputs_[i])] =
          const_cast<float*>(inputs[i]) + std::ptrdiff_t{first} * floats_[at(inputs_[i])];
    float* rest = work->memory.data() + memory_ * here;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const int value = outputs_[i];
      if (outputs[i] == nullptr) {
        work->values[at(value)] = rest;
        rest += lines(floats_[at(value)]) * here;
      } else {
        work->values[at(value)] = outputs[i] + std::ptrdiff_t{first} * floats_[at(value)];
      }
    }
    const Run run{here, work->values, work->scratch};
    for (std::size_t s = 0; s < steps_.size(); ++s)
      if (wanted[s]) steps_[s]->run(run);
  }
  give_back(std::move(work));
}

}  // namespace kibitz::nets
