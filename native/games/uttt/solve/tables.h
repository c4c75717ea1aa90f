// Table files (docs/tablebase-format.md) and what they say of a position.
//
// Threads: files are added first; then any number of threads may probe. A block's checksum is
// tested when the block is first read, so a damaged file answers with an error and never with a
// wrong worth.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "games/uttt/solve/index.h"

namespace kibitz::uttt {

/// A file that is no table, or one with a damaged block; the message names both.
class DamagedTable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr char kTableMagic[] = "KIBUTTT\n";
inline constexpr std::uint32_t kTableVersion = 1;
inline constexpr std::size_t kHeaderBytes = 4096;

/// The first bytes of a file, as they lie there (little endian).
struct TableHeader {
  std::uint32_t version = 0, rule_id = 0, reduction = 0, empties = 0, open = 0, flags = 0;
  std::uint64_t positions = 0;
  std::uint32_t block_bytes = 0, blocks = 0;
  std::uint64_t data_offset = 0;
};

class TableFile {
 public:
  explicit TableFile(const std::string& path);

  const TableHeader& header() const { return header_; }
  const std::string& path() const { return path_; }
  /// Throws DamagedTable when the block it lies in fails its checksum.
  Worth worth(std::uint64_t index) const {
    const std::size_t block = static_cast<std::size_t>(index / header_.block_bytes);
    if (!tested_[block].load(std::memory_order_relaxed)) test(block);
    return static_cast<Worth>(data_[index]);
  }
  /// Does the block's checksum hold?
  bool intact(std::size_t block) const;

 private:
  void test(std::size_t block) const;

  std::string path_;
  MappedFile file_;
  TableHeader header_;
  const std::byte* data_ = nullptr;
  std::unique_ptr<std::atomic<bool>[]> tested_;
};

/// A move with its worth for the side that plays it.
struct RatedMove {
  Move move = kNoMove;
  Worth worth = kUnknown;
};

/// Best first; moves of equal worth by number.
void sort_rated(std::vector<RatedMove>& moves);

class Tables {
 public:
  /// Adds a file; throws DamagedTable or std::system_error.
  void add(const std::string& path);

  const TableFile* file(Ending ending, int empties, int open) const {
    if (!LevelIndex::exists(empties, open)) return nullptr;
    return files_[static_cast<std::size_t>(ending)][static_cast<std::size_t>(empties)]
                 [static_cast<std::size_t>(open)]
                     .get();
  }

  /// The worth of a reduced position, if a file has it.
  std::optional<Worth> probe(const Reduced& position) const;
  /// The same for a game that is not over; nothing when no file has it.
  std::optional<Worth> probe(const Uttt& game) const;
  /// Every move best first; nothing when some move leads out of the tables.
  std::optional<std::vector<RatedMove>> probe_moves(const Uttt& game) const;

  /// Solves the positions `first` to `first + count` of a level from the levels below it, which
  /// must have been added; a position with a child of unknown worth stays unknown. Ends early when
  /// `stop`.
  void solve(Ending ending, int empties, int open, std::uint64_t first, std::uint64_t count,
             Worth* out, const std::atomic<bool>* stop = nullptr) const;

 private:
  Worth solve_one(const Reduced& position) const;
  void solve_pairs(const LevelIndex& level, Ending ending, std::uint64_t first, std::uint64_t count,
                   Worth* out, const std::atomic<bool>* stop) const;
  std::array<std::array<std::array<std::unique_ptr<TableFile>, kMaxOpen + 1>, kMaxEmpties + 1>, 2>
      files_;
};

}  // namespace kibitz::uttt
