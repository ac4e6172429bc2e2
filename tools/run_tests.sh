#!/usr/bin/env bash
# Builds the tree under Address and UB sanitizer and runs every test. The last line counts them.
set -uo pipefail
cd "$(dirname "$0")/.."

jobs=$(nproc)
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1
ASAN_SYMBOLIZER_PATH=$(command -v llvm-symbolizer-19)
export ASAN_SYMBOLIZER_PATH

cmake --preset asan > /dev/null || exit 1
rm -rf build/asan/test-results
mkdir -p build/asan/test-results
cmake --build --preset asan -j "$jobs" || { echo "the build failed"; exit 1; }
ctest --test-dir build/asan -j "$jobs" --output-on-failure --test-output-size-passed 1000000 --no-tests=error --output-junit "$PWD/build/asan/test-results/ctest.xml"
exec python3 tools/test_summary.py build/asan/test-results
