// Othello on two 64-bit boards: which squares can be played, and which discs a move turns.
//
// Bit 0 is a1, bit 1 is b1, ..., bit 63 is h8; row 1 is the top row. Every function comes in a
// portable form and, where the compiler targets AVX2 or AVX-512, in a vector form with the same
// answers (the tests compare them). `mobility` and `flips` are the best ones for the build.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace kibitz::othello {

using Bits = std::uint64_t;

inline constexpr int kPass = 64;
inline constexpr Bits kCorners = 0x8100000000000081ULL;
inline constexpr Bits kCentre = 0x0000001818000000ULL;
inline constexpr Bits kNotEdgeFiles = 0x7E7E7E7E7E7E7E7EULL;
inline constexpr Bits kNotEdgeRows = 0x00FFFFFFFFFFFF00ULL;
inline constexpr Bits kXSquares = 0x0042000000004200ULL;
inline constexpr Bits kCSquares = 0x4281000000008142ULL;

constexpr Bits bit(int square) { return Bits{1} << square; }

// Squares strictly beyond a square in one direction, up to the edge.
struct Rays {
  // Towards higher bits: east, south-west, south, south-east.
  alignas(32) std::array<Bits, 4> up;
  // Towards lower bits: west, north-east, north, north-west.
  alignas(32) std::array<Bits, 4> down;
};

namespace detail {

constexpr Bits ray(int square, int column_step, int row_step) {
  Bits squares = 0;
  int column = square % 8 + column_step;
  int row = square / 8 + row_step;
  while (column >= 0 && column < 8 && row >= 0 && row < 8) {
    squares |= bit(row * 8 + column);
    column += column_step;
    row += row_step;
  }
  return squares;
}

constexpr std::array<Rays, 65> make_rays() {
  std::array<Rays, 65> rays{};  // entry 64, the pass, keeps empty rays: a pass turns nothing
  for (int square = 0; square < 64; ++square) {
    rays[static_cast<std::size_t>(square)] = {
        {ray(square, 1, 0), ray(square, -1, 1), ray(square, 0, 1), ray(square, 1, 1)},
        {ray(square, -1, 0), ray(square, 1, -1), ray(square, 0, -1), ray(square, -1, -1)}};
  }
  return rays;
}

// Runs of `inner` squares reached from `player` by steps of `Shift`, then one step more: the
// landing squares.
template <int Shift>
constexpr Bits landing(Bits player, Bits inner) {
  Bits up = inner & (player << Shift);
  Bits down = inner & (player >> Shift);
  up |= inner & (up << Shift);
  down |= inner & (down >> Shift);
  const Bits pair_up = inner & (inner << Shift);
  const Bits pair_down = pair_up >> Shift;
  up |= pair_up & (up << (2 * Shift));
  down |= pair_down & (down >> (2 * Shift));
  up |= pair_up & (up << (2 * Shift));
  down |= pair_down & (down >> (2 * Shift));
  return (up << Shift) | (down >> Shift);
}

}  // namespace detail

inline constexpr std::array<Rays, 65> kRays = detail::make_rays();

constexpr Bits mobility_portable(Bits player, Bits opponent) {
  const Bits inner = opponent & kNotEdgeFiles;
  return (detail::landing<1>(player, inner) | detail::landing<7>(player, inner) |
          detail::landing<8>(player, opponent) | detail::landing<9>(player, inner)) &
         ~(player | opponent);
}

// The discs of `opponent` that a disc of `player` on `square` turns; 0 when the move is illegal or
// a pass.
constexpr Bits flips_portable(int square, Bits player, Bits opponent) {
  const Rays& rays = kRays[static_cast<std::size_t>(square)];
  Bits turned = 0;
  for (const Bits ray : rays.up) {
    // Adding one carries through everything that is off the ray or the opponent's, and stops at the
    // first ray square that is neither: the disc that closes the line, if it is the player's.
    const Bits outflank = ((opponent | ~ray) + 1) & ray & player;
    turned |= (outflank - (outflank != 0)) & ray;
  }
  for (const Bits ray : rays.down) {
    const Bits stop = ray & ~opponent;
    const Bits nearest = stop == 0 ? 0 : Bits{1} << (63 - std::countl_zero(stop));
    const Bits outflank = nearest & player;
    turned |= (Bits{0} - (outflank << 1)) & ray;
  }
  return turned;
}

#if defined(__AVX2__)

inline Bits or_lanes(__m256i lanes) {
  const __m128i half =
      _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
  return static_cast<Bits>(_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))));
}

// The four lanes are the four lines through a square: along the row, the two diagonals, the column.
inline Bits mobility_avx2(Bits player, Bits opponent) {
  const __m256i step = _mm256_set_epi64x(9, 8, 7, 1);
  const __m256i step2 = _mm256_add_epi64(step, step);
  const __m256i files =
      _mm256_set_epi64x(0x7E7E7E7E7E7E7E7E, -1, 0x7E7E7E7E7E7E7E7E, 0x7E7E7E7E7E7E7E7E);
  const __m256i own = _mm256_set1_epi64x(static_cast<long long>(player));
  const __m256i inner =
      _mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(opponent)), files);
  __m256i up = _mm256_and_si256(inner, _mm256_sllv_epi64(own, step));
  __m256i down = _mm256_and_si256(inner, _mm256_srlv_epi64(own, step));
  up = _mm256_or_si256(up, _mm256_and_si256(inner, _mm256_sllv_epi64(up, step)));
  down = _mm256_or_si256(down, _mm256_and_si256(inner, _mm256_srlv_epi64(down, step)));
  const __m256i pair_up = _mm256_and_si256(inner, _mm256_sllv_epi64(inner, step));
  const __m256i pair_down = _mm256_srlv_epi64(pair_up, step);
  up = _mm256_or_si256(up, _mm256_and_si256(pair_up, _mm256_sllv_epi64(up, step2)));
  down = _mm256_or_si256(down, _mm256_and_si256(pair_down, _mm256_srlv_epi64(down, step2)));
  up = _mm256_or_si256(up, _mm256_and_si256(pair_up, _mm256_sllv_epi64(up, step2)));
  down = _mm256_or_si256(down, _mm256_and_si256(pair_down, _mm256_srlv_epi64(down, step2)));
  const __m256i landing =
      _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
  return or_lanes(landing) & ~(player | opponent);
}

inline Bits flips_avx2(int square, Bits player, Bits opponent) {
  const Rays& rays = kRays[static_cast<std::size_t>(square)];
  const __m256i own = _mm256_set1_epi64x(static_cast<long long>(player));
  const __m256i other = _mm256_set1_epi64x(static_cast<long long>(opponent));
  const __m256i ones = _mm256_set1_epi64x(-1);
  const __m256i up = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.up.data()));
  const __m256i down = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.down.data()));

  // As in the portable form: the carry of + 1 (here - -1) finds the closing disc.
  const __m256i carried =
      _mm256_sub_epi64(_mm256_or_si256(other, _mm256_xor_si256(up, ones)), ones);
  const __m256i closing = _mm256_and_si256(_mm256_and_si256(carried, up), own);
  const __m256i none = _mm256_cmpeq_epi64(closing, _mm256_setzero_si256());
  __m256i turned = _mm256_and_si256(_mm256_sub_epi64(_mm256_add_epi64(closing, ones), none), up);

  // No leading-zero count in AVX2: shade everything from the first stopping square on, and keep the
  // lit run if the square that ends it is the player's.
  const __m256i step = _mm256_set_epi64x(9, 8, 7, 1);
  const __m256i step2 = _mm256_add_epi64(step, step);
  const __m256i step4 = _mm256_add_epi64(step2, step2);
  const __m256i stop = _mm256_andnot_si256(other, down);
  __m256i shade = _mm256_or_si256(stop, _mm256_srlv_epi64(stop, step));
  shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, step2));
  shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, step4));
  const __m256i first = _mm256_andnot_si256(_mm256_srlv_epi64(shade, step), stop);
  const __m256i open = _mm256_cmpeq_epi64(_mm256_and_si256(first, own), _mm256_setzero_si256());
  const __m256i lit = _mm256_andnot_si256(shade, down);
  turned = _mm256_or_si256(turned, _mm256_andnot_si256(open, lit));
  return or_lanes(turned);
}

#if defined(__AVX512VL__) && defined(__AVX512CD__)

inline Bits flips_avx512(int square, Bits player, Bits opponent) {
  const Rays& rays = kRays[static_cast<std::size_t>(square)];
  const __m256i own = _mm256_set1_epi64x(static_cast<long long>(player));
  const __m256i other = _mm256_set1_epi64x(static_cast<long long>(opponent));
  const __m256i ones = _mm256_set1_epi64x(-1);
  const __m256i up = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.up.data()));
  const __m256i down = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.down.data()));

  // Upwards the nearest square that is not the opponent's is the lowest bit: if it is the player's,
  // everything below it on the ray is turned.
  const __m256i stops = _mm256_andnot_si256(other, up);
  const __m256i nearest = _mm256_and_si256(stops, _mm256_sub_epi64(_mm256_setzero_si256(), stops));
  const __m256i below = _mm256_maskz_add_epi64(_mm256_test_epi64_mask(nearest, own), nearest, ones);

  // Downwards it is the highest bit: the player's if its discs, read as a number, are more than the
  // empty squares.
  const __m256i mine = _mm256_and_si256(own, down);
  const __m256i empty = _mm256_andnot_si256(other, _mm256_andnot_si256(own, down));
  const __m256i shadow = _mm256_srlv_epi64(ones, _mm256_lzcnt_epi64(mine));
  const __m256i above =
      _mm256_maskz_andnot_epi64(_mm256_cmpgt_epu64_mask(mine, empty), shadow, down);
  return or_lanes(_mm256_or_si256(above, _mm256_and_si256(below, up)));
}

#endif

#endif  // __AVX2__

inline Bits mobility(Bits player, Bits opponent) {
#if defined(__AVX2__)
  return mobility_avx2(player, opponent);
#else
  return mobility_portable(player, opponent);
#endif
}

inline Bits flips(int square, Bits player, Bits opponent) {
#if defined(__AVX512VL__) && defined(__AVX512CD__)
  return flips_avx512(square, player, opponent);
#elif defined(__AVX2__)
  return flips_avx2(square, player, opponent);
#else
  return flips_portable(square, player, opponent);
#endif
}

}  // namespace kibitz::othello
