# The only CMake vocabulary of the project.
#
#   caddis_module(warc FLOOR 3 USES base io url LINKS ZLIB::ZLIB)
#
# makes the library caddis_warc from src/caddis/warc/*.cc, and beside it
#   *_test.cc   one test binary, warc_test, run by ctest
#   *_fuzz.cc   one fuzz target each; always built as a replay of its corpus (tests/corpus/<module>_<name>/) and run by ctest,
#               and as a libFuzzer program where CADDIS_FUZZ is on
#   *_bench.cc  one Google Benchmark binary, warc_bench, which the target micro_benchmarks builds with all others
# A module may use only modules on lower floors: anything else stops the configure step. That its #includes keep to USES is
# checked by the test `layers` (tools/check_layers.py), since include paths alone cannot tell modules apart.

add_custom_target(micro_benchmarks COMMENT "every *_bench of a module")

function(caddis_module name)
  cmake_parse_arguments(arg "" "FLOOR" "USES;LINKS;TEST_USES;TEST_LINKS" ${ARGN})
  set_property(GLOBAL PROPERTY caddis_floor_${name} ${arg_FLOOR})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  set(tests ${sources})
  set(fuzzers ${sources})
  set(benches ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cc$")
  list(FILTER benches INCLUDE REGEX "_bench\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz|bench)\\.cc$")

  add_library(caddis_${name} STATIC ${sources})
  add_library(caddis::${name} ALIAS caddis_${name})
  target_link_libraries(caddis_${name} PUBLIC caddis_flags PRIVATE ${arg_LINKS})
  caddis_precompiled(caddis_${name})
  foreach(used IN LISTS arg_USES)
    get_property(floor GLOBAL PROPERTY caddis_floor_${used})
    if(NOT DEFINED floor OR NOT floor LESS arg_FLOOR)
      message(FATAL_ERROR "caddis::${name} (floor ${arg_FLOOR}) may not use caddis::${used} (floor ${floor})")
    endif()
    target_link_libraries(caddis_${name} PUBLIC caddis_${used})
  endforeach()

  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE caddis_${name} caddis_testing GTest::gtest_main GTest::gmock)
    foreach(used IN LISTS arg_TEST_USES)
      target_link_libraries(${name}_test PRIVATE caddis_${used})
    endforeach()
    target_link_libraries(${name}_test PRIVATE ${arg_TEST_LINKS})
    caddis_precompiled(${name}_test TEST)
    caddis_gtest(${name}_test)
  endif()
  foreach(fuzzer IN LISTS fuzzers)
    caddis_fuzz(${name} ${fuzzer})
  endforeach()
  if(benches)
    add_executable(${name}_bench ${benches})
    target_link_libraries(${name}_bench PRIVATE caddis_${name} caddis_testing benchmark::benchmark_main ${arg_TEST_LINKS})
    caddis_precompiled(${name}_bench)
    foreach(used IN LISTS arg_TEST_USES)
      target_link_libraries(${name}_bench PRIVATE caddis_${used})
    endforeach()
    # With the allocator of real runs (apps/caddis).
    if(NOT CADDIS_SANITIZE)
      find_library(MIMALLOC mimalloc REQUIRED)
      target_link_libraries(${name}_bench PRIVATE -Wl,--no-as-needed ${MIMALLOC} -Wl,--as-needed)
    endif()
    add_dependencies(micro_benchmarks ${name}_bench)
  endif()
endfunction()

# Registers a GoogleTest binary with ctest; its cases are counted from the JSON it writes (tools/test_summary.py).
function(caddis_gtest binary)
  add_test(NAME ${binary} COMMAND ${binary} --gtest_output=json:${CMAKE_BINARY_DIR}/test-results/${binary}.json)
  set_tests_properties(${binary} PROPERTIES TIMEOUT 900 ENVIRONMENT "CADDIS_SOURCE_DIR=${CMAKE_SOURCE_DIR};CADDIS_BINARY=${CMAKE_BINARY_DIR}/caddis")
endfunction()

function(caddis_fuzz module source)
  get_filename_component(stem ${source} NAME_WE)
  set(target ${module}_${stem})
  add_executable(${target}_replay ${source} ${CMAKE_SOURCE_DIR}/tests/support/fuzz_replay_main.cc)
  target_link_libraries(${target}_replay PRIVATE caddis_${module})
  caddis_precompiled(${target}_replay)
  string(REGEX REPLACE "_fuzz$" "" corpus ${stem})
  add_test(NAME ${target}_replay COMMAND ${target}_replay ${CMAKE_SOURCE_DIR}/tests/corpus/${module}_${corpus})
  set_tests_properties(${target}_replay PROPERTIES TIMEOUT 300)
  if(CADDIS_FUZZ)
    add_executable(${target} ${source})
    target_link_libraries(${target} PRIVATE caddis_${module})
    caddis_precompiled(${target})
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  endif()
endfunction()
