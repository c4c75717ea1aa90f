// The search of a Junqi seat: beliefs from its view, worlds sampled from the beliefs, the same root
// moves searched in every world, their values combined with caution. It is given a view and nothing
// else, so it cannot know more than the seat.
//
// Threads: `run` blocks and may start threads of its own; `progress` may be read from another
// thread.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "evaluate/junqi_behaviors.h"
#include "search/junqi_world.h"
#include "search/report.h"

namespace kibitz::junqi {

/// What the user wants of the root.
struct RootWishes {
  std::vector<Move> first_ply_moves;  // only these; empty is all
  std::vector<Move> avoid;
  std::vector<Move> include;  // never cut by the beam
  std::optional<Category> preferred_category;
  std::vector<std::pair<Move, double>> weights;  // factors; a move of factor f gains 20 ln f points
};

struct RootMove {
  Move move = kNoMove;
  double value = 0;                // for the mover's alliance, in the points of the weights
  double mean = 0, deviation = 0;  // over the worlds
  int worlds = 0;                  // that it was searched in, at the depth of the report
  MoveParts parts;
  Category category = Category::kBalanced;
  bool included = false, vital = false, pruned = false;
  bool permitted = true;  // not only asked about: an included move may be forbidden
  double bonus = 0;       // of the user's weight on the move
  std::vector<Move> line;
};

struct JunqiReport {
  std::vector<RootMove> moves;  // best first
  double value = 0;
  int depth = 0, worlds = 0;
  std::int64_t nodes = 0;
  double seconds = 0;
  StopReason stop = StopReason::kNone;
  bool style_applied = false;
};

/// What a view's seat believes: sets, marginals, samples; everything later follows from it.
struct Belief {
  std::array<KindSet, kPieces> possible{};
  std::array<std::array<float, kKinds>, kPieces> chance{};
  std::vector<std::array<Kind, kPieces>> worlds;
  Knowledge knowledge;
};
Belief believe(const View& view, const Weights& weights, int samples, std::uint64_t seed);

class JunqiSearch {
 public:
  JunqiSearch(const View& view, const SearchConfig& config, const Weights& weights);

  /// Searches until the depth, the nodes, the time or `stop`; always ends with a legal move.
  JunqiReport run(const RootWishes& wishes, std::atomic<bool>* stop = nullptr,
                  const std::function<void(const JunqiReport&)>& progress = nullptr);

  /// The parts and category of every legal move, without search.
  JunqiReport judge(const RootWishes& wishes);
  const Belief& belief();

 private:
  std::vector<RootMove> candidates(const RootWishes& wishes, JunqiReport& report);
  bool deepen(std::vector<RootMove>& roots, int depth, const Deadline& deadline,
              JunqiReport& report);
  void set_aside(std::vector<RootMove>& roots, std::vector<RootMove>& pruned) const;
  void classic(std::vector<RootMove>& roots, const Deadline& deadline, JunqiReport& report);

  const View& view_;
  SearchConfig config_;
  Scorer scorer_;
  std::optional<Belief> belief_;
  Stage stage_;
  std::vector<WorldSearch> searches_;
};

/// Searches a fully known board (an open game, a study) instead of a view.
double open_value(const Junqi& board, const SearchConfig& config, const Weights& weights,
                  std::int64_t* nodes = nullptr);

}  // namespace kibitz::junqi
