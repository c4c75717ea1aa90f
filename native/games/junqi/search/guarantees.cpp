#include "games/junqi/search/guarantees.h"

#include <algorithm>

namespace kibitz::junqi {

Guarantees::Guarantees(const View& view, const JunqiOptions& options, const Scorer& scorer,
                       const Belief& belief, const Scorer::Expected& expected,
                       const std::vector<Guarantee>& asked, const Deadline& deadline)
    : view_(view),
      options_(options),
      scorer_(scorer),
      belief_(belief),
      expected_(expected),
      deadline_(deadline) {
  for (const Guarantee& guarantee : asked) moves_.push_back({guarantee.move, guarantee.min_visits});
}

bool Guarantees::pending() const {
  return !deadline_.passed() && std::any_of(moves_.begin(), moves_.end(),
                                            [this](const AskedMove& move) { return lacks(move); });
}

void Guarantees::serve_round() {
  // The belief's worlds from the back: the search takes its own from the front.
  const std::size_t known = belief_.worlds.size(), place = round_++;
  if (place >= known && more_.empty()) {
    std::int64_t most = 0;
    for (const AskedMove& move : moves_) most = std::max(most, move.asked);
    more_ = more_worlds(view_, scorer_.weights(), static_cast<int>(most), options_.seed);
  }
  const WorldKinds& kinds =
      place < known ? belief_.worlds[known - 1 - place] : more_[(place - known) % more_.size()];
  WorldSearch search(view_.world(kinds), view_.team(view_.seat()), options_, scorer_,
                     belief_.knowledge, expected_, view_.history(), deadline_, 0);
  for (AskedMove& move : moves_) {
    if (!lacks(move)) continue;
    search.after(move.move, 1, search.surprise(search.world(), move.move));
    if (search.aborted()) break;
    ++move.given;
  }
  nodes_ += search.nodes();
}

int Guarantees::given(Move move) const {
  for (const AskedMove& asked : moves_)
    if (asked.move == move) return asked.given;
  return 0;
}

}  // namespace kibitz::junqi
