// The reductions, the exact search and the numbering, each against plain minimax, which shares
// nothing with them; and the table reader against damaged files.
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "base/crc32.h"
#include "games/uttt/solve/oracle.h"
#include "games/uttt/solve/plain.h"
#include "games/uttt/solve/solver.h"
#include "tests/check.h"

using namespace kibitz;
using namespace kibitz::uttt;

namespace {

std::vector<Uttt> random_positions(int count, int most_empties, Uttt::Ending ending, int seed) {
  Rng random(static_cast<std::uint64_t>(seed));
  std::vector<Uttt> positions;
  while (static_cast<int>(positions.size()) < count) {
    Uttt board;
    board.ending = ending;
    while (!board.is_over()) {
      board.play(board.random_move(random));
      if (!board.is_over() && board.empties() <= most_empties && random.below(3) == 0)
        positions.push_back(board);
    }
  }
  positions.resize(static_cast<std::size_t>(count));
  return positions;
}

Worth worth_of(const PlainMove& rated) {
  if (rated.result == 0) return kDraw;
  return static_cast<Worth>(rated.distance + (rated.result < 0 ? kLoss : 0));
}

/// A reduced position by minimax over its own moves, without any numbering.
Worth reduced_worth(const Step& step) {
  if (step.kind == Step::Kind::kDrawn) return kDraw;
  Worth best = kUnknown;
  for_each_move(step.next, [&](int slot, int cell) {
    const Step next = play(step.next, slot, cell);
    const Worth worth = next.kind == Step::Kind::kGoesOn
                            ? uttt::seen_from_before(reduced_worth(next))
                            : next.end_worth();
    if (best == kUnknown || score_of(worth) > score_of(best)) best = worth;
  });
  return best;
}

// The published counts of classes by empty cells.
void threat_classes_are_counted() {
  const std::array<int, 10> expected = {0, 36, 542, 2382, 3024, 1823, 656, 144, 18, 1};
  std::array<int, 10> counts{};
  const auto& classes = ThreatClasses::get();
  for (std::size_t id = 0; id < classes.size(); ++id)
    ++counts[static_cast<std::size_t>(std::popcount(classes.empty(static_cast<ClassId>(id))))];
  for (std::size_t n = 1; n < 10; ++n) CHECK_EQ(counts[n], expected[n]);
}

void reductions_and_search_equal_minimax(Uttt::Ending ending) {
  Solver solver(std::size_t{1} << 20);
  long wrong_worth = 0, wrong_moves = 0, wrong_reduction = 0, wrong_best = 0;
  for (const Uttt& board : random_positions(1500, 7, ending, 21)) {
    const auto plain = plain_minimax(board);
    const auto rated = solver.rate_moves(board);
    std::map<Move, Worth> worths;
    for (const auto& item : rated.moves) worths[item.move] = item.worth;
    for (const auto& item : plain) wrong_moves += worths[item.move] != worth_of(item);
    wrong_moves += !rated.solved || rated.moves.size() != plain.size();
    const Solution solution = solver.solve(board);
    wrong_worth += !solution.solved || solution.worth != worth_of(plain.front());
    wrong_best += worths[solution.best] != worth_of(plain.front());
    if (board.open_boards() <= kMaxOpen && board.empties() <= 6)
      wrong_reduction += reduced_worth(reduce(board)) != worth_of(plain.front());
  }
  CHECK_EQ(wrong_worth, 0);
  CHECK_EQ(wrong_moves, 0);
  CHECK_EQ(wrong_best, 0);
  CHECK_EQ(wrong_reduction, 0);
}

void limits_give_no_answer_but_never_a_wrong_one() {
  Solver solver(std::size_t{1} << 20);
  const Solution none = solver.solve(Uttt{}, {.nodes = 1000});
  CHECK(!none.solved);
  CHECK_EQ(int{none.worth}, int{kUnknown});
  CHECK(none.nodes <= 1001);
  long claims = 0, wrong = 0;
  for (const Uttt& board : random_positions(300, 7, Uttt::Ending::kStandard, 22)) {
    Solver fresh(std::size_t{1} << 16);
    const Solution solution = fresh.solve(board, {.nodes = 6});
    claims += solution.solved;
    wrong += solution.solved && solution.worth != worth_of(plain_minimax(board).front());
  }
  CHECK(claims > 10 && claims < 300);
  CHECK_EQ(wrong, 0);
  std::atomic<bool> stop{true};
  CHECK(!solver.solve(Uttt{}, {.stop = &stop}).solved);
}

void numbers_are_one_to_one() {
  for (const auto& [ending, empties, open] : {std::tuple{Ending::kStandard, 3, 2},
                                              {Ending::kStandard, 4, 3},
                                              {Ending::kStandard, 4, 4},
                                              {Ending::kStandard, 5, 1},
                                              {Ending::kMostSubBoards, 3, 2}}) {
    const LevelIndex& level = LevelIndex::of(ending, empties, open);
    long wrong = 0;
    const std::uint64_t step = level.size() / 20000 + 1;
    for (std::uint64_t i = 0; i < level.size(); i += step) {
      const Reduced position = level.position(i);
      wrong += level.index(position) != i || position.empties() != empties;
    }
    CHECK_EQ(wrong, 0);
  }
}

/// Writes a table file as docs/tablebase-format.md says.
std::string write_table(const std::filesystem::path& folder, int empties, int open,
                        const std::vector<Worth>& worths) {
  std::string head(kHeaderBytes - 4, '\0');
  std::memcpy(head.data(), kTableMagic, 8);
  std::size_t at = 8;
  const auto put = [&head, &at](std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) head[at++] = static_cast<char>(value >> 8 * i & 0xff);
  };
  const std::size_t block = 512, blocks = (worths.size() + block - 1) / block;
  const std::size_t offset = kHeaderBytes + (4 * blocks + 4095) / 4096 * 4096;
  for (const int field : {1, 0, 1, empties, open, 0}) put(static_cast<std::uint64_t>(field), 4);
  put(worths.size(), 8);
  put(block, 4);
  put(blocks, 4);
  put(offset, 8);
  std::string sums;
  const auto append = [](std::string& out, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> 8 * i & 0xff);
  };
  for (std::size_t i = 0; i < blocks; ++i)
    append(sums, crc32(worths.data() + i * block, std::min(block, worths.size() - i * block)));
  append(head, crc32(head.data(), head.size()));
  sums.resize(offset - kHeaderBytes);
  const auto path = folder / ("n" + std::to_string(empties) + "k" + std::to_string(open));
  std::ofstream(path, std::ios::binary)
      << head << sums
      << std::string_view(reinterpret_cast<const char*>(worths.data()), worths.size());
  return path.string();
}

void flip(const std::string& path, std::size_t at) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(at));
  const auto byte = static_cast<char>(file.get() ^ 0x10);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
}

void tables_answer_and_damage_is_found(const std::filesystem::path& folder) {
  auto tables = std::make_shared<Tables>();
  std::string last;
  for (int empties = 1; empties <= 4; ++empties) {
    for (int open = 1; open <= empties; ++open) {
      std::vector<Worth> worths(LevelIndex::of(Ending::kStandard, empties, open).size());
      tables->solve(Ending::kStandard, empties, open, 0, worths.size(), worths.data());
      last = write_table(folder, empties, open, worths);
      tables->add(last);
    }
  }
  long wrong = 0;
  for (const Uttt& board : random_positions(1500, 4, Uttt::Ending::kStandard, 23)) {
    const auto plain = plain_minimax(board);
    const auto probed = tables->probe(board);
    wrong += !probed || *probed != worth_of(plain.front());
    const auto moves = tables->probe_moves(board);
    wrong += !moves || moves->size() != plain.size();
    if (moves)
      for (std::size_t i = 0; i < plain.size(); ++i)
        wrong += (*moves)[i].worth != worth_of(plain[i]);
    for (int symmetry = 0; symmetry < 8; ++symmetry)
      wrong += tables->probe(board.transformed(symmetry).swapped()) != probed;
  }
  CHECK_EQ(wrong, 0);
  CHECK(!tables->probe(Uttt{}));

  UtttOracle oracle(10, 0, tables);
  for (const Uttt& board : random_positions(300, 7, Uttt::Ending::kStandard, 24)) {
    const auto result = oracle.result(board);
    const int mover = plain_minimax(board).front().result;
    CHECK(!result || *result == 1 + (board.to_move() == 0 ? mover : -mover));
  }

  // A thrifty oracle solves nothing before leaves have paid for it, and never says anything else.
  UtttOracle thrifty(10, 4, nullptr), generous(10, 0, nullptr);
  int asked = 0, answered = 0;
  for (const Uttt& board : random_positions(600, 10, Uttt::Ending::kStandard, 25)) {
    const auto result = thrifty.result(board);
    CHECK(!result || result == generous.result(board));
    CHECK(!result || asked >= 74);
    ++asked;
    answered += result.has_value();
  }
  CHECK(answered > 20 && answered < asked);

  // A byte that was flipped is noticed in the block it lies in, and nowhere else.
  const std::size_t data = static_cast<std::size_t>(TableFile(last).header().data_offset);
  flip(last, data + 5 * 512 + 100);
  const TableFile damaged(last);
  CHECK(damaged.intact(4) && !damaged.intact(5) && damaged.intact(6));
  CHECK_THROWS(DamagedTable, damaged.worth(5 * 512), "block 5 is damaged");
  (void)damaged.worth(4 * 512);
  flip(last, 20);
  CHECK_THROWS(DamagedTable, TableFile(last), "header is damaged");
  std::filesystem::resize_file(last, 1000);
  CHECK_THROWS(DamagedTable, TableFile(last), "not a table");
}

void reader_survives_anything(const std::filesystem::path& folder) {
  std::vector<Worth> worths(LevelIndex::of(Ending::kStandard, 2, 1).size());
  const std::string path = write_table(folder, 2, 1, worths);
  std::ifstream in(path, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  Rng random(31);
  long opened = 0, refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::string bad = good;
    for (unsigned flips = 1 + random.below(4); flips-- > 0;)
      bad[random.below(64)] ^= 1 << random.below(8);
    if (random.below(2)) bad.resize(random.below(static_cast<std::uint32_t>(bad.size())));
    // With a checksum that fits, so that the fields themselves are tested.
    if (bad.size() >= kHeaderBytes) {
      const std::uint32_t sum = crc32(bad.data(), kHeaderBytes - 4);
      for (int b = 0; b < 4; ++b)
        bad[kHeaderBytes - 4 + static_cast<std::size_t>(b)] =
            static_cast<char>(sum >> 8 * b & 0xff);
    }
    std::ofstream(path, std::ios::binary) << bad;
    try {
      const TableFile file(path);
      for (std::uint64_t at = 0; at < file.header().positions; at += 7) (void)file.worth(at);
      ++opened;
    } catch (const DamagedTable&) {
      ++refused;
    }
  }
  CHECK(refused > 300);
  CHECK_EQ(opened + refused, 400);
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("kibitz-uttt-" + std::to_string(mix64(static_cast<std::uint64_t>(
                                            reinterpret_cast<std::uintptr_t>(&test::tally) ^
                                            static_cast<std::uintptr_t>(std::clock())))));
  std::filesystem::create_directories(folder);
  CHECK_EQ(crc32("123456789", 9), 0xcbf43926u);  // the check value of CRC-32
  threat_classes_are_counted();
  reductions_and_search_equal_minimax(Uttt::Ending::kStandard);
  reductions_and_search_equal_minimax(Uttt::Ending::kMostSubBoards);
  limits_give_no_answer_but_never_a_wrong_one();
  numbers_are_one_to_one();
  tables_answer_and_damage_is_found(folder);
  reader_survives_anything(folder);
  std::filesystem::remove_all(folder);
  return test::report();
}
