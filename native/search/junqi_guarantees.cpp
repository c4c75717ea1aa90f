#include "search/junqi_guarantees.h"

#include <algorithm>

namespace kibitz::junqi {

Guarantees::Guarantees(const View& view, const JunqiOptions& options, const Scorer& scorer,
                       const Belief& belief, const std::vector<Guarantee>& asked,
                       const Deadline& deadline)
    : view_(view), options_(options), scorer_(scorer), belief_(belief), deadline_(deadline) {
  for (const Guarantee& guarantee : asked) moves_.push_back({guarantee.move, guarantee.min_visits});
}

bool Guarantees::owed() const {
  return !deadline_.passed() && std::any_of(moves_.begin(), moves_.end(),
                                            [this](const Owed& owed) { return lacks(owed); });
}

void Guarantees::serve_round() {
  // The belief's worlds from the back: the search takes its own from the front.
  const std::size_t known = belief_.worlds.size(), place = round_++;
  if (place >= known && more_.empty()) {
    std::int64_t most = 0;
    for (const Owed& owed : moves_) most = std::max(most, owed.asked);
    more_ = more_worlds(view_, scorer_.weights(), static_cast<int>(most), options_.seed);
  }
  const WorldKinds& kinds =
      place < known ? belief_.worlds[known - 1 - place] : more_[(place - known) % more_.size()];
  WorldSearch search(view_.world(kinds), view_.team(view_.seat()), options_, scorer_,
                     belief_.knowledge, view_.history(), deadline_, 0);
  for (Owed& owed : moves_) {
    if (!lacks(owed)) continue;
    search.after(owed.move, 1, search.surprise(search.world(), owed.move));
    if (search.aborted()) break;
    ++owed.given;
  }
  nodes_ += search.nodes();
}

int Guarantees::given(Move move) const {
  for (const Owed& owed : moves_)
    if (owed.move == move) return owed.given;
  return 0;
}

}  // namespace kibitz::junqi
