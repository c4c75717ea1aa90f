# Every native/tests/test_*.cpp becomes the executable <level>/test_*, linked with all sources but bind/.
# Assertions stay on; the optimizer does too, because a playout is what most of them run.
if(NOT KIBITZ_SANITIZE)
  add_compile_options(-O2)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

file(GLOB kibitz_tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/native/tests/test_*.cpp")
if(kibitz_tests_excluded)
  list(FILTER kibitz_tests EXCLUDE REGEX "${kibitz_tests_excluded}")
endif()
# The thread sanitizer has nothing to find in the others.
if(KIBITZ_SANITIZE STREQUAL "thread")
  list(FILTER kibitz_tests INCLUDE REGEX "_parallel\\.cpp$")
endif()
# The first level has every test. The others have the tests of code that asks which level it is compiled for
# (`#if defined(__AVX2__)` and the like), linked with that code alone: all else is the same at every level.
# tests/test_native.py fails when such code is added outside these folders.
set(kibitz_level_code base nets games/othello games/chess evaluate/chess evaluate/othello solve/othello)
set(kibitz_level_tests base nets othello othello_endgame chess)
set(kibitz_code ${kibitz_sources})
foreach(level IN LISTS kibitz_levels)
  add_library(core_${level} STATIC ${kibitz_code})
  kibitz_compile_options(core_${level} ${level})
  foreach(source IN LISTS kibitz_tests)
    cmake_path(GET source STEM name)
    add_executable(${name}_${level} ${source})
    kibitz_compile_options(${name}_${level} ${level})
    target_link_libraries(${name}_${level} PRIVATE core_${level})
    set_target_properties(${name}_${level} PROPERTIES
      OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/${level}")
  endforeach()
  list(JOIN kibitz_level_code "|" parts)
  list(FILTER kibitz_code INCLUDE REGEX "/native/(${parts})")
  list(JOIN kibitz_level_tests "|" parts)
  list(FILTER kibitz_tests INCLUDE REGEX "/test_(${parts})\\.cpp$")
endforeach()
