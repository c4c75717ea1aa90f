# The Python extensions. nanobind is linked into each, so a wheel needs no other native library.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module ${SKBUILD_SABI_COMPONENT})
execute_process(
  COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
  OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

foreach(level IN LISTS kibitz_levels)
  set(module _core_${level})
  # A domain of its own keeps the types of two cores apart should both ever be loaded.
  string(MAKE_C_IDENTIFIER "kibitz_${level}${KIBITZ_GAME}" domain)
  # The core without Python, and what binds it: each has its own precompiled headers.
  add_library(kibitz_${level} OBJECT ${kibitz_sources})
  set_target_properties(kibitz_${level} PROPERTIES CXX_VISIBILITY_PRESET hidden)
  kibitz_unity(kibitz_${level})
  nanobind_disable_stack_protector(kibitz_${level})
  kibitz_compile_options(kibitz_${level} ${level})
  nanobind_add_module(${module} NB_STATIC STABLE_ABI NOMINSIZE NB_SUPPRESS_WARNINGS NB_DOMAIN ${domain}
                      ${kibitz_bind_sources} $<TARGET_OBJECTS:kibitz_${level}>)
  target_compile_definitions(${module} PRIVATE KIBITZ_MODULE=${module})
  kibitz_compile_options(${module} ${level})
  if(KIBITZ_PRECOMPILED)
    target_precompile_headers(kibitz_${level} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/precompiled.h")
    target_precompile_headers(${module} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/precompiled_bind.h")
  endif()
  install(TARGETS ${module} LIBRARY DESTINATION kibitz/_native)
endforeach()

set(kibitz_saved_tune ${kibitz_tune_native})
set(kibitz_tune_native OFF)
nanobind_add_module(_cpu NB_STATIC STABLE_ABI NB_SUPPRESS_WARNINGS NB_DOMAIN kibitz_cpu native/bind/cpu.cpp)
kibitz_compile_options(_cpu baseline)
set(kibitz_tune_native ${kibitz_saved_tune})
install(TARGETS _cpu LIBRARY DESTINATION kibitz/_native)

# Type stubs, from loading what was built: for a wheel, and for mypy in a development tree.
if(NOT KIBITZ_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(kibitz_stubs "${CMAKE_CURRENT_BINARY_DIR}/stubs")
  list(TRANSFORM kibitz_levels PREPEND _core_ OUTPUT_VARIABLE kibitz_modules)
  add_custom_command(
    OUTPUT "${kibitz_stubs}/__init__.pyi" "${kibitz_stubs}/_cpu.pyi"
    COMMAND "${Python_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/stubs.py" "${CMAKE_CURRENT_BINARY_DIR}" "${kibitz_stubs}"
    DEPENDS ${kibitz_modules} _cpu "${PROJECT_SOURCE_DIR}/tools/stubs.py")
  add_custom_target(stubs ALL DEPENDS "${kibitz_stubs}/__init__.pyi")
  install(DIRECTORY "${kibitz_stubs}/" DESTINATION kibitz/_native)
  if(SKBUILD_STATE STREQUAL "editable")
    install(DIRECTORY "${kibitz_stubs}/" DESTINATION "${PROJECT_SOURCE_DIR}/src/kibitz/_native")
  endif()
endif()
