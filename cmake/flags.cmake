# kibitz_compile_options(TARGET LEVEL): what every native target is compiled with.
include(CheckCXXCompilerFlag)

if(MSVC)
  message(FATAL_ERROR "Kibitz needs GCC or Clang; MSVC has no CPU levels to compile for.")
endif()

check_cxx_compiler_flag(-mtune=native kibitz_has_mtune_native)
check_cxx_compiler_flag(-mcpu=native kibitz_has_mcpu_native)

function(kibitz_compile_options target level)
  set(march_baseline -march=x86-64)
  set(march_v3 -march=x86-64-v3)
  set(march_v4 -march=x86-64-v4)
  if(kibitz_x86)
    target_compile_options(${target} PRIVATE ${march_${level}})
    if(kibitz_tune_native AND kibitz_has_mtune_native)
      target_compile_options(${target} PRIVATE -mtune=native)
    endif()
  elseif(kibitz_tune_native AND kibitz_has_mcpu_native)
    target_compile_options(${target} PRIVATE -mcpu=native)
  endif()

  # A fused multiply-add rounds once where two instructions round twice. Without it every level
  # computes the same values, so one seed gives one search on every CPU.
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow)
  # A word of an option that some dispatch does not handle is an error: switches have no default.
  target_compile_options(${target} PRIVATE -Werror=switch)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC warns of its own AVX-512 headers, which leave registers undefined on purpose.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Clang warns of GCC's own stable_sort, which asks for its buffer as C++17 no longer likes.
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
  endif()
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/native")
  target_link_libraries(${target} PRIVATE Threads::Threads)
endfunction()
