// The search of a Junqi seat: beliefs from its view, worlds sampled from the beliefs, the same root
// moves searched in every world, their values combined with caution. It is given a view and nothing
// else, so it cannot know more than the seat.
//
// Threads: `run` blocks and may start threads of its own; `progress` may be read from another
// thread.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "games/junqi/search/belief.h"
#include "games/junqi/search/races.h"
#include "games/junqi/search/wishes.h"
#include "games/junqi/search/world.h"
#include "search/report.h"

namespace kibitz::junqi {

/// A root move in one world.
struct InWorld {
  double value = 0;
  double luck = 0;  // how much better its fight ends in this world than it is believed to
};

struct RootMove {
  Move move = kNoMove;
  double value = 0;                // for the mover's alliance, in the points of the weights
  double mean = 0, deviation = 0;  // over the worlds
  int worlds = 0;                  // that it was searched in, at the depth of the report
  int extra = 0;                   // worlds more, one ply deep, that it was guaranteed
  std::int64_t asked = 0;          // worlds that it was guaranteed; 0 when it was not
  MoveParts parts;
  Category category = Category::kBalanced;
  bool included = false, vital = false, pruned = false;
  bool permitted = true;  // false for a move that is only there because it was included
  bool counter = false;   // strikes back at a piece that took one of ours lately
  double bonus = 0;       // of the user's weight on the move
  std::vector<Move> line;
  std::vector<InWorld> seen;  // by world, each at the depth it was last searched to
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

/// When to stop, besides the options' depth. Guaranteed worlds are not charged to the nodes.
struct JunqiLimits {
  std::int64_t nodes = 0;   // in all; 0 is no limit
  double seconds = 0;       // 0 is no limit
  std::int64_t worlds = 0;  // that are searched; 0 is no limit
};

class JunqiSearch {
 public:
  /// `view` must outlive the search.
  JunqiSearch(const View& view, const JunqiOptions& options, const JunqiLimits& limits = {});

  /// Searches until the depth, the nodes, the time or `stop`; always ends with a legal move.
  JunqiReport run(const RootWishes& wishes, std::atomic<bool>* stop = nullptr,
                  const std::function<void(const JunqiReport&)>& progress = nullptr);

  /// The parts and category of every legal move, without search.
  JunqiReport judge(const RootWishes& wishes);
  const Belief& belief();

 private:
  std::vector<RootMove> candidates(const RootWishes& wishes);
  void apply_style(std::vector<RootMove>& roots, const RootWishes& wishes,
                   JunqiReport& report) const;
  void narrow(std::vector<RootMove>& roots) const;
  bool deepen(std::vector<RootMove>& roots, int depth, std::size_t first, std::size_t last,
              JunqiReport& report);
  std::int64_t nodes_spent() const;
  /// The root moves in one world, in their order; empty when time or nodes ran out.
  std::vector<InWorld> look(const std::vector<RootMove>& roots, std::size_t world, int depth);
  /// Means and deviations over the worlds.
  void combine(std::vector<RootMove>& roots) const;
  void set_aside(std::vector<RootMove>& roots, std::size_t worlds,
                 std::vector<RootMove>& pruned) const;
  void open_worlds(std::size_t first, std::size_t last, const Deadline& deadline,
                   std::int64_t spent);
  void classic(std::vector<RootMove>& roots, const Deadline& deadline, JunqiReport& report);
  void pick_worlds();
  /// Samples further worlds, as many as the options say, for time that is left.
  void add_worlds(std::vector<RootMove>& roots, const Deadline& deadline);
  /// Whether time is better spent on further worlds than on the next ply of so many root moves.
  bool wants_worlds(int depth, std::size_t moves) const;
  void solve_races(std::vector<RootMove>& roots, const Deadline& deadline);
  void sampled(std::vector<RootMove>& roots, const RootWishes& wishes, const Deadline& deadline,
               JunqiReport& report, const std::function<void(const JunqiReport&)>& progress);

  const View& view_;
  JunqiOptions options_;
  JunqiLimits limits_;
  Scorer scorer_;
  std::optional<Belief> belief_;
  Stage stage_;
  Scorer::Expected expected_{};
  std::vector<Junqi> worlds_;
  std::optional<RootRaces> races_;
  std::deque<WorldSearch> searches_;  // of the worlds from dropped_ on
  std::size_t dropped_ = 0;           // worlds that are searched to the end
  std::int64_t dropped_nodes_ = 0;
  std::map<Move, std::vector<Move>> first_lines_;  // of the first world
};

/// Searches a fully known board (an open game, a study) instead of a view.
double open_value(const Junqi& board, const JunqiOptions& options, std::int64_t* nodes = nullptr);

}  // namespace kibitz::junqi
