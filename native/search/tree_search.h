// The tree search: one for every perfect-information game. What differs between flat UCB, UCT and
// PUCT are its parts: a selection rule, an evaluator, an oracle for the end of the game, a plan.
//
// The tree is a tree: a position reached by two orders of moves has two nodes, so what a node has
// learned can never be wrong for a path whose history (repetition, superko) differs.
//
// Threads: `start` spawns the search threads and returns; `wait`, `stop` and `report` may be called
// from any thread meanwhile. `advance`, `reset` and `start` only while nothing runs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/descending.h"
#include "base/rng.h"
#include "evaluate/evaluator.h"
#include "games/game.h"
#include "search/arena.h"
#include "search/node.h"
#include "search/options.h"
#include "search/report.h"
#include "search/score_utility.h"
#include "search/selection.h"
#include "search/votes.h"
#include "search/wdl_rescale.h"
#include "steering/plan.h"

namespace kibitz {

struct Budget {
  std::int64_t simulations = std::numeric_limits<std::int64_t>::max();  // in this search
  std::int64_t visits = std::numeric_limits<std::int64_t>::max();  // of the root, reused ones too
  double seconds = std::numeric_limits<double>::infinity();
};

template <Game G>
class TreeSearch {
 public:
  TreeSearch(const G& position, std::shared_ptr<Evaluator<G>> evaluator, const Options& options);
  ~TreeSearch();
  TreeSearch(const TreeSearch&) = delete;
  TreeSearch& operator=(const TreeSearch&) = delete;

  /// Used at new leaves when `solve_leaves` is on; its clones go to the threads.
  void set_oracle(std::shared_ptr<const Oracle<G>> oracle) { oracle_ = std::move(oracle); }
  void set_priors(PriorFunction<G> priors) { priors_ = priors; }
  void set_options(const Options& options) { options_ = options; }

  /// Forgets the tree and stands at `position`.
  void reset(const G& position);
  /// Plays a move at the root and keeps what the tree knows about it.
  void advance(Move move);
  const G& position() const { return root_position_; }

  void start(const Plan& plan, const Budget& budget);
  /// True when the search has ended; waits up to `seconds` for it. Rethrows an evaluator's error.
  bool wait(double seconds);
  void stop();
  bool running() const { return running_.load(std::memory_order_acquire); }

  /// `move_ownership` tells who owns what after each move too, where ownership is kept at all.
  SearchReport report(int line_length = 32, bool move_ownership = false) const;
  /// The tree as indented text, for people who want to see what the search thought.
  std::string dump(int depth, std::int64_t min_visits) const;

 private:
  struct Step {
    Node* node;
    Extras* extras;        // null where none are kept
    int mover;             // who is to move at `node`
    bool pending = false;  // is this visit counted as under way at `node`?
  };
  struct RootMove {
    bool permitted = true;
    float weight = 1.0f;
    float prior = 0.0f;    // at the root's temperature, and as the plan's leans make it
    float widened = 0.0f;  // the same as the rule is given it, evened out by noise
    Move twin = kNoMove;   // the move searched in its place, for the sake of a symmetry
    std::int64_t min_visits = 0;
    std::int64_t to_serve = 0;            // guaranteed visits that this search has to make
    std::int64_t served_before = 0;       // those made by earlier searches at this root
    std::atomic<std::int64_t> served{0};  // those handed out by this search
    std::atomic<bool> pruned{false};
    RootMove() = default;
    RootMove(const RootMove& other)
        : permitted(other.permitted),
          weight(other.weight),
          prior(other.prior),
          widened(other.widened),
          twin(other.twin),
          min_visits(other.min_visits),
          to_serve(other.to_serve),
          served_before(other.served_before),
          served(other.served.load()),
          pruned(other.pruned.load()) {}
  };
  /// A descent waiting for its evaluation.
  struct Pending {
    G position;
    std::vector<Step> path;
    MoveList<G> moves;
    std::vector<float> priors, ownership;
    bool expands = false;
    explicit Pending(const G& at) : position(at) {}
  };
  struct Worker {
    Worker(const G& at, std::uint64_t seed, int index, int leaves_at_once)
        : rng(seed, static_cast<std::uint64_t>(index)),
          batch(static_cast<std::size_t>(leaves_at_once), Pending(at)) {}
    Rng rng;
    std::unique_ptr<Oracle<G>> oracle;
    std::vector<Pending> batch;
    std::vector<Leaf<G>> leaves;
    Shelf shelf;
    int max_depth = 0;
    unsigned ticks = 0;
    bool spent = false;        // found no budget left
    std::int64_t granted = 0;  // iterations claimed and not yet begun
    // Sums of finished iterations that the shared counters do not have yet. Every thread writes
    // those, and the root; writing them less often is what lets threads run side by side.
    std::int64_t finished = 0, depths = 0, root_value = 0;
    std::uint64_t root_visits = 0;
    struct Kept {
      Node* node;
      std::uint64_t visits;
      std::int64_t value;
    };
    std::vector<Kept> kept;                      // the same for much visited children of the root
    std::vector<std::vector<const Node*>> near;  // lines to the parents of leaves under way
  };
  /// How much a node's weight counts when it tells of the evaluator's error.
  static constexpr double kBiasExponent = 0.85;
  /// Visits beyond which one more under way changes nothing, so threads need not tell each other.
  static constexpr std::uint32_t kMuchVisited = 1024;
  enum class Descent { kLeaf, kDone, kCollision, kNoBudget };

  template <class Rule>
  void run(int index);
  template <class Rule>
  void gather_and_evaluate(const Rule& rule, Worker& worker);
  template <class Rule>
  Descent descend(const Rule& rule, Worker& worker, Pending& pending);
  template <class Rule>
  int choose(const Rule& rule, const Step& at, int depth, Rng& rng) const;
  template <class Rule, bool kSteered>
  int choose_among(const Rule& rule, const Step& at, int depth, Rng& rng) const;
  template <class Rule, bool kSteered>
  NodeView node_view(const Node& node, const Extras* extras, int mover, int depth) const;

  void open_root(Worker& worker);
  void judge_root_again(Worker& worker);
  void lean_root();
  void forget_root();
  void enthrone();
  void evaluate(Worker& worker, std::size_t asked, std::size_t count);
  void note_collision(Worker& worker, const Pending& pending);
  std::size_t prefetch(Worker& worker, std::size_t count);
  void after_iteration(Worker& worker);
  void note_depth(Worker& worker, int depth);
  Descent arrive_settled(Worker& worker, Pending& pending);
  bool settle_leaf(Worker& worker, Pending& pending);
  bool repeats_itself(const G& position, int depth) const;
  void temper(std::span<float> priors) const;
  void list_moves(Pending& pending) const;
  bool expand(Node& node, const G& position, Worker& worker);
  bool make_children(Node& node, std::span<const Move> moves, std::span<const float> priors,
                     Worker& worker);
  Node* new_family(std::size_t count, Shelf& shelf, Arena& arena) const;
  void copy_family(const Node& from, Node& to, Shelf& shelf, Arena& arena);
  int take_guarantee();
  bool guarantee_is_due() const;
  bool claim_iteration(Worker& worker);
  void give_back(int guaranteed);
  void back_up(Worker& worker, const std::vector<Step>& path, const Outcome& outcome);
  void hand_in(Worker& worker);
  bool keeps_to_itself(Worker& worker, const Step& step, std::int64_t value) const;
  void back_up_weighted(const std::vector<Step>& path, double value, const Outcome& outcome);
  struct Weighing {
    const Node* kid;
    const Extras* extras;
    double weight, value;
  };
  double weigh_children(const Node& node, int mover, bool is_root, std::vector<Weighing>& out,
                        double* before = nullptr) const;
  Extras* extras_at(std::atomic<Extras*>& slot, Worker& worker);
  void find_bias(const G& position, Extras* extras);
  double biased(const Extras& extras) const;
  void tell_bias(Extras& extras, double difference, double weight);
  static double mass_of(const Node& kid, const Extras* extras, std::int64_t aside);
  void keep_ownership(Extras* extras, std::span<const float> ownership, Worker& worker);
  void temper_root();
  void drop_twins();
  float root_bonus(Rng& rng) const;
  float widened(float prior) const;
  double score_unit() const;
  float* copied_ownership(const Extras& from, Shelf& shelf, Arena& arena) const;
  std::int64_t guaranteed_visits(std::size_t index) const;
  std::int64_t set_aside_visits(std::size_t index) const;
  void abandon(const std::vector<Step>& path);
  void settle_from(const std::vector<Step>& path, std::size_t last);
  Bounds combined(const Node& node, int mover, bool is_root) const;
  void prune_root(std::int64_t iteration);
  void prune_progressively(std::int64_t iteration);
  void prune_statistically();
  bool root_decided() const;
  void finish(StopReason reason);

  std::vector<Voter> voters() const;
  double value_variance(std::size_t index, std::int64_t count) const;
  MoveReport report_move(std::size_t index, const Voter& voter, int line_length) const;
  void fill_extras(MoveReport& out, const Node& kid, const Extras& extras) const;
  struct Selection {
    double value = 0.0, radius = 0.0;
  };
  std::vector<Selection> select_as_katago(const std::vector<MoveReport>& moves,
                                          bool by_votes) const;
  void order(std::vector<MoveReport>& moves) const;
  void report_root(SearchReport& out) const;
  void report_ownership(const Node& node, const Extras* extras, int mover, std::vector<float>& mean,
                        std::vector<float>& stdev) const;
  void add_ownership(const Node& node, const Extras* extras, int mover, double share,
                     std::vector<double>& sums, std::vector<double>& squares) const;
  bool better(const MoveReport& a, const MoveReport& b) const;
  const Node* favourite(const Node& node, int mover) const;
  std::vector<Move> line_from(const Node& node, int length,
                              std::vector<std::int64_t>& visits) const;
  void dump_node(std::string& out, const Node& node, G position, int indent, int depth,
                 std::int64_t min_visits) const;
  float mover_value(const Node& node, int mover) const;
  std::optional<double> first_opinion(const Node& node, int mover) const;

  Options options_;
  std::shared_ptr<Evaluator<G>> evaluator_;
  std::shared_ptr<const Oracle<G>> oracle_;
  PriorFunction<G> priors_ = nullptr;

  std::unique_ptr<Arena> arena_;
  std::unique_ptr<ValueBiasTable> biases_, biases_kept_;  // the second while a tree is copied
  G root_position_;
  Node root_;
  Extras root_extras_;
  bool extras_ = false;
  int ownership_points_ = 0;  // numbers kept for each evaluated node
  ScoreUtility utility_;
  WdlRescale rescale_;
  Outcome root_own_;    // what the evaluator said about the root itself
  bool proofs_ = true;  // proven results are used and passed up
  bool weighted_ = false;

  // One search.
  Plan plan_;
  Budget budget_;
  int plan_reach_ = 0;
  std::vector<RootMove> root_moves_;
  std::vector<int> guarantees_;  // indices of the children that have one
  bool may_choose_ = true;       // some root move is permitted
  bool exclusive_ = true;        // one thread: plain adds instead of atomic ones
  bool count_pending_ = false;   // virtual losses; of no use to one thread with one leaf at a time
  bool prunes_ = false;
  bool may_prefetch_ = false;
  std::int64_t reused_ = 0;
  std::int64_t limit_ = 0;  // iterations this search may make beyond guaranteed ones
  StopReason limit_reason_ = StopReason::kSimulations;
  Stopwatch watch_;
  double seconds_ = 0.0;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> running_{false};
  std::atomic<std::int64_t> guarantees_left_{0};  // guaranteed visits not yet handed out
  std::atomic<std::int64_t> guaranteed_{0};       // guaranteed visits handed out at this root
  std::int64_t guaranteed_before_ = 0;            // of those, by earlier searches
  std::atomic<bool> full_{false};
  std::atomic<bool> root_settled_{false};
  std::atomic<bool> root_open_{false};  // root_moves_ may be read
  alignas(64) std::atomic<std::int64_t> claimed_{0};
  std::atomic<std::int64_t> finished_{0};
  std::atomic<std::int64_t> nodes_{0};
  std::atomic<int> depth_{0};
  std::atomic<std::int64_t> depth_sum_{0};
  std::atomic<StopReason> reason_{StopReason::kNone};

  std::vector<std::thread> threads_;
  int active_ = 0;
  std::mutex opening_;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::exception_ptr error_;
};

}  // namespace kibitz

#include "search/tree_search_backup.inl.h"
#include "search/tree_search_batch.inl.h"
#include "search/tree_search_child.inl.h"
#include "search/tree_search_choice.inl.h"
#include "search/tree_search_descend.inl.h"
#include "search/tree_search_grow.inl.h"
#include "search/tree_search_keep.inl.h"
#include "search/tree_search_report.inl.h"
#include "search/tree_search_root.inl.h"
#include "search/tree_search_run.inl.h"
#include "search/tree_search_votes.inl.h"
