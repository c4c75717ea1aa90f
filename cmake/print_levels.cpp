// Run while CMake configures: prints the CPU levels of this machine as a CMake list, best last.
#include <cstdio>

#include "bind/cpu_levels.h"

int main() {
  const char* separator = "";
  for (const char* level : kibitz::cpu_levels()) {
    std::printf("%s%s", separator, level);
    separator = ";";
  }
}
