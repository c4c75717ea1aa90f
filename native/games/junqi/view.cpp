#include "games/junqi/view.h"

#include <bit>
#include <stdexcept>

#include "base/index.h"

namespace kibitz::junqi {

bool View::knows(int of_seat) const {
  return of_seat == seat_ || options_.information == Information::kOpen ||
         (options_.information == Information::kAllies && of_seat == ally(seat_));
}

View::View(const Junqi& board, int seat) : Placement(board), seat_(seat) {
  for (int s = 0; s < kSeats; ++s) flag_known_[as_index(s)] = board.flag_known(s);
  bool fresh = true;
  for (int piece = 0; piece < kPieces; ++piece) {
    const int owner = owner_of(piece);
    if (players() == 2 && (owner & 1)) continue;
    turned_[as_index(piece)] = board.turned(piece);
    fresh = fresh && on_board(piece) && !moved(piece);
    if (knows(owner)) {
      possible_[as_index(piece)] = set_of(board.kind(piece));
      continue;
    }
    KindSet kinds = kinds_allowed(place_of(piece));
    if (moved(piece)) kinds &= kMobile;
    if (turned(piece)) kinds &= set_of(Kind::kEngineer);
    if (alive(owner)) {
      if (!on_board(piece)) kinds &= static_cast<KindSet>(~set_of(Kind::kFlag));
      // The flag is shown exactly when the commander falls.
      if (board.flag_known(owner) == on_board(piece))
        kinds &= static_cast<KindSet>(~set_of(Kind::kCommander));
      if (board.flag_known(owner)) {
        const bool shown = piece == board.flag(owner);  // public: everyone was shown this flag
        kinds &= shown ? set_of(Kind::kFlag) : static_cast<KindSet>(~set_of(Kind::kFlag));
      }
    }
    possible_[as_index(piece)] = kinds;
  }
  // A fresh view is written by its layouts, any other by the board with the hidden kinds left out.
  start_ = std::string(1, kSeatLetters[as_index(seat)]) + " " + options_.to_text();
  if (fresh && board.ply() == 0) {
    for (int s = 0; s < kSeats; ++s)
      if (alive(s) && knows(s))
        start_ +=
            std::string(" ") + kSeatLetters[as_index(s)] + ":" + layout_text(layout_of(board, s));
  } else {
    std::string text = board.to_text().substr(options_.to_text().size());
    int s = -1, place = 0;
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] == ':') {
        s = static_cast<int>(kSeatLetters.find(text[i - 1] == '-' ? text[i - 2] : text[i - 1]));
        place = 0;
      }
      const bool kind = s >= 0 && (text[i - 1] == ':' || text[i - 1] == ',');
      if (kind && !std::has_single_bit(possible_[as_index(s * kArmy + place)])) text[i] = '?';
      if (kind) ++place;
    }
    start_ += text;
  }
}

Kind View::kind(int piece) const {
  const KindSet kinds = possible_[as_index(piece)];
  return std::has_single_bit(kinds) ? static_cast<Kind>(std::countr_zero(kinds)) : Kind::kUnknown;
}

void View::fall(int piece, const Event& event) {
  lift(piece);
  const int owner = owner_of(piece);
  if (event.out[as_index(owner)] == Out::kFlagTaken) {
    restrict(piece, set_of(Kind::kFlag));
    return;
  }
  restrict(piece, static_cast<KindSet>(~set_of(Kind::kFlag)));
  if (event.flag_at[as_index(owner)] != kNowhere)
    restrict(piece, set_of(Kind::kCommander));
  else if (!flag_known_[as_index(owner)])
    restrict(piece, static_cast<KindSet>(~set_of(Kind::kCommander)));
}

void View::leave(int of_seat, Out why) {
  if (why == Out::kStuck)
    for (int piece = of_seat * kArmy; piece < (of_seat + 1) * kArmy; ++piece)
      if (on_board(piece) && has_exit(*this, piece)) restrict(piece, kStatic);
  remove_army(of_seat);
}

void View::observe(const Event& event) {
  if (event.type == EventType::kDrawAgreed) {
    draw_agreed_ = true;
    events_.push_back(event);
    return;
  }
  if (event.type == EventType::kMoved) {
    const int from = from_of(event.move), to = to_of(event.move);
    if (from >= kNodes || to >= kNodes || piece_at(from) == kNowhere ||
        owner_of(piece_at(from)) != turn_)
      throw std::invalid_argument("no piece of the seat to move stands on " +
                                  (from < kNodes ? node_name(from) : std::string("?")));
    const int piece = piece_at(from), other = piece_at(to);
    if ((other == kNowhere) != (event.outcome == Outcome::kMove) ||
        !targets(*this, piece, true).has(to))
      throw std::invalid_argument("the event " + event_text(event) + " cannot happen here");
    restrict(piece, kMobile);
    if (!graph_->straight_targets(from, occupied()).has(to)) {
      restrict(piece, set_of(Kind::kEngineer));
      turned_[as_index(piece)] = true;
    }
    observe_conduct(*this, history_, event.move, conduct_);
    history_.make(ply_, event.move, piece, other, event.outcome);
    moved_[as_index(piece)] = true;
    if (other == kNowhere) {
      ++quiet_;
      lift(piece);
      stand(piece, to);
    } else {
      quiet_ = 0;
      relations_.push_back(
          {static_cast<std::uint8_t>(piece), static_cast<std::uint8_t>(other), event.outcome});
      const bool attacker_dies = event.outcome != Outcome::kWon;
      if (attacker_dies) fall(piece, event);
      if (event.outcome != Outcome::kLost) fall(other, event);
      if (!attacker_dies) {
        lift(piece);
        stand(piece, to);
      }
    }
    for (int s = 0; s < kSeats; ++s) {
      if (event.flag_at[as_index(s)] == kNowhere) continue;
      flag_known_[as_index(s)] = true;
      for (int p = s * kArmy; p < (s + 1) * kArmy; ++p)
        restrict(p, p == piece_at(event.flag_at[as_index(s)])
                        ? set_of(Kind::kFlag)
                        : static_cast<KindSet>(~set_of(Kind::kFlag)));
    }
  }
  for (int s = 0; s < kSeats; ++s)
    if (event.out[as_index(s)] == Out::kFlagTaken || event.out[as_index(s)] == Out::kResigned)
      leave(s, event.out[as_index(s)]);
  if (event.type != EventType::kResigned || event.seat == turn_) {
    ++ply_;
    pass_turn();
  }
  // Those without a move are judged after the turn has passed on, as the rules do it.
  for (int s = 0; s < kSeats; ++s)
    if (event.out[as_index(s)] == Out::kStuck) leave(s, Out::kStuck);
  if (!alive(turn_)) pass_turn();
  events_.push_back(event);
}

void View::legal_moves(MoveList<Junqi>& list) const {
  list.clear();
  if (is_over() || turn_ != seat_) return;
  for (int piece = seat_ * kArmy; piece < (seat_ + 1) * kArmy; ++piece) {
    const Kind what = kind(piece);
    if (!on_board(piece) || !is_mobile(what)) continue;
    const int from = node_of(piece);
    targets(*this, piece, what == Kind::kEngineer).each([&](int to) {
      list.push(move_of(from, to));
    });
  }
}

bool View::is_legal(Move move) const {
  MoveList<Junqi> list;
  legal_moves(list);
  for (const Move legal : list)
    if (legal == move) return true;
  return false;
}

Junqi View::world(const std::array<Kind, kPieces>& kinds) const {
  Junqi board{static_cast<const Placement&>(*this)};
  board.kinds_ = kinds;
  board.turned_ = turned_;
  board.flag_known_ = flag_known_;
  board.rebuild();
  return board;
}

std::uint64_t View::hash() const {
  std::uint64_t key = mix64(static_cast<std::uint64_t>(seat_) + 77);
  for (int piece = 0; piece < kPieces; ++piece)
    key = mix64(
        key ^ (static_cast<std::uint64_t>(possible_[as_index(piece)]) << 8 | at_[as_index(piece)]));
  for (const Event& event : events_)
    key = mix64(key ^
                (static_cast<std::uint64_t>(event.move) << 8 | static_cast<int>(event.outcome)));
  return key;
}

std::string View::to_text() const {
  std::string out = start_ + " |";
  for (const Event& event : events_) out += " " + event_text(event);
  return out;
}

}  // namespace kibitz::junqi
