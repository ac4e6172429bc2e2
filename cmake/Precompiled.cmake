# Precompiled headers: the standard library and fmt for everything, GoogleTest besides for tests. They take a third of the
# time of a whole build. -DCADDIS_PCH=OFF builds without them, as lint and ci-full do: a source names what it includes.
#
#   caddis_precompiled(target)        src/caddis/base/precompiled.h
#   caddis_precompiled(target TEST)   and tests/support/precompiled.h

function(caddis_precompiled target)
  if(NOT CADDIS_PCH)
    return()
  endif()
  if("TEST" IN_LIST ARGN)
    target_precompile_headers(${target} REUSE_FROM caddis_pch_test)
  else()
    target_precompile_headers(${target} REUSE_FROM caddis_pch)
  endif()
endfunction()

if(CADDIS_PCH)
  # The same files make the same header, and ccache may take its word for which macros it defines and which times it uses.
  # Some libraries ask for -pthread, which has to be the same with and without the header.
  target_compile_options(caddis_flags INTERFACE -pthread "SHELL:-Xclang -fno-pch-timestamp")
  # A target's own definitions may be added to those of its header, but none may be missing.
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cc CONTENT "// Nothing but its precompiled header.\n")
  add_library(caddis_pch OBJECT ${CMAKE_BINARY_DIR}/precompiled.cc)
  target_link_libraries(caddis_pch PRIVATE caddis_flags fmt::fmt Threads::Threads)
  target_precompile_headers(caddis_pch PRIVATE ${CMAKE_SOURCE_DIR}/src/caddis/base/precompiled.h)
  add_library(caddis_pch_test OBJECT ${CMAKE_BINARY_DIR}/precompiled.cc)
  target_link_libraries(caddis_pch_test PRIVATE caddis_flags fmt::fmt Threads::Threads GTest::gtest GTest::gmock)
  target_precompile_headers(caddis_pch_test PRIVATE ${CMAKE_SOURCE_DIR}/tests/support/precompiled.h)
endif()
