// Chess networks of sums in Python: made from the tensors of a file, asked about positions.
#include "games/chess/bind/accumulators.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/sample_binding.h"
#include "bind/text.h"
#include "games/chess/evaluate/endings.h"
#include "games/chess/evaluate/eval.h"
#include "games/chess/evaluate/score.h"
#include "games/chess/evaluate/terms.h"
#include "games/chess/fen.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace kibitz::bind {
namespace {

using Tensor = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

using Planes = nb::ndarray<const float, nb::shape<-1, 112, 8, 8>, nb::c_contig, nb::device::cpu>;
/// Planes of the castling rights and of the clock.
constexpr int kCastling = 104, kClock = 109;

std::span<const float> numbers(const Tensor& tensor) { return {tensor.data(), tensor.size()}; }

std::vector<Move> moves_of(const Chess& position) {
  MoveList<Chess> list;
  chess::list_moves(position.board(), list);
  return {list.begin(), list.end()};
}

/// The board of planes, which show the mover as white.
chess::Board board_of(const float* planes) {
  chess::Board board;
  for (int plane = 0; plane < 12; ++plane)
    for (int square = 0; square < 64; ++square)
      if (planes[64 * plane + square] != 0.0f) {
        if (board.occupied() & chess::bit(square)) throw nb::value_error("two pieces on a square");
        board.put(plane < 6 ? chess::kWhite : chess::kBlack, static_cast<chess::Piece>(plane % 6),
                  square);
      }
  chess::check_pieces(board);
  constexpr std::array<int, 4> kRooks{0, 7, 56, 63};
  for (int i = 0; i < 4; ++i) {
    const int who = i < 2 ? chess::kWhite : chess::kBlack;
    const chess::Bits rook = chess::bit(kRooks[static_cast<std::size_t>(i)]);
    const bool home = (board.king(who) & 56) == (who == chess::kWhite ? 0 : 56);
    if (planes[64 * (kCastling + i)] != 0.0f && home && (board.of(who, chess::kRook) & rook))
      board.castling |= rook;
  }
  chess::check_turn(board);
  return board;
}

std::tuple<SampleArray, SampleArray, SampleArray> hand_view(const Planes& planes) {
  const std::size_t count = planes.shape(0);
  std::vector<Chess> positions;
  std::vector<std::vector<Move>> moves;
  std::size_t most = 1;
  for (std::size_t row = 0; row < count; ++row) {
    positions.emplace_back(board_of(planes.data() + row * 112 * 64));
    moves.push_back(moves_of(positions.back()));
    most = std::max(most, moves.back().size());
  }
  SampleArray scores = new_array({count, 3});
  SampleArray places = new_array({count, most});
  SampleArray features = new_array({count, most, static_cast<std::size_t>(chess::kMoveFeatures)});
  std::fill_n(places.data(), places.size(), static_cast<float>(chess::Accumulators::kMoves));
  std::fill_n(features.data(), features.size(), 0.0f);
  std::vector<chess::MoveFeatures> of_moves(most);
  for (std::size_t row = 0; row < count; ++row) {
    const chess::Board& board = positions[row].board();
    float* score = scores.data() + row * 3;
    score[0] = static_cast<float>(chess::static_score(board));
    score[1] = static_cast<float>(chess::quiet_score(board));
    score[2] = board.in_check() ? 1.0f : 0.0f;
    chess::move_features(board, moves[row], of_moves);
    for (std::size_t i = 0; i < moves[row].size(); ++i) {
      const std::size_t at = row * most + i;
      places.data()[at] = static_cast<float>(positions[row].policy_index(moves[row][i]));
      std::copy(of_moves[i].begin(), of_moves[i].end(), features.data() + at * of_moves[i].size());
    }
  }
  return {scores, places, features};
}

/// Where the terms of each kind begin.
std::map<std::string, int> term_kinds() {
  using chess::Terms;
  return {
      {"squares", Terms::kSquares},
      {"mobility", Terms::kMobility},
      {"passed", Terms::kPassed},
      {"own_king", Terms::kOwnKing},
      {"other_king", Terms::kOtherKing},
      {"guarded", Terms::kGuarded},
      {"beside", Terms::kBeside},
      {"isolated", Terms::kIsolated},
      {"backward", Terms::kBackward},
      {"doubled", Terms::kDoubled},
      {"rook_file", Terms::kRookFile},
      {"rook_behind", Terms::kRookBehind},
      {"bishop_pair", Terms::kBishopPair},
      {"bishop_pawns", Terms::kBishopPawns},
      {"outpost", Terms::kOutpost},
      {"shelter", Terms::kShelter},
      {"storm", Terms::kStorm},
      {"pressure", Terms::kPressure},
      {"pawn_hits", Terms::kPawnHits},
      {"minor_hits", Terms::kMinorHits},
      {"rook_hits", Terms::kRookHits},
      {"king_hits", Terms::kKingHits},
      {"loose", Terms::kLoose},
      {"move", Terms::kMove},
  };
}

/// The terms of boards in rows of one length, and whether they count for the mover.
std::tuple<SampleArray, SampleArray, SampleArray> term_view(const Planes& planes) {
  struct Row {
    std::vector<float> terms, signs;
    void add(int side, int term) {
      terms.push_back(static_cast<float>(term));
      signs.push_back(side == chess::kWhite ? 1.0f : -1.0f);
    }
  };
  const std::size_t count = planes.shape(0);
  std::vector<Row> rows(count);
  SampleArray facts = new_array({count, 2});
  std::size_t most = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const chess::Board board = board_of(planes.data() + i * 112 * 64);
    chess::list_terms(board, rows[i]);
    most = std::max(most, rows[i].terms.size());
    facts.data()[2 * i] = static_cast<float>(chess::phase_of(board)) / chess::kFullPhase;
    constexpr int kSome = 300;
    const bool plain =
        chess::ending_score(board, kSome) == kSome && chess::ending_score(board, -kSome) == -kSome;
    facts.data()[2 * i + 1] = plain ? 1.0f : 0.0f;
  }
  SampleArray terms = new_array({count, most}), signs = new_array({count, most});
  std::fill_n(terms.data(), terms.size(), 0.0f);
  std::fill_n(signs.data(), signs.size(), 0.0f);
  for (std::size_t i = 0; i < count; ++i) {
    std::copy(rows[i].terms.begin(), rows[i].terms.end(), terms.data() + i * most);
    std::copy(rows[i].signs.begin(), rows[i].signs.end(), signs.data() + i * most);
  }
  return {terms, signs, facts};
}

std::pair<SampleArray, SampleArray> answer(const ChessAccumulators& self, const Planes& planes) {
  const std::size_t count = planes.shape(0);
  const auto size = static_cast<std::size_t>(chess::Accumulators::kMoves);
  constexpr float kNoMove = -1e4f;
  SampleArray logits = new_array({count, size}), outcomes = new_array({count, 4});
  std::fill_n(logits.data(), logits.size(), kNoMove);
  for (std::size_t row = 0; row < count; ++row) {
    const float* shown = planes.data() + row * 112 * 64;
    const Chess position(board_of(shown));
    const auto clock = static_cast<int>(std::clamp(shown[64 * kClock], 0.0f, 100.0f));
    const int score = chess::quiet_score(position.board(), *self.network);
    const Outcome outcome = chess::expected_outcome(score, clock);
    float* out = outcomes.data() + row * 4;
    out[0] = outcome.value - outcome.draw / 2;
    out[1] = outcome.draw;
    out[2] = 1.0f - outcome.value - outcome.draw / 2;
    out[3] = outcome.score;
    const std::vector<Move> moves = moves_of(position);
    std::vector<float> of_moves(moves.size());
    self.network->policy(position.board(), moves, of_moves);
    for (std::size_t i = 0; i < moves.size(); ++i)
      logits.data()[row * size + static_cast<std::size_t>(position.policy_index(moves[i]))] =
          of_moves[i];
  }
  return {logits, outcomes};
}

}  // namespace

void bind_chess_accumulators(nb::module_& m) {
  nb::class_<ChessAccumulators>(m, "ChessAccumulators", "A chess network of sums.")
      .def(
          "__init__",
          [](ChessAccumulators* self, const Tensor& pieces, const Tensor& pieces_bias,
             const Tensor& value, const Tensor& value_bias, const Tensor& hidden,
             const Tensor& hidden_bias, const Tensor& moves, const Tensor& moves_bias,
             const Tensor& hand, const Tensor& terms, const Tensor& term_rows,
             const Tensor& term_bias, const Tensor& term_output, const Tensor& score_pieces,
             const Tensor& score_bias, const Tensor& score_output,
             const Tensor& score_output_bias) {
            const chess::Accumulators::Tensors tensors{
                numbers(pieces),
                numbers(pieces_bias),
                numbers(value),
                numbers(value_bias),
                numbers(hidden),
                numbers(hidden_bias),
                numbers(moves),
                numbers(moves_bias),
                numbers(hand),
                numbers(terms),
                {numbers(term_rows), numbers(term_bias), numbers(term_output)},
                {numbers(score_pieces), numbers(score_bias), numbers(score_output),
                 numbers(score_output_bias)}};
            new (self) ChessAccumulators{std::make_shared<const chess::Accumulators>(tensors)};
          },
          "pieces"_a, "pieces_bias"_a, "value"_a, "value_bias"_a, "hidden"_a, "hidden_bias"_a,
          "moves"_a, "moves_bias"_a, "hand"_a, "terms"_a, "term_rows"_a, "term_bias"_a,
          "term_output"_a, "score_pieces"_a, "score_bias"_a, "score_output"_a,
          "score_output_bias"_a)
      .def(
          "logit",
          [](const ChessAccumulators& self, const Chess& position) {
            return self.network->logit(position.board());
          },
          "position"_a, "The logit of the mover's expected result, as the pieces stand.")
      .def("answer", &answer, "planes"_a,
           "Of boards shown as planes: the logits of a policy, far down for what is no move (n x "
           "1858), and win, draw, loss, score after pending captures (n x 4).")
      .def(
          "priors",
          [](const ChessAccumulators& self, const Chess& position) {
            const std::vector<Move> moves = moves_of(position);
            std::vector<float> priors(moves.size());
            self.network->priors(position.board(), moves, priors);
            return priors;
          },
          "position"_a, "The priors of the moves that `board_moves` lists.");
  m.attr("CHESS_TERMS") = chess::Terms::kCount;
  m.attr("CHESS_TERM_FILTERS") = chess::TermWeights::kWidth;
  m.def("chess_term_kinds", &term_kinds, "The kinds of terms, and the number each begins with.");
  m.def("chess_term_view", &term_view, "planes"_a,
        "Of boards shown as planes: the numbers of the terms that a learned score adds up, rows of "
        "one length (n x m); 1 where a term counts for the mover, -1 against it, 0 where there are "
        "no more (n x m); the phase from 1, all pieces, to 0, and whether the score is not changed "
        "by what is known of endings (n x 2).");
  m.def(
      "chess_hand_view", &hand_view, "planes"_a,
      "Of boards shown as planes: the hand-written score of each as its pieces stand and after the "
      "pending captures, in centipawns, and whether it is check (n x 3); the policy indices of its "
      "moves, 1858 where there are no more (n x m); the features of those moves (n x m x 16). En "
      "passant is not known.");
}

}  // namespace kibitz::bind
