# One INTERFACE target, caddis_flags, carries every compiler and linker flag of the project.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(CADDIS_SANITIZE "" CACHE STRING "Sanitizers for the whole build, as -fsanitize= takes them")
option(CADDIS_FUZZ "Build libFuzzer executables" OFF)
option(CADDIS_WERROR "Treat warnings as errors" ON)
option(CADDIS_PCH "Build with precompiled headers (cmake/Precompiled.cmake)" ON)

find_program(CCACHE ccache)
if(CCACHE AND CADDIS_PCH)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
elseif(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(caddis_flags INTERFACE)
target_compile_options(caddis_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wimplicit-fallthrough -Wno-missing-field-initializers
  $<$<BOOL:${CADDIS_WERROR}>:-Werror>)
target_include_directories(caddis_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
find_program(MOLD mold)
find_program(LLD NAMES ld.lld-19 ld.lld)
if(MOLD)
  target_link_options(caddis_flags INTERFACE -fuse-ld=mold)
elseif(LLD)
  target_link_options(caddis_flags INTERFACE -fuse-ld=lld)
endif()
if(CADDIS_SANITIZE)
  add_compile_options(-fsanitize=${CADDIS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CADDIS_SANITIZE})
endif()
if(CADDIS_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
