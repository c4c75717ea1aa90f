#include "search/tree_rows.h"

#include <cstdio>

namespace kibitz {

std::string tree_text(const std::vector<TreeRow>& rows) {
  std::string out;
  for (const TreeRow& row : rows) {
    const Bounds b = row.proven;
    const char* proof = !b.settled() ? "" : b.low == 2 ? " win" : b.low == 1 ? " draw" : " loss";
    char numbers[96];
    std::snprintf(numbers, sizeof numbers, " %lld visits, value %.4f, prior %.4f%s\n",
                  static_cast<long long>(row.visits), row.value, row.prior, proof);
    out.append(static_cast<std::size_t>(2 * row.depth), ' ').append(row.move).append(numbers);
  }
  return out;
}

}  // namespace kibitz
