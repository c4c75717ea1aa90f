// The whole test framework: CHECK and CHECK_EQ count, print what failed, and let the test go on.
//
//     int main() {
//       CHECK(board.is_over());
//       CHECK_EQ(perft(board, 5), 1396u);
//       return kibitz::test::report();   // prints "N passed, M failed"; non-zero if any failed
//     }
#pragma once

#include <iostream>
#include <string>

namespace kibitz::test {

struct Tally {
  long passed = 0;
  long failed = 0;
};

inline Tally& tally() {
  static Tally counts;
  return counts;
}

inline bool check(bool ok, const char* expression, const char* file, int line) {
  if (ok) {
    ++tally().passed;
  } else {
    ++tally().failed;
    std::cerr << file << ':' << line << ": failed: " << expression << '\n';
  }
  return ok;
}

template <class A, class B>
bool check_equal(const A& a, const B& b, const char* expression, const char* file, int line) {
  const bool ok = a == b;
  check(ok, expression, file, line);
  if (!ok) std::cerr << "    left:  " << a << "\n    right: " << b << '\n';
  return ok;
}

// Runs `call`, which must throw `Error` with `part` in its message.
template <class Error, class Call>
bool check_throws(Call&& call, const std::string& part, const char* file, int line) {
  try {
    call();
  } catch (const Error& error) {
    const bool ok = std::string(error.what()).find(part) != std::string::npos;
    check(ok, ("message has \"" + part + "\"").c_str(), file, line);
    if (!ok) std::cerr << "    message: " << error.what() << '\n';
    return ok;
  }
  return check(false, ("throws \"" + part + "\"").c_str(), file, line);
}

inline int report() {
  std::cout << tally().passed << " passed, " << tally().failed << " failed\n";
  return tally().failed == 0 && tally().passed > 0 ? 0 : 1;
}

}  // namespace kibitz::test

#define CHECK(expression) ::kibitz::test::check((expression), #expression, __FILE__, __LINE__)
#define CHECK_EQ(a, b) ::kibitz::test::check_equal((a), (b), #a " == " #b, __FILE__, __LINE__)
#define CHECK_THROWS(Error, expression, part) \
  ::kibitz::test::check_throws<Error>([&] { (void)(expression); }, part, __FILE__, __LINE__)
