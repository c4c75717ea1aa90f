#include "games/uttt/solve/tables.h"

#include <algorithm>
#include <cstring>

#include "base/crc32.h"

namespace kibitz::uttt {
namespace {

/// Little-endian numbers, one after another.
class Fields {
 public:
  explicit Fields(const std::byte* at) : at_(at) {}
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | std::to_integer<unsigned>(at_[i]);
    at_ += bytes;
    return value;
  }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }

 private:
  const std::byte* at_;
};

}  // namespace

TableFile::TableFile(const std::string& path) : path_(path), file_(path) {
  const auto bytes = file_.bytes();
  const auto refuse = [&path](const std::string& reason) {
    throw DamagedTable(path + ": " + reason);
  };
  if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kTableMagic, 8) != 0)
    refuse("not a table of ultimate tic-tac-toe");
  if (crc32(bytes.data(), kHeaderBytes - 4) != Fields(bytes.data() + kHeaderBytes - 4).u32())
    refuse("the header is damaged (checksum)");
  Fields fields(bytes.data() + 8);
  header_.version = fields.u32();
  header_.rule_id = fields.u32();
  header_.reduction = fields.u32();
  header_.empties = fields.u32();
  header_.open = fields.u32();
  header_.flags = fields.u32();
  header_.positions = fields.u64();
  header_.block_bytes = fields.u32();
  header_.blocks = fields.u32();
  header_.data_offset = fields.u64();
  if (header_.version != kTableVersion)
    refuse("version " + std::to_string(header_.version) + ", expected " +
           std::to_string(kTableVersion));
  if (header_.reduction != kReductionVersion)
    refuse("reduction version " + std::to_string(header_.reduction) + ", expected " +
           std::to_string(kReductionVersion));
  const auto small = [](std::uint32_t n) { return n > 1000 ? 1000 : static_cast<int>(n); };
  if (header_.rule_id > 1 || !LevelIndex::exists(small(header_.empties), small(header_.open)))
    refuse("names a level that does not exist");
  const auto& level = LevelIndex::of(static_cast<Ending>(header_.rule_id), small(header_.empties),
                                     small(header_.open));
  if (header_.positions != level.size())
    refuse("has " + std::to_string(header_.positions) + " positions, expected " +
           std::to_string(level.size()));
  if (header_.block_bytes < 512 ||
      header_.blocks != (header_.positions + header_.block_bytes - 1) / header_.block_bytes ||
      header_.data_offset < kHeaderBytes + 4 * std::uint64_t{header_.blocks} ||
      header_.data_offset > bytes.size() || bytes.size() - header_.data_offset != header_.positions)
    refuse("is cut short or has a wrong layout");
  data_ = bytes.data() + header_.data_offset;
  tested_ = std::make_unique<std::atomic<bool>[]>(header_.blocks);
}

bool TableFile::intact(std::size_t block) const {
  const std::uint64_t first = std::uint64_t{block} * header_.block_bytes;
  const auto size = static_cast<std::size_t>(
      std::min<std::uint64_t>(header_.block_bytes, header_.positions - first));
  const std::uint32_t expected = Fields(file_.bytes().data() + kHeaderBytes + 4 * block).u32();
  return crc32(data_ + first, size) == expected;
}

void TableFile::test(std::size_t block) const {
  if (!intact(block))
    throw DamagedTable(path_ + ": block " + std::to_string(block) + " is damaged (checksum)");
  tested_[block].store(true, std::memory_order_relaxed);
}

void sort_rated(std::vector<RatedMove>& moves) {
  std::stable_sort(moves.begin(), moves.end(), [](const RatedMove& a, const RatedMove& b) {
    return score_of(a.worth) > score_of(b.worth);
  });
}

void Tables::add(const std::string& path) {
  auto file = std::make_unique<TableFile>(path);
  const TableHeader& header = file->header();
  files_[header.rule_id][header.empties][header.open] = std::move(file);
}

std::optional<Worth> Tables::probe(const Reduced& position) const {
  const int empties = position.empties();
  const TableFile* from = file(position.ending, empties, position.k);
  if (!from) return std::nullopt;
  const auto index = LevelIndex::of(position.ending, empties, position.k).index(position);
  const Worth worth = from->worth(index);
  if (worth == kUnknown) return std::nullopt;
  return worth;
}

std::optional<Worth> Tables::probe(const Uttt& game) const {
  if (game.open_boards() > kMaxOpen) return std::nullopt;
  const Step step = reduce(game);
  if (step.kind == Step::Kind::kDrawn) return kDraw;
  return probe(step.next);
}

std::optional<std::vector<RatedMove>> Tables::probe_moves(const Uttt& game) const {
  MoveList<Uttt> moves;
  game.legal_moves(moves);
  std::vector<RatedMove> rated;
  for (const Move move : moves) {
    Uttt next = game;
    next.play(move);
    if (next.is_over()) {
      const float mine = game.side == 0 ? next.result() : 1.0f - next.result();
      rated.push_back({move, static_cast<Worth>(mine == 1.0f   ? 1
                                                : mine == 0.0f ? kLoss + 1
                                                               : kDraw)});
      continue;
    }
    const auto worth = probe(next);
    if (!worth) return std::nullopt;
    rated.push_back({move, seen_from_before(*worth)});
  }
  sort_rated(rated);
  return rated;
}

}  // namespace kibitz::uttt
