# Every native/tests/test_*.cpp becomes the executable <level>/test_*, linked with all sources but bind/.
# Assertions stay on; the optimiser does too, because a playout is what most of them run.
if(KIBITZ_SANITIZE)
  add_compile_options(-O1 -g -fno-omit-frame-pointer -fsanitize=${KIBITZ_SANITIZE}
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${KIBITZ_SANITIZE})
else()
  add_compile_options(-O2)
endif()
add_compile_definitions(_GLIBCXX_ASSERTIONS)

file(GLOB kibitz_tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/native/tests/test_*.cpp")
foreach(level IN LISTS kibitz_levels)
  if(kibitz_sources)
    add_library(core_${level} STATIC ${kibitz_sources})
    kibitz_compile_options(core_${level} ${level})
  endif()
  foreach(source IN LISTS kibitz_tests)
    cmake_path(GET source STEM name)
    add_executable(${name}_${level} ${source})
    kibitz_compile_options(${name}_${level} ${level})
    if(kibitz_sources)
      target_link_libraries(${name}_${level} PRIVATE core_${level})
    endif()
    set_target_properties(${name}_${level} PROPERTIES
      OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/${level}")
  endforeach()
endforeach()
