// Reading a view from its notation.
#include <algorithm>
#include <stdexcept>

#include "base/index.h"
#include "games/junqi/view.h"

namespace kibitz::junqi {

View View::from_text(std::string_view text) {
  const std::size_t bar = std::min(text.find('|'), text.size());
  std::string_view head = text.substr(0, bar);
  while (!head.empty() && head.back() == ' ') head.remove_suffix(1);
  const auto seat = head.empty() ? std::string_view::npos : kSeatLetters.find(head[0]);
  if (seat == std::string_view::npos || head.size() < 3 || head[1] != ' ')
    throw std::invalid_argument("a view begins with its seat S, E, N or W and a space");
  head.remove_prefix(2);

  const auto make = [&]() -> View {
    if (head.find("turn=") != std::string_view::npos)
      return View(Junqi::read(head, true), static_cast<int>(seat));
    // The layouts this seat cannot see are filled with any legal one; the view does not look at
    // them.
    Options options;
    std::array<Layout, kSeats> layouts;
    layouts.fill(named_layouts()[0].second);
    std::array<bool, kSeats> given{};
    for (std::size_t at = 0; at < head.size();) {
      const std::size_t end = std::min(head.find(' ', at), head.size());
      const auto word = head.substr(at, end - at);
      at = end + 1;
      if (word.empty()) continue;
      const auto whose = kSeatLetters.find(word[0]);
      if (word.size() > 2 && word[1] == ':' && whose != std::string_view::npos) {
        layouts[whose] = parse_layout(word.substr(2));
        given[whose] = true;
      } else {
        options.read(word);
      }
    }
    View view(Junqi(layouts, options), static_cast<int>(seat));
    for (int s = 0; s < kSeats; ++s)
      if (view.alive(s) && view.knows(s) && !given[as_index(s)])
        throw std::invalid_argument(std::string("the view lacks the layout of ") +
                                    kSeatLetters[as_index(s)] + ", which the seat knows");
    return view;
  };
  View view = make();
  if (!view.alive(view.seat_) && view.events_.empty() && view.players() == 2 && (seat & 1))
    throw std::invalid_argument("with two players the seats are S and N");
  for (int piece = view.seat_ * kArmy; piece < (view.seat_ + 1) * kArmy; ++piece)
    if (view.kind(piece) == Kind::kUnknown)
      throw std::invalid_argument("a seat knows all of its own pieces");

  std::string_view rest = bar < text.size() ? text.substr(bar + 1) : std::string_view{};
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = std::min(rest.find(' ', at), rest.size());
    if (end > at) {
      Event event = parse_event(rest.substr(at, end - at));
      if (event.type == EventType::kMoved) event.seat = static_cast<std::uint8_t>(view.to_move());
      view.observe(event);
    }
    at = end + 1;
  }
  return view;
}

}  // namespace kibitz::junqi
