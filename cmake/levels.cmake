# Sets `kibitz_levels`, the CPU levels to build, from KIBITZ_LEVELS and from what this CPU can run.
# `kibitz_tune_native` says whether this build is for this machine only.

set(kibitz_x86 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(kibitz_x86 ON)
endif()

# The same table answers here and in the loader, so a build made for this machine loads on it.
set(kibitz_best_level baseline)
if(kibitz_x86 AND NOT CMAKE_CROSSCOMPILING)
  try_run(
    kibitz_levels_ran kibitz_levels_compiled
    SOURCES "${PROJECT_SOURCE_DIR}/cmake/print_levels.cpp"
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/native"
    CXX_STANDARD 20
    RUN_OUTPUT_STDOUT_VARIABLE kibitz_cpu_levels)
  if(kibitz_levels_compiled AND kibitz_levels_ran EQUAL 0)
    string(STRIP "${kibitz_cpu_levels}" kibitz_cpu_levels)
    list(GET kibitz_cpu_levels -1 kibitz_best_level)
  endif()
  # An answer kept in the cache would outlive a move of the build folder to another machine.
  unset(kibitz_levels_ran CACHE)
  unset(kibitz_levels_compiled CACHE)
endif()

set(kibitz_tune_native ON)
set(kibitz_levels "")
string(REPLACE "," ";" kibitz_asked "${KIBITZ_LEVELS}")
foreach(level IN LISTS kibitz_asked)
  if(level STREQUAL "auto")
    list(APPEND kibitz_levels ${kibitz_best_level})
  elseif(level STREQUAL "all" AND kibitz_x86)
    list(APPEND kibitz_levels baseline v3 v4)
    set(kibitz_tune_native OFF)
  elseif(level STREQUAL "all" OR level STREQUAL "baseline")
    list(APPEND kibitz_levels baseline)
    set(kibitz_tune_native OFF)
  elseif(level MATCHES "^v[34]$" AND kibitz_x86)
    list(APPEND kibitz_levels ${level})
    set(kibitz_tune_native OFF)
  else()
    message(FATAL_ERROR "KIBITZ_LEVELS: unknown level '${level}' for ${CMAKE_SYSTEM_PROCESSOR}; "
                        "expected auto, all, or a list such as baseline,v3")
  endif()
endforeach()
list(REMOVE_DUPLICATES kibitz_levels)
message(STATUS "Kibitz CPU levels: ${kibitz_levels} (the best here: ${kibitz_best_level})")
