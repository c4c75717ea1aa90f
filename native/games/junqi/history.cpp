#include "games/junqi/history.h"

namespace kibitz::junqi {
namespace {

void count(std::uint8_t& counter) {
  counter = static_cast<std::uint8_t>(counter + (counter < 255));
}

void capture(Activity& did, int ply, int victim) {
  count(did.captures);
  did.last_capture = static_cast<std::int16_t>(ply);
  did.victims = static_cast<std::uint8_t>(did.victims | 1 << owner_of(victim));
}

}  // namespace

std::uint64_t HistoryRecorder::part(int piece, const Activity& did) {
  const int level = did.level();
  if (level == 0 && did.last_capture < 0) return 0;
  return mix64(static_cast<std::uint64_t>(piece) << 40 | static_cast<std::uint64_t>(level) << 32 |
               static_cast<std::uint64_t>(did.victims) << 16 |
               static_cast<std::uint16_t>(did.last_capture));
}

void HistoryRecorder::make(int ply, Move move, int piece, int other, Outcome outcome) {
  auto& mover = activity_[static_cast<std::size_t>(piece)];
  Turn turn{move,
            static_cast<std::uint8_t>(piece),
            static_cast<std::uint8_t>(other),
            other != kNowhere,
            mover,
            {},
            signature_};
  signature_ ^= part(piece, mover);
  count(mover.moves);
  if (turn.battle) {
    auto& target = activity_[static_cast<std::size_t>(other)];
    turn.other_before = target;
    signature_ ^= part(other, target);
    count(mover.attacks);
    if (outcome == Outcome::kWon) capture(mover, ply, other);
    if (outcome == Outcome::kLost) {
      capture(target, ply, piece);
      count(target.defences);
    }
    signature_ ^= part(other, target);
    battles_.push_back({static_cast<std::uint16_t>(ply), static_cast<std::uint8_t>(piece),
                        static_cast<std::uint8_t>(other), outcome});
  }
  signature_ ^= part(piece, mover);
  turns_.push_back(turn);
}

void HistoryRecorder::unmake() {
  const Turn& turn = turns_.back();
  activity_[turn.piece] = turn.before;
  if (turn.battle) {
    activity_[turn.other] = turn.other_before;
    battles_.pop_back();
  }
  signature_ = turn.signature;
  turns_.pop_back();
}

}  // namespace kibitz::junqi
