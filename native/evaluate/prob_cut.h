// The parameters of ProbCut, as they are fitted to an evaluation and stored with it.
#pragma once

namespace kibitz {

/// How well a shallow search foretells a deeper one: deep = slope * shallow + offset, give or take
/// sigma.
struct ProbCut {
  int depth = 0;  // of the shallow search; 0 where nothing was fitted
  double slope = 1.0, offset = 0.0, sigma = 0.0;
};

}  // namespace kibitz
