# The Python extensions. nanobind is linked into each, so a wheel needs no other native library.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(
  COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
  OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

foreach(level IN LISTS kibitz_levels)
  set(module _core_${level})
  # A domain of its own keeps the types of two levels apart should both ever be loaded.
  nanobind_add_module(${module} NB_STATIC NOMINSIZE NB_SUPPRESS_WARNINGS NB_DOMAIN kibitz_${level}
                      ${kibitz_sources} ${kibitz_bind_sources})
  target_compile_definitions(${module} PRIVATE KIBITZ_MODULE=${module})
  kibitz_compile_options(${module} ${level})
  install(TARGETS ${module} LIBRARY DESTINATION kibitz/_native)
endforeach()

set(kibitz_saved_tune ${kibitz_tune_native})
set(kibitz_tune_native OFF)
nanobind_add_module(_cpu NB_STATIC NB_SUPPRESS_WARNINGS NB_DOMAIN kibitz_cpu native/bind/cpu.cpp)
kibitz_compile_options(_cpu baseline)
set(kibitz_tune_native ${kibitz_saved_tune})
install(TARGETS _cpu LIBRARY DESTINATION kibitz/_native)
