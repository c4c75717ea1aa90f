# Every native/tests/**/test_*.cpp becomes the executable <level>/**/test_*, linked with all sources but those of bind/.
# Assertions stay on; the optimizer does too, because a playout is what most of them run.
if(NOT KIBITZ_SANITIZE)
  add_compile_options(-O2)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

set(kibitz_tests_folder "${PROJECT_SOURCE_DIR}/native/tests")
file(GLOB_RECURSE kibitz_tests CONFIGURE_DEPENDS "${kibitz_tests_folder}/test_*.cpp")
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
set(kibitz_level_code base nets games/chess games/chess/evaluate games/othello games/othello/evaluate games/othello/solve)
set(kibitz_level_tests base/test_base nets/test_nets games/chess/test_rules games/chess/test_nnue games/othello/test_rules games/othello/test_endgame)
set(kibitz_code ${kibitz_sources})
foreach(level IN LISTS kibitz_levels)
  add_library(core_${level} STATIC ${kibitz_code})
  kibitz_compile_options(core_${level} ${level})
  kibitz_unity(core_${level})
  foreach(source IN LISTS kibitz_tests)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${kibitz_tests_folder}" OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(GET path STEM stem)
    string(REPLACE "/" "_" name "${folder}/${stem}_${level}")
    add_executable(${name} ${source})
    kibitz_compile_options(${name} ${level})
    target_link_libraries(${name} PRIVATE core_${level})
    set_target_properties(${name} PROPERTIES
      OUTPUT_NAME ${stem} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/${level}/${folder}")
  endforeach()
  list(JOIN kibitz_level_code "|" parts)
  list(FILTER kibitz_code INCLUDE REGEX "/native/(${parts})/[^/]*$")
  list(JOIN kibitz_level_tests "|" parts)
  list(FILTER kibitz_tests INCLUDE REGEX "/native/tests/(${parts})\\.cpp$")
endforeach()
